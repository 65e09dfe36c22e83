import dataclasses
import gc
import itertools
import weakref

import pytest
import torch

import ersd
from ersd.decoding import SLOW_MS, TOGETHER_MS, Decoded, _recorded
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.topologies import is_allowed, shape_of
from ersd.models.cuda_graphs import StaticCache, StaticMemory
from ersd.models.llama import LlamaCache, LlamaDecoder
from ersd.models.pair import make_pair
from ersd.models.transformers_cache import TransformersCache
from ersd.sampling import probabilities

from .statistical import tokens_of
from .tiny import gemma3, gpt2, letters, llama, qwen3, tiny_pair

PROMPTS = [
    "Once upon a time there was a little girl named", "The dog ran", "One day, Tom and", "Mia had a red ball.", "It was", "Lily saw a big",
    "In the park,", "Ben was sad because", "The cat and the bird", "Mom said", "There once was a king who", "A boy named Sam",
    "Every morning the farmer", "They went to the beach", "\"Look!\" said", "Sara liked to sing", "The old tree", "When it rained,",
    "Max found a box", "Her friend was",
]  # fmt: skip


def settings(algorithm="ersd", topology="tau_star", k=4, **more):
    return ersd.Settings(algorithm=algorithm, topology=topology, draft_tokens=k, **{"max_new_tokens": 64, **more})


def shapes():
    """Every topology at k = 4, 16, and one vertex, with which all are the same tree; specinfer goes by its branching."""
    found = [settings(topology=name, k=k) for k in (4, 16) for name in ersd.TOPOLOGIES if name != "specinfer"]
    return found + [settings(topology="specinfer", branching=branching) for branching in ((1,), (2, 1), (4, 2, 1, 1))]


def test_one_drafted_token_is_the_same_tree_by_every_name():
    trees = [shape_of(settings(topology=name, k=1), RankDistribution()) for name in ersd.TOPOLOGIES if name not in ("specinfer", "dynamic")]
    assert {(tree.parents, tree.ranks) for tree in trees} == {((-1,), (1,))}


def test_ersd_writes_the_autoregressive_text_whatever_is_drafted(pair):
    """20 prompts x 64 tokens, k = 1, 4, 16: drafter invariance on the embedded pair, exactly. Every text with four trees, in turns: each
    tree with six texts or more."""
    in_turns = itertools.cycle(shapes())
    for seed, prompt in enumerate(PROMPTS):
        expected = tokens_of(pair, prompt, settings("autoregressive", seed=seed))
        for shape in itertools.islice(in_turns, 4):
            assert tokens_of(pair, prompt, dataclasses.replace(shape, seed=seed)) == expected, (prompt, shape)


def test_ersd_does_not_depend_on_the_draft_model():
    target = llama(26, seed=1)
    texts = set()
    for draft in (llama(26, layers=1, seed=2), gpt2(26), target):
        pair = make_pair(target, draft, letters(26))
        texts.add(tuple(ersd.run(pair, "abcd", settings(k=8, seed=4)).token_ids))
    assert len(texts) == 1


@pytest.mark.parametrize("kind", [TransformersCache, LlamaCache])
def test_a_stale_cache_entry_is_caught_by_the_invariance(kind, monkeypatch):
    """Keep the first open entries instead of the accepted path's: the next calls read keys of a rejected branch."""
    if kind is TransformersCache:
        monkeypatch.setattr("ersd.models.llama.FAMILY", ())
    pair = make_pair(llama(26, seed=1), llama(26, seed=2), letters(26))
    expected = ersd.run(pair, "abcd", settings("autoregressive", seed=4)).token_ids
    assert ersd.run(pair, "abcd", settings(topology="batch", k=8, seed=4)).token_ids == expected
    commit = kind.commit
    monkeypatch.setattr(kind, "commit", lambda self, entries: commit(self, range(len(entries))))
    assert ersd.run(pair, "abcd", settings(topology="batch", k=8, seed=4)).token_ids != expected


@pytest.mark.parametrize(
    "sampling", [{"temperature": 0.7}, {"top_k": 5}, {"top_p": 0.8}, {"temperature": 1.3, "top_k": 20, "top_p": 0.9}, {"temperature": 0}]
)
def test_ersd_invariance_holds_under_every_sampling_setting(pair, sampling):
    expected = tokens_of(pair, PROMPTS[0], settings("autoregressive", seed=9, **sampling))
    for topology in ersd.TOPOLOGIES:
        assert tokens_of(pair, PROMPTS[0], settings(topology=topology, k=8, seed=9, **sampling)) == expected


