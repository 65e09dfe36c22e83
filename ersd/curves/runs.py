"""The points: direct runs of a method with k drafted tokens, counted call by call."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

from ..decoding import Decoded, decode
from ..draft_tree import Shape
from ..models.pair import ModelPair
from ..settings import RANGES, Settings
from ..theory import vertex_values
from .acceptance import Acceptance
from .expected import branching_of, tree_of
from .results import CURVES, Measured, Point, Shares

Path = tuple[int, ...]
"""Ranks on the way from the root to a node."""


class Runs:
    """One point: adds up the calls of its runs."""

    def __init__(self, curve: str, k: int, acceptance: Acceptance) -> None:
        self.curve, self.k, self.temperature = curve, k, acceptance.temperature
        self._branching = branching_of(k, acceptance) if curve == "specinfer" else ()
        algorithm, topology = CURVES[curve]
        self._settings = Settings(
            algorithm,
            topology,
            k,
            acceptance.temperature,
            max_new_tokens=int(RANGES["max_new_tokens"].high),
            branching=self._branching or Settings().branching,
            source=acceptance.source,
        )
        self._hazards = acceptance.hazards()
        self._ranks = acceptance.gsd_ranks() if curve == "specinfer" else acceptance.race_ranks()
        tree = tree_of(curve, k, acceptance)
        self._places = _places(tree, self._ranks)
        self._accepted: list[int] = []
        """tokens, by call"""
        self._bins = list(_bins(len(tree.parents)))
        self._hits: list[list[int]] = [[] for _ in self._bins]
        """accepted tokens of each bin, by call"""

    def add(self, pair: ModelPair, prompt: str, seed: int, calls: int) -> Generator[int, None, None]:
        """Decode up to `calls` calls of a text, fewer where it ends or the context is nearly full; yields the tokens of every call."""
        # start ERSD from the rank distribution that the line is computed from
        source = self._settings.source
        pair = replace(pair, hazards={source: {**pair.hazards.get(source, {}), "ersd": self._hazards}})
        room = min(pair.context, pair.draft_context)
        with closing(decode(pair, prompt, replace(self._settings, seed=seed))) as steps:
            for step in itertools.islice(steps, calls):
                if not self._is_whole(step, room):
                    break
                self._count(step)
                yield self._accepted[-1] + 1

    def point(self) -> Point | None:
        """The means so far; None before the first call."""
        if not self._accepted:
            return None
        shares = [
            Shares(first, last, _mean([count / (last - first + 1) for count in hits]))
            for (first, last), hits in zip(self._bins, self._hits, strict=True)
        ]
        return Point(self.curve, self.temperature, self.k, len(self._accepted), _mean(self._accepted), shares)

    def _is_whole(self, step: Decoded, room: int) -> bool:
        """Neither the end of the text nor that of the context cut the step short. The first call of all counts in any case."""
        return not self._accepted or (not step.is_last and step.scored.position + self.k + 1 < room)

    def _count(self, step: Decoded) -> None:
        walk, drafted = step.walk, step.scored.tree
        # a τ* tree learns while it decodes, so its nodes are those of this step
        places = _places(Shape(tuple(drafted.parents), tuple(drafted.ranks)), self._ranks) if self.curve == "tau_star" else self._places
        self._accepted.append(len(walk.path))
        hits = [0] * len(self._bins)
        path: Path = ()
        for depth, visited in enumerate(walk.visited[: len(walk.path)]):
            rank = visited.accepted + 1
            if self._branching:  # a token drawn twice has the children of both draws
                rank = (rank - 1) % self._branching[depth] + 1
            path += (rank,)
            place = places.get(path)
            for number, (first, last) in enumerate(self._bins):
                hits[number] += place is not None and first <= place <= last
        for counted, hit in zip(self._hits, hits, strict=True):
            counted.append(hit)


def _places(tree: Shape, ranks: Sequence[float]) -> dict[Path, int]:
    """The path of every node -> its place from 1, the likeliest first."""
    values = vertex_values(tree.parents, tree.ranks, ranks)
    paths: list[Path] = []
    for parent, rank in zip(tree.parents, tree.ranks, strict=True):
        paths.append((*(paths[parent] if parent >= 0 else ()), rank))
    order = sorted(range(len(paths)), key=lambda node: -values[node])
    return {paths[node]: place for place, node in enumerate(order, 1)}


def _bins(k: int) -> list[tuple[int, int]]:
    """1, 2, 3 to 4, 5 to 8, … up to k: single tokens are accepted too rarely to be counted one by one."""
    bins, first = [], 1
    while first <= k:
        last = 1 << (first - 1).bit_length()
        bins.append((first, min(last, k)))
        first = last + 1
    return bins


def _mean(values: Sequence[float]) -> Measured:
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
    return Measured(statistics.fmean(values), error)
