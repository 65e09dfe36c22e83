"""Where the guesses come from: the menu, and one text with every source in Compare."""

from __future__ import annotations

from .driver import choose, generate, press_generate, unfold, wait_for, wait_for_text


def test_another_source_writes_the_same_text_and_the_run_is_named_for_it(page):
    generate(page, max_new_tokens=12, draft_tokens=4, seed=5)
    wait_for(page, "done")
    text = page.inner_text("#player-text")
    assert "n-grams" not in page.inner_text("#player .ersd-run")
    unfold(page)
    for label, named in (("n-grams (no draft model)", "n-grams"), ("the target’s first layers", "first layers")):
        choose(page, "source", label)
        press_generate(page)
        wait_for(page, "done")
        assert named in page.inner_text("#player .ersd-run")
        assert page.inner_text("#player-text") == text


def test_compare_shows_one_text_from_every_source(open_page):
    page = open_page("?tab=compare")
    page.wait_for_selector("#compare-strips [data-call]")
    wanted = page.get_attribute(".ersd-try a", "href")
    page = open_page(wanted + "&max_new_tokens=12")
    wait_for_text(page, "#compare-status", "Finished")
    assert page.inner_text(".ersd-compare-headline").startswith("One text from 3 sources of guesses, in ")
    assert [one.split(" · ")[-1] for one in page.locator(".ersd-lane").all_inner_texts()] == ["k = 8", "n-grams", "first layers"]
    texts = page.locator(".lanes .ersd-text").all_inner_texts()
    assert len(set(texts)) == 1
