"""Decisions in motion, at moments chosen by hand: where dots, flags, coins and bars stand is compared with the trace, worked out here."""

from __future__ import annotations

from datetime import datetime
from itertools import islice, pairwise

import gradio as gr
import pytest

import ersd
from ersd.trace.model import Step, Visit
from tests.visual.fakes import SETTINGS, block_step, greedy_step, residual_step, trace
from visual.payload.messages import RunMessages, kit, recording
from visual.server import static_files as modules
from visual.ui.player import player

from .browser import visits
from .reading import numbers_in, reads_as

PROMPT = "Once upon a time there was a little girl named"
PIXELS = 1.0
RUNS = {
    "race": {"algorithm": "ersd", "topology": "tau_star", "draft_tokens": 16},
    "gsd": {"algorithm": "gsd", "topology": "batch", "draft_tokens": 3, "temperature": 1.5},
    "gsd_wor": {"algorithm": "gsd_wor", "topology": "batch", "draft_tokens": 3, "temperature": 1.5},
    "kseq": {"algorithm": "kseq", "topology": "batch", "draft_tokens": 3, "temperature": 1.5},
    "lossy": {"algorithm": "lossy", "topology": "sequence", "draft_tokens": 4, "leniency": 0.4},
    "block": {"algorithm": "block", "topology": "sequence", "draft_tokens": 5},
}
STEPS = 9

START = """async ([address, kit]) => {
  const { RaceMotion } = await import(new URL(address, document.baseURI));
  window.motion = new RaceMotion(document.querySelector("#player .ersd-race-plot"), kit);
}"""
SHOW = "([step, vertex, side]) => window.motion.show(JSON.parse(step), vertex, { side })"
READ = """(fraction) => {
  window.motion.seek(fraction);
  const cover = window.motion.cover;
  const box = (one) => one.getBoundingClientRect();
  const middle = (one) => (box(one).left + box(one).right) / 2;
  const share = (one, line) => (middle(one) - box(line).left) / box(line).width;
  const isSeen = (one) => Boolean(one) && getComputedStyle(one).opacity > 0.5;
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const words = (root, selector) => all(root, selector).filter(isSeen).map((one) => one.textContent);
  const lane = (row, side) => {
    const track = row.querySelector(`.lane.${side}`);
    const flag = row.querySelector(`.flag.${side}`);
    return track && {
      covered: share(track.querySelector(".dot b"), track),
      trail: box(track.querySelector(".trail")).width / box(track).width,
      width: box(track).width,
      finish: box(row.querySelector(".finish")).left - box(track).right,
      flag: isSeen(flag) ? flag.textContent : "",
      time: row.querySelector(`.times .${side} span`).textContent,
      place: words(row, `.times .${side} b`).join(""),
    };
  };
  const clock = (side) => {
    const strip = cover.querySelector(`.clock.${side} .strip`);
    const hand = strip?.querySelector("b");
    return strip && (box(hand).left - box(strip).left) / box(strip).width;
  };
  return {
    opacity: Number(getComputedStyle(cover).opacity),
    clocks: { draft: clock("draft"), target: clock("target") },
    lanes: all(cover, ".ersd-lanes .row").map((row) => ({
      row: Number(row.dataset.row), name: row.querySelector(".name").lastChild.textContent, E: row.querySelector(".clock-of").textContent,
      isBroken: Boolean(row.querySelector(".broken")), sign: words(row, ".name b").join(""),
      draft: lane(row, "draft"), target: lane(row, "target"),
    })),
    bars: all(cover, ".ersd-both .row:not([hidden])").map((row) => {
      const width = (side) => box(row.querySelector(`.field .${side}`)).width / (box(row.querySelector(".field")).width - 1);
      return {
        row: Number(row.dataset.row), p: width("target"), q: width("draft"), both: width("both"), sign: words(row, ".sign b"),
        isSignSeen: isSeen(row.querySelector(".sign")), isLit: isSeen(row.querySelector(".light")),
        numbers: all(row, ".numbers span").map((one) => one.textContent),
      };
    }),
    coins: all(cover, ".coin-line").map((line) => {
      const coin = line.querySelector(".yes, .no");
      const track = line.querySelector(".line");
      return {
        isSeen: isSeen(line), isThrown: isSeen(coin), at: share(coin, track), isBelow: coin.className === "yes",
        height: box(coin).top - box(track).top, limit: box(track.querySelector(".below")).width / box(track).width,
        sign: words(line, "b.accepted, b.rejected").join(""),
      };
    }),
    verdict: words(cover, ".verdict").join(""),
    head: words(cover, ".heads .head").join(""),
    label: document.querySelector("#player .ersd-race-plot").getAttribute("aria-label"),
  };
}"""


