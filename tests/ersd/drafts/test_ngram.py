"""The source `ngram`: guesses from counts, without a draft model."""

import dataclasses
from itertools import product

import numpy as np
import pytest
import torch

import ersd
from ersd.draft_tree import ROOT, DraftTree
from ersd.drafts.ngrams import NGrams
from ersd.drafts.sources import MAKERS
from ersd.drafts.topologies import is_allowed
from ersd.load import NGRAMS
from ersd.rules.gsd import RecursiveRejection
from ersd.rules.registry import TRAITS
from ersd.text.ngram_table import NGramTable

from ..rules.test_engine_output import VOCAB, enumerated, follows_through_the_engine
from ..statistical import DRAFTING, tokens_of
from ..test_decoding import PROMPTS
from ..tiny import tiny_pair

TEXT = "abcabdabcab"
"""Something to count: nothing is known after a text of one token."""


def table_of(vocab_size: int) -> NGramTable:
    """Counts of a made-up text, of 1 and 2 tokens; some pairs are left out."""
    pairs = np.arange(0, vocab_size**2, 3)
    return NGramTable(vocab_size, (np.arange(vocab_size), pairs), (np.full(vocab_size, 2.0 * vocab_size), 1.0 + pairs % 2))


def without_draft(pair: ersd.ModelPair, has_table: bool = False) -> ersd.ModelPair:
    """The pair's target alone."""
    return dataclasses.replace(pair, draft=None, hazards={}, ngrams=table_of(pair.vocab_size) if has_table else None)


def topology_of(algorithm: str) -> str:
    """A tree that the rule allows, with several children where it takes them."""
    return "sequence" if TRAITS[algorithm].most_children == 1 else "specinfer"


def test_the_longest_context_counts_most():
    source = NGrams(5)
    (q,) = source.root([1, 2, 3, 1, 2, 4, 0, 1, 2]).exp()
    # after 1 2: once 3, once 4; before that after 2: the same. Nothing else was ever seen there
    assert q.tolist() == pytest.approx([0, 0, 0, 0.5, 0.5])
    (q,) = source.root([1, 2, 3, 1, 2, 4, 0, 1, 2, 3, 1]).exp()
    assert q.tolist() == pytest.approx([0, 0, 1, 0, 0])
    assert (NGrams(5).root([1, 2, 3]) == -torch.inf).all()  # 3 is new
    tree = DraftTree()
    tree.add(tree.add(ROOT, 1), 2)
    source = NGrams(5)
    source.root([1, 2, 3, 1, 2, 4, 0])
    assert source.after(tree, [0, 1]).exp().tolist() == [pytest.approx([0, 0, 1, 0, 0]), pytest.approx([0, 0, 0, 0.5, 0.5])]


def test_what_a_table_leaves_out_is_given_to_the_shorter_context():
    table = NGramTable(3, (np.array([0, 1, 2]), np.array([1, 5])), (np.array([8.0, 4, 4]), np.array([5.0, 4])))
    unigram = np.array([0.5, 0.25, 0.25])
    # after 0, seen 8 times: 1 five times, the other three are not in the table
    assert table.distribution([0]) == pytest.approx(unigram * 4 / 9 + np.array([0, 5 / 9, 0]))
    assert table.distribution([2]) == pytest.approx(unigram)
    assert table.distribution([]) == pytest.approx(unigram)


def test_the_embedded_table_is_read_as_it_was_counted(tmp_path):
    table = NGramTable.read(NGRAMS)
    assert [len(keys) for keys in table.keys] == [3_812, 102_571, 84_041, 28_653]
    table.write(tmp_path / "again.npz")
    again = NGramTable.read(tmp_path / "again.npz")
    assert all((one == other).all() for one, other in zip((*table.keys, *table.counts), (*again.keys, *again.counts), strict=True))
    for text in ([], [0], [5, 17, 300], [4095, 4095]):
        assert table.distribution(text).sum() == pytest.approx(1)
    assert NGRAMS.stat().st_size < 1e6


