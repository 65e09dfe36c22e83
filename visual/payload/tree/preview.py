"""The shape of a draft tree as a small SVG, before anything is drafted: nodes and edges in the layout of the large tree, no tokens."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from .step_tree import layout

WIDTH, HEIGHT = 240, 96
"""Of the picture, in its own units; it scales with its container."""

_LEFT, _RIGHT, _TOP, _BOTTOM = 8, 8, 18, 6
_COLUMN, _LANE = 34, 13
"""Largest width of columns and lanes; large trees have narrower ones."""
_COUNTED = 15
"""Width from which on a column shows its number of nodes."""


def levels(parents: Sequence[int]) -> list[int]:
    """The number of nodes on each level, from the first."""
    return layout(parents, range(len(parents))).per_column


def picture(parents: Sequence[int], ranks: Sequence[int], accepted: Collection[int] = ()) -> str:
    """The shape as SVG in the colours of the page (`--ersd-…`), legible from 1 to 256 nodes.

    Args:
        parents: index of each node's parent, -1 for the root; parents come first.
        ranks: rank of each node among its siblings, from 1.
        accepted: nodes to highlight, with the edges that lead to them.
    """
    drawn = layout(parents, ranks)
    counts, last_lane = drawn.per_column, max(drawn.lanes, default=0)
    column = min(_COLUMN, (WIDTH - _LEFT - _RIGHT) / max(1, len(counts)))
    lane = min(_LANE, (HEIGHT - _TOP - _BOTTOM) / max(1, last_lane))
    radius = max(1.0, min(3.6, 0.36 * column, 0.4 * lane))
    left = (WIDTH - column * len(counts)) / 2
    top = _TOP + (HEIGHT - _TOP - _BOTTOM - lane * last_lane) / 2
    dots = [(left + column * across, top + lane * down) for across, down in zip(drawn.columns, drawn.lanes, strict=True)]

    edges = []
    for parent, (x, y) in zip(parents, dots, strict=True):
        x0, y0 = dots[parent] if parent >= 0 else (left, top)
        # across, down, across, as in the large tree
        edges.append(f"M{x0:.1f} {y0:.1f}" + (f"h{0.35 * column:.1f}V{y:.1f}" if y != y0 else "") + f"H{x:.1f}")
    points = [f"M{x:.1f} {y:.1f}h0" for x, y in dots]  # a line of length 0 with round ends is a dot
    green = _paths([edges[node] for node in accepted], [points[node] for node in accepted], "accepted", "accepted", radius)
    numbers = []
    if column >= _COUNTED:
        numbers = [f'<text x="{left + column * level:.1f}" y="{top - 7:.1f}">{count}</text>' for level, count in enumerate(counts, 1)]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{described(counts)}">'
        f"{_paths(edges, points, 'edge', 'drafted', radius)}{green * bool(accepted)}"
        f'<rect x="{left - 3:.1f}" y="{top - 3:.1f}" width="6" height="6" fill="var(--ersd-ink)"/>'
        f'<g fill="var(--ersd-faint)" font-size="9.5" text-anchor="middle">{"".join(numbers)}</g></svg>'
    )


def _paths(edges: Sequence[str], points: Sequence[str], edge: str, point: str, radius: float) -> str:
    """Edges and nodes in the given colours."""
    return (
        f'<path d="{"".join(edges)}" fill="none" stroke="var(--ersd-{edge})" stroke-width="{min(1.4, max(0.5, radius / 2)):.2f}"/>'
        f'<path d="{"".join(points)}" fill="none" stroke="var(--ersd-{point})" stroke-linecap="round" stroke-width="{2 * radius:.2f}"/>'
    )


def unknown() -> str:
    """The picture of a tree whose shape is not known beforehand: the root, dashed lines and fewer nodes on each; so low that no card
    makes it smaller."""
    lines, points = [], []
    for y, nodes in ((5, 5), (16, 3), (27, 2)):
        lines.append(f"M8 16h10V{y}H{10 + 34 * nodes}")
        points += [f"M{10 + 34 * node} {y}h0" for node in range(1, nodes + 1)]
    return (
        f'<svg viewBox="0 0 {WIDTH - 50} 32" role="img" aria-label="A draft tree whose shape is chosen at every step.">'
        f'<path d="{"".join(lines)}" fill="none" stroke="var(--ersd-muted)" stroke-width="1.4" stroke-dasharray="3 3"/>'
        f'<path d="{"".join(points)}" fill="none" stroke="var(--ersd-drafted)" stroke-linecap="round" stroke-width="8"/>'
        '<rect x="4" y="12" width="8" height="8" fill="var(--ersd-ink)"/></svg>'
    )


def described(counts: Sequence[int]) -> str:
    """The picture as text for screen readers, given the number of nodes on each level."""
    if not counts:
        return "No draft tree: nothing is drafted."
    vertices = f"{sum(counts)} drafted token{'s' * (sum(counts) != 1)}"
    on = f"{len(counts)} level{'s' * (len(counts) != 1)}"
    listed = ", ".join(map(str, counts)) if len(counts) <= 16 else ", ".join(map(str, counts[:15])) + ", …"
    return f"Draft tree of {vertices} on {on}: {listed}."
