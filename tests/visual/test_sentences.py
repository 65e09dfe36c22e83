"""The sentence of every decision, and the reason of every rejected node, against their numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

import ersd
from ersd.settings import Settings
from ersd.trace.step import Step, Try, kept
from visual.payload.decision import decision
from visual.payload.messages import messages
from visual.payload.sentences.kinds.block import block_reason
from visual.payload.sentences.kinds.coins import coin_sentence
from visual.payload.tree.step_tree import reasons

from .fakes import (
    bare_step,
    block_step,
    coin_step,
    favourites_step,
    greedy_step,
    half_race_step,
    laps_step,
    leaf_step,
    one_try,
    race_step,
    residual_step,
)  # fmt: skip

FREE = "The tree ended here, so this token comes free with the same call."
ALONE = "Nothing was drafted: one call gives one token."
KEPT_UP_TO = "Tokens are kept up to the last one whose coin is below its keep probability: here the"
NONE_KEPT = "No coin is below its keep probability, so no token is kept."
OWN = "The next token “b” (p = 0.50) is the target’s own."
REJECTED = Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=0.41 / 0.66, coin=0.83, left=0.41, drawn=0.66)
LENIENT = replace(REJECTED, ratio=0.73, coin=0.7)


def say(step: Step, index: int = 0) -> str:
    return decision(step, step.walk[index], "")["say"]


def with_visit(step: Step, index: int, **changes) -> Step:
    """The step with changes to one of its visits."""
    return replace(step, walk=[replace(visit, **changes) if at == index else visit for at, visit in enumerate(step.walk)])


def favourites_path() -> Step:
    """A favourite, after it a single guess, and the leaf that follows both."""
    first = favourites_step(1)
    *_, only = leaf_step("favourites").walk[:1]
    one = replace(only, vertex=1, tries=[replace(only.tries[0], vertex=3)])
    leaf = replace(leaf_step("favourites").walk[1], vertex=3)
    return replace(first, walk=[*first.walk, one, leaf], tokens=[*first.tokens, 1], parents=[*first.parents, 1], ranks=[*first.ranks, 1])


@pytest.mark.parametrize(
    ("step", "index", "sentence"),
    [
        (favourites_path(), 1,
         "“a” is accepted: coin 0.40 is below p ÷ q = 0.60 / 0.50 = 1.2. It was the only guess here: a wild card from all of q, without a "
         "favourite."),
        (favourites_path(), 2, f"{OWN} {FREE} Choice 1: “a”, a favourite, is accepted: coin … The wild card “x” before it failed."),
        (race_step(), 0,
         "“liked” wins the draft’s race, “loved” the target’s. From draft to target: “liked” 0.60 → 0.10, “loved” 0.20 → 0.50. "
         "“loved” was the draft’s 2nd arrival, so it is accepted."),
        (race_step(), 1,
         "“play” wins the draft’s race, “swim” the target’s. From draft to target: “play” 0.50 → 0.20, “swim” 0.030 → 0.60. "
         "Only “play” was drafted, so the target adds “swim”, 9th in the draft’s race."),
        (with_visit(race_step(), 1, rank=None), 1,
         "“play” wins the draft’s race, … The draft never reaches “swim”, so the target adds it."),
        (greedy_step(accepted=True), 0, "Accepted: “end”, the draft’s 2nd choice, is the target’s most likely token (p = 0.70)."),
        (greedy_step(), 0, "Not drafted: “end” is the target’s most likely token (p = 0.70). It would have been the draft’s 4th choice."),
        (leaf_step("race"), 1,
         f"“b” arrives first in the target’s race. {FREE} Race 1: “a” has an early clock (0.10) and is likely for both (draft 0.50, "
         "target 0.60), so it is first in both."),
        (leaf_step("coins"), 1, f"{OWN} {FREE} Choice 1: “a” is accepted: coin 0.40 is below p ÷ q = 0.60 / 0.50 = 1.2."),
        (leaf_step("block"), 1, f"{OWN} {FREE} Choice 1: “a” (from draft to target 0.50 → 0.60) has a coin of 0.40, below 1.0, so it "
         "stays."),
        (block_step((0.9, 0.8, 0.3)), 3, f"The next token “own” … {FREE} Choice 3: “c” … has a coin of 0.30, below 0.50, so all 3 stay."),
        *[(leaf_step(kind), 1, f"{OWN} {FREE}") for kind in ("likelihood", "own draw")],
        (bare_step(), 0, f"“loved” arrives first in the target’s race. {ALONE}"),
        (bare_step("own draw"), 0, f"The next token “loved” (p = 0.50) is the target’s own. {ALONE}"),
        (residual_step(rejections=2), 0, "“z” is accepted: coin 0.50 is below 0.35 / 0.10 = 3.5, … 2 tries before it failed."),
        (residual_step(rejections=1), 0, "… 1 try before it failed."),
        (coin_step(tries=3), 0, "All 3 coins failed: the draft’s “x” is rejected, and “y” is drawn from the remaining target probability."),
        (with_visit(coin_step(tries=3), 0, rho=1.5, tries=[replace(REJECTED, ratio=0.41 / 0.99)] * 3), 0,
         "All 3 coins failed: … is drawn from the remaining target probability. Each had to be below p ÷ ρq = 0.41 / (1.5 · 0.66) = 0.41."),
        (one_try(LENIENT, accepted=True, bias=0.06), 0,
         "“x” is accepted: coin 0.70 is below 0.73, lenient: exact is p ÷ q = 0.41 / 0.66 = 0.62. Biased on purpose: TV 0.06 paid here."),
        (one_try(replace(LENIENT, ratio=0.41 / 0.66), bias=0.0), 0,
         "“x” is rejected: coin 0.70 is not below p ÷ q = 0.41 / 0.66 = 0.62. So “y” is drawn from the remaining target "
         "probability."),
        (favourites_step(0), 0, "“x”, the wild card, is accepted: coin 0.10 is below p ÷ its chance to be drawn = 0.20 / 0.67 = 0.30."),
        (favourites_step(1), 0,
         "“a”, a favourite, is accepted: coin 0.10 is below p ÷ all that remains of p = 0.30 / 0.47 = 0.64. The wild card “x” before "
         "it failed."),
        (favourites_step(2), 0,
         "“b”, a favourite, is accepted: coin 0.10 is below p ÷ all that remains of p = 0.10 / 0.167 = 0.60. The wild card “x” and "
         "1 favourite before it failed."),
        (favourites_step(), 0,
         "The wild card “x” and 2 favourites are rejected, so “y” is drawn from the remaining target probability (rescaled to sum to 1, "
         "its own is 1.0)."),
        (half_race_step(accepted=True, drafted=2), 0,
         "“dog” arrives first in the target’s race, at clock ÷ p = 0.11 / 0.40 = 0.275. It is 2nd in the draft’s order, so it was guessed "
         "and is accepted."),
        (laps_step(), 0,
         "“liked” wins the draft’s race, “loved” the target’s. … “loved” was the draft’s 2nd arrival, so it is accepted. It is 1 of the "
         "3 arrivals, so 1 place for what follows it."),
        (half_race_step(), 0,
         "“dog” arrives first in the target’s race, at clock ÷ p = 0.11 / 0.40 = 0.275. Only “ball”, the draft’s likeliest "
         "(q = 0.40), was guessed, so the target adds “dog”."),
        (block_step(), 0, f"Kept: its coin is 0.90, its keep probability 0.50. {KEPT_UP_TO} 2nd."),
        (block_step(), 2, f"{KEPT_UP_TO} 2nd. Then “own” is drawn from the remaining target probability."),
    ],
)  # fmt: skip
def test_the_sentence_of_a_decision(step, index, sentence):
    """`…` stands for any text."""
    assert re.fullmatch(re.escape(sentence).replace("…", ".*"), say(step, index)), say(step, index)


@pytest.mark.parametrize(
    ("one", "more", "sentence"),
    [
        (replace(REJECTED, accepted=True, coin=0.2), {}, "Accepted: coin 0.20 is below p ÷ q = 0.41 / 0.66 = 0.62."),
        (replace(REJECTED, coin=0.6213), {}, "Rejected: coin 0.6213 is not below p ÷ q = 0.41 / 0.66 = 0.6212."),
        (replace(REJECTED, ratio=0.3, left=None, drawn=None), {}, "Rejected: coin 0.83 is not below 0.30, where p = 0.41 and q = 0.66."),
        (replace(REJECTED, ratio=0.205 / 0.66, left=0.205), {},
         "Rejected: coin 0.83 is not below 0.205 / 0.66 = 0.31, where 0.205 is what earlier rejections left of p = 0.41."),
        (replace(REJECTED, ratio=0.6 / 0.66, left=0.6, coin=0.95), {},
         "Rejected: coin 0.95 is not below 0.60 / 0.66 = 0.91, where 0.60 is what earlier rejections made of p = 0.41."),
        (replace(REJECTED, ratio=0.0, left=0.0), {}, "Rejected: coin 0.83 is not below 0: earlier rejections left nothing of p = 0.41."),
        (replace(REJECTED, p=0.00001, q=0.4, ratio=0.0, left=0.0), {},
         "Rejected: coin 0.83 is not below 0: earlier rejections left nothing of p < 0.0001."),
        (replace(REJECTED, q=0.4, ratio=0.12 / 0.8, left=0.12, drawn=0.8), {},
         "Rejected: coin 0.83 is not below 0.12 / 0.80 = 0.15, where 0.12 is what earlier rejections left of p = 0.41 "
         "and 0.40 / 0.50 = 0.80 is q over what earlier children left of Q."),
        (replace(REJECTED, ratio=0.41 / (1.62 * 0.66)), {"rho": 1.62}, "Rejected: coin 0.83 is not below p ÷ ρq = 0.41 / (1.62 · 0.66) = "
        "0.38."),
        (replace(REJECTED, q=0.0, ratio=0.0), {}, "Rejected: coin 0.83 is not below 0, where p = 0.41 and q = 0."),
    ],
)  # fmt: skip
def test_the_sentence_of_a_coin(one, more, sentence):
    step = one_try(one, one.accepted, **more)
    assert coin_sentence(step.walk[0].tries[0], step.walk[0]) == sentence


def _probabilities(index: int, *pairs: tuple[float, float], **changes) -> Step:
    """The race with other p and q at a visit, a pair for each row."""
    rows = [replace(row, p=p, q=q) for row, (p, q) in zip(race_step().walk[index].rows, pairs, strict=True)]
    return with_visit(race_step(), index, rows=rows, **changes)


@pytest.mark.parametrize(
    ("step", "index", "sentence"),
    [
        (_probabilities(0, (0, 0.5), (1, 0.2), (0, 0.3)), 0,
         "“loved” is the only token possible for the target (p = 1), whatever its clock. It was the draft’s 2nd arrival, so it "
         "is accepted."),
        (_probabilities(1, (0, 1), (1, 0), rank=None), 1,
         "“play” is the only token possible for the draft, but “swim” is the only token possible for the target (p = 1), whatever the "
         "clocks. So the target adds “swim”."),
        (_probabilities(1, (0, 0.9), (1, 0.1)), 1,
         "“play” wins the draft’s race, but “swim” is the only token possible for the target (p = 1), whatever the clocks. So the target "
         "adds “swim”, 9th in the draft’s race."),
        (_probabilities(1, (0.7, 1), (0.3, 0), token=8, text=" play", accepted=True, rank=1), 1,
         "“play” is the only token possible for the draft, and arrives first in the target’s race as well (p = 0.70)."),
    ],
)  # fmt: skip
def test_the_clocks_get_no_credit_where_one_token_is_possible(step, index, sentence):
    assert say(step, index) == sentence


CERTAIN = [
    ("ersd", "tau_star"), ("ersd", "dynamic"), ("gsd", "batch"), ("gsd_wor", "batch"), ("kseq", "multi_sequence"), ("block", "sequence"),
    ("autoregressive", "sequence"), ("spechub", "batch"), ("half_race", "tau_star"), ("ersd", "poisson"),
]  # fmt: skip


@pytest.mark.parametrize(("algorithm", "topology"), CERTAIN)
@pytest.mark.parametrize("certain", [{"temperature": 0.0}, {"top_k": 1}], ids=str)
def test_a_run_without_chance_is_said_to_have_none(pair, algorithm, topology, certain):
    settings = Settings(algorithm, topology, draft_tokens=4, max_new_tokens=16, seed=3, **certain)
    run = ersd.run(pair, "The old king of the sea", settings)
    begin, *steps, _ = (json.loads(message) for message in messages(run))
    assert begin["exact"]["kind"] == "same-text"
    assert "seed" not in begin["exact"]["words"]
    assert "k = 4" not in begin["name"] or topology == "sequence"
    for step in steps:
        said = [one["say"] for one in step["decisions"].values()]
        assert not [words for words in said if re.search(r"early clock|clock small|smaller clock|arrives first", words)]
        assert "chance" not in step["single"]
        assert step["stats"]["theory"].get("acceptance", {}).get("chance", 0) == 0


def _loses_at(time: float | None) -> Step:
    return with_visit(race_step(), 1, tries=[replace(race_step().walk[1].tries[0], target_time=time)])


@pytest.mark.parametrize(
    ("step", "vertex", "reason"),
    [
        (race_step(), 0, "Rejected: it arrived at 1.2 in the target’s race, after the winner “loved” (0.12)."),
        (race_step(), 2, "Rejected: it arrived at 1.2 in the target’s race, after the winner “swim” (0.45)."),
        (_loses_at(None), 2, "Rejected: it never arrives in the target’s race, where its probability is 0."),
        (_loses_at(0.4501), 2, "Rejected: it arrived at 0.4501 in the target’s race, after the winner “swim” (0.4500)."),
        (greedy_step(accepted=True), 0, "Rejected: the target’s most likely token is “end” (p = 0.70), not this one (p = 0.20)."),
        (block_step((0.2, 0.3, 0.8)), 0, f"Kept: its coin is 0.20, its keep probability 0.50. {KEPT_UP_TO} 2nd."),
        (block_step((0.9, 0.9, 0.1)), 2, f"Kept: its coin is 0.10, its keep probability 0.50. {KEPT_UP_TO} 3rd."),
        (block_step((0.1, 0.9, 0.9)), 1, f"Cut: its coin is 0.90, its keep probability 0.50. {KEPT_UP_TO} 1st."),
        (block_step((0.9, 0.9, 0.9)), 0, f"Cut: its coin is 0.90, its keep probability 0.50. {NONE_KEPT}"),
        (block_step((0.9,)), 0, f"Cut: its coin is 0.90, its keep probability 0.50. {NONE_KEPT}"),
    ],
)  # fmt: skip
def test_the_reason_of_a_node(step, vertex, reason):
    assert reasons(step)[vertex] == reason


def test_reasons_are_given_for_nodes_without_a_sentence_of_their_own():
    assert set(reasons(race_step())) == {0, 2}
    assert reasons(residual_step()) == reasons(bare_step()) == {}
    unvisited = block_step((0.9, 0.9, 0.9))
    assert len(unvisited.walk) == 1
    assert reasons(unvisited) == {vertex: block_reason(unvisited, vertex) for vertex in range(3)}


@pytest.mark.parametrize(
    ("coins", "count"), [((0.9, 0.3, 0.8), 2), ((0.1, 0.9, 0.9), 1), ((0.9, 0.9, 0.1), 3), ((0.9, 0.9, 0.9), 0), ((0.1, 0.1, 0.5), 2)]
)
def test_the_last_coin_below_its_keep_probability_decides(coins, count):
    assert kept(block_step(coins)) == count