@pytest.mark.parametrize(("algorithm", "topology"), [each for each in product(("ersd", "greedy"), ersd.TOPOLOGIES) if is_allowed(*each)])
def test_the_text_is_still_the_targets_own(algorithm, topology):
    tiny, accepted = tiny_pair(8), 0
    for seed in range(4):
        settings = ersd.Settings(algorithm, topology, draft_tokens=8, seed=seed, max_new_tokens=40, temperature=0.6, source="ngram")
        plain = {"ersd": "autoregressive", "greedy": "greedy"}[algorithm]
        steps = list(ersd.generate(without_draft(tiny, has_table=seed % 2 > 0), "abc", settings, record=False))
        expected = tokens_of(tiny, "abc", dataclasses.replace(settings, algorithm=plain, topology="sequence", source="model"))
        assert [token for step in steps for token in step] == expected
        accepted += len(expected) - len(steps)
    assert accepted


@pytest.mark.parametrize("algorithm", DRAFTING)
def test_joint_distribution(algorithm):
    """Every second rule without a table: then some nodes have no guess."""
    tiny, has_table = tiny_pair(6), DRAFTING.index(algorithm) % 2 > 0
    pair = without_draft(tiny, has_table)
    assert follows_through_the_engine(
        pair, enumerated(tiny, prompt=TEXT), algorithm, topology_of(algorithm), 5, prompt=TEXT, source="ngram"
    )


def test_a_guess_that_is_taken_back_once_it_is_drawn_is_caught(monkeypatch):
    """Whether there is a guess must follow from the path alone: here it is taken back if the token drawn has a large id."""
    tiny = tiny_pair(6)
    draft = RecursiveRejection.draft

    def taken_back(self, q, k, noise, slots):
        drawn = draft(self, q, k, noise, slots)
        return drawn.masked_fill(drawn >= VOCAB // 2, -1)

    monkeypatch.setattr(RecursiveRejection, "draft", taken_back)
    pair = without_draft(tiny, has_table=True)
    assert not follows_through_the_engine(pair, enumerated(tiny, prompt=TEXT), "gsd", "sequence", 5, prompt=TEXT, source="ngram")


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
def test_where_there_is_no_guess_nothing_is_drafted_and_the_record_is_whole(pair, topology):
    sparse = without_draft(pair)
    trace = ersd.run(sparse, PROMPTS[2], ersd.Settings("ersd", topology, max_new_tokens=48, source="ngram"))
    assert ersd.Trace.from_json(trace.to_json()) == trace
    empty = [step for step in trace.steps if not step.tokens]
    assert empty
    assert any(step.tokens for step in trace.steps)
    assert all(len(step.emitted) == 1 for step in empty)


def test_a_record_of_a_run_without_a_draft_model_is_whole(pair):
    trace = ersd.run(without_draft(pair), PROMPTS[2], ersd.Settings("gsd_wor", "specinfer", max_new_tokens=48, source="ngram"))
    assert ersd.Trace.from_json(trace.to_json()) == trace
    assert trace.stats["accepted"] > 0
    assert all(0 < q <= 1 for step in trace.steps for q in step.draft_probs)


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        (lambda logits: logits * torch.nan, "logits that are not numbers"),
        (lambda logits: logits[:, :5], "a logit for each of 8 tokens, got 5"),
    ],
)
def test_a_source_whose_logits_cannot_be_used_is_an_error_in_words(monkeypatch, topology, spoilt, message):
    make = MAKERS["ngram"]

    def spoilt_source(pair, settings):
        source = make(pair, settings)
        root = source.root
        source.root = lambda sequence: spoilt(root(sequence))
        return source

    monkeypatch.setitem(MAKERS, "ngram", spoilt_source)
    with pytest.raises(ValueError, match=f"step 1: the draft .*{message}"):
        ersd.run(without_draft(tiny_pair(8)), "abc", ersd.Settings("ersd", topology, source="ngram"))


def test_a_pair_without_a_draft_model_names_the_sources_that_are_left(pair):
    no_draft = dataclasses.replace(pair, draft=None)
    with pytest.raises(
        ValueError,
        match=r"must be one of ngram, exit, foreign, routed for embedded.*, which has a draft with another tokenizer.*got .model.",
    ):
        ersd.generate(no_draft, "Once", ersd.Settings("gsd", "batch"))
    plain = ersd.Settings("autoregressive", max_new_tokens=12)
    assert tokens_of(no_draft, "Once", plain) == tokens_of(pair, "Once", plain)
