"""Where the vertices of a draft tree stand: the one layout of the live tree and of the preview.

A column per depth. The first child continues in its parent's lane and every leaf has a lane of its own, so subtrees never share lanes and
labels cannot meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import networkx as nx

from .sentences.visits import ROOT


@dataclass(frozen=True)
class Places:
    """Column and lane of every vertex. The root, not listed, is in column 0, lane 0."""

    columns: list[int]
    """from 1"""
    lanes: list[int]
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
    return _placed(tuple(parents), tuple(ranks))


@lru_cache(maxsize=256)  # the trees of a run are few
def _placed(parents: tuple[int, ...], ranks: tuple[int, ...]) -> Places:
    graph = nx.DiGraph()
    graph.add_node(ROOT, column=0)
    graph.add_edges_from((parents[vertex], vertex) for vertex in sorted(range(len(parents)), key=lambda vertex: ranks[vertex]))
    placed, lane = graph.nodes, 0
    for parent, child in nx.dfs_edges(graph, ROOT):
        # depth first, a first child comes right after its parent, and the next child after all that is below the one before it
        lane += next(graph.successors(parent)) != child
        placed[child].update(column=placed[parent]["column"] + 1, lane=lane)
    vertices = range(len(parents))
    return Places([placed[vertex]["column"] for vertex in vertices], [placed[vertex]["lane"] for vertex in vertices])
