"""The player: step keys, timeline, decisions at nodes, bookmarks; and several players on one page."""

from __future__ import annotations

import json
from dataclasses import replace

import gradio as gr

import ersd
from ersd.trace.step import Try
from tests.visual.fakes import block_step, coin_step, greedy_step, leaf_step, one_try, race_step, residual_step, trace
from visual.payload.bookmarks import BOOKMARKS
from visual.payload.decision import WORDS as DECISION_WORDS
from visual.payload.messages import recording
from visual.payload.sentences.kinds.table import KINDS
from visual.ui.player import player

from .browser import DESKTOP, PHONE
from .driver import data, go_to, go_to_first, press_to, receive, wait_for_phase, wait_for_step, wait_for_text, wait_until_at_rest
from .reading import read, show_vertex

ROOT, LIKED, LOVED, PLAY, DOG, SWIM = -1, 0, 1, 2, 3, 4
"""The nodes of `race_step`: loved is accepted and followed by the target's own swim; dog is a child of the rejected liked."""


# --- steps ------------------------------------------------------------------------------------------------------------------------


def click_timeline(page, step: int) -> None:
    page.click(f"#player-timeline [data-step='{step - 1}']")


def test_steps_are_reached_by_keys_buttons_timeline_and_text_without_the_server(play):
    page = play(trace(*[race_step(), coin_step(), residual_step()] * 3))
    requests = []
    page.on("request", lambda request: "app_id" in request.url or requests.append(request.url))  # the page asks now and then who serves it
    page.focus("#player-text")  # the keys Home and End are the page's elsewhere
    press_to(page, "End", 9)
    press_to(page, "ArrowLeft", 8)
    press_to(page, "ArrowRight", 9)
    for go, step in (("first", 1), ("next", 2), ("last", 9), ("previous", 8)):
        page.click(f"#player [data-go={go}]")
        wait_for_step(page, step)
    click_timeline(page, 6)
    wait_for_step(page, 6)
    page.locator("#player-text .ersd-token[data-at='3']").first.click()
    wait_for_step(page, 4)
    page.select_option("#player .ersd-speed select", "8")
    page.check("#player .ersd-whole input")
    page.keyboard.press("Home")  # from the switch too
    wait_for_step(page, 1)
    page.locator("#player .ersd-player").press(" ")
    wait_for_step(page, 9)
    page.wait_for_selector("#player [data-go=play][aria-label=Play]")
    assert requests == []


def test_the_timeline_of_a_run_never_shows_the_bars_of_the_run_before(play):
    page = play(trace(race_step(), residual_step(), race_step()))
    assert page.locator("#player-timeline .ersd-column").count() == 3
    receive(page, json.loads(recording(trace(*[race_step()] * 2), "live"))["messages"][0])
    assert page.locator("#player-timeline .ersd-column").count() == 0, "until it has steps of its own"


def test_pictures_follow_the_theme_and_the_size_of_the_window_at_every_step(play):
    page = play(trace(race_step(), residual_step()))
    looks = """() => [...document.querySelectorAll("#player-tree .js-plotly-plot, #player-race .js-plotly-plot")].map(
      ({ _fullLayout: { width, font } }) => `${Math.round(width)} ${font.color}`
    )"""
    for change in (
        lambda: page.evaluate("document.body.classList.toggle('dark')"),
        lambda: page.set_viewport_size({"width": 1200, "height": 900}),
    ):
        before = page.evaluate(looks)
        change()
        page.wait_for_function(f"(before) => ({looks})().every((look, place) => look !== before[place])", arg=before)
        now = page.evaluate(looks)
        for step in (1, 2):
            go_to(page, step)
            assert page.evaluate(looks) == now


# --- decisions --------------------------------------------------------------------------------------------------------------------


def shown(page) -> tuple[str, str]:
    """Title and note of the decision in view."""
    return page.inner_text("#player .ersd-decision-title"), page.inner_text("#player .ersd-note")


def test_every_vertex_opens_a_decision_and_the_title_says_about_what(play):
    page = play(trace(race_step()))
    after_root, after_loved = "Race 1: what follows “Once she”?", "Race 2: what follows “Once she loved”?"
    assert shown(page) == (after_loved, ""), "at first where the step ended"
    for vertex, title, note in [
        (ROOT, after_root, ""),
        (LOVED, after_loved, ""),
        (SWIM, after_loved, ""),
        (LIKED, after_root, "liked"),
        (PLAY, after_loved, "play"),
        (DOG, after_root, "liked"),
    ]:
        show_vertex(page, "player", vertex)
        assert shown(page)[0] == title
        assert note in shown(page)[1]
        assert bool(shown(page)[1]) == bool(note)
        seen = read(page, "player")
        assert seen["sentence"]
        assert seen["names"]
        assert data(page, "vertex") == str(vertex)


