"""Sentences of rejection rules: a coin and what it was compared with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ersd.trace.model import Try
from visual.payload.sentences.coins import coin
from visual.payload.sentences.explain import reasons, sentence

from .fakes import coin_step, one_try, residual_step


def _coins(step) -> list[str]:
    return [coin(one, step.walk[0]) for one in step.walk[0].tries]


def test_one_coin():
    assert _coins(coin_step()) == ["Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62."]
    assert _coins(coin_step(accepted=True)) == ["Accepted: coin 0.20 against p/q = 0.41 / 0.66 = 0.62."]


def test_a_coin_close_to_its_quotient_has_the_digits_to_tell_them_apart():
    step = one_try(Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=0.41 / 0.66, coin=0.6213))
    assert _coins(step) == ["Rejected: coin 0.6213 against p/q = 0.41 / 0.66 = 0.6212."]


def test_a_later_coin_names_what_was_left():
    first, second, third = _coins(residual_step(rejections=3, accepted=False))
    assert first == "Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62."
    assert second == "Rejected: coin 0.83 against 0.205 / 0.66 = 0.31, where 0.205 is what earlier rejections left of p = 0.41."
    assert third == "Rejected: coin 0.83 against 0.14 / 0.66 = 0.21, where 0.14 is what earlier rejections left of p = 0.41."


def test_a_quotient_whose_origin_is_not_told_is_not_explained():
    assert _coins(coin_step(tries=2))[1] == "Rejected: coin 0.83 against 0.30, where p = 0.41 and q = 0.66."


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (0.6, "against 0.60 / 0.66 = 0.91, where 0.60 is what earlier rejections made of p = 0.41."),
        (0.0, "against 0: earlier rejections left nothing of p = 0.41."),
    ],
)
def test_what_was_left_may_have_grown_or_gone(left, words):
    step = one_try(Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=left / 0.66, coin=0.95, left=left, drawn=0.66))
    assert _coins(step) == [f"Rejected: coin 0.95 {words}"]


def test_without_replacement_names_what_the_child_was_drawn_with():
    step = one_try(Try(vertex=0, accepted=False, p=0.41, q=0.4, ratio=0.12 / 0.8, coin=0.83, left=0.12, drawn=0.8))
    assert _coins(step) == [
        "Rejected: coin 0.83 against 0.12 / 0.80 = 0.15, where 0.12 is what earlier rejections left of p = 0.41 "
        "and 0.40 / 0.50 = 0.80 is q over what earlier children left of Q."
    ]


def test_kseq_names_rho():
    one = Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=0.41 / (1.62 * 0.66), coin=0.83, left=0.41, drawn=0.66)
    assert _coins(one_try(one, rho=1.62)) == ["Rejected: coin 0.83 against p/(ρ·q) = 0.41 / (1.62 · 0.66) = 0.38."]


def test_a_probability_too_small_to_be_written_is_only_said_to_be_smaller():
    step = one_try(Try(vertex=0, accepted=False, p=0.00001, q=0.4, ratio=0.0, coin=0.83, left=0.0, drawn=0.4))
    assert _coins(step) == ["Rejected: coin 0.83 against 0: earlier rejections left nothing of p < 0.0001."]


def test_lossy_says_what_is_lenient_and_that_it_is_biased():
    lenient = Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=0.73, coin=0.7, left=0.41, drawn=0.66)
    step = one_try(lenient, accepted=True, bias=0.06)
    assert sentence(step, step.walk[0]) == (
        "“␣x”: Accepted: coin 0.70 against 0.73, lenient: exact is p/q = 0.41 / 0.66 = 0.62. Biased on purpose: TV 0.06 paid here."
    )
    step = one_try(replace(lenient, ratio=0.41 / 0.66), bias=0.0)
    assert sentence(step, step.walk[0]) == (
        "Rejected: coin 0.70 against p/q = 0.41 / 0.66 = 0.62. So “␣x” is dropped and “␣y” is drawn from what is left of P."
    )


def test_accepted_after_others_failed():
    step = residual_step(rejections=2)
    words = sentence(step, step.walk[0])
    assert words.startswith("“␣z”: Accepted: coin 0.50 against 0.35 / 0.10 = 3.5,")
    assert words.endswith(" 2 tries before it failed.")
    step = residual_step(rejections=1)
    assert sentence(step, step.walk[0]).endswith(" 1 try before it failed.")


def test_all_tries_rejected():
    step = coin_step(tries=3)
    assert sentence(step, step.walk[0]) == "All 3 tries rejected: the next token “␣y” is drawn from what is left of P."


def test_every_try_has_its_own_sentence_so_no_vertex_needs_one():
    assert reasons(residual_step()) == {}
