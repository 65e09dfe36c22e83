"""A browser's translator: what it does to a page, and whether the page goes on after it."""

from __future__ import annotations

from .driver import go_to

TRANSLATE = """() => {
  const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (!text.textContent.trim() || text.parentElement.closest("[translate=no], script, style, textarea, svg")) continue;
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    inner.textContent = text.textContent.replace(/[a-z]+/gi, (word) => `«${word}»`);
    outer.append(inner);
    text.replaceWith(outer);
  }
}"""
"""What a browser's translator does: texts go into elements of its own, with other words."""
REWRITTEN = """() => [...document.querySelectorAll(".ersd-text, .ersd-cut-text, bdi, .js-plotly-plot, code")]
  .filter((one) => one.textContent.includes("«")).map((one) => one.outerHTML.slice(0, 200))"""
"""Texts of models and users that were translated."""

PANELS = [
    *("headline", "where", "decision-title", "say", "note", "decision-legend", "tree-note", "shown-key", "find", "tries-head", "tries"),
    *("every-box", "theory", "value", "scope", "over", "ms", "boxes", "alone-ms", "reason", "step-ms", "other", "formula"),
    *("decisions-label", "decisions", "column[data-state=here]", "why-not", "presets", "outcome"),
]
WORDS = """(panels) => Object.fromEntries(panels.map((panel) => [panel, [...document.querySelectorAll(`#player .ersd-${panel}`)]
  .map((one) => one.textContent).join(" ").replaceAll(/[«»]/g, "").replaceAll(/\\s+/g, " ").trim()]))"""
"""What each panel says, in the words that the translator had put in their place too."""


def goes_on_after_translation(page) -> None:
    """Assert that every panel shows another step as it would without a translator, with the page's sections open."""
    page.evaluate("() => document.querySelectorAll('#player details').forEach((section) => (section.open = true))")
    steps = []
    for step in (3, 2):
        go_to(page, step)
        steps.append(page.evaluate(WORDS, PANELS))
    page.evaluate(TRANSLATE)
    assert page.evaluate(REWRITTEN) == []
    assert page.evaluate("() => document.querySelectorAll('#player font').length") > 50, "it did translate"
    go_to(page, 3)
    page.wait_for_function(f"([panels, words]) => ({WORDS})(panels).where === words", arg=[PANELS, steps[0]["where"]])
    assert page.evaluate(WORDS, PANELS) == steps[0]
    changed = [panel for panel in PANELS if steps[0][panel] != steps[1][panel]]
    assert len(changed) >= 10, changed