@pytest.fixture(scope="module")
def runs(pair) -> dict[str, list[tuple[Step, str]]]:
    """The first steps of a run of every rule, and their messages."""
    found = {}
    for name, fields in RUNS.items():
        settings = ersd.Settings(max_new_tokens=60, seed=5, **fields)
        narrator = RunMessages(PROMPT, settings, "a pair")
        found[name] = [(step, narrator.step(step)) for step in islice(ersd.generate(pair, PROMPT, settings), STEPS)]
    return found


@pytest.fixture(scope="module")
def page(browser):
    with gr.Blocks() as blocks:
        player("player", recording(trace(residual_step(), greedy_step(), residual_step()), "recorded"))
    with visits(browser) as open_at:
        page = open_at(blocks)
        page.wait_for_selector("#player-tree .js-plotly-plot .point")
        page.evaluate(START, [modules.address("motion/race_motion.js"), kit()])
        yield page


def show(page, message: str, visit: Visit, side: str = "both") -> dict:
    return page.evaluate(SHOW, [message, visit.vertex, side])


def decisions(runs, name: str):
    """Every decision about drafted tokens: its step, its message, its visit."""
    return [(step, message, visit) for step, message in runs[name] for visit in step.walk if visit.tries]


@pytest.mark.parametrize("side", ["draft", "target"])
def test_every_dot_has_covered_time_times_speed_of_its_distance(page, runs, side):
    for _, message, visit in decisions(runs, "race"):
        show(page, message, visit, side)
        stop = stops(visit)[side]
        hands = []
        for fraction in (0.15, 0.3, 0.45, 0.6):
            shown = page.evaluate(READ, fraction)
            hands.append(shown["clocks"][side])
            for lane in shown["lanes"]:
                arrival = arrivals(visit, lane["row"])[side]
                expected = min(1.0, hands[-1] * stop / arrival) if arrival else 0.0
                assert abs(lane[side]["covered"] - expected) * lane[side]["width"] <= PIXELS, (visit.vertex, lane["name"], fraction)
                assert lane[side]["trail"] == pytest.approx(lane[side]["covered"], abs=0.02)
        assert hands == pytest.approx([hands[0] * (1 + place) for place in range(4)], abs=0.01), "the clock goes evenly"
        assert hands[0] > 0.1


def test_the_draft_stands_where_its_race_stopped_while_the_target_runs(page, runs):
    for _, message, visit in decisions(runs, "race"):
        show(page, message, visit, "target")
        for lane in page.evaluate(READ, 0.4)["lanes"]:
            arrival = arrivals(visit, lane["row"])["draft"]
            expected = min(1.0, stops(visit)["draft"] / arrival) if arrival else 0.0
            assert abs(lane["draft"]["covered"] - expected) * lane["draft"]["width"] <= PIXELS


