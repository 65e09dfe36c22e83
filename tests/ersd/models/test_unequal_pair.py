"""A draft that knows fewer tokens than its target, or takes a shorter text: the target's text stays its own."""

from __future__ import annotations

import pytest
import torch

import ersd
from ersd.models.pair import make_pair
from ersd.settings import METHODS

from ..tiny import letters, llama

RULES = sorted({parts for parts in METHODS.values() if parts[0] != "lossy"})


def settings(algorithm: str, topology: str, **more) -> ersd.Settings:
    return ersd.Settings(**{"algorithm": algorithm, "topology": topology, "draft_tokens": 4, "max_new_tokens": 20, **more})


def narrow_pair():
    """The draft knows 8 of the target's 12 tokens; token 11 ends the text."""
    target = llama(16, seed=1)
    target.generation_config.eos_token_id = 11
    return make_pair(target, llama(8, seed=2), letters(12), letters(8))


def test_a_draft_whose_tokenizer_ends_before_its_logits_knows_the_tokens_of_its_tokenizer():
    pair = make_pair(llama(16, seed=1), llama(16, seed=2), letters(12), letters(8))
    assert (pair.vocab_size, pair.draft_vocab_size) == (12, 8)


def test_the_target_writes_every_token_of_its_own_beside_a_narrow_draft():
    pair = narrow_pair()
    assert (pair.vocab_size, pair.draft_vocab_size) == (12, 8)
    assert pair.notices == ("draft: knows 8 of the target's 12 tokens, and never drafts the others",)
    alone = make_pair(pair.target.model, None, letters(12))
    for seed in range(6):
        own = ersd.run(alone, "abl", settings("autoregressive", "sequence", seed=seed))
        for topology in ("tau_star", "dynamic", "sequence"):
            trace = ersd.run(pair, "abl", settings("ersd", topology, seed=seed))
            assert (trace.token_ids, trace.stopped) == (own.token_ids, own.stopped)
            assert max(token for step in trace.steps for token in step.tokens) < 8


@pytest.mark.parametrize(("algorithm", "topology"), RULES)
def test_every_rule_reaches_the_tokens_that_only_the_target_knows(algorithm, topology):
    pair = narrow_pair()
    wanted = {9, 10, 11, "end of text"}  # 8 is rare in this text
    for seed in range(25 if algorithm != "greedy" else 1):  # greedy writes one text only
        trace = ersd.run(pair, "abc", settings(algorithm, topology, seed=seed, temperature=2.0))
        wanted -= {*trace.token_ids, trace.stopped}
        if not wanted:
            break
    assert not wanted or algorithm == "greedy"


@pytest.mark.parametrize(("algorithm", "topology"), RULES)
def test_beyond_the_drafts_context_the_target_goes_on_alone(algorithm, topology):
    target = llama(8, seed=1, max_position_embeddings=40)
    pair = make_pair(target, llama(8, seed=2, max_position_embeddings=16), letters(8))
    trace = ersd.run(pair, "abc", settings(algorithm, topology, max_new_tokens=60))
    assert trace.stopped == "end of context"
    assert len(trace.token_ids) == 37
    drafted = [step.position for step in trace.steps if step.tokens]
    assert not drafted or max(drafted) < 16
    assert all(step.position + max(step.depths, default=0) <= 16 for step in trace.steps if step.tokens)
    # a prompt that is longer than the draft's context
    assert len(ersd.run(pair, "abcdefgh" * 3, settings(algorithm, topology)).token_ids) == 16


def test_the_text_over_the_end_of_the_drafts_context_is_the_targets():
    target = llama(8, seed=1, max_position_embeddings=40)
    pair = make_pair(target, llama(8, seed=2, max_position_embeddings=16), letters(8))
    own = ersd.run(make_pair(target, None, letters(8)), "abc", settings("autoregressive", "sequence", max_new_tokens=60))
    for topology in ("tau_star", "dynamic", "sequence"):
        assert ersd.run(pair, "abc", settings("ersd", topology, max_new_tokens=60)).token_ids == own.token_ids


def test_what_the_target_asks_of_generate_is_listed():
    target = llama(8, seed=1)
    target.generation_config.update(repetition_penalty=1.3, suppress_tokens=[3], min_p=0.1, no_repeat_ngram_size=0, bad_words_ids=[])
    pair = make_pair(target, llama(8, seed=2), letters(8))
    assert pair.left_out == ("repetition_penalty", "suppress_tokens")
    assert pair.notices == ("target: not applied of its generation_config: repetition_penalty, suppress_tokens",)
    target.generation_config.do_sample = True
    assert make_pair(target, None, letters(8)).left_out == ("repetition_penalty", "suppress_tokens", "min_p")
    assert make_pair(llama(8), None, letters(8)).left_out == ()


NOT_NUMBERS = {"NaN": torch.nan, "infinite": torch.inf, "nothing possible": -torch.inf}


@pytest.mark.parametrize("value", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
@pytest.mark.parametrize("role", ["target", "draft"])
@pytest.mark.parametrize("way", [True, False], ids=["by LlamaDecoder", "through transformers"])
def test_logits_that_are_no_numbers_stop_the_run_with_the_place(role, way, value):
    pair = make_pair(llama(8, seed=1), llama(8, seed=2), letters(8), use_llama_decoder=way)
    open_cache = pair.open_target if role == "target" else pair.open_draft

    def poisoned(*layers):
        cache = open_cache(*layers)
        forward = cache._forward
        cache._forward = lambda tokens, before, keep: forward(tokens, before, keep) + (value if cache.committed >= 6 else 0.0)
        return cache

    object.__setattr__(pair, f"open_{role}", poisoned)
    for record in (True, False):
        with pytest.raises(
            ValueError, match=rf"step [2-9]: the {role} gives logits that are not numbers after token \d+ of the text: dtype"
        ):
            list(ersd.generate(pair, "abcd", settings("ersd", "tau_star"), record))


@pytest.mark.parametrize(("algorithm", "topology"), RULES)
def test_every_rule_refuses_a_poisoned_embedding_in_the_same_words(algorithm, topology):
    pair = make_pair(llama(8, seed=1), llama(8, seed=2), letters(8))
    for weight in (pair.target.model.get_input_embeddings().weight, pair.target.decoder.embedding):
        with torch.no_grad():
            weight[2] = torch.nan
    with pytest.raises(ValueError, match="step 1: the target gives logits that are not numbers after token 3 of the text"):
        ersd.run(pair, "abc", settings(algorithm, topology))


def test_a_forward_pass_that_fails_is_an_error_in_words(monkeypatch):
    pair = make_pair(llama(8, seed=1), llama(8, seed=2), letters(8), use_llama_decoder=False)

    def full(*_, **__):
        raise torch.OutOfMemoryError("CUDA out of memory.")

    monkeypatch.setattr(pair.target.model, "forward", full)
    with pytest.raises(ValueError, match="step 1: the target failed after 0 tokens of the text: CUDA out of memory"):
        ersd.run(pair, "abc", settings("ersd", "tau_star"))
