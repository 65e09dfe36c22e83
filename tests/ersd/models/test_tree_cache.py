"""Trees scored through the cache equal each of their paths scored separately, for decoders of several families."""

import pytest
import torch

from ersd.draft_tree import ROOT
from ersd.models.transformers_cache import TransformersCache

from ..tiny import WAYS, llama, llama_cache, opened, static_cache

PARENTS = [ROOT, 0, 0, 1, 1, 2, 3, 6, 6, 7]


def last_logits(model, tokens):
    with torch.inference_mode():
        return model(input_ids=torch.tensor([tokens]), use_cache=False).logits[0, -1]


def path_to(vertex):
    path = [vertex]
    while PARENTS[path[0]] != ROOT:
        path.insert(0, PARENTS[path[0]])
    return path


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_tree_equals_path_by_path(way, attention):
    model, cache = opened(way)
    model.set_attn_implementation(attention)
    generator = torch.Generator().manual_seed(1)
    prefix = torch.randint(64, (15,), generator=generator).tolist()
    tree = torch.randint(64, (len(PARENTS),), generator=generator).tolist()
    cache.prefill(prefix)
    logits, _ = cache.extend(tree, PARENTS)
    for vertex in range(len(tree)):
        expected = last_logits(model, prefix + [tree[v] for v in path_to(vertex)])
        assert (logits[vertex] - expected).abs().max() < 1e-4


@pytest.mark.parametrize("way", WAYS)
def test_committed_paths_leave_no_stale_entry(way):
    model, cache = opened(way)
    generator = torch.Generator().manual_seed(2)
    text = torch.randint(64, (3,), generator=generator).tolist()
    cache.prefill(text)
    for leaf in (8, 5, 9, 0, 4):
        tree = torch.randint(64, (len(PARENTS),), generator=generator).tolist()
        _, entries = cache.extend(tree, PARENTS)
        path = path_to(leaf)
        cache.commit([entries[v] for v in path])
        text += [tree[v] for v in path]
        assert cache.committed == len(text)
    logits, _ = cache.extend([7], [ROOT])
    assert (logits[0] - last_logits(model, [*text, 7])).abs().max() < 1e-4


@pytest.mark.parametrize("kind", [TransformersCache, llama_cache, static_cache])
def test_a_stale_entry_would_be_noticed(kind):
    model = llama(64, width=32)
    cache = kind(model)
    cache.prefill([1, 2, 3])
    cache.extend([4, 5], [ROOT, ROOT])
    cache.commit([0])  # wrong: the path was entry 1
    logits, _ = cache.extend([7], [ROOT])
    assert (logits[0] - last_logits(model, [1, 2, 3, 5, 7])).abs().max() > 1e-2


@pytest.mark.parametrize("way", ["gemma3 through transformers", "qwen3 by LlamaDecoder", "qwen2 static"])
def test_level_by_level_equals_all_at_once(way):
    tree = list(range(10, 10 + len(PARENTS)))
    once, levels = opened(way)[1], opened(way)[1]
    once.prefill([1, 2, 3, 4, 5, 6, 7, 8])
    whole, _ = once.extend(tree, PARENTS)
    levels.prefill([1, 2, 3, 4, 5, 6, 7, 8])
    parts = [levels.extend(tree[a:b], PARENTS[a:b])[0] for a, b in [(0, 1), (1, 3), (3, 6), (6, 7), (7, 10)]]
    assert (torch.cat(parts) - whole).abs().max() < 1e-4


@pytest.mark.parametrize("way", ["gemma3 through transformers", "llama 3.1 by LlamaDecoder", "qwen2 static"])
def test_long_prefixes_are_read_in_chunks(way, monkeypatch):
    """The caches start small here, so their memory grows too."""
    monkeypatch.setattr("ersd.models.llama.FIRST_ENTRIES", 8)
    monkeypatch.setattr("ersd.models.cuda_graphs.FIRST_ENTRIES", 16)
    model, cache = opened(way)
    text = torch.randint(64, (50,), generator=torch.Generator().manual_seed(3)).tolist()
    monkeypatch.setattr("ersd.models.tree_cache.PREFILL_CHUNK", 7)
    cache.prefill(text[:-1])
    logits, _ = cache.extend(text[-1:], [ROOT])
    assert (logits[0] - last_logits(model, text)).abs().max() < 1e-4


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_kept_for_gradients(way):
    _, cache = opened(way)
    logits, _ = cache.extend([3, 5], [ROOT, 0])
    assert logits.is_inference()


def test_entries_are_moved_on_the_device_of_their_layer():
    cache = TransformersCache(llama(32))
    cache.prefill([1, 2])
    cache.extend([3, 4], [ROOT, ROOT])
    layer = cache.cache.layers[1]
    layer.keys, layer.values = layer.keys.to("meta"), layer.values.to("meta")
    cache.commit([1])
    assert [layer.keys.device.type for layer in cache.cache.layers] == ["cpu", "meta"]
    assert cache.committed == 3
