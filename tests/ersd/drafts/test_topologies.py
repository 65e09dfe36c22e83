import math

import pytest
from hypothesis import given, settings as examples, strategies

from ersd import Settings
from ersd.draft_tree import DraftTree
from ersd.drafts.rank_distribution import RankDistribution, usual_hazard
from ersd.drafts.shapes import by_level, shape_of


def test_the_rank_distribution_starts_from_its_prior_and_ends_at_what_it_saw():
    ranks = RankDistribution()
    first = ranks.probabilities(3)
    assert first[0] == usual_hazard(1)
    assert math.fsum(first) == pytest.approx(1)
    for _ in range(40_000):
        ranks.observe(1, 3)
        ranks.observe(3, 3)
    assert ranks.probabilities(3) == pytest.approx([0.5, 0, 0.5, 0], abs=2e-3)
    assert ranks.entropy() == pytest.approx(math.log(2))


def test_a_measured_prior_is_taken_over_and_its_last_hazard_goes_on():
    ranks = RankDistribution([0.5, 0.2])
    assert ranks.probabilities(3) == pytest.approx([0.5, 0.1, 0.08, 0.32])


def test_what_is_only_known_to_be_beyond_the_children_counts_as_that():
    """Half the visits had one child, which failed; the others had two, of which the second was accepted: P(R = 2) is 1, not 1/2."""
    ranks = RankDistribution()
    for _ in range(100):
        ranks.observe(None, 1)
        ranks.observe(2, 2)
    assert ranks.hazards() == [0, 1]
    assert ranks.entropy() == 0
    for _ in range(100):
        ranks.observe(1, 1)
    assert ranks.hazards() == [1 / 3, 1]


def test_the_entropy_is_that_of_the_distribution_of_all_hazards():
    ranks = RankDistribution([0.5])
    for rank in (1, 3, 3, 1, None, 9, None):
        ranks.observe(rank, 4 if rank is None else max(rank, 4))
    left, entropy = 1.0, 0.0
    for hazard in [*ranks.hazards(), 1]:
        entropy -= left * hazard * math.log(left * hazard) if left * hazard else 0.0
        left *= 1 - hazard
    assert ranks.entropy() == pytest.approx(entropy)


def test_nothing_seen_has_no_entropy():
    assert RankDistribution().entropy() is None


@pytest.mark.parametrize(
    ("topology", "more", "parents", "ranks"),
    [
        ("sequence", {"draft_tokens": 3}, (-1, 0, 1), (1, 1, 1)),
        ("batch", {"draft_tokens": 3}, (-1, -1, -1), (1, 2, 3)),
        ("multi_sequence", {"draft_tokens": 4, "sequences": 2}, (-1, -1, 0, 1), (1, 2, 1, 1)),
        ("multi_sequence", {"draft_tokens": 5, "sequences": 2}, (-1, -1, 0, 1), (1, 2, 1, 1)),
        ("specinfer", {"branching": (2, 1, 2)}, (-1, -1, 0, 1, 2, 2, 3, 3), (1, 2, 1, 1, 1, 2, 1, 2)),
    ],
)
def test_static_shapes(topology, more, parents, ranks):
    settings = Settings("gsd", topology, **more)
    shape = shape_of(settings, RankDistribution([0.5]))
    assert (shape.parents, shape.ranks) == (parents, ranks)
    assert len(parents) == settings.vertices
    worth = []
    for parent, rank in zip(parents, ranks, strict=True):
        worth.append((worth[parent] if parent >= 0 else 1) * (0.5, 0.25, 0.125)[rank - 1])
    assert shape.expected == pytest.approx(1 + sum(worth))


@pytest.mark.parametrize("topology", ["sequence", "batch", "multi_sequence", "specinfer", "tau_star"])
def test_no_shape_is_deeper_than_there_is_room(topology):
    for depth in (0, 1, 2):
        shape = shape_of(Settings("gsd", topology), RankDistribution(), depth)
        depths = []
        for parent in shape.parents:
            depths.append(1 if parent < 0 else depths[parent] + 1)
        assert max(depths, default=0) == (min(depth, 1) if topology == "batch" else depth)


def test_no_static_shape_beats_tau_star():
    ranks = RankDistribution([0.6, 0.4, 0.3, 0.2])
    best = shape_of(Settings("gsd", "tau_star", draft_tokens=28), ranks).expected
    for topology in ("sequence", "batch", "multi_sequence", "specinfer"):
        assert shape_of(Settings("gsd", topology, draft_tokens=28), ranks).expected < best


def path(parents, node):
    """The nodes from the root down to one."""
    return [] if node < 0 else [*path(parents, parents[node]), node]


@examples(max_examples=60)
@given(strategies.lists(strategies.integers(0, 39), min_size=1, max_size=40))
def test_renumbering_by_level_keeps_the_tree(numbers):
    parents = [number % (node + 1) - 1 for node, number in enumerate(numbers)]
    ranks = [1 + sum(other == parent for other in parents[:node]) for node, parent in enumerate(parents)]

    def paths(parents, ranks):
        return {tuple(ranks[v] for v in path(parents, node)) for node in range(len(parents))}

    shape = by_level(parents, ranks)
    assert paths(shape.parents, shape.ranks) == paths(parents, ranks)
    depths = [len(path(shape.parents, node)) for node in range(len(parents))]
    assert depths == sorted(depths)


@examples(max_examples=40)
@given(strategies.lists(strategies.tuples(strategies.integers(0, 10), strategies.integers(0, 63)), min_size=1, max_size=30))
def test_equal_draws_share_a_node_and_are_tried_as_often_as_drawn(draws):
    tree = DraftTree()
    for at, token in draws:
        tree.add(min(at, len(tree.tokens)) - 1, token)
    for parent, tries in tree.tries.items():
        children = [v for v in range(len(tree.tokens)) if tree.parents[v] == parent]
        assert sorted(set(tries)) == children
        assert len({tree.tokens[child] for child in children}) == len(children)
        assert [tree.ranks[child] for child in children] == list(range(1, len(children) + 1))
    assert sum(map(len, tree.tries.values())) == len(draws)