def test_the_numbers_over_the_tree_open_its_decisions_also_by_keys(play):
    page = play(trace(race_step()))
    numbers = page.locator("#player .ersd-decisions button:visible")
    assert numbers.all_inner_texts() == ["1", "2"]
    in_view = "() => [...document.querySelectorAll('.ersd-decisions [aria-current]')].map((one) => one.textContent)"
    assert page.evaluate(in_view) == ["2"]
    numbers.first.focus()
    page.keyboard.press("Enter")
    wait_for_text(page, ".ersd-decision-title", "Race 1:")
    assert page.evaluate(in_view) == ["1"]
    numbers.last.click()
    wait_for_text(page, ".ersd-decision-title", "Race 2:")


def test_at_a_leaf_the_drafts_half_is_empty_and_says_so(play):
    page = play(trace(leaf_step("race"), leaf_step("coins")))
    go_to_first(page)
    assert not read(page, "player")["draft"]["bars"], "the step ended at the leaf"
    assert "nothing drafted" in page.inner_text("#player .ersd-half-empty")
    show_vertex(page, "player", ROOT)
    assert read(page, "player")["draft"]["bars"], "before it the draft's side is there"
    assert not page.is_visible("#player .ersd-half-empty")


def test_a_rule_has_its_own_terms_for_what_became_of_a_token(play):
    page = play(trace(block_step((0.9, 0.3, 0.8)), block_step((0.9, 0.3, 0.3)), residual_step()))
    go_to_first(page)
    legend = page.locator("#player .ersd-decision-legend")
    assert legend.inner_text() == "filled: keep probability · diamond: the coin · dashed line: the cut"
    go_to(page, 2)
    assert legend.inner_text() == "filled: keep probability · diamond: the coin", "nothing was cut"
    go_to_first(page)
    keys = page.locator("#player .ersd-tree-card [data-key]:visible").all_inner_texts()
    assert keys[:2] == ["✓ kept", "✕ cut"]
    assert keys[-1].strip() == "the choice shown follows it; click a number for another"


def test_the_legend_names_what_was_not_reached_only_where_there_is_some(play):
    page = play(trace(race_step(), leaf_step("race")))
    key = page.locator("#player .ersd-tree-card [data-key='not reached']")
    go_to_first(page)
    assert key.is_visible()
    go_to(page, 2)
    assert not key.is_visible()


def test_a_long_block_shows_its_deciding_coin_and_says_which_are_left_out(play):
    page = play(trace(block_step((0.9,) * 9 + (0.3,) + (0.9,) * 2), residual_step()))
    go_to_first(page)
    rows = page.locator("#player .ersd-tries li:visible").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["1", "2", "3", "4", "5", "6", "7", "…", "10", "…"]
    assert [rows[7], rows[9]] == ["… coins 8–9", "… coins 11–12"]
    box, last = (page.locator(f"#player .ersd-tries{part}").last.bounding_box() for part in ("", " .decides"))
    assert last["y"] + last["height"] <= box["y"] + box["height"] + 1, "no need to scroll"


def test_a_coin_says_what_it_is_compared_with(play):
    one = Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=0.41 / 0.99, coin=0.83)
    page = play(trace(one_try(one, rho=1.5), one_try(one, bias=0.1), residual_step()))
    for step, words in ((3, "p ÷ q"), (2, "lenien"), (1, "ρ")):
        go_to(page, step)
        assert words in page.inner_text("#player .ersd-idea")


def test_a_node_with_one_guess_or_none_has_an_idea_and_a_legend_of_its_own(play):
    page = play(trace(leaf_step("coins"), leaf_step("race"), race_step()))
    idea, legend = page.locator("#player .ersd-idea"), page.locator("#player .ersd-decision-legend")
    for step, kind in ((1, KINDS["coins"]), (2, KINDS["race"])):
        go_to(page, step)
        assert (idea.inner_text(), legend.inner_text()) == (kind.idea_at_leaf, " · ".join(kind.legend_at_leaf))
        page.locator("#player .ersd-decisions button").first.click()
        wait_for_text(page, "#player .ersd-decision-title", " 1:")
        assert (idea.inner_text(), legend.inner_text()) == (kind.idea_single or kind.idea, " · ".join(kind.legend))


