"""The engine as a whole: one text whatever is drafted, one target call per step, and texts that end where they should."""

import dataclasses
import gc
import itertools
import types
import weakref
from collections import Counter

import pytest
import torch

import ersd
from ersd import decoding
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.shapes import shape_of
from ersd.drafts.topologies import is_allowed
from ersd.models.cuda_graphs import StaticCache, StaticMemory
from ersd.models.llama import LlamaDecoder
from ersd.models.pair import make_pair
from ersd.models.tree_cache import DecoderCache
from ersd.sampling import probabilities

from .statistical import tokens_of
from .tiny import gemma3, gpt2, letters, llama, qwen3, tiny_pair

PROMPTS = [
    "Once upon a time there was a little girl named", "The dog ran", "One day, Tom and", "Mia had a red ball.", "It was", "Lily saw a big",
    "In the park,", "Ben was sad because", "\"Look!\" said", "When it rained,",
]  # fmt: skip


CUDA = torch.device("cuda")


def settings(algorithm="ersd", topology="tau_star", k=4, **more):
    return ersd.Settings(algorithm=algorithm, topology=topology, draft_tokens=k, **{"max_new_tokens": 64, **more})


SHAPES = [
    *(settings(topology=name, k=k) for k in (4, 16) for name in ersd.TOPOLOGIES if name != "specinfer"),
    *(settings(topology="specinfer", branching=branching) for branching in ((1,), (2, 1), (4, 2, 1, 1))),
]
"""Every topology at k = 4 and 16, and a single node, with which all are the same tree."""


def test_one_drafted_token_is_the_same_tree_by_every_name():
    static = [name for name in ersd.TOPOLOGIES if name not in ("specinfer", "dynamic", "poisson")]
    trees = [shape_of(settings(topology=name, k=1), RankDistribution()) for name in static]
    assert {(tree.parents, tree.ranks) for tree in trees} == {((-1,), (1,))}


# --- one text -------------------------------------------------------------------------------------------------------------------------


def test_ersd_writes_the_autoregressive_text_whatever_is_drafted(pair):
    """10 prompts x 32 tokens, two of the trees each, so every tree: drafter invariance on the embedded pair, exactly."""
    in_turns = itertools.cycle(SHAPES)
    for seed, prompt in enumerate(PROMPTS):
        common = {"seed": seed, "max_new_tokens": 32}
        expected = tokens_of(pair, prompt, settings("autoregressive", **common))
        for shape in itertools.islice(in_turns, 2):
            assert tokens_of(pair, prompt, dataclasses.replace(shape, **common)) == expected, (prompt, shape)


def test_ersd_does_not_depend_on_the_draft_model():
    target = llama(26, seed=1)
    pairs = [make_pair(target, draft, letters(26)) for draft in (llama(26, layers=1, seed=2), gpt2(26), target)]
    assert len({tuple(tokens_of(pair, "abcd", settings(k=8, seed=4))) for pair in pairs}) == 1


@pytest.mark.parametrize(
    "sampling", [{"temperature": 0.7, "top_k": 5}, {"temperature": 1.3, "top_k": 20, "top_p": 0.9}, {"temperature": 0}]
)
def test_ersd_invariance_holds_under_every_sampling_setting(pair, sampling):
    common = {"k": 8, "seed": 9, "max_new_tokens": 24, **sampling}
    expected = tokens_of(pair, PROMPTS[0], settings("autoregressive", **common))
    for topology in ersd.TOPOLOGIES:
        assert tokens_of(pair, PROMPTS[0], settings(topology=topology, **common)) == expected


def test_another_seed_writes_another_text(pair):
    assert tokens_of(pair, PROMPTS[0], settings(seed=1)) != tokens_of(pair, PROMPTS[0], settings(seed=1 + 2**32))


