"""Where the vertices of a draft tree stand: the one layout of the live tree and of the preview.

A column per depth. The first child continues on its parent's row and every leaf has a row of its own, so subtrees never share rows and
labels cannot meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx

from .visits import ROOT


@dataclass(frozen=True)
class Places:
    """Column and row of every vertex. The root, not listed, is in column 0 on row 0."""

    columns: list[int]
    """from 1"""
    rows: list[int]
    """from 0"""

    @property
    def per_column(self) -> list[int]:
        """The number of vertices in each column, from column 1."""
        counts = Counter(self.columns)
        return [counts[column] for column in sorted(counts)]


def place(parents: Sequence[int], ranks: Sequence[int]) -> Places:
    """Lays a tree out.

    Args:
        parents: index of each vertex's parent, -1 for the root.
        ranks: place of each vertex among its siblings: they go from top to bottom in this order.
    """
    graph = nx.DiGraph()
    graph.add_node(ROOT, column=0)
    graph.add_edges_from((parents[vertex], vertex) for vertex in sorted(range(len(parents)), key=lambda vertex: ranks[vertex]))
    placed, row = graph.nodes, 0
    for parent, child in nx.dfs_edges(graph, ROOT):
        # depth first, a first child comes right after its parent, and the next child after all that is below the one before it
        row += next(graph.successors(parent)) != child
        placed[child].update(column=placed[parent]["column"] + 1, row=row)
    vertices = range(len(parents))
    return Places([placed[vertex]["column"] for vertex in vertices], [placed[vertex]["row"] for vertex in vertices])
