"""The messages of a run: strict JSON, every field where `types.js` and `kit_types.js` of page/player say it is."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

from visual.payload import messages as contract, theme
from visual.payload.messages import Message, RunMessages, compact, error, kit, messages, recording, status, stopped

from .fakes import (
    SETTINGS,
    bare_step,
    block_step,
    coin_step,
    greedy_step,
    large_step,
    leaf_step,
    race_step,
    residual_step,
    silent_step,
    trace,
)

STEPS = {
    "race": race_step(), "batch": coin_step(tries=3), "coins": residual_step(), "block": block_step(), "greedy": greedy_step(),
    "bare": bare_step(), "leaf": leaf_step("coins"), "large": large_step([-1] * 64), "unknown": leaf_step("own draw"),
}  # fmt: skip
every_step = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
WEB = Path(contract.__file__).resolve().parent.parent / "web"


def told(step):
    return json.loads(RunMessages("Once", SETTINGS, "a pair").step(step))


# --- messages that know their type ----------------------------------------------------------------------------------------------


def test_a_message_is_its_json_and_knows_its_type():
    run = [*messages(trace(race_step())), status("wait"), stopped(), error("no"), recording(trace(race_step()), "hello")]
    assert [message.type for message in run] == ["begin", "step", "end", "status", "stopped", "error", "recording"]
    assert all(isinstance(message, str) and json.loads(message)["type"] == message.type for message in run)


def test_a_message_survives_pickling():
    copy = pickle.loads(pickle.dumps(status("wait")))
    assert isinstance(copy, Message)
    assert (copy, copy.type) == ('{"type":"status","words":"wait"}', "status")


@every_step
def test_a_step_is_one_line_of_strict_json(step):
    message = RunMessages("Once", SETTINGS, "a pair").step(step)
    assert "\n" not in message
    with pytest.raises(ValueError, match="not JSON compliant"):
        compact({"value": float("inf")})


def test_a_step_stays_compact():
    assert len(RunMessages("Once", SETTINGS, "a pair").step(race_step())) < 3000


# --- what is in them ------------------------------------------------------------------------------------------------------------


TYPES = "\n".join((WEB / "base" / name).read_text(encoding="utf-8") for name in ("types.js", "kit_types.js"))


def _typed(name: str) -> tuple[set[str], set[str]]:
    """The fields of a JSDoc type, and those of them that may be absent."""
    blocks = re.findall(r"/\*\*.*?\*/", TYPES, re.DOTALL)
    block = next(block for block in blocks if re.search(rf"@typedef {{object}} {name}\b", block))
    # a type may hold braces of its own
    fields = re.findall(r"@property \{(?:[^{}]|\{[^{}]*\})*\} (\[?\w+\]?)", block)
    return {field.strip("[]") for field in fields}, {field.strip("[]") for field in fields if field.startswith("[")}


def _fits(thing: dict, name: str) -> None:
    fields, optional = _typed(name)
    assert fields
    assert fields - optional <= set(thing) <= fields, name


@every_step
def test_a_step_has_the_fields_of_its_type(step):
    message = told(step)
    _fits(message, "StepMessage")
    _fits(message["tree"], "Tree")
    _fits(message["stats"], "Stats")
    for token in message["text"]:
        _fits(token, "TextToken")
    for decision in message["decisions"].values():
        _fits(decision, "Decision")
        _fits(decision["facts"], "Facts")
        for one in decision.get("tries", []):
            _fits(one, "Try")
        for one in decision.get("left", []):
            _fits(one, "Residual")
    if "block" in message:
        _fits(message["block"], "Block")


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (RunMessages("Once", SETTINGS, "a pair").begin(), "BeginMessage"),
        (RunMessages("Once", SETTINGS, "a pair").end("end of text"), "EndMessage"),
        (status("wait"), "StatusMessage"),
        (stopped(), "StoppedMessage"),
        (error("no"), "ErrorMessage"),
        (recording(trace(race_step()), "hello"), "RecordingMessage"),
    ],
    ids=lambda value: value if len(value) < 20 else "",
)
def test_the_other_messages_have_the_fields_of_their_types(message, name):
    _fits(json.loads(message), name)


def test_begin_tells_style_and_cells():
    begin = json.loads(RunMessages("Once", SETTINGS, "a pair").begin())
    _fits(begin["tree_style"], "TreeStyle")
    for cell in begin["theory"]:
        _fits(cell, "Cell")
        for line in cell["lines"]:
            _fits(line, "Line")


def test_the_kit_has_the_fields_of_its_types():
    made = kit()
    _fits(made, "Kit")
    pictures = re.findall(r"@property \{(\w+Kit)\} (\w+)", TYPES)
    assert len(pictures) >= 3
    for name, field in (("NumberFormat", "numbers"), ("Words", "words"), *pictures):
        _fits(made[field], name)
    for kind in made["kinds"].values():
        _fits(kind, "Kind")
        _fits(kind["headings"], "Headings")
    for mark in made["marks"].values():
        _fits(mark, "MarkStyle")
    for tile in made["tiles"]:
        _fits(tile, "Tile")


@every_step
def test_every_visited_vertex_has_its_panel_and_the_walk_its_end(step):
    message = told(step)
    assert list(message["decisions"]) == [str(visit.vertex) for visit in step.walk]
    assert message["walk_end"] == step.walk[-1].vertex
    tried = [visit.vertex for visit in step.walk if visit.tries]
    assert message["decided"] == (tried or [message["walk_end"]])[-1]


@every_step
def test_tables_have_an_entry_per_row_and_trees_per_vertex(step):
    message = told(step)
    for decision in message["decisions"].values():
        count = len(decision["p"])
        assert len(decision["names"]) == len(decision["marks"]) == count
        assert all(len(column) == count for column in (decision["q"], decision.get("clock")) if column is not None)
        assert all(0 <= row < count for row in decision["row_of"].values())
    tree = message["tree"]
    drafted, own = len(step.tokens), not step.walk[-1].accepted
    assert {len(tree[name]) for name in ("names", "parents", "states", "columns", "lanes")} == {drafted + own}
    assert len(tree["q"]) == len(tree["ranks"]) == drafted


def test_text_and_figures_add_up_over_a_run():
    begin, *steps, end = [json.loads(message) for message in messages(trace(race_step(), race_step(), bare_step()))]
    assert (begin["type"], end["type"]) == ("begin", "end")
    assert {message["run"] for message in (begin, *steps, end)} == {begin["run"]}
    assert [message["index"] for message in steps] == [0, 1, 2]
    assert steps[-1]["stats"]["tiles"]["per-call"]["value"] == "1.67"
    assert (end["steps"], end["words"]) == (3, "Done: 5 tokens in 3 calls; the length asked for.")
    assert [message["bar"] for message in steps] == [{"accepted": 1, "own": 1}] * 2 + [{"accepted": 0, "own": 1}]
    assert [message["title"] for message in steps] == ["1 accepted + 1", "1 accepted + 1", "0 accepted + 1"]
    assert [message["tree"]["root"] for message in steps] == ["Once she", "Once she loved swim", "Once she loved swim loved swim"]


def test_the_text_says_where_a_token_came_from_and_whether_it_was_close():
    first, second = told(race_step())["text"]
    assert (first["text"], first["source"], "near_tie" in first) == (" loved", "draft", False)
    assert first["hover"] == "␣loved · step 1 · drafted and accepted"
    assert (second["source"], second["near_tie"]) == ("target", True)
    line, reason = second["hover"].split("\n")
    assert line == "␣swim · step 1 · the target's own token"
    assert reason.startswith("Near tie: another token was so close")


def test_a_token_without_text_is_named_as_in_the_tree():
    (one,) = told(silent_step())["text"]
    assert (one["text"], one["hover"]) == ("", "<|end|> · step 1 · drafted and accepted")


def test_a_recording_holds_the_whole_run():
    message = json.loads(recording(trace(race_step()), "hello"))
    assert message["words"] == "hello"
    assert [one["type"] for one in message["messages"]] == ["begin", "step", "end"]


def test_a_sequence_decided_as_a_whole_is_told_in_columns():
    assert told(block_step())["block"] == {
        "kept": 2,
        "ratio": [0.8, 0.8, 0.8],
        "joint": [0.8, 0.64, 0.512],
        "keep": [0.5, 0.5, 0.5],
        "coin": [0.9, 0.3, 0.8],
    }
    assert "block" not in told(race_step())


# --- colours --------------------------------------------------------------------------------------------------------------------


def test_every_colour_named_exists_in_both_palettes():
    scripts = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("*/*.js"))
    named = set(re.findall(r'"\$([^"]+)"', compact(kit()) + scripts))
    assert len(named) > 20
    for palette in theme.PALETTES.values():
        assert named <= set(palette)


def test_okabe_ito():
    for palette in theme.PALETTES.values():
        assert [palette[name] for name in ("accepted", "rejected", "target", "leader")] == ["#009E73", "#D55E00", "#0072B2", "#E69F00"]


def test_pictures_need_no_torch_and_no_gradio():
    code = "import sys, visual.payload.messages; print([m for m in ('torch', 'gradio', 'transformers', 'plotly') if m in sys.modules])"
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
