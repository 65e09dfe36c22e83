"""What a run did, as plain data (`model`), and how it is recorded, read, counted and replayed. Importing it loads no torch."""

from .model import VERSION, Trace
from .step import MOST_LEFT, MOST_ROWS, Emitted, Joint, Row, Step, Try, Visit

__all__ = ["MOST_LEFT", "MOST_ROWS", "VERSION", "Emitted", "Joint", "Row", "Step", "Trace", "Try", "Visit"]
