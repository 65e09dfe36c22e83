"""The controls: methods and their parts, what is refused, the preview, links."""

from __future__ import annotations

import dataclasses
from urllib.parse import parse_qs, urlsplit

import pytest

import ersd
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.topologies import refusal, shape_of
from ersd.settings import METHODS
from visual.ui.page import recorded

from .driver import PATIENCE, choose, choose_method, chosen, data, generate, setup, state, wait_for, wait_for_preview, wait_until_chosen

USUAL = recorded().settings
EXTRA = {"specinfer": "branching", "multi_sequence": "sequences"}


def test_a_method_sets_its_parts_and_their_fields_and_parts_name_their_method(open_page):
    page = open_page()
    sizes = set()
    for method, (algorithm, topology) in METHODS.items():
        choose_method(page, method)
        drafts = algorithm != "autoregressive"
        page.wait_for_function(
            "disabled => document.querySelector('#draft-tokens input').disabled == disabled", arg=not drafts or topology == "specinfer"
        )
        shown = {EXTRA[topology]} if topology in EXTRA and drafts else set()
        for name in ("branching", "sequences", "leniency"):
            page.wait_for_selector(f"#{name}", state="visible" if name in shown else "detached")
        assert chosen(page, "method") == method
        page.wait_for_function("disabled => document.querySelector('#topology input').disabled === disabled", arg=not drafts)
        box = page.locator(".setup").bounding_box()
        assert box["y"] + box["height"] <= 900
        sizes.add((box["x"], box["y"], box["width"], box["height"]))
    assert len(sizes) == 1
    choose_method(page, "standard")
    choose(page, "topology", "batch")
    page.wait_for_function("document.querySelector('#method input').value == 'by parts'")
    choose(page, "algorithm", "ersd")
    page.wait_for_function("document.querySelector('#method input').value == 'ERSD batch'")


def test_generate_pressed_at_once_runs_the_method_just_chosen(open_page, pair):
    page = open_page()
    setup(page, prompt="One day", max_new_tokens=8, seed=2)
    choose(page, "method", "one by one")
    page.click("#generate")
    wait_for(page, "done", "error")
    assert data(page, "steps") == str(len(ersd.run(pair, "One day", ersd.Settings("autoregressive", max_new_tokens=8, seed=2)).steps))


def test_a_refused_tree_gives_way_and_the_page_says_why(open_page):
    page = open_page()
    choose(page, "topology", "dynamic")
    wait_for_preview(page, "shaped anew at every step")
    choose(page, "algorithm", "kseq")
    wait_for_preview(page, "dynamic → τ* tree: " + refusal("kseq", "dynamic").split(": ")[1])
    wait_until_chosen(page, "topology", "τ* tree")
    choose(page, "algorithm", "block")
    wait_for_preview(page, "τ* tree → sequence: " + refusal("block", "tau_star").split(": ")[1])
    wait_until_chosen(page, "topology", "sequence")
    wait_until_chosen(page, "method", "block")
    page.click("#topology input")
    mark = "option => getComputedStyle(option, '::after').content"
    marks = {option.inner_text().strip("✓ \n"): option.evaluate(mark) for option in page.locator("#topology [role=option]").all()}
    assert {name for name, words in marks.items() if "not for block" not in words} == {"sequence"}
    page.locator("#topology [role=option]", has_text="batch").click()
    wait_for_preview(page, "batch → sequence: ")
    wait_until_chosen(page, "topology", "sequence")
    generate(page, max_new_tokens=6)
    assert state(page) == "done"


def test_the_preview_tells_what_is_expected(open_page, pair):
    page = open_page()

    def expectation(settings: ersd.Settings) -> str:
        shape = shape_of(settings, RankDistribution(pair.hazards.get(settings.algorithm, ())))
        return f"{shape.expected:.2f} tokens per call expected at step 1"

    wait_for_preview(page, expectation(USUAL))
    for k in (1, 40, 256):
        setup(page, draft_tokens=k)
        wait_for_preview(page, expectation(dataclasses.replace(USUAL, draft_tokens=k)))
        assert f"of {k} drafted token" in page.get_attribute("#preview svg", "aria-label")
    choose_method(page, "SpecInfer")
    setup(page, branching="3,2")
    wait_for_preview(page, expectation(ersd.Settings("gsd", "specinfer", branching=(3, 2))))
    wait_for_preview(page, "9 drafted tokens, 2 levels")
    choose_method(page, "one by one")
    wait_for_preview(page, "nothing is drafted")


