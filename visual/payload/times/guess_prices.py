"""What each guess of a call saves and costs, and from which number on drafting stops paying: sent with the end of a run."""

from __future__ import annotations

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
UNKNOWN = "What this run’s calls cost was not measured."
NOTE = (
    "Saves: the tokens that a guess adds to a step on average, times what a token takes with one guess less. "
    "Costs: how much longer the step gets. "
    "Tokens are expected from the ranks accepted at {nodes} of this run, as if each node were like every other; "
    "costs are those measured at load on an idle machine: the same model of speed as above."
)


class GuessPrices:
    """Counts the guesses of a run, and prices them at its end."""

    def __init__(self, settings: Settings, costs: Costs | None) -> None:
        """`costs`: of the pair on the machine that ran it; None: not known."""
        self.settings = settings
        self.place = places(costs)[0] if costs and _is_usable(costs) else None
        self.refusal = refusal(settings) or ("" if self.place else UNKNOWN)
        self.counter = None if self.refusal else GuessCounter(settings)

    def add(self, step: Step) -> None:
        """Count one more step."""
        if self.counter:
            self.counter.add(step)

    def message(self) -> Guesses:
        """What the page draws."""
        sizes = self.counter.sizes() if self.counter else None
        if self.counter is None or self.place is None or sizes is None:
            return _refused(self.refusal or "Nothing was drafted in this run.")
        steps = [self.place.step(tokens, levels, 1 + k) for k, (tokens, levels) in enumerate(zip(sizes.tokens, sizes.levels, strict=True))]
        values = guess_values(sizes.tokens, steps)
        shown = max(min(self.settings.vertices, MAX_OWN_GUESSES), values.best) + GUESSES_BEYOND
        return {
            "headline": _headline(values, self.settings.vertices),
            "sentence": _sentence(values, sizes, steps),
            "note": NOTE.format(nodes=plural(self.counter.visits, "node")),
            "saves": [brief(ms) for ms in values.saves[:shown]],
            "costs": [brief(ms) for ms in values.costs[:shown]],
            "best": values.best,
            "prices": _prices(self.place),
        }


def _is_usable(costs: Costs) -> bool:
    """Whether they can be costs; those of a trace that was opened may be any numbers."""
    return min(costs.target_1_ms, costs.draft_ms or 0) > 0 and min(costs.choice_ms, costs.wider_ms or 0) >= 0


def _refused(why: str) -> Guesses:
    return {"headline": why, "sentence": "", "note": "", "saves": [], "costs": [], "best": 0, "prices": []}


def _headline(values: GuessValues, tried: int) -> str:
    """Which guesses pay."""
    best, count = values.best, len(values.saves)
    if not best:
        return "Drafting does not pay here, from k = 1 on: even the first guess costs more than it saves"
    speed = f"{decimal(values.speedups[best - 1])}× the speed without a draft, expected"
    if best == count:
        return f"All {plural(best, 'guess', 'guesses')} pay: {speed}"
    own = f"; this run’s k = {tried}: {decimal(values.speedups[tried - 1])}×" if best != tried <= count else ""
    return f"Drafting stops paying at k = {best + 1}: with {plural(best, 'guess', 'guesses')} a step is fastest, {speed}{own}"


def _sentence(values: GuessValues, sizes: Sizes, steps: list[float]) -> str:
    """The first guess that does not pay, or the last one that does, with figures that come out."""
    n = min(values.best + 1, len(values.saves))
    saves, costs = values.saves[n - 1], values.costs[n - 1]
    digits = digits_apart(saves, costs)
    kept, price = _factors(sizes.tokens[n] - sizes.tokens[n - 1], steps[n - 1] / sizes.tokens[n - 1], _ms(saves, digits), digits)
    slower = f" From k = {values.slower_from} on a step is slower than without a draft." if values.slower_from and values.best else ""
    return (
        f"The {ordinal(n)} guess adds {kept} tokens to a step on average, and a token takes {price} ms with one guess less: "
        f"it saves {kept} · {price} = {_ms(saves, digits)} ms and costs {_ms(costs, digits)} ms.{slower}"
    )


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


def _prices(place: Place) -> list[Price]:
    """What one more guess is made of."""
    (one, least), (five, less), (most, more) = place.calls
    return [
        {"label": "one more draft call", "ms": brief(place.level)},
        {"label": f"one more token to verify, up to {five}", "ms": brief(max(0.0, less - least) / (five - one))},
        {"label": f"the same beyond {five}", "ms": brief(max(0.0, more - less) / (most - five))},
    ]
