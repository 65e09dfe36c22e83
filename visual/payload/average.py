"""Expected tokens per call beside those of a run: a run is one text, and another seed gives another."""

from __future__ import annotations

from dataclasses import dataclass

from ersd.rules.registry import TRAITS
from ersd.settings import Settings

from .message_types.run import OneText
from .sentences.exactness import is_certain
from .sentences.formatting import decimal

HELP = (
    "Another seed or prompt gives another figure. Average: tokens per call expected before anything is known of the text, by how often "
    "each rank was accepted{temperature}, measured for this pair"
)
IN_CAPTION = "average: tokens per call expected{temperature}"


@dataclass(frozen=True)
class Average:
    """Expected tokens per call of a method."""

    tokens: float
    is_least: bool = False
    """a lower bound"""

    def short(self) -> str:
        """The number: `3.3` or `≥ 3.9`."""
        return f"{'≥ ' if self.is_least else ''}{decimal(self.tokens, 1)}"


def beside_one_text(average: Average | None, settings: Settings) -> OneText:
    """What stands at the figures of a whole run (`OneText`): that they are of one text, and the average where it is known."""
    if average is None:
        return {"words": "one text" if settings.vertices else "whole run", "help": ""}
    number = average.short()
    if not _is_as_measured(settings):
        number += " at T\u00a0=\u00a01"
    elif not average.is_least:
        number = f"about {number}"
    return {"words": f"one text; average {number}", "help": HELP.format(temperature=_temperature(settings))}


def in_caption(settings: Settings) -> str:
    """What the averages of a table are."""
    return IN_CAPTION.format(temperature=_temperature(settings))


def _is_as_measured(settings: Settings) -> bool:
    """Whether the run samples as the runs that its ranks were measured in: at temperature 1, without top-k and top-p."""
    is_usual = settings.temperature == 1 and not settings.top_k and settings.top_p == 1
    return is_usual or not _temperature(settings)


def _temperature(settings: Settings) -> str:
    """At which temperature the ranks were measured; empty where it makes no difference."""
    return " at temperature 1" if TRAITS[settings.algorithm].uses_sampling and not is_certain(settings) else ""