def test_greedy_equals_the_targets_own_generate(pair):
    """By transformers, for two prompts."""
    for prompt in PROMPTS[:2]:
        ids = torch.tensor([pair.encode(prompt)])
        whole = pair.target.model.generate(ids, do_sample=False, max_new_tokens=24, attention_mask=torch.ones_like(ids))
        for topology in (name for name in ersd.TOPOLOGIES if is_allowed("greedy", name)):
            chosen = settings("greedy", topology, k=6, max_new_tokens=24, temperature=3.0, top_k=2)
            assert tokens_of(pair, prompt, chosen) == whole[0, ids.shape[1] :].tolist()


@pytest.mark.parametrize("family", [qwen3, gpt2, gemma3])
def test_every_family_generates_and_stays_invariant(family):
    pair = make_pair(family(64, seed=1), family(64, seed=2), letters(26))
    expected = tokens_of(pair, "hello", settings("autoregressive", max_new_tokens=30))
    assert tokens_of(pair, "hello", settings(k=8, max_new_tokens=30)) == expected


def test_the_llama_decoder_and_transformers_give_one_text(pair):
    slow = make_pair(pair.target.model, pair.draft.model, pair.tokenizer, use_llama_decoder=False)
    assert type(slow.open_target()) is not type(pair.open_target())
    for algorithm, topology in (("autoregressive", "sequence"), ("ersd", "tau_star"), ("kseq", "multi_sequence")):
        chosen = settings(algorithm, topology, k=8, seed=5, max_new_tokens=32)
        assert tokens_of(slow, PROMPTS[1], chosen) == tokens_of(pair, PROMPTS[1], chosen)


def test_calls_of_few_sizes_give_the_same_texts_and_their_memory_serves_again(pair, monkeypatch):
    """The way a GPU runs, on the CPU: padded, and grown from 16 entries."""
    ways = [settings(*way, k=8, seed=6, max_new_tokens=40) for way in (("ersd", "dynamic"), ("gsd", "specinfer"))]
    texts = [tokens_of(pair, PROMPTS[2], way) for way in ways]
    monkeypatch.setattr("ersd.models.target.open_cache", lambda decoder, layers: StaticCache(decoder))
    monkeypatch.setattr("ersd.models.cuda_graphs.FIRST_ENTRIES", 16)
    made, init = [], StaticMemory.__init__
    monkeypatch.setattr(StaticMemory, "__init__", lambda self, *given: (init(self, *given), made.append(self.room))[0])

    def anew(loaded):
        return dataclasses.replace(loaded, decoder=LlamaDecoder(loaded.model))

    fresh = dataclasses.replace(pair, target=anew(pair.target), draft=anew(pair.draft))
    assert [tokens_of(fresh, PROMPTS[2], way) for way in ways] == texts
    assert {made.count(room) for room in (16, 32, 64)} == {2}  # of the target and of the draft, for both texts


def test_cuda_runs_the_same_code():
    if not torch.cuda.is_available():
        pytest.skip("this machine has no CUDA GPU")
    gpu = ersd.load_pair(device="cuda", dtype="float32")
    assert tokens_of(gpu, PROMPTS[0], settings(k=16)) == tokens_of(gpu, PROMPTS[0], settings("autoregressive"))


# --- steps ----------------------------------------------------------------------------------------------------------------------------


def ranks_of(pair, prompt, tokens, seed):
    """Ranks of the text's tokens in the draft's order of arrival, from one plain forward of the draft over the whole text."""
    ids = pair.encode(prompt)
    with torch.inference_mode():
        q = probabilities(pair.draft.model(torch.tensor([ids + tokens])).logits[0, len(ids) - 1 : -1, : pair.vocab_size])
    times = ersd.randomness.clocks(seed, torch.arange(len(ids), len(ids) + len(tokens)), pair.vocab_size) / q
    own = times.gather(-1, torch.tensor(tokens).unsqueeze(-1))
    return ((times < own).sum(-1) + 1).tolist()