def test_flags_fall_at_the_winners_of_the_trace(page, runs):
    for step, message, visit in decisions(runs, "race"):
        show(page, message, visit)
        before, after = page.evaluate(READ, 0), page.evaluate(READ, 0.93)
        assert not any(lane[side]["flag"] for lane in before["lanes"] for side in ("draft", "target"))
        assert not any(lane["sign"] for lane in before["lanes"]), "who won is not told beforehand"
        ordered = sorted(visit.tries, key=lambda one: one.draft_time)
        won = {step.tokens[ordered[0].vertex]: ordered[0].draft_time}
        for side, winners in (("draft", won), ("target", {visit.token: stops(visit)["target"]})):
            flags = {visit.rows[lane["row"]].token: lane[side]["flag"] for lane in after["lanes"] if lane[side]["flag"]}
            assert list(flags) == list(winners)
            (time,) = numbers_in(flags[next(iter(winners))])
            assert reads_as(time, winners[next(iter(winners))])
        places = {lane["row"]: lane["draft"]["place"] for lane in after["lanes"] if lane["draft"]["place"]}
        of = {row.token: place for place, row in enumerate(visit.rows)}
        expected = {of[step.tokens[one.vertex]]: place for place, one in enumerate(ordered, 1)}
        assert {row: int(words[:-2]) for row, words in places.items()} == {row: expected[row] for row in places}
        assert len(places) == min(len(ordered), len(after["lanes"]) - (not visit.accepted))


def test_numbers_of_a_race_come_out_for_whoever_divides_them(page, runs):
    for _, message, visit in decisions(runs, "race"):
        show(page, message, visit)
        for lane in page.evaluate(READ, 0)["lanes"]:
            row = visit.rows[lane["row"]]
            (clock,) = numbers_in(lane["E"])
            assert reads_as(clock, row.clock)
            for side, speed in (("draft", row.q), ("target", row.p)):
                under, time = numbers_in(lane[side]["time"])
                assert reads_as(under, speed)
                assert reads_as(time, arrivals(visit, lane["row"])[side])
                if not {clock[0], under[0], time[0]} & set("<>∞"):
                    decimals = len(time.partition(".")[2])
                    quotient = float(clock.replace(",", "")) / float(under)
                    assert abs(quotient - float(time.replace(",", ""))) <= 0.5 * 10**-decimals, lane


def test_lanes_are_as_long_as_their_distances_or_marked_as_broken(page, runs):
    scaled = 0
    for _, message, visit in decisions(runs, "race"):
        show(page, message, visit)
        lanes = page.evaluate(READ, 0)["lanes"]
        true = [lane for lane in lanes if not lane["isBroken"]]
        scaled += len(true)
        pixels = [lane["target"]["width"] / visit.rows[lane["row"]].clock for lane in true]
        assert pixels == pytest.approx([pixels[0]] * len(pixels), rel=0.02)
        assert all(abs(lane[side]["finish"]) <= 2 for lane in lanes for side in ("draft", "target")), "the finish line stands at E"
    assert scaled > len(decisions(runs, "race"))


def test_at_a_leaf_only_the_target_runs(page, runs):
    leaves = [(message, visit) for step, message in runs["race"] for visit in step.walk if not visit.tries]
    assert leaves
    message, visit = leaves[0]
    show(page, message, visit)
    shown = page.evaluate(READ, 0.92)
    assert {lane["draft"] is None for lane in shown["lanes"]} == {True}
    assert [visit.rows[lane["row"]].token for lane in shown["lanes"] if lane["target"]["flag"]] == [visit.token]


