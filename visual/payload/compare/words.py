"""The sentences of a comparison: its headline, and how each text compares with the others.

Texts are compared token by token, by id; whether they must be equal comes from `exactness`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ersd.settings import Settings

from ..message_types.compare import Likeness
from ..sentences.exactness import distribution_key, text_key
from ..sentences.formatting import decimal, plural
from ..sentences.names import short_source, used
from .lane import Lane

YARDSTICK = "The other texts are compared with this one."
WHY = {
    "same-text": "A guess is kept only if it is the token that the target picks itself, with the clocks of this seed. So whoever guesses, "
    "the text stays. Only calls and time differ; the fewest calls are fastest only if guessing is cheap.",
    "same-law": "Whoever guesses, every token has the target’s distribution. With coins, another source draws another text.",
    "biased": "A lenient rule keeps guesses that the target would not pick, so the text depends on who guesses.",
}
"""Kind of badge -> what a source of guesses can change."""


def headline(lanes: Sequence[Lane], yardstick: Lane, factors: Sequence[float | None], is_recorded: bool = False) -> str:
    """The comparison in a sentence or two: who needed fewest calls, and who was fastest; empty while methods are running.

    `factors`: speeds as multiples of that without a draft, None where it is not known.
    """
    if not all(lane.is_over for lane in lanes):
        return ""
    where = "where it was recorded" if is_recorded else "on this machine"
    if is_one_text([lane.settings for lane in lanes]):
        names = [short_source(lane.settings.source) if lane.settings.vertices else "no draft" for lane in lanes]
        return f"{_sources_of_one_text(lanes, yardstick)}. {_fastest(names, factors, where)}".strip()
    best = min(lanes, key=lambda lane: (lane.statistics.steps / max(1, lane.statistics.tokens), lane is yardstick))
    same = [lane for lane in lanes if lane is not yardstick and _is_whole_text(lane, yardstick)]
    if best is not yardstick and same:
        shown = min(same, key=lambda lane: lane.statistics.steps)
        first = f"{shown.label} wrote the same text in {plural(shown.statistics.steps, 'call')} instead of {yardstick.statistics.steps}"
        if best not in same:
            first += f". {best.label} took {best.statistics.steps} for another text"
    else:
        first = f"Fewest calls: {best.label}, {best.statistics.steps} for {plural(best.statistics.tokens, 'token')}"
    return f"{first}. {_fastest([lane.label for lane in lanes], factors, where)}".strip()


def is_one_text(runs: Sequence[Settings]) -> bool:
    """Whether runs differ only in where their guesses come from; one of them may do without."""
    drafting = [settings for settings in runs if settings.vertices]
    sources = {settings.source for settings in drafting}
    if not 1 < len(drafting) == len(sources) >= len(runs) - 1:
        return False
    common = set.intersection(*(set(used(settings)) for settings in drafting)) - {"source"}  # a source may have fields of its own
    return len({tuple(getattr(settings, name) for name in sorted(common)) for settings in drafting}) == 1


def _sources_of_one_text(lanes: Sequence[Lane], yardstick: Lane) -> str:
    """How many sources wrote the text, and in how many calls."""
    drafting = [lane for lane in lanes if lane.settings.vertices]
    counts = sorted({lane.statistics.steps for lane in drafting})
    calls = f"{counts[0]} to {plural(counts[-1], 'call')}" if len(counts) > 1 else plural(counts[0], "call")
    if yardstick not in drafting:
        calls += f" instead of {yardstick.statistics.steps}"
    same = [lane for lane in drafting if _is_whole_text(lane, yardstick)]
    if len(same) == len(drafting):
        return f"{len(drafting)} sources of guesses, one and the same text: {calls}"
    if all(is_promised(lane.settings, yardstick.settings) for lane in drafting):
        return f"{len(same)} of {len(drafting)} sources of guesses wrote one and the same text: {calls}"
    return f"{len(drafting)} sources of guesses, each with another text from one distribution: {calls}"


def _is_whole_text(lane: Lane, yardstick: Lane) -> bool:
    """Whether a method has written the yardstick's text, and all of it."""
    return [one.token for one in lane.emitted] == [one.token for one in yardstick.emitted]


def _fastest(names: Sequence[str], factors: Sequence[float | None], where: str) -> str:
    """Which method was fastest there, and whether it beat decoding without a draft."""
    known = [(factor, name) for name, factor in zip(names, factors, strict=True) if factor is not None]
    if not known:
        return ""
    factor, label = max(known)
    written = decimal(factor)
    if float(written) < 1:
        return f"{where.capitalize()} none was faster than decoding without a draft: the best, {label}, ran at {written}× its speed."
    return f"Fastest for this text {where}: {label}, {written}× the speed without a draft."


def likeness(lane: Lane, yardstick: Lane) -> Likeness:
    """How a method's text compares with the yardstick's."""
    if lane is yardstick:
        return {"kind": "yardstick", "same": len(lane.emitted), "first": None, "words": YARDSTICK}
    pairs = list(zip(lane.emitted, yardstick.emitted, strict=False))
    first = next((index for index, (one, other) in enumerate(pairs) if one.token != other.token), None)
    if first is None:
        return {"kind": "same", "same": len(pairs), "first": None, "words": _same(len(pairs), lane, yardstick)}
    return {"kind": "other", "same": first, "first": first, "words": _other(first, lane, yardstick)}


def is_promised(one: Settings, other: Settings) -> bool:
    """Whether both write the same text in exact arithmetic, whatever is drafted."""
    return text_key(one) is not None and text_key(one) == text_key(other)


def _is_same_run(one: Settings, other: Settings) -> bool:
    """Whether the two runs differ in nothing that they depend on."""
    return used(one) == used(other) and all(getattr(one, name) == getattr(other, name) for name in used(one))


def _same(count: int, lane: Lane, yardstick: Lane) -> str:
    """The sentence where all tokens that both have written are equal."""
    if not count:
        return "Nothing to compare yet."
    is_over = lane.is_over and yardstick.is_over and len(lane.emitted) == len(yardstick.emitted)
    verdict = (
        f"The same text: {count} of {plural(count, 'token')}." if is_over else f"The same so far: {count} of {plural(count, 'token')}."
    )
    if _is_same_run(lane.settings, yardstick.settings):
        return f"{verdict} Both runs have the same settings."
    if is_promised(lane.settings, yardstick.settings):
        return f"{verdict} Guaranteed with any tree, any k and any draft."
    return f"{verdict} A coincidence: this method does not guarantee it."


def _other(first: int, lane: Lane, yardstick: Lane) -> str:
    """The sentence where a token differs."""
    own, other = lane.emitted[first], yardstick.emitted[first]
    verdict = f"token {first + 1} is {lane.names[first]} instead of {yardstick.names[first]}"
    if is_promised(lane.settings, yardstick.settings) or _is_same_run(lane.settings, yardstick.settings):
        tie = ", a near tie (≈) that rounding decided" if own.near_tie or other.near_tie else ""
        return f"Differs: {verdict}{tie}. In exact arithmetic the texts are the same."
    distribution = distribution_key(lane.settings)
    if distribution is not None and distribution == distribution_key(yardstick.settings):
        return f"Another text from the same distribution: {verdict}."
    return f"Another text from another distribution: {verdict}."