def test_another_seed_writes_another_text(pair):
    assert ersd.run(pair, PROMPTS[0], settings(seed=1)).token_ids != ersd.run(pair, PROMPTS[0], settings(seed=1 + 2**32)).token_ids


@pytest.fixture(scope="module")
def greedy_texts(pair):
    """The target's own greedy continuations, by transformers."""
    found = {}
    for prompt in PROMPTS[:5]:
        ids = torch.tensor([pair.encode(prompt)])
        whole = pair.target.generate(ids, do_sample=False, max_new_tokens=48, attention_mask=torch.ones_like(ids))
        found[prompt] = whole[0, ids.shape[1] :].tolist()
    return found


@pytest.mark.parametrize("topology", ersd.TOPOLOGIES)
def test_greedy_equals_the_targets_own_generate(pair, greedy_texts, topology):
    for prompt, expected in greedy_texts.items():
        assert tokens_of(pair, prompt, settings("greedy", topology, k=6, max_new_tokens=48, temperature=3.0, top_k=2)) == expected


@pytest.mark.parametrize("family", [qwen3, gpt2, gemma3])
def test_every_family_generates_and_stays_invariant(family):
    pair = make_pair(family(64, seed=1), family(64, seed=2), letters(26))
    expected = ersd.run(pair, "hello", settings("autoregressive", max_new_tokens=30)).token_ids
    assert ersd.run(pair, "hello", settings(k=8, max_new_tokens=30)).token_ids == expected


def ranks_of(pair, prompt, tokens, seed):
    """RankRecorder of the text's tokens in the draft's order of arrival, from one plain forward of the draft over the whole text."""
    ids = pair.encode(prompt)
    with torch.inference_mode():
        q = probabilities(pair.draft(torch.tensor([ids + tokens])).logits[0, len(ids) - 1 : -1, : pair.vocab_size])
    times = ersd.randomness.clocks(seed, torch.arange(len(ids), len(ids) + len(tokens)), pair.vocab_size) / q
    own = times.gather(-1, torch.tensor(tokens).unsqueeze(-1))
    return ((times < own).sum(-1) + 1).tolist()


@pytest.mark.parametrize(("seed", "k"), [(3, 4), (4, 16)])
def test_the_ranks_of_one_text_predict_the_steps_of_every_tree(pair, seed, k):
    """Start at the root, go on while the path of ranks is a vertex of the tree, then one token more, start again: exactly."""
    text = ersd.run(pair, PROMPTS[0], settings("autoregressive", seed=seed)).token_ids
    ranks = ranks_of(pair, PROMPTS[0], text, seed)
    for topology in ersd.TOPOLOGIES:
        trace = ersd.run(pair, PROMPTS[0], settings(topology=topology, k=k, seed=seed))
        at = 0
        for step in trace.steps:
            vertices = {(parent, rank): vertex for vertex, (parent, rank) in enumerate(zip(step.parents, step.ranks, strict=True))}
            vertex, accepted = -1, 0
            while (vertex, ranks[at + accepted]) in vertices:
                vertex = vertices[vertex, ranks[at + accepted]]
                accepted += 1
            assert step.accepted == accepted
            assert [visit.rank for visit in step.walk if visit.tries] == ranks[at : at + sum(bool(visit.tries) for visit in step.walk)]
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
        assert (
            len(step.tokens) == len(step.parents) == len(step.depths) == len(step.draft_probs) == len(step.ranks) == len(step.texts) <= 16
        )
        for vertex, parent in enumerate(step.parents):
            assert -1 <= parent < vertex
            assert step.depths[vertex] == (1 if parent < 0 else step.depths[parent] + 1)
        assert len(step.emitted) == len(step.walk) == step.accepted + 1
        assert [one.source for one in step.emitted] == ["draft"] * step.accepted + ["target"]
        for visit, one in zip(step.walk, step.emitted, strict=True):
            assert visit.token == one.token
            assert len(visit.rows) <= 20
            assert one.token in [row.token for row in visit.rows]
            winner = min(visit.rows, key=lambda row: row.target_time or float("inf"))
            assert winner.token == visit.token
            for row in visit.rows:
                if row.p > 0:
                    assert row.target_time == pytest.approx(row.clock / row.p, rel=1e-9)
    assert all(len(step.tokens) == 16 for step in trace.steps[:-2])


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


