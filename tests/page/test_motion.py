"""A step in motion: its story as a pure function of its message, and its four phases on the screen, by key, by click and by playing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import gradio as gr
import pytest

import ersd
from tests.visual.fakes import bare_step, block_step, coin_step, greedy_step, large_step, leaf_step, race_step, residual_step, trace
from visual.payload.messages import messages, recording
from visual.payload.sentences.formatting import visible
from visual.server import static_files as modules
from visual.ui.page import recorded
from visual.ui.player import player

from .browser import visits
from .driver import data, go_to_first, wait_for_step

STEPS = [race_step(), residual_step(), leaf_step("race"), block_step(), greedy_step(accepted=True)]
PROMPT = "Once upon a time there was a little girl named"
EVERY_METHOD: list[dict] = [
    {"algorithm": "ersd", "topology": "tau_star", "draft_tokens": 64},
    {"algorithm": "ersd", "topology": "batch", "draft_tokens": 8},
    {"algorithm": "ersd", "topology": "dynamic", "draft_tokens": 16},
    {"algorithm": "gsd", "topology": "sequence", "draft_tokens": 16},
    {"algorithm": "gsd", "topology": "batch", "draft_tokens": 8, "temperature": 2.0},
    {"algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 16},
    {"algorithm": "block", "topology": "sequence", "draft_tokens": 16},
    {"algorithm": "greedy", "topology": "tau_star", "draft_tokens": 32, "temperature": 0},
    {"algorithm": "lossy", "topology": "sequence", "draft_tokens": 12, "leniency": 1.0},
    {"algorithm": "autoregressive"},
]
EVERY_KIND = {
    "race": race_step(),
    "coins": coin_step(accepted=True),
    "coins, all rejected": coin_step(tries=3),
    "residuals": residual_step(),
    "a duplicate tried often": residual_step(rejections=20),
    "block": block_step(),
    "block, all kept": block_step(coins=(0.1, 0.2, 0.3)),
    "block, none kept": block_step(coins=(0.9, 0.9, 0.9)),
    "greedy": greedy_step(accepted=True),
    "leaf": leaf_step("race"),
    "one by one": bare_step(),
    "64 vertices": large_step([-1] * 8 + [vertex // 7 for vertex in range(56)]),
}


@pytest.fixture(scope="module")
def page(browser):
    """A recorded run."""
    with visits(browser) as open_at:
        with gr.Blocks() as blocks:
            player("player", recording(trace(*STEPS), "recorded"))
        page = open_at(blocks)
        page.wait_for_selector("#player-tree .js-plotly-plot .point")
        page.wait_for_selector("#player[data-phase=text]")
        yield page


@pytest.fixture
def at_first(page):
    """The page at its first step, finished, at speed 1, with motion."""
    page.emulate_media(reduced_motion="no-preference")
    page.select_option("#player .ersd-speed select", "1")
    page.set_checked("#player .ersd-whole input", False)
    go_to_first(page)
    return page


def known(page) -> list[str]:
    """What the card of the step in words says."""
    return page.locator("#player .ersd-summary dd").all_inner_texts()


def wait_for_phase(page, phase: str) -> None:
    page.wait_for_selector(f"#player[data-phase={phase}]")


@contextmanager
def seeing(page, check: str, *moments) -> Iterator[None]:
    """What is done here must make `check`, a function in the browser, true of each of these, at any moment: every frame is looked at."""
    page.evaluate(
        """([check, moments]) => {
          const isSeen = new Function(`return (${check})`)();
          window.waiting = new Set(moments);
          const look = () => {
            for (const moment of window.waiting) if (isSeen(moment)) window.waiting.delete(moment);
            if (window.waiting.size) requestAnimationFrame(look);
          };
          look();
        }""",
        [check, moments],
    )
    yield
    page.wait_for_function("window.waiting.size === 0")


def told(page, step, moments: int = 400) -> dict:
    """The story of a step: its beats and spans, and what is to be seen at so many moments of it."""
    message = json.loads(next(line for line in messages(trace(step)) if line.type == "step"))
    return page.evaluate(
        """async ([address, message, count]) => {
          const { storyOf, sceneAt, statesAt } = await import(new URL(address, document.baseURI));
          const story = storyOf(message);
          const moments = Array.from({ length: count }, (_, place) => (story.seconds * (place + 0.5)) / count);
          const scenes = moments.map((time) => sceneAt(story, time));
          return { tree: message.tree, seconds: story.seconds, spans: story.spans, beats: story.beats, visits: story.visits,
                   scenes, states: scenes.map((scene) => statesAt(story, scene)) };
        }""",
        [modules.address("story/story.js"), message, moments],
    )


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_a_story_has_four_phases_in_order_and_tells_what_became_of_every_vertex(page, kind):
    step = EVERY_KIND[kind]
    story = told(page, step)
    phases = [span["phase"] for span in story["spans"]]
    assert phases == (["draft", "score", "walk", "text"] if step.tokens else ["score", "walk", "text"])
    for one, other in zip(story["beats"], story["beats"][1:], strict=False):
        assert one["start"] + one["seconds"] == pytest.approx(other["start"])
    assert 2.5 < story["seconds"] < 4.6
    assert [span["start"] for span in story["spans"][1:]] == [span["end"] for span in story["spans"][:-1]]
    assert story["scenes"][-1]["settled"] == len(step.walk)
    for scene, states in zip(story["scenes"], story["states"], strict=True):
        if scene["phase"] in ("draft", "score"):
            assert not {"accepted", "rejected", "target"} & set(states), "nothing is decided before the walk"
        if scene["phase"] == "draft":
            assert {v for v, call in enumerate(step.call_of) if call > scene["calls"]} <= {
                v for v, state in enumerate(states) if state == "hidden"
            }
        if scene["phase"] == "text":
            assert states == story["tree"]["states"]
        assert (scene["joined"] > 0) <= (scene["phase"] == "text" and scene["flight"] == 1), "first the token flies, then the path goes"
        assert not scene["isOver"]
    assert story["scenes"][-1]["joined"] == 1


def test_a_step_takes_three_to_four_seconds_however_much_is_decided_in_it(page, pair):
    recordings = [recorded(), *(ersd.run(pair, PROMPT, ersd.Settings(max_new_tokens=24, seed=3, **fields)) for fields in EVERY_METHOD)]
    decided = {}
    for run in recordings:
        for step in run.steps:
            story = told(page, step, moments=0)
            walk = [beat for beat in story["beats"] if beat["phase"] == "walk"]
            visits = [one["seconds"] + two["seconds"] for one, two in zip(walk[::2], walk[1::2], strict=True)]
            assert min(visits) >= 0.1 - 1e-9, "a decision can be followed"
            assert 2.5 < story["seconds"] < (4.05 if len(visits) < 16 else 4.25), (run.settings.algorithm, step.index)
            decided[len(visits)] = story["seconds"]
    assert len(decided) > 5, "long walks and short ones"


def test_the_roots_children_come_when_they_arrive_in_the_drafts_race(page, pair):
    run = ersd.run(pair, PROMPT, ersd.Settings(algorithm="ersd", topology="tau_star", draft_tokens=16, max_new_tokens=16, seed=3))
    for step in filter(lambda step: step.tokens, run.steps):
        story = told(page, step)
        arrives = {one.vertex: one.draft_time for one in step.walk[0].tries}
        drafting = [(scene, states) for scene, states in zip(story["scenes"], story["states"], strict=True) if scene["phase"] == "draft"]
        counts = []
        for scene, states in drafting:
            there = {vertex for vertex in arrives if states[vertex] != "hidden"}
            last = max(arrives.values())
            time = scene["drafted"] / 0.85 * last  # the race stops a little before the call is over
            if any(abs(arrival - time) < 1e-3 * last for arrival in arrives.values()):
                continue  # a message has fewer digits than the trace
            assert there == {vertex for vertex, arrival in arrives.items() if arrival <= time + 1e-9}
            counts.append(len(there))
            assert scene["calls"] == 1 or len(there) == len(arrives), "the next level comes after them"
        assert counts[-1] == len(arrives)
        assert len(arrives) < 2 or len(set(counts)) > 1


def test_siblings_fall_when_their_vertex_is_decided_and_coins_one_by_one(page):
    race = told(page, race_step())
    for scene, states in zip(race["scenes"], race["states"], strict=True):
        if scene["phase"] == "walk":
            fallen = {vertex for vertex in (0, 1) if states[vertex] in ("accepted", "rejected")}
            assert fallen == ({0, 1} if scene["settled"] or scene["share"] == 1 or scene["visit"] > 0 else set())
    coins = told(page, residual_step(rejections=3))
    seen = [scene["tries"] for scene in coins["scenes"] if scene["phase"] == "walk" and scene["visit"] == 0]
    assert sorted(set(seen)) == [0, 1, 2, 3, 4]
    assert seen == sorted(seen)
    trying = [scene["trying"] for scene in coins["scenes"] if scene["phase"] == "walk" and scene["visit"] == 0]
    assert sorted(set(trying)) == [1, 2, 3, 4]
    assert all(now in (decided, decided + 1) for now, decided in zip(trying, seen, strict=True)), "its verdict is read before the next try"
    for scene, states in zip(coins["scenes"], coins["states"], strict=True):
        if scene["phase"] == "walk" and scene["tries"] < 4 and not scene["settled"]:
            assert states[1] == "scored", "the child tried last is not touched before its coin"


def test_phases_by_key(at_first):
    page = at_first
    seen = []
    for key in ["Shift+ArrowLeft"] * 3 + ["Shift+ArrowRight", "PageDown", "PageDown", "PageDown", "PageUp", "PageUp"]:
        before = (data(page, "step"), data(page, "phase"))
        page.keyboard.press(key)
        page.wait_for_function(
            "([step, phase]) => { const { dataset } = document.querySelector('#player');"
            " return dataset.step !== step || dataset.phase !== phase; }",
            arg=before,
        )
        seen.append((int(data(page, "step")), data(page, "phase")))
    assert seen == [
        (1, "walk"), (1, "score"), (1, "draft"), (1, "score"), (1, "walk"), (1, "text"), (2, "draft"), (1, "text"), (1, "walk"),
    ]  # fmt: skip
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 2)
    assert data(page, "phase") == "text", "by step it is the finished step"


def test_nothing_is_seen_before_it_is_told(at_first):
    page = at_first
    draws = """() => { const { react } = Plotly; window.drawn = 0;
      Plotly.react = (element, ...rest) => {
        window.drawn += Boolean(element.closest('#player-tree')); return react(element, ...rest);
      }; }"""
    page.evaluate(draws)
    for _ in range(3):
        page.keyboard.press("Shift+ArrowLeft")
    wait_for_phase(page, "draft")
    states = page.eval_on_selector_all("#player .ersd-vertex", "all => all.map((one) => one.dataset.state)")
    assert states == ["root", *["drafted"] * 4, "hidden"]
    assert page.locator("#player-text .ersd-token.here").count() == 0
    assert known(page) == ["4 of 4 drafted so far.", *["Not decided yet."] * 3]
    assert page.locator("#player .ersd-walk li:visible").count() == 0
    assert not page.is_visible("#player .ersd-race-plot")
    assert page.inner_text("#player .ersd-race-title") == "Draft call 2 of 2"
    page.keyboard.press("Shift+ArrowRight")
    wait_for_phase(page, "score")
    assert page.inner_text("#player .ersd-tale") == "one target call scores all 4 drafted tokens and the root"
    assert known(page)[0] == "4 drafted, none decided yet."
    says = "([part, words]) => document.querySelector(`#player ${part}`).textContent.includes(words)"
    deciding, accepted = [".ersd-say", "The target runs the same race"], [".ersd-tale", "after the root: ✓"]
    with seeing(page, says, deciding, accepted, [".ersd-summary-drafted .so-far", "1 of 4 accepted so far"]):
        page.keyboard.press("Shift+ArrowRight")
    page.wait_for_function("document.querySelector('#player .ersd-tale').textContent.includes('is the target’s own')")
    assert page.is_visible("#player .ersd-race-plot")
    page.keyboard.press("Shift+ArrowRight")
    wait_for_phase(page, "text")
    assert page.inner_text("#player .ersd-tale") == "2 tokens, 1 call: 1 accepted + ★ “␣swim”, a correction"
    assert page.evaluate("window.drawn") == 0, "the finished tree was drawn once, before"


def test_while_a_step_is_told_the_figures_are_those_before_it_and_none_is_of_its_time(at_first):
    page = at_first
    figures, tile = "#player .ersd-figures", "#player .ersd-tile-per-call"
    first, value = page.inner_text(figures), page.inner_text(f"{tile} .ersd-value")
    assert first.startswith("up to this step: ")
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 2)
    second, of_its_time = page.inner_text(figures), "#player :is(.ersd-took, .ersd-step-ms, .ersd-tile-time)"
    assert [one.is_visible() for one in page.locator(of_its_time).all()] == [True] * 3
    for phase in ("draft", "score", "walk"):
        page.click(f"#player [data-tell={phase}]")
        wait_for_phase(page, phase)
        assert page.inner_text(figures) == first.replace("up to", "before")
        assert [page.inner_text(f"{tile} .ersd-{part}") for part in ("label", "value")] == ["before this step", value]
        assert [one.is_visible() for one in page.locator(of_its_time).all()] == [False] * 3
    page.click("#player [data-tell=text]")
    wait_for_phase(page, "text")
    assert page.inner_text(figures) == second != first


def test_the_marker_stands_where_the_race_that_is_run_was(at_first):
    page = at_first
    is_there = """([vertex, place, names]) => {
      const middle = (one) => { const { left, right } = one.getBoundingClientRect(); return (left + right) / 2; };
      const runners = [...document.querySelectorAll("#player .in-motion .ersd-lanes .name")].map((one) => one.lastChild.textContent);
      const marker = document.querySelector("#player .ersd-marker");
      const stand = document.querySelector(`#player .ersd-vertex[data-vertex="${vertex}"]`);
      const isTold = document.querySelector("#player .ersd-tale").textContent === `the walk stands at ${place}`;
      return isTold && String(runners) === String(names) && Math.abs(middle(marker) - middle(stand)) < 2;
    }"""
    places = zip(race_step().walk, ("the root", "“␣loved”"), strict=True)
    with seeing(page, is_there, *[[visit.vertex, place, [visible(row.text, row.token) for row in visit.rows]] for visit, place in places]):
        page.click("#player [data-tell=walk]")


def test_coins_are_told_try_by_try(at_first):
    page = at_first
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 2)
    seen = page.locator("#player .ersd-tries li:not(.unseen)")  # the list is not shown, as the run began with a race
    assert seen.count() == 3
    for phase in ("draft", "score"):
        page.click(f"#player [data-tell={phase}]")
        wait_for_phase(page, phase)
        assert seen.count() == 0, "no coin is seen before it falls"
    is_told = """([place, all]) => {
      const heads = [...document.querySelectorAll("#player .ersd-coins .head")].filter((one) => one.style.opacity === "1");
      const words = `try ${place} of ${all}`;
      const isInTale = document.querySelector("#player .ersd-tale").textContent === `the walk stands at the root: ${words}`;
      return isInTale && heads.length === 1 && heads[0].textContent.startsWith(words);
    }"""
    with seeing(page, is_told, [1, 3], [2, 3], [3, 3]):
        page.click("#player [data-tell=walk]")
    page.wait_for_function("document.querySelector('#player .ersd-tale').textContent.startsWith('after the root: ✓')")


def test_a_decision_stays_in_sight_until_its_bars_are_there(at_first):
    page = at_first
    page.select_option("#player .ersd-speed select", "2")
    watch = """() => {
      const root = document.querySelector("#player .ersd-player"), cover = root.querySelector(".ersd-motion");
      window.empty = []; window.frames = 0;
      const look = () => {
        const { phase } = document.querySelector("#player").dataset;
        const isEmpty = phase === "walk" && root.classList.contains("undecided") && cover.hidden;
        if (isEmpty) window.empty.push(root.querySelector(".ersd-tale").textContent);
        window.frames += phase === "walk";
        requestAnimationFrame(look);
      };
      look();
    }"""
    page.evaluate(watch)
    for step in range(1, len(STEPS) + 1):
        page.click("#player [data-tell=walk]")
        wait_for_phase(page, "walk")
        page.wait_for_selector("#player[data-phase=walk] [data-go=play][aria-label=Play]")
        if step < len(STEPS):
            page.keyboard.press("ArrowRight")
            wait_for_step(page, step + 1)
    assert page.evaluate("window.frames") > len(STEPS)
    assert page.evaluate("window.empty") == []


GO = "(step) => document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-go', { detail: { step } }))"
MARKER = """() => {
  const tree = document.querySelector("#player-tree"), stage = tree.querySelector(".ersd-stage");
  const range = document.createRange();
  range.selectNodeContents(stage.querySelector(".ersd-marker"));
  const marker = range.getBoundingClientRect(), panel = tree.getBoundingClientRect();
  const middle = (marker.top + marker.bottom) / 2; // the sign is 12 pixels high, its line 20
  const isOn = ({ left, right, top, bottom }) => (
    Math.min(right, marker.right) - Math.max(left, marker.left) > 2 && Math.min(bottom, middle + 6) - Math.max(top, middle - 6) > 2
  );
  const covered = [...stage.querySelectorAll(".ersd-vertex:not([data-state=root])")].filter((one) => isOn(one.getBoundingClientRect()));
  const isInside = middle - 6 >= panel.top && marker.left >= panel.left && marker.right <= panel.right;
  return [marker.width > 0, isInside, ...covered.map((one) => one.textContent)];
}"""


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, {"width": 390, "height": 844}], ids=lambda size: size["width"])
def test_the_marker_covers_no_token_and_stays_in_the_picture(play, pair, size):
    for fields in ({"topology": "tau_star", "draft_tokens": 16}, {"topology": "tau_star", "draft_tokens": 64}):
        page = play(ersd.run(pair, PROMPT, ersd.Settings(algorithm="ersd", max_new_tokens=16, seed=7, **fields)), **size)
        page.emulate_media(reduced_motion="reduce")  # where it stands in the end, at once
        page.add_style_tag(content="* { transition: none !important; }")
        for step in range(1, int(data(page, "steps")) + 1):
            page.evaluate(
                "(step) => document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-go', { detail: { step } }))", step
            )
            wait_for_step(page, step)
            wait_for_phase(page, "text")
            page.evaluate("document.querySelector('#player [data-tell=walk]').click()")
            wait_for_phase(page, "walk")
            assert page.evaluate(MARKER) == [True, True], (fields, step)


def test_the_path_becomes_the_root_of_the_next_step(at_first):
    page = at_first
    before = page.locator("#player .ersd-summary-card").bounding_box()
    is_root = """(words) => {
      const [root, ...others] = document.querySelectorAll("#player .ersd-vertex");
      if (!root?.getBoundingClientRect().width) return false; // of a stage that is hidden all places are one
      const middle = (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      const path = others.filter(({ dataset }) => ["accepted", "target"].includes(dataset.state));
      const isThere = (one) => middle(one).every((place, axis) => Math.abs(place - middle(root)[axis]) < 2);
      const isSaid = document.querySelector("#player .ersd-stage[data-act=join] .ersd-caption")?.textContent === words;
      return isSaid && path.length === 2 && path.every(isThere) && root.innerText.endsWith("swim");
    }"""
    flying = "(words) => document.querySelector('#player .ersd-flying:not([hidden])')?.innerText === words"
    with seeing(page, flying, "★ ␣swim\nfrom the same call"):
        page.click("#player [data-tell=text]")
    with seeing(page, is_root, "2 tokens, 1 call: the path becomes the root"):
        page.click("#player [data-tell=text]")
    page.wait_for_selector("#player-tree:not(.staged)")
    assert page.locator("#player .ersd-summary-card").bounding_box() == before
    page.click("#player [data-tell=walk]")
    page.wait_for_selector("#player .ersd-stage[data-act=walk]")
    assert not page.locator("#player .ersd-vertex").first.inner_text().endswith("swim"), "the step is told again from its own root"


def test_the_bar_goes_to_a_phase_and_says_which(at_first):
    page = at_first
    page.click("#player [data-tell=walk]")
    wait_for_phase(page, "walk")
    assert page.inner_text("#player .ersd-phase-of") == "phase 3 of 4"
    assert page.get_attribute("#player [data-tell=walk]", "aria-current") == "step"
    page.keyboard.press("End")
    wait_for_step(page, len(STEPS))
    assert page.get_attribute("#player [data-tell=text]", "aria-current") == "step"


def test_playing_tells_every_phase_and_ends_at_the_last_step(at_first):
    page = at_first
    page.select_option("#player .ersd-speed select", "8")
    page.evaluate(
        """() => { window.seen = []; new MutationObserver(() => { const { step, phase } = document.querySelector('#player').dataset;
          const now = `${step} ${phase}`; if (window.seen.at(-1) !== now) window.seen.push(now);
        }).observe(document.querySelector('#player'), { attributes: true }); }"""
    )
    page.keyboard.press(" ")
    page.wait_for_function("window.seen.length > 2")
    page.wait_for_selector(f"#player[data-step='{len(STEPS)}'][data-phase=text] [data-go=play][aria-label=Play]")
    seen = page.evaluate("window.seen")
    for step in range(1, len(STEPS) + 1):
        told = [each for each in seen if each.startswith(str(step))]
        assert [each.split()[1] for each in told][-4:] == ["draft", "score", "walk", "text"], "no phase is passed over"
    page.set_checked("#player .ersd-whole input", True)
    page.evaluate("window.seen.length = 0")
    page.locator("#player .ersd-player").press(" ")
    page.wait_for_function("window.seen.length > 2")
    page.wait_for_selector(f"#player[data-step='{len(STEPS)}'] [data-go=play][aria-label=Play]")
    assert {each.split()[1] for each in page.evaluate("window.seen")} == {"text"}, "whole steps have no phases"


def test_a_pause_holds_a_story_where_it_is_and_a_click_on_a_vertex_finishes_it(at_first):
    page = at_first
    page.select_option("#player .ersd-speed select", "0.25")  # it is not over before it is paused
    page.click("#player [data-tell=walk]")
    page.wait_for_function("document.querySelector('#player .ersd-marker').style.transform")
    page.click("#player [data-go=play]")
    page.wait_for_selector("#player [data-go=play][aria-label=Play]")
    before = page.inner_text("#player .ersd-tale")
    page.wait_for_timeout(300)
    assert (data(page, "phase"), page.inner_text("#player .ersd-tale")) == ("walk", before)
    page.locator("#player .ersd-vertex[data-vertex='1']").click()
    page.wait_for_selector("#player[data-phase=text][data-vertex='1']")


def test_a_step_that_is_played_with_reduced_motion_shows_the_end_of_every_phase_alone(at_first):
    page = at_first
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("""() => {
      const tale = document.querySelector("#player .ersd-tale");
      window.tales = [];
      new MutationObserver(() => window.tales.at(-1) !== tale.innerText && window.tales.push(tale.innerText))
        .observe(tale, { childList: true, characterData: true, subtree: true });
    }""")
    page.select_option("#player .ersd-speed select", "4")
    page.click("#player [data-go=play]")
    page.wait_for_selector("#player[data-step='3']")
    page.click("#player [data-go=play]")
    drafts = [tale for tale in page.evaluate("window.tales") if tale.startswith("draft call")]
    assert drafts
    assert all(re.match(r"draft call (\d+) of \1:", tale) for tale in drafts)


def test_with_reduced_motion_a_phase_is_over_at_once(at_first):
    page = at_first
    page.emulate_media(reduced_motion="reduce")
    page.click("#player [data-tell=draft]")
    wait_for_phase(page, "draft")
    assert page.inner_text("#player .ersd-tale") == "draft call 2 of 2: 2 tokens"
    page.keyboard.press("PageDown")
    wait_for_phase(page, "score")
    page.keyboard.press("PageDown")
    wait_for_phase(page, "walk")
    assert page.inner_text("#player .ersd-tale") == "after “␣loved”: ★ “␣swim” is the target’s own"
    page.wait_for_selector("#player [data-go=play][aria-label=Play]")
    page.keyboard.press("PageDown")
    wait_for_phase(page, "text")
