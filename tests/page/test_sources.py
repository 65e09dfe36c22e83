"""Where the guesses come from: the menu, and one text with every source in Compare."""

from __future__ import annotations

import warnings
from pathlib import Path

import ersd
from visual.export.document import html
from visual.payload.sentences.names import DRAWN_FROM, SOURCE_LABELS, short_source

from .browser import PHONE, visits
from .driver import DARK, choose, choose_method, data, generate, go_to, press_generate, setup, unfold, wait_for, wait_for_text
from .test_everyone import violations


def test_another_source_writes_the_same_text_and_the_run_is_named_for_it(page):
    generate(page, max_new_tokens=12, draft_tokens=4, seed=5)
    wait_for(page, "done")
    text = page.inner_text("#player-text")
    assert "n-grams" not in page.inner_text("#player .ersd-run")
    for label, named in (("n-grams (no model)", "n-grams"), ("the target’s first layers", "first layers")):
        choose(page, "source", label)
        press_generate(page)
        wait_for(page, "done")
        assert named in page.inner_text("#player .ersd-run")
        assert page.inner_text("#player-text") == text


def test_fields_of_one_source_and_one_tree_are_shown_where_they_are_used(page):
    """Elsewhere they would be refused: hidden, they have their default again."""
    unfold(page)
    tokens, price = page.locator("#frequent-tokens input"), page.locator("#price input")
    assert not tokens.is_visible()
    assert not price.is_visible()
    choose(page, "source", "frequent tokens")
    tokens.wait_for(state="visible")
    setup(page, frequent_tokens=256)
    choose(page, "topology", "dynamic tree")
    price.wait_for(state="visible")
    setup(page, price=0.2, max_new_tokens=12)
    press_generate(page)
    wait_for(page, "done")
    text = page.inner_text("#player-text")
    assert "frequent tokens" in page.inner_text("#player .ersd-run")
    choose(page, "source", "the draft model")
    tokens.wait_for(state="hidden")
    choose(page, "topology", "τ* tree")
    price.wait_for(state="hidden")
    press_generate(page)
    wait_for(page, "done")
    assert page.inner_text("#player-text") == text


def test_with_coins_the_menu_says_which_distribution_the_guesses_are_drawn_from(page):
    choose_method(page, "standard")
    for source, label in SOURCE_LABELS.items():
        choose(page, "source", label)
        wait_for_text(page, "#source", DRAWN_FROM[source])
    choose_method(page, "ERSD τ*")
    page.wait_for_function("(known) => !document.querySelector('#source').textContent.includes(known)", arg=DRAWN_FROM["routed"])
    choose(page, "source", SOURCE_LABELS["model"])


def test_a_link_fills_in_the_fields_of_its_source_and_its_run_is_of_these_settings(open_page):
    page = open_page("?source=frequent&frequent_tokens=256&max_new_tokens=8&draft_tokens=4")
    wait_for(page, "done")
    assert page.input_value("#frequent-tokens input") == "256"
    assert data(page, "stale") == "false"


def test_a_link_compares_every_source_and_an_older_one_those_that_it_names(open_page):
    page = open_page("?tab=compare&source=all&max_new_tokens=12&seed=5")
    wait_for_text(page, "#compare-status", "Finished")
    assert page.input_value("#compare-source input") == "every source of guesses"
    lanes = page.locator(".ersd-lane b").all_inner_texts()
    assert lanes[:3] == ["draft model", "n-grams", "first layers"]
    assert lanes[-1] == "no draft"
    text = page.inner_text("#compare-text .ersd-shared")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*not in the list of choices")  # where a menu does not offer its value
        page = open_page("?tab=compare&methods=ERSD τ*,ERSD τ*,ERSD τ*&source=ngram,model,exit&max_new_tokens=12&seed=5")
        wait_for_text(page, "#compare-status", "Finished")
    assert page.input_value("#compare-source input") == "methods, with n-grams, draft model, first layers"
    assert page.locator(".ersd-lane b").all_inner_texts() == ["n-grams", "draft model", "first layers"]
    assert page.inner_text("#compare-text .ersd-shared") == text


RECORDED = Path(__file__).resolve().parents[2] / "assets" / "recorded" / "gallery"
SECTION, PLACE = "#player-sources", ".setup .ersd-sources-place"


