"""What each guess of a call saves and costs, and from which number on drafting stops paying: sent with the end of a run."""

from __future__ import annotations

from itertools import pairwise

from ersd.costs import Costs, Place, places
from ersd.settings import Settings
from ersd.theory.speed import GuessValues, guess_values
from ersd.trace.draft_sizes import GuessCounter, Sizes, refusal
from ersd.trace.step import Step

from ..message_types.panels import Guesses, Price
from ..sentences.formatting import decimal, ordinal, plural
from ..sentences.numbers import NUMBERS, brief, digits_apart, number

GUESSES_BEYOND, MAX_OWN_GUESSES = 2, 14
"""Guesses that are shown beyond the best number and beyond the run’s own; and how many of its own are shown at most."""
PARTS = ("draft", "verify", "accept")
TINY_MS = 1e-9
"""A part of a step that grows by less does not depend on the guess."""
UNKNOWN = "What this run’s calls cost was not measured."
NOTE = (
    "Saves (bars): the tokens that a guess adds to a step on average, times what a token takes with one guess less. "
    "Costs (line): how much longer the step gets, by drafting, verifying and choosing the tokens added. "
    "Tokens are expected from the ranks accepted at {nodes} of this run, as if each node were like every other. "
    "Costs are those measured at load on an idle machine, the same model of speed as above: a draft call {draft} ms, a target call for "
    "one token {target} ms, and {choice} to choose it.{here}"
)
HERE = " In this run, with all else that it does, drafting took {ms} ms for {calls}: {each} ms a call."


class GuessPrices:
    """Counts the guesses of a run, and prices them at its end."""

    def __init__(self, settings: Settings, costs: Costs | None) -> None:
        """`costs`: of the pair on the machine that ran it; None: not known."""
        self.settings = settings
        self.place = places(costs)[0] if costs and _is_usable(costs) else None
        self.refusal = refusal(settings) or ("" if self.place else UNKNOWN)
        self.counter = None if self.refusal else GuessCounter(settings)
        self.steps = self.draft_calls = 0
        self.drafting_ms = 0.0
        """of all steps but the first, as they are printed; and `draft_calls`, how many they took"""

    def add(self, step: Step) -> None:
        """Count one more step."""
        if self.counter:
            self.counter.add(step)
        self.steps += 1
        if self.steps > 1:
            self.drafting_ms += round(step.draft_ms, 1)
            self.draft_calls += step.draft_calls

    def message(self) -> Guesses:
        """What the page draws."""
        sizes = self.counter.sizes() if self.counter else None
        if self.counter is None or self.place is None or sizes is None:
            return _refused(self.refusal or "Nothing was drafted in this run.")
        parts = [self.place.parts(tokens, levels, 1 + k) for k, (tokens, levels) in enumerate(zip(sizes.tokens, sizes.levels, strict=True))]
        values = guess_values(sizes.tokens, [sum(each) for each in parts])
        shown = max(min(self.settings.vertices, MAX_OWN_GUESSES), values.best) + GUESSES_BEYOND
        return {
            "headline": _headline(values, self.settings.vertices),
            "sentence": _sentence(values, sizes, parts),
            "note": self._note(self.counter.visits, self.place),
            "adds": [brief(more - less) for less, more in pairwise(sizes.tokens[: shown + 1])],
            "saves": [brief(ms) for ms in values.saves[:shown]],
            "costs": [brief(ms) for ms in values.costs[:shown]],
            "best": values.best,
            "prices": _prices(self.place, sizes),
        }

    def _note(self, visits: int, place: Place) -> str:
        """How the figures are computed, and the two measured times of a draft call."""
        here = ""
        if self.draft_calls and self.drafting_ms:
            each = decimal(self.drafting_ms / self.draft_calls)
            here = HERE.format(ms=decimal(self.drafting_ms, 1), calls=plural(self.draft_calls, "draft call"), each=each)
        return NOTE.format(
            nodes=plural(visits, "node"), draft=f"{place.level:g}", target=f"{place.calls[0][1]:g}", choice=f"{place.choice:g}", here=here
        )


def _is_usable(costs: Costs) -> bool:
    """Whether they can be costs; those of a trace that was opened may be any numbers."""
    return min(costs.target_1_ms, costs.draft_ms or 0) > 0 and min(costs.choice_ms, costs.wider_ms or 0) >= 0


