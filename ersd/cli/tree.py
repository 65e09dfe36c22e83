"""The draft tree of a step as a rich tree: a node per drafted token, with its fate and its draft probability."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree

from ..draft_tree import ROOT
from ..formatting import bidi_isolated, characters, visible
from ..trace.step import Step

SIGNS = {"accepted": ("✓", "green"), "rejected": ("✕", "red"), "not reached": ("·", "dim")}
"""State of a drafted token -> its sign and style."""
TARGET_SIGN, TARGET_STYLE = "★", "blue"
"""Of the token that the target chose itself."""
MEANING = {"accepted": "accepted", "rejected": "tried, not accepted", "not reached": "not reached"}
MIN_PRINTED_PROBABILITY = 0.001
"""Smaller probabilities are printed as below this one: three decimals would show 0."""
CONTEXT_CHARACTERS = 40
"""How much of the text before the tree its root shows."""


def draft_tree(step: Step, before: str) -> Tree:
    """The tree of a step, siblings in the draft's order, the target's own token last.

    Args:
        before: the text before this step, special tokens and all; the root shows its end.
    """
    shown = characters(before[-8 * CONTEXT_CHARACTERS :])[-CONTEXT_CHARACTERS:]
    context = "…" * (len(before) > sum(map(len, shown))) + "".join(map(visible, shown))
    nodes = {ROOT: Tree(Text(bidi_isolated(context), "dim"))}
    found = step.states
    for node in sorted(range(len(step.tokens)), key=lambda node: (step.depths[node], step.ranks[node])):
        nodes[node] = nodes[step.parents[node]].add(_label(step, node, found[node]))
    if step.emitted and (last := step.emitted[-1]).source == "target":
        text = next((visit.text for visit in step.walk if visit.vertex == step.end), last.text)
        own = (f"{TARGET_SIGN} {bidi_isolated(visible(text, last.token))}", TARGET_STYLE)
        nodes[step.end].add(Text.assemble(own, "  ", ("the target's own", "dim")))
    return nodes[ROOT]


def _label(step: Step, node: int, state: str) -> Text:
    """Sign and token of a node, its draft probability, and how often it was drawn, or arrived, if more than once."""
    sign, style = SIGNS[state]
    q = step.draft_probs[node]
    note = f"q = {q:.3f}" if q >= MIN_PRINTED_PROBABILITY else f"q < {MIN_PRINTED_PROBABILITY}"
    if step.draws and step.draws[node] > 1:
        note += f", {'arrived' if step.root_visit.arrivals else 'drawn'} {step.draws[node]} times"
    return Text.assemble((f"{sign} {bidi_isolated(visible(step.texts[node], step.tokens[node]))}", style), "  ", (note, "dim"))


def legend() -> Text:
    """What the signs mean, in one line."""
    signs = [Text(f"{sign} {MEANING[state]}", style) for state, (sign, style) in SIGNS.items()]
    return Text("  ").join([*signs, Text(f"{TARGET_SIGN} the target's own", TARGET_STYLE)])
