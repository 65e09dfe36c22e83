"""Traversal verification on whole trees, drafted and decided by the engine's own code: all draws and coins are enumerated.

The reference below gives every draw slots of its own, the engine drafts only after the first of equal draws: both accept the same.
So no bias is too small to be seen, and repeated draws, slots below them and the order of asking take part. Probabilities of a coin come
from the intervals that it is compared with: a coin that serves two tries is enumerated rightly too, which is one of the broken versions.
"""

from __future__ import annotations

import pytest
import torch

import ersd
from ersd.draft_tree import ROOT, Shape
from ersd.drafts.shapes import regular_shape
from ersd.drafts.source import Source
from ersd.drafts.static import StaticDrafter
from ersd.randomness import Noise
from ersd.rules import traversal
from ersd.rules.builtin import RULES
from ersd.rules.gsd import RecursiveRejection, residual
from ersd.walk import ScoredTree

from ..chance import Coin, outcomes
from ..sequences import Tables, random_tables
from ..statistical import dist, tokens_of
from ..tiny import tiny_pair

BOTH = ("traversal", "traversal_wor")
CASES = {
    "A": (dist(0.4, 0.3, 0.2, 0.1), dist(0.1, 0.2, 0.3, 0.4)),
    "B": (dist(0.7, 0.1, 0.1, 0.05, 0.05), dist(0.5, 0.2, 0.1, 0.1, 0.1)),
}
"""Two fixed pairs, the same at every context."""
UNEVEN = Shape((-1, -1, 0, 0, 1, 2), (1, 2, 1, 2, 1, 1))
"""Slots as a τ* tree has them: the first child has two children, the second one."""


# --- every walk in every tree------------- ------------------------------------------------------------------------------------------------


class TableSource(Source):
    """The draft distributions of tables."""

    is_checked = True

    def __init__(self, tables):
        self.tables = tables

    def root(self, sequence):
        return self.tables.q[0].log()

    def after(self, tree, nodes):
        return torch.stack([self.tables.q[tree.depth(node)][prefix_of(tree, node, self.tables.vocab)] for node in nodes]).log()

    def commit(self, path):
        return


def prefix_of(tree, node, vocab):
    return 0 if node == ROOT else prefix_of(tree, tree.parents[node], vocab) * vocab + tree.tokens[node]


def constant(p, q, levels):
    """Tables with the same distributions at every context."""
    return Tables(
        [p.expand(len(p) ** depth, -1) for depth in range(levels + 1)], [q.expand(len(q) ** depth, -1) for depth in range(levels)]
    )


def key_of(scored, node, number):
    return node, number


def walks(monkeypatch, algorithm, tables, shape, key=key_of):
    """Every walk in every tree: accepted tokens, the distribution of the target's own, and the probability."""
    rule, settings = type(RULES[algorithm])(), ersd.Settings(algorithm, "specinfer")
    own = []

    def drafted(chance):
        def draft(q, k, noise, slots):
            rows = []
            for left in q:
                rows.append([])
                for _ in range(k):
                    rows[-1].append(chance.choose(left.tolist()) if left.sum() > 0 else -1)
                    left = rule.next_draft(left[None], torch.tensor([[max(0, rows[-1][-1])]]))[0]
            return torch.tensor(rows)

        rule.draft = draft
        drafter = StaticDrafter(TableSource(tables), rule, settings, tables.vocab)
        tree = drafter._filled(shape, [0])
        return tree

    def sampled(p, uniform):
        own[:] = [p[0]]
        return torch.zeros(1, 1, dtype=torch.int64)

    monkeypatch.setattr(traversal, "sample", sampled)
    for tree, drawn in list(outcomes(drafted)):
        nodes = range(ROOT, len(tree.tokens))
        logits = torch.stack([tables.p[tree.depth(node)][prefix_of(tree, node, tables.vocab)] for node in nodes]).log()

        def decided(chance, tree=tree, logits=logits):
            scored = ScoredTree(tree, logits, rule, settings, 1)
            monkeypatch.setattr(traversal, "coin", lambda *of: Coin(chance, key(*of)))
            return rule.verify_tree(scored, ())

        for walk, kept in outcomes(decided):
            yield walk.tokens[:-1], own[0], drawn * kept


def law(tables, found, levels):
    """The joint distribution of `levels` + 1 tokens, and the expected number of accepted ones."""
    output, accepted = torch.zeros(tables.vocab ** (levels + 1), dtype=torch.float64), 0.0
    for path, own, probability in found:
        prefix = 0
        for token in path:
            prefix = prefix * tables.vocab + token
        accepted += probability * len(path)
        reached = probability * own
        first = prefix * tables.vocab
        for depth in range(len(path) + 1, levels + 1):
            reached = (reached[:, None] * tables.p[depth][first : first + len(reached)]).flatten()
            first *= tables.vocab
        output[first : first + len(reached)] += reached
    return output, accepted


