"""Was it worth it, on the screen of a run made here."""

from __future__ import annotations

from visual.payload.sentences.formatting import decimal

from .driver import data, generate, go_to_first, wait_for_step
from .reading import numbers_in

STRIP = "#player-speedup"


def test_the_strip_says_what_drafting_gave_up_to_the_step_in_view(open_page):
    page = open_page()
    generate(page, max_new_tokens=60, draft_tokens=8)
    last = int(data(page, "steps"))
    wait_for_step(page, last)
    whole = page.get_attribute(STRIP, "data-value")
    words = page.inner_text(f"{STRIP} .ersd-worth")
    assert float(whole) > 0
    assert ("slower" in words) == (float(whole) < 1)
    assert words.startswith(f"times as fast as one by one in steps 2–{last} · ")
    assert words.count("in steps") == 1, "the step in view is the newest"
    assert page.inner_text("#player .ersd-tile-speed .ersd-small") == f"in steps 2–{last}", "one basis for both"
    assert page.inner_text(f"{STRIP} .ersd-factor") == _times(whole)

    page.keyboard.press("ArrowLeft")
    wait_for_step(page, last - 1)
    before = page.get_attribute(STRIP, "data-value")
    assert f" · {_times(whole)} in steps 2–{last} · " in page.inner_text(f"{STRIP} .ersd-worth"), "the whole run, seen from any step"
    assert page.inner_text(f"{STRIP} .ersd-factor") == _times(before)
    draft, call, check, total, count, alone, product = map(float, numbers_in(page.inner_text(f"{STRIP} .ersd-step-ms")))
    assert round(draft + call + check, 1) == total
    assert decimal(count * alone, 1) == f"{product:.1f}", "halves are rounded as a reader does"
    above = [float(number) for number in numbers_in(page.inner_text("#player .ersd-took"))]
    some = [] if count == 1 else [count]
    assert above == [total, draft, call, check, *some, product], "the same above the tree, where it is seen without scrolling"

    go_to_first(page)
    assert page.get_attribute(STRIP, "data-value") == ""
    words = page.inner_text(f"{STRIP} .ersd-worth")
    assert f"{_times(whole)} times as fast as one by one in steps 2–{last}" in words
    assert "shown from step 2 on" in words
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(f"""() => {{
          const line = document.querySelector("{STRIP} .ersd-step-ms");
          return line.scrollWidth <= line.clientWidth + 1 && line.scrollHeight <= line.clientHeight + 1;
        }}"""), width


def test_the_same_tokens_give_more_where_a_call_costs_more(open_page):
    page = open_page()
    generate(page, max_new_tokens=40, draft_tokens=8)
    wait_for_step(page, int(data(page, "steps")))
    options = page.locator(f"{STRIP} option").all_inner_texts()
    assert [option.split(":")[0] for option in options] == ["this machine", "1B → 8B", "1B → 70B"]
    shown = {}
    for option in options:
        page.select_option(f"{STRIP} select", label=option)
        assert page.inner_text(f"{STRIP} .ersd-source")
        shown[option.split(":")[0]] = _other(page)
    assert shown["1B → 70B"] > shown["1B → 8B"]
    # another run: the choice stays, and the figures are its own
    page.select_option(f"{STRIP} select", label=options[1])
    generate(page, max_new_tokens=40, draft_tokens=1)
    wait_for_step(page, int(data(page, "steps")))
    assert page.input_value(f"{STRIP} select").startswith("1B → 8B")
    assert _other(page) < shown["1B → 8B"]


def _times(factor: str) -> str:
    """As it is written on the page."""
    number = float(factor)
    return f"{number:.2f}" if number < 9.995 else f"{number:.1f}"


def _other(page) -> float:
    return float(page.inner_text(f"{STRIP} .ersd-other").removesuffix(" times"))
