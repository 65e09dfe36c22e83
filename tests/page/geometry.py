"""Checks of a page's layout that hold for every picture and every window: nothing overlaps, is cut off or scrolls sideways."""

from __future__ import annotations

from itertools import combinations

GROUPS = {
    "panels": "#player .ersd-text, #player .ersd-about, #player .ersd-stats, #player .ersd-because, #player .ersd-status, "
    "#player .ersd-headline, #player .ersd-phases, #player .ersd-tree-card, #player .ersd-decision-card, #player .ersd-timeline-panel",
    "tree labels": "#player-tree .textpoint text",
    "numbers over the tree": "#player .ersd-decisions button",
    "names of a decision": ".ersd-decision-plot .textpoint text",
    "numbers of the timeline": ".ersd-timeline b",
    "buttons of the player": "#player .ersd-transport button, #player .ersd-find button, #player .ersd-phases button",
    "fields of the form": ".setup .block[id]:not(:has(.block[id])), .actions button",
    "tools of the header": ".masthead button, .header-link button, #tabs [role=tab]",
    "cards of the gallery": ".exhibit",
    "parts of the lab": ".lab-head > *, .lab-column, .lab-charts > section, .lab-trials-panel",
    "heads of the lab": ".lab-column h3, .lab-column header button, .lab-column header p, .lab-jump button",
    "numbers of the lab": ".lab-name, .lab-share, .lab-wanted, .lab-value",
    "parts of the curves": ".curves-head, .curves-bar, .curves-plot, .curves-cost, .curves-table",
    "words of the curves": ".curves-plot .annotation text, .curves-plot .xtick text, .curves-plot .ytick text, .curves-plot .g-xtitle",
    "buttons of the curves": ".curves-bar button, .curves-limit, .curves-places button",
    "fields of the engine": ".curves-engine-fields > *",
}
"""Elements of which no two may overlap."""
ON_TOP = {"numbers over the tree": (".ersd-decisions button", "#player-tree .textpoint text")}
"""Elements that may not cover any of the others."""
TEXTS = (
    "#player h2:not(.ersd-headline), #player .ersd-idea, #player .ersd-say, #player .ersd-step-ms, #player .ersd-tries small, "
    "#player .ersd-exact, "
    "#player .ersd-per-call > p, #player .ersd-speedup > p, #player .ersd-time > span, "
    "#player .ersd-phases b, #player .ersd-where, #player .ersd-find button, .actions button, .exhibit h3, .exhibit p, "
    ".lab-column h3, .lab-column header button, .lab-figures p, .lab-jump button, .lab-starts button, .lab-name, .lab-share, .lab-wanted, "
    ".curves-views button, .curves-headline, .curves-sentence, .curves-note, .curves-figure, .curves-engine-fields p, "
    ".curves-table th, .curves-table td:not(.curves-what)"
)
"""Elements whose content must fit."""
LINES = "#player .ersd-reason, #player .ersd-because, #player .ersd-idea, #player .ersd-say"
"""Elements whose lines must all be seen."""
FRAMED = {
    "#player .ersd-decision-plot .textpoint text": ".ersd-decision-plot",
    "#player-tree .textpoint text": ".ersd-tree",
    ".lab-decision .textpoint text": ".lab-decision",
    ".curves-plot .annotation text": ".curves-plot",
}
"""Elements that must stay inside another one."""

_FAULTS = """([groups, onTop, texts, lines, framed]) => {
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
  for (const one of seen(lines)) {
    if (one.scrollHeight > one.clientHeight + 2) faults.push(`lines cut off: “${one.textContent.trim().slice(0, 40)}”`);
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
    return page.evaluate(_FAULTS, [GROUPS, {name: list(pair) for name, pair in ON_TOP.items()}, TEXTS, LINES, FRAMED])


_FRAMES = """() => ["-text", "-stats", "-timeline"].map((part) => `#player${part}`)
  .concat("#player .ersd-phases", "#player .ersd-tree-card", "#player .ersd-decision-card", "#player-find")
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


