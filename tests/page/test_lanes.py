"""Where the time goes: the sums agree with the figures of the steps, the section follows the step, and says what it does not know."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ersd
from visual.export.document import html
from visual.payload.messages import recording

from .browser import PHONE, WIDE_PROJECTOR, visits
from .driver import DARK, go_to, replay
from .test_everyone import violations

RECORDED = Path(__file__).resolve().parents[2] / "assets" / "recorded"
SECTION = "#player .ersd-lanes"


def run(name: str = "first-look.json") -> ersd.Trace:
    return ersd.Trace.from_json((RECORDED / name).read_text(encoding="utf-8"))


def unfold(page) -> None:
    page.locator(SECTION).evaluate("(section) => { section.open = true; }")
    page.wait_for_selector(f"{SECTION} .ersd-lanes-headline")


def texts(page, selector: str) -> list[str]:
    return page.locator(f"{SECTION} {selector}").all_text_contents()


def ms_of(step: ersd.Step) -> list[float]:
    """The times of a step as they are printed."""
    return [round(ms, 1) for ms in (step.draft_ms, step.target_ms, step.verify_ms)]


def test_it_follows_the_step_and_its_sums_are_those_of_the_steps(play):
    trace = run()
    page = play(trace)
    assert not page.locator(SECTION).evaluate("(section) => section.open")
    unfold(page)
    for number, shown in ((8, range(6, 11)), (1, range(2, 7)), (len(trace.steps), range(len(trace.steps) - 4, len(trace.steps) + 1))):
        go_to(page, number)
        page.wait_for_selector(f"{SECTION}[data-steps='{' '.join(map(str, shown))}']")
        steps = [trace.steps[one - 1] for one in shown]
        draft, verify, accept = (sum(column) for column in zip(*map(ms_of, steps), strict=True))
        written = texts(page, ".ersd-lanes-note")[0]
        assert f"draft {draft:.1f} + verify {verify:.1f} + accept {accept:.1f} = {draft + verify + accept:.1f} ms" in written
        calls = sum(step.draft_calls for step in steps)
        over_calls, per_call = map(float, re.search(rf"{draft:.1f} ÷ (\d+) = ([\d.]+) ms a draft call", written).groups())
        assert over_calls == calls
        assert per_call == pytest.approx(draft / calls, abs=0.0051)
        tokens, alone, plain, over, under, factor = map(
            float, re.search(r"(\d+) tokens · ([\d.]+) = ([\d.]+) ms; ([\d.]+) ÷ ([\d.]+) = ([\d.]+\d)", written).groups()
        )
        assert tokens == sum(len(step.emitted) for step in steps)
        assert plain == over == pytest.approx(tokens * alone, abs=0.051)
        assert factor == pytest.approx(over / under, abs=0.0051)
        assert texts(page, ".ersd-lane:not(.predrafted) .verify b") == [f"+{len(step.emitted)}" for step in steps]
        assert texts(page, ".predrafted .verify b") == [f"+{len(step.emitted)}" for step in steps]
        assert ["".join(one.split()) for one in texts(page, ".ersd-lanes-words p")] == [
            "".join("".join(e.text for e in step.emitted).split()) for step in steps
        ]
        assert page.locator(f"{SECTION} .ersd-lane:not(.predrafted) .call").count() == sum(step.draft_calls for step in steps)
        assert ("Step 1 also reads the prompt" in written) == (number == 1)
    whole = page.inner_text("#player .ersd-factor")
    assert re.search(r"[\d.]+×", whole)[0] in texts(page, ".ersd-lanes-end small")[0]
    assert texts(page, ".ersd-lanes-headline")[0].startswith(re.search(r"[\d.]+×", whole)[0])


def test_of_a_race_the_lanes_with_a_draft_ahead_add_up(play):
    trace = run()
    page = play(trace)
    unfold(page)
    go_to(page, 8)
    page.wait_for_selector(f"{SECTION} .predrafted")
    marks = texts(page, ".ersd-lanes-marks span")
    assert [re.sub(r"\D+", "", mark) for mark in marks] == ["6", "7", "8", "9", "10"]
    signs = [mark[0] for mark in marks]
    assert set(signs) <= {"✓", "✕"}
    note = texts(page, ".ersd-lanes-note")[0]
    wait, verify, accept, total = map(float, re.search(r"wait ([\d.]+) \+ verify ([\d.]+) \+ accept ([\d.]+) = ([\d.]+) ms", note).groups())
    assert wait + verify + accept == pytest.approx(total)
    assert f"{total} ms" in texts(page, ".ersd-lanes-end.ahead b")[0]
    steps = trace.steps[5:10]
    anew = sum(round(step.draft_ms, 1) for step, sign in zip(steps, signs, strict=True) if sign == "✕")
    assert wait > anew - 0.051, "and perhaps the rest of what was prepared too late"
    calls = sum(step.draft_calls for step, sign in zip(steps, signs, strict=True) if sign == "✕")
    assert page.locator(f"{SECTION} .predrafted .call").count() == calls
    assert "With a second device" in texts(page, ".ersd-guesses-headline")[0]


def test_where_drafting_is_slower_the_end_says_so(play):
    page = play(run("gallery/long-chain.json"))
    unfold(page)
    go_to(page, 5)
    assert texts(page, ".ersd-lanes-headline")[0].startswith("Slower than without a draft")
    assert "▼" in texts(page, ".ersd-lanes-end.slower span")[0]
    assert set(texts(page, ".ersd-lane.plain b")) == {"+1"}, "with coins the text without a draft is another"
    assert not page.locator(f"{SECTION} .predrafted").count(), "and the draft cannot know what follows"
    pays = page.locator(f"{SECTION} .ersd-guesses .bars .pays").count()
    rows = [row.locator("td").all_text_contents() for row in page.locator(f"{SECTION} .ersd-guesses tr").all()]
    prices = dict(zip(texts(page, ".ersd-guesses-prices span"), texts(page, ".ersd-guesses-prices b"), strict=True))
    call, verify, _, choose = (float(price.split()[0]) for price in prices.values())
    for adds, costs in zip(*(map(float, rows[place][:4]) for place in (2, 4)), strict=True):  # a chain of up to 5 tokens to verify
        assert call + verify + adds * choose == pytest.approx(costs, abs=0.1), "what a guess costs is the sum of the prices"
    assert f"stop paying at k = {pays + 1}:" in texts(page, ".ersd-guesses-headline")[0]


def test_what_cannot_be_known_is_said(play, pair):
    page = play(run("gallery/block.json"))
    unfold(page)
    assert "decides about all its guesses together" in texts(page, ".ersd-guesses-headline")[0]
    assert not page.locator(f"{SECTION} .ersd-guesses table").count()
    page = play(ersd.run(pair, "Once upon a time", ersd.Settings("autoregressive", max_new_tokens=7)))
    unfold(page)
    assert texts(page, ".ersd-lanes-headline") == ["This run has no draft: every step is one target call for one token."]
    assert not page.locator(f"{SECTION} :is(.call, .plain, .ersd-guesses)").count()


@pytest.mark.parametrize("name", ["first-look.json", "gallery/large-tree.json"])
def test_it_fits_every_screen(open_page, name):
    page = open_page("", **PHONE)
    replay(page, recording(run(name), "recorded"))
    go_to(page, 3)
    unfold(page)
    for is_dark in (True, False):
        page.evaluate(DARK, is_dark)
        assert violations(page, SECTION) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size(WIDE_PROJECTOR)
    page.click(".present-button")
    page.wait_for_function("() => document.documentElement.dataset.view === 'lecture'")
    written = "(all) => all.map((one) => one.innerText.trim().replace('step ', ''))"
    numbers = page.locator(f"{SECTION} .ersd-lanes-numbers:not(.ersd-lanes-marks) > span").evaluate_all(written)
    assert numbers == page.get_attribute(SECTION, "data-steps").split(), "large letters leave room for the number alone"
    box = page.locator(f"{SECTION} .ersd-lanes-field").bounding_box()
    assert box["y"] + box["height"] < WIDE_PROJECTOR["height"], "the lanes stand on the screen without scrolling"
    assert not page.locator("#player-tree").is_visible()
    page.click(f"{SECTION} summary")
    page.wait_for_function("() => document.querySelector('#player-tree').checkVisibility({ visibilityProperty: true })")
    assert not page.locator(SECTION).is_visible()


def test_a_saved_file_has_it_too(browser, tmp_path):
    (tmp_path / "run.html").write_text(html(run()), encoding="utf-8")
    with visits(browser) as visit:
        page = visit(tmp_path.as_uri(), "run.html")
        page.wait_for_selector("#player[data-step]")
        page.click(f"{SECTION} summary")
        page.wait_for_selector(f"{SECTION} .ersd-guesses table")
        assert len(texts(page, ".verify b")) == len(texts(page, ".predrafted .verify b")) + 5 == 10
