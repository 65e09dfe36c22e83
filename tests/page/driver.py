"""What a user does on the page, by the page contract. `prefix` says in which workbench; that of the Generate tab is empty."""

from __future__ import annotations

from typing import Any

from ersd.settings import METHODS
from visual.payload.sentences.names import topology_name

PATIENCE = 60_000


def data(page, name: str, prefix: str = "") -> str:
    return page.get_attribute(f"#{prefix}player", f"data-{name}")


def state(page, prefix: str = "") -> str:
    return data(page, "state", prefix)


def wait_for(page, *states: str, prefix: str = "") -> None:
    is_one_of_them = "([id, states]) => states.includes(document.getElementById(id).dataset.state)"
    page.wait_for_function(is_one_of_them, arg=[f"{prefix}player", list(states)], timeout=PATIENCE)


def wait_for_step(page, step: int, prefix: str = "") -> None:
    is_drawn = "([id, step]) => document.getElementById(id).dataset.step == step"
    page.wait_for_function(is_drawn, arg=[f"{prefix}player", str(step)], timeout=PATIENCE)


def go_to_first(page) -> None:
    """Goes to the first step, finished, by the key: its button cannot be pressed where the first one is shown already."""
    page.press("#player .ersd-player", "Home")
    page.wait_for_selector("#player[data-step='1'][data-phase=text]", timeout=PATIENCE)


def wait_for_preview(page, words: str, prefix: str = "") -> None:
    says = "([id, words]) => document.getElementById(id).innerText.replaceAll(/\\s+/g, ' ').includes(words)"
    page.wait_for_function(says, arg=[f"{prefix}preview", words], timeout=20_000)


ADVANCED = {"temperature", "top_k", "top_p", "models"}
"""The controls that are folded away at first."""


def unfold(page, prefix: str = "") -> None:
    """Opens the advanced settings."""
    if not page.locator(f"#{prefix}fold details[open]").count():
        page.click(f"#{prefix}fold summary")


def setup(page, prefix: str = "", **fields: Any) -> None:
    if ADVANCED & set(fields):
        unfold(page, prefix)
    for name, value in fields.items():
        control = "textarea" if name == "prompt" else "input"
        page.fill(f"#{prefix}{name.replace('_', '-')} {control}", str(value))


def choose(page, name: str, words: str, prefix: str = "") -> None:
    menu = f"#{prefix}{name}"
    page.click(f"{menu} input")
    options = page.locator(f"{menu} [role=option]")
    options.first.wait_for()
    exact = page.locator(f'{menu} [role=option][aria-label="{words}"]')  # "RSD" is also a part of "ERSD"
    (exact if exact.count() else options.filter(has_text=words)).first.click()


def choose_method(page, method: str, prefix: str = "") -> None:
    """Chooses a method and waits for its parts."""
    choose(page, "method", method, prefix)
    algorithm, topology = METHODS[method]
    page.wait_for_function(
        "([prefix, algorithm, topology]) => document.querySelector(`#${prefix}algorithm input`).value.startsWith(algorithm + ' ·')"
        " && document.querySelector(`#${prefix}topology input`).value == topology",
        arg=[prefix, algorithm, topology_name(topology)],
    )


def follow(page, how: str, prefix: str = "") -> None:
    """How a live run is watched: `as fast as it comes` or `at my speed`."""
    # the lecture view does not show the menu
    choose = (
        "(menu, how) => { menu.value = [...menu.options].find(({ text }) => text === how).value; menu.dispatchEvent(new Event('change')); }"
    )
    page.locator(f"#{prefix}follow").evaluate(choose, how)


def press_generate(page, prefix: str = "", shown: str = "") -> None:
    """Presses Generate and waits until a run is asked for: what is on the screen then is not said of the run before.

    `shown`: id of what shows the run, if it is not the player.
    """
    listen = "id => { window.isAsked = false; document.getElementById(id).addEventListener('ersd-ask', () => { window.isAsked = true; }); }"
    page.evaluate(listen, shown or f"{prefix}player")
    page.click(f"#{prefix}generate")
    page.wait_for_function("window.isAsked")


