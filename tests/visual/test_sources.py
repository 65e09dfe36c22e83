"""What is shown of a source of guesses: the weights of several, and the place of each token by frequency."""

from __future__ import annotations

import json
from dataclasses import replace

from ersd.draft_tree import Routing
from visual.payload.messages import RunMessages
from visual.payload.sources import routing

from .fakes import SETTINGS, race_step

CHOICE = Routing("ngram", {"model": 0.26894, "ngram": 0.73106}, {"model": 1.0, "ngram": 0.25})


def sent(step, **settings):
    run = RunMessages("Once", replace(SETTINGS, **settings), "pair")
    run.begin()
    return json.loads(run.step(step))


def test_weights_and_losses_are_columns_by_source_with_the_chosen_one():
    assert routing(replace(race_step(), routing=CHOICE)) == {
        "names": ["draft model", "n-grams"],
        "weights": [0.2689, 0.7311],
        "losses": ["1.0", "0.25"],
        "chosen": 1,
    }
    assert routing(replace(race_step(), routing=replace(CHOICE, losses={})))["losses"] == ["–", "–"], "a step that is not over"
    assert routing(race_step()) is None


def test_a_step_is_sent_with_its_choice_and_tokens_with_their_place_by_frequency():
    step = race_step()
    assert sent(replace(step, routing=CHOICE), source="routed")["routing"]["chosen"] == 1
    assert "routing" not in sent(step)
    ranked = replace(step, emitted=[replace(one, frequency_rank=rank) for one, rank in zip(step.emitted, (3, 2310), strict=True)])
    assert [one["rank"] for one in sent(ranked, source="frequent")["text"]] == [3, 2310]
    assert not any("rank" in one for one in sent(step)["text"])
