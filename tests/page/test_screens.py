"""Every screen: desktop, projector and phone, the tree in its panel, the lecture view."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest

import ersd

from .browser import visits
from .driver import (
    boxes,
    choose,
    choose_method,
    data,
    do_touch,
    generate,
    go_to_first,
    setup,
    vertices,
    wait_for,
    wait_for_step,
    wait_until_at_rest,
)
from .reading import numbers_in, show_vertex

PROJECTOR, PHONE = {"width": 1024, "height": 768}, {"width": 390, "height": 844}
DESKTOPS = ({"width": 1440, "height": 900}, {"width": 1920, "height": 1080})
PROMPT = "Once upon a time there was a little girl named"

BOX = "(selector) => document.querySelector(selector).getBoundingClientRect().toJSON()"
TEXT_LINES = """(one) => {
  const text = document.createRange();
  text.selectNodeContents(one);
  return Math.round(text.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight));
}"""
SPILLED = """() => [...document.querySelectorAll(
  "#player header, #player h2, #player .ersd-sides, #player .ersd-sides span, #player .ersd-say, #player .ersd-tile, #player .ersd-tale"
)].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline").map((one) => one.className)"""
TICKS = """() => ["#player-tree", ".ersd-race-plot"].flatMap((picture) => ["x", "x2"].map((axis) => (
  [...document.querySelectorAll(`${picture} .${axis}tick text`)].map((one) => one.getBoundingClientRect().toJSON())
)))"""
LETTERS = """() => [...document.querySelectorAll("#player *, .masthead *, .setup *")].filter((one) => (
  [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) && one.getClientRects().length
  && !one.closest(".ersd-announcer, .hoverlayer, style, option") && one.checkVisibility({ visibilityProperty: true })
)).map((one) => {
  const picture = one.closest(".js-plotly-plot, .ersd-tree");
  const zoom = picture ? picture.getBoundingClientRect().width / picture.offsetWidth : 1;
  return [parseFloat(getComputedStyle(one).fontSize) * zoom, one.textContent.slice(0, 30)];
})"""
TREE = "const tree = document.querySelector('#player-tree');"
SCROLLED = f"() => {{ {TREE} return [tree.scrollLeft, tree.scrollTop]; }}"
EDGES = ("left", "right", "top", "bottom")
SHADES = f"""() => {{
  {TREE}
  const style = getComputedStyle(tree);
  return {json.dumps(EDGES)}.filter((edge) => style.getPropertyValue(`--at-${{edge}}`) !== "transparent");
}}"""
BEHIND = f"() => {{ {TREE} return [tree.scrollWidth - tree.clientWidth, tree.scrollHeight - tree.clientHeight]; }}"
BUTTONS = """() => [...document.querySelectorAll("#player button:not(.ersd-term), .actions button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.getBoundingClientRect().width, one.getBoundingClientRect().height, one.outerHTML])"""
INSIDE = f"() => {{ {TREE} return [tree.clientWidth, tree.clientHeight]; }}"
CUT_NAMES = """() => [...document.querySelectorAll(".setup [role=combobox]")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value)"""
HALVES = """() => Object.fromEntries(document.querySelector("#player-tree .js-plotly-plot").data.flatMap(({ customdata = [], text }) => (
  customdata.map((id, place) => [id, (text[place].length * 6.95 + 11) / 2])
)))"""
NAMES = """() => [...document.querySelectorAll("#player .ersd-race-plot .subplot.x3y .textpoint text")]
  .map((one) => one.getBoundingClientRect().toJSON())"""
NUMBERS = """() => {
  const plot = document.querySelector("#player .ersd-race-plot").getBoundingClientRect();
  const numbers = [...document.querySelectorAll("#player .ersd-race-plot :is(.xy, .x2y) .textpoint text")];
  return numbers.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left - plot.left, plot.right - right]);
}"""
IN_LIST = """(selector) => {
  const [one, list] = [selector, "#player .ersd-walk"].map((each) => document.querySelector(each).getBoundingClientRect());
  return one.left >= list.left - 1 && one.right <= list.right + 1;
}"""
COIN_LINES = """() => [...document.querySelectorAll("#player .ersd-coins .sequence .coin-line")].map((line) => {
  const boxes = [...line.querySelectorAll(".label, .limit, .thrown")].map((one) => one.getBoundingClientRect());
  return { text: line.textContent, top: Math.min(...boxes.map(({ top }) => top)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)) };
})"""
WRITTEN = """() => [...document.querySelectorAll("#player-tree .textpoint text")].filter((one) => one.textContent)
  .map((one) => ({ text: one.textContent, ...one.getBoundingClientRect().toJSON() }))"""
