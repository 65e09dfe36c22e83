"""Find a step: every button goes to the steps it names, pressed again to the next one, and says why there is none."""

from __future__ import annotations

import ersd
from visual.payload.bookmarks import BOOKMARKS, NEAREST

from .driver import go_to_first, wait_for_step

SETTINGS = ersd.Settings(topology="tau_star", draft_tokens=8, max_new_tokens=40, seed=3)


def expected(steps) -> dict[str, list[int]]:
    """By button the steps, from 1, in the order in which they are gone to from the first step of a run."""
    decided = {step.index + 1: [visit.accepted for visit in step.walk if visit.tries] for step in steps}
    longest = max(step.accepted for step in steps)
    ranks = {step.index + 1: [step.ranks[one.vertex] for visit in step.walk for one in visit.tries if one.accepted] for step in steps}
    margins = {step.index + 1: min(visit.margin for visit in step.walk if visit.margin is not None) for step in steps}
    return {
        "all": [index for index, each in decided.items() if each and all(each)],
        "root": [index for index, each in decided.items() if each and not each[0]],
        "rescued": [index for index, each in ranks.items() if any(rank > 1 for rank in each)],
        "path": [step.index + 1 for step in steps if step.accepted == longest],
        "gap": sorted(margins, key=lambda index: margins[index])[:NEAREST],
    }


def button(page, name: str):
    return page.locator(f"#player-find [data-find={name}]")


def test_the_buttons_go_to_the_steps_they_name(play, pair):
    run = ersd.run(pair, "One day", SETTINGS)
    page = play(run)
    for name, found in expected(run.steps).items():
        assert found, f"the run has no step for {name}: take another seed"
        go_to_first(page)
        order = found if name == "gap" or found[0] > 1 else [*found[1:], found[0]]  # the first press goes on from the first step
        if name == "gap" and 1 in found:
            at = found.index(1)
            order = [*found[at + 1 :], *found[: at + 1]]
        for index in [*order, order[0]]:
            button(page, name).click()
            wait_for_step(page, index)
            place = f"{found.index(index) + 1}/{len(found)}" if len(found) > 1 else "1"
            page.wait_for_function(
                "([name, place]) => document.querySelector(`#player-find [data-find=${name}] b`).textContent === place", arg=[name, place]
            )
    assert "logits" in button(page, "gap").get_attribute("title")


PLACES = """() => [...document.querySelectorAll("#player-find button")].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [left, top + scrollY, width, height];
})"""


def test_no_button_moves_from_step_to_step(play, pair):
    trace = ersd.run(pair, "One day", ersd.Settings(topology="batch", draft_tokens=4, max_new_tokens=50, seed=3))
    page = play(trace)
    assert len(trace.steps) > 20, "counts of two digits"
    go_to_first(page)
    before = page.evaluate(PLACES)
    assert len({top for _, top, *_ in before}) == 2, "two rows"
    for step in range(2, len(trace.steps) + 1):
        page.keyboard.press("ArrowRight")
        wait_for_step(page, step)
        assert page.evaluate(PLACES) == before, step


def test_where_there_is_no_such_step_the_button_says_so(play, pair):
    page = play(ersd.run(pair, "One day", ersd.Settings(algorithm="autoregressive", max_new_tokens=6)))
    reasons = {find["id"]: find["none"] for find in BOOKMARKS}
    for name in ("all", "root", "rescued", "path"):
        assert button(page, name).is_disabled()
        assert button(page, name).get_attribute("title") == reasons[name]
    assert button(page, "gap").is_enabled()
