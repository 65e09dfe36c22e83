"""The tiles, against the figures of the steps so far."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from ersd.trace.statistics import Statistics
from visual.payload import tiles as stats
from visual.payload.messages import kit, messages

from .fakes import bare_step, race_step, residual_step, trace


def _told(*steps):
    return [json.loads(message)["stats"] for message in list(messages(trace(*steps)))[1:-1]]


def test_accepted_are_the_drafted_tokens_that_became_text():
    first, second = _told(race_step(), race_step())
    assert first["tiles"]["accepted"] == {"value": "1", "small": "of 4 · 25%"}
    assert second["tiles"]["accepted"] == {"value": "2", "small": "of 8 · 25%"}
    assert _told(bare_step())[0]["tiles"]["accepted"] == {"value": "0", "small": "of 0"}


def test_tokens_per_call_with_tokens_and_calls():
    assert _told(residual_step())[0]["tiles"]["per-call"] == {"value": "1.00", "small": "1 token / 1 call"}
    assert _told(race_step(), bare_step())[1]["tiles"]["per-call"] == {"value": "1.50", "small": "3 tokens / 2 calls"}


def test_draws_that_coincide_are_told_beside_what_was_drafted():
    step = replace(race_step(), draws=[1, 3, 1, 1])
    assert _told(step)[0]["tiles"]["accepted"] == {"value": "1", "small": "of 4 (6 draws)"}


def test_speed_is_new_tokens_by_engine_time_over_the_same_steps_as_the_speed_up():
    reading = replace(race_step(), target_ms=80.0)  # the first step reads the prompt too
    first, second, third = _told(reading, race_step(), race_step())
    assert first["tiles"]["speed"] == {"value": "–", "small": "from step 2 on"}
    assert second["tiles"]["speed"] == {"value": "645", "small": "in step 2"}  # two tokens in 3.1 ms
    assert third["tiles"]["speed"] == {"value": "645", "small": "in steps 2–3"}


def test_those_accepted_by_rank_are_counted_and_are_all_accepted():
    told = _told(race_step())[0]
    assert (told["ranks"], told["visits"]) == ([0, 1, 0, 0, 0, 0], 2)
    counted = Statistics(ranks=Counter({1: 5, 6: 2, 9: 1, 31: 4})).accepted_by_rank()
    assert counted == {"1": 5, "2": 0, "3": 0, "4": 0, "5": 0, "6+": 7}


def test_times_are_those_of_the_step():
    assert _told(race_step())[0]["times"] == {"draft": 1.0, "target": 2.0, "verify": 0.1}


def test_every_tile_knows_where_its_figure_is():
    told = _told(race_step())[0]
    shown = {tile["id"]: tile["shows"] for tile in kit()["tiles"]}
    assert {name for name, shows in shown.items() if shows == "run"} == set(told["tiles"])
    assert {name for name, shows in shown.items() if shows == "vertex"} == {"tv"}
    assert shown["whole"] == "whole"
    assert (shown["by-rank"], shown["time"]) == ("ranks", "times")
    assert all(tile["small"] for tile in stats.TILES if tile["shows"] == "vertex")