LABELS = """() => document.querySelector("#player-tree .js-plotly-plot").data.flatMap(({ name, text }) => (name === "root" ? [] : text))"""


@pytest.fixture(scope="module")
def page(browser, address) -> Iterator:
    """One page for all tests that choose their own size."""
    with visits(browser) as visit:
        yield visit(address)


def in_window(page, selector: str) -> bool:
    box, size = page.evaluate(BOX, selector), page.viewport_size
    return box["top"] >= 0 and box["left"] >= 0 and box["bottom"] <= size["height"] and box["right"] <= size["width"]


def root_is_seen(page) -> bool:
    root = next(vertex for vertex in vertices(page) if vertex["state"] == "root")
    box = page.evaluate(BOX, "#player-tree")
    return box["left"] <= root["x"] <= box["right"] and box["top"] <= root["y"] <= min(box["bottom"], page.viewport_size["height"])


@pytest.mark.parametrize("method", ["ERSD τ*", "block", "RSD"])
def test_form_and_tree_are_on_one_screen_and_nothing_leaves_its_place(page, method):
    page.set_viewport_size(DESKTOPS[0])
    choose_method(page, method)
    generate(page, max_new_tokens=10)
    wait_for_step(page, int(data(page, "steps")))
    for size in (*DESKTOPS, PROJECTOR):
        page.set_viewport_size(size)
        page.evaluate("() => scrollTo(0, 0)")
        wait_until_at_rest(page)  # of the new width
        assert in_window(page, "#generate"), size
        assert root_is_seen(page), size
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.evaluate(SPILLED) == [], size
        for ticks in page.evaluate(TICKS):
            meeting = [pair for pair in combinations(ticks, 2) if pair[0]["left"] < pair[1]["right"] and pair[1]["left"] < pair[0]["right"]]
            assert not meeting, size


def test_on_a_phone_generate_is_in_sight_and_then_the_run_is(page):
    page.set_viewport_size(PHONE)
    page.evaluate("() => scrollTo(0, 0)")
    choose_method(page, "ERSD τ*")
    setup(page, max_new_tokens=10)
    assert in_window(page, "#generate")
    page.click("#generate")
    wait_for(page, "done", "error")
    page.wait_for_function("() => document.querySelector('#player').getBoundingClientRect().top < 20")
    assert page.evaluate(BOX, "#player-tree")["top"] < 0.85 * PHONE["height"]
    small = [button for *sides, button in page.evaluate(BUTTONS) if min(sides) < 40]  # all at one moment: the run is being told
    assert small == []
    for ticks in page.evaluate(TICKS):
        assert not [pair for pair in combinations(ticks, 2) if pair[0]["left"] < pair[1]["right"] and pair[1]["left"] < pair[0]["right"]]


