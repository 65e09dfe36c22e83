"""The small picture of a draft tree's shape."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from visual.shape import HEIGHT, WIDTH, depths, described, levels, picture, rows, unknown

SPECINFER = ([-1, -1, 0, 0, 1, 1], [1, 2, 1, 2, 1, 2])
SHAPES = {
    "nothing": ([], []),
    "one": ([-1], [1]),
    "chain of 256": (list(range(-1, 255)), [1] * 256),
    "256 children": ([-1] * 256, list(range(1, 257))),
    "2 × 2": SPECINFER,
}


def places(svg: str) -> list[tuple[float, float]]:
    """The dots."""
    return [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", svg)]


def test_depths_and_levels():
    assert depths(SPECINFER[0]) == [1, 1, 2, 2, 2, 2]
    assert levels(SPECINFER[0]) == [2, 4]
    assert levels([]) == []


def test_the_first_child_stays_on_its_parents_row_and_every_leaf_has_its_own():
    parents, ranks = SPECINFER
    placed = rows(parents, ranks)
    assert placed == [0, 2, 0, 1, 2, 3]
    leaves = [row for vertex, row in enumerate(placed) if vertex not in parents]
    assert sorted(leaves) == list(range(4))


def test_siblings_go_by_rank_whatever_their_order():
    assert rows([-1, -1, -1], [3, 1, 2]) == [2, 0, 1]


@pytest.mark.parametrize("name", SHAPES)
def test_every_vertex_is_drawn_inside_the_picture_and_none_on_another(name):
    parents, ranks = SHAPES[name]
    svg = picture(parents, ranks)
    ET.fromstring(svg)
    dots = places(svg)
    assert len(dots) == len(parents)
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in dots)
    assert len(set(dots)) == len(parents)


def test_the_label_says_what_the_picture_shows():
    label = ET.fromstring(picture(*SPECINFER)).attrib["aria-label"]
    assert label == described([2, 4]) == "Draft tree of 6 drafted tokens on 2 levels: 2, 4."
    assert described([1]) == "Draft tree of 1 drafted token on 1 level: 1."
    assert "nothing is drafted" in described([])
    assert described([1] * 256).endswith("1, ….")
    assert "chosen at every step" in ET.fromstring(unknown()).attrib["aria-label"]


def test_the_number_of_vertices_stands_above_the_columns_where_there_is_room():
    texts = [element.text for element in ET.fromstring(picture(*SPECINFER)).iter("text")]
    assert texts == ["2", "4"]
    assert not list(ET.fromstring(picture(*SHAPES["chain of 256"])).iter("text"))
