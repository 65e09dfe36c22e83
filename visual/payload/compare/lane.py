"""One method of a comparison: what it has written so far, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence

from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.statistics import Statistics
from ersd.trace.step import Emitted, Step
from visual.payload.times import speedup

from ..message_types.compare import LaneExactness, Row, Spent
from ..sentences.exactness import badge
from ..sentences.formatting import decimal, quoted
from ..sentences.names import guesses_from, method_label, tree_name
from ..sentences.nodes import emitted_names

EXACT = {"same-text": "✓ same text", "same-law": "✓ same distribution", "biased": "⚠ biased"}
"""Kind of badge -> text in the table."""


class Lane:
    """One method: what it has written, and what it cost."""

    def __init__(self, settings: Settings, left_out: Sequence[str] = ()) -> None:
        self.settings, self.left_out = settings, left_out
        self.name = tree_name(settings)
        self.label = f"{method_label(settings.algorithm, settings.topology)}{guesses_from(settings)}"
        self.emitted: list[Emitted] = []
        self.names: list[str] = []
        """the emitted tokens in quotation marks"""
        self.statistics = Statistics()
        self.is_over = False
        """the run has ended"""

    def add(self, step: Step) -> None:
        """Add one target call."""
        self.emitted += step.emitted
        self.names += map(quoted, emitted_names(step))
        self.statistics.add(step)

    def exactness(self) -> LaneExactness:
        """The badge of its run, with a short text for the table."""
        about = badge(self.settings, self.left_out)
        return {"kind": about["kind"], "words": about["words"], "term": about["term"], "short": EXACT[about["kind"]]}

    def row(self, baseline_ms: float | None) -> Row:
        """The figures over all calls so far; `baseline_ms`: milliseconds per token without a draft, None if not known."""
        total = self.statistics
        ms = total.ms_per_token
        share = f" · {decimal(100 * total.accepted / total.drafted, 0)}%" if total.drafted else ""
        gain = speedup.gain(total, TRAITS[self.settings.algorithm].drafts, baseline_ms)
        return {
            "per_call": decimal(total.tokens / total.steps) if total.steps else "–",
            "calls": f"{total.steps:,}",
            "tokens": f"{total.tokens:,}",
            "accepted": f"{total.accepted:,} of {total.drafted:,}{share}" if total.drafted else "–",
            "ms": speedup.milliseconds(ms) if ms is not None else "–",
            "spent": self._spent(),
            **gain,
        }

    def _spent(self) -> Spent | None:
        """The time of its text so far, as if step 1 had not read the prompt; None before a second step."""
        total = self.statistics
        if total.ms_per_token is None:
            return None
        ms = total.ms_per_token * total.tokens
        draft = ms * total.steady_draft_ms / total.steady_ms if total.steady_ms else 0.0
        return {"words": f"{decimal(ms / 1000, 3)} s", "draft": round(draft, 1), "rest": round(ms - draft, 1)}