@pytest.mark.parametrize("size", [PROJECTOR, PHONE], ids=lambda size: size["width"])
def test_words_and_figures_are_in_sight_with_the_tree(page, size):
    page.set_viewport_size(size)
    choose_method(page, "SpecTr")
    generate(page, max_new_tokens=20)
    wait_for_step(page, int(data(page, "steps")))
    wait_until_at_rest(page)  # a phone is still on its way to the player, and to what was scrolled meanwhile it adds what is left of that
    page.evaluate("(isPhone) => (isPhone ? document.querySelector('#player').scrollIntoView() : scrollTo(0, 0))", size is PHONE)
    wait_until_at_rest(page)  # of the new width
    words = ("#player .ersd-echo",) if size is PHONE else ("#player-summary", "#player .ersd-say")  # there they follow the tree
    assert page.evaluate("() => document.querySelector('#player .ersd-echo').textContent") == page.inner_text("#player .ersd-say")
    for part in ("#player-exact", "#player .ersd-where", "#player .ersd-figures", *words):
        assert in_window(page, part), part
    assert root_is_seen(page)
    figures = page.inner_text("#player .ersd-figures")
    tiles = [[page.inner_text(f"#player .ersd-tile-{tile} .ersd-{part}") for part in ("small", "value")] for tile in ("per-call", "whole")]
    shown = [[*numbers_in(small), value] for small, value in tiles]  # 27 tokens / 8 calls, 3.38
    here, whole = (f"{tokens} / {calls} = {quotient}" for tokens, calls, quotient in shown)
    assert figures.startswith(f"up to this step: tokens per call {here}, accepted ")
    factor = float(page.get_attribute("#player-speedup", "data-value"))
    steps = page.inner_text("#player .ersd-tile-speed .ersd-small")  # the first reads the prompt too, and is left out
    assert figures.endswith(f", {factor:.2f} times as fast as one by one here {steps} · whole run: {whole}")
    choose_method(page, "one by one")
    generate(page, max_new_tokens=3)
    wait_for_step(page, 3)
    assert page.inner_text("#player .ersd-figures") == (
        "up to this step: tokens per call 3 / 3 = 1.00, nothing drafted, speed-up: this is one by one · whole run: 3 / 3 = 1.00"
    )


@pytest.mark.parametrize("size", [PROJECTOR, {"width": 1200, "height": 800}, PHONE], ids=lambda size: size["width"])
def test_no_number_of_a_block_covers_another_and_every_token_has_its_name(page, size):
    page.set_viewport_size(size)
    choose_method(page, "block")
    generate(page, max_new_tokens=20, draft_tokens=16)
    go_to_first(page)  # the last one may have no draft
    too_wide = "(cells) => cells.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    cells = page.locator("#player .ersd-tries.block :is(button, .head) > span:not(.name, .ersd-coin)")
    assert cells.count() > 10
    assert cells.evaluate_all(too_wide) == []
    names = page.locator("#player .ersd-tries.block button .name")
    assert names.count() > 3
    assert min(names.evaluate_all("(names) => names.map((one) => one.clientWidth)")) > 40
    assert page.locator("#player .ersd-tries.block .head").bounding_box()["height"] < 30


def test_text_that_goes_on_says_so(page):
    page.set_viewport_size(DESKTOPS[0])
    choose_method(page, "ERSD τ*")
    generate(page, max_new_tokens=110)
    wait_for_step(page, int(data(page, "steps")))
    assert page.get_attribute("#player .ersd-text-card", "data-more") == "above"
    assert page.evaluate("() => getComputedStyle(document.querySelector('.ersd-text-card'), '::before').content") == '"▲"'
    go_to_first(page)
    page.wait_for_selector("#player .ersd-text-card[data-more$=below]")
    generate(page, max_new_tokens=2)
    page.wait_for_selector("#player .ersd-text-card[data-more='']")


def test_the_tree_is_as_high_for_every_method_and_all_of_the_player_too(page):
    sizes = (DESKTOPS[0], PROJECTOR, PHONE)
    heights: list[list[list[float]]] = [[] for _ in sizes]
    for method, fields in {
        "ERSD τ*": {"draft_tokens": 64},
        "block": {"draft_tokens": 4},
        "ERSD batch": {"draft_tokens": 16},
        "RSD": {},
        "standard": {"draft_tokens": 16},
        "ERSD sequence": {"draft_tokens": 64},
    }.items():
        choose_method(page, method)
        if method == "ERSD sequence":
            choose(page, "topology", "dynamic")  # by parts, with the longest of names
        generate(page, max_new_tokens=8, **fields)
        wait_for_step(page, int(data(page, "steps")))
        for size, found in zip(sizes, heights, strict=True):
            page.set_viewport_size(size)
            wait_until_at_rest(page)
            found.append(_heights(page))
    for found in heights:
        for place in zip(*found, strict=True):
            assert max(place) - min(place) <= 1, heights


