"""Whose race was this: the clocks of a text's tokens, their sum against those of other texts, and the verdict in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ersd.draft_tree import ROOT
from ersd.settings import Settings
from ersd.theory.clock_sums import CLEAR, clock_sum_band, clock_sum_pvalue, corrected_pvalue
from ersd.trace.step import Step

from .message_types.panels import ClockSum, StepClocks, TextOfClocks, WatermarkKit
from .sentences.formatting import decimal, plural
from .sentences.numbers import brief

DIGITS = 6
"""Of a clock and of its probability: one is divided by the other on the page."""
MAX_BYTES = 200_000
"""Of a text to be tested: some 50,000 tokens, which take a second."""
MAX_TESTS = 10_000
"""Seeds and starts tried on one text."""
BAND_POINTS = 60
"""Numbers of tokens at which the band of other texts is computed for a whole text; straight lines join them."""

WORDS: dict[str, str] = {
    "none": "No clock can be tested yet.",
    "nothing": "Nothing is added to the text: these are the clocks of every run. A token wins because its clock is small, and whoever "
    "knows the seed can draw the clocks again and look. The test needs tokens and seed, by position also the start, but no "
    "model. Use it to recognise a text that you generated. It costs nothing while generating; a short text, or a model that is "
    "sure of its tokens, leaves too little to tell.",
    "this": "This run’s text",
    "this_far": "This run’s text up to step {step}",
    "tested": "The text tested: seed {seed}, {keys}",
    "by_position": "clocks by position, start {start}",
    "by_context": "clocks by context",
    "axis": "tokens tested",
    "sum": "The clocks, added up",
    "sum_note": "One token tells little, the sum tells.",
    "line_this": "this run’s text",
    "line_tested": "the text tested",
    "line_others": "9 of 10 other texts",
    "line_mean": "their mean: 1 a token",
    "chart": "{count} clocks of {name} add up to {sum}; 9 of 10 other texts end between {low} and {high}",
    "key_clock": "clock",
    "key_small": "small: lucky",
    "key_above": "above",
    "key_changed": "changed here",
    "key_untested": "not tested",
    "more": "{count} more tokens are tested, but not shown here.",
    "token": "{token}: token {number}, clock {clock}, sum so far {sum}",
    "untested": "{token}: token {number}, not tested: no context, or one seen before",
    "hint": "Point at a token, or use ← and → in the text: its clock, and its point on the line.",
    "why": "Why a small clock wins: a token arrives at clock ÷ probability, and the first arrival is written. "
    "{token}: {quotient}, the first arrival of its race.",
    "sure": "Where the model is sure (p near 1) its token wins with any clock and leaves no trace. "
    "Mean clock of this text’s tokens by their p:",
    "below": "p below ⅓",
    "between": "⅓ to 0.9",
    "above": "p above 0.9",
    "other": "any other text",
    "mean": "mean clock",
    "tokens": "tokens",
    "draft": "A draft changes nothing: with the same seed the text is that of plain decoding, so its clocks are the same. "
    "Rules with coins leave no such trace, since no clock decides there.",
    "position": "Clocks by position: a clock is made from seed, position and token. "
    "With one word in or out, all clocks after it are others.",
    "context": "Clocks by context: a clock is made from seed, token and the 4 tokens before it. After one word in or out the test goes "
    "on 4 tokens later. The first four tokens of a text have no context, and a context counts once.",
    "tokenised": "A text tested is split into tokens anew. Where that differs from how it was written, those tokens have other clocks; "
    "by position a different number of tokens shifts all later ones too.",
    "clear": "A seed counts as recognised if fewer than 1 of 1,000 other texts has a sum as small. "
    "Each further seed or start tried on the same text is corrected for.",
    "split": "Split anew, this text has {count} tokens instead of {own}; it first differs at token {number}.",
    "split_same": "Split anew, this text has the same number of tokens, but token {number} is another one.",
    "inserted": "“{word}” inserted; its own clock is chance.",
    "cut": "“{word}” cut out.",
    "after_position": "By position all clocks after the change are those of any other text.",
    "after_context": "By context the clocks are those of the original again 4 tokens after the change.",
    "no_word": "Text must have a word within it that can be changed.",
    "too_long": "Text must have at most {most} bytes, got {bytes}.",
    "asking": "Testing …",
}
"""Texts of the panel; {…} is filled in by the browser."""

KIT: WatermarkKit = {"words": WORDS, "address": "watermark", "bytes": MAX_BYTES, "levels": [0.1, 0.3, 0.7, 1.4], "insert": " very"}
"""What the browser needs once. `levels`: clocks at which the ground of a token changes."""


class ClockCounter:
    """The clocks of one run, step by step."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.total, self.count = 0.0, 0

    def add(self, step: Step) -> StepClocks:
        """The clocks of the tokens that a step adds, and the sum up to it."""
        visits = {visit.vertex: visit for visit in step.walk}
        clocks: list[float | None] = []
        chances: list[float] = []
        for one, above in zip(step.emitted, [ROOT, *step.path][: len(step.emitted)], strict=True):
            row = next(row for row in visits[above].rows if row.token == one.token)
            clock = None if one.is_repeated else row.clock
            clocks.append(brief(clock, DIGITS))
            chances.append(brief(row.p, DIGITS))
            if clock is not None:
                self.total += clock
                self.count += 1
        return {"clocks": clocks, "p": chances, "start": step.position, "sum": clock_sum(self.settings.seed, self.total, self.count)}


