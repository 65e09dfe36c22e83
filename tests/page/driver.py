"""What a user does on the page, by the page contract. `prefix` is that of another form, as `compare-`."""

from __future__ import annotations

import json
from typing import Any

from ersd.settings import METHODS
from visual.payload.sentences.names import algorithm_name, menu_label, topology_name

from .browser import PATIENCE

# --- the player ---------------------------------------------------------------------------------------------------------------------


def data(page, name: str, player: str = "player") -> str:
    return page.get_attribute(f"#{player}", f"data-{name}")


def state(page) -> str:
    return data(page, "state")


def wait_for(page, *states: str) -> None:
    """Wait for one of these states of the player."""
    page.wait_for_selector(",".join(f"#player[data-state={one}]" for one in states), state="attached", timeout=PATIENCE)


def wait_for_step(page, step: int, player: str = "player") -> None:
    page.wait_for_selector(f"#{player}[data-step='{step}']", state="attached", timeout=PATIENCE)


def wait_for_phase(page, phase: str) -> None:
    page.wait_for_selector(f"#player[data-phase={phase}]", timeout=PATIENCE)


def wait_for_text(page, selector: str, text: str) -> None:
    """Wait until an element contains a text, whatever its white space."""
    contains = "([selector, text]) => document.querySelector(selector)?.textContent.replaceAll(/\\s+/g, ' ').includes(text)"
    page.wait_for_function(contains, arg=[selector, text], timeout=PATIENCE)


def go_to(page, step: int) -> None:
    """Show a step, finished."""
    page.evaluate("step => document.querySelector('#player').ersd.go(step)", step)
    page.wait_for_selector(f"#player[data-step='{step}'][data-phase=text]", timeout=PATIENCE)


def go_to_first(page) -> None:
    """Show the first step, finished, by its key."""
    page.press("#player .ersd-player", "Home")
    page.wait_for_selector("#player[data-step='1'][data-phase=text]", timeout=PATIENCE)


def press_to(page, key: str, step: int) -> None:
    """Press a key and wait for the step that it leads to."""
    page.keyboard.press(key)
    wait_for_step(page, step)


def request(page) -> None:
    """Let the player show that a run is requested, without one."""
    page.evaluate("() => document.querySelector('#player').ersd.requested(() => {})")


def receive(page, *messages: dict | str) -> None:
    """Give the player messages, as the server does."""
    lines = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in messages)
    page.evaluate("lines => document.querySelector('#player').ersd.receive(lines)", lines)


_WATCH = """() => {
  window.isDrawn = false;
  const seen = new MutationObserver(() => { window.isDrawn = true; seen.disconnect(); });
  seen.observe(document.querySelector("#player"), { attributeFilter: ["data-step"] });
}"""


def replay(page, recording: str) -> None:
    """Show a recorded run at its first view, and wait until it is drawn."""
    page.evaluate(_WATCH)
    receive(page, recording)
    page.wait_for_function("() => window.isDrawn && document.querySelector('#player-tree .js-plotly-plot .point')", timeout=PATIENCE)


_RESET = """() => {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const fold of document.querySelectorAll("#player details[open]")) fold.open = false;
  document.body.classList.remove("dark");
  for (const select of document.querySelectorAll("#player select"))
    select.value = ([...select.options].find((one) => one.defaultSelected) ?? select.options[0])?.value ?? "";
  document.querySelector("#player .ersd-whole input").checked = false;
  document.querySelector("#player .ersd-switch [data-picture=tree]").click();
  document.activeElement?.blur();
  scrollTo(0, 0);
}"""


def reset_player(page) -> None:
    """Undo what a reader can change in a player."""
    page.evaluate(_RESET)
    page.emulate_media(reduced_motion="null")
    page.mouse.move(0, 0)


_AT_REST = """(parts) => new Promise((resolve) => {
  const look = (before, same) => {
    const now = [...document.querySelectorAll(parts)].map((one) => Object.values(one.getBoundingClientRect().toJSON())).join();
    if (now === before && same === 4) resolve();
    else requestAnimationFrame(() => look(now, now === before ? same + 1 : 0));
  };
  look("", 0);
})"""


def wait_until_at_rest(page, parts: str = "#player, #player [id], #player .main-svg, #player .textpoint, .setup") -> None:
    """Wait until nothing of the player, or of other parts, has changed its position or size for some frames."""
    page.evaluate(_AT_REST, parts)


DARK = "(isDark) => document.body.classList.toggle('dark', isDark)"
"""Turns to the dark theme, or back."""


VERTICES = """() => {
  const plot = document.querySelector("#player-tree .js-plotly-plot");
  const box = plot.getBoundingClientRect(), { xaxis, yaxis } = plot._fullLayout;
  return plot.data.flatMap((trace) => (trace.customdata || []).map((id, i) => ({
    id, state: trace.name, label: trace.text[i],
    x: box.left + xaxis._offset + xaxis.d2p(trace.x[i]), y: box.top + yaxis._offset + yaxis.d2p(trace.y[i]),
  })));
}"""


