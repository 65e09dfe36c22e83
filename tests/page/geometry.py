"""Checks of a page's layout that hold for every picture and every window: nothing overlaps, is cut off or scrolls sideways."""

from __future__ import annotations

from itertools import combinations

GROUPS = {
    "cards and tiles": ".ersd-card, .ersd-stats > *",
    "tree labels": "#player-tree .textpoint text",
    "tokens of a decision": ".ersd-race-plot .subplot.x3y .textpoint text",
    "ticks of the draft": ".ersd-race-plot .xtick text",
    "ticks of the target": ".ersd-race-plot .x2tick text",
    "ticks of the timeline": ".ersd-timeline .xtick text",
    "buttons of the player": "#player .ersd-transport button, #player .ersd-find button, #player .ersd-phases button, .ersd-path-cue span",
    "fields of the form": ".setup .block[id]:not(:has(.block[id])), .actions button",
    "columns of a block": "#player .ersd-tries.block .head > span",
    "cards of the gallery": ".exhibit",
}
"""Elements of which no two may overlap."""
ON_TOP = {"buttons over the tree": (".ersd-path-cue span", "#player-tree .textpoint text")}
"""Elements that may not cover any of the others."""
TEXTS = (
    "#player header, #player h2, #player .ersd-sides, #player .ersd-sides span, #player .ersd-say, #player .ersd-tile, #player .ersd-tale, "
    "#player .ersd-figures, #player .ersd-step-ms, #player .ersd-tries.block :is(button, .head) > span:not(.name, .ersd-coin), "
    "#player button, .actions button, .setup [role=combobox], .exhibit h3, .exhibit p"
)
"""Elements whose content must fit."""
FRAMED = {"#player .ersd-race-plot :is(.xy, .x2y) .textpoint text": ".ersd-race-plot"}
"""Elements that must stay inside another one."""

_FAULTS = """([groups, onTop, texts, framed]) => {
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => (
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && (one.textContent.trim() || one.children.length)
  ));
  const boxes = (selector) => seen(selector).map((one) => [one.textContent.trim().slice(0, 24), one.getBoundingClientRect()])
    .filter(([, { width, height }]) => width && height);
  // a line of text is higher than its letters
  const doOverlap = (a, b) => (
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(6, 0.3 * Math.min(a.height, b.height))
  );
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
  for (const [name, selector] of Object.entries(groups)) {
    const all = boxes(selector);
    all.forEach(([text, box], index) => {
      for (const [other, its] of all.slice(index + 1)) if (doOverlap(box, its)) faults.push(`${name}: “${text}” and “${other}” overlap`);
    });
  }
  for (const [name, [upper, lower]] of Object.entries(onTop)) {
    for (const [text, box] of boxes(upper)) {
      for (const [other, its] of boxes(lower)) if (doOverlap(box, its)) faults.push(`${name}: “${text}” covers “${other}”`);
    }
  }
  for (const one of seen(texts)) {
    if (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline") {
      const by = one.scrollWidth - one.clientWidth;
      faults.push(`${by} pixels cut off: ${one.className || one.ariaLabel} “${one.textContent.trim().slice(0, 40)}”`);
    }
  }
  for (const [selector, frame] of Object.entries(framed)) {
    for (const one of seen(selector)) {
      const box = one.getBoundingClientRect(), its = one.closest(frame).getBoundingClientRect();
      if (box.left < its.left - 1 || box.right > its.right + 1) faults.push(`outside of ${frame}: “${one.textContent}”`);
    }
  }
  return faults;
}"""


def faults(page) -> list[str]:
    """What is wrong with the layout of a page as it is now, in sentences."""
    return page.evaluate(_FAULTS, [GROUPS, {name: list(pair) for name, pair in ON_TOP.items()}, TEXTS, FRAMED])


_FRAMES = """() => ["-text", "-stats", "-timeline", "-tree", "-theory"].map((part) => `#player${part}`)
  .concat("#player .ersd-race-plot", "#player .ersd-tries", "#player-find")
  .map((selector) => {
    const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [selector, ...[left, top + scrollY, width, height].map(Math.round)].join(" ");
  })"""


def frames(page) -> tuple[str, ...]:
    """Where the parts of a player stand that must not move from step to step."""
    return tuple(page.evaluate(_FRAMES))


def is_in_window(page, selector: str) -> bool:
    box, size = page.locator(selector).first.bounding_box(), page.viewport_size
    inside = box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size["width"] and box["y"] + box["height"] <= size["height"]
    return bool(inside)


def do_touch(one: dict, other: dict) -> bool:
    """Do two boxes overlap?"""
    return one["left"] < other["right"] and other["left"] < one["right"] and one["top"] < other["bottom"] and other["top"] < one["bottom"]


def overlapping(boxes: list[dict]) -> list[tuple[dict, dict]]:
    return [pair for pair in combinations(boxes, 2) if do_touch(*pair)]
