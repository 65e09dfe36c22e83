"""What a user does on the page, by the page contract."""

from __future__ import annotations

from typing import Any

PATIENCE = 60_000


def data(page, name: str) -> str:
    return page.get_attribute("#player", f"data-{name}")


def state(page) -> str:
    return data(page, "state")


def wait_for(page, *states: str) -> None:
    page.wait_for_function("names => names.includes(document.querySelector('#player').dataset.state)", arg=list(states), timeout=PATIENCE)


def wait_for_step(page, step: int) -> None:
    page.wait_for_function("step => document.querySelector('#player').dataset.step == step", arg=str(step), timeout=PATIENCE)


def setup(page, **fields: Any) -> None:
    for name, value in fields.items():
        control = "textarea" if name == "prompt" else "input"
        page.fill(f"#{name.replace('_', '-')} {control}", str(value))


def choose(page, name: str, words: str) -> None:
    page.click(f"#{name} input")
    options = page.locator(f"#{name} [role=option]")
    options.first.wait_for()
    exact = page.locator(f'#{name} [role=option][aria-label="{words}"]')  # "RSD" is also a part of "ERSD"
    (exact if exact.count() else options.filter(has_text=words)).first.click()


def generate(page, **fields: Any) -> None:
    """Presses Generate and waits for the end."""
    setup(page, **fields)
    page.click("#generate")
    wait_for(page, "done", "error")


def chosen(page, name: str) -> str:
    return page.input_value(f"#{name} input")


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


def click_vertex(page, vertex: dict[str, Any]) -> None:
    # a label left over from the vertex before would let the click go out before Plotly knows the new one
    page.mouse.move(2, 2)
    page.wait_for_selector("#player-tree .hoverlayer .hovertext", state="detached")
    page.mouse.move(vertex["x"], vertex["y"])
    page.wait_for_selector("#player-tree .hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()
