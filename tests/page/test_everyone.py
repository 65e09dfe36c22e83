"""For everyone: axe-core finds nothing serious, everything is reached and seen with the keyboard, and pictures and steps are read out."""

from __future__ import annotations

import os

import pytest

import ersd
from tests.visual.fakes import race_step, trace
from visual.payload.messages import recording

from .browser import ROOT
from .driver import DARK, data, generate, press_to, replay, wait_for_step
from .reading import show_vertex

AXE = ROOT / ".ci" / "node_modules" / "axe-core" / "axe.min.js"
SETTLED = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  const ends = (one) => one.playState === "running" && one.effect.getComputedTiming().endTime < Infinity;
  const running = document.getAnimations().filter(ends);
  await Promise.allSettled(running.map((one) => one.finished));
}"""
"""Waits until nothing fades any more: colours half-way have less contrast."""
VIOLATIONS = """async (part) => (await axe.run(part, { resultTypes: ["violations"] })).violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`))"""
RUNS = {
    "race": {"draft_tokens": 16},
    "many": {"topology": "batch", "draft_tokens": 64},
    "coins": {"algorithm": "gsd_wor", "topology": "specinfer", "branching": (4, 2, 1)},
    "block": {"algorithm": "block", "topology": "sequence", "draft_tokens": 5},
    "biased": {"algorithm": "lossy", "topology": "sequence", "leniency": 0.4, "draft_tokens": 4},
}
FOCUS = """() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  const name = element.id || element.getAttribute("aria-label") || element.textContent.trim().slice(0, 20) || element.className;
  return [name, element.tagName, outlineStyle !== "none" && parseFloat(outlineWidth) >= 2, width > 0 && height > 0];
}"""
ANNOUNCED = "() => document.querySelector('#player .ersd-announcer').textContent"


def violations(page, part: str = "html") -> list[str]:
    """What axe-core finds serious in a part of a page, once nothing fades any more."""
    if not AXE.exists() and os.environ.get("CI") != "true":
        pytest.skip("axe-core is not installed: npm ci --prefix .ci")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate(SETTLED)
    return page.evaluate(VIOLATIONS, part)


def test_axe_finds_nothing_serious(open_page, pair):
    page = open_page("?__theme=light")
    assert violations(page) == []
    for is_dark, names, tab, part in (
        (False, ("race", "coins", "biased"), "compare", "#compare .ersd-lane"),
        (True, ("many", "block"), "gallery", ".gallery button"),
    ):
        page.click("#tab-generate")
        page.evaluate(DARK, is_dark)
        for name in names:
            replay(page, recording(ersd.run(pair, "Once upon a time", ersd.Settings(max_new_tokens=12, **RUNS[name])), "recorded"))
            assert violations(page, "#player") == [], name
        page.click(f"#tab-{tab}")
        page.wait_for_selector(part)
        assert violations(page) == [], tab
    page.click("#tab-generate")
    assert violations(page) == []


def test_every_control_shows_that_it_has_the_focus(page):
    page.wait_for_selector("#player-tree .js-plotly-plot .point")
    page.focus("#prompt textarea")
    names = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name, tag, is_outlined, is_there = page.evaluate(FOCUS)
        if tag == "BODY":
            break
        names.append(name)
        assert is_outlined, name
        assert is_there, name
    controls = ["generate", "copy-link", "player-text", "Play", "Speed", "player-tree"]
    assert sorted(name for name in names if name in controls) == sorted(controls)


def test_up_and_down_go_from_vertex_to_vertex_and_each_is_read_out(play):
    page = play(trace(race_step()))
    assert "accepted: loved" in page.get_attribute("#player-tree > div", "aria-label")
    show_vertex(page, "player", -1)
    page.focus("#player-tree")
    # the path first: loved, the target's own swim, its sibling play; then liked and its child dog, and there is no more
    for vertex in (1, 4, 2, 0, 3, 3):
        page.keyboard.press("ArrowDown")
        page.wait_for_selector(f"#player[data-vertex='{vertex}']")
        assert page.inner_text("#player .ersd-decision-title") in page.evaluate(ANNOUNCED)
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("#player[data-vertex='0']")


def test_pictures_have_a_text_alternative(play):
    page = play(trace(race_step()))
    of_all = "() => [...document.querySelectorAll('#player .js-plotly-plot')].map((one) => one.closest('[role=img]')?.ariaLabel)"
    alternatives = page.evaluate(of_all)
    assert len(alternatives) == 2
    assert all(alternatives)
    said = "() => document.querySelector('#player .ersd-say').textContent"
    assert page.evaluate(said).replace("“", "").replace("”", "") in alternatives[1].replace("“", "").replace("”", "")


def test_a_step_gone_to_is_read_out_but_not_what_streams(page):
    assert page.get_attribute("#preview svg", "aria-label")
    page.evaluate("""() => {
      window.said = [];
      const announcer = document.querySelector("#player .ersd-announcer");
      new MutationObserver(() => said.push(announcer.textContent)).observe(announcer, { childList: true });
    }""")
    generate(page, max_new_tokens=24, draft_tokens=4)
    said = page.evaluate("() => window.said")
    assert len(said) == 3, "the settings have changed, it is generating, it is done"
    assert "24" in said[-1]
    last = int(data(page, "steps"))
    press_to(page, "ArrowLeft", last - 1)
    assert page.inner_text("#player .ersd-say") in page.evaluate(ANNOUNCED)
    wait_for_step(page, last - 1)
    live = page.evaluate("() => [...document.querySelectorAll('#player [aria-live], #player [role=status]')].map((one) => one.className)")
    assert live == ["ersd-announcer", "ersd-watermark-status", "ersd-files-note"], "else only a form and an open list answer who uses them"
