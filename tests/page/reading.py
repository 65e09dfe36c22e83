"""What a player shows, read off the screen: lengths of bars against the ticks of their axis, texts, numbers.

Nothing here knows how the pictures are made; `test_pictures_match.py` compares it with the trace.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

HALF_OF_LAST_DECIMAL = 0.5001
"""Largest rounding error of a written number, in units of its last decimal."""
PIXELS = 2.0
"""How far a bar may end from its value on the axis; bars end on whole pixels."""

_READ = """(id) => {
  const box = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { left, right, top, bottom, words: element.textContent };
  };
  const all = (root, selector) => (root ? [...root.querySelectorAll(selector)] : []);
  const words = (root, selector) => all(root, selector).map((element) => element.textContent);
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const player = document.getElementById(id), picture = player.querySelector(".ersd-decision-plot");
  // d3 keeps a trace's name with its group
  const named = (name) => all(picture, "g.trace").find((one) => one.__data__?.[0]?.trace?.name === name);
  const texts = (name) => all(named(name), ".textpoint").filter(isSeen).map((one) => box(one.querySelector("text")));
  const bars = (name) => all(named(name), ".point").filter(isSeen).map((one) => box(one.querySelector("path")));
  const side = (name) => ({
    bars: bars(`${name}_bars`),
    outlines: bars(`${name}_outlines`), // of the whole probability, where a part of it remains
    within: texts(`${name}_within`).concat(texts(`${name}_ends`)),
    beyond: all(picture, "g.trace").map((one) => one.__data__?.[0]?.trace?.name ?? "").filter((one) => one.startsWith(`${name}_beyond`))
      .flatMap(texts),
  });
  const tree = document.querySelector(`#${id}-tree .js-plotly-plot`);
  const timeline = document.getElementById(`${id}-timeline`);
  return {
    draft: side("draft"),
    target: side("target"),
    ticks: texts("ticks"),
    names: ["names_plain", "names_drafted", "names_decided"].flatMap(texts).sort((one, other) => one.top - other.top),
    signs: ["signs_drafted", "signs_decided"].flatMap(texts),
    clocks: texts("clocks"),
    title: player.querySelector(".ersd-decision-title").textContent,
    idea: player.querySelector(".ersd-idea").textContent,
    sentence: player.querySelector(".ersd-say").textContent,
    where: player.querySelector(".ersd-where").textContent,
    figures: {
      per_call: player.querySelector(".ersd-value").textContent,
      scope: player.querySelector(".ersd-per-call .ersd-scope").textContent,
    },
    theory: Object.fromEntries(all(player, ".ersd-cell").map((cell) => [
      cell.className.split("ersd-cell-")[1],
      Object.fromEntries(all(cell, ".ersd-line").map((line) => words(line, ":scope > span, b"))),
    ])),
    tries: all(player, ".ersd-tries [data-try]").map((one) => ({
      state: one.classList.contains("accepted") ? "accepted" : "rejected",
      isCut: one.parentElement.classList.contains("cut"),
      name: one.querySelector(".name").textContent,
      says: one.querySelector("small").textContent,
      coin: one.querySelector(".ersd-track").style.getPropertyValue("--coin"),
      keep: one.querySelector(".ersd-track").style.getPropertyValue("--keep"),
    })),
    text: all(player, ".ersd-token").map((span) => (
      { words: span.textContent, classes: [...span.classList], step: Number(span.dataset.at) }
    )),
    vertices: tree.data.flatMap((trace) => (trace.customdata || []).map((id, i) => (
      { id, state: trace.name, x: trace.x[i], y: trace.y[i], label: trace.text[i], hover: trace.hovertext[i] }
    ))),
    timeline: ["accepted", "own"].map((part) => (
      all(timeline, ".ersd-column").map((one) => Number(one.style.getPropertyValue(`--${part}`)))
    )),
    solid: all(timeline, ".ersd-column").flatMap((one, place) => (one.dataset.state === "here" ? [place] : [])),
  };
}"""

_SHOW_VERTEX = """([id, vertex]) => {
  window.isDrawn = false;
  // set after every drawing, also of the same step
  const drawn = new MutationObserver(() => { drawn.disconnect(); window.isDrawn = true; });
  drawn.observe(document.getElementById(id), { attributes: true, attributeFilter: ["data-step"] });
  document.querySelector(`#${id}-tree .js-plotly-plot`).emit("plotly_click", { points: [{ customdata: vertex }] });
}"""


def read(page, player: str) -> dict[str, Any]:
    """Everything that a player shows now."""
    return page.evaluate(_READ, player)


def show_vertex(page, player: str, vertex: int) -> None:
    """Click a node of the tree and wait until its decision is on the screen."""
    page.evaluate(_SHOW_VERTEX, [player, vertex])
    page.wait_for_function("window.isDrawn")


def reads_as(words: str, value: float | None, digits: int = 4) -> bool:
    """Is this the text of a value? An infinite or missing one is written ∞, or a dash where there is no number.

    `digits`: how many of its digits the message has. A value that is rounded twice may be off by a little more.
    """
    words = words.strip().replace(",", "").replace("1M", "1000000")
    if words == "–":
        return value is None
    if words == "∞":
        return value is None or math.isinf(value)
    if value is None or math.isinf(value):
        return False
    if words[0] in "<>":
        limit = float(words[1:])
        return abs(value) < limit if words[0] == "<" else abs(value) >= 0.9999 * limit
    if words[-1] == "k":
        return abs(float(words[:-1]) - value / 1000) <= HALF_OF_LAST_DECIMAL * 10 ** -len(words[:-1].partition(".")[2]) + 0.001
    decimals = len(words.partition(".")[2])
    return abs(float(words) - value) <= HALF_OF_LAST_DECIMAL * 10**-decimals + 10.0 ** (1 - digits) * abs(value)


def numbers_in(words: str) -> list[str]:
    """The numbers of a sentence, as texts."""
    return re.findall(r"∞|[<>] [\d,.]*\d|\d[\d,]*(?:\.\d+)?", words)


@dataclass(frozen=True)
class Axis:
    """An axis, known by its ticks."""

    ticks: list[tuple[float, float]]
    """value and pixel of every labelled tick"""
    logarithmic: bool

    @classmethod
    def of(cls, ticks: list[dict[str, Any]], logarithmic: bool) -> Axis:
        named = [(float(tick["words"]), (tick["left"] + tick["right"]) / 2) for tick in ticks if tick["words"].strip()]
        return cls(sorted(named), logarithmic)

    def pixel(self, value: float) -> float:
        """The pixel of a value, interpolated between the two ticks around it or nearest to it."""
        scaled = [(self._scale(tick), pixel) for tick, pixel in self.ticks]
        place = self._scale(value)
        (left, at_left), (right, at_right) = next(
            ((one, other) for one, other in pairwise(scaled) if place <= other[0]), (scaled[-2], scaled[-1])
        )
        return at_left + (place - left) / (right - left) * (at_right - at_left)

    def _scale(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value


def middle(box: dict[str, Any]) -> float:
    """The vertical middle of a box."""
    return (box["top"] + box["bottom"]) / 2


def at_height(boxes: list[dict[str, Any]], height: float) -> dict[str, Any] | None:
    """The box at a height, if there is one."""
    return next((box for box in boxes if abs(middle(box) - height) < 4), None)