def test_a_leaf_with_one_possible_token_has_room_for_its_words(play):
    """As at temperature 0: one row, beside which the draft's half says that nothing was drafted."""
    leaf = leaf_step("race")
    only = replace(leaf.walk[1], rows=[replace(row, p=1.0) for row in leaf.walk[1].rows if row.token == leaf.walk[1].token])
    page = play(trace(replace(leaf, walk=[leaf.walk[0], only])))
    for width in (DESKTOP["width"], PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 900})
        if width == PHONE["width"]:
            page.click("#player [data-picture=decision]")
        wait_until_at_rest(page, "#player .ersd-decision-card *")
        box = page.locator("#player .ersd-half-empty")
        assert box.inner_text() == DECISION_WORDS["leaf"]
        assert box.evaluate("(box) => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth")
    assert page.inner_text("#player .ersd-idea") == KINDS["race"].idea_certain


def test_a_tree_of_several_calls_says_which_one_its_first_race_is_of(play):
    page = play(trace(replace(race_step(), draft_calls=2), replace(race_step(), draft_calls=1)))
    for step, words in ((1, DECISION_WORDS["first_call"]), (2, "")):
        go_to(page, step)
        page.select_option("#player .ersd-speed select", "0.25")
        page.click("#player [data-tell=draft]")
        wait_for_phase(page, "draft")
        assert page.inner_text("#player .ersd-note") == words


def test_kseq_says_why_fewer_guesses_may_be_better(play):
    one = Try(vertex=0, accepted=False, p=0.6, q=0.66, ratio=0.6 / 0.99, coin=0.83)
    step = one_try(one, rho=1.5)
    two = replace(step, tokens=step.tokens * 2, parents=[-1, -1], depths=[1, 1], draft_probs=[0.66, 0.3], ranks=[1, 2], texts=[" a", " b"])
    page = play(trace(two, replace(two, walk=[replace(two.walk[0], rho=None)]), residual_step()))
    note = page.locator("#player .ersd-alone")
    go_to_first(page)
    assert note.inner_text().endswith("with only 1 drafted: 2 tokens (ρ is 1 then)")
    go_to(page, 2)
    assert note.inner_text().endswith("with only 1 drafted: 1 token")


def test_a_figure_is_shown_as_0_or_1_only_if_it_is(play):
    step = residual_step()
    nearly = replace(step.walk[0], tv=0.996, kl=0.004, predicted=0.997, optimum=0.9996)
    page = play(trace(replace(step, walk=[nearly])))
    page.click("#player .ersd-every summary")
    figures = page.inner_text("#player .ersd-every-figures")
    assert "0.996" in figures
    assert "0.0040" in figures
    assert page.locator("#player .ersd-cell-here b").first.text_content() == "0.997"


def test_whatever_a_model_writes_is_text_and_never_html(play):
    evil = '"><img src=x onerror="window.owned=1"><script>window.owned=1</script>\u202eשלום\x1b[2J\u200b😀'
    step = race_step()
    walk = [replace(visit, rows=[replace(one, text=evil) for one in visit.rows], text=evil) for visit in step.walk]
    step = replace(step, texts=[evil] * 4, walk=walk, emitted=[replace(one, text=evil) for one in step.emitted])
    page = play(replace(trace(step), prompt=evil))
    assert page.locator("#player img, #player script").count() == 0
    assert page.evaluate("window.owned") is None
    assert page.text_content("#player-text").startswith(evil + evil)
    hovers = page.evaluate("""() => [...document.querySelectorAll("#player-tree .js-plotly-plot, #player-race .js-plotly-plot")]
      .flatMap((plot) => plot.data).flatMap((one) => one.hovertext || [])""")
    assert any("&lt;img" in hover for hover in hovers)
    assert not any("<img" in hover for hover in hovers)


# --- bookmarks --------------------------------------------------------------------------------------------------------------------


def bookmarked(steps) -> dict[str, list[int]]:
    """By button the steps, from 1, in the order in which it leads to them."""
    decided = {step.index + 1: [visit.accepted for visit in step.walk if visit.tries] for step in steps}
    longest = max(step.accepted for step in steps)
    ranks = {step.index + 1: [step.ranks[one.vertex] for visit in step.walk for one in visit.tries if one.accepted] for step in steps}
    margins = {step.index + 1: min(visit.margin for visit in step.walk if visit.margin is not None) for step in steps}
    return {
        "all": [index for index, each in decided.items() if each and all(each)],
        "root": [index for index, each in decided.items() if each and not each[0]],
        "rescued": [index for index, each in ranks.items() if any(rank > 1 for rank in each)],
        "path": [step.index + 1 for step in steps if step.accepted == longest],
        "gap": sorted(margins, key=lambda index: margins[index])[:1],
    }


