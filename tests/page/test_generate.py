"""The Generate tab, driven as a user would: runs of every method, errors, links, and what the page shows about a run."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest

import ersd
from ersd.settings import METHODS
from visual.payload.sentences.formatting import decimal
from visual.payload.sentences.names import METHOD_LABELS, algorithm_name
from visual.server.pairs import EMBEDDED
from visual.server.recorded import first_look
from visual.ui.links import MAX_CHARACTERS

from .driver import (
    PATIENCE,
    choose,
    choose_method,
    chosen,
    data,
    generate,
    go_to_first,
    press_generate,
    press_to,
    receive,
    request,
    setup,
    state,
    vertices,
    wait_for,
    wait_for_text,
    wait_until_chosen,
)
from .reading import numbers_in

USUAL = first_look().settings
EXTRA: dict[str, dict[str, Any]] = {"specinfer": {"branching": "2,1"}, "multi_sequence": {"draft_tokens": 6, "sequences": 3}}
"""What a topology needs beyond 5 drafted tokens."""


def test_a_recorded_run_is_there_before_anything_is_pressed_and_the_first_run_repeats_it(page):
    assert state(page) == "idle"
    assert int(data(page, "steps")) > 3
    page.wait_for_selector("#player-tree .js-plotly-plot .point")
    page.wait_for_selector("#player-race .js-plotly-plot .bars .point")
    before = [page.text_content(f"#player {part}") for part in (".ersd-text", ".ersd-run")]
    assert before[1] == f"ERSD on a τ* tree · k = {USUAL.draft_tokens} · seed {USUAL.seed}"
    generate(page)
    assert [page.text_content(f"#player {part}") for part in (".ersd-text", ".ersd-run")] == before


@pytest.mark.parametrize("method", ["ERSD τ*", "SpecInfer", "SpecTr", "lossy"])
def test_a_method_with_fields_of_its_own_writes_on_the_page_what_the_engine_writes_by_itself(page, pair, method):
    if method == "lossy":
        choose_method(page, "ERSD sequence")
        choose(page, "algorithm", algorithm_name("lossy"))
        page.wait_for_selector("#leniency")
        algorithm, topology, fields = "lossy", "sequence", {"draft_tokens": 5, "leniency": 0.5}
    else:
        algorithm, topology = METHODS[method]
        fields = EXTRA.get(topology, {"draft_tokens": 5})
        choose_method(page, method)
    fields = {**fields, "max_new_tokens": 12, "seed": 3}
    generate(page, prompt="The dog ran", **fields)
    assert state(page) == "done"
    expected = ersd.run(pair, "The dog ran", dataclasses.replace(USUAL, algorithm=algorithm, topology=topology, **fields))
    calls, tokens = len(expected.steps), len(expected.token_ids)
    assert page.inner_text("#player-text") == "The dog ran" + expected.text
    assert int(data(page, "steps")) == calls
    assert page.locator("#player-text .ersd-token").count() == tokens
    assert page.inner_text("#player-stats .ersd-value") == decimal(tokens / calls)
    assert page.get_attribute("#player", "data-stale") == "false"
    expected_badge = "same-text" if algorithm == "ersd" else "biased" if algorithm == "lossy" else "same-law"
    assert page.get_attribute("#player-exact", "data-exact") == expected_badge
    go_to_first(page)
    assert sum(one["state"] not in ("root", "target") for one in vertices(page)) == len(expected.steps[0].tokens)


def test_generate_pressed_at_once_runs_the_method_just_chosen(page, pair):
    choose_method(page, "ERSD τ*")
    setup(page, prompt="One day", max_new_tokens=8, seed=2)
    choose(page, "method", METHOD_LABELS["one by one"])
    press_generate(page)
    wait_for(page, "done", "error")
    assert data(page, "steps") == str(len(ersd.run(pair, "One day", ersd.Settings("autoregressive", max_new_tokens=8, seed=2)).steps))


def test_while_a_run_goes_on_stop_takes_the_place_of_generate(page):
    generate_button, stop = page.locator("#generate"), page.locator("#stop")
    place = generate_button.bounding_box()
    assert not stop.is_visible()
    request(page)
    stop.wait_for(state="visible")
    assert (generate_button.is_visible(), stop.bounding_box()) == (False, place)
    receive(page, {"type": "stopped"})
    generate_button.wait_for(state="visible")
    assert (stop.is_visible(), generate_button.bounding_box()) == (False, place)


def test_a_run_that_no_longer_matches_the_controls_says_so(page):
    choose_method(page, "ERSD τ*")
    generate(page, max_new_tokens=6, seed=USUAL.seed)
    setup(page, seed=USUAL.seed + 1)
    page.wait_for_selector("#player[data-stale=true]")
    wait_for_text(page, "#player .ersd-stale", "The settings have changed")
    assert page.text_content("#player .ersd-announcer").startswith("The settings have changed"), "it is read out too"
    setup(page, seed=USUAL.seed)
    page.wait_for_selector("#player[data-stale=false]")
    assert not page.inner_text("#player .ersd-stale")
    choose(page, "algorithm", algorithm_name("greedy"))  # nothing is drawn, so there is nothing to set
    page.wait_for_function("() => document.querySelector('#temperature input').disabled")
    choose_method(page, "ERSD τ*")


def test_the_speed_up_of_the_whole_run_is_shown_at_every_finished_step(page):
    choose_method(page, "ERSD τ*")
    generate(page, max_new_tokens=60, draft_tokens=8)
    last, strip = int(data(page, "steps")), "#player-speedup"
    whole = page.get_attribute(strip, "data-value")
    # which of the three it is depends on the machine
    sign, words = {-1: ("▼ ", ": slower"), 0: ("", ""), 1: ("▲ ", ": faster")}[compared_with_1(factor(whole))]
    assert page.inner_text(f"{strip} .ersd-factor") == f"{sign}{factor(whole)}×"
    assert page.inner_text(f"{strip} .ersd-worth") == f"as fast{words}"
    press_to(page, "ArrowLeft", last - 1)
    assert page.get_attribute(strip, "data-value") == whole
    page.evaluate("() => { document.querySelector('.ersd-speed-details').open = true; }")
    draft, call, check, total = map(float, numbers_in(page.inner_text("#player .ersd-step-ms"))[:4])
    assert round(draft + call + check, 1) == total
    assert float(page.inner_text(f"{strip} .ersd-ms").removesuffix(" ms")) == (total if total < 1000 else pytest.approx(total, abs=0.5))
    strip = "#player-speed-details"
    shown = {}
    for option in page.locator(f"{strip} option").all_inner_texts():
        page.select_option(f"{strip} select", label=option)
        shown[option.split(":")[0]] = float(numbers_in(page.inner_text(f"{strip} .ersd-other"))[0])
    assert list(shown)[1:] == ["1B → 8B on an H100", "1B → 70B"]
    assert shown["1B → 70B"] > shown["1B → 8B on an H100"], "the same tokens are worth more where a call costs more"


def compared_with_1(written: str) -> int:
    """-1, 0 or 1: a number as it is written, which may be 1.00 where the value is not."""
    return (float(written) > 1) - (float(written) < 1)


def factor(value: str) -> str:
    """A speed-up as it is written on the page."""
    return f"{float(value):.2f}" if float(value) < 9.995 else f"{float(value):.1f}"


class Mistake(NamedTuple):
    field: str
    wrong: Any
    right: Any
    words: str


MISTAKES = [
    Mistake("seed", -1, 1, "Seed must be a whole number from 0 to 9007199254740991, got -1"),
    Mistake("draft_tokens", 9999, 4, "Drafted tokens must be a whole number from 1 to 256, got 9999"),
    Mistake("top_p", 0, 1, "Top-p must be a number above 0 and at most 1, got 0"),
    Mistake("temperature", "", 1, "Temperature must be a number from 0 to 5, got None"),
    Mistake("prompt", "  ", "One day", "Prompt must be some text"),
]


def test_an_error_is_reported_and_the_session_goes_on(page):
    choose_method(page, "ERSD τ*")
    before = page.inner_text("#player-text")
    for mistake in MISTAKES:
        generate(page, max_new_tokens=6, **{mistake.field: mistake.wrong})
        assert state(page) == "error", mistake
        assert mistake.words in page.inner_text("#player-status")
        assert page.inner_text("#player-text") == before
        setup(page, **{mistake.field: mistake.right})
        page.wait_for_function("() => document.querySelector('#player-status').textContent === ''")  # the cause is gone
    generate(page)
    assert state(page) == "done"


# --- links ------------------------------------------------------------------------------------------------------------------------


def copied(page, part: str) -> dict[str, list[str]]:
    """The query of the link that the button makes, once it contains a part."""
    page.wait_for_function("() => document.querySelector('#copy-link').innerText === 'Link'")
    page.click("#copy-link")
    page.wait_for_function("(part) => location.search.includes(part)", arg=part)
    return parse_qs(urlsplit(page.url).query)


def test_a_link_carries_settings_and_opens_its_run_at_a_step_and_a_vertex(open_page):
    page = open_page("?method=SpecInfer&branching=2,1&seed=5&prompt=The%20dog%20ran&max_new_tokens=20&step=3&vertex=-1&__theme=light")
    for name, value in {"method": "SpecInfer", "branching": "2,1", "seed": "5"}.items():
        wait_until_chosen(page, name, value)
    assert page.input_value("#prompt textarea") == "The dog ran"
    wait_for(page, "done")
    page.wait_for_selector("#player[data-step='3'][data-vertex='-1'][data-phase=text]")  # drawn with the next frame
    assert page.inner_text("#player .ersd-run") == "SpecInfer · k ≤ 4 · seed 5"
    query = copied(page, "models=")  # which the link that was opened does not name
    assert {name: query[name] for name in ("method", "branching", "prompt", "step", "vertex")} == {
        "method": ["SpecInfer"], "branching": ["2,1"], "prompt": ["The dog ran"], "step": ["3"], "vertex": ["-1"],
    }  # fmt: skip
    assert query["models"] == [EMBEDDED]
    assert not {"algorithm", "topology", "sequences", "leniency", "chat", "tab"} & set(query)
    setup(page, seed=6)
    page.wait_for_selector("#player[data-stale=true]")
    assert not {"step", "vertex"} & set(copied(page, "seed=6")), "these are of another run"
    setup(page, seed="")
    copied(page, "seed=&")  # an empty field, which is reported; without it the link would open the usual seed


def test_a_wrong_link_is_reported_and_the_defaults_stay(open_page):
    page = open_page("?seed=-4")
    wait_for(page, "error")
    assert "Seed must be a whole number from 0 to 9007199254740991, got -4" in page.inner_text("#player-status")
    assert (chosen(page, "seed"), chosen(page, "method")) == (str(USUAL.seed), METHOD_LABELS["ERSD τ*"])
    assert data(page, "steps") == str(len(first_look().steps))
    page.wait_for_selector("#player[data-stale=false]")  # the controls have reported their values
    assert state(page) == "error", "and the message stays"


def test_a_link_to_models_not_offered_here_names_them_and_runs_nothing(open_page, address):
    words = (
        f"Models must be one of {EMBEDDED}, got 'other pair' in the link. "
        f"Nothing was run: Generate runs the other settings of the link with {EMBEDDED}."
    )
    page = open_page("?models=other+pair&prompt=The+dog&seed=7&max_new_tokens=3&draft_tokens=2")
    for name, value in {"seed": "7", "draft-tokens": "2", "models": EMBEDDED}.items():
        wait_until_chosen(page, name, value)
    page.wait_for_function("() => document.querySelector('#player').dataset.stale === 'true'")
    assert (state(page), page.inner_text("#player-status")) == ("error", words)
    assert data(page, "steps") == str(len(first_look().steps))
    generate(page)
    assert (state(page), page.inner_text("#player-text")[:7]) == ("done", "The dog")
    page.goto(f"{address}/?tab=compare&models=other+pair&prompt=The+dog&seed=7")
    wait_until_chosen(page, "compare-seed", "7")
    page.wait_for_selector("#compare[data-state=error]")
    assert page.inner_text("#compare-status") == words


CLIPPED = "(buttons) => buttons.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
"""The labels that do not fit into their buttons."""


def test_a_link_that_no_server_takes_is_refused_and_the_address_stays(open_page):
    page = open_page()
    setup(page, prompt="a")
    page.wait_for_selector("#player[data-stale=true]")
    copied(page, "prompt=a")
    room = MAX_CHARACTERS - len(page.url)

    def label(prompt: str, prefix: str = "") -> str:
        setup(page, prefix, prompt=prompt)
        button = f"#{prefix}copy-link"
        page.wait_for_function("(button) => document.querySelector(button).innerText === 'Link'", arg=button)
        page.click(button)
        page.wait_for_function("(button) => document.querySelector(button).innerText !== 'Link'", arg=button)
        assert page.locator(".actions button:visible").evaluate_all(CLIPPED) == []
        return page.inner_text(button)

    limit = "it would have {:,} characters, percent-encoded, and at most 8,000 are allowed."
    refusal = f"Prompt is too long for a link: {limit} Save the run as a file"
    assert label("a" + room * "a") != "Too long"
    assert len(page.url) == MAX_CHARACTERS
    longest = page.url
    assert label((room - 7) * "a" + "中") == "Too long", "one character more: this one is written with nine"
    assert " ".join(page.inner_text(".tab-note p").split()) == refusal.format(8001)
    assert page.url == longest
    assert label("中" * 100) != "Too long"
    assert page.text_content(".tab-note p") == ""
    page.click("#tab-compare")
    page.wait_for_selector("#tab-compare[aria-selected=true]")
    before = page.url
    assert label("a" * 8000, "compare-") == "Too long"
    assert page.url == before


def test_no_preview_is_requested_for_a_part_of_a_link(page, address):
    """Its answer might come last."""
    asked = []
    page.on("request", lambda request: asked.append(request.post_data or ""))
    page.goto(f"{address}/?method=SpecInfer&branching=2,1&seed=5&max_new_tokens=2")
    page.wait_for_selector("#player[data-state=done]", timeout=PATIENCE)  # the run comes after all previews
    about_the_tree = [body for body in asked if '"2,1"' in body]
    assert len(about_the_tree) > 1, "the preview, and the run"
    assert [body for body in about_the_tree if '"gsd","specinfer"' not in body] == []
