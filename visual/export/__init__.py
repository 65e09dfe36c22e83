"""A run as one HTML file: the player of the page with everything inside, so that it opens from disk, without a server and a network.

A picture of a step as an image is drawn by that file in a browser; the curves are drawn by a page of their own.
"""

from .document import html as html
from .picture import curves_image as curves_image, image as image

__all__ = ["curves_image", "html", "image"]