def _heights(page) -> list[float]:
    """Of the tree, the decision's card, and from the text to the figures."""
    heights = [page.evaluate(BOX, part)["height"] for part in ("#player-tree", "#player .ersd-race-card")]
    top, bottom = page.evaluate(BOX, "#player .ersd-text-card")["top"], page.evaluate(BOX, "#player-stats")["bottom"]
    return [*heights, bottom - top]


def test_names_in_the_menus_are_whole(page):
    for method in ("ERSD τ*", "RSD", "SpecTr", "block", "one by one"):
        choose_method(page, method)
        for size in (PHONE, PROJECTOR, *DESKTOPS):
            page.set_viewport_size(size)
            assert page.evaluate(CUT_NAMES) == [], (method, size)


@pytest.mark.parametrize("size", [DESKTOPS[0], PROJECTOR, PHONE], ids=lambda size: size["width"])
def test_an_explanation_never_covers_its_field(page, size):
    page.set_viewport_size(size)
    for block in page.locator(".setup .block:has(> .container .info-text):visible, .setup .block:has(label .info-text):visible").all():
        block.scroll_into_view_if_needed()
        block.hover()
        field, words = block.bounding_box(), block.locator(".info-text").bounding_box()
        beside = words["x"] >= field["x"] + field["width"] or words["x"] + words["width"] <= field["x"]
        above = words["y"] + words["height"] <= field["y"] or words["y"] >= field["y"] + field["height"]
        assert beside or above, block.get_attribute("id")
        assert words["x"] >= 0
        assert words["x"] + words["width"] <= size["width"]


def test_on_a_projector_nothing_jumps_whatever_a_step_says_and_a_race_has_its_words_whole(page):
    page.set_viewport_size(PROJECTOR)
    choose_method(page, "ERSD batch")
    generate(page, draft_tokens=4, seed=7, max_new_tokens=60)
    places, figures = set(), set()
    for step in range(int(data(page, "steps")), 0, -1):
        wait_for_step(page, step)
        places.add(str(boxes(page)))
        figures.add(page.locator("#player .ersd-facts").evaluate(TEXT_LINES))
        page.keyboard.press("ArrowLeft")
    assert len(places) == 1, places
    assert {1, 2} <= figures, "or there is nothing that could jump"

    page.click("#player .ersd-run-race")
    heads = page.locator("#player .ersd-lanes .until")
    heads.first.wait_for()
    assert heads.evaluate_all("(heads) => heads.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)") == []
    assert heads.count() == 2


def test_a_hover_label_does_not_cover_its_vertex(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("ersd", "tau_star", draft_tokens=12, max_new_tokens=6, seed=3))
    page = play(run, **DESKTOPS[0])
    half = page.evaluate(HALVES)
    for vertex in vertices(page)[:5]:
        page.mouse.move(2, 2)
        page.wait_for_selector("#player-tree .hoverlayer .hovertext", state="detached")  # that of the vertex before
        page.mouse.move(vertex["x"], vertex["y"])
        page.wait_for_selector("#player-tree .hoverlayer .hovertext path")
        label = page.evaluate(BOX, "#player-tree .hoverlayer .hovertext path")
        reach = half[str(vertex["id"])] - 4  # its edge may be touched, its words not
        assert label["left"] >= vertex["x"] + reach or label["right"] <= vertex["x"] - reach


@pytest.mark.parametrize(("topology", "tokens"), [("tau_star", 64), ("batch", 64), ("sequence", 64)])
def test_a_tree_opens_at_its_root_stays_where_it_is_and_all_of_it_can_be_reached(play, pair, topology, tokens):
    run = ersd.run(pair, PROMPT, ersd.Settings("ersd", topology, draft_tokens=tokens, max_new_tokens=12, seed=3))
    page = play(run, **PROJECTOR)
    page.click("#player [data-go=last]")
    places = set()
    for step in range(len(run.steps), 0, -1):
        wait_for_step(page, step)
        places.add(tuple(page.evaluate(SCROLLED)))
        page.keyboard.press("ArrowLeft")
    assert places == {(0, 0)}
    assert max(page.evaluate(BEHIND)) > 0, "it is larger than its panel"
    assert "linear-gradient" in page.evaluate("() => getComputedStyle(document.querySelector('#player-tree')).backgroundImage")
    deepest = max(range(len(run.steps[0].depths)), key=lambda vertex: run.steps[0].depths[vertex])
    for vertex in (deepest, len(run.steps[0].tokens) - 1, -1):
        show_vertex(page, "player", vertex)
        shown = next(one for one in vertices(page) if one["id"] == vertex)
        panel = page.evaluate(BOX, "#player-tree")
        assert panel["left"] <= shown["x"] <= panel["right"]
        assert panel["top"] <= shown["y"] <= panel["bottom"]


