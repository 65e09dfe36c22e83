"""The source `exit`: the target's first layers, and a map learned on the way."""

import dataclasses

import pytest
import torch

import ersd
from ersd.drafts.early_exit import RIDGE, EarlyExit
from ersd.drafts.sources import MAKERS
from ersd.models.pair import make_pair

from ..rules.test_engine_output import enumerated, follows_through_the_engine
from ..statistical import DRAFTING, tokens_of
from ..tiny import letters, llama, tiny_pair
from .test_ngram import topology_of

PROMPT = "abcdefghabcdefgh"


@pytest.fixture(scope="module")
def four_layers() -> ersd.ModelPair:
    """A target of the Llama family without a draft model."""
    model = llama(64, seed=1)
    assert model.config.num_hidden_layers >= 2
    return make_pair(model, None, letters(26))


@pytest.fixture
def sources(monkeypatch) -> list[EarlyExit]:
    """The sources that were made."""
    made: list[EarlyExit] = []
    monkeypatch.setitem(MAKERS, "exit", lambda pair, settings: (made.append(EarlyExit(pair)), made[-1])[1])
    return made


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
def test_the_text_is_the_targets_own_and_a_run_can_be_repeated(four_layers, topology):
    settings = ersd.Settings("ersd", topology, draft_tokens=6, max_new_tokens=24, temperature=0.3, source="exit")
    first = tokens_of(four_layers, PROMPT, settings)
    assert first == tokens_of(four_layers, PROMPT, settings)
    assert first == tokens_of(four_layers, PROMPT, dataclasses.replace(settings, algorithm="autoregressive"))


def test_the_map_is_the_least_squares_one_of_the_text(four_layers, sources):
    tokens = tokens_of(four_layers, PROMPT, ersd.Settings("ersd", "sequence", draft_tokens=4, max_new_tokens=24, source="exit"))
    (source,) = sources
    assert source.layers == (four_layers.target.model.config.num_hidden_layers // 2, four_layers.target.model.config.num_hidden_layers)
    text = four_layers.encode(PROMPT) + tokens
    with torch.inference_mode():
        states = four_layers.target.model(torch.tensor([text]), output_hidden_states=True).hidden_states
        seen = source.map._solved
        x, y = source.map.norm(states[source.layers[0]][0, :seen]), states[-1][0, :seen]
        expected = torch.linalg.solve(x.T @ x + RIDGE * seen**0.5 * torch.eye(x.shape[1]), x.T @ (y - x))
    assert seen >= 16
    assert (source.map.b - expected).abs().max() < 1e-3


@pytest.mark.parametrize("algorithm", DRAFTING)
def test_joint_distribution(algorithm):
    """The map changes between steps, never within one, so the guesses are drawn from what they are judged by."""
    model = llama(6, seed=3)
    pair = make_pair(model, None, letters(6))
    assert follows_through_the_engine(
        pair, enumerated(pair, prompt="abc"), algorithm, topology_of(algorithm), 5, prompt="abc", source="exit"
    )


def test_a_target_that_is_not_run_layer_by_layer_is_refused_with_the_reason():
    with pytest.raises(
        ValueError, match=r"source must be one of model, ngram, frequent, routed for pair, which runs through transformers, got .exit."
    ):
        ersd.generate(tiny_pair(8), "abc", ersd.Settings(source="exit"))
