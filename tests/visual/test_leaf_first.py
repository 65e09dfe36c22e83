"""A rule that decides from the leaves to the root: the engine, the record, the sentences and the pictures take it as any other."""

import json
import re
from collections.abc import Iterator

import pytest

import ersd
from ersd.draft_tree import ROOT
from ersd.rules.builtin import RULES, register
from ersd.rules.ersd import ExponentialRace
from ersd.rules.registry import ALGORITHMS, TRAITS
from ersd.walk import Walk
from visual.payload.compare.lane import Lane
from visual.payload.messages import messages
from visual.payload.sentences.nodes import emitted_names

PROMPT = "Once upon a time there was a little girl named"


class LeavesFirst(ExponentialRace):
    """The race, decided at every node that has children, the deepest first; what is kept is the path that the root's winner begins."""

    name = "leaves_first"

    def verify_tree(self, scored, ends):
        nodes = sorted([ROOT, *range(len(scored.tree.tokens))], key=scored.tree.depth, reverse=True)
        visited = {
            node: scored.visit(node, self.verify(scored.p(node), scored.q(node), scored.children(node), scored.noise(node)))
            for node in nodes
        }
        path, tokens, node = [], [], ROOT
        while True:
            one = visited[node]
            tokens.append(one.token)
            if one.accepted < 0:
                break
            node = one.children[one.accepted]
            path.append(node)
            if one.token in ends:
                break
        return Walk(tokens, path, list(visited.values()))


@pytest.fixture
def leaves_first() -> Iterator[str]:
    register(LeavesFirst())
    yield LeavesFirst.name
    for table in (RULES, TRAITS, ALGORITHMS):
        del table[LeavesFirst.name]


@pytest.mark.parametrize("topology", ["sequence", "specinfer"])
def test_a_walk_need_not_begin_at_the_root(pair, leaves_first, topology):
    usual, found = (
        ersd.run(pair, PROMPT, ersd.Settings(rule, topology, branching=(2, 2), max_new_tokens=24, seed=4))
        for rule in ("ersd", leaves_first)
    )
    assert found.text == usual.text
    shown, expected = ([one for one in map(json.loads, messages(trace)) if one["type"] == "step"] for trace in (found, usual))
    for step, other, sent, wanted in zip(found.steps, usual.steps, shown, expected, strict=True):
        assert step.walk[-1].vertex == ROOT
        assert (step.path, step.end, emitted_names(step)) == (other.path, other.end, emitted_names(other))
        assert step.states.count("accepted") == other.states.count("accepted") == len(step.path)
        assert {visit.vertex for visit in other.walk} <= {visit.vertex for visit in step.walk}
        assert (sent["text"], sent["walk_end"], sent["headline"]) == (wanted["text"], wanted["walk_end"], wanted["headline"])
        assert (sent["find"]["all"], sent["find"]["root"]) == (wanted["find"]["all"], wanted["find"]["root"])
        for vertex, decision in wanted["decisions"].items():
            number = 1 + sorted(sent["decisions"], key=int).index(vertex)  # as the buttons over the tree, from the root down
            assert sent["decisions"][vertex]["title"] == re.sub(r"\d+", str(number), decision["title"], count=1)
    assert ersd.Trace.from_json(found.to_json()) == found
    lane = Lane(found.settings)
    for step in found.steps:
        lane.add(step)
    assert len(lane.names) == len(found.token_ids)
