"""Draft trees: their shapes (`topologies`, no torch), the drafters that fill them, and what is learned about accepted ranks."""
