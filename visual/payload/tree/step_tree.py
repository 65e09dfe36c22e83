"""The draft tree of one step: its nodes, what became of them and why; and the small layout of the preview.

A column per depth. The first child continues in its parent's lane and every leaf has a lane of its own, so subtrees never share lanes and
labels cannot meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import networkx as nx

from ersd.draft_tree import ROOT
from ersd.trace.step import Step

from ..message_types.step import Tree, VertexState
from ..sentences.formatting import ending, token_label
from ..sentences.kinds.table import kind_of
from ..sentences.nodes import own_name
from ..sentences.numbers import brief

ROOT_COLUMNS = 40
"""Characters of the text before the step that are sent for the root; the browser shows as many as there is room for."""


@dataclass(frozen=True)
class Layout:
    """Column and lane of every node. The root, not listed, is in column 0, lane 0."""

    columns: list[int]
    """from 1"""
    lanes: list[int]
    """from 0"""

    @property
    def per_column(self) -> list[int]:
        """Number of nodes in each column, from column 1."""
        counts = Counter(self.columns)
        return [counts[column] for column in sorted(counts)]


def layout(parents: Sequence[int], ranks: Sequence[int]) -> Layout:
    """Lay out a tree.

    Args:
        parents: index of each node's parent, -1 for the root.
        ranks: rank of each node among its siblings, which are drawn from top to bottom in this order.
    """
    graph = nx.DiGraph()
    graph.add_node(ROOT)
    graph.add_edges_from((parents[node], node) for node in sorted(range(len(parents)), key=lambda node: ranks[node]))
    columns, lanes, lane = [0] * len(parents), [0] * len(parents), 0
    for parent, child in nx.dfs_edges(graph, ROOT):
        # depth first, a first child follows its parent directly and stays in its lane
        lane += next(graph.successors(parent)) != child
        columns[child], lanes[child] = 1 + (columns[parent] if parent != ROOT else 0), lane
    return Layout(columns, lanes)


def data(step: Step, before: str) -> Tree:
    """What the browser needs to draw the step's tree.

    Args:
        step: the step to draw.
        before: the text before the step; its end is the label of the root.
    """
    names = [token_label(text, token) for text, token in zip(step.texts, step.tokens, strict=True)]
    parents, found = list(step.parents), step.states
    if step.emitted and step.emitted[-1].source == "target":  # the target's own token comes after the drafted ones
        names.append(own_name(step))
        parents.append(step.end)
        found.append("target")
    return {
        "root": ending(before, ROOT_COLUMNS),
        "names": names,
        "parents": parents,
        "states": cast("list[VertexState]", found),
        "q": [brief(q, 3) for q in step.draft_probs],
        "ranks": step.ranks,
        "draws": step.draws,
        "call_of": step.call_of,
        "why": reasons(step),
    }


def reasons(step: Step) -> dict[int, str]:
    """Reasons that the list of tries does not give: why a node was rejected or cut.

    The browser has the sentences of the others: an accepted node shows its decision's, a tried one its try's, the rest `decision.WORDS`.
    """
    return {vertex: why for visit in step.walk if visit.tries for vertex, why in kind_of(visit).rejected(step, visit).items()}
