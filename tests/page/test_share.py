"""Links where the clipboard is refused, in the frame of a Space, and too long ones; settings that the browser remembers."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

from visual import assets
from visual.ui.preview import USED

from .driver import data, generate, setup

SPACE = "https://huggingface.co/spaces/someone/races"
REFUSED = "() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error('refused')) } })"


def asks_for_preview(request) -> bool:
    """Is this the request for a preview, which a page that opens sends once its controls hold their settings?"""
    body = request.post_data if "/run/predict" in request.url else None
    return body is not None and len(json.loads(body)["data"]) == len(USED)


def value(page, name: str) -> str:
    return page.input_value(f"#{name} :is(input, textarea)")


def test_where_the_clipboard_is_refused_the_link_can_be_copied_by_hand(page):
    page.evaluate(REFUSED)
    page.click("#copy-link")
    page.wait_for_selector(".tab-note input")
    link = page.input_value(".tab-note input")
    assert link == page.url
    assert page.evaluate("() => getSelection().toString() || document.activeElement.value") == link
    assert page.evaluate("() => document.activeElement.matches('.tab-note input')")
    page.evaluate("() => { document.body.classList.add('dark'); }")
    page.click("#copy-link")
    page.wait_for_function("(old) => document.querySelector('.tab-note input').value !== old", arg=link)
    assert parse_qs(urlsplit(page.input_value(".tab-note input")).query)["__theme"] == ["dark"]


def test_what_does_not_fit_into_a_link_is_offered_as_a_file(page):
    setup(page, prompt="a" * 8000)
    page.click("#copy-link")
    page.click("text=Save the run as a file")
    page.wait_for_selector(".ersd-files[open]")


def test_in_the_frame_of_a_space_a_link_has_the_address_that_people_visit(page, address):
    page.set_content(f'<iframe src="{address}/?tab=lab" width="1200" height="700"></iframe>')
    frame = page.frames[1]
    frame.wait_for_selector(".tab-note p", state="attached")
    frame.evaluate(REFUSED)
    # what is sent to the page around goes to the Hub's address alone, which this page is not
    frame.evaluate("""() => {
      window.sent = [];
      Object.defineProperty(window, "parent", { value: { postMessage: (...all) => window.sent.push(all) } });
    }""")
    query = "method=SpecInfer&seed=3"
    share = assets.calling("page/share.js", "share", {"most": 8000, "space": SPACE})
    assert frame.evaluate(share, query) == "Below"
    assert frame.input_value(".tab-note input") == f"{SPACE}?{query}"
    assert frame.evaluate("() => window.sent") == [[{"queryString": query, "hash": ""}, "https://huggingface.co"]]
    assert "seed" not in frame.url


def test_the_settings_of_the_last_run_are_there_at_the_next_visit_until_they_are_forgotten(open_page):
    page = open_page()
    usual = {name: value(page, name) for name in ("prompt", "seed", "draft-tokens")}
    generate(page, prompt="Tom had a", seed=5, draft_tokens=3, max_new_tokens=4)
    assert data(page, "state") != "error"
    visits = page.url.partition("?")[0]
    page.goto(visits)
    page.wait_for_function("() => document.querySelector('#seed input')?.value === '5'")
    assert (value(page, "prompt"), value(page, "draft-tokens")) == ("Tom had a", "3")
    assert data(page, "steps") != "0", "the recorded run is on the screen, nothing was run"
    page.click(".advanced summary")
    page.uncheck("#remember")
    with page.expect_response(lambda answer: asks_for_preview(answer.request)):
        page.goto(visits)
    assert {name: value(page, name) for name in usual} == usual
    page.click(".advanced summary")
    assert not page.is_checked("#remember")
    generate(page, seed=9, max_new_tokens=4)
    assert page.evaluate("() => localStorage.getItem('ersd-settings')") is None, "nothing is kept for a next visit"
    for stored in ("seed=-4", "models=gone&seed=5"):  # what fits no more is not remembered either
        page.evaluate("(stored) => { localStorage.clear(); localStorage.setItem('ersd-settings', stored); }", stored)
        with page.expect_response(lambda answer: asks_for_preview(answer.request)):
            page.reload()
        assert value(page, "seed") == usual["seed"], stored
        assert data(page, "state") != "error", stored