def test_every_bookmark_leads_to_the_steps_it_names_one_after_the_other(play, pair):
    run = ersd.run(pair, "One day", ersd.Settings(topology="tau_star", draft_tokens=8, max_new_tokens=9, seed=3))
    page = play(run)
    for name, found in bookmarked(run.steps).items():
        assert found, f"the run has no step for {name}: take another seed"
        go_to_first(page)
        start = found.index(1) + 1 if 1 in found else 0  # the first press leads on from the first step
        for index in [*found[start:], *found[:start], *found[start:][:1]]:
            page.click(f"#player-find [data-find={name}]")
            wait_for_step(page, index)
            assert page.inner_text(f"#player-find [data-find={name}] b") == str(len(found))
    longest = max(step.accepted for step in run.steps)
    assert page.inner_text("#player-find [data-find=path] span") == f"Longest run ({longest})"


def test_where_a_run_has_no_such_step_the_bookmark_says_so(play, pair):
    page = play(ersd.run(pair, "One day", ersd.Settings(algorithm="autoregressive", max_new_tokens=6)))
    reasons = {find["id"]: find["none"] for find in BOOKMARKS}
    for name in ("all", "root", "rescued", "path"):
        button = page.locator(f"#player-find [data-find={name}]")
        assert button.is_disabled()
        assert button.get_attribute("title") == reasons[name]
    assert page.locator("#player-find [data-find=gap]").is_enabled()


# --- several players --------------------------------------------------------------------------------------------------------------

LEFT, RIGHT = "left-player", "7 of 9"
"""Ids of players; the second could not stand in a selector as it is."""
RUNS = {
    LEFT: trace(race_step(), coin_step(), race_step()),
    RIGHT: trace(greedy_step(), race_step(), coin_step(), greedy_step()),
}


def wait_for_step_of(page, name: str, step: int) -> None:
    page.wait_for_selector(f'[id="{name}"][data-step="{step}"]')


def show_first(page, name: str) -> None:
    """Touch a player and go to its first step."""
    page.click(f'[id="{name}"] .ersd-say')
    page.keyboard.press("Home")
    wait_for_step_of(page, name, 1)


def step_of(page, name: str) -> str:
    return page.get_attribute(f'[id="{name}"]', "data-step")


def test_two_players_do_not_mix_and_the_keys_act_on_the_one_touched_last(visit):
    with gr.Blocks() as blocks:
        for name, run in RUNS.items():
            player(name, recording(run, f"This is {name}."))
    page = visit(blocks)
    for name, run in RUNS.items():
        page.wait_for_selector(f'[id="{name}-tree"] .point')
        assert page.inner_text(f'[id="{name}-status"]') == f"This is {name}."
        assert page.get_attribute(f'[id="{name}"]', "data-steps") == str(len(run.steps))
        for part in ("-text", "-tree", "-race", "-timeline", "-stats", "-theory"):
            assert page.locator(f'[id="{name}{part}"]').count() == 1
    before = step_of(page, RIGHT)
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    wait_for_step_of(page, LEFT, 1)  # nothing was touched: the first on the page
    assert step_of(page, RIGHT) == before
    show_first(page, RIGHT)
    page.keyboard.press("ArrowRight")
    wait_for_step_of(page, RIGHT, 2)
    assert step_of(page, LEFT) == "1"
    page.click(f'[id="{LEFT}"] [data-go=last]')
    wait_for_step_of(page, LEFT, 3)
    assert step_of(page, RIGHT) == "2"


def test_a_player_in_a_tab_is_drawn_when_its_tab_opens_and_has_the_keys(visit):
    with gr.Blocks() as blocks, gr.Tabs():
        for name, run in RUNS.items():
            with gr.Tab(name):
                player(name, recording(run, f"This is {name}."))
    page = visit(blocks)
    page.wait_for_selector(f'[id="{LEFT}-tree"] .point')
    show_first(page, LEFT)
    page.get_by_role("tab", name=RIGHT).click()
    page.wait_for_selector(f'[id="{RIGHT}-tree"] .point')
    page.wait_for_selector(f'[id="{RIGHT}"] .ersd-decision-plot .bars')
    before = int(step_of(page, RIGHT))
    page.locator("body").click(position={"x": 2, "y": 2})
    page.keyboard.press("ArrowLeft" if before > 1 else "ArrowRight")  # the player touched last is hidden now
    wait_for_step_of(page, RIGHT, before - 1 if before > 1 else 2)
    assert step_of(page, LEFT) == "1"
