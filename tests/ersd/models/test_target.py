"""The whole engine with a target and a draft that are no models: tables of probabilities, by the last two tokens."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

import ersd
from ersd import calibration
from ersd.draft_tree import ROOT
from ersd.randomness import clocks
from ersd.rerun import ranks_of, replay
from ersd.rules.registry import TRAITS

from ..statistical import COMBINATIONS, tokens_of
from ..tiny import letters

VOCAB, PROMPT = 8, "abc"


@dataclasses.dataclass(frozen=True)
class Table:
    """Next-token probabilities, float64 [vocab, vocab, vocab], after every two tokens."""

    name: str
    probabilities: Tensor
    vocab_size: int = VOCAB
    context: int = 60
    eos_ids: frozenset[int] = frozenset()
    made_with: dict[str, str] = dataclasses.field(default_factory=dict)

    def open_cache(self, layers: Sequence[int] = ()) -> TableCache:
        return TableCache(self.probabilities.log())


class TableCache:
    device = torch.device("cpu")

    def __init__(self, logits: Tensor) -> None:
        self.logits = logits
        self.text: list[int] = []
        self.open: list[tuple[int, int]] = []
        """token and parent"""

    @property
    def committed(self) -> int:
        return len(self.text)

    def prefill(self, tokens: Sequence[int]) -> None:
        self.text += tokens

    def extend(self, tokens: Sequence[int], parents: Sequence[int]) -> tuple[Tensor, list[int]]:
        entries = list(range(len(self.open), len(self.open) + len(tokens)))
        self.open += zip(tokens, parents, strict=True)
        return torch.stack([self.logits[tuple(self._last_two(entry))] for entry in entries]), entries

    def commit(self, entries: Sequence[int]) -> None:
        self.text += [self.open[entry][0] for entry in entries]
        self.open = []

    def _last_two(self, entry: int) -> list[int]:
        token, parent = self.open[entry]
        return [self.text[-1] if parent == ROOT else self.open[parent][0], token]


def table(name: str, seed: int) -> Table:
    generator = torch.Generator().manual_seed(seed)
    return Table(name, torch.randn(VOCAB, VOCAB, VOCAB, generator=generator, dtype=torch.float64).mul(1.5).softmax(-1))


@pytest.fixture(scope="module")
def tables() -> ersd.ModelPair:
    target, other = table("a table", 1), table("another", 2)
    draft = dataclasses.replace(other, probabilities=(target.probabilities + other.probabilities) / 2)
    return ersd.ModelPair(target, draft, letters(VOCAB), logit_noise=0.0)


def raced(tables: ersd.ModelPair, seed: int, count: int) -> list[int]:
    """The tokens that win the race on the target's table, by the definition."""
    text = tables.encode(PROMPT)
    for position in range(len(text), len(text) + count):
        p = tables.target.probabilities[text[-2], text[-1]]
        text.append(int((clocks(seed, position, VOCAB) / p).argmin()))
    return text[-count:]


@pytest.mark.parametrize(("algorithm", "topology"), COMBINATIONS)
def test_every_rule_runs_on_every_tree_and_the_races_write_what_the_table_says(tables, algorithm, topology):
    settings = ersd.Settings(algorithm, topology, draft_tokens=6, branching=(2, 1), sequences=2, max_new_tokens=30, seed=4)
    trace = ersd.run(tables, PROMPT, settings)
    assert len(trace.token_ids) == 30
    assert trace.token_ids == tokens_of(tables, PROMPT, settings)
    assert ersd.Trace.from_json(trace.to_json()) == trace
    assert (trace.models, trace.made_with) == ({"target": "a table", "draft": "another"}, {})
    assert (trace.stats["accepted"] > 0) == TRAITS[algorithm].drafts
    if TRAITS[algorithm].kind == "race":
        assert trace.token_ids == raced(tables, 4, 30)
        for step in trace.steps:
            p, rows = after(tables, trace, step.position), step.walk[0].rows
            assert [row.p for row in rows] == pytest.approx([p[row.token].item() for row in rows])
    if algorithm == "greedy":
        assert trace.token_ids == [int(after(tables, trace, position).argmax()) for position in range(3, 33)]


def after(tables: ersd.ModelPair, trace: ersd.Trace, position: int) -> Tensor:
    """The target's distribution [vocab] of the token at this position of a run's text."""
    before, last = (tables.encode(PROMPT) + trace.token_ids)[position - 2 : position]
    return tables.target.probabilities[before, last]


def test_a_run_ends_where_the_table_says(tables):
    text = raced(tables, 0, 57)
    assert ersd.run(tables, PROMPT, ersd.Settings(max_new_tokens=100)).token_ids == text
    ends = dataclasses.replace(tables.target, eos_ids=frozenset(text[9:10]))
    ended = ersd.run(dataclasses.replace(tables, target=ends), PROMPT, ersd.Settings(max_new_tokens=100))
    assert ended.stopped == "end of text"
    assert ended.token_ids == text[: text.index(text[9]) + 1]
    with pytest.raises(ValueError, match="prompt must leave room in the target's context of 60 tokens, got 60 tokens"):
        ersd.run(tables, "a" * 60, ersd.Settings())


def test_costs_ranks_replay_and_curves_ask_no_more_of_a_target(tables, monkeypatch):
    monkeypatch.setattr(calibration, "ROUNDS", 1)
    costs = calibration.measure(tables)["model"]
    assert costs.target_17_ms >= costs.target_5_ms > 0
    assert costs.draft_ms > 0
    trace = ersd.run(tables, PROMPT, ersd.Settings(max_new_tokens=20))
    assert replay(trace, tables).differs_at is None
    assert len(ranks_of(tables, trace).ranks) == 20
    found = ersd.curves.whole(tables, ersd.curves.Plan((1.0,), (2,), texts=1, calls=2, prompts=["abc"]))
    assert found.lines[0].decisions > 0
    alone = dataclasses.replace(tables, draft=None)
    assert tokens_of(alone, PROMPT, ersd.Settings("autoregressive", max_new_tokens=20)) == trace.token_ids
