"""Model pairs: loading and checking them, and the forward passes over trees with a key/value cache."""