def _refused(why: str) -> Guesses:
    return {"headline": why, "sentence": "", "note": "", "adds": [], "saves": [], "costs": [], "best": 0, "prices": []}


def _headline(values: GuessValues, tried: int) -> str:
    """Which guesses pay."""
    best, count = values.best, len(values.saves)
    if not best:
        return "Drafting does not pay here, from k = 1 on: even the first guess costs more than it saves"
    speed = f"{decimal(values.speedups[best - 1])}× the speed without a draft, expected"
    if best == count:
        return f"All {plural(best, 'guess', 'guesses')} pay: {speed}"
    own = f"; this run’s k = {tried}: {decimal(values.speedups[tried - 1])}×" if best != tried <= count else ""
    return f"More guesses stop paying at k = {best + 1}: with {plural(best, 'guess', 'guesses')} a step is fastest, {speed}{own}"


Parts = tuple[float, float, float]
"""Milliseconds of a step: drafting, verifying, accepting."""


def _sentence(values: GuessValues, sizes: Sizes, parts: list[Parts]) -> str:
    """The first guess that does not pay, or the last one that does, with figures that come out."""
    n = min(values.best + 1, len(values.saves))
    saves, costs = values.saves[n - 1], values.costs[n - 1]
    digits = digits_apart(saves, costs)
    kept, price = _factors(sizes.tokens[n] - sizes.tokens[n - 1], sum(parts[n - 1]) / sizes.tokens[n - 1], _ms(saves, digits), digits)
    slower = f" From k = {values.slower_from} on a step is slower than without a draft." if values.slower_from and values.best else ""
    return (
        f"The {ordinal(n)} guess adds {kept} tokens to a step on average, and a token takes {price} ms with one guess less: "
        f"it saves {kept} · {price} = {_ms(saves, digits)} ms. "
        f"It costs {_sum(parts[n - 1], parts[n], _ms(costs, digits), digits)} ms.{slower}"
    )


def _sum(less: Parts, more: Parts, cost: str, digits: int) -> str:
    """`draft 0.90 + verify 0.44 + accept 0.14 = 1.5`: by what each part of a step grows; the printed ones add up to the printed cost."""
    grown = [(name, after - before) for name, before, after in zip(PARTS, less, more, strict=True) if abs(after - before) > TINY_MS]
    for longer in range(digits, int(NUMBERS["most"])):
        written = [number(ms, longer).replace(",", "") for _, ms in grown]
        if not any(each[0] in "<>" for each in written) and _ms(sum(map(float, written)), digits) == cost:
            named = (f"{name} {each}" for (name, _), each in zip(grown, written, strict=True))
            return f"{' + '.join(named)} = {cost}"
    return cost


def _factors(first: float, second: float, product: str, digits: int) -> tuple[str, str]:
    """Two numbers as they are printed, with as many digits as give the printed product, which has `digits`."""
    for more in range(digits + 1, int(NUMBERS["most"])):
        one, other = number(first, more).replace(",", ""), number(second, more).replace(",", "")
        if "<" not in one + other and _ms(float(one) * float(other), digits) == product:
            break
    return one, other


def _ms(value: float, digits: int) -> str:
    """Milliseconds with so many digits, also near 1: they are no probability, which would get more."""
    return number(float(f"{value:.{digits}g}"), digits)


def _prices(place: Place, sizes: Sizes) -> list[Price]:
    """What one more guess is made of."""
    (one, least), (five, less), (most, more) = place.calls
    is_wide = 1 < sizes.levels[-1] < len(sizes.levels) - 1  # the first call drafts after a single token
    wider: list[Price] = [{"label": "each further token in a draft call", "ms": brief(place.wider)}] if place.wider and is_wide else []
    return [
        {"label": "one more draft call", "ms": brief(place.level)},
        {"label": f"one more token to verify, up to {five}", "ms": brief(max(0.0, less - least) / (five - one))},
        {"label": f"the same beyond {five}", "ms": brief(max(0.0, more - less) / (most - five))},
        *wider,
        {"label": "choosing a token that it adds", "ms": brief(place.choice)},
    ]