def smallest_letters(page, selector: str) -> tuple[float, str]:
    """Size in pixels and words of the smallest text in sight inside elements of a selector."""
    sizes = page.evaluate(
        """selector => [...document.querySelectorAll(`${selector} *`)]
          .filter((one) => one.checkVisibility() && [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
          .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent.trim().slice(0, 20)])""",
        selector,
    )
    return tuple(min(sizes))


def do_touch(one: dict, other: dict) -> bool:
    """Do two boxes overlap?"""
    return one["left"] < other["right"] and other["left"] < one["right"] and one["top"] < other["bottom"] and other["top"] < one["bottom"]


def overlapping(boxes: list[dict]) -> list[tuple[dict, dict]]:
    return [pair for pair in combinations(boxes, 2) if do_touch(*pair)]


_TEXT_FAULTS = """([parts, least]) => {
  const name = (text) => `“${text.trim().replace(/\\s+/g, " ").slice(0, 30)}”`;
  const faults = [], texts = [];
  const clips = (element) => {
    const { overflowX, overflowY } = getComputedStyle(element);
    return overflowX !== "visible" || overflowY !== "visible";
  };
  const isScroller = (element) => getComputedStyle(element).overflowY === "auto";
  // what is scrolled away is neither cut off nor over another text
  const isInView = ({ top, bottom }, element) => {
    for (let around = element; around; around = around.parentElement) {
      const frame = around.getBoundingClientRect();
      if (isScroller(around) && (bottom < frame.top + 4 || top > frame.bottom - 4)) return false;
    }
    return true;
  };
  for (const part of document.querySelectorAll(parts)) {
    if (!part.checkVisibility()) continue;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode, parent = node.parentElement;
      if (!node.data.trim() || parent.closest("option, select, .hoverlayer, .ersd-announcer, [aria-hidden=true]")) continue;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 1 && box.height > 1 && isInView(box, parent));
      const scale = parent.closest("svg")?.getScreenCTM()?.a ?? 1;
      const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
      if (boxes.length && size < least - 0.05) faults.push(`${size.toFixed(1)} px: ${name(node.data)}`);
      for (let around = parent; around && part.contains(around); around = around.parentElement) {
        if (!clips(around)) continue;
        const frame = around.getBoundingClientRect();
        const isScrolled = isScroller(around);
        const isCut = boxes.some((box) => box.left < frame.left - 1 || box.right > frame.right + 1
          || (!isScrolled && (box.top < frame.top - 3 || box.bottom > frame.bottom + 3)));
        if (isCut) { faults.push(`cut off: ${name(node.data)} in ${around.getAttribute("class") ?? around.tagName}`); break; }
      }
      if (boxes.some(({ left, right }) => left < -1 || right > innerWidth + 1)) faults.push(`outside of the window: ${name(node.data)}`);
      texts.push(...boxes.map((box) => [node, box]));
    }
    for (const field of part.querySelectorAll("input:not([type=range], [type=checkbox]), select")) {
      if (!field.checkVisibility()) continue;
      const style = getComputedStyle(field), pen = document.createElement("canvas").getContext("2d");
      pen.font = style.font;
      const words = field.matches("select") ? field.selectedOptions[0]?.text ?? "" : field.value;
      const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      if (parseFloat(style.fontSize) < least - 0.05) faults.push(`${style.fontSize}: ${name(words)} in a field`);
      if (pen.measureText(words).width > room + 1) faults.push(`cut off: ${name(words)} in a field`);
    }
  }
  texts.forEach(([one, a], place) => {
    for (const [other, b] of texts.slice(place + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const isOver = one !== other && across > 1 && down > 0.3 * Math.min(a.height, b.height);
      if (isOver) faults.push(`${name(one.data)} over ${name(other.data)}`);
    }
  });
  return [...new Set(faults)];
}"""


def text_faults(page, parts: str, least: float) -> list[str]:
    """What is wrong with the texts in parts of a page: smaller than `least` pixels on the screen, cut off, or one over another."""
    return page.evaluate(_TEXT_FAULTS, [parts, least])
