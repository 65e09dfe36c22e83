"""What is drawn and when: not what costs the processor that the models need; ahead, while nothing else is to do; and not twice."""

from __future__ import annotations

import json

from tests.visual.fakes import block_step, coin_step, leaf_step, race_step, residual_step, trace
from visual.payload.messages import recording

from .driver import data, follow, generate, go_to_first, press_generate, setup, vertices, wait_for, wait_for_step
from .reading import read

COUNT = """() => {
  const { react } = window.Plotly;
  window.drawn = []; // the elements of trees and races, as often as they were drawn on
  window.Plotly.react = (element, ...more) => {
    if (element.id !== "player-timeline") window.drawn.push(element);
    return react(element, ...more);
  };
}"""
DRAWS = "() => window.drawn.length"
DRAWS_OF_STEPS = """() => {
  Object.assign(window, { drawn: [], shown: 0 });
  const marked = new MutationObserver((changes) => { window.shown += changes.length; });
  marked.observe(document.querySelector("#player"), { attributeFilter: ["data-step"] });
}"""
AT_REST = """() => new Promise((resolve) => {
  let seen = -1, quiet = 0;
  const look = () => {
    quiet = window.drawn.length === seen ? quiet + 1 : 0;
    seen = window.drawn.length;
    if (quiet === 8) resolve(); else setTimeout(() => requestIdleCallback(look), 50);
  };
  look();
})"""


def test_the_timeline_rests_while_a_run_is_told(open_page):
    page = open_page()
    setup(page, prompt="Once upon a time", max_new_tokens=60, draft_tokens=4)
    follow(page, "at my speed")
    page.evaluate("""() => {
      window.draws = 0;
      document.querySelector("#player-timeline").on("plotly_afterplot", () => { window.draws += 1; });
      window.begun = performance.now();
    }""")
    press_generate(page)
    wait_for(page, "done")
    draws, milliseconds = page.evaluate("() => [window.draws, performance.now() - window.begun]")
    assert draws <= 2 + milliseconds / 500, "at its end, and every 500 ms before"


SEEN_BARS = """() => {
  const timeline = document.querySelector("#player-timeline");
  window.seen = [];
  const look = () => window.seen.push(getComputedStyle(timeline.querySelector(".bars .points")).visibility);
  new MutationObserver(look).observe(timeline, { attributeFilter: ["class"] });
}"""


def test_the_bars_of_the_run_before_are_not_seen_in_the_next(play):
    page = play(trace(race_step(), residual_step(), race_step()))
    page.evaluate(SEEN_BARS)
    run = trace(*[race_step()] * 2)
    page.evaluate(
        "detail => document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-told', { detail }))",
        "\n".join(map(json.dumps, json.loads(recording(run, "live"))["messages"])),
    )
    page.wait_for_function("() => window.seen.length === 2")
    assert page.evaluate("() => window.seen") == ["hidden", "visible"], "until its own are drawn"
    assert page.locator("#player-timeline .bars").first.locator(".point").count() == 2


def test_while_a_run_comes_in_only_what_is_shown_is_drawn(play):
    run = trace(*[race_step(), residual_step()] * 4)
    page = play(run)
    follow(page, "as fast as it comes")
    page.evaluate(COUNT)
    page.evaluate(AT_REST)
    page.evaluate(DRAWS_OF_STEPS)
    *messages, end = json.loads(recording(run, "live"))["messages"]
    page.evaluate("document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-ask'))")
    tell = "detail => document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-told', { detail }))"
    page.evaluate(tell, "\n".join(map(json.dumps, messages)))
    wait_for_step(page, 8)
    page.evaluate(AT_REST)
    draws, shown = page.evaluate("[window.drawn.length, window.shown]")
    assert shown < 4, "the newest, and perhaps one or two on the way"
    assert draws <= 2 * shown, "a tree and a race of each"
    page.evaluate(tell, json.dumps(end))
    page.evaluate(AT_REST)
    assert page.evaluate(DRAWS) == 16, "then those that were passed over"


SLOW_PICTURES = """(milliseconds) => {
  const { react } = window.Plotly;
  window.Plotly.react = (...all) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
    return react(...all);
  };
}"""
COME_IN = """({ messages, pause }) => new Promise((resolve) => {
  const player = document.querySelector("#player"), seen = [];
  const tell = (message) => player.dispatchEvent(new CustomEvent("ersd-told", { detail: JSON.stringify(message) }));
  const drawn = () => player.dataset.step !== "0" && seen.push(performance.now());
  new MutationObserver(drawn).observe(player, { attributeFilter: ["data-step"] });
  player.dispatchEvent(new CustomEvent("ersd-ask"));
  const [end] = messages.slice(-1), others = messages.slice(0, -1);
  const next = () => {
    if (others.length) {
      tell(others.shift());
      return setTimeout(next, pause);
    }
    const live = seen.length, ended = performance.now();
    tell(end);
    const look = () => {
      if (player.dataset.step !== player.dataset.steps) return setTimeout(look, 10);
      resolve({ live, lasted: ended - seen[0], late: performance.now() - ended });
    };
    look();
  };
  next();
})"""


