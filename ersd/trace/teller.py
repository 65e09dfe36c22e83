"""What becomes of a Step where it is written down, for who needs no Steps but what is made of them, as a page does.

Making it there leaves the process that decodes its time (`beside.py`).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from .model import Step

Seen = tuple[int | None, int, int]
"""All that later steps need of a visit: its rank, how many children it had, its token."""


class Teller(Protocol):
    """Makes something of the Steps of one run. It can be pickled: where steps are written down is a copy of the one that was given."""

    state: Any
    """all that the next step hangs on; small, and can be pickled. The one that was given has that of the copy behind every step"""
    alone_ms: float | None
    """of a token one by one, as far as it is known: whoever decodes may tell the one given, and the copy knows it with the next step"""

    def step(self, step: Step) -> Any:
        """What is made of the next Step; it can be pickled."""


class Written(NamedTuple):
    """A step that was written down."""

    made: Any
    """the Step, or what a Teller made of it"""
    seen: list[Seen]
    """its visits"""
    state: Any = None
    """of the Teller"""
