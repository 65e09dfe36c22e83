"""Where the guesses come from: the menu, and one text with every source in Compare."""

from __future__ import annotations

from .driver import choose, generate, press_generate, setup, unfold, wait_for, wait_for_text


def test_another_source_writes_the_same_text_and_the_run_is_named_for_it(page):
    generate(page, max_new_tokens=12, draft_tokens=4, seed=5)
    wait_for(page, "done")
    text = page.inner_text("#player-text")
    assert "n-grams" not in page.inner_text("#player .ersd-run")
    for label, named in (("n-grams (no draft model)", "n-grams"), ("the target’s first layers", "first layers")):
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
    choose(page, "source", "the draft’s frequent tokens")
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


def test_a_link_compares_every_source_and_an_older_one_those_that_it_names(open_page):
    page = open_page("?tab=compare&source=all&max_new_tokens=12&seed=5")
    wait_for_text(page, "#compare-status", "Finished")
    assert page.input_value("#compare-source input") == "every source of guesses"
    lanes = page.locator(".ersd-lane b").all_inner_texts()
    assert lanes[:3] == ["draft model", "n-grams", "first layers"]
    assert lanes[-1] == "no draft"
    text = page.inner_text("#compare-text .ersd-shared")
    page = open_page("?tab=compare&methods=ERSD τ*,ERSD τ*,ERSD τ*&source=ngram,model,exit&max_new_tokens=12&seed=5")
    wait_for_text(page, "#compare-status", "Finished")
    assert page.locator(".ersd-lane b").all_inner_texts() == ["n-grams", "draft model", "first layers"]
    assert page.inner_text("#compare-text .ersd-shared") == text
