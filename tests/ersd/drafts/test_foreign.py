"""The source `foreign`: a draft with another tokenizer, of which the shared strings remain."""

import dataclasses

import pytest
import torch

import ersd
from ersd.drafts.foreign import REREAD, Foreign
from ersd.drafts.sources import sources_of
from ersd.load import EMBEDDED, FOREIGN
from ersd.models import foreign
from ersd.models.checkpoint import has_other_tokens
from ersd.models.pair import make_pair, with_foreign_draft
from ersd.models.selfcheck import PairError
from ersd.rules.builtin import RULES

from ..rules.test_engine_output import VOCAB, enumerated, follows_through_the_engine
from ..statistical import DRAFTING, tokens_of
from ..tiny import OneLayer, characters, letters, llama, tiny_pair
from .test_ngram import topology_of

THEIRS = {"c": 0, "x": 1, "a": 2, "y": 3, "e": 4, "b": 5, "f": 6}
"""The draft's tokens: it knows no "d", and two letters that the target does not know."""


@pytest.fixture
def tiny(monkeypatch) -> ersd.ModelPair:
    """Six letters and a draft that shares five of them."""
    monkeypatch.setattr(foreign, "MIN_SHARED", 5)
    pair = dataclasses.replace(tiny_pair(VOCAB), draft=None)
    return with_foreign_draft(pair, OneLayer(len(THEIRS), seed=2).eval(), characters(THEIRS), "foreign")


def test_the_guesses_are_the_drafts_own_on_the_shared_strings(tiny):
    draft = tiny.foreign
    assert sorted(zip(draft.target_ids.tolist(), draft.draft_ids.tolist(), strict=True)) == [(0, 2), (1, 5), (2, 0), (4, 4), (5, 6)]
    source = Foreign(draft, tiny.vocab_size)
    with torch.inference_mode():
        q = source.root(tiny.encode("abcab")).softmax(-1)[0]
        own = draft.model.model(torch.tensor([[2, 5, 0, 2, 5]])).logits[0, -1].softmax(-1)
    shared = own[[2, 5, 0, 4, 6]] / own[[2, 5, 0, 4, 6]].sum()
    assert q[3] == 0
    assert q[[0, 1, 2, 4, 5]].tolist() == pytest.approx(shared.tolist(), abs=1e-5)
    assert 0 < draft.lost < 1


@pytest.mark.parametrize("algorithm", DRAFTING)
def test_joint_distribution(tiny, algorithm):
    plain = enumerated(tiny, prompt="abc")
    assert follows_through_the_engine(tiny, plain, algorithm, topology_of(algorithm), 5, prompt="abc", source="foreign")


def test_guesses_judged_by_a_distribution_that_is_not_renormalised_are_caught(tiny, monkeypatch):
    """Without q / q(shared) a guess seems rarer than it is drawn, so it is accepted too often."""
    gsd, plain = RULES["gsd"], enumerated(tiny, prompt="abc")
    verify = gsd.verify
    monkeypatch.setattr(
        gsd, "verify", lambda p, q, children, noise: verify(p, None if q is None else q * 0.5, children, noise), raising=False
    )
    assert not follows_through_the_engine(tiny, plain, "gsd", "sequence", 5, prompt="abc", source="foreign")


def test_the_draft_reads_the_text_as_its_own_tokenizer_splits_it(pair):
    """Only the end of the text is read again; what the cache holds is the beginning of what the tokenizer makes of the whole text."""
    source = Foreign(pair.foreign, pair.vocab_size)
    text = pair.encode("Once upon a time there was a playground")
    with torch.inference_mode():
        for more in (" by the wide river", "side, and", " everybody", " sat.\n", '"Hello!"'):
            text = text + pair.tokenizer(more, add_special_tokens=False)["input_ids"]
            q = source.root(text).softmax(-1)[0]
            ids = pair.foreign.ids_of(text)
            assert source._read + source._unread == ids
            assert ids[0] == pair.foreign.tokenizer.bos_token_id
            own = pair.foreign.model.model(torch.tensor([ids])).logits[0, -1].softmax(-1)[pair.foreign.draft_ids]
            assert (q[pair.foreign.target_ids] - own / own.sum()).abs().max() < 1e-4
            source.commit([])
            assert len(source._read) == len(ids) - REREAD
        source._read[3] += 1  # as if the beginning had been split otherwise before
        again = source.root(text).softmax(-1)[0]
    assert (again - q).abs().max() < 1e-5


def test_beyond_the_drafts_context_there_is_no_guess(monkeypatch):
    monkeypatch.setattr(foreign, "MIN_SHARED", 5)
    pair = dataclasses.replace(tiny_pair(VOCAB), draft=None)
    pair = with_foreign_draft(pair, OneLayer(len(THEIRS), seed=2, context=16).eval(), characters(THEIRS), "foreign")
    for topology in ("tau_star", "dynamic"):
        trace = ersd.run(pair, "abcab", ersd.Settings("ersd", topology, draft_tokens=6, max_new_tokens=30, source="foreign"))
        drafted = [step for step in trace.steps if step.tokens]
        assert drafted
        assert all(step.position + max(step.depths) <= 17 for step in drafted)
        assert len(trace.token_ids) == 30
        assert ersd.Trace.from_json(trace.to_json()) == trace


def test_what_is_lost_is_said_and_the_sources_are_named():
    tokenizers = [characters({chr(33 + i + start): i for i in range(120)} | {"a": 120 + start}) for start in (0, 4)]
    pair = make_pair(llama(125, seed=1), llama(125, seed=2), *tokenizers)
    assert (pair.draft, pair.foreign.model.name, pair.draft_name) == (None, "draft", "draft")
    (notice,) = pair.notices
    assert notice.startswith("draft: it has another tokenizer, and 116 of its 125 strings are tokens of the target too; the others, which")
    assert sources_of(pair) == ["ngram", "exit", "foreign", "routed"]
    with pytest.raises(ValueError, match=r"must be one of ngram, exit, foreign, routed for pair, which has a draft with another tokenizer"):
        ersd.generate(pair, "abc", ersd.Settings())
    settings = ersd.Settings(draft_tokens=4, max_new_tokens=20, source="foreign")
    assert tokens_of(pair, "abc", settings) == tokens_of(pair, "abc", dataclasses.replace(settings, algorithm="autoregressive"))


def test_a_draft_that_shares_too_few_strings_is_refused():
    with pytest.raises(PairError, match="must share at least 100 strings if their tokenizers differ, got 5: 5 of 6 tokens differ"):
        make_pair(llama(6), llama(7), letters(6), characters(THEIRS))
    with pytest.raises(
        ValueError, match="model, ngram, exit, frequent, routed for pair, which has no draft with another tokenizer, got 'foreign'"
    ):
        ersd.generate(make_pair(llama(6), llama(6), letters(6)), "abc", ersd.Settings(source="foreign"))


def test_the_embedded_foreign_draft_is_small_and_known_by_its_files():
    assert sum(file.stat().st_size for file in FOREIGN.iterdir()) < 1e6
    assert has_other_tokens(EMBEDDED / "target", FOREIGN)
    assert not has_other_tokens(EMBEDDED / "target", EMBEDDED / "draft")
    assert not has_other_tokens(EMBEDDED / "target", EMBEDDED / "nowhere")
