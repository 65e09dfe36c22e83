"""The Compare tab: its board and its texts."""
