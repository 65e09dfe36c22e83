"""Every decision of the engine, made again: on distributions scored without any cache, path by path, and with randomness named by hand.

The joint output of a rule is tested on sequences drawn by the rule's own code (`rules/test_joint_output.py`), where a million are cheap.
Here the engine is held to that code, decision by decision, so that nothing is left to chance: another row of a cache, another position,
a draft distribution before top-p, children of another node, a token committed wrongly show in the first decision they change.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import pytest
import torch
from torch import Tensor

import ersd
from ersd.draft_tree import ROOT, DraftTree
from ersd.randomness import Noise
from ersd.rules.builtin import RULES
from ersd.walk import ScoredTree, Walk

from .statistical import COMBINATIONS, tokens_of
from .tiny import TINY_PAIRS

PROMPT = "abc"
TREES = list(ersd.TOPOLOGIES)
SAMPLINGS = {"plain": {}, "cut": {"temperature": 0.8, "top_k": 5, "top_p": 0.9}}


@dataclass(frozen=True)
class Walked:
    """One step of the engine: the text before it, the tree with its scores, and the walk."""

    text: list[int]
    scored: ScoredTree
    walk: Walk


def steps_of(pair, settings, monkeypatch) -> tuple[list[Walked], list[int]]:
    """The steps of a run, as the engine walked them, and its tokens."""
    text, found = pair.encode(PROMPT), []

    rule = type(RULES[settings.algorithm])
    verify_tree = rule.verify_tree

    def watched(self, scored, ends):
        walk = verify_tree(self, scored, ends)
        found.append(Walked(list(text), scored, walk))
        text.extend(walk.tokens)
        return walk

    with monkeypatch.context() as patch:
        patch.setattr(rule, "verify_tree", watched)
        return found, tokens_of(pair, PROMPT, settings)


def path(tree: DraftTree, node: int) -> list[int]:
    """The tokens from the root down to a node."""
    found: list[int] = []
    while node != ROOT:
        found.insert(0, tree.tokens[node])
        node = tree.parents[node]
    return found


@pytest.fixture(scope="module")
def tiny(request):
    return TINY_PAIRS[request.param](8)


@lru_cache(maxsize=100_000)
def logits(model, tokens: tuple[int, ...]) -> Tensor:
    """A model's logits after some tokens, without a cache: [1, vocab]."""
    with torch.inference_mode():
        return model(torch.tensor([tokens])).logits[:, -1]


def distributions_after(model, rule, settings, text):
    """From the drafted tokens above a node to the distribution that is sampled from there, float64 [1, vocab]."""
    return lambda above: rule.distributions(logits(model, (*text, *above)), settings)


def check_draft(rule, settings, step: Walked, q_after) -> None:
    """Every node was drawn from the draft distribution after its parent, with the noise of its position and its parent's slot."""
    tree = step.scored.tree
    for node, tries in tree.tries.items():
        above = path(tree, node)
        q = q_after(above)
        assert torch.allclose(tree.q[node], q[0], atol=1e-5)
        drawn = rule.draft(q, len(tries), Noise(settings.seed, len(step.text) + len(above)), [rule.slot(node, len(above))])
        assert drawn.tolist() == [[tree.tokens[child] for child in tries]]
        assert all(tree.parents[child] == node for child in tries)


def check_walk(rule, settings, step: Walked, p_after, q_after) -> None:
    """Every decision is the one the rule makes with the target's distribution after that path and the noise of its position."""
    tree, visited = step.scored.tree, step.walk.visited
    if rule.traits.from_leaves:
        scored = replace(step.scored, _p={node: p_after(path(tree, node)) for node in range(ROOT, len(tree.tokens))})
        again = rule.verify_tree(scored, ())
        assert (again.tokens, again.path) == (step.walk.tokens, step.walk.path)
        assert [(one.node, one.accepted, one.tried) for one in again.visited] == [(one.node, one.accepted, one.tried) for one in visited]
        return
    if rule.traits.joint and tree.tokens:
        above = [tree.tokens[:count] for count in range(len(tree.tokens) + 1)]
        p, q = torch.stack([p_after(each) for each in above], 1), torch.stack([q_after(each) for each in above[:-1]], 1)
        chain = rule.verify_chain(p, q, torch.tensor([tree.tokens]), Noise(settings.seed, len(step.text)))
    node = ROOT
    for depth, one in enumerate(visited):
        tries, above = tree.tries.get(node, []), path(tree, node)
        assert (one.node, tree.depth(one.node), one.children) == (node, depth, tries)
        if rule.traits.joint and tree.tokens:
            decision = chain[depth]
        else:
            children = torch.tensor([[tree.tokens[child] for child in tries]], dtype=torch.int64)
            q = q_after(above) if tries else None
            decision = rule.verify(p_after(above), q, children, Noise(settings.seed, len(step.text) + depth))
        assert (one.token, one.accepted, one.tried) == (int(decision.tokens), int(decision.accepted), int(decision.tried))
        node = tries[one.accepted] if one.accepted >= 0 else None
    assert step.walk.path == [one.children[one.accepted] for one in visited if one.accepted >= 0]
    assert node is None or not tree.tries.get(node)  # it ended at a rejection or a leaf: no token ends these texts


WAYS = [("through transformers", "cut"), ("by LlamaDecoder", "plain")]


@pytest.mark.parametrize(
    ("algorithm", "topology", "tiny", "sampling"),
    [(name, tree, *WAYS[(list(RULES).index(name) + TREES.index(tree)) % 2]) for name, tree in COMBINATIONS],
    indirect=["tiny"],
)
def test_every_decision_of_the_engine_is_the_rules_own(algorithm, topology, sampling, tiny, monkeypatch):
    seed = 3 if algorithm == "half_race" else 1  # its single guess is seldom right, and must be once
    settings = ersd.Settings(
        algorithm, topology, draft_tokens=7, branching=(3, 1, 1), sequences=3, max_new_tokens=30, seed=seed, leniency=0.3,
        **SAMPLINGS[sampling],
    )  # fmt: skip
    rule = RULES[algorithm].with_settings(settings)
    steps, tokens = steps_of(tiny, settings, monkeypatch)
    assert [token for step in steps for token in step.walk.tokens] == tokens
    for step in steps:
        p_after, q_after = (distributions_after(model, rule, settings, step.text) for model in (tiny.target.model, tiny.draft.model))
        check_draft(rule, settings, step, q_after)
        check_walk(rule, settings, step, p_after, q_after)
    assert any(step.walk.path for step in steps) == rule.traits.drafts


def test_every_rule_and_every_topology_of_the_registry_takes_part():
    assert {name for name, _ in COMBINATIONS} == set(RULES)
    assert {topology for _, topology in COMBINATIONS} == set(ersd.TOPOLOGIES)


def test_a_wild_card_drawn_for_another_number_of_children_is_caught(monkeypatch):
    """As many children drawn at every node of a level, of which each keeps the first ones: what rules do whose draws are independent."""
    monkeypatch.setattr(RULES["spechub"], "children_depend_on_count", False, raising=False)
    with pytest.raises(AssertionError):
        test_every_decision_of_the_engine_is_the_rules_own(
            "spechub", "tau_star", "plain", TINY_PAIRS["through transformers"](8), monkeypatch
        )