def text_of_clocks(texts: list[str], clocks: Sequence[float | None], seed: int, tests: int) -> TextOfClocks:
    """What the page draws of a text that was tested; `tests`: seeds and starts tried on it so far."""
    tested = [clock for clock in clocks if clock is not None]
    counts = {max(1, round(len(tested) * place / BAND_POINTS)) for place in range(1, BAND_POINTS + 1)} if tested else set()
    bands = {count: clock_sum_band(count) for count in sorted(counts)}
    return {
        "texts": texts,
        "clocks": [brief(clock, DIGITS) for clock in clocks],
        "band": [(count, brief(low), brief(high)) for count, (low, high) in bands.items()],
        "sum": clock_sum(seed, sum(tested), len(tested), tests),
    }


def clock_sum(seed: int, total: float, count: int, tests: int = 1) -> ClockSum:
    """A sum of clocks and what it says about the seed."""
    if not count:
        return {
            "count": 0,
            "total": "0",
            "low": 0.0,
            "high": 0.0,
            "is_recognised": False,
            "headline": _unclear(seed),
            "says": WORDS["none"],
        }
    low, high = clock_sum_band(count)
    is_recognised = corrected_pvalue(clock_sum_pvalue(total, count), tests) <= CLEAR
    return {
        "count": count,
        "total": decimal(total),
        "low": brief(low),
        "high": brief(high),
        "is_recognised": is_recognised,
        "headline": f"✓ Recognised: the clocks of seed {seed} wrote this text" if is_recognised else _unclear(seed),
        "says": _sentences(total, count, tests) + ("" if is_recognised else f" Recognised: from {rarity(CLEAR)}."),
    }


def _unclear(seed: int) -> str:
    return f"? Cannot tell whether seed {seed} wrote this text"


def _sentences(total: float, count: int, tests: int) -> str:
    """The sum, how many other texts have one as small, and the correction for several tests; all computed from the printed sum."""
    printed = decimal(total)
    pvalue = clock_sum_pvalue(float(printed.replace(",", "")), count)
    said = (
        f"Its {plural(count, 'clock')} add up to {printed}; those of any other text to about {count:,}. "
        f"So small a sum comes in {rarity(pvalue)} other texts: "
        f"P(Gamma({count:,}, 1) ≤ {printed}) = {scientific(pvalue)}."
    )
    if tests > 1:
        chance = corrected_pvalue(pvalue, tests)
        said += (
            f" {tests:,} seeds or starts were tried on this text. That one of {tests:,} finds a sum as small by chance: "
            f"1 − (1 − {scientific(pvalue)})^{tests:,} = {scientific(chance)}."
        )
    return said


def rarity(pvalue: float) -> str:
    """In how many of other texts that comes: `1 of 55,000`."""
    if pvalue >= 0.995:
        return "nearly all"
    if pvalue >= 0.095:
        return f"{round(100 * pvalue)} of 100"
    if pvalue < 1e-15:
        return "fewer than 1 of 1,000 million million"
    texts = float(f"{1 / pvalue:.2g}")
    for name, size in (("million million", 1e12), ("million", 1e6)):
        if texts >= size:
            many = texts / size
            return f"1 of {many:,.3g} {name}" if many < 1000 else f"1 of {many:,.0f} {name}"
    return f"1 of {texts:,.0f}"


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float) -> str:
    """Two significant digits: 0.64, 0.0012, 3.4 × 10⁻⁷."""
    if value == 0 or not math.isfinite(value):
        return "0"
    if value >= 0.001:
        return "1" if value >= 0.995 else f"{value:#.2g}"
    digits, power = f"{value:.1e}".split("e")
    return f"{digits} × 10{str(int(power)).translate(_RAISED)}"