def test_a_wrong_branching_is_told_in_words_and_the_session_goes_on(open_page):
    page = open_page()
    choose_method(page, "SpecInfer")
    before = page.inner_text("#player-text")
    setup(page, branching="4,x", max_new_tokens=6)
    wait_for_preview(page, "Branching must be 1 to 16 whole numbers from 1 to 64")
    generate(page)
    assert state(page) == "error"
    assert "got '4,x'" in page.inner_text("#player-status")
    assert page.inner_text("#player-text") == before
    setup(page, branching="<b>2</b>")
    wait_for_preview(page, "got '<b>2</b>'")
    generate(page, branching="2,2")
    assert state(page) == "done"


def test_no_picture_is_asked_for_with_a_part_of_a_link(browser, address):
    """Its answer might come last."""
    page, asked = browser.new_page(), []
    page.on("request", lambda request: asked.append(request.post_data or ""))
    page.goto(f"{address}/?method=SpecInfer&branching=2,1&seed=5&max_new_tokens=2")
    page.wait_for_selector("#player[data-state=done]", timeout=PATIENCE)  # the run comes after all pictures
    about_the_tree = [words for words in asked if '"2,1"' in words]
    assert len(about_the_tree) > 1, "the picture, and the run"
    assert [words for words in about_the_tree if '"gsd","specinfer"' not in words] == []
    page.close()


def test_links_carry_settings(open_page):
    page = open_page("?method=SpecInfer&branching=2,1&seed=5&prompt=The%20dog%20ran&__theme=light")
    wait_for_preview(page, "4 drafted tokens, 2 levels")
    for name, value in {"method": "SpecInfer", "branching": "2,1", "seed": "5"}.items():
        wait_until_chosen(page, name, value)
    assert page.input_value("#prompt textarea") == "The dog ran"
    wait_for(page, "done")  # a link opens its own run
    assert page.inner_text("#player .ersd-run") == "SpecInfer · k ≤ 4 · seed 5"
    page.click("#copy-link")
    page.wait_for_function("location.search.includes('seed=5')")
    copied = parse_qs(urlsplit(page.url).query)
    assert copied["method"] == ["SpecInfer"]
    assert copied["branching"] == ["2,1"]
    assert copied["prompt"] == ["The dog ran"]
    assert not {"algorithm", "topology", "sequences", "leniency", "models"} & set(copied)


def test_a_link_leads_to_a_step_and_a_vertex_of_its_run(open_page):
    page = open_page("?method=ERSD%20τ*&draft_tokens=6&seed=5&max_new_tokens=20&step=3&vertex=-1")
    wait_for(page, "done")
    page.wait_for_selector("#player[data-step='3'][data-vertex='-1']")  # drawn at the next frame
    page.click("#copy-link")
    page.wait_for_function("location.search.includes('max_new_tokens=20')")
    copied = parse_qs(urlsplit(page.url).query)
    assert (copied["step"], copied["vertex"]) == (["3"], ["-1"])
    setup(page, seed=6)
    page.wait_for_selector("#player[data-stale=true]")
    page.wait_for_function("() => document.querySelector('#copy-link').innerText === 'Link'")
    page.click("#copy-link")
    page.wait_for_function("location.search.includes('seed=6')")
    assert not {"step", "vertex"} & set(parse_qs(urlsplit(page.url).query))  # of another run


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("seed=-4", "Seed must be a whole number from 0 to 9007199254740991, got -4"),
        ("algorithm=gsd&topology=dynamic", "the shape would depend on the drafted tokens"),
        ("method=none", "Method must be one of"),
    ],
)
def test_a_wrong_link_is_told_and_the_defaults_stay(open_page, query, words):
    page = open_page("?" + query)
    wait_for(page, "error")
    assert words in page.inner_text("#player-status")
    assert chosen(page, "seed") == str(USUAL.seed)
    assert chosen(page, "method") == "ERSD τ*"
    assert data(page, "steps") == str(len(recorded().steps))
