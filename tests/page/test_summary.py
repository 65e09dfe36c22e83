"""What is read on a step without hovering, off the screen."""

from __future__ import annotations

import pytest

from tests.visual.fakes import BY_KIND, block_step, coin_step, greedy_step, race_step, trace
from visual.payload.sentences.exactness import badge
from visual.payload.sentences.kinds import KINDS
from visual.payload.sentences.names import run_name
from visual.payload.sentences.summary import LABELS, summary

STEPS = {"race": race_step(), "coins": coin_step(tries=2), "block": block_step(), "likelihood": greedy_step()}


@pytest.mark.parametrize("kind", STEPS)
def test_every_answer_stands_on_the_screen(play, kind):
    step, settings = STEPS[kind], BY_KIND[kind]
    page = play(trace(step))
    assert page.inner_text("#player .ersd-run") == run_name(settings)
    assert page.get_attribute("#player-exact", "data-exact") == badge(settings)["kind"]
    assert page.inner_text("#player-exact") == badge(settings)["words"]
    told = summary(step, settings)
    assert page.locator("#player-summary dt").all_inner_texts() == [label["label"] + label["more"] for label in LABELS]
    assert page.locator("#player-summary dd").all_inner_texts() == [told[label["id"]] for label in LABELS]
    bars = page.inner_text("#player .ersd-axis").replace("\n", " ")
    assert ("shorter = earlier = wins" in bars) == (kind == "race")
    assert ("longer = likelier" in bars) == (kind != "race")
    assert page.inner_text("#player .ersd-symbols") == KINDS[kind].symbols
    assert "→" in bars
    assert "←" in bars
    for name, words in (("per-call", "up to this step"), ("whole", "whole run")):
        assert page.inner_text(f"#player .ersd-tile-{name} .ersd-label") == words
        assert "call" in page.inner_text(f"#player .ersd-tile-{name} .ersd-small")