def test_the_ranks_of_one_text_predict_the_steps_of_every_tree(pair):
    """Start at the root, go on while the path of ranks is a node of the tree, then one token more, start again: exactly."""
    common = {"seed": 3, "max_new_tokens": 40}
    text = tokens_of(pair, PROMPTS[0], settings("autoregressive", **common))
    ranks = ranks_of(pair, PROMPTS[0], text, 3)
    for topology in ersd.TOPOLOGIES:
        at = 0
        for step in ersd.generate(pair, PROMPTS[0], settings(topology=topology, k=8, **common)):
            nodes = {(parent, rank): node for node, (parent, rank) in enumerate(zip(step.parents, step.ranks, strict=True))}
            node, accepted = -1, 0
            while (node, ranks[at + accepted]) in nodes:
                node = nodes[node, ranks[at + accepted]]
                accepted += 1
            assert step.accepted == accepted
            tried = [visit.rank for visit in step.walk if visit.tries]
            assert tried == ranks[at : at + len(tried)]
            at += accepted + 1
        assert at == len(text)


def test_statistics_and_tree_of_a_step_are_consistent(pair):
    trace = ersd.run(pair, PROMPTS[0], settings(k=16, seed=2))
    assert trace.token_ids == [one.token for step in trace.steps for one in step.emitted]
    assert trace.text == "".join(one.text for step in trace.steps for one in step.emitted)
    assert trace.stats["tokens"] == 64 == len(trace.token_ids)
    assert trace.stats["tokens_per_call"] == 64 / len(trace.steps)
    position = len(pair.encode(PROMPTS[0]))
    for index, step in enumerate(trace.steps):
        assert (step.index, step.position) == (index, position)
        position += len(step.emitted)
        size = len(step.tokens)
        assert size == len(step.parents) == len(step.depths) == len(step.draft_probs) == len(step.ranks) == len(step.texts) <= 16
        for node, parent in enumerate(step.parents):
            assert -1 <= parent < node
            assert step.depths[node] == (1 if parent < 0 else step.depths[parent] + 1)
        assert [one.source for one in step.emitted] == ["draft"] * step.accepted + ["target"]
        assert [visit.token for visit in step.walk] == [one.token for one in step.emitted]
        for visit in step.walk:
            assert len(visit.rows) <= 20
            assert min(visit.rows, key=lambda row: row.target_time or float("inf")).token == visit.token
    assert all(len(step.tokens) == 16 for step in trace.steps[:-2])


def test_one_target_call_a_step_and_one_draft_call_a_level(pair, monkeypatch):
    calls, kind = Counter(), type(pair.open_target())
    real = kind.extend
    monkeypatch.setattr(kind, "extend", lambda self, *given, **more: (calls.update([self]), real(self, *given, **more))[1])
    trace = ersd.run(pair, PROMPTS[0], settings(k=8))
    # one call more of each reads the prompt; the deepest level is not forwarded, and the root takes the first call
    levels = sum(max(step.depths, default=0) for step in trace.steps)
    assert sorted(calls.values()) == sorted([1 + len(trace.steps), 1 + levels])


@pytest.mark.parametrize("way", [("autoregressive", "sequence"), ("ersd", "dynamic"), ("gsd", "specinfer"), ("block", "sequence")])
def test_unrecorded_runs_give_the_same_tokens_step_by_step(pair, way):
    chosen = settings(*way, k=8, seed=3, max_new_tokens=40)
    recorded = [[one.token for one in step.emitted] for step in ersd.generate(pair, PROMPTS[0], chosen)]
    assert list(ersd.generate(pair, PROMPTS[0], chosen, record=False)) == recorded


@pytest.mark.parametrize("record", [True, False])
def test_closing_the_generator_frees_the_caches(record, pair, monkeypatch):
    made, kind = [], type(pair.open_target())
    init = kind.__init__
    monkeypatch.setattr(kind, "__init__", lambda self, *given: (init(self, *given), made.append(weakref.ref(self)))[0])
    steps = ersd.generate(pair, PROMPTS[0], settings(), record=record)
    next(steps)
    assert [ref() is not None for ref in made] == [True, True]
    steps.close()
    gc.collect()
    assert [ref() for ref in made] == [None, None]


def test_repeated_draws_are_scored_once_and_tried_as_often_as_drawn():
    trace = ersd.run(tiny_pair(4), "abc", settings("gsd", "batch", k=16, max_new_tokens=30))
    for step in trace.steps[:-1]:
        assert len(set(step.tokens)) == len(step.tokens) <= 4
    assert any(len(visit.tries) > len({one.vertex for one in visit.tries}) for step in trace.steps for visit in step.walk)