def vertices(page) -> list[dict[str, Any]]:
    """The nodes of the drawn tree: id, state, label and position on the screen."""
    return page.evaluate(VERTICES)


def root(page) -> dict[str, Any]:
    return next(vertex for vertex in vertices(page) if vertex["state"] == "root")


def click_vertex(page, vertex: dict[str, Any]) -> None:
    # with the label of another node still there, Plotly would take the click for that one
    page.mouse.move(2, 2)
    page.wait_for_selector("#player-tree .hoverlayer .hovertext", state="detached")
    page.mouse.move(vertex["x"], vertex["y"])
    page.wait_for_selector("#player-tree .hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()


# --- the form -----------------------------------------------------------------------------------------------------------------------

ADVANCED = {"temperature", "top_k", "top_p", "algorithm", "topology", "chat"}
"""The controls that are folded away at first."""


def unfold(page, prefix: str = "") -> None:
    """Open the advanced settings."""
    if not page.locator(f"#{prefix}fold details[open]").count():
        page.click(f"#{prefix}fold summary")


def setup(page, prefix: str = "", **fields: Any) -> None:
    """Fill in settings, by their names."""
    if ADVANCED & set(fields):
        unfold(page, prefix)
    for name, value in fields.items():
        control = "textarea" if name == "prompt" else "input"
        page.fill(f"#{prefix}{name.replace('_', '-')} {control}", str(value))


def choose(page, name: str, words: str, prefix: str = "") -> None:
    """Choose an option of a menu, by its text or a part of it."""
    menu = f"#{prefix}{name}"
    if name in ADVANCED:
        unfold(page, prefix)
    page.click(f"{menu} input")
    options = page.locator(f"{menu} [role=option]")
    options.first.wait_for()
    exact = page.locator(f'{menu} [role=option][aria-label="{words}"]')  # "RSD" is also a part of "ERSD"
    (exact if exact.count() else options.filter(has_text=words)).first.click()


def choose_method(page, method: str) -> None:
    """Choose a method, by its key, and wait for its parts."""
    choose(page, "method", menu_label(method))
    algorithm, topology = METHODS[method]
    page.wait_for_function(
        "([algorithm, topology]) => document.querySelector('#algorithm input').value == algorithm"
        " && document.querySelector('#topology input').value == topology",
        arg=[algorithm_name(algorithm), topology_name(topology)],
    )


def chosen(page, name: str) -> str:
    return page.input_value(f"#{name} input")


def wait_until_chosen(page, name: str, value: str) -> None:
    """Wait until a menu or a field holds a value."""
    page.wait_for_function("([id, value]) => document.querySelector(`#${id} input`)?.value === value", arg=[name, value])


def follow(page, how: str) -> None:
    """How a live run is watched: `As it comes` or `Reading pace`."""
    # the lecture view does not show the menu
    choose = (
        "(menu, how) => { menu.value = [...menu.options].find(({ text }) => text === how).value; menu.dispatchEvent(new Event('change')); }"
    )
    page.locator("#follow").evaluate(choose, how)


def press_generate(page, prefix: str = "", shown: str = "") -> None:
    """Press Generate and wait until the run is requested: from then on the page no longer reports the run before.

    `shown`: id of what shows the run, if it is not the player.
    """
    element = shown or f"{prefix}player"
    page.wait_for_function("id => document.getElementById(id).ersd", arg=element)
    page.evaluate(_NOTE_REQUEST, element)
    page.click(f"#{prefix}generate")
    page.wait_for_function("window.isRequested")


_NOTE_REQUEST = """(id) => {
  const part = document.getElementById(id).ersd;
  const { requested } = part;
  window.isRequested = false;
  part.requested = (stop) => {
    window.isRequested = true;
    part.requested = requested;
    requested(stop);
  };
}"""


def generate(page, **fields: Any) -> None:
    """Press Generate, follow the run As it comes, and wait until it has ended and its last step is drawn."""
    setup(page, **fields)
    follow(page, "As it comes")
    press_generate(page)
    wait_for(page, "done", "error")
    if state(page) == "done":
        wait_for_step(page, int(data(page, "steps")))


def wait_until_under_way(page, prefix: str = "", steps: int = 3, shown: str = "player-status") -> None:
    """Wait until a running run has shown some steps, or calls, with more to come."""
    has_steps = "([id, steps]) => /^Generating: (?:step|call) (\\d+)/.exec(document.getElementById(id)?.textContent)?.[1] >= steps"
    page.wait_for_function(has_steps, arg=[f"{prefix}{shown}", steps], timeout=PATIENCE)
