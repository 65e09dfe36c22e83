"""The examples do what their first sentence says."""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ersd
from ersd.drafts.topologies import TREES
from ersd.rules import RULES
from ersd.rules.registry import TRAITS

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def unregistered() -> Iterator[None]:
    """What an example registers is known until the end of its test."""
    tables: list[dict] = [RULES, TRAITS, ersd.ALGORITHMS, TREES, ersd.TOPOLOGIES]
    before = [dict(table) for table in tables]
    yield
    for table, entries in zip(tables, before, strict=True):
        table.clear()
        table.update(entries)


@pytest.fixture
def printed(pair, unregistered, monkeypatch, capsys, tmp_path) -> Callable[..., tuple[list[str], dict]]:
    """Runs an example with the pair that is loaded already, in an empty folder; returns its lines and its variables."""
    monkeypatch.setattr(ersd, "load_pair", lambda: pair, raising=False)
    monkeypatch.chdir(tmp_path)

    def run(name: str, *arguments: str) -> tuple[list[str], dict]:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        found = runpy.run_path(str(EXAMPLES / f"{name}.py"))
        lines = capsys.readouterr().out.strip().split("\n")
        return [line for line in lines if not line.startswith('{"time"')], found  # the server of this process logs there too

    return run


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_short_and_begins_with_a_sentence(path):
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 30
    assert (ast.get_docstring(ast.parse(source)) or "").endswith((".", "`."))


def test_generate(printed):
    lines, found = printed("generate")
    trace = found["trace"]
    assert "\n".join(lines).startswith(trace.text)
    counted = [ast.literal_eval(line[line.index("{") :]) for line in lines if line.startswith("[")]
    assert [counts["accepted"] for counts in counted] == [step.accepted for step in trace.steps]
    assert lines[-1] == f"{trace.stats['tokens_per_call']} tokens per target call"


def test_one_text(printed):
    lines, found = printed("one_text")
    assert len(found["texts"]) == 1
    calls = {source: int(count) for source, count, *_ in (line.split() for line in lines[:6])}
    assert list(calls) == ["model", "ngram", "exit", "frequent", "foreign", "routed"]
    assert max(calls.values()) < 48


def test_compare_rules(printed):
    lines, found = printed("compare_rules")
    race, coins = lines
    assert race.endswith("the same text")
    assert coins.endswith("another text")
    assert all(f"instead of {len(found['plain'].steps)}" in line for line in lines)


def test_own_rule(printed):
    lines, found = printed("own_rule")
    assert "no deviation found" in lines[0]
    assert found["trace"].settings.algorithm == "shared_uniform"
    assert found["trace"].stats["accepted"] > 0


def test_own_tree(printed):
    lines, found = printed("own_tree")
    assert [line.split()[0] for line in lines] == ["fork", "tau_star"]
    assert found["fork"](18, 1, ()) == (2, 2, 1, 1, 1)


def test_notebook_cell(printed):
    _, found = printed("notebook_cell")
    assert Path("run.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert found["trace"].text


def test_client(printed, address):
    lines, found = printed("client", address)
    figures = {one["method"]: one["figures"] for one in found["compared"]["methods"]}
    assert list(figures) == ["ERSD τ*", "block"]
    for one in figures.values():
        assert one["accepted"] + one["rejected"] + one["not_reached"] == one["drafted"]
        assert one["accepted"] + one["from_target"] == one["tokens"] == 20
    assert sum(" from one call: " in line for line in lines) == len(found["compared"]["methods"][0]["trace"]["steps"])


def test_rest(printed, address):
    lines, _ = printed("rest", address)
    assert lines[0].startswith("ERSD τ* ")
    assert lines[1] == "one by one 1.0 tokens per target call"