@pytest.mark.parametrize("record", [True, False])
def test_a_gpu_is_waited_for_only_where_the_times_are_kept(record, monkeypatch):
    waits, timed = [], []
    monkeypatch.setattr(torch.cuda, "current_stream", lambda _: types.SimpleNamespace(synchronize=lambda: waits.append(record)))
    monkeypatch.setattr(decoding, "_now", lambda _, is_timed, now=decoding._now: (timed.append(is_timed), now(CUDA, is_timed))[1])
    list(ersd.generate(tiny_pair(), "abc", settings(max_new_tokens=3), record))
    assert set(timed) == {record}
    assert len(waits) == (len(timed) if record else 0)


@pytest.mark.parametrize("topology", ["tau_star", "dynamic"])
def test_logits_are_checked_once_a_call(topology, monkeypatch):
    calls, checks, tiny = [], [], tiny_pair()
    extend, isfinite = DecoderCache.extend, torch.Tensor.isfinite
    monkeypatch.setattr(DecoderCache, "extend", lambda *given, **more: (calls.append(1), extend(*given, **more))[1])
    monkeypatch.setattr(torch.Tensor, "isfinite", lambda logits: (checks.append(1), isfinite(logits))[1])
    list(ersd.generate(tiny, "abc", settings(topology=topology, max_new_tokens=12), record=False))
    assert len(checks) == len(calls) > 0


# --- ends -----------------------------------------------------------------------------------------------------------------------------


def test_the_last_step_never_drafts_past_the_end(pair):
    trace = ersd.run(pair, PROMPTS[0], settings(topology="sequence", k=8, max_new_tokens=3))
    assert len(trace.token_ids) == 3
    assert len(trace.steps[0].tokens) == 2
    assert trace.stopped == "max_new_tokens"


def test_generation_stops_at_the_end_of_the_context():
    pair = make_pair(llama(8, seed=1, max_position_embeddings=24), llama(8, layers=1, seed=2), letters(8))
    for algorithm in ersd.ALGORITHMS:
        topology = "tau_star" if is_allowed(algorithm, "tau_star") else "sequence"
        trace = ersd.run(pair, "abcd", settings(algorithm, topology, k=6, max_new_tokens=100))
        assert len(trace.token_ids) == 20
        assert trace.stopped == "end of context"


def test_a_run_that_could_have_gone_on_was_interrupted():
    """Whatever its whole would have ended by."""
    tiny, ends = tiny_pair(), ["max_new_tokens", "end of context"]
    for most, end in zip((20, 100), ends, strict=True):
        chosen = settings(max_new_tokens=most)
        whole = ersd.run(tiny, "abc", chosen)
        assert whole.stopped == end
        stopped = {decoding.trace_of(tiny, "abc", chosen, whole.steps[:count]).stopped for count in range(len(whole.steps))}
        assert stopped == {"interrupted"}


def test_generation_stops_at_any_of_several_ends_of_text():
    pair = tiny_pair()
    free = tokens_of(pair, "abc", settings("autoregressive", max_new_tokens=40, seed=5))
    ends = {free[12], free[20]}
    first = min(free.index(end) for end in ends)
    stopping = dataclasses.replace(pair, target=dataclasses.replace(pair.target, eos_ids=frozenset(ends)))
    for algorithm, topology in (("autoregressive", "batch"), ("ersd", "sequence"), ("ersd", "tau_star"), ("ersd", "batch")):
        trace = ersd.run(stopping, "abc", settings(algorithm, topology, max_new_tokens=40, seed=5))
        assert trace.token_ids == free[: first + 1]
        assert trace.stopped == "end of text"


def test_end_of_text_ids_are_gathered_from_everywhere():
    model = llama(8)
    model.generation_config.eos_token_id = [2, 5]
    model.config.eos_token_id = 3
    assert make_pair(model, llama(8), letters(8)).eos_ids == {2, 3, 5}