def test_where_the_path_leaves_a_large_tree_it_says_so_and_leads_there(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("ersd", "tau_star", draft_tokens=64, max_new_tokens=24, seed=3))
    page = play(run, **PROJECTOR)
    go_to_first(page)
    cue, known = page.locator("#player .ersd-path-cue"), set()
    for step in range(1, len(run.steps) + 1):
        wait_for_step(page, step)
        hidden = len(path_out_of_sight(page))
        known.add(bool(hidden))
        assert cue.is_visible() == bool(hidden)
        if hidden:
            assert cue.inner_text().startswith(f"{hidden} more")
            cue.click()
            page.wait_for_function("() => !document.querySelector('#player .ersd-path-cue').textContent.includes('more')")
            assert path_out_of_sight(page) == [] or "root" in cue.inner_text()
        if cue.is_visible():
            cue.click()
            page.wait_for_function(f"() => ({SCROLLED})().join() === '0,0'")
        page.keyboard.press("ArrowRight")
    assert known == {True, False}, "a path in sight, and one that leaves it"


@pytest.mark.parametrize(("drafted", "half", "least"), [(64, 6, EDGES), (16, None, ("left", "right"))])
def test_a_shade_stands_only_at_an_edge_behind_which_the_step_has_vertices(play, pair, drafted, half, least):
    """`half`: of a vertex without a box, pixels."""
    run = ersd.run(pair, PROMPT, ersd.Settings("ersd", "tau_star", draft_tokens=drafted, max_new_tokens=24, seed=3))
    page = play(run, **PHONE)
    go_to_first(page)
    seen = {True: set(), False: set()}
    for step in range(1, len(run.steps) + 1):
        wait_for_step(page, step)
        for corner in (0, 10_000):
            page.evaluate(f"(to) => {{ {TREE} tree.scrollTo(to, to); }}", corner)
            expected = edges_with_more(page, half)
            page.wait_for_function(f"(edges) => ({SHADES})().join() === edges.join()", arg=expected)
            for edge in EDGES:
                seen[edge in expected].add(edge)
        page.evaluate(f"() => {{ {TREE} tree.scrollTo(0, 0); }}")
        page.keyboard.press("ArrowRight")
    assert seen == {True: set(least), False: set(EDGES)}


def edges_with_more(page, half: float | None) -> list[str]:
    """The edges of the tree's panel behind which a vertex or a part of it stands."""
    panel, drawn, boxes = page.evaluate(BOX, "#player-tree"), vertices(page), page.evaluate(HALVES)
    sides = [(one["x"], one["y"], half or boxes[str(one["id"])]) for one in drawn]
    beyond = {
        "left": any(x - wide < panel["left"] for x, _, wide in sides),
        "right": any(x + wide > panel["right"] for x, _, wide in sides),
        "top": any(y - 10 < panel["top"] for _, y, _ in sides),
        "bottom": any(y + 10 > panel["bottom"] for _, y, _ in sides),
    }
    return [edge for edge, is_so in beyond.items() if is_so]


def test_the_button_of_the_path_covers_no_vertex(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("ersd", "tau_star", draft_tokens=16, max_new_tokens=40, seed=7))
    page = play(run, **PHONE)
    seen = 0
    for step, box in buttons_of_the_path(page, len(run.steps)):
        covered = [
            one["id"] for one in vertices(page)
            if box["left"] - 4 < one["x"] < box["right"] + 4 and box["top"] - 4 < one["y"] < box["bottom"] + 4
        ]  # fmt: skip
        assert covered == [], f"step {step}"
        seen += 1
    assert seen >= 2


