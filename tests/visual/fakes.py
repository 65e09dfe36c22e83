"""Small Steps with known numbers, made by hand. The one place of fake steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ersd.draft_tree import NO_TOKEN
from ersd.settings import Settings
from ersd.trace.model import Trace
from ersd.trace.step import MAX_LEFT, Arrival, Emitted, Joint, Row, Step, Try, Visit

SETTINGS = Settings(draft_tokens=4, max_new_tokens=8)

BY_KIND = {
    "race": SETTINGS,
    "coins": replace(SETTINGS, algorithm="gsd", topology="batch"),
    "block": replace(SETTINGS, algorithm="block", topology="sequence"),
    "likelihood": replace(SETTINGS, algorithm="greedy"),
    "favourites": replace(SETTINGS, algorithm="spechub", topology="batch"),
    "half_race": replace(SETTINGS, algorithm="half_race"),
    "laps": replace(SETTINGS, topology="poisson"),
    "leaves": replace(SETTINGS, algorithm="traversal", topology="specinfer", branching=(2, 2)),
}
"""Kind -> settings whose rule is of this kind."""


def row(token: int, text: str, p: float, q: float | None, clock: float | None = None, left: Sequence[float] = ()) -> Row:
    return Row(
        token=token,
        text=text,
        p=p,
        q=q,
        clock=clock,
        draft_time=clock / q if clock and q else None,
        target_time=clock / p if clock and p else None,
        left=list(left),
    )


def visit(
    kind: str, rows: list[Row], token: int, *, tries: Sequence[Try] = (), vertex: int = -1, rank: int | None = None, **more: Any
) -> Visit:
    """A visit at which `token`, one of the rows, was chosen."""
    accepted = any(one.accepted for one in tries)
    text = next(each.text for each in rows if each.token == token)
    fields = {"entropy": 1.0, **more}
    return Visit(
        kind=kind, vertex=vertex, tries=list(tries), token=token, text=text, accepted=accepted, rank=rank, rows=rows, **fields
    )  # fmt: skip


def step(walk: list[Visit], parents: Sequence[int] = (), tokens: Sequence[int] = (), **more: Any) -> Step:
    """A step whose tree has these parents and tokens; other fields are computed or plain, unless given."""
    known = {each.token: each.text for one in walk for each in one.rows}
    depths: list[int] = []
    for parent in parents:
        depths.append(1 if parent < 0 else depths[parent] + 1)
    fields: dict[str, Any] = {
        "index": 0,
        "position": 5,
        "tokens": list(tokens),
        "parents": list(parents),
        "depths": depths,
        "draft_probs": [0.5] * len(parents),
        "ranks": [1 + list(parents[:vertex]).count(parent) for vertex, parent in enumerate(parents)],
        "texts": [known.get(token, f" t{token}") for token in tokens],
        "walk": walk,
        "emitted": [Emitted(token=one.token, text=one.text, source="draft" if one.accepted else "target") for one in walk],
        "draft_ms": 1.0,
        "target_ms": 2.0,
        "verify_ms": 0.1,
        "draft_calls": max(depths, default=0),
        "call_of": depths,
    }
    return Step(**{**fields, **more})


def race_step() -> Step:
    """A root with two children; the second is accepted, at it a child is beaten by a token that was not drafted."""
    first = visit(
        "race",
        [row(1, " liked", p=0.1, q=0.6, clock=0.12), row(2, " loved", p=0.5, q=0.2, clock=0.06), row(3, "\n", p=0.05, q=0.05, clock=2.0)],
        token=2,
        rank=2,
        tries=[
            Try(vertex=0, accepted=False, p=0.1, q=0.6, draft_time=0.2, target_time=1.2),
            Try(vertex=1, accepted=True, p=0.5, q=0.2, draft_time=0.31, target_time=0.12),
        ],
        tv=0.26,
        match=0.71,
        optimum=0.9,
    )
    second = visit(
        "race",
        [row(8, " play", p=0.2, q=0.5, clock=0.35), row(9, " swim", p=0.6, q=0.03, clock=0.27)],
        token=9,
        vertex=1,
        rank=9,
        tries=[Try(vertex=2, accepted=False, p=0.2, q=0.5, draft_time=0.7, target_time=1.17)],
        tv=0.5,
        match=0.4,
    )
    emitted = [
        Emitted(token=2, text=" loved", source="draft"),
        Emitted(token=9, text=" swim", source="target", near_tie=True),
    ]
    texts = [" liked", " loved", " play", " dog"]
    probabilities = [0.6, 0.2, 0.5, 0.03]
    return step(
        [first, second], parents=[-1, -1, 1, 0], tokens=[1, 2, 8, 4], texts=texts, draft_probs=probabilities, emitted=emitted
    )  # fmt: skip


def laps_step() -> Step:
    """The race of `race_step` in laps: " liked" arrives twice before the stop, " loved" once."""
    plain = race_step()
    arrivals = [Arrival(1, 1, 0.2), Arrival(2, 1, 0.3), Arrival(1, 2, 0.9)], [Arrival(8, 1, 0.7)]
    walk = [replace(one, kind="laps", arrivals=some) for one, some in zip(plain.walk, arrivals, strict=True)]
    return replace(plain, walk=walk, draws=[2, 1, 1, 2])


def silent_step() -> Step:
    """An accepted token that adds nothing to the text, as the one that ends it."""
    accepted = Try(vertex=0, accepted=True, p=0.8, q=0.7, draft_time=0.2, target_time=0.18)
    first = visit("race", [row(0, "<|end|>", p=0.8, q=0.7, clock=0.14)], token=0, rank=1, tries=[accepted])
    return step([first], parents=[-1], tokens=[0], emitted=[Emitted(token=0, text="", source="draft")])


def coin_step(accepted: bool = False, tries: int = 1) -> Step:
    """A batch of i.i.d. children under a rule that records no residuals; the last is accepted, or none."""
    first = Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=0.41 / 0.66, coin=0.83)
    made = [replace(first, vertex=vertex, ratio=first.ratio if vertex == 0 else 0.3) for vertex in range(tries)]
    if accepted:
        made[-1] = replace(made[-1], accepted=True, ratio=0.41 / 0.66, coin=0.2)
    rows = [row(5, " x", p=0.41, q=0.66), row(7, " y", p=0.3, q=0.1)]
    decided = visit("coins", rows, token=5 if accepted else 7, tries=made, rank=tries if accepted else None, tv=0.2)
    return step([decided], parents=[-1] * tries, tokens=[5] * tries, draft_probs=[0.66] * tries)


def residual_step(rejections: int = 2, accepted: bool = True) -> Step:
    """GSD with known residuals: " x" is rejected again and again, then " z" is accepted, or " y" is drawn from the remainder."""
    left = [round(0.41 / (2 + i), 4) for i in range(rejections)]
    kept = left if rejections <= MAX_LEFT else [*left[: MAX_LEFT - 1], left[-1]]
    tries = [
        Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=rest / 0.66, coin=0.83, left=rest, drawn=0.66)
        for rest in [0.41, *left][:rejections]
    ]
    if accepted:
        tries.append(Try(vertex=1, accepted=True, p=0.2, q=0.1, ratio=0.35 / 0.1, coin=0.5, left=0.35, drawn=0.1))
    rows = [
        row(5, " x", p=0.41, q=0.66, left=kept),
        row(6, " z", p=0.2, q=0.1, left=[0.35] * len(kept)),
        row(7, " y", p=0.3, q=0.1, left=[0.3] * len(kept)),
    ]
    rank = len(tries) if accepted else None
    decided = visit("coins", rows, token=6 if accepted else 7, tries=tries, rank=rank, tv=0.2, predicted=0.8, optimum=0.9)
    figures = {"expected": 1.8, "rank_entropy": 0.5, "bound": 4.2}
    return step([decided], parents=[-1, -1], tokens=[5, 6], draft_probs=[0.66, 0.1], **figures)


def one_try(one: Try, accepted: bool = False, **more: float) -> Step:
    """A step with a single try; `more`: other fields of its visit."""
    rows = [row(5, " x", p=one.p, q=one.q), row(7, " y", p=0.3, q=0.1)]
    decided = visit("coins", rows, token=5 if accepted else 7, tries=[replace(one, accepted=accepted)], tv=0.2, **more)
    return step([decided], parents=[-1], tokens=[5], draft_probs=[one.q])


def block_step(coins: tuple[float, ...] = (0.9, 0.3, 0.8)) -> Step:
    """Block verification of up to 12 tokens; the walk goes as far as the last coin below its keep probability, 0.5 everywhere."""
    block = [Joint(vertex=i, ratio=0.8, joint=round(0.8 ** (i + 1), 3), keep=0.5, coin=coin) for i, coin in enumerate(coins)]
    stay = max((i + 1 for i, coin in enumerate(coins) if coin < 0.5), default=0)
    own, texts = row(9, " own", p=0.3, q=0.1), [f" {letter}" for letter in "abcdefghijkl"[: len(coins)]]
    walk = []
    for place in range(min(stay + 1, len(coins))):
        kept = place < stay
        one = Try(vertex=place, accepted=kept, p=0.4, q=0.5, ratio=0.5, coin=coins[place])
        rows = [row(place + 1, texts[place], p=0.4, q=0.5), own]
        walk.append(visit("block", rows, token=place + 1 if kept else 9, tries=[one], vertex=place - 1, rank=1 if kept else None, tv=0.1))
    if stay == len(coins):
        walk.append(visit("block", [row(9, " own", p=0.3, q=None)], token=9, vertex=stay - 1))
    places = range(len(coins))
    return step(walk, parents=[place - 1 for place in places], tokens=[place + 1 for place in places], texts=texts, block=block)


def bare_step(kind: str = "race") -> Step:
    """No tree: the target alone."""
    return step([visit(kind, [row(2, " loved", p=0.5, q=None, clock=0.06 if kind == "race" else None)], token=2)])


def leaf_step(kind: str) -> Step:
    """One drafted token, accepted, and the leaf after it."""
    one = Try(vertex=0, accepted=True, p=0.6, q=0.5)
    if kind in ("coins", "favourites"):
        one = replace(one, ratio=1.2, coin=0.4)
    clock = 0.1 if kind in ("race", "half_race", "laps") else None
    first = visit(kind, [row(1, " a", p=0.6, q=0.5, clock=clock)], token=1, tries=[one], rank=1)
    leaf = visit(kind, [row(2, " b", p=0.5, q=None, clock=clock)], token=2, vertex=0)
    block = [Joint(vertex=0, ratio=1.2, joint=1.0, keep=1.0, coin=0.4)] if kind == "block" else []
    return step([first, leaf], parents=[-1], tokens=[1], block=block)


def greedy_step(accepted: bool = False) -> Step:
    rows = [row(1, " a", p=0.2, q=0.5), row(3, " end", p=0.7, q=0.1)]
    tries = [Try(vertex=0, accepted=False, p=0.2, q=0.5)]
    if accepted:
        tries.append(Try(vertex=1, accepted=True, p=0.7, q=0.1))
    decided = visit("likelihood", rows, token=3, tries=tries, rank=2 if accepted else 4, entropy=0.5)
    return step([decided], parents=[-1] * len(tries), tokens=[1, 3][: len(tries)])


def favourites_step(accepted: int = -1) -> Step:
    """A wild card " x" and the favourites " a" and " b": the try `accepted` is accepted, or " y" is drawn.

    Q is 0.4, 0.3, 0.2, 0.1 for a, b, x, y: the wild card comes from x and y with 2/3 and 1/3.
    """
    p, q = {1: 0.3, 2: 0.1, 5: 0.2, 7: 0.4}, {1: 0.4, 2: 0.3, 5: 0.2, 7: 0.1}
    names = {1: " a", 2: " b", 5: " x", 7: " y"}
    tries = [
        Try(vertex=0, accepted=False, p=0.2, q=0.2, ratio=0.3, coin=0.8, left=0.2, drawn=2 / 3),
        Try(vertex=1, accepted=False, p=0.3, q=0.4, ratio=0.3 / 0.4667, coin=0.7, left=0.3 / 0.4667, drawn=1.0),
        Try(vertex=2, accepted=False, p=0.1, q=0.3, ratio=0.1 / 0.1667, coin=0.9, left=0.1 / 0.1667, drawn=1.0),
    ]
    if accepted >= 0:
        tries = [*tries[:accepted], replace(tries[accepted], accepted=True, coin=0.1)]
    after = [{1: 0.3, 2: 0.1, 5: 0.0, 7: 0.0667}, {1: 0.0, 2: 0.1, 5: 0.0, 7: 0.0667}, {1: 0.0, 2: 0.0, 5: 0.0, 7: 0.0667}]
    rejected = sum(not one.accepted for one in tries)
    rows = [
        row(token, names[token], p[token], q[token], left=[each[token] / sum(each.values()) for each in after[:rejected]]) for token in p
    ]
    token = [5, 1, 2, 7][accepted]
    decided = visit("favourites", rows, token=token, tries=tries, rank=accepted + 1 if accepted >= 0 else None, tv=0.3, predicted=0.6)
    return step([decided], parents=[-1] * 3, tokens=[5, 1, 2], draft_probs=[0.2, 0.4, 0.3])


def half_race_step(accepted: bool = False, drafted: int = 1) -> Step:
    """The draft's likeliest " ball" is guessed, or its two likeliest; the target's winner is " dog"."""
    rows = [
        row(1, " ball", p=0.1, q=0.4, clock=2.2),
        row(2, " dog" if accepted else " tree", p=0.4 if accepted else 0.2, q=0.3, clock=0.11 if accepted else 1.4),
        row(3, " cat" if accepted else " dog", p=0.3 if accepted else 0.4, q=0.1, clock=0.39 if accepted else 0.11),
    ]
    rows = [replace(each, draft_time=None) for each in rows]
    tries = [
        Try(vertex=at, accepted=accepted and at == 1, p=rows[at].p, q=rows[at].q or 0.0, target_time=rows[at].target_time)
        for at in range(drafted)
    ]
    decided = visit("half_race", rows, token=2 if accepted else 3, tries=tries, rank=2 if accepted else 4, tv=0.4)
    return step([decided], parents=[-1] * drafted, tokens=[1, 2][:drafted])


def leaves_step() -> Step:
    """Traversal: " long" fails after both guesses that follow it, then the coin of " of" keeps " lot of"."""
    rows = [
        row(1, " long", p=0.19, q=0.5, left=[0.0]),
        row(2, " lot", p=0.06, q=0.201, left=[0.098]),
        row(3, " big", p=0.4, q=0.1, left=[0.6]),
    ]
    lot = Try(vertex=1, accepted=True, p=0.06, q=0.201, ratio=0.098 / 0.201, coin=None, left=0.098, drawn=0.201, weight=1.0)
    root = [Try(vertex=0, accepted=False, p=0.19, q=0.5, ratio=0.04, coin=0.83, left=0.19, drawn=0.5, weight=1.0, turn=3), lot]
    comma = Try(vertex=2, accepted=False, p=0.5, q=0.475, ratio=0.4, coin=0.83, left=0.5, drawn=0.475, weight=0.38, turn=1)
    below = [comma, Try(vertex=3, accepted=False, p=0.1, q=0.2, ratio=0.0, coin=0.25, left=0.0, drawn=0.2, weight=0.08, turn=2)]
    after = [row(4, ",", p=0.5, q=0.475, left=[0.0, 0.0]), row(5, " nest", p=0.1, q=0.2, left=[0.0, 0.0])]
    failed = Visit(
        kind="leaves", vertex=0, tries=below, token=NO_TOKEN, text="", accepted=False, rank=None, rows=after, entropy=1.0, tv=0.2
    )
    of = Try(vertex=4, accepted=True, p=1.0, q=1.0, ratio=0.098 / 0.201, coin=0.21, left=1.0, drawn=1.0, weight=0.098 / 0.201, turn=4)
    walk = [
        failed,
        visit("leaves", [row(7, " birds", p=0.3, q=None)], token=7, vertex=4),
        visit("leaves", [row(6, " of", p=1.0, q=1.0)], token=6, vertex=1, tries=[of], rank=1, tv=0.0),
        visit("leaves", rows, token=2, tries=root, rank=2, tv=0.2),
    ]
    emitted = [Emitted(2, " lot", "draft"), Emitted(6, " of", "draft"), Emitted(7, " birds", "target")]
    return step(walk, parents=[-1, -1, 0, 0, 1], tokens=[1, 2, 4, 5, 6], emitted=emitted)


def large_step(parents: list[int]) -> Step:
    """A tree of a given shape in which nothing is accepted."""
    count = len(parents)
    tries = [
        Try(vertex=vertex, accepted=False, p=0.01, q=0.02, draft_time=1.0, target_time=2.0)
        for vertex, parent in enumerate(parents)
        if parent < 0
    ]
    own = count + 99
    decided = visit("race", [row(own, " own", p=0.5, q=0.01, clock=0.2)], token=own, tries=tries, rank=count + 1, tv=0.5, match=0.3)
    texts = [f" verylongtoken{vertex}" for vertex in range(count)]
    return step([decided], parents=parents, tokens=list(range(count)), texts=texts, draft_probs=[0.02] * count)


def trace(*steps: Step) -> Trace:
    numbered = [replace(each, index=i) for i, each in enumerate(steps)]
    return Trace(
        prompt="Once she",
        settings=BY_KIND.get(steps[0].walk[0].kind, SETTINGS),
        models={"target": "big", "draft": "small"},
        text="".join(one.text for each in numbered for one in each.emitted),
        token_ids=[one.token for each in numbered for one in each.emitted],
        steps=numbered,
        stopped="max_new_tokens",
    )
