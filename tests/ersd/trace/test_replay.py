"""Every decision of the engine, made again: on laws scored without any cache, path by path, and with randomness named by hand.

The joint laws of a rule are tested on sequences drawn by the rule's own code (`test_joint_law.py`), where a million are cheap. Here the
engine is held to that code, decision by decision, so that nothing is left to chance: another row of a cache, another position, a draft's
law before top-p, children of another vertex, a token learned or committed wrongly show in the first decision they change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pytest
import torch
from torch import Tensor

import ersd
from ersd.drafts.factory import DraftTree
from ersd.drafts.topologies import TREES
from ersd.models.tree_cache import ROOT
from ersd.randomness import Noise
from ersd.rules.builtin import RULES
from ersd.walk import ScoredTree, Walk, walk

from ..statistical import COMBINATIONS, tokens_of
from ..tiny import TINY_PAIRS

PROMPT = "abc"

SAMPLINGS = {"plain": {}, "cut": {"temperature": 0.8, "top_k": 5, "top_p": 0.9}}


@dataclass(frozen=True)
class Walked:
    """One step of the engine: the text before it, the tree with its scores, and the way through it."""

    text: list[int]
    scored: ScoredTree
    way: Walk


def steps_of(pair, settings, monkeypatch) -> tuple[list[Walked], list[int]]:
    """The steps of a run, as the engine walked them, and its tokens."""
    text, found = pair.encode(PROMPT), []

    def watched(scored, ends):
        way = walk(scored, ends)
        found.append(Walked(list(text), scored, way))
        text.extend(way.tokens)
        return way

    with monkeypatch.context() as patch:
        patch.setattr("ersd.decoding.walk", watched)
        return found, tokens_of(pair, PROMPT, settings)


def path(tree: DraftTree, vertex: int) -> list[int]:
    """The vertices from the root down to one."""
    found: list[int] = []
    while vertex != ROOT:
        found.insert(0, vertex)
        vertex = tree.parents[vertex]
    return found


@pytest.fixture(scope="module")
def tiny(request):
    return TINY_PAIRS[request.param](8)


@lru_cache(maxsize=100_000)
def logits(model, tokens: tuple[int, ...]) -> Tensor:
    """What a model says behind some tokens, alone and without a cache: [1, vocab]."""
    with torch.inference_mode():
        return model(torch.tensor([tokens])).logits[:, -1]


def law(model, rule, settings, tokens) -> Tensor:
    """What is sampled from behind some tokens: float64 [1, vocab]."""
    return rule.distributions(logits(model, tuple(tokens)), settings)


def check_draft(pair, rule, settings, step: Walked) -> None:
    """Every vertex was drawn from what the draft says behind its parent, with the noise of its position, its parent's slot and place."""
    tree = step.scored.tree
    for vertex, tries in tree.tries.items():
        above = path(tree, vertex)
        q = law(pair.draft, rule, settings, step.text + [tree.tokens[each] for each in above])
        assert torch.allclose(tree.q(vertex), q[0], atol=1e-5)
        noise = Noise(settings.seed, len(step.text) + len(above))
        drawn = rule.draft(q, len(tries), noise, [vertex + 1])
        assert drawn.tolist() == [[tree.tokens[child] for child in tries]]
        assert all(tree.parents[child] == vertex for child in tries)


def check_walk(pair, rule, settings, step: Walked) -> None:
    """Every decision on the way is the one the rule makes with the target's law behind that path and the noise of its position."""
    tree, texts = step.scored.tree, [[]]
    for vertex in step.way.path:
        texts.append([*texts[-1], tree.tokens[vertex]])
    decisions = step.way.decisions
    assert len(decisions) in (len(texts), len(texts) - 1)  # one less where the text ended
    laws = [law(pair.target, rule, settings, step.text + drafted) for drafted in texts]
    if rule.traits.joint and tree.tokens:
        every = [law(pair.target, rule, settings, step.text + tree.tokens[:count]) for count in range(len(tree.tokens) + 1)]
        drafts = [law(pair.draft, rule, settings, step.text + tree.tokens[:count]) for count in range(len(tree.tokens))]
        noise = Noise(settings.seed, len(step.text))
        block = rule.verify_sequence(torch.stack(every, 1), torch.stack(drafts, 1), torch.tensor([tree.tokens]), noise)
        assert step.way.path == list(range(int(block.kept)))
        assert step.way.tokens == [*tree.tokens[: int(block.kept)], int(block.own)]
        return
    vertex = ROOT
    for depth, decision in enumerate(decisions):
        tries = tree.tries.get(vertex, [])
        assert (decision.vertex, decision.children) == (vertex, tries)
        children = torch.tensor([[tree.tokens[child] for child in tries]], dtype=torch.int64)
        q = law(pair.draft, rule, settings, step.text + texts[depth]) if tries else None
        verdict = rule.verify(laws[depth], q, children, Noise(settings.seed, len(step.text) + depth))
        assert (decision.token, decision.accepted) == (int(verdict.tokens), int(verdict.accepted))
        vertex = tries[decision.accepted] if decision.accepted >= 0 else None
    assert (vertex is None) == (decisions[-1].accepted < 0)


# the plain distributions of the LlamaDecoder are those that are cut
@pytest.mark.parametrize(
    ("tiny", "sampling"),
    [("through transformers", "plain"), ("through transformers", "cut"), ("by LlamaDecoder", "cut")],
    indirect=["tiny"],
)
@pytest.mark.parametrize(("algorithm", "topology"), COMBINATIONS)
def test_every_decision_of_the_engine_is_the_rules_own(algorithm, topology, sampling, tiny, monkeypatch):
    accepted = 0
    for seed in range(3):
        settings = ersd.Settings(
            algorithm, topology, draft_tokens=7, branching=(3, 1, 1), sequences=3, max_new_tokens=30, seed=seed, leniency=0.3,
            **SAMPLINGS[sampling],
        )  # fmt: skip
        rule = RULES[algorithm].with_settings(settings)
        steps, tokens = steps_of(tiny, settings, monkeypatch)
        assert [token for step in steps for token in step.way.tokens] == tokens
        for step in steps:
            check_draft(tiny, rule, settings, step)
            check_walk(tiny, rule, settings, step)
            accepted += len(step.way.path)
    assert (accepted > 0) == rule.traits.drafts


def test_every_rule_and_every_topology_of_the_registry_takes_part():
    assert {name for name, _ in COMBINATIONS} == set(RULES)
    assert {topology for _, topology in COMBINATIONS} == set(TREES)