def test_generation_stops_at_any_of_several_ends_of_text():
    pair = tiny_pair()
    free = ersd.run(pair, "abc", settings("autoregressive", max_new_tokens=40, seed=5)).token_ids
    ends = {free[12], free[20]}
    first = min(free.index(end) for end in ends)
    stopping = dataclasses.replace(pair, eos_ids=frozenset(ends))
    for algorithm, topology in (("autoregressive", "batch"), ("ersd", "sequence"), ("ersd", "tau_star"), ("ersd", "batch")):
        trace = ersd.run(stopping, "abc", settings(algorithm, topology, max_new_tokens=40, seed=5))
        assert trace.token_ids == free[: first + 1]
        assert trace.stopped == "end of text"


def test_end_of_text_ids_are_gathered_from_everywhere():
    model = llama(8)
    model.generation_config.eos_token_id = [2, 5]
    model.config.eos_token_id = 3
    assert make_pair(model, llama(8), letters(8)).eos_ids == {2, 3, 5}


def test_repeated_draws_are_scored_once_and_tried_as_often_as_drawn():
    trace = ersd.run(tiny_pair(4), "abc", settings("gsd", "batch", k=16, max_new_tokens=30))
    for step in trace.steps[:-1]:
        assert len(set(step.tokens)) == len(step.tokens) <= 4
    assert any(len(visit.tries) > len({one.vertex for one in visit.tries}) for step in trace.steps for visit in step.walk)


def test_one_target_call_a_step_and_one_draft_call_a_level(pair, monkeypatch):
    calls = []
    extend = LlamaCache.extend
    monkeypatch.setattr(
        LlamaCache, "extend", lambda self, tokens, *rest, **more: calls.append(self.decoder) or extend(self, tokens, *rest, **more)
    )
    trace = ersd.run(pair, PROMPTS[0], settings(k=8))
    # one more of each reads the prompt
    assert calls.count(pair.llama_decoders["target"]) == 1 + len(trace.steps)
    # the deepest level is not forwarded; the root takes the first call
    assert calls.count(pair.llama_decoders["draft"]) == 1 + sum(max(step.depths, default=0) for step in trace.steps)


@pytest.mark.parametrize("record", [True, False])
def test_closing_the_generator_frees_the_caches(record, pair, monkeypatch):
    made = []
    init = LlamaCache.__init__
    monkeypatch.setattr(LlamaCache, "__init__", lambda self, decoder: (init(self, decoder), made.append(weakref.ref(self)))[0])
    steps = ersd.generate(pair, PROMPTS[0], settings(), record=record)
    next(steps)
    assert [ref() is not None for ref in made] == [True, True]
    steps.close()
    gc.collect()
    assert [ref() for ref in made] == [None, None]


@pytest.mark.parametrize(
    ("algorithm", "topology"), [("autoregressive", "sequence"), ("ersd", "dynamic"), ("gsd", "specinfer"), ("block", "sequence")]
)
def test_unrecorded_runs_give_the_same_tokens_step_by_step(pair, algorithm, topology):
    chosen = settings(algorithm, topology, k=8, seed=3)
    trace = ersd.run(pair, PROMPTS[0], chosen)
    steps = list(ersd.generate(pair, PROMPTS[0], chosen, record=False))
    assert steps == [[one.token for one in step.emitted] for step in trace.steps]


def test_llama_decoders_and_transformers_give_one_text(pair, monkeypatch):
    monkeypatch.setattr("ersd.models.llama.FAMILY", ())
    slow = ersd.load_pair(device="cpu", dtype="float32")
    assert (sorted(pair.llama_decoders), sorted(slow.llama_decoders)) == (["draft", "target"], [])
    for algorithm, topology in (("autoregressive", "sequence"), ("ersd", "tau_star"), ("gsd", "sequence"), ("kseq", "multi_sequence")):
        chosen = settings(algorithm, topology, k=8, seed=5)
        assert ersd.run(slow, PROMPTS[1], chosen).token_ids == ersd.run(pair, PROMPTS[1], chosen).token_ids


