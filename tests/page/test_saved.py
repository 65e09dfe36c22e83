"""Saving and opening runs in a browser: the file that plays offline, the trace, and files that are none."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import pytest

from ersd.trace.model import Trace
from visual.export import html
from visual.server.recorded import first_look
from visual.server.saved import load_shared_trace

from .browser import DESKTOP, PATIENCE, ROOT, visits
from .driver import generate, go_to, setup, wait_for, wait_until_under_way
from .translator import goes_on_after_translation

NOTE = "#player .ersd-files-note"
HOSTILE = "<img src=x onerror=\"document.title='taken'\"></script><script>document.title='taken'</script>"
HOSTILES = [
    HOSTILE,
    "<!--<script>",
    "]]>",
    "<svg onload=document.title='taken'>",
    "</title></style></textarea>",
    "javascript:document.title='taken'",
    "${document.title='taken'}",
    "{{constructor}}",
    "'\"`",
    "\u2028\u202e",
    "<a href=javascript:document.title='taken'>x</a>",
    "&lt;img&gt;",
]


@pytest.fixture
def offline(browser):
    """Opens a file with the network off; the page's errors and requests are faults."""
    context = browser.new_context(viewport=DESKTOP, offline=True)
    context.set_default_timeout(PATIENCE)
    faults: list[str] = []

    def opened(path: Path, query: str = ""):
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: faults.append(request.url) if request.url.startswith("http") else None)
        page.goto(path.as_uri() + query)
        page.wait_for_selector("#player[data-steps]:not([data-steps='0'])")
        page.wait_for_selector("#player-tree .point")
        return page

    yield opened
    context.close()
    assert faults == []


def saved(page, form: str, folder: Path) -> Path:
    page.click("#player .ersd-save")
    with page.expect_download() as download:
        page.click(f"#player [data-save-run={form}]")
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    page.click("#player .ersd-files header button")
    return path


def test_the_run_that_the_page_begins_with_is_saved(page, tmp_path):
    assert Trace.from_json(saved(page, "json", tmp_path).read_text(encoding="utf-8")) == first_look()


def test_a_run_is_saved_as_a_page_that_plays_offline(page, offline, tmp_path):
    generate(page, max_new_tokens=12, draft_tokens=4, seed=3)
    text = page.text_content("#player-text")
    path = saved(page, "html", tmp_path)
    assert path.name == "ersd-on-a-tau-tree-k-4-seed-3.html"
    assert path.stat().st_size < 3_000_000
    alone = offline(path, "?step=2&theme=dark")
    assert alone.get_attribute("#player", "data-step") == "2"
    assert "dark" in alone.get_attribute("body", "class")
    alone.keyboard.press("End")
    alone.wait_for_function("text => document.querySelector('#player-text').textContent === text", arg=text)
    alone.keyboard.press("?")
    assert alone.locator(".ersd-glossary[open] dt").count() > 10
    alone.click(".ersd-glossary header button")
    kept = Trace.from_json(saved(alone, "json", tmp_path).read_text(encoding="utf-8"))
    assert "".join(one.text for step in kept.steps for one in step.emitted) in text
    alone.click(".ersd-save")
    assert not alone.is_visible("[data-save-run=html], .ersd-files label"), "they need a server"


def test_after_a_translation_every_panel_of_a_saved_run_shows_the_step_in_view(offline, tmp_path):
    path = tmp_path / "run.html"
    path.write_text(html(first_look()), encoding="utf-8")
    goes_on_after_translation(offline(path))


def test_a_trace_is_saved_and_opened_again_without_a_model(page, tmp_path):
    generate(page, max_new_tokens=12, draft_tokens=4, seed=3)
    path = saved(page, "json", tmp_path)
    trace = Trace.from_json(path.read_text(encoding="utf-8"))
    assert trace.settings.seed == 3
    assert len(trace.token_ids) == 12
    assert trace.ranks
    assert trace.costs
    generate(page, max_new_tokens=8, seed=4)
    page.click("#player .ersd-save")
    page.set_input_files("#player .ersd-files input", path)
    wait_for(page, "idle")
    assert page.get_attribute("#player", "data-steps") == str(len(trace.steps))
    assert page.inner_text("#player-status") == "An opened run: it is played without any model."
    assert saved(page, "json", tmp_path).read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_a_stopped_run_is_saved_with_the_steps_that_were_there(unhurried, page, tmp_path):
    generate(page, max_new_tokens=16, draft_tokens=2, seed=3)
    whole = Trace.from_json(saved(page, "json", tmp_path).read_text(encoding="utf-8"))
    setup(page, max_new_tokens=480)
    page.click("#generate")
    wait_until_under_way(page)
    page.click("#stop")
    wait_for(page, "stopped")
    trace = Trace.from_json(saved(page, "json", tmp_path).read_text(encoding="utf-8"))
    assert len(trace.steps) == int(page.get_attribute("#player", "data-steps"))
    assert trace.stopped == "interrupted"
    common = min(len(trace.token_ids), len(whole.token_ids))
    assert common
    assert trace.token_ids[:common] == whole.token_ids[:common], "the same seed, so the same text"
    assert trace.made_with == whole.made_with
    page.wait_for_selector("#generate:enabled")