def turning() -> ersd.Trace:
    return ersd.Trace.from_json((RECORDED / "routed.json").read_text(encoding="utf-8"))


def assert_weights(page, trace: ersd.Trace, number: int, *places: str) -> None:
    """The weights before a step, the source chosen, and how often each was."""
    routing = trace.steps[number - 1].routing
    chosen = [one.routing.source for one in trace.steps[:number] if one.routing]
    for place in places:
        wait_for_text(page, f"{place} .ersd-sources-now", f"Step {number}: {short_source(routing.source)}")
        assert page.locator(f"{place} tbody b").all_inner_texts() == [f"{weight:.2f}" for weight in routing.weights.values()]
        assert page.locator(f"{place} tr.chosen th").inner_text().removeprefix("▸") == short_source(routing.source)
    counts = page.locator(f"{SECTION} tbody td:last-child").all_inner_texts()
    assert counts == [f"{chosen.count(name)} of {len(chosen)}" for name in routing.weights]
    assert f"from {short_source(routing.source)}" in page.inner_text("#player .ersd-tree-note")
    # a bar a step: of the sources together one is dark in every step up to the one in view
    bars = page.locator(f"{SECTION} svg .chosen").evaluate_all("all => all.map((one) => one.getAttribute('d').split('M').length - 1)")
    assert bars == [chosen.count(name) for name in routing.weights]


def test_the_weights_of_all_sources_are_shown_step_by_step(open_page):
    page, trace = open_page("?tab=gallery"), turning()
    page.click("#gallery-routed")
    page.wait_for_selector(f"#player[data-steps='{len(trace.steps)}']", state="attached")
    page.click(f"{SECTION} summary")
    for number in (1, 9, len(trace.steps) - 1):
        go_to(page, number)
        assert_weights(page, trace, number, SECTION, PLACE)
    # a run of another source shows nothing of it
    choose(page, "source", "n-grams (no model)")
    setup(page, max_new_tokens=12)
    press_generate(page)
    wait_for(page, "done")
    assert not page.locator(SECTION).is_visible()
    assert not page.locator(PLACE).is_visible()


def test_the_weights_play_in_a_saved_file_and_fit_every_screen(browser, tmp_path):
    trace = turning()
    (tmp_path / "run.html").write_text(html(trace), encoding="utf-8")
    with visits(browser) as visit:
        page = visit(tmp_path.as_uri(), "run.html?step=9", **PHONE)
        page.wait_for_selector("#player[data-step='9']")
        page.click(f"{SECTION} summary")
        assert_weights(page, trace, 9, SECTION)
        for is_dark in (True, False):
            page.evaluate(DARK, is_dark)
            assert violations(page, SECTION) == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_tokens_that_the_draft_cannot_guess_are_marked_on_the_vocabulary(play, pair):
    settings = ersd.Settings(max_new_tokens=24, seed=3, source="frequent", frequent_tokens=64)
    trace = ersd.run(pair, "Once upon a time", settings)
    outside = [one.frequency_rank > 64 for step in trace.steps for one in step.emitted]
    assert any(outside), "a text that shows nothing"
    page = play(trace)
    page.locator(SECTION).evaluate("(section) => { section.open = true; }")
    for step in trace.steps:
        go_to(page, step.index + 1)
        missed = [one for one in step.emitted if one.frequency_rank > 64]
        assert all(one.source == "target" for one in missed)
        wait_for_text(page, f"{SECTION} .ersd-sources-now", f"Step {step.index + 1}: {len(missed) or 'every token'}")
        assert page.locator(f"{SECTION} .ersd-vocabulary b.outside").count() == len(missed)
        said = page.locator(f"{SECTION} .ersd-tok + b").all_inner_texts()
        assert [text.split()[2] for text in said] == [f"{one.frequency_rank:,}" for one in missed]
    assert f"{sum(outside)} of {len(outside)} tokens" in page.inner_text(f"{SECTION} .ersd-sources-note")
    go_to(page, 2)
    page.keyboard.press("Shift+ArrowLeft")  # before its tokens are appended
    page.wait_for_function("(line) => document.querySelector(line).textContent === 'Step 2'", arg=f"{SECTION} .ersd-sources-now")
    before = len(trace.steps[0].emitted)
    wait_for_text(page, f"{SECTION} .ersd-sources-note", f"{sum(outside[:before])} of {before} tokens")
