"""Every lossless rule of the registry, many sequences of several tokens: their joint distribution is the target's.

What these tests see is tried too: wrong decisions in one branch at one depth, one in five of those that come to it (an accepted child
dropped for a token of P, a child kept that was tried in vain, an own token from P instead of the residual, the likeliest token at a leaf).
Smaller faults of rejection rules show in `test_exact_output.py`, where nothing is sampled.

False-alarm rate of each test 1e-5, seeds fixed.
"""

import pytest

from ersd.rules.builtin import RULES

from ..sequences import dropped, from_whole_target, joint_pvalue, kept, likeliest, random_tables, rotated_tables, stages, written
from ..statistical import DRAFTING, FALSE_ALARM, LOSSLESS

TRIALS = 180_000
SHARE = 0.2
"""Of the decisions that come to a branch: the fault that must be seen."""


def branchings(algorithm):
    """Children along the path walked, depth by depth: some trees that the rule takes."""
    most = RULES[algorithm].traits.most_children
    return {0: [()], 1: [(1, 1, 1)]}.get(most, [(2, 2), (3, 1, 2)])


CASES = [pytest.param(name, tree, id=f"{name}-{'x'.join(map(str, tree))}") for name in LOSSLESS for tree in branchings(name)]


@pytest.mark.parametrize(("algorithm", "branching"), CASES)
def test_joint_distribution(algorithm, branching):
    for tables in (rotated_tables(len(branching) + 1), random_tables(3, len(branching) + 1, seed=2)):
        found = written(tables, stages(RULES[algorithm], tables, branching, TRIALS // 2))
        assert joint_pvalue(tables, found) > FALSE_ALARM


def faults(stage, share):
    """What can go wrong in each branch of a stage: its name and the fault."""
    if not stage.children.shape[1]:
        yield "leaf", likeliest(share)
        return
    for j in range(stage.children.shape[1]):
        yield f"dropped at try {j + 1}", dropped(j, share)
        yield f"kept at try {j + 1}", kept(j, share)
    yield "own token", from_whole_target(share)


def caught(algorithm, share):
    """For every branch at every depth: is a fault in this share of its decisions seen?"""
    branching = (1, 1, 1) if RULES[algorithm].traits.most_children == 1 else (2, 2)
    tables = rotated_tables(len(branching) + 1)
    decided = stages(RULES[algorithm], tables, branching, TRIALS)
    assert joint_pvalue(tables, written(tables, decided)) > FALSE_ALARM
    return {
        f"{name}, depth {depth}": joint_pvalue(tables, written(tables, decided, {depth: fault})) < FALSE_ALARM
        for depth, stage in enumerate(decided)
        for name, fault in faults(stage, share)
    }


@pytest.mark.parametrize("algorithm", DRAFTING)
def test_one_wrong_decision_in_five_is_seen_in_every_branch(algorithm):
    found = caught(algorithm, SHARE)
    assert len(found) == (10 if RULES[algorithm].traits.most_children == 1 else 11)
    assert [branch for branch, seen in found.items() if not seen] == []


@pytest.mark.parametrize("algorithm", sorted(set(LOSSLESS) - set(DRAFTING)))
def test_one_wrong_token_in_five_is_seen_where_nothing_is_drafted(algorithm):
    tables = rotated_tables(1)
    decided = stages(RULES[algorithm], tables, (), TRIALS // 3)
    assert joint_pvalue(tables, written(tables, decided, {0: likeliest(SHARE)})) < FALSE_ALARM


def test_every_rule_of_the_registry_takes_part():
    assert {case.values[0] for case in CASES} == set(LOSSLESS)
