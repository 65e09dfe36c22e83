"""The messages of a run and the kit: strict JSON, of the types that message_types declares."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path

import pytest

from assets import message_types as generated
from ersd.costs import Costs
from ersd.trace.model import RankSequence, Trace
from visual.payload import messages as contract, theme
from visual.payload.kit import kit
from visual.payload.message_types import run as message_types
from visual.payload.message_types.kit import Kit
from visual.payload.messages import Message, RunMessages, compact, error, lost, messages, recording, status
from visual.payload.sentences.exactness import badge
from visual.payload.sentences.glossary import BY_ID, TERMS

from .fakes import (
    BY_KIND,
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
from .fits import problems

STEPS = {
    "race": race_step(), "batch": coin_step(tries=3), "coins": residual_step(), "block": block_step(), "greedy": greedy_step(),
    "bare": bare_step(), "leaf": leaf_step("coins"), "large": large_step([-1] * 64), "unknown": leaf_step("own draw"),
}  # fmt: skip
WEB = Path(contract.__file__).resolve().parent.parent / "web"


def sent(step) -> dict:
    return json.loads(RunMessages("Once", SETTINGS, "a pair").step(step))


# --- messages -------------------------------------------------------------------------------------------------------------------


def test_a_message_is_its_json_and_knows_its_type():
    run = [*messages(trace(race_step())), status("wait"), lost("gone"), error("no", run="it"), recording(trace(race_step()), "hello")]
    types = ["begin", "step", "end", "status", "lost", "error", "recording"]
    assert [message.type for message in run] == types
    for message in run:
        assert (json.loads(message)["type"], "\n" in message) == (message.type, False)
        assert not problems(json.loads(message), getattr(message_types, f"{message.type.title()}Message"))
    copy = pickle.loads(pickle.dumps(status("wait")))
    assert isinstance(copy, Message)
    assert (copy, copy.type) == ('{"type":"status","words":"wait"}', "status")
    with pytest.raises(ValueError, match="not JSON compliant"):
        compact({"value": float("inf")})


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_has_the_fields_of_its_type(step):
    assert not problems(sent(step), message_types.StepMessage)


def test_a_message_of_another_type_is_noticed():
    message = sent(race_step())
    message["tree"]["q"][0] = "0.3"
    message["decisions"]["-1"]["marks"][0] = "green"
    del message["find"]["path"]
    message["bar"]["more"] = 1
    found = problems(message, message_types.StepMessage)
    assert [one.split(" must")[0] for one in found] == [
        "message.tree.q[0]", "message.decisions.-1.marks[0]", "message.bar has more", "message.find lacks path",
    ]  # fmt: skip


@pytest.mark.parametrize("folder", generated.WRITTEN)
def test_the_types_of_the_browser_are_those_of_python(folder):
    """`python -m assets.message_types` writes the files."""
    assert generated.path_of(folder).read_text(encoding="utf-8") == generated.written(folder)


def test_a_step_stays_compact():
    assert len(RunMessages("Once", SETTINGS, "a pair").step(race_step())) < 3300


def test_begin_has_style_and_cells_and_end_may_have_ranks():
    run = RunMessages("Once", SETTINGS, "a pair", fed=("Once", 2))
    begin = json.loads(run.begin())
    assert begin["fed"] == {"text": "Once", "tokens": 2}
    assert not problems(begin, message_types.BeginMessage)
    ranks = RankSequence([1, 3], 8, [0.5], 4)
    end = json.loads(run.end("end of text", ranks))
    assert not problems(end, message_types.EndMessage)
    assert end["ranks"] == {"ranks": [1, 3], "room": 8, "prior": [0.5], "prior_visits": 4}


def test_text_and_figures_add_up_over_a_run():
    begin, *steps, end = [json.loads(message) for message in messages(trace(race_step(), race_step(), bare_step()))]
    assert {message["run"] for message in (begin, *steps, end)} == {begin["run"]}
    assert [message["index"] for message in steps] == [0, 1, 2]
    assert steps[-1]["stats"]["per_call"] == "1.67"
    assert (end["steps"], end["words"]) == (3, "Finished: 5 tokens in 3 target calls (requested length).")
    assert [message["bar"] for message in steps] == [{"accepted": 1, "own": 1}] * 2 + [{"accepted": 0, "own": 1}]
    assert [message["title"] for message in steps] == ["1 accepted + 1", "1 accepted + 1", "0 accepted + 1"]
    assert [message["tree"]["root"] for message in steps] == ["Once she", "Once she loved swim", "Once she loved swim loved swim"]


def test_the_text_shows_where_a_token_came_from_and_whether_it_was_close():
    first, second = sent(race_step())["text"]
    assert first == {"text": " loved", "source": "draft", "hover": "loved · step 1 · guessed by the draft, accepted"}
    assert (second["source"], second["near_tie"]) == ("target", True)
    assert second["hover"].startswith("swim · step 1 · the target’s own token\nNear tie: another token was so close")
    (silent,) = sent(silent_step())["text"]
    assert (silent["text"], silent["hover"]) == ("", "<|end|> · step 1 · guessed by the draft, accepted")


def test_a_run_from_first_layers_says_how_far_a_draft_call_climbs_where_that_is_known():
    costs = Costs(3.0, 3.5, 5.0, 0.1, draft_ms=1.5, wider_ms=0.0, source="exit", exit=3, layers=7)
    begun = [
        json.loads(RunMessages("p", replace(SETTINGS, **fields), "m", measured).begin())["ladder"]
        for fields, measured in (
            ({"source": "exit"}, costs), ({"source": "exit"}, replace(costs, exit=0, layers=0)), ({"source": "exit"}, None), ({}, costs),
        )
    ]  # fmt: skip
    assert (begun[0]["exit"], begun[0]["layers"], begun[0]["place"]["level"]) == (3, 7, 1.5)
    assert begun[1:] == [None, None, None]
    run = replace(trace(race_step()), costs=costs)
    assert Trace.from_json(run.to_json()).costs == costs
    assert "layers" not in replace(run, costs=replace(costs, exit=0, layers=0)).to_json()


def test_a_recording_holds_the_whole_run():
    message = json.loads(recording(trace(race_step()), "hello", view=(0, 1)))
    assert (message["words"], message["view"]) == ("hello", {"step": 0, "vertex": 1})
    assert [one["type"] for one in message["messages"]] == ["begin", "step", "end"]


def test_a_sequence_decided_as_a_whole_is_sent_in_columns():
    assert sent(block_step())["block"] == {
        "kept": 2, "ratio": [0.8, 0.8, 0.8], "joint": [0.8, 0.64, 0.512], "keep": [0.5, 0.5, 0.5], "coin": [0.9, 0.3, 0.8],
    }  # fmt: skip
    assert "block" not in sent(race_step())


# --- the kit --------------------------------------------------------------------------------------------------------------------


def test_the_kit_is_of_its_type():
    assert problems(json.loads(compact(kit())), Kit) == []


def test_every_term_is_a_few_short_sentences_and_stands_once():
    signs = [sign for term in TERMS for sign in term.signs]
    assert len(BY_ID) == len(TERMS)
    assert len(set(signs)) == len(signs)
    asked = ["P", "Q", "E", "TV", "D_HM", "H[R]", "KL", "τ*", "k", "ρ*", "joint", "keep probability", "remaining target probability"]
    assert {*asked, "rank distribution", "Custom", "embedded storyteller"} <= set(signs)
    assert all(badge(settings)["term"] in BY_ID for settings in BY_KIND.values())
    for term in TERMS:
        assert term.sentence.endswith(".")
        assert len(re.findall(r"\.\s+[A-Z]", term.sentence)) <= 2, term.id
        assert not term.paper or re.fullmatch(r"\d{4}\.\d{5}", term.paper)


def test_every_colour_named_exists_in_both_palettes():
    scripts = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("*/*.js"))
    named = set(re.findall(r'"\$([a-z][^"]*)"', compact(kit()) + scripts))
    assert len(named) > 20
    for palette in theme.PALETTES.values():
        assert named <= set(palette)
        assert [palette[name] for name in ("accepted", "rejected", "target", "leader")] == ["#009E73", "#D55E00", "#0072B2", "#E69F00"]
        for ink in ("ink", "muted", "faint", "accepted-ink", "rejected-ink", "target-ink", "leader-ink"):
            assert _contrast(palette[ink], palette["panel"]) >= 4.3, ink


def _contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
