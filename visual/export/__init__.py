"""A run as one HTML file: the player of the page with everything inside, so that it opens from disk, without a server and a network."""

from .document import html as html

__all__ = ["html"]