def test_calls_of_few_sizes_give_the_same_texts_and_their_memory_serves_again(pair, monkeypatch):
    """The way a GPU runs, on the CPU: padded, and grown from 16 entries."""
    texts = {
        way: ersd.run(pair, PROMPTS[2], settings(*way, k=8, seed=6, max_new_tokens=40)).token_ids
        for way in (("ersd", "tau_star"), ("ersd", "dynamic"), ("gsd", "specinfer"))
    }
    monkeypatch.setattr("ersd.models.pair.open_cache", StaticCache)
    monkeypatch.setattr("ersd.models.cuda_graphs.FIRST_ENTRIES", 16)
    made, init = [], StaticMemory.__init__
    monkeypatch.setattr(StaticMemory, "__init__", lambda self, *given: (init(self, *given), made.append(self.room))[0])
    fresh = dataclasses.replace(pair, llama_decoders={role: LlamaDecoder(getattr(pair, role)) for role in ("target", "draft")})
    for way, text in texts.items():
        assert ersd.run(fresh, PROMPTS[2], settings(*way, k=8, seed=6, max_new_tokens=40)).token_ids == text
    assert {made.count(room) for room in (16, 32, 64)} == {2}  # of the target and of the draft, for all three texts


def test_bfloat16_runs_through_the_same_code_and_marks_near_ties():
    pair = ersd.load_pair(device="cpu", dtype="bfloat16")
    assert pair.logit_noise > 1e-3
    trace = ersd.run(pair, PROMPTS[0], settings(k=8, seed=1))
    assert len(trace.token_ids) == 64
    marked = [one.near_tie for step in trace.steps for one in step.emitted]
    gaps = [visit.margin < 2 * pair.logit_noise for step in trace.steps for visit in step.walk]
    assert marked == gaps


def test_cuda_runs_the_same_code(pair):
    if not torch.cuda.is_available():
        pytest.skip("this machine has no CUDA GPU")
    gpu = ersd.load_pair(device="cuda", dtype="float32")
    expected = ersd.run(gpu, PROMPTS[0], settings("autoregressive")).token_ids
    assert ersd.run(gpu, PROMPTS[0], settings(k=16)).token_ids == expected


def _written_down(monkeypatch, milliseconds: list[float], fails: bool = False) -> list[str]:
    """What happens, in order, to steps that take so long."""
    happened: list[str] = []

    def steps():
        for number, took in enumerate(milliseconds):
            happened.append(f"decode {number}")
            yield Decoded(number, None, {"draft_ms": took})
        if fails:
            raise ValueError("the target is gone")

    class Noting:
        def __init__(self, recorder):
            pass

        def begin(self, number, way, took):
            happened.append(f"begin {number}")
            return lambda: happened.append(f"end {number}")

        def close(self):
            happened.append("close")

    monkeypatch.setattr("ersd.decoding.Recording", Noting)
    try:
        for _ in _recorded(steps(), None):
            happened.append("seen")
    except ValueError as problem:
        happened.append(str(problem))
    return happened


def test_what_is_worked_out_beside_has_until_two_more_steps_are_decoded_to_be_written_down(monkeypatch):
    first = ["decode 0", "begin 0", "decode 1", "begin 1", "decode 2", "begin 2", "end 0", "seen"]
    assert _written_down(monkeypatch, [1, 1, 1]) == [*first, "end 1", "seen", "end 2", "seen", "close"]
    assert _written_down(monkeypatch, [1]) == ["decode 0", "begin 0", "end 0", "seen", "close"]


def test_steps_behind_the_first_are_fetched_together(monkeypatch):
    happened = _written_down(monkeypatch, [TOGETHER_MS / 4] * 8)
    assert happened.index("end 1") > happened.index("begin 6")
    assert [each for each in happened if each.startswith("end")] == [f"end {number}" for number in range(8)]
    alone = _written_down(monkeypatch, [TOGETHER_MS] * 4)
    assert alone.index("end 1") == alone.index("begin 3") + 1


def test_who_watches_a_slow_model_has_a_step_written_down_before_the_next_is_decoded(monkeypatch):
    happened = _written_down(monkeypatch, [SLOW_MS + 1, 1])
    assert happened == ["decode 0", "begin 0", "end 0", "seen", "decode 1", "begin 1", "end 1", "seen", "close"]
    assert _written_down(monkeypatch, [1, SLOW_MS + 1])[-6:] == ["begin 1", "end 0", "seen", "end 1", "seen", "close"]


def test_a_step_is_seen_also_where_the_next_one_fails(monkeypatch):
    assert _written_down(monkeypatch, [1], fails=True) == ["decode 0", "begin 0", "end 0", "seen", "close", "the target is gone"]
