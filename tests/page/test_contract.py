"""The page contract: ids and data attributes that scripts and other checks use."""

from __future__ import annotations

from visual.ui.tabs import TABS

from .driver import data, generate, setup, state

FORM = "prompt method algorithm topology draft-tokens temperature top-k top-p max-new-tokens seed models generate stop copy-link preview"
PLAYER = "player player-text player-tree player-race player-timeline player-stats player-exact player-speedup follow what-if"
COMPARE = "compare-generate compare-1 compare-2 compare-3 compare-table"
IDS = "() => [...document.querySelectorAll('[id]')].map((one) => one.id)"


def test_every_id_of_the_contract_is_on_the_page_once(page):
    page.click("#tab-compare")
    page.wait_for_selector("#compare-3[data-state]")
    ids = page.evaluate(IDS)
    for name in (*FORM.split(), *PLAYER.split(), *COMPARE.split(), *(f"tab-{tab}" for tab in TABS)):
        assert ids.count(name) == 1, name
    page.click("#tab-generate")


def test_player_badge_speed_up_and_what_if_carry_their_values(page):
    assert state(page) == "idle"
    setup(page, prompt="Once upon a time")
    generate(page, max_new_tokens=12, draft_tokens=4, seed=1)
    steps = int(data(page, "steps"))
    assert steps > 1
    assert (state(page), data(page, "step"), data(page, "phase")) == ("done", str(steps), "text")
    assert page.get_attribute("#player-exact", "data-exact") == "same-text"
    assert float(page.get_attribute("#player-speedup", "data-value")) > 0
    assert page.get_attribute("#what-if", "data-calls") == str(steps)
    assert page.get_attribute("#what-if", "data-tokens") == "12"
    generate(page, seed=-1)
    assert (state(page), data(page, "steps")) == ("error", str(steps)), "what is on the screen stays"