def test_the_button_of_a_chains_path_covers_no_label(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("gsd", "sequence", draft_tokens=24, max_new_tokens=60, seed=4))
    page = play(run, **PHONE)
    seen = 0
    for step, box in buttons_of_the_path(page, len(run.steps)):
        assert [one["text"] for one in page.evaluate(WRITTEN) if do_touch(one, box)] == [], f"step {step}"
        seen += 1
    assert seen >= 2


def buttons_of_the_path(page, steps: int) -> Iterator[tuple[int, dict]]:
    """Goes through a run: the steps whose path leaves the panel, and the box of the button there."""
    go_to_first(page)
    for step in range(1, steps + 1):
        wait_for_step(page, step)
        if page.is_visible("#player .ersd-path-cue span"):
            yield step, page.evaluate(BOX, "#player .ersd-path-cue span")
        page.keyboard.press("ArrowRight")


def path_out_of_sight(page) -> list[int]:
    """The vertices of the path that are not seen."""
    panel = page.evaluate(BOX, "#player-tree")
    path = [vertex for vertex in vertices(page) if vertex["state"] in ("root", "accepted", "target")]
    return [
        vertex["id"]
        for vertex in path
        if not (
            panel["left"] + 12 <= vertex["x"] <= panel["left"] + page.evaluate(INSIDE)[0] - 12
            and panel["top"] + 12 <= vertex["y"] <= panel["top"] + page.evaluate(INSIDE)[1] - 12
        )
    ]


def test_a_step_that_is_told_no_longer_begins_at_its_root(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("ersd", "sequence", draft_tokens=48, max_new_tokens=60, seed=3))
    page = play(run, **PROJECTOR)
    go_to_first(page)
    page.click("#player [data-tell=draft]")
    page.wait_for_function(f"() => ({SCROLLED})()[0] > 100")  # it follows the draft
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 2)
    page.wait_for_function(f"() => ({SCROLLED})().join() === '0,0'")


def test_long_names_have_the_room_there_is(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("ersd", "sequence", draft_tokens=3, max_new_tokens=30, seed=6))
    page = play(run, **DESKTOPS[1])
    names = {text.replace(" ", "␣") for step in run.steps for text in step.texts}
    assert any(len(name) > 8 for name in names), "one is longer than the least"
    for _ in run.steps:
        labels = page.evaluate(LABELS)
        assert not [label for label in labels if label.endswith("…")]
        page.keyboard.press("ArrowRight")


def test_a_token_drawn_many_times_keeps_its_name(play, pair):
    chains = {"draft_tokens": 64, "sequences": 8, "max_new_tokens": 40, "temperature": 0.8}
    run = ersd.run(pair, PROMPT, ersd.Settings("kseq", "multi_sequence", seed=11, **chains))
    page = play(run, **PROJECTOR)
    labels = []
    go_to_first(page)
    for step in range(1, len(run.steps) + 1):
        wait_for_step(page, step)
        labels += [label for label in page.evaluate(LABELS) if label]
        page.keyboard.press("ArrowRight")
    numbered = [label for label in labels if "</span>" in label]
    assert any("×" in label for label in labels)
    assert numbered
    for label in labels:
        name = label.split("</span>")[-1].split(" ×")[0].strip()
        assert not name.endswith("…") or len(name) >= 5, label


