"""Playback goes at the speed that was chosen, and changes it while it goes. The page's clock is wound by hand."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.visual.fakes import coin_step, race_step, trace

from .driver import data, go_to_first, wait_for_step

STEPS = 40


@pytest.fixture
def page(play):
    """A recorded run of many steps, at its first; the clock stands still."""
    page = play(trace(*[race_step(), coin_step()] * (STEPS // 2)))
    page.click("#player [data-go=last]")
    wait_for_step(page, STEPS)
    go_to_first(page)
    page.check("#player .ersd-whole input")
    page.clock.install(time=datetime(2026, 1, 1))
    page.clock.pause_at(datetime(2026, 1, 1, 1))
    return page


def _steps_in(page, seconds: int) -> int:
    """How many steps playback goes in this time, let pass a little at a time: drawing needs moments between the beats."""
    before = int(data(page, "step"))
    for _ in range(seconds * 20):
        page.clock.run_for(50)
    return int(data(page, "step")) - before


def test_playback_goes_at_the_speed_chosen_and_ends_at_the_last_step(page):
    play = "#player [data-go=play]"
    page.click(play)
    assert abs(_steps_in(page, 4) - 4) <= 1
    page.select_option("#player .ersd-speed select", "0.5")
    assert abs(_steps_in(page, 4) - 2) <= 1
    page.select_option("#player .ersd-speed select", "8")
    assert abs(_steps_in(page, 2) - 16) <= 1
    page.click(play)
    _steps_in(page, 1)  # what was under way is drawn
    assert _steps_in(page, 1) == 0, "paused"
    page.click(play)
    _steps_in(page, STEPS // 8 + 1)
    assert data(page, "step") == str(STEPS)
    assert page.get_attribute(play, "aria-label") == "Play"
    page.click(play)
    _steps_in(page, 1)
    assert 2 <= int(data(page, "step")) < STEPS, "at the end it begins anew"
