"""What is not seen stands still, and what is taken out of the page leaves nothing behind."""

from __future__ import annotations

import pytest

from .driver import data, wait_for_step

FRAMES = """async () => {
  const real = window.requestAnimationFrame;
  const next = () => new Promise((resolve) => real.call(window, resolve));
  for (let frame = 0; frame < 3; frame += 1) await next(); // the page has noticed its size
  let asked = 0;
  window.requestAnimationFrame = (run) => {
    asked += /(?:clock|picture|frame_loop)\\.js/.test(new Error().stack);
    return real.call(window, run);
  };
  for (let frame = 0; frame < 10; frame += 1) await next();
  window.requestAnimationFrame = real;
  return asked;
}"""
"""How many frames our scripts, not Gradio's, ask for during ten."""
RECORD = """(() => {
  const left = (window.ersdLeft = []);
  const modules = /(?:player|clock|pictures|glossary|session|board|results|marks|lab|curves|learn|guess)\\.js/;
  const own = () => {
    const { stack } = new Error();
    return stack.includes("keyboard.js") ? undefined : modules.exec(stack)?.[0]; // the page has its keys once
  };
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (name, listener, options) {
    const module = own();
    const record = { what: `${name} in ${module}`, target: this, isLeft: () => !options?.signal?.aborted };
    if (module && !(this instanceof AbortSignal)) left.push(record);
    return listen.call(this, name, listener, options);
  };
  for (const kind of ["MutationObserver", "ResizeObserver"]) {
    const Kind = window[kind];
    window[kind] = class extends Kind {
      constructor(...given) {
        super(...given);
        const module = own();
        this.isLeft = true;
        if (module) left.push({ what: `${kind} in ${module}`, isLeft: () => this.isLeft });
      }
      disconnect() {
        this.isLeft = false;
        super.disconnect();
      }
    };
  }
})()"""
"""Remembers listeners and observers of the parts of the page. Those of an element that is gone are gone with it."""
LEFT = """() => [...new Set(ersdLeft.filter(({ target, isLeft }) => (
  isLeft() && (target === undefined || !(target instanceof Node) || target.isConnected)
)).map(({ what }) => what))].sort()"""
REMOVE = """() => {
  const parts = ".ersd-player, .ersd-board, .ersd-results, .ersd-lab, .ersd-curves, .ersd-learn";
  for (const part of document.querySelectorAll(parts)) part.remove();
}"""
PARTS = {
    "generate": "#player .ersd-player", "compare": ".ersd-board", "lab": "#lab .ersd-lab", "curves": ".ersd-curves", "learn": ".ersd-learn",
}  # fmt: skip


@pytest.fixture
def recorded(browser, address):
    page = browser.new_page()
    page.add_init_script(RECORD)
    page.goto(address)
    yield page
    page.close()


def test_a_part_that_is_removed_leaves_no_listener_and_no_observer(recorded):
    for tab, part in PARTS.items():
        recorded.click(f"#tab-{tab}")
        recorded.wait_for_selector(f"{part} ersd-lifetime", state="attached")
    assert len(recorded.evaluate(LEFT)) > 10, "it does record"
    recorded.evaluate(REMOVE)
    recorded.wait_for_function("() => document.querySelectorAll('ersd-lifetime').length === 0")
    assert recorded.evaluate(LEFT) == []


def test_nothing_plays_in_a_closed_tab_of_the_page(open_page):
    page = open_page()
    wait_for_step(page, int(data(page, "step")))
    page.press("#player .ersd-player", "Home")
    wait_for_step(page, 1)
    page.click("#player [data-go=play]")
    assert page.evaluate(FRAMES) > 0, "it plays"
    page.click("#tab-gallery")
    page.wait_for_selector("#player", state="hidden")
    step = data(page, "step")
    assert page.evaluate(FRAMES) == 0
    assert data(page, "step") == step
    page.click("#tab-generate")
    page.wait_for_selector("#player", state="visible")
    assert page.evaluate(FRAMES) > 0, "it goes on"
