"""What is not drawn while a run comes in: it would cost the processor that the models need."""

from __future__ import annotations

from .driver import follow, press_generate, setup, wait_for


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
    assert draws <= 3 + milliseconds / 400, "at its begin, at its end, and every 400 ms between"
