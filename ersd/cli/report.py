"""The figures of a run in words: what `python -m ersd` says at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..formatting import decimal, plural, rounded
from ..models.costs import SLOWER, Costs, places
from ..rules.registry import TRAITS
from ..settings import Settings
from ..theory.speed import speedup
from ..trace.bounds import limit_words, most_per_call
from ..trace.model import Step
from ..trace.statistics import Statistics, statistics


def report(steps: Sequence[Step], settings: Settings, costs: Costs | None = None, alone_ms: float | None = None) -> Iterator[str]:
    """The figures of a run, line by line: counts, times, and what was measured beside what the theory says. A figure called "at most"
    says of what.

    Args:
        costs: of the pair on this machine.
        alone_ms: of a token one by one, where that was timed between the steps. At load nothing had to be written down in between, and a
            run would seem slower than it is.
    """
    total = statistics(steps)
    figures = total.to_dict()
    yield (
        f"{plural(figures['tokens'], 'token')} in {plural(figures['steps'], 'target call')}: {decimal(figures['tokens_per_call'])} per call"
        f" · {figures['accepted']} of {figures['drafted']} drafted tokens accepted"
    )
    speed = figures["tokens_per_second"]
    rate = f" · {speed:.0f} tokens/s from the second call on" if speed else ""
    yield f"draft {figures['draft_ms']:.0f} ms · target {figures['target_ms']:.0f} ms · verify {figures['verify_ms']:.0f} ms{rate}"
    if costs:
        yield from worth(total, settings, costs, alone_ms)
    if total.ranks:
        ranks = [f"{name}: {count}" for name, count in total.accepted_by_rank().items() if count]
        yield f"accepted by rank  {'  '.join(ranks)}  of {plural(total.visits, 'visit')}"
    named = {"measured": "acceptance", "predicted": "predicted_acceptance"}
    shares = [f"{decimal(figures[name])} {words}" for words, name in named.items() if figures[name] is not None]
    if shares:
        yield "acceptance  " + " · ".join(shares)
    if figures["optimal_acceptance"] is not None:
        drawn = "i.i.d." if TRAITS[settings.algorithm].with_replacement else "without replacement"
        most = figures["optimal_acceptance"]
        yield f"  at most {decimal(most)} to be predicted of any exact rule that decides vertex by vertex, children drawn {drawn}"
    limit, name = most_per_call(total.deepest, steps[-1].bound, steps[-1].expected or 0.0) if steps else (None, "")
    if limit is not None:
        yield f"tokens per call  at most {limit_words(limit, name)}"
        if limit == steps[-1].bound:
            yield f"  to be expected of any tree of {settings.vertices} tokens fixed beforehand,"
            yield f"  were the ranks independent with the law measured, H[R] = {decimal(steps[-1].rank_entropy or 0.0)} nats"
    if figures["bias"]:
        yield f"biased on purpose: TV(output, P) is {decimal(figures['bias'], 3)} on average over all tokens"


def worth(total: Statistics, settings: Settings, costs: Costs, alone_ms: float | None) -> Iterator[str]:
    """What drafting gave in time: on this machine, and what as many tokens per call would give where a target call costs more. The factors
    are those of the figures printed, and come out for who checks them."""
    alone = rounded(alone_ms or costs.one_by_one_ms)
    measured = (
        f"one by one {decimal(alone)} ms a token, {'timed between the calls' if alone_ms else 'measured when the models were loaded'}"
    )
    if not TRAITS[settings.algorithm].drafts:
        yield measured
        return
    if total.ms_per_token and (here := rounded(total.ms_per_token)):
        factor = rounded(alone / here)
        yield f"{decimal(factor)} times as fast as one by one on this machine" + (f": {SLOWER}" if factor < 1 else "")
        yield f"  {decimal(here)} ms a token from the second call on; {measured}"
    per_call, levels = rounded(total.tokens / total.steps), rounded(total.draft_calls / total.steps)
    yield f"as many tokens per call, {decimal(levels)} draft levels a call, would give"
    for place in places(costs):
        tree = place.call(total.drafted / total.steps + 1)
        costing = f"{place.ratio:g} draft levels" + ("" if tree == place.ratio else f", {tree:g} with the tree")
        give = speedup(per_call, place.ratio, levels, tree)
        yield f"  {decimal(give)} times one by one where a target call costs {costing}  ({place.label}: {place.source})"