@pytest.mark.parametrize("name", ["gsd", "gsd_wor", "kseq", "lossy"])
def test_coins_fall_where_the_trace_says_and_p_shrinks_to_what_the_record_says(page, runs, name):
    rejected = 0
    for step, message, visit in decisions(runs, name):
        told = show(page, message, visit)
        assert told["tries"] == len(visit.tries)
        length = len(visit.tries) + (0 if visit.accepted else 0.7)
        scale = scale_of(page)
        for place, one in enumerate(visit.tries):
            moment = (place + 0.5) / length * told["held"]
            shown = page.evaluate(READ, moment)
            (coin,) = [coin for coin in shown["coins"] if coin["isSeen"]]
            assert coin["at"] == pytest.approx(one.coin, abs=0.01)
            assert coin["limit"] == pytest.approx(min(1.0, one.ratio), abs=0.01)
            assert coin["isThrown"]
            assert abs(coin["height"]) < 6, "it lies on the line"
            assert coin["isBelow"] == one.accepted == (one.coin < one.ratio)
            assert shown["verdict"].startswith("Accepted" if one.accepted else "Rejected")
            (lit,) = [bar["row"] for bar in shown["bars"] if bar["isLit"]]
            assert visit.rows[lit].token == step.tokens[one.vertex]
            above = page.evaluate(READ, (place + 0.15) / length * told["held"])
            assert next(each for each in above["coins"] if each["isSeen"])["height"] < -10, "it is still falling"
            assert not above["verdict"]
            left = [row.left[place - 1] if place else row.p for row in visit.rows]
            check_bars(shown, left, scale)
            if not one.accepted:
                rejected += 1
                after = page.evaluate(READ, (place + 0.95) / length * told["held"])
                check_bars(after, [row.left[place] for row in visit.rows], scale)
        end = page.evaluate(READ, told["held"])
        (lit,) = [bar for bar in end["bars"] if bar["isLit"]]
        assert visit.rows[lit["row"]].token == visit.token
        assert lit["isSignSeen"]
    assert rejected or name == "kseq"


def test_a_block_is_kept_up_to_its_last_coin_below(page, runs):
    steps = [
        *runs["block"],
        *[(each, RunMessages("Once she", SETTINGS, "").step(each)) for each in (block_step(), block_step((0.9, 0.9, 0.9)))],
    ]
    cuts = 0
    for step, message in steps:
        visit = next(each for each in reversed(step.walk) if each.tries)
        told = show(page, message, visit)
        shown = page.evaluate(READ, 0.5 * len(step.block) / (told["seconds"]) + 0.01)
        assert [coin["at"] for coin in shown["coins"]] == pytest.approx([one.coin for one in step.block], abs=0.01)
        assert [coin["limit"] for coin in shown["coins"]] == pytest.approx([min(1, one.keep) for one in step.block], abs=0.01)
        stay = max((place for place, one in enumerate(step.block, 1) if one.coin < one.keep), default=0)
        assert [coin["sign"] for coin in shown["coins"]] == ["✓"] * stay + ["✕"] * (len(step.block) - stay)
        assert told["tries"] == len(step.block)
        if visit.rows[0].left:
            cuts += 1
            check_bars(page.evaluate(READ, told["held"]), [row.left[0] for row in visit.rows], scale_of(page))
    assert cuts


def test_the_likeliest_lights_up_and_not_before(page):
    step = greedy_step(accepted=True)
    show(page, RunMessages("Once she", SETTINGS, "").step(step), step.walk[0])
    assert not any(bar["isLit"] or bar["isSignSeen"] for bar in page.evaluate(READ, 0.4)["bars"])
    lit = [bar["row"] for bar in page.evaluate(READ, 0.8)["bars"] if bar["isLit"]]
    assert [step.walk[0].rows[row].token for row in lit] == [step.walk[0].token]


def test_in_the_end_the_bars_stand_as_before_and_nothing_has_moved(page, runs):
    place = "() => JSON.stringify(document.querySelector('#player .ersd-race-plot').getBoundingClientRect())"
    before = page.evaluate(place)
    _, message, visit = decisions(runs, "race")[0]
    told = show(page, message, visit)
    assert page.evaluate(place) == before
    shown = page.evaluate(READ, 0.5)
    assert shown["opacity"] == 1
    assert shown["label"] == told["words"], "the picture's text alternative is that of the motion"
    assert page.evaluate(READ, 1)["opacity"] == 0
    page.evaluate("() => window.motion.clear()")
    assert page.evaluate(place) == before
    assert not page.locator("#player .ersd-motion:visible").count()
    assert page.get_attribute("#player .ersd-race-plot", "aria-label") != told["words"]


