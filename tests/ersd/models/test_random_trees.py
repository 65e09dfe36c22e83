"""Random trees, found by hypothesis: through the cache they are scored like every path alone, and committed paths leave nothing else."""

import pytest
import torch
from hypothesis import given, settings, strategies

from ersd.draft_tree import ROOT
from ersd.models.transformers_cache import TransformersCache

from ..tiny import LLAMA_FAMILY, THROUGH_TRANSFORMERS, llama_cache, static_cache

VOCAB = 64

tokens = strategies.integers(0, VOCAB - 1)


@strategies.composite
def trees(draw, most=14):
    """Parents of up to `most` nodes, each before its children."""
    size = draw(strategies.integers(1, most))
    return [draw(strategies.integers(ROOT, vertex - 1)) for vertex in range(size)]


@strategies.composite
def labelled(draw):
    """A prefix, and a tree with a token at every node."""
    parents = draw(trees())
    prefix = draw(strategies.lists(tokens, min_size=1, max_size=12))
    return prefix, parents, draw(strategies.lists(tokens, min_size=len(parents), max_size=len(parents)))


def path_to(parents, vertex):
    path = [vertex]
    while parents[path[0]] != ROOT:
        path.insert(0, parents[path[0]])
    return path


def alone(model, text):
    with torch.inference_mode():
        return model(input_ids=torch.tensor([text]), use_cache=False).logits[0, -1]


WAYS = {
    **{f"{name} through transformers": (make(), TransformersCache) for name, make in THROUGH_TRANSFORMERS.items()},
    **{f"{name} by LlamaDecoder": (make(), llama_cache) for name, make in LLAMA_FAMILY.items()},
    "qwen3 static": (LLAMA_FAMILY["qwen3"](), static_cache),
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=20)
@given(labelled(), strategies.data())
def test_a_cached_tree_equals_its_paths(way, case, data):
    """Scored in one call or in two, every node; then a path is committed and a further token after it is scored."""
    (model, opened), (prefix, parents, labels) = WAYS[way], case
    cache = opened(model)
    cache.prefill(prefix)
    cut = data.draw(strategies.integers(1, len(parents)))
    logits, entries = cache.extend(labels[:cut], parents[:cut])
    if cut < len(parents):
        more, later = cache.extend(labels[cut:], parents[cut:])
        logits, entries = torch.cat([logits, more]), entries + later
    vertex = data.draw(strategies.integers(0, len(parents) - 1))
    for each in {0, vertex, len(parents) - 1}:
        assert (logits[each] - alone(model, prefix + [labels[v] for v in path_to(parents, each)])).abs().max() < 1e-4
    path = path_to(parents, vertex)
    cache.commit([entries[v] for v in path])
    after, _ = cache.extend([7], [ROOT])
    assert (after[0] - alone(model, [*prefix, *(labels[v] for v in path), 7])).abs().max() < 1e-4


@pytest.mark.parametrize("way", ["llama through transformers", "llama by LlamaDecoder", "qwen3 static"])
@settings(max_examples=30)
@given(labelled(), strategies.data())
def test_a_stale_entry_in_a_random_tree_is_caught(way, case, data):
    """Commit the path's entries but for its last one, of which another is kept: the token after it must come out wrong."""
    (model, opened), (prefix, parents, labels) = WAYS[way], case
    vertex = data.draw(strategies.integers(0, len(parents) - 1))
    path = path_to(parents, vertex)
    others = [v for v in range(len(parents)) if labels[v] != labels[vertex]]
    if not others:
        return
    cache = opened(model)
    cache.prefill(prefix)
    _, entries = cache.extend(labels, parents)
    cache.commit([entries[v] for v in [*path[:-1], others[0]]])
    after, _ = cache.extend([7], [ROOT])
    assert (after[0] - alone(model, [*prefix, *(labels[v] for v in path), 7])).abs().max() > 1e-4
