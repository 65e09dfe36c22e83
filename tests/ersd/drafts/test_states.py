"""A source may ask for the target's hidden states of the text: it gets those of transformers, and without it nothing is computed."""

from __future__ import annotations

import dataclasses
import functools

import pytest
import torch

import ersd
from ersd.drafts.source import ModelSource
from ersd.drafts.sources import MAKERS
from ersd.models.pair import make_pair
from ersd.settings import SOURCES

from ..statistical import tokens_of
from ..tiny import gpt2, letters, llama, qwen3

PROMPT = "abcdefghabcdefgh"
FAMILIES = {
    "llama by LlamaDecoder": (llama, True),
    "qwen3 by LlamaDecoder": (qwen3, True),
    "llama through transformers": (llama, False),
    "gpt2 through transformers": (gpt2, True),
}


class Watching(ModelSource):
    """The draft model, which also keeps what it is given of the target."""

    layers = (2, 0, 1)

    def __init__(self, pair: ersd.ModelPair) -> None:
        super().__init__(pair.open_draft(), pair.draft_vocab_size, pair.vocab_size)
        self.seen: list[torch.Tensor] = []

    def observe(self, states: torch.Tensor) -> None:
        self.seen.append(states)


@pytest.fixture
def watching(monkeypatch) -> list[Watching]:
    """The sources that were made, one for every run with the source "watching"."""
    made: list[Watching] = []
    monkeypatch.setitem(SOURCES, "watching", "the draft model, and what it sees of the target")
    monkeypatch.setitem(MAKERS, "watching", lambda pair, settings: (made.append(Watching(pair)), made[-1])[1])
    monkeypatch.setattr("ersd.models.tree_cache.PREFILL_CHUNK", 7)
    return made


def pair_of(way: str) -> ersd.ModelPair:
    family, use_llama_decoder = FAMILIES[way]
    draft = family(64, seed=1)
    generator = torch.Generator().manual_seed(1)
    for parameter in draft.parameters():  # like the target, so that it is often right
        parameter.data += 0.03 * torch.randn(parameter.shape, generator=generator)
    found = make_pair(family(64, seed=1), draft, letters(26), use_llama_decoder=use_llama_decoder)
    assert (found.target.decoder is not None) == way.endswith("LlamaDecoder")
    return found


@pytest.mark.parametrize(("algorithm", "topology"), [("ersd", "tau_star"), ("ersd", "dynamic"), ("gsd", "multi_sequence")])
@pytest.mark.parametrize("way", FAMILIES)
def test_a_source_that_asks_sees_the_hidden_states_of_transformers(way, algorithm, topology, watching):
    pair = pair_of(way)
    settings = ersd.Settings(algorithm, topology, draft_tokens=6, sequences=2, max_new_tokens=24, temperature=0.3, source="watching")
    steps = list(ersd.generate(pair, PROMPT, settings, record=False))
    tokens = [token for step in steps for token in step]
    assert tokens == tokens_of(pair, PROMPT, dataclasses.replace(settings, source="model"))
    assert any(len(step) > 1 for step in steps)
    (source,) = watching
    text = pair.encode(PROMPT) + tokens
    with torch.inference_mode():
        whole = pair.target.model(torch.tensor([text]), output_hidden_states=True).hidden_states
    found = torch.cat(source.seen, 1)
    assert [states.shape[1] for states in source.seen] == [len(PROMPT) - 1 + len(steps[0]), *map(len, steps[1:])]
    for number, layer in enumerate(source.layers):
        expected = whole[layer][0, :-1]  # the last token was read by nobody
        assert (found[number] - expected).abs().max() < 1e-4
        assert (found[number] - whole[layer - 1][0, :-1]).abs().max() > 1e-1


@pytest.mark.parametrize("way", FAMILIES)
def test_nothing_is_computed_for_a_source_that_does_not_ask(way, watching, monkeypatch):
    pair = pair_of(way)
    asked, kept = [], []
    forward, extend = pair.target.model.forward, type(pair.open_target()).extend

    def watched(self, *given, **more):
        found = extend(self, *given, **more)
        kept.append(len(self._open_states) + len(self._committed_states))
        return found

    if pair.target.decoder:
        decoder, real = pair.target.decoder, pair.target.decoder.forward
        monkeypatch.setattr(decoder, "forward", lambda *given: (asked.append(given[-1]), real(*given))[1])
    else:
        recorded = functools.wraps(forward)(lambda **more: (asked.append(more.get("output_hidden_states")), forward(**more))[1])
        monkeypatch.setattr(pair.target.model, "forward", recorded)
    monkeypatch.setattr(type(pair.open_target()), "extend", watched)
    settings = ersd.Settings(draft_tokens=4, max_new_tokens=12)
    tokens = tokens_of(pair, PROMPT, settings)
    assert set(asked) == {None}
    assert set(kept) == {0}
    asked.clear()
    assert tokens_of(pair, PROMPT, ersd.Settings(draft_tokens=4, max_new_tokens=12, source="watching")) == tokens
    assert None not in asked
    assert max(kept) > 0


def test_layers_that_the_target_does_not_have_are_refused(watching, monkeypatch):
    monkeypatch.setattr(Watching, "layers", (1, 3))
    with pytest.raises(ValueError, match="layers must be from 0 to 2 for target, got 3"):
        tokens_of(pair_of("llama by LlamaDecoder"), PROMPT, ersd.Settings(source="watching"))