def test_any_moment_can_be_shown_at_any_time(page, runs):
    for name in ("race", "gsd", "block"):
        _, message, visit = decisions(runs, name)[-1]
        show(page, message, visit)
        forward = [page.evaluate(READ, fraction / 10) for fraction in range(11)]
        back = [page.evaluate(READ, fraction / 10) for fraction in reversed(range(11))]
        assert forward == back[::-1]


def test_only_transforms_and_opacities_change_from_frame_to_frame(page, runs):
    for name in ("race", "gsd", "block"):
        _, message, visit = decisions(runs, name)[0]
        show(page, message, visit)
        changed = page.evaluate(
            """() => {
              const cover = window.motion.cover;
              const seen = new Set();
              const watcher = new MutationObserver(() => {});
              watcher.observe(cover, { subtree: true, attributes: true, attributeOldValue: true, childList: true, characterData: true });
              for (let frame = 0; frame < 20; frame += 1) window.motion.seek(0.02 + frame / 2000);
              for (const { type, attributeName, target } of watcher.takeRecords())
                seen.add(type === "attributes" && attributeName === "style" ? [...target.style].join() : `${type} ${attributeName}`);
              return [...seen].flatMap((names) => names.split(","));
            }"""
        )
        assert set(changed) <= {"transform", "opacity", "--length", "--limit", "--coin"}, name


def stops(visit: Visit) -> dict[str, float]:
    """When both races stop: the draft's at the last of the children, the target's at its first arrival."""
    winner = next(row for row in visit.rows if row.token == visit.token)
    return {"draft": max(one.draft_time for one in visit.tries), "target": winner.target_time}


def arrivals(visit: Visit, row: int) -> dict[str, float | None]:
    return {"draft": visit.rows[row].draft_time, "target": visit.rows[row].target_time}


def scale_of(page) -> float:
    return page.evaluate("() => window.motion.scene.decision.scale")


def check_bars(shown, target: list[float], scale: float) -> None:
    assert shown["bars"]
    for bar in shown["bars"]:
        assert bar["p"] * scale == pytest.approx(target[bar["row"]], abs=0.006 * scale + 0.002)
        assert reads_as(bar["numbers"][0].removeprefix("p "), target[bar["row"]], digits=3)
        assert bar["both"] == pytest.approx(min(bar["p"], bar["q"]), abs=0.006)


BUTTON = "#player .ersd-run-race"
COVER = "#player .ersd-motion:visible"


def test_a_button_runs_the_decision_in_view_once_and_gives_the_bars_back(page):
    page.evaluate("() => window.motion.clear()")
    page.clock.install(time=datetime(2026, 1, 1))
    page.clock.pause_at(datetime(2026, 1, 1, 1))  # else it goes on by itself, and on a busy machine the coin has fallen already
    page.focus(BUTTON)
    name = page.get_attribute(BUTTON, "aria-label")
    assert name.startswith("run ")
    page.keyboard.press("Enter")
    assert page.get_attribute(BUTTON, "aria-label") == "back to the bars"
    assert page.text_content("#player .ersd-announcer") == page.get_attribute("#player .ersd-race-plot", "aria-label")
    page.clock.run_for(300)
    assert page.locator(COVER).count() == 1
    (coin,) = page.locator(f"{COVER} .coin-line").all()[:1]
    assert coin.locator(".yes, .no").evaluate("(one) => new DOMMatrix(getComputedStyle(one).transform).f") < -1, "it falls"
    page.clock.run_for(15_000)
    assert page.locator(COVER).count() == 0, "the bars again, by itself"
    assert page.get_attribute(BUTTON, "aria-label") == name


def test_what_is_in_motion_reaches_over_the_words_around_the_bars(page):
    page.click(BUTTON)
    at_its_edges = """() => {
      const cover = document.querySelector("#player .ersd-motion");
      cover.scrollIntoView({ block: "center" });
      const { left, right, top, bottom } = cover.getBoundingClientRect();
      return [top + 2, bottom - 2].map((y) => cover.contains(document.elementFromPoint((left + right) / 2, y)));
    }"""
    assert page.evaluate(at_its_edges) == [True, True]
    page.click(BUTTON)


