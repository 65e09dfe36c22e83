"""What if: the browser cuts the text of a run as real runs with other trees do, step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from ersd.theory.speed import speedup
from ersd.trace.rank_sequence import static_topologies
from visual.payload.sentences.names import topology_name

from .driver import choose, choose_method, data, generate, press_generate, setup, wait_until_under_way
from .reading import numbers_in

PROMPT = "Once upon a time there was a little girl named"
CARD = "#what-if"
RUN = ersd.Settings(max_new_tokens=40, draft_tokens=12)


def unfold(page) -> None:
    page.locator(CARD).evaluate("(section) => (section.open = true)")


def card(page) -> dict[str, str]:
    return page.evaluate(f"({{ ...document.querySelector('{CARD}').dataset }})")


def turn(page, name: str, value: float) -> None:
    """Move a slider."""
    page.locator(f"{CARD} .ersd-{name}").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def shown_steps(page) -> list[int]:
    """The tokens of every step below the text."""
    return page.locator(f"{CARD} .ersd-cut-step").evaluate_all("(steps) => steps.map((step) => step.children.length)")


def test_the_page_answers_as_real_runs_do(page, pair):
    """How the browser cuts is compared with Python for many texts and trees in `tests/web`."""
    unfold(page)
    choose_method(page, "ERSD batch")
    generate(page, prompt=PROMPT, temperature=1, seed=3, max_new_tokens=RUN.max_new_tokens, draft_tokens=RUN.draft_tokens)
    run = replace(RUN, seed=3, topology="batch")
    assert card(page)["topology"] == run.topology, "it begins at the run itself"
    assert card(page)["calls"] == data(page, "steps")
    for topology in static_topologies():
        page.select_option(f"{CARD} .ersd-topology", topology)
        if topology != "specinfer":  # its branching gives the size
            turn(page, "k", 31)
        other = replace(run, topology=topology, draft_tokens=31)
        steps, shown = list(ersd.generate(pair, PROMPT, other, record=False)), card(page)
        assert (int(shown["calls"]), int(shown["tokens"])) == (len(steps), sum(map(len, steps))), topology
        assert int(shown["k"]) == other.vertices
        assert shown_steps(page) == list(map(len, steps))
    gaps = page.locator(f"{CARD} .ersd-cut-step").evaluate_all(
        "(steps) => steps.filter((step) => /^\\S/.test(step.textContent) && getComputedStyle(step).marginLeft !== '0px').length"
    )
    assert gaps == 0, "no gap between a word and its punctuation"
    page.select_option(f"{CARD} .ersd-topology", "tau_star")
    of_the_run = "[...document.querySelectorAll('#player-text .ersd-token')].map((one) => one.textContent).join('')"
    assert page.text_content(f"{CARD} .ersd-cut-text") == page.evaluate(of_the_run)


def test_its_speed_up_is_that_of_the_formula_and_of_the_runs_own_section(page):
    unfold(page)
    choose_method(page, "ERSD τ*")
    generate(page, prompt=PROMPT, temperature=1, seed=1, max_new_tokens=30, draft_tokens=8)
    page.click("#player-speed-details summary")
    labels = page.locator(f"{CARD} .ersd-presets button").all_inner_texts()
    assert page.inner_text(f"{CARD} .ersd-presets [aria-pressed=true]") == labels[0], "it begins with the costs of this machine"
    begun = page.inner_text(f"{CARD} [data-shows=speedup]"), page.inner_text(f"{CARD} [data-shows=formula]")
    shown = "#player-speed-details .ersd-other", "#player-speed-details .ersd-formula"
    assert begun == (page.inner_text(shown[0]).removesuffix(" expected"), page.inner_text(shown[1])), "as in the run's own section"
    turn(page, "cost", 30)
    per_call, ratio, levels, again = map(float, numbers_in(page.inner_text(f"{CARD} [data-shows=formula]")))
    assert (ratio, again) == (30, 30)
    assert float(card(page)["speedup"]) == pytest.approx(speedup(per_call, 30, levels), rel=1e-12)
    for index in (2, 0):
        page.click(f"{CARD} .ersd-presets button >> nth={index}")
        page.select_option("#player-speed-details select", label=labels[index])
        factor = page.inner_text(f"{CARD} [data-shows=speedup]")
        assert page.text_content("#player-speed-details .ersd-other") == f"{factor} expected"
        assert page.inner_text(f"{CARD} [data-shows=formula]") == page.text_content("#player-speed-details .ersd-formula")


def test_it_is_offered_only_for_static_trees_after_a_whole_run_of_ersd(page):
    dynamic = page.locator(f"{CARD} option", has_text=topology_name("dynamic"))
    assert dynamic.get_attribute("disabled") is not None
    assert "clocks" in dynamic.get_attribute("title")
    unfold(page)
    choose_method(page, "standard")
    generate(page, max_new_tokens=8)
    assert card(page)["offered"] == "false"
    assert "calls" not in card(page)
    assert not page.is_visible(f"{CARD} .ersd-k")
    choose_method(page, "ERSD τ*")
    choose(page, "source", "the target’s first layers")
    generate(page, max_new_tokens=8)
    assert card(page)["offered"] == "false"
    assert "first layers: its map is learned between steps" in page.inner_text(f"{CARD} .ersd-why-not")
    choose(page, "source", "frequent tokens")
    generate(page, max_new_tokens=8)
    page.wait_for_selector(f"{CARD}[data-offered=true]")
    choose(page, "source", "the draft model")


def test_a_run_that_was_stopped_has_no_whole_text_to_cut(page, unhurried):
    choose_method(page, "ERSD sequence")
    setup(page, max_new_tokens=480, draft_tokens=4)
    press_generate(page)
    wait_until_under_way(page)
    page.click("#stop")
    page.wait_for_selector("#player[data-state=stopped]")
    assert "calls" not in card(page)
    assert page.inner_text(CARD)
