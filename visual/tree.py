"""The draft tree of one step: laid out with networkx, left to right; the browser draws it.

A column per depth. The first child continues on its parent's row and every leaf has a row of its own, so subtrees never share
rows and labels cannot meet. x counts columns and y counts rows; the browser turns both into pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx

from ersd.trace import Step

from .coins import kept
from .sentences import ROOT, reasons
from .words import brief, ending, visible


@dataclass(frozen=True)
class Tree:
    """Where everything is and what became of it. The vertex `len(step.tokens)`, if there, is the target's own token."""

    graph: nx.DiGraph
    states: dict[int, str]
    """vertex -> accepted, rejected, open (not tried or not visited), target (its own token) or root"""


def states(step: Step) -> dict[int, str]:
    """What became of every drafted vertex: accepted, rejected or open (not tried, or never reached)."""
    found = dict.fromkeys(range(len(step.tokens)), "open")
    for visit in step.walk:
        for one in visit.tries:
            if one.accepted or found[one.vertex] != "accepted":
                found[one.vertex] = "accepted" if one.accepted else "rejected"
    if step.block:  # what is behind the cut was looked at too
        found.update(dict.fromkeys(range(kept(step), len(step.block)), "rejected"))
    return found


def tree_of(step: Step) -> Tree:
    """The step's tree with the target's own token hung on where the walk ended, `column` and `row` set on every vertex."""
    graph = nx.DiGraph()
    graph.add_node(ROOT)
    for vertex in sorted(range(len(step.tokens)), key=lambda v: (step.depths[v], step.ranks[v], v)):
        graph.add_edge(step.parents[vertex], vertex)
    found = {ROOT: "root", **states(step)}
    if step.walk and not step.walk[-1].accepted:
        own = len(step.tokens)
        graph.add_edge(step.walk[-1].vertex, own)
        found[own] = "target"
    _place(graph)
    return Tree(graph, found)


def _place(graph: nx.DiGraph) -> None:
    """Sets `column` and `row` on every vertex."""
    row = 0
    graph.nodes[ROOT].update(column=0, row=0)
    for parent, child in nx.dfs_edges(graph, ROOT):
        first = next(iter(graph.successors(parent))) == child
        if not first:
            row += 1
        graph.nodes[child].update(column=graph.nodes[parent]["column"] + 1, row=graph.nodes[parent]["row"] if first else row)


def data(step: Step, context: str) -> dict[str, Any]:
    """What the browser needs to draw the step's tree, beside `parents`.

    Args:
        step: the step to draw.
        context: the text so far; its end is the label of the root.

    Returns:
        By vertex, the target's own token last: `names`, `states` (their initials) and `rows`; by drafted vertex `q` and `ranks`;
        `why`, the sentences of `sentences.reasons`; `root`, the end of the text.
    """
    tree = tree_of(step)
    vertices = [vertex for vertex in sorted(tree.states) if vertex != ROOT]
    names = [visible(text, token) for text, token in zip(step.texts, step.tokens, strict=True)]
    if len(vertices) > len(names):
        names.append(visible(step.walk[-1].text, step.walk[-1].token))
    return {
        "names": names,
        "states": "".join(tree.states[vertex][0] for vertex in vertices),
        "rows": [tree.graph.nodes[vertex]["row"] for vertex in vertices],
        "q": [brief(q, 3) for q in step.draft_probs],
        "ranks": step.ranks,
        "why": reasons(step),
        "root": ending(context, 40),
    }
