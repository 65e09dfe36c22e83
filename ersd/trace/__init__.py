"""What a run did, as plain data (`step` and `model`), and how it is recorded, read, counted and replayed. Importing it loads no torch."""

from .model import VERSION, Trace
from .step import MAX_LEFT, MAX_ROWS, Emitted, Joint, Row, Step, Try, Visit

__all__ = ["MAX_LEFT", "MAX_ROWS", "VERSION", "Emitted", "Joint", "Row", "Step", "Trace", "Try", "Visit"]