def test_while_a_run_comes_in_drawing_leaves_most_of_the_time_to_the_models(play):
    """A drawing of 1.2 seconds is followed by a rest of 6.8; at the end of the run nobody waits for that."""
    run = trace(*[race_step(), residual_step()] * 10)
    page = play(run)
    follow(page, "as fast as it comes")
    page.evaluate(COUNT)
    page.evaluate(AT_REST)
    page.evaluate(SLOW_PICTURES, 600)
    come = page.evaluate(COME_IN, {"messages": json.loads(recording(run, "live"))["messages"], "pause": 220})
    assert 1 <= come["live"] <= 1 + come["lasted"] / 8000, "two pictures of 600 ms take 15% of 8 s"
    assert come["late"] < 4000


def test_going_through_a_run_that_was_drawn_ahead_draws_nothing(open_page):
    page = open_page()
    page.evaluate(COUNT)
    generate(page, prompt="Once upon a time there was a girl", max_new_tokens=40, draft_tokens=8)
    steps = int(data(page, "steps"))
    wait_for_step(page, steps)
    page.evaluate(AT_REST)
    draws = page.evaluate(DRAWS)
    go_to_first(page)
    for key, places in (("ArrowRight", range(2, steps + 1)), ("ArrowLeft", range(steps - 1, 0, -1))):
        for step in places:
            page.keyboard.press(key)
            wait_for_step(page, step)
    assert page.evaluate(DRAWS) == draws
    vertex = next(each for each in vertices(page) if each["state"] in ("open", "rejected"))
    page.mouse.click(vertex["x"], vertex["y"])
    page.wait_for_selector(f"#player[data-vertex='{vertex['id']}']")
    assert page.evaluate(DRAWS) > draws, "a vertex that is chosen has a ring"


def test_what_is_drawn_ahead_is_what_is_drawn_when_it_is_asked_for(play):
    run = trace(race_step(), coin_step(), residual_step(), block_step(), leaf_step("race"), race_step())
    seen = []
    for is_ahead in (True, False):
        page = play(run)
        page.evaluate(COUNT)
        if is_ahead:
            page.evaluate(AT_REST)
        else:
            page.evaluate("() => { window.requestIdleCallback = () => 0; }")
            page.set_viewport_size({"width": 1430, "height": 900})  # nothing that was drawn before has this size
            page.set_viewport_size({"width": 1440, "height": 900})
        steps = []
        page.click("#player [data-go=last]")
        for step in range(6, 0, -1):
            wait_for_step(page, step)
            steps.append(read(page, "player"))
            page.keyboard.press("ArrowLeft")
        seen.append(steps)
    assert seen[0] == seen[1]


def test_what_was_drawn_in_other_colours_or_another_size_is_not_shown_again(play):
    page = play(trace(*[race_step(), residual_step()] * 3))
    page.evaluate(COUNT)
    page.evaluate(AT_REST)
    look = """() => [...document.querySelectorAll("#player-tree .js-plotly-plot, #player-race .js-plotly-plot")].map(
      ({ _fullLayout: { width, font } }) => [width, font.color]
    )"""
    darker = "document.body.classList.toggle('dark')"
    for change in (lambda: page.evaluate(darker), lambda: page.set_viewport_size({"width": 1200, "height": 900})):
        before = page.evaluate(look)
        change()
        is_other = f"([tree, race]) => {{ const now = ({look})(); return `${{now[0]}}` !== `${{tree}}` && `${{now[1]}}` !== `${{race}}`; }}"
        page.wait_for_function(is_other, arg=before)
        now = page.evaluate(look)
        page.click("#player [data-go=last]")
        for step in range(6, 0, -1):
            wait_for_step(page, step)
            assert page.evaluate(look) == now
            page.keyboard.press("ArrowLeft")


def test_of_a_long_run_a_bounded_number_of_pictures_is_kept(play):
    page = play(trace(*[race_step()] * 90))
    page.evaluate(COUNT)
    page.evaluate(AT_REST)
    page.click("#player [data-go=last]")
    wait_for_step(page, 90)
    page.evaluate(AT_REST)
    draws, elements = page.evaluate("() => [window.drawn.length, new Set(window.drawn).size]")
    assert draws > 130, "more than are kept were drawn"
    assert elements <= 2 * 65, "64 of each, and the one in view"


def test_a_pointer_that_stands_still_points_at_the_picture_under_it(play):
    page = play(trace(*[race_step()] * 3))
    page.click("#player [data-go=last]")
    wait_for_step(page, 3)
    root = next(vertex for vertex in vertices(page) if vertex["state"] == "root")
    page.mouse.move(root["x"], root["y"])
    label = "#player-tree .hoverlayer .hovertext"
    page.wait_for_selector(label)
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, 2)
    page.wait_for_selector(label)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("#player[data-vertex='-1']")
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, 1)
    page.mouse.move(2, 2)
    page.wait_for_selector(label, state="detached")
    page.keyboard.press("ArrowRight")
    wait_for_step(page, 2)
    assert page.locator(label).count() == 0, "what the pointer showed there before is not there any more"
