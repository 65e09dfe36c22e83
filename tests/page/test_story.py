"""The story of a step on the page: headline, stepper, figures and timeline in every phase, and nothing before its time."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from ersd.costs import Costs
from ersd.formatting import decimal
from ersd.trace.model import Trace

from .browser import ROOT
from .driver import go_to, receive, wait_for_phase, wait_for_text

COSTS = Costs(target_1_ms=2.6, target_5_ms=3.4, target_17_ms=7.8, choice_ms=0.2, draft_ms=0.55)
STEP = 8
PHASES = ("draft", "score", "walk", "text")


@pytest.fixture(scope="module")
def run() -> Trace:
    path: Path = ROOT / "assets" / "recorded" / "first-look.json"
    return replace(Trace.from_json(path.read_text(encoding="utf-8")), costs=COSTS)


def headline(page) -> str:
    return page.inner_text("#player-headline")


def shown(page, selector: str) -> list[str]:
    """The texts of the elements that can be seen."""
    return [one.inner_text() for one in page.locator(selector).all() if one.is_visible()]


def test_a_finished_step_is_told_with_the_figures_of_the_whole_run(play, run):
    page = play(run)
    go_to(page, STEP)
    step = run.steps[STEP - 1]
    accepted = "".join(one.text for one in step.emitted if one.source == "draft").strip()
    own = step.emitted[-1].text.strip()
    count = len(step.emitted)
    assert headline(page) == f"{count} tokens from one call: the draft guessed ✓{accepted} and the target added ★{own}"
    assert page.inner_text("#player .ersd-where").split() == ["Step", str(STEP), "of", str(len(run.steps))]
    assert page.inner_text("#player-stats .ersd-value") == decimal(len(run.token_ids) / len(run.steps))
    assert page.inner_text("#player-stats .ersd-per-call .ersd-scope") == "one text"
    total, alone = (float(page.inner_text(f"#player-speedup .{name}").removesuffix(" ms")) for name in ("ersd-ms", "ersd-alone-ms"))
    assert total == round(sum(round(ms, 1) for ms in (step.draft_ms, step.target_ms, step.verify_ms)), 1)
    own_factor = page.inner_text("#player-speedup .ersd-step-factor")  # none if this one call took an unusual time
    assert not own_factor or own_factor == "1.00×" or own_factor.startswith("▼") == (alone < total), "slower is said by more than a colour"
    bars, boxes = (page.locator(f"#player-speedup .ersd-{name}").first.bounding_box()["width"] for name in ("bar", "boxes"))
    drawn = sum(part.bounding_box()["width"] for part in page.locator("#player-speedup .ersd-bar i").all())
    assert drawn / boxes == pytest.approx(total / alone, rel=0.05), "one scale"
    assert max(drawn, boxes) <= bars + 1
    assert len(shown(page, "#player-find button")) == 5
    gave, took, draft, call, check, _, _, factor, *_ = map(float, re.findall(r"\d+\.\d\d", page.inner_text("#player .ersd-reason span")))
    assert gave == float(decimal(sum(len(one.emitted) for one in run.steps[1:]) / (len(run.steps) - 1))), "of the run, not of this step"
    assert round(draft + call + check, 2) == took
    assert page.inner_text("#player-speedup .ersd-factor").endswith(f"{factor:.2f}×")
    assert decimal(gave / took) == decimal(factor)
    assert page.inner_text("#player .ersd-because") == "Why exact: the target’s own race decides."


TELL_AND_HOLD = "selectors => selectors.forEach((one) => document.querySelector(one).click())"
"""Begins a phase and holds it in the same moment, so that it lasts however long the reading takes."""


def test_nothing_is_told_before_its_time(play, run):
    page = play(run)
    go_to(page, STEP)
    finished = headline(page)
    before = run.steps[: STEP - 1]
    page.select_option("#player .ersd-speed select", "0.25")
    for phase in PHASES:
        page.evaluate(TELL_AND_HOLD, [f"#player [data-tell={phase}]", "#player [data-go=play]"])
        wait_for_phase(page, phase)
        wait_for_text(page, "#player-stats .ersd-per-call .ersd-scope", "so far")  # the last phase is also that of the finished step before
        is_told = phase == "text"
        counted = run.steps[:STEP] if is_told else before
        tokens = sum(len(step.emitted) for step in counted)
        assert (headline(page) == finished) == is_told
        assert page.inner_text("#player-stats .ersd-value") == decimal(tokens / len(counted))
        assert page.inner_text("#player-stats .ersd-per-call .ersd-scope") == f"so far, steps 1–{len(counted)}"
        assert bool(page.inner_text("#player-speedup .ersd-ms")) == is_told
        assert not shown(page, "#player-find button")
        assert not shown(page, "#player-text .later"), "text of later steps"
        if phase in ("draft", "score"):
            assert page.inner_text("#player .ersd-decision-title").startswith("Race 1:"), "a later race would give the path away"
        assert not shown(page, "#player-timeline [data-state=coming] b"), "how many steps follow is not shown either"
        assert page.get_attribute(f"#player [data-tell={phase}]", "aria-current") == "step"
        go_to(page, STEP)


def test_a_step_without_a_draft_has_no_draft_phase(play, pair):
    import ersd

    page = play(ersd.run(pair, "Once", ersd.Settings(algorithm="autoregressive", max_new_tokens=3)))
    assert page.is_disabled("#player [data-tell=draft]")
    assert "nothing was drafted, the target wrote ★" in headline(page)
    assert page.inner_text("#player .ersd-over") == "this run has no draft"


def test_the_timeline_goes_to_a_step_and_scrolls_to_the_step_in_view(play, run):
    many = replace(run, steps=(run.steps * 12)[:200])
    page = play(many)
    go_to(page, 150)
    columns = page.locator("#player-timeline .ersd-column")
    assert columns.count() == 200
    strip, here = page.locator("#player-timeline").bounding_box(), page.locator("#player-timeline [data-state=here]").bounding_box()
    assert strip["x"] <= here["x"] <= strip["x"] + strip["width"]
    assert page.locator("#player-timeline [data-state=here] > div").bounding_box()["width"] >= 6
    columns.nth(147).click()
    page.wait_for_selector("#player[data-step='148']")
    page.set_viewport_size({"width": 1440, "height": 900})


def test_an_error_takes_the_place_of_the_headline(play, run):
    page = play(run)
    receive(page, {"type": "error", "words": "This did not work.", "field": ""})
    page.wait_for_selector("#player-status[data-kind=error]")
    assert page.inner_text("#player-status").endswith("This did not work.")
    assert not page.is_visible("#player-headline")
