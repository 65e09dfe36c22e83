"""The sentences of the Curves tab. They say what the lines on the screen show, and at which temperature."""

from __future__ import annotations

from collections.abc import Sequence

from ersd.curves.results import MAX_DRAFTED, Lines, Point
from ersd.trace.rank_sequence import STEPWISE

from ..message_types.curves import Headlines
from ..sentences.formatting import decimal, plural
from ..sentences.names import source_name

NEARLY = 0.95
"""A chain has stopped gaining once it accepts this share of what it accepts at most."""


def headlines(found: Sequence[Lines]) -> Headlines:
    """Headline and sentence of the two views that are measured, `accepted` and `next`; empty ones before there are lines."""
    if not found:
        return {"accepted": ["", ""], "next": ["", ""]}
    first = found[0]
    tree, chain = (first.lines[name] for name in ("tau_star", "sequence"))
    at = f" at T = {first.temperature:g}"
    most, most_of_chain = (decimal(line.accepted[-1], 1) for line in (tree, chain))
    accepted = f"{MAX_DRAFTED} drafted tokens{at}: a τ*\u00a0tree gets {most} accepted, a chain {most_of_chain}"
    following = (
        f"The 1st token of a race is accepted in {_percent(tree.next[0])} of the calls{at}, "
        f"the 16th of a τ* tree in {_percent(tree.next[15])}, of a chain in {_percent(chain.next[15])}"
    )
    return {
        "accepted": [accepted, f"{_where_chains_stop(found)} {_who_leads(first)}"],
        "next": [
            following,
            "Each further token buys less. A token of a tree is worth the chance that all tokens above it, and it itself, are accepted.",
        ],
    }


def note(found: Sequence[Lines], points: Sequence[Point], source: str = "model") -> str:
    """What was measured, with guesses from this source."""
    decisions = sum(each.decisions for each in found)
    if not decisions:
        return ""
    guesses = "" if source == "model" else f"Guesses from {source_name(source)}. "
    ranks = f"{guesses}Lines: expected, if {plural(decisions, 'decision')} of this pair were independent."
    if source in STEPWISE:
        ranks += f" An estimate for this source: {STEPWISE[source]}, so with other trees its ranks are a little different."
    if not points:
        return ranks
    least, most = (choose(point.calls for point in points) for choose in (min, max))
    calls = plural(most, "call") if least == most else f"{least:,} to {plural(most, 'call')}"
    return f"{ranks} Dots: direct runs, {calls} each, ±\u00a02 standard errors."


def _where_chains_stop(found: Sequence[Lines]) -> str:
    places = []
    for each in found:
        accepted = each.lines["sequence"].accepted
        k = next(k for k, value in enumerate(accepted, 1) if value >= NEARLY * accepted[-1])
        places.append(f"{k} tokens at T = {each.temperature:g}")
    return f"A chain gains next to nothing beyond {' and '.join(places)}; a τ* tree goes on."


def _who_leads(lines: Lines) -> str:
    """Where SpecInfer and the τ* tree change places."""
    tree, specinfer = (lines.lines[name].accepted for name in ("tau_star", "specinfer"))
    ahead = [k for k, (race, coins) in enumerate(zip(tree, specinfer, strict=True), 1) if coins > race]
    at = f" at T = {lines.temperature:g}"
    if not ahead:
        return f"The τ* tree is ahead of SpecInfer everywhere{at}."
    if len(ahead) == len(tree):
        return f"SpecInfer’s best branching is ahead of it everywhere{at}."
    last = max(ahead)
    if last == len(tree):
        return f"SpecInfer’s best branching is ahead of it at {last} tokens{at}."
    return f"Up to {plural(last, 'token')} SpecInfer’s best branching is ahead{at}, with more the τ* tree."


def _percent(share: float) -> str:
    percent = 100 * share
    if percent >= 1:
        return f"{decimal(percent, 0)}%"
    return f"{decimal(percent, 1)}%" if percent >= 0.1 else "less than 0.1%"
