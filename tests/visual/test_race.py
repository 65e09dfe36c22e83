from __future__ import annotations

from dataclasses import replace

import pytest

from visual import race

from .fakes import bare_step, block_step, coin_step, race_step, residual_step


def _panel(step, place=0):
    return race.panel(step, step.walk[place], "Once she")


def test_what_each_rejection_left_is_told_row_by_row():
    panel = _panel(residual_step(rejections=2))
    assert panel["p"] == [0.41, 0.2, 0.3]
    assert panel["left"] == [[0.205, 0.35, 0.3], [0.137, 0.35, 0.3]]
    assert [one[:5] for one in panel["tries"]] == [[0, 0, 0.83, 0.6212, 0], [0, 0, 0.83, 0.3106, 0], [1, 1, 0.5, 3.5, 1]]
    assert panel["marks"] == "ra-"


def test_of_many_rejections_the_first_fifteen_and_the_last_are_told():
    panel = _panel(residual_step(rejections=20, accepted=False))
    assert len(panel["tries"]) == 20
    assert len(panel["left"]) == 16
    assert panel["left"][-1][0] == pytest.approx(0.41 / 21, rel=0.01)


def test_a_rejection_that_leaves_p_alone_costs_one_figure():
    step = residual_step(rejections=1)
    rows = [replace(row, left=[row.p]) for row in step.walk[0].rows]
    panel = _panel(replace(step, walk=[replace(step.walk[0], rows=rows)]))
    assert panel["left"] == [0]


def test_the_scale_holds_what_residuals_grow_to():
    step = residual_step(rejections=1)
    assert _panel(step)["scale"] == 1.0
    rows = [replace(row, p=0.2, q=0.2, left=[0.22]) for row in step.walk[0].rows]
    tries = [replace(one, drawn=0.2, q=0.2) for one in step.walk[0].tries]
    assert _panel(replace(step, walk=[replace(step.walk[0], rows=rows, tries=tries)]))["scale"] == 0.25
    rows[1] = replace(rows[1], left=[0.6])
    assert _panel(replace(step, walk=[replace(step.walk[0], rows=rows, tries=tries)]))["scale"] == 1.0


def test_without_replacement_tells_how_much_q_grew():
    step = residual_step(rejections=1)
    tries = [step.walk[0].tries[0], replace(step.walk[0].tries[1], drawn=0.1 / 0.34)]
    panel = _panel(replace(step, walk=[replace(step.walk[0], tries=tries)]))
    assert panel["removes"] == 1
    assert panel["tries"][1][5] == pytest.approx(1 / 0.34, rel=1e-4)
    assert _panel(step)["removes"] == 0


def test_kseq_scales_q_and_removes_nothing():
    step = residual_step(rejections=1)
    tries = [replace(one, drawn=one.q * 1.5) for one in step.walk[0].tries]
    panel = _panel(replace(step, walk=[replace(step.walk[0], tries=tries, rho=1.5)]))
    assert panel["removes"] == 0
    assert [one[5] for one in panel["tries"]] == [1.5, 1.5]


def test_old_traces_have_tries_without_residuals():
    panel = _panel(coin_step(tries=3))
    assert panel["left"] == []
    assert [one[5] for one in panel["tries"]] == [1, 1, 1]


def test_kinds():
    assert [_panel(step)["kind"] for step in (race_step(), residual_step(), block_step(), bare_step(None))] == [
        "race",
        "coins",
        "block",
        "leaf",
    ]
    assert "tries" not in _panel(block_step())


def test_every_child_knows_its_row():
    assert _panel(race_step())["kids"] == [[0, 0], [1, 1]]
    assert _panel(race_step(), 1)["kids"] == [[2, 0]]