def generate(page, prefix: str = "", **fields: Any) -> None:
    """Presses Generate, follows the run as fast as it comes and waits for the end."""
    setup(page, prefix, **fields)
    follow(page, "as fast as it comes", prefix)
    press_generate(page, prefix)
    wait_for(page, "done", "error", prefix=prefix)


def wait_until_under_way(page, prefix: str = "", steps: int = 3, shown: str = "player-status") -> None:
    """Waits until so many steps, or calls, of the run that was asked for last have come, and more are to come."""
    has_steps = "([id, steps]) => /^Generating: (?:step|call) (\\d+)/.exec(document.getElementById(id)?.textContent)?.[1] >= steps"
    page.wait_for_function(has_steps, arg=[f"{prefix}{shown}", steps], timeout=PATIENCE)


def wait_until_chosen(page, name: str, value: str, prefix: str = "") -> None:
    """Waits until a menu or a field holds this."""
    page.wait_for_function("([id, value]) => document.querySelector(`#${id} input`)?.value === value", arg=[f"{prefix}{name}", value])


_RESTS = """() => new Promise((resolve) => {
  const parts = "#player, #player [id], #player .ersd-card, #player .main-svg, #player .textpoint, .setup";
  const look = (before, same) => {
    const now = [...document.querySelectorAll(parts)].map((one) => Object.values(one.getBoundingClientRect().toJSON())).join();
    if (now === before && same === 10) resolve();
    else requestAnimationFrame(() => look(now, now === before ? same + 1 : 0));
  };
  look("", 0);
})"""


def wait_until_at_rest(page) -> None:
    """Waits until nothing of the player has changed its place or its size for ten frames."""
    page.evaluate(_RESTS)


def chosen(page, name: str, prefix: str = "") -> str:
    return page.input_value(f"#{prefix}{name} input")


def vertices(page) -> list[dict[str, Any]]:
    """The vertices of the drawn tree: id, state and place on the screen."""
    return page.evaluate(
        """() => {
          const plot = document.querySelector("#player-tree .js-plotly-plot");
          const box = plot.getBoundingClientRect(), { xaxis, yaxis } = plot._fullLayout;
          return plot.data.flatMap((trace) => (trace.customdata || []).map((id, i) => ({
            id, state: trace.name, x: box.left + xaxis._offset + xaxis.d2p(trace.x[i]), y: box.top + yaxis._offset + yaxis.d2p(trace.y[i]),
          })));
        }"""
    )


def boxes(page) -> list[list[float]]:
    """Where everything stands that must not move from step to step: left, top, width and height."""
    return page.evaluate(
        """() => [...document.querySelectorAll(
          "#player-text, #player-stats, #player-timeline, #player-tree, #player-theory, #player .ersd-race-plot, #player .ersd-tries"
        )].map((one) => {
          const { left, top, width, height } = one.getBoundingClientRect();
          return [left, top + window.scrollY, width, height];
        })"""
    )


def drafted(page) -> int:
    """The number of drafted tokens in the drawn tree."""
    return sum(vertex["state"] not in ("root", "target") for vertex in vertices(page))


def click_vertex(page, vertex: dict[str, Any]) -> None:
    # a label left over from the vertex before would let the click go out before Plotly knows the new one
    page.mouse.move(2, 2)
    page.wait_for_selector("#player-tree .hoverlayer .hovertext", state="detached")
    page.mouse.move(vertex["x"], vertex["y"])
    page.wait_for_selector("#player-tree .hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()


def do_touch(one, other) -> bool:
    """Do the boxes of two texts?"""
    return one["left"] < other["right"] and other["left"] < one["right"] and one["top"] < other["bottom"] and other["top"] < one["bottom"]
