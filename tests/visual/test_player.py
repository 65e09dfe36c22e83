from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from visual import player, theme
from visual.player import Narrator, messages, recording

from .fakes import SETTINGS, bare_step, block_step, coin_step, greedy_step, large_step, race_step, residual_step, trace

STEPS = {
    "race": race_step(), "old coins": coin_step(tries=3), "coins": residual_step(), "block": block_step(), "greedy": greedy_step(),
    "bare": bare_step(), "large": large_step([-1] * 64),
}  # fmt: skip


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_is_one_line_of_strict_json(step):
    message = Narrator("Once", SETTINGS, "a pair").step(step)
    assert "\n" not in message
    assert json.loads(message)["type"] == "step"


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_every_visited_vertex_has_its_panel(step):
    message = json.loads(Narrator("Once", SETTINGS, "a pair").step(step))
    assert set(message["panels"]) == {str(visit.vertex) for visit in step.walk}
    assert str(message["shown"]) in message["panels"]


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_tables_have_an_entry_per_row_and_the_tree_per_vertex(step):
    message = json.loads(Narrator("Once", SETTINGS, "a pair").step(step))
    for panel in message["panels"].values():
        assert len(panel["names"]) == len(panel["p"]) == len(panel["marks"])
        assert panel["q"] is None or len(panel["q"]) == len(panel["p"])
        assert ("clock" in panel) == (panel["kind"] == "race") != ("scale" in panel)
        assert all(row < len(panel["p"]) for _, row in panel["kids"])
    count = len(message["tree"]["names"])
    assert len(message["tree"]["states"]) == len(message["tree"]["rows"]) == count
    assert count - len(message["parents"]) == (not step.walk[-1].accepted)


def test_text_and_figures_add_up_over_a_run():
    told = [json.loads(message) for message in messages(trace(race_step(), race_step(), bare_step()))]
    assert [message["type"] for message in told] == ["begin", "step", "step", "step", "end"]
    assert told[-2]["stats"]["per-call"][0] == "1.67"
    assert told[-1]["words"] == "Done: 5 tokens in 3 target calls; the length asked for is reached."
    assert [message["bar"] for message in told[1:-1]] == [[1, 1], [1, 1], [0, 1]]


def test_near_ties_are_marked_and_explained():
    text = json.loads(Narrator("Once", SETTINGS, "a pair").step(race_step()))["text"]
    assert [segment[2] for segment in text] == [0, 1]
    assert "Near tie" in text[1][3]


def test_a_recording_holds_the_whole_run():
    told = json.loads(recording(trace(race_step()), "hello"))
    assert [one["type"] for one in told["messages"]] == ["begin", "step", "end"]


def test_every_colour_named_exists_in_both_palettes():
    kit = player.kit()
    named = json.loads(player.compact([kit["templates"], kit["layouts"], kit["tree"]]))
    scripts = "".join(path.read_text(encoding="utf-8") for path in (Path(player.__file__).parent / "page").glob("*.js"))
    in_scripts = re.findall(r'"(\$[a-z-]+)"', scripts)
    assert len(in_scripts) > 3
    for mode in theme.PALETTES:
        assert "$" not in json.dumps(theme.resolve([named, in_scripts], mode))


def test_okabe_ito():
    for palette in theme.PALETTES.values():
        assert [palette[name] for name in ("accepted", "rejected", "target", "leader")] == ["#009E73", "#D55E00", "#0072B2", "#E69F00"]


def test_pictures_need_no_torch_and_no_gradio():
    code = "import sys, visual.player; print([m for m in ('torch', 'gradio', 'transformers', 'plotly') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("ink", ["ink", "muted", "faint", "accepted-ink", "rejected-ink", "target-ink", "leader-ink"])
def test_words_have_contrast(mode, ink):
    palette = theme.PALETTES[mode]
    assert _contrast(palette[ink], palette["panel"]) >= 4.3


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