@pytest.mark.parametrize("method", ["ERSD τ*", "block", "RSD"])
def test_the_lecture_view_is_large_and_fills_the_screen(open_page, method):
    page = open_page(f"?view=lecture&method={method}&max_new_tokens=24", **PROJECTOR)
    page.wait_for_selector("#player-tree .js-plotly-plot .point")
    assert not page.is_visible("#prompt textarea")
    wait_for(page, "done", "error")  # the run of the link
    go_to_first(page)  # the last one may have no draft, and no tries
    wait_until_at_rest(page)
    assert [letters for letters in page.evaluate(LETTERS) if letters[0] < 17.99] == []
    for part in ("#player-tree", "#player .ersd-race-plot", "#player .ersd-say", "#generate"):
        assert in_window(page, part), part
    tree, race = (page.evaluate(BOX, part) for part in ("#player-tree", "#player .ersd-race-plot"))
    assert root_is_seen(page)
    if method != "ERSD τ*":  # the tries have their place under the race
        tries = page.evaluate(BOX, "#player .ersd-tries")
        assert in_window(page, "#player .ersd-tries")
        assert page.inner_text("#player .ersd-tries").strip()
        race["height"] += tries["height"]
    assert (tree["width"] + race["width"]) * min(tree["height"], race["height"]) > 0.33 * 1024 * 768
    assert tree["right"] <= race["left"]
    names = [box for box in page.evaluate(NAMES) if box["width"]]
    assert len(names) > 4
    assert all(one["bottom"] - other["top"] < 0.25 * one["height"] for one, other in pairwise(names)), "names do not cover each other"
    assert page.evaluate(SPILLED) == []
    for step in range(1, int(data(page, "steps")) + 1):
        wait_for_step(page, step)
        numbers = page.evaluate(NUMBERS)
        assert min(min(sides) for sides in numbers) >= 0, "numbers are whole"
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize(("size", "fits"), [(PROJECTOR, False), (PHONE, True)])
def test_no_coin_of_a_long_sequence_stands_upon_another(open_page, size, fits):
    view = "lecture" if size is PROJECTOR else ""
    page = open_page(f"?view={view}&method=block&draft_tokens=16&seed=1&max_new_tokens=40", **size)
    wait_for(page, "done")
    go_to_first(page)
    page.click("#player [data-tell=walk]")
    page.wait_for_selector("#player .ersd-coins .sequence .coin-line")
    lines = page.evaluate(COIN_LINES)
    assert (len(lines) == 16) is fits
    assert len(lines) >= 5
    upper_and_lower = pairwise(sorted(lines, key=lambda one: one["top"]))
    assert [(one["text"], other["text"]) for one, other in upper_and_lower if one["bottom"] > other["top"] + 2] == []
    words = page.inner_text("#player .ersd-coins .sequence .head >> nth=-1")
    assert (words == f"tokens 1 to {len(lines)} of 16") is not fits


def test_what_is_in_view_stays_in_sight_when_the_width_changes(play, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings("gsd", "sequence", draft_tokens=16, max_new_tokens=60, seed=4))
    longest = max(range(len(run.steps)), key=lambda index: len(run.steps[index].walk))
    assert len(run.steps[longest].walk) > 6
    page = play(run, **DESKTOPS[1])
    page.click("#player .ersd-find [data-find=path]")
    wait_for_step(page, longest + 1)
    page.set_viewport_size(PHONE)
    page.wait_for_function(IN_LIST, arg="#player .ersd-walk [aria-current]")
    here, box = (page.evaluate(BOX, part) for part in ("#player-text :nth-last-child(1 of .here)", "#player-text"))
    assert box["top"] - 1 <= here["top"]
    assert here["bottom"] <= box["bottom"] + 1


def test_nothing_moves_in_the_lecture_view_when_a_sentence_takes_three_lines(open_page):
    page = open_page("?view=lecture&method=block&draft_tokens=16&max_new_tokens=40&seed=1", **PROJECTOR)
    wait_for(page, "done")
    go_to_first(page)
    height = """(one) => {
      const [height, bottom] = [one.offsetHeight, one.offsetTop + one.offsetHeight];
      one.style.minHeight = "0";
      const needed = one.offsetHeight;
      one.style.minHeight = "";
      return [height, bottom, needed];
    }"""
    places, needed = set(), set()
    for step in range(2, int(data(page, "steps")) + 1):
        page.keyboard.press("ArrowRight")
        wait_for_step(page, step)
        *place, lines = page.locator("#player .ersd-say").evaluate(height)
        places.add(tuple(place))
        needed.add(lines)
    assert len(needed) > 2, "one, two and three lines: take another seed"
    assert len(places) == 1


def test_the_button_goes_to_the_lecture_view_and_back(open_page):
    page = open_page()
    page.click(".lecture-button")
    assert not page.is_visible("#prompt textarea")
    assert "view=lecture" in page.url
    page.click(".lecture-button")
    assert page.is_visible("#prompt textarea")
    assert "view" not in page.url
