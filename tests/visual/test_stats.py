from __future__ import annotations

import json
from dataclasses import replace

from ersd.settings import Settings
from visual import stats
from visual.player import Narrator, messages

from .fakes import SETTINGS, bare_step, block_step, coin_step, race_step, residual_step, trace


def _told(*steps):
    return [json.loads(message) for message in messages(trace(*steps))][1:-1]


def test_theory_is_told_up_to_each_step():
    first, second = (one["stats"]["theory"] for one in _told(residual_step(), residual_step(accepted=False)))
    assert first["acceptance"] == [1.0, 0.8, 0.9]
    assert second["acceptance"] == [0.5, 0.8, 0.9]
    assert (first["rejections"], second["rejections"]) == ([0, 0.2], [1, 0.4])


def test_tokens_per_call_beside_the_tree_and_the_bound():
    (step,) = _told(residual_step())
    assert step["stats"]["theory"]["calls"] == [1.0, 1.8, 4.2]
    assert step["stats"]["entropy"] == 0.5


def test_what_is_not_known_is_none():
    step = _told(bare_step())[0]["stats"]
    assert step["theory"]["acceptance"] == [None, None, None]
    assert step["theory"]["calls"][1:] == [None, None]
    assert step["entropy"] is None
    assert _told(race_step())[0]["stats"]["theory"]["acceptance"][1] is None


def test_the_tv_paid_is_told_for_lenient_rules_only():
    step = coin_step()
    step = replace(step, walk=[replace(step.walk[0], bias=0.06)])
    assert _told(step, step)[1]["stats"]["theory"]["bias"] == [0.06, 1.0, 0.2]
    assert "bias" not in _told(coin_step())[0]["stats"]["theory"]


def test_cells_follow_the_method():
    assert stats.cells(Settings()) == ["here", "acceptance", "calls"]
    assert "rejections" in stats.cells(Settings(algorithm="gsd", topology="sequence"))
    lossy = Settings(algorithm="lossy", topology="sequence", leniency=0.3)
    assert "bias" in stats.cells(lossy)
    assert "biased" in stats.warning(lossy)
    exact = replace(lossy, leniency=0.0)
    assert "bias" not in stats.cells(exact)
    assert stats.warning(exact) == ""


def test_every_cell_has_a_line_per_value():
    told = _told(residual_step())[0]["stats"]["theory"]
    assert all(len(stats.THEORY[name]["lines"]) == len(values) for name, values in told.items())


def test_block_tells_every_drafted_token_and_where_it_was_cut():
    told = json.loads(Narrator("Once", SETTINGS, "a pair").step(block_step()))
    assert told["block"]["kept"] == 2
    assert told["block"]["rows"] == [[0.8, 0.8, 0.5, 0.9], [0.8, 0.64, 0.5, 0.3], [0.8, 0.512, 0.5, 0.8]]
    assert "block" not in json.loads(Narrator("Once", SETTINGS, "a pair").step(race_step()))
