"""A step redrawn at another temperature or k: the page shows what a run does, says that it is no run, and leads back."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from ersd.rerun import ranks_of
from visual.payload.messages import recording
from visual.server.pairs import EMBEDDED

from .browser import PATIENCE
from .driver import DARK, choose_method, generate, go_to, replay, wait_for, wait_for_text
from .test_everyone import violations

PROMPT = "Once upon a time there was a little girl named"
BOX = ".ersd-redraw"
TEXT = "[...document.querySelectorAll('#player-text .ersd-token:not(.replaced, .later){}')].map((one) => one.textContent).join('')"


@pytest.fixture(scope="module")
def trace(pair) -> ersd.Trace:
    run = ersd.run(pair, PROMPT, ersd.Settings(draft_tokens=8, temperature=0.8, max_new_tokens=24, seed=12))
    return replace(run, ranks=ranks_of(pair, run))


def turn(page, name: str, stop: int) -> dict[str, str]:
    """Move a slider to a stop; the data of the box."""
    page.locator(f"{BOX} [data-of={name}] input").evaluate(
        "(slider, stop) => { slider.value = stop; slider.dispatchEvent(new Event('input', { bubbles: true })); }", stop
    )
    page.wait_for_function("() => document.querySelector('.ersd-player').classList.contains('redrawn')")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    return page.evaluate(f"({{ ...document.querySelector('{BOX}').dataset }})")


def shown(page) -> str:
    """What the step writes, as it would be."""
    return page.evaluate(TEXT.format(":is(.redrawn)"))


def test_what_is_shown_is_what_the_run_then_does(page, trace):
    replay(page, recording(trace, "", EMBEDDED))
    go_to(page, 1)
    page.click(".ersd-redraw-open")
    page.wait_for_function("() => document.activeElement.type === 'range'", timeout=PATIENCE)
    assert page.evaluate(TEXT.format(".redrawn")) == "", "it begins as recorded"
    own = "".join(one.text for one in trace.steps[0].emitted)
    is_another = (turn(page, "temperature", stop)["certain"] == "true" and shown(page) not in ("", own) for stop in range(20))
    assert any(is_another), "at some temperature another text is certain"
    expected = shown(page)
    wait_for_text(page, "#player-headline", "What if")
    for is_dark in (False, True):
        page.evaluate(DARK, is_dark)
        assert violations(page, "#player") == []
    page.evaluate(DARK, False)
    assert page.inner_text(f"{BOX} .ersd-redraw-tag") == "What if, step 1"
    for part in ("#player-stats", "#player-exact", ".ersd-below"):
        assert not page.is_visible(f"#player {part}" if part[0] == "." else part), "figures of the run are not beside it"
    temperature = float(page.inner_text(f"{BOX} [data-of=temperature] output"))
    page.click(".ersd-redraw-run")
    wait_for(page, "done")
    go_to(page, 1)
    assert page.evaluate(TEXT.format("")) == expected
    assert float(page.input_value("#temperature input[type=number]")) == temperature


def test_one_key_leads_back_to_the_recording(page, trace):
    replay(page, recording(trace, "", EMBEDDED))
    go_to(page, 1)
    before = page.inner_text("#player-headline"), page.inner_text("#player-text")
    page.click(".ersd-redraw-open")
    turn(page, "k", 0)
    assert int(page.get_attribute(BOX, "data-tokens")) <= 2
    assert page.inner_text("#player-headline").startswith("What if")
    page.keyboard.press("Escape")
    page.wait_for_selector(BOX, state="hidden", timeout=PATIENCE)
    assert (page.inner_text("#player-headline"), page.inner_text("#player-text")) == before
    page.wait_for_function("() => document.activeElement.className === 'ersd-redraw-open'", timeout=PATIENCE)
    page.click(".ersd-redraw-open")
    turn(page, "k", 1)
    go_to(page, 2)
    assert not page.is_visible(BOX), "another step is shown as it was"


def test_other_runs_say_why_not(page):
    choose_method(page, "standard")
    generate(page, max_new_tokens=8, temperature=1)
    page.click(".ersd-redraw-open")
    page.wait_for_function("box => document.querySelectorAll(`${box} input:disabled`).length === 2", arg=BOX)
    assert "only shared races can be redrawn" in page.inner_text(f"{BOX} [data-of=temperature]")
    page.click(".ersd-redraw-back")
    choose_method(page, "ERSD sequence")
    generate(page, max_new_tokens=8, temperature=0)
    page.click(".ersd-redraw-open")
    page.wait_for_function("box => document.querySelectorAll(`${box} input:disabled`).length === 2", arg=BOX)
    assert "at temperature 0" in page.inner_text(f"{BOX} [data-of=temperature]")


def test_a_saved_file_redraws_without_a_server(browser, trace, tmp_path):
    trace.save(tmp_path / "run.html")
    page = browser.new_page()
    page.goto(f"file://{tmp_path}/run.html?step=1")
    page.wait_for_selector("#player[data-step='1']", timeout=PATIENCE)
    page.click(".ersd-redraw-open")
    assert not page.is_visible(".ersd-redraw-run"), "nothing can run it here"
    tokens = {turn(page, "k", stop)["tokens"] for stop in range(8)}
    assert len(tokens) > 1
    page.close()
