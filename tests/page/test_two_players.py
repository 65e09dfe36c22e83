"""The player is a component: two on one page, each with its own ids, state and steps."""

from __future__ import annotations

import socket

import gradio as gr

from visual.page.page import look, recorded
from visual.page.player import player
from visual.player import recording


def test_two_players_on_one_page_do_not_mix(browser):
    trace = recorded()
    with gr.Blocks() as page:
        for name in ("left-player", "right-player"):
            player(name, recording(trace, f"This is the {name}."))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    page.launch(server_name="127.0.0.1", server_port=port, prevent_thread_lock=True, quiet=True, ssr_mode=False, **look())
    view = browser.new_page()
    try:
        view.goto(f"http://127.0.0.1:{port}")
        for name in ("left-player", "right-player"):
            view.wait_for_selector(f"#{name}[data-step]:not([data-step='0'])")
            view.wait_for_selector(f"#{name}-tree .js-plotly-plot .point")
            assert view.inner_text(f"#{name}-status") == f"This is the {name}."
        before = view.get_attribute("#right-player", "data-step")
        view.click("#left-player [data-go=last]")
        view.wait_for_selector(f"#left-player[data-step='{len(trace.steps)}']")
        assert view.get_attribute("#right-player", "data-step") == before
        # the keys act on the player touched last
        view.click("#right-player [data-go=first]")
        view.keyboard.press("ArrowRight")
        view.wait_for_selector("#right-player[data-step='2']")
        assert view.get_attribute("#left-player", "data-step") == str(len(trace.steps))
    finally:
        view.close()
        page.close()