def test_the_button_ends_what_it_began_and_so_does_another_step(page):
    page.focus(BUTTON)
    page.keyboard.press("Enter")
    page.clock.run_for(200)
    page.keyboard.press("Enter")
    assert page.locator(COVER).count() == 0
    page.keyboard.press("Enter")
    page.clock.run_for(200)
    assert page.locator(COVER).count() == 1
    page.keyboard.press("ArrowRight")
    page.clock.run_for(1000)
    assert page.locator(COVER).count() == 0
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(1000)


def test_who_wants_no_motion_sees_how_it_ended(page):
    page.emulate_media(reduced_motion="reduce")
    page.click(BUTTON)
    page.clock.run_for(20_000)
    assert page.locator(COVER).count() == 1
    assert page.locator(f"{COVER} .sign").first.evaluate("(one) => getComputedStyle(one).opacity") == "1"
    page.click(BUTTON)
    assert page.locator(COVER).count() == 0
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.parametrize("width", [330, 400, 520])
def test_with_little_room_no_row_of_a_race_covers_another(page, runs, width):
    _, message, visit = decisions(runs, "race")[0]
    size = "(style) => { document.querySelector('#player .ersd-race-plot').style.cssText = style; }"
    try:
        page.evaluate(size, f"flex: none; min-height: 0; height: 144px; width: {width}px")
        show(page, message, visit, "target")
        rows = page.evaluate(
            """() => [...document.querySelectorAll("#player .ersd-lanes .row")].map((row) => {
              const seen = [...row.querySelectorAll("*")].filter((one) => getComputedStyle(one).opacity !== "0");
              const boxes = seen.map((one) => one.getBoundingClientRect()).filter(({ height }) => height);
              return [Math.min(...boxes.map(({ top }) => top)), Math.max(...boxes.map(({ bottom }) => bottom))];
            })"""
        )
    finally:
        page.evaluate(size, "")
    assert len(rows) >= 4
    assert all(one[1] <= other[0] + 2 for one, other in pairwise(rows))


@pytest.mark.parametrize("name", ["gsd", "gsd_wor", "kseq", "lossy", "block", "greedy"])
def test_with_little_room_coins_and_bars_do_not_cover_one_another(page, runs, name):
    """On a projector the lecture view enlarges a picture of 250 pixels."""
    step = greedy_step(accepted=True)
    greedy = [(step, RunMessages("Once she", SETTINGS, "").step(step), step.walk[0])]
    size = "(style) => { document.querySelector('#player .ersd-race-plot').style.cssText = style; }"
    for _, message, visit in greedy if name == "greedy" else decisions(runs, name):
        try:
            page.evaluate(size, "flex: none; min-height: 0; height: 130px; width: 248px")
            told = show(page, message, visit, "target")
            for fraction in (0.3 * told["held"], told["held"]):
                assert page.evaluate(LAID_OVER, fraction) == [], (name, visit.vertex)
        finally:
            page.evaluate(size, "")


LAID_OVER = """(fraction) => {
  window.motion.seek(fraction);
  const cover = window.motion.cover;
  const opacity = (one) => (one === cover ? 1 : getComputedStyle(one).opacity * opacity(one.parentElement));
  const range = document.createRange();
  const words = [...cover.querySelectorAll("*")].filter((one) => !one.children.length && one.textContent.trim() && opacity(one) > 0.5);
  const seen = words.filter((one) => one.getClientRects().length).map((one) => {
    range.selectNodeContents(one);
    return [one.textContent, range.getBoundingClientRect()];
  });
  const edge = cover.getBoundingClientRect();
  const outside = seen.filter(([, { left, right, bottom }]) => left < edge.left - 2 || right > edge.right + 2 || bottom > edge.bottom + 2);
  const over = seen.flatMap(([one, a], place) => seen.slice(place + 1).filter(([, b]) => (
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4
  )).map(([other]) => `${one} over ${other}`));
  return [...outside.map(([one]) => `${one} is outside`), ...over];
}"""