# --- by the definition, without the engine ----------------------------------------------------------------------------------------------


def expected(tables, algorithm, shape, is_from_leaves):
    """Expected accepted tokens: of traversal, or of the same tree from the root to a leaf."""
    children, step = shape.children(), type(RULES[algorithm])().next_draft

    def asked(slot, depth, prefix, j, p, q, w):
        """From child j on: (expected depth where the walk ends times its probability, probability that this slot fails)."""
        below = children.get(slot, [])
        if j == len(below):
            if not is_from_leaves:
                return w * depth, 0.0
            keep = 1.0 if slot < 0 else w
            return keep * depth, 1 - keep
        gain = failed = 0.0
        rest = (w * p - q).clamp_min(0).sum().item()
        left = residual(w * p[None], q[None])[0][0]
        for token in (q > 0).nonzero().flatten().tolist():
            keep = min(1.0, (w * p[token] / q[token]).item())
            after = prefix * tables.vocab + token
            ends = depth + 1 == len(tables.q)
            deeper = tables.p[depth + 1][after], None if ends else tables.q[depth + 1][after]
            if is_from_leaves:
                inner, fails = asked(below[j], depth + 1, after, 0, *deeper, keep)
                weight = rest / (rest + 1 - w) if rest + 1 - w else 1.0
            else:
                inner, fails = asked(below[j], depth + 1, after, 0, *deeper, 1.0)[0] * keep, 1 - keep
                weight = 1.0
            gain += q[token].item() * inner
            if fails:
                more, lost = asked(slot, depth, prefix, j + 1, left, step(q[None], torch.tensor([[token]]))[0], weight)
                gain += q[token].item() * fails * more
                failed += q[token].item() * fails * lost
        return gain, failed

    return asked(ROOT, 0, 0, 0, tables.p[0][0], tables.q[0][0], 1.0)[0]


# --- the output -------------------------------------------------------------------------------------------------------------------------

SHAPES = {
    "2, 2": regular_shape((2, 2)),
    "two chains": regular_shape((2, 1)),
    "3, 1": regular_shape((3, 1)),
    "uneven": UNEVEN,
    "chain": regular_shape((1, 1, 1)),
}


def levels_of(shape):
    depths = []
    for parent in shape.parents:
        depths.append(1 if parent < 0 else depths[parent] + 1)
    return max(depths)