def test_the_pictures_of_a_step_are_saved(page, tmp_path):
    generate(page, max_new_tokens=4, draft_tokens=2)
    page.click("#player .ersd-save")
    for part in ("tree", "race"):
        for form, begins in (("svg", b"<svg"), ("png", b"\x89PNG")):
            with page.expect_download() as download:
                page.click(f"#player [data-save-picture={part}][data-format={form}]")
            path = tmp_path / download.value.suggested_filename
            download.value.save_as(path)
            assert path.name.endswith(f"-{part}.{form}")
            assert path.read_bytes().startswith(begins)
    names = page.locator("#player [data-save-picture]").all_text_contents()
    assert len(set(names)) == len(names) == 4, "each button says what it saves"
    page.click("#player .ersd-files header button")


def test_a_picture_saved_while_a_step_plays_shows_the_finished_step(page, tmp_path):
    generate(page, max_new_tokens=4, draft_tokens=4)

    def pictures() -> list[list[tuple[str, ...]]]:
        """Words and colours of both, which do not depend on their sizes."""
        page.click("#player .ersd-save")
        found = []
        for part in ("tree", "race"):
            with page.expect_download() as download:
                page.click(f"#player [data-save-picture={part}][data-format=svg]")
            download.value.save_as(tmp_path / part)
            svg = (tmp_path / part).read_text(encoding="utf-8")
            found.append(re.findall(r">([^<>]+)<|(fill: [^;]*)", svg))
        page.click("#player .ersd-files header button")
        return found

    go_to(page, 1)
    finished = pictures()
    page.click("#player [data-tell=walk]")
    page.wait_for_selector("#player[data-phase=walk]")
    assert pictures() == finished
    page.click("#player .ersd-run-race")
    page.wait_for_selector("#player .ersd-cursor:not([hidden])")
    assert pictures() == finished


TEXTS_IN_IMAGE = """async (part) => {
  const image = await window.ersdPicture(part, "svg");
  const svg = new DOMParser().parseFromString(decodeURIComponent(image.slice(image.indexOf(",") + 1)), "image/svg+xml");
  return [...svg.querySelectorAll("text")].map((text) => text.textContent).sort();
}"""
TEXTS_ON_SCREEN = """(part) => [...document.querySelectorAll(`.ersd-${part === "race" ? "decision" : part}-card .main-svg text`)]
  .filter((text) => text.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .map((text) => text.textContent).sort()"""


def test_an_image_holds_what_the_screen_shows(offline, tmp_path):
    """Plotly has drawn more: what the story of a step has not reached, and two versions of the names that change their look."""
    run = Trace.from_json((ROOT / "assets" / "recorded" / "gallery" / "ersd.json").read_text(encoding="utf-8"))
    (tmp_path / "run.html").write_text(html(run), encoding="utf-8")
    page = offline(tmp_path / "run.html")
    page.emulate_media(reduced_motion="reduce")
    counts = []
    for phase in ("text", "walk", "score", "draft"):
        page.wait_for_selector(f"#player[data-phase={phase}]")
        for part in ("tree", "race"):
            texts = page.evaluate(TEXTS_ON_SCREEN, part)
            assert page.evaluate(TEXTS_IN_IMAGE, part) == texts
            counts.append(len(texts))
        page.keyboard.press("Shift+ArrowLeft")
    assert counts[0] > counts[-2] > 0, "the finished tree says more than the drafted one"


def test_the_example_page_gives_a_frame_its_height(browser, tmp_path):
    (tmp_path / "run.html").write_text(html(first_look()), encoding="utf-8")
    (tmp_path / "embed.html").write_text((ROOT / "assets" / "embed.html").read_text(encoding="utf-8"), encoding="utf-8")
    context = browser.new_context(viewport=DESKTOP, offline=True)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto((tmp_path / "embed.html").as_uri())
    inside = page.frame_locator("iframe").locator("#player[data-step='8']")
    inside.wait_for()
    page.wait_for_function("() => document.querySelector('iframe').offsetHeight !== 900")
    context.close()


def test_a_trace_can_be_dropped_on_the_picture(page):
    generate(page, max_new_tokens=4, draft_tokens=2)
    transfer = page.evaluate_handle(
        """text => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], "run.json", { type: "application/json" }));
          return transfer;
        }""",
        first_look().to_json(),
    )
    page.dispatch_event("#player .ersd-player", "drop", {"dataTransfer": transfer})
    page.wait_for_selector(f"#player[data-steps='{len(first_look().steps)}'][data-state=idle]")
    assert not page.is_visible(".ersd-files")


