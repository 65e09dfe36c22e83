"""The figures of a run, line by line: what `python -m ersd` prints below the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..costs import Costs, places
from ..formatting import decimal, plural, rounded
from ..rules.registry import TRAITS
from ..settings import Settings
from ..theory.pays import Pays
from ..trace.bounds import limit_words, most_per_call
from ..trace.statistics import Statistics, statistics
from ..trace.step import Step

if TYPE_CHECKING:
    from ..watermarking import Watermark


def report(steps: Sequence[Step], settings: Settings, costs: Costs | None = None) -> Iterator[str]:
    """The figures of a run: counts, times, and the measured ones next to the theory. An upper bound names what it bounds.

    Args:
        costs: of the pair on this machine; without them nothing is compared with decoding without a draft.
    """
    total = statistics(steps)
    yield from _counts_and_times(total)
    if costs:
        yield from _speed(total, settings, costs)
    yield from _acceptance(total, settings)
    if steps:
        yield from _bound_per_call(total, settings, steps[-1])
    bias = total.to_dict()["bias"]
    if bias:
        yield f"biased on purpose: TV(output, P) is {decimal(bias, 3)} on average over all tokens"


def _counts_and_times(total: Statistics) -> Iterator[str]:
    figures = total.to_dict()
    yield (
        f"{plural(total.tokens, 'token')} in {plural(total.steps, 'target call')}: {decimal(figures['tokens_per_call'])} per call"
        f" · {total.accepted} of {total.drafted} drafted tokens accepted"
    )
    speed = figures["tokens_per_second"]
    rate = f" · {speed:.0f} tokens/s from the second call on" if speed else ""
    yield f"draft {total.draft_ms:.0f} ms · verify {total.target_ms:.0f} ms · accept {total.verify_ms:.0f} ms{rate}"


def _speed(total: Statistics, settings: Settings, costs: Costs) -> Iterator[str]:
    """The speed compared with decoding without a draft: on this machine, and what the same tokens per call would give elsewhere.

    Every factor is computed from the rounded figures printed next to it, so that a reader who divides them gets the same.
    """
    baseline = rounded(total.baseline_ms(costs))
    source = "measured at load" + (", scaled by this run's target calls" if total.steady_target_ms else "")
    if not TRAITS[settings.algorithm].drafts:
        yield f"without a draft {decimal(baseline)} ms per token ({source})"
        return
    if total.ms_per_token and (here := rounded(total.ms_per_token)):
        factor = rounded(baseline / here)
        if factor < 1:
            yield f"Slower than without a draft, measured: {decimal(factor)}× the speed. {_price_of_a_tree(total, costs)}"
        else:
            yield f"{decimal(factor)}× the speed of decoding without a draft on this machine, measured"
        yield f"  {decimal(here)} ms per token from the second call on; without a draft {decimal(baseline)} ms per token ({source})"
    yield "Expected with these tokens per call, on an idle machine:"
    for place in places(costs):
        give, formula = place.speedup(*total.per_call()), place.formula(*total.per_call())
        yield f"  {decimal(give)}× = {formula} where a target call costs {place.ratio:g} draft calls  ({place.label}: {place.source})"


def _price_of_a_tree(total: Statistics, costs: Costs) -> str:
    """Why drafting does not pay off: what a target call takes with the drafted tokens and without."""
    size = round(total.drafted / total.steps) + 1
    tree, single = decimal(costs.target_ms(size)), decimal(costs.target_ms(1))
    return f"On this machine a call for {plural(size, 'token')} takes {tree} ms, a call for one {single} ms."


def _acceptance(total: Statistics, settings: Settings) -> Iterator[str]:
    figures = total.to_dict()
    if total.ranks:
        ranks = [f"{rank}: {count}" for rank, count in total.accepted_by_rank().items() if count]
        yield f"accepted by rank  {'  '.join(ranks)}  of {plural(total.visits, 'visit')}"
    names = {"measured": "acceptance", "predicted": "predicted_acceptance"}
    shares = [f"{decimal(figures[name])} {label}" for label, name in names.items() if figures[name] is not None]
    if shares:
        yield "acceptance  " + " · ".join(shares)
    optimum = figures["optimal_acceptance"]
    if optimum is not None:
        drawn = "i.i.d." if TRAITS[settings.algorithm].with_replacement else "without replacement"
        yield f"  predicted at most {decimal(optimum)} for any exact rule that decides node by node, children drawn {drawn}"


def _bound_per_call(total: Statistics, settings: Settings, last: Step) -> Iterator[str]:
    limit, name = most_per_call(total.deepest, last.bound, last.expected or 0.0)
    if limit is None:
        return
    yield f"tokens per call  at most {limit_words(limit, name)}"
    if limit == last.bound:
        yield f"  expected of any tree of {settings.vertices} tokens that is fixed beforehand,"
        yield f"  if the ranks were independent with the measured distribution, H[R] = {decimal(last.rank_entropy or 0.0)} nats"


def watermark_lines(found: Watermark, seed: int, keys: str) -> Iterator[str]:
    """Whether a seed wrote a text: the verdict, the sum of its clocks, and the probability of a false alarm."""
    yield (
        f"Recognised: the clocks of seed {seed} wrote this text."
        if found.is_recognised
        else f"Cannot tell whether seed {seed} wrote this text."
    )
    skipped = len(found.clocks) - found.count
    left = f" ({plural(skipped, 'token')} left out: no context, or one seen before)" if skipped else ""
    tokens = f"{plural(found.count, 'token')}{left}, clocks keyed by {keys}"
    yield f"{tokens}: they add up to {decimal(found.sum)}; another text gives about {found.count}"
    yield f"probability that another text has a sum this small: {found.pvalue:.2g}"
    if not found.is_recognised:
        yield "A short text, one whose model was sure (p near 1), one drawn with coins or tokenised differently shows no seed."


def pays_lines(answer: Pays) -> Iterator[str]:
    """Whether a draft pays: the answer, the reason, and the speed-up of every chain that was logged."""
    if answer.k:
        doubt = f" ± {decimal(answer.error)}" if answer.error else ""
        yield f"Yes: a chain of {plural(answer.k, 'guess', 'guesses')} is {decimal(answer.speedup)}{doubt} times as fast as no draft."
    else:
        yield f"No: with one guess it is {decimal(answer.speedup)} times as fast as without a draft."
    yield answer.reason
    yield "  ".join(f"k = {k}: {decimal(speedup)}×" for k, speedup in enumerate(answer.speedups[: answer.logged], 1))
    if answer.error:
        yield "±: two standard errors, of the number of drafts alone; the times are taken as given."
    if answer.k and answer.slower_from:
        yield answer.stops
