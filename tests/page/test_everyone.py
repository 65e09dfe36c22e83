"""For everyone: axe-core finds nothing serious, all is reached and seen with the keyboard, pictures have words, steps are read out."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.visual.fakes import race_step, trace

from .browser import ROOT, visits
from .driver import data, follow, generate, wait_for, wait_for_step
from .reading import show_vertex

AXE = ROOT / ".ci" / "node_modules" / "axe-core" / "axe.min.js"
VIOLATIONS = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map(({ target, any }) => `${id}: ${target.join(" ")} ${any[0]?.message ?? ""}`))"""
RUNS = {
    "race": {"method": "ERSD τ*", "draft_tokens": 16},
    "many": {"method": "ERSD batch", "draft_tokens": 64},
    "coins": {"method": "RSD", "branching": "4,2,1"},
    "block": {"method": "block", "draft_tokens": 5},
    "biased": {"algorithm": "lossy", "topology": "sequence", "leniency": 0.4},
}
FOCUS = """() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  const name = element.id || element.getAttribute("aria-label") || element.textContent.trim().slice(0, 20) || element.className;
  return [name, element.tagName, outlineStyle !== "none" && parseFloat(outlineWidth) >= 2, width > 0 && height > 0];
}"""
ANNOUNCED = "() => document.querySelector('#player .ersd-announcer').textContent"


@pytest.fixture(scope="module")
def page(browser, address) -> Iterator:
    with visits(browser) as visit:
        yield visit(address)


# "many" is a race once more, and "biased" has the coins of "coins": their own marks are seen in one theme each
@pytest.mark.parametrize(
    ("theme", "name"),
    [(theme, name) for theme in ("light", "dark") for name in RUNS if (theme, name) not in (("light", "many"), ("dark", "biased"))],
)
def test_axe_finds_nothing_serious(open_page, theme, name):
    if not AXE.exists() and os.environ.get("CI") != "true":
        pytest.skip("axe-core is not installed: npm ci --prefix .ci")
    query = "&".join(f"{field}={value}" for field, value in RUNS[name].items())
    page = open_page(f"?__theme={theme}&max_new_tokens=12&{query}")
    page.wait_for_selector("#player-tree .js-plotly-plot .point")
    follow(page, "as fast as it comes")
    wait_for(page, "done", "error")  # the run of the link
    page.evaluate("document.querySelector('#player [data-go=last]').click()")
    wait_for_step(page, int(data(page, "steps")))
    page.wait_for_selector("#player[data-phase=text]")  # what is not told yet cannot have the focus
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(VIOLATIONS) == []


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
    controls = ["generate", "stop", "copy-link", "Play", "Speed", "player-text", "player-tree"]
    assert [name for name in names if name in controls] == [*controls[:3], "player-text", *controls[3:5], "player-tree"]


def test_up_and_down_go_from_vertex_to_vertex_and_each_is_read_out(play):
    page = play(trace(race_step()))
    assert page.get_attribute("#player-tree > div", "aria-label") == (
        "Draft tree: 4 tokens on 2 levels; accepted: ␣loved; then ␣swim, the target’s own."
    )
    show_vertex(page, "player", -1)
    page.focus("#player-tree")
    # lane by lane: ␣liked with ␣dog behind it, ␣loved with ␣play, the target's own; then there is no more
    order = [(0, "␣liked"), (3, "␣liked"), (1, "Race after “Once she loved”"), (2, "␣play"), (4, "␣swim"), (4, "␣swim")]
    for vertex, title in order:
        page.keyboard.press("ArrowDown")
        page.wait_for_selector(f"#player[data-vertex='{vertex}']")
        assert page.inner_text("#player .ersd-race-title").split(" in the ")[0] == title
        assert title in page.evaluate(ANNOUNCED)
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => document.querySelector('.ersd-race-title').innerText.startsWith('␣play in')")


def test_pictures_have_words(page):
    wait_for_step(page, int(data(page, "step")))
    of_all = "() => [...document.querySelectorAll('#player .js-plotly-plot')].map((one) => one.closest('[role=img]')?.ariaLabel)"
    alternatives = page.evaluate(of_all)
    assert len(alternatives) == 3
    assert all(alternatives)
    assert page.inner_text("#player .ersd-say") in [words for words in alternatives if ". " in words][-1]
    assert page.get_attribute("#preview svg", "aria-label")


def test_a_step_gone_to_is_read_out_but_not_what_streams(page):
    page.evaluate("""() => {
      window.said = [];
      const announcer = document.querySelector("#player .ersd-announcer");
      new MutationObserver(() => said.push(announcer.textContent)).observe(announcer, { childList: true });
    }""")
    generate(page, max_new_tokens=24, draft_tokens=4)
    wait_for_step(page, int(data(page, "steps")))
    said = page.evaluate("() => window.said")
    assert [" ".join(words.split()[:2]) for words in said] == ["The settings", "Generating …", "Done: 24"]
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, int(data(page, "steps")) - 1)
    assert page.inner_text("#player .ersd-say") in page.evaluate(ANNOUNCED)
    live = page.evaluate("() => [...document.querySelectorAll('#player [aria-live], #player [role=status]')].map((one) => one.className)")
    assert live == ["ersd-announcer"], "nothing else speaks by itself"