def test_a_link_opens_a_trace_beside_the_page(open_page, monkeypatch, tmp_path):
    monkeypatch.setattr("visual.server.saved.FOLDER", tmp_path)
    first_look().save(tmp_path / "first.json")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    other = tmp_path / "other"
    other.mkdir()
    page = open_page("?trace=first&step=3")
    page.wait_for_selector("#player[data-step='3'][data-state=idle]")
    assert page.inner_text("#player-status") == "An opened run: it is played without any model."
    assert Trace.from_json(saved(page, "json", other).read_text(encoding="utf-8")) == first_look()
    page.goto(f"{page.url.partition('?')[0]}?trace=../secret")
    page.wait_for_selector("#player[data-state=error]")
    assert page.inner_text("#player-status") == "trace must be one of bad, first, got '../secret' in the link"
    with pytest.raises(ValueError, match="trace 'bad' cannot be opened: this is not a trace of version 2"):
        load_shared_trace("bad")


def damaged() -> dict[str, tuple[str, str]]:
    text = first_look().to_json()
    data = json.loads(text)
    cyclic = json.loads(text)
    cyclic["steps"][0]["parents"][0] = 3
    return {
        "truncated": (text[:9000], "this is not JSON"),
        "another version": (json.dumps({**data, "version": 1}), "this is not a trace of version"),
        "no JSON": ("hello", "this is not JSON"),
        "not a number": (text.replace('"draft_ms":', '"draft_ms":NaN,"x":', 1), "trace.steps[0].draft_ms must be a number, got nan"),
        "cyclic": (json.dumps(cyclic), "trace.steps[0].parents[0] must be a node before it, or -1, got 3"),
        "too large": (" " * 13_000_000, "it has 13.0 MB, and at most 12.1 MB can be opened here"),
    }


def test_a_bad_file_is_named_and_the_picture_stays(browser, address, tmp_path):
    path = tmp_path / "bad.json"
    with visits(browser, may_complain=True) as visit:  # the console reports what the server refuses
        page = visit(address)
        page.wait_for_selector("#player[data-steps]:not([data-steps='0'])")
        steps = page.get_attribute("#player", "data-steps")
        page.click("#player .ersd-save")
        for name, (text, reason) in damaged().items():
            path.write_text(text, encoding="utf-8")
            page.evaluate(f"document.querySelector('{NOTE}').textContent = ''")
            page.set_input_files("#player .ersd-files input", path)
            page.wait_for_function(f"() => /^bad.json: /.test(document.querySelector('{NOTE}').textContent)")
            assert reason in page.inner_text(NOTE), name
            assert page.get_attribute("#player", "data-steps") == steps


def with_texts(texts: Sequence[str]) -> Trace:
    """The recorded run with these texts in place of its prompt and its tokens."""
    data, turns = json.loads(first_look().to_json()), cycle(texts)
    data["prompt"] = next(turns)
    for step in data["steps"]:
        step["texts"] = [next(turns) for _ in step["texts"]]
        step["emitted"] = [{**one, "text": next(turns)} for one in step["emitted"]]
        for visit in step["walk"]:
            visit["text"] = next(turns)
            visit["rows"] = [{**row, "text": next(turns)} for row in visit["rows"]]
    return Trace.from_json(json.dumps(data))


def test_nothing_in_a_trace_is_executed(offline, tmp_path):
    path = tmp_path / "hostile.html"
    path.write_text(html(with_texts(HOSTILES)), encoding="utf-8")
    alone = offline(path)
    for key in ("ArrowRight", "ArrowLeft"):
        at = alone.get_attribute("#player", "data-step")
        alone.keyboard.press(key)
        alone.wait_for_selector(f"#player:not([data-step='{at}'])")
    assert "taken" not in alone.title()
    assert alone.locator("main img").count() == 0


def test_any_text_of_an_opened_trace_is_shown_and_never_executed(page):
    draw = random.Random(3)
    others = ["".join(chr(draw.choice((draw.randrange(0xD800), draw.randrange(0xE000, 0x110000)))) for _ in range(20)) for _ in range(200)]
    trace = with_texts([*HOSTILES, "\0\r\n\t", "\u202e\u2066", "x" * 3000, *others])
    file = {"name": "any.json", "mimeType": "application/json", "buffer": trace.to_json().encode()}
    page.set_input_files("#player .ersd-files input", file)
    page.wait_for_function("text => document.querySelector('#player .ersd-prompt')?.textContent === text", arg=trace.prompt)
    page.wait_for_selector(f"#player[data-state=idle][data-steps='{len(trace.steps)}']")
    page.keyboard.press("ArrowLeft")
    written = "() => [...document.querySelectorAll('#player .ersd-token')].map((token) => token.textContent)"
    assert page.evaluate(written) == [one.text for step in trace.steps for one in step.emitted]
    assert "taken" not in page.title()
    assert page.locator("#player :is(img, script, a[href^=javascript])").count() == 0
