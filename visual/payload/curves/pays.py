"""The answer of "Does it pay for me?": the best chain, a tree, and what would change the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ersd.theory.pays import Acceptance, Pays, pays
from ersd.theory.tree_estimate import TreeEstimate, tree_estimate

from ..message_types.curves import PaysAnswer
from ..sentences.formatting import decimal, plural
from ..sentences.numbers import brief, number

DEARER_ROW = 5
"""How many times as dear a row gets on a busy GPU, in "What would change the answer"."""
ROW_SHARE = 0.02
"""And what share of a target call it then costs where it cost nothing."""


def message(acceptance: Acceptance, costs: tuple[float, float, float], later: Sequence[float], lender: str) -> PaysAnswer:
    """What the page draws.

    Args:
        acceptance: as it was entered.
        costs: milliseconds of a target call, of a draft call and of one more row.
        later: how often the second, third, … guess at a node is right, for `tree_estimate`.
        lender: whose they are, for a sentence.
    """
    answer, tree = pays(acceptance, *costs), tree_estimate(acceptance, later, *costs)
    rates = acceptance.continued()
    tokens = [1 + sum(rates[: k + 1]) for k in range(len(rates))]
    errors = [acceptance.tokens_error(k + 1) for k in range(answer.logged)]
    return {
        "k": answer.k,
        "logged": answer.logged,
        "slower_from": answer.slower_from,
        "tokens": [brief(each) for each in tokens],
        "speedups": [brief(each) for each in answer.speedups],
        "errors": [None if error is None else brief(error) for error in errors],
        "tree": {"speedups": [brief(each) for each in tree.speedups], "guesses": tree.guesses},
        "changes": [
            {"what": what, "k": str(then.k or "none"), "speed": f"{decimal(then.speedup)}×"} for what, then in _changes(acceptance, *costs)
        ],
        "words": {
            "headline": _headline(answer),
            "sentence": f"{answer.reason} {answer.stops}" if answer.k else answer.reason,
            "figure": f"{decimal(answer.speedup)}×",
            "range": f"± {number(answer.error)}" if answer.error else "",
            "measure": "the speed of decoding without a draft" + ("" if answer.k else ", with one guess"),
            "doubt": _doubt(acceptance),
            "inputs": _inputs(acceptance, costs),
            "note": _note(tree, lender),
        },
    }


def _headline(answer: Pays) -> str:
    chain = f"a chain, k = {plural(answer.k, 'guess', 'guesses')} a call"
    if not answer.k:
        return "No: a draft does not pay here"
    if answer.error and answer.speedup - answer.error <= 1:
        return f"Too close to call: {chain}, may be no faster than no draft"
    return f"Yes, it pays: {chain}"


def _doubt(acceptance: Acceptance) -> str:
    """Where the ± comes from, or why there is none."""
    if acceptance.drafts:
        return f"±: two standard errors, from {plural(acceptance.drafts, 'draft')} alone. The times are taken as entered."
    return "No ±: the rates come without a number of drafts. The times are taken as entered."


def _inputs(acceptance: Acceptance, costs: tuple[float, float, float]) -> str:
    """What was entered, where the fields are out of sight."""
    target, draft, row = (f"{ms:g}" for ms in costs)
    rates = ", ".join(f"{rate:.3g}" for rate in acceptance.rates[:4]) + (", …" if len(acceptance.rates) > 4 else "")
    return f"Target call {target} ms, draft call {draft} ms, one more row {row} ms; accepted: {rates}"


def _note(tree: TreeEstimate, lender: str) -> str:
    best = f"up to {decimal(tree.best)}× with {plural(tree.guesses, 'guess', 'guesses')} in {plural(tree.levels, 'draft call')}"
    return (
        "Speed of a chain of k: target call · (1 + the first k rates) ÷ (target call + k · (draft call + one more row)). "
        "Solid: the rates given. Dashed: each further guess as likely, once the one before it is accepted, as the last one given. "
        "Dots: measured acceptance, at the times entered; bars: two standard errors. "
        f"Dotted: an estimate for a tree, {best}, if its second, third, … guesses are right as often as {lender}, "
        "and a draft call costs the same for several tokens; measure it before you rely on it. "
        "Rates and times must come from the same workload, batch size and temperature."
    )


def _changes(acceptance: Acceptance, target: float, draft: float, row: float) -> Iterator[tuple[str, Pays]]:
    """Single changes to what was entered, and the answers to them."""

    def times(before: float, after: float) -> str:
        return f"{before:g} → {after:g} ms"

    if draft:
        yield f"Draft call {times(draft, draft / 2)}", pays(acceptance, target, draft / 2, row)
    yield f"Target call {times(target, 2 * target)}", pays(acceptance, 2 * target, draft, row)
    dearer = DEARER_ROW * row or ROW_SHARE * target
    yield f"One more row, on a busy GPU, {times(row, dearer)}", pays(acceptance, target, draft, dearer)
    better = _half_as_often_wrong(acceptance)
    first = f"{acceptance.rates[0]:.0%} → {better.rates[0]:.0%}"
    yield f"Every guess half as often wrong: the first one right {first}", pays(better, target, draft, row)


def _half_as_often_wrong(acceptance: Acceptance) -> Acceptance:
    """Rates if every guess, once the one before it is accepted, is wrong half as often."""
    rates: list[float] = []
    before = was = 1.0
    for rate in acceptance.rates:
        before *= (1 + (rate / was if was else 0.0)) / 2
        was = rate
        rates.append(before)
    return Acceptance(tuple(rates))
