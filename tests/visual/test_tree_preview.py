"""The small picture of a draft tree's shape."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from visual.payload.tree_preview import HEIGHT, WIDTH, described, levels, picture, unknown

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


def test_the_numbers_above_the_levels_are_whole():
    heights = [float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)"', picture(*SHAPES["2 × 2"]))]
    crowded = [float(y) for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)"', picture([-1] * 64, list(range(1, 65))))]
    assert heights
    assert crowded
    assert min(heights + crowded) >= 9.5  # of their letters


def test_levels():
    assert levels(SPECINFER[0]) == [2, 4]
    assert levels([]) == []


@pytest.mark.parametrize("name", SHAPES)
def test_every_vertex_is_drawn_inside_the_picture_and_none_on_another(name):
    parents, ranks = SHAPES[name]
    svg = picture(parents, ranks)
    ET.fromstring(svg)
    dots = places(svg)
    assert len(dots) == len(parents)
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in dots)
    assert len(set(dots)) == len(parents)


def test_every_edge_goes_from_the_parent_to_the_child():
    svg = picture(*SPECINFER)
    dots = places(svg)
    root = re.search(r'<rect x="([\d.]+)" y="([\d.]+)"', svg)
    assert root
    starts = [(float(root[1]) + 3, float(root[2]) + 3), *dots]
    edges = re.findall(r"M([\d.]+) ([\d.]+)(?:h[\d.]+V([\d.]+))?H([\d.]+)", svg)
    assert len(edges) == 6
    for vertex, (x0, y0, y, x) in enumerate(edges):
        assert (float(x0), float(y0)) == pytest.approx(starts[SPECINFER[0][vertex] + 1])
        assert (float(x), float(y or y0)) == pytest.approx(dots[vertex])


def test_the_label_says_what_the_picture_shows():
    label = ET.fromstring(picture(*SPECINFER)).attrib["aria-label"]
    assert label == described([2, 4]) == "Draft tree of 6 drafted tokens on 2 levels: 2, 4."
    assert described([1]) == "Draft tree of 1 drafted token on 1 level: 1."
    assert "nothing is drafted" in described([])
    assert described([1] * 256).endswith("1, ….")
    assert "chosen at every step" in ET.fromstring(unknown()).attrib["aria-label"]


def test_the_number_of_vertices_stands_above_the_columns_where_there_is_room():
    texts = {float(element.attrib["x"]): element.text for element in ET.fromstring(picture(*SPECINFER)).iter("text")}
    assert texts == dict(zip(sorted({x for x, _ in places(picture(*SPECINFER))}), ["2", "4"], strict=True))
    assert not list(ET.fromstring(picture(*SHAPES["chain of 256"])).iter("text"))