def is_exact(monkeypatch, algorithm, shape, vocab, seed=1, key=key_of):
    levels = levels_of(shape)
    tables = random_tables(vocab, levels + 1, seed)
    output, _ = law(tables, walks(monkeypatch, algorithm, tables, shape, key), levels)
    return bool((output - tables.joint(levels + 1)).abs().max() < 1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("algorithm", BOTH)
def test_output_of_a_whole_tree(algorithm, shape, monkeypatch):
    assert is_exact(monkeypatch, algorithm, SHAPES[shape], 2)
    if shape != "3, 1":
        assert is_exact(monkeypatch, algorithm, SHAPES[shape], 3 if algorithm == "traversal_wor" else 2, seed=2)


@pytest.mark.parametrize("algorithm", BOTH)
def test_a_weight_of_what_is_left_over_the_draft_is_caught(algorithm, monkeypatch):
    """As in a public implementation: min(S / sum Q', 1) instead of S / (S + 1 - w)."""
    monkeypatch.setattr(traversal, "passed_up", lambda rest, weight: min(1.0, rest))
    assert not is_exact(monkeypatch, algorithm, SHAPES["2, 2"], 2)


FEWER_COINS = {
    "one coin a depth": lambda scored, node, number: scored.tree.depth(node),
    "one coin a node": lambda scored, node, number: node,
}


@pytest.mark.parametrize("fault", FEWER_COINS)
def test_a_coin_that_serves_several_tries_is_caught(fault, monkeypatch):
    assert not all(is_exact(monkeypatch, "traversal", SHAPES["two chains"], 4, seed, FEWER_COINS[fault]) for seed in (2, 1))


# --- how much is accepted ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["2, 2", "two chains", "uneven"])
@pytest.mark.parametrize("algorithm", BOTH)
def test_never_fewer_accepted_than_from_the_root(algorithm, shape, monkeypatch):
    levels, more = levels_of(SHAPES[shape]), []
    for seed in range(4):
        tables = random_tables(2 if algorithm == "traversal" else 3, levels + 1, seed)
        usual, found = (expected(tables, algorithm, SHAPES[shape], way) for way in (False, True))
        more.append(found - usual)
        if not seed:
            assert law(tables, walks(monkeypatch, algorithm, tables, SHAPES[shape]), levels)[1] == pytest.approx(found, abs=1e-12)
    assert min(more) > -1e-12
    assert max(more) > 1e-3


@pytest.mark.parametrize("algorithm", BOTH)
def test_as_many_accepted_on_one_level(algorithm):
    for seed in range(4):
        tables = random_tables(3, 2, seed)
        usual, found = (expected(tables, algorithm, regular_shape((3,)), way) for way in (False, True))
        assert found == pytest.approx(usual, abs=1e-12)


VALUES = {
    "chain of 2": ((1, 1), (0.96, 1.44), (1.03, 1.48)),
    "chain of 4": ((1, 1, 1, 1), (1.3056, 2.3616), (1.5894, 2.6342)),
    "two chains of 2": ((2, 1), (1.152, 1.62), (1.222, 1.66)),
    "2, 2": ((2, 2), (1.2384, 1.71), (1.2874, 1.73)),
}
"""Expected accepted tokens in both cases: from the root to a leaf, and by traversal."""


@pytest.mark.parametrize("tree", VALUES)
def test_published_values(tree):
    branching, *ways = VALUES[tree]
    for is_from_leaves, values in zip((False, True), ways, strict=True):
        for (p, q), value in zip(CASES.values(), values, strict=True):
            tables = constant(p, q, len(branching))
            found = expected(tables, "traversal", regular_shape(branching), is_from_leaves)
            assert found == pytest.approx(value, abs=6e-5)


@pytest.mark.parametrize(("case", "tree"), [("A", "chain of 2"), ("B", "chain of 2"), ("A", "two chains of 2")])
def test_published_values_by_the_engine(case, tree, monkeypatch):
    branching, _, values = VALUES[tree]
    tables = constant(*CASES[case], len(branching))
    found = law(tables, walks(monkeypatch, "traversal", tables, regular_shape(branching)), len(branching))[1]
    assert found == pytest.approx(values[list(CASES).index(case)], abs=6e-5)


# --- in a run ---------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("algorithm", "usual"), [("traversal", "gsd"), ("traversal_wor", "gsd_wor")])
def test_on_one_level_it_writes_what_recursive_rejection_writes(pair, algorithm, usual):
    texts = [tokens_of(pair, "Once upon a time", ersd.Settings(name, "batch", 5, seed=3, max_new_tokens=40)) for name in (algorithm, usual)]
    assert texts[0] == texts[1]


def numbers_used(monkeypatch, settings):
    """Every number that a run asks for draws and coins: position, and index within it."""
    found, real_draws, real_coin = [], Noise.draws, Noise.coin

    def draws(self, slots, count):
        found.extend(("draw", self.position, slot, number) for slot in slots for number in range(count))
        return real_draws(self, slots, count)

    def coin(self, slot, number):
        found.append(("coin", self.position, slot, number))
        return real_coin(self, slot, number)

    with monkeypatch.context() as patch:
        patch.setattr(Noise, "draws", draws)
        patch.setattr(Noise, "coin", coin)
        tokens_of(tiny_pair(3), "b", settings)
    return found


@pytest.mark.parametrize("algorithm", BOTH)
def test_no_number_is_used_twice_in_a_run(algorithm, monkeypatch):
    """A draw that was rejected has had a part in the decision, so the next step, whose nodes have the same numbers, needs others."""
    settings = ersd.Settings(algorithm, "specinfer", branching=(2, 2, 2), max_new_tokens=40, seed=2)
    found = numbers_used(monkeypatch, settings)
    assert {kind for kind, *_ in found} == {"draw", "coin"}
    assert len(set(found)) == len(found)
    if algorithm == "traversal":
        monkeypatch.setattr(traversal.Traversal, "slot", RecursiveRejection.slot)
        found = numbers_used(monkeypatch, settings)
        assert len(set(found)) < len(found)


def test_the_end_of_the_text_cuts_the_path(monkeypatch):
    """What was drafted after it takes part in the decision, but is not written."""
    tables, shape = constant(*CASES["A"], 2), regular_shape((1, 1))
    rule = type(RULES["traversal"])()
    rule.draft = lambda q, k, noise, slots: torch.tensor([[0]])
    tree = StaticDrafter(TableSource(tables), rule, ersd.Settings("traversal", "sequence"), 4)._filled(shape, [0])
    scored = ScoredTree(tree, tables.p[0][:1].log().expand(3, -1), rule, ersd.Settings("traversal", "sequence"), 1)
    whole, cut = rule.verify_tree(scored, ()), rule.verify_tree(scored, (0,))
    assert (whole.path, len(whole.tokens)) == ([0, 1], 3)  # p > q: certain
    assert (cut.path, cut.tokens, [one.node for one in cut.visited]) == ([0], [0], [ROOT])
