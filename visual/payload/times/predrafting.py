"""Drafting while the target verifies: what it would have given, computed at the end of a race and sent with it."""

from __future__ import annotations

from ersd.costs import Costs
from ersd.settings import Settings
from ersd.trace.predrafting import OutcomeRecorder, Predrafted, is_computed_for
from ersd.trace.step import Step

from ..message_types.panels import Predrafting
from ..sentences.formatting import decimal, plural, rounded
from ..sentences.numbers import number

IDEA = (
    "With a device of its own, the draft need not wait: while the target verifies, it prepares the next tree after {outcomes} "
    "(at which guess the step ends, and which token follows)."
)
NOTE = (
    "Computed, not run. The text and its steps stay the same, since draft and target share the clocks. Outcomes are ordered by the ranks "
    "seen before each step. Preparing takes the next step’s own drafting, one more draft call for the leaves ({level} ms at load){wider}; "
    "what the devices send each other takes no time."
)


class PredraftingSums:
    """Counts the outcomes of a run, and adds up its times at its end."""

    def __init__(self, settings: Settings, costs: Costs | None) -> None:
        """`costs`: of the pair on the machine that ran it; None: not known."""
        is_known = costs is not None and (costs.draft_ms or 0) > 0 and (costs.wider_ms or 0) >= 0 and is_computed_for(settings)
        self.recorder = OutcomeRecorder(costs) if costs and is_known else None
        self.verifying_ms = self.drafting_ms = 0.0
        """of all steps but the first, as they are printed, so that readers get the same sums"""
        self.steps = 0

    def add(self, step: Step) -> None:
        """Count one more step."""
        if self.recorder is None:
            return
        self.recorder.add(step)
        self.steps += 1
        if self.steps > 1:
            self.verifying_ms += round(step.target_ms, 1) + round(step.verify_ms, 1)
            self.drafting_ms += round(step.draft_ms, 1)

    def message(self) -> Predrafting | None:
        """What the page draws; None where nothing is known."""
        recorder, found = self.recorder, self.recorder.best() if self.recorder else None
        if recorder is None or found is None:
            return None
        wider = f", and {number(recorder.wider_ms)} ms for each further token in a call" if recorder.wider_ms else ""
        return {
            "headline": self._headline(found),
            "whole": f"whole run {decimal(self._sum(found), 1)} ms",
            "sentences": [
                IDEA.format(outcomes="the likeliest outcome" if found.count == 1 else f"each of the {found.count} likeliest outcomes"),
                self._whole(found),
                *self._width(recorder, found),
            ],
            "note": NOTE.format(level=number(recorder.level_ms), wider=wider),
            "is_prepared": found.is_prepared,
            "waits": [round(ms, 1) for ms in found.waits_ms],
            "drafting": [round(ms, 1) for ms in found.drafting_ms],
        }

    def _sum(self, found: Predrafted) -> float:
        """Milliseconds of all steps but the first."""
        return rounded(self.verifying_ms + sum(round(ms, 1) for ms in found.waits_ms), 1)

    def _usual(self) -> float:
        return rounded(self.verifying_ms + self.drafting_ms, 1)

    def _headline(self, found: Predrafted) -> str:
        usual, ahead = self._usual(), self._sum(found)
        if ahead >= usual:
            return "Even on a second device it would not make this run faster"
        factor = f", {decimal(usual / ahead)}× as fast" if ahead else ""
        return f"With a second device: {decimal(ahead, 1)} ms instead of {decimal(usual, 1)}{factor}"

    def _whole(self, found: Predrafted) -> str:
        """The figures of all steps, which add up."""
        usual, ahead = self._usual(), self._sum(found)
        steps = f"steps 2–{self.steps}" if self.steps > 2 else "step 2"
        known = f"{found.hits} of {plural(len(found.is_prepared), 'tree')} ({steps}) {'was' if found.hits == 1 else 'were'} prepared"
        waited = decimal(ahead - rounded(self.verifying_ms, 1), 1)
        return (
            f"{known}; where preparing took longer than its call the target waits for the rest, before the others for a whole new draft. "
            f"Verify and accept "
            f"{decimal(self.verifying_ms, 1)} + wait {waited} = {decimal(ahead, 1)} ms; with every draft before its call, "
            f"{decimal(self.verifying_ms, 1)} + {decimal(self.drafting_ms, 1)} = {decimal(usual, 1)} ms."
        )

    def _width(self, recorder: OutcomeRecorder, found: Predrafted) -> list[str]:
        """What it depends on: the price of preparing many outcomes in one call."""
        if not recorder.wider_ms:
            return ["A draft call for many outcomes is taken to cost no more than one for a single outcome."]
        free = recorder.best(is_wide_free=True)
        assert free is not None
        if free.count == found.count:
            return []
        twice, best = recorder.with_outcomes(2 * found.count), plural(found.count, "outcome")
        return [
            f"Here each further token in a draft call costs {number(recorder.wider_ms)} ms, so in this run {best} would be best: "
            f"with {twice.count} it would take {decimal(self._sum(twice), 1)} ms.",
            f"If it cost nothing, as it nearly does on a GPU, {plural(free.count, 'outcome')} at a time would take "
            f"{decimal(self._sum(free), 1)} ms, with {free.hits} of {len(free.is_prepared)} trees prepared.",
        ]
