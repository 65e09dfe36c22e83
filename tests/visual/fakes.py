"""Tiny Steps with known numbers, made by hand."""

from __future__ import annotations

from dataclasses import replace

from ersd.settings import Settings
from ersd.trace import Emitted, Joint, Row, Step, Trace, Try, Visit

SETTINGS = Settings(draft_tokens=4, max_new_tokens=8)


def row(token: int, text: str, p: float, q: float | None, clock: float | None = None) -> Row:
    times = {"draft_time": clock / q if clock and q else None, "target_time": clock / p if clock and p else None}
    return Row(token, text, p, q, clock, **times)


def race_step() -> Step:
    """A root with two children; the second is accepted, at it a child is beaten by a token that was not drafted."""
    first = Visit(
        vertex=-1, token=2, text=" loved", accepted=True, rank=2, entropy=1.1, tv=0.26, match=0.71, predicted=None, optimum=0.9,
        tries=[
            Try(0, False, p=0.1, q=0.6, draft_time=0.2, target_time=1.2),
            Try(1, True, p=0.5, q=0.2, draft_time=0.31, target_time=0.12),
        ],
        rows=[row(1, " liked", 0.1, 0.6, 0.12), row(2, " loved", 0.5, 0.2, 0.06), row(3, "\n", 0.05, 0.05, 2.0)],
    )  # fmt: skip
    second = Visit(
        vertex=1, token=9, text=" swim", accepted=False, rank=9, entropy=0.8, tv=0.5, match=0.4,
        tries=[Try(2, False, p=0.2, q=0.5, draft_time=0.7, target_time=1.17)],
        rows=[row(8, " play", 0.2, 0.5, 0.35), row(9, " swim", 0.6, 0.03, 0.27)],
    )  # fmt: skip
    return Step(
        index=0, position=5, tokens=[1, 2, 8, 4], parents=[-1, -1, 1, 0], depths=[1, 1, 2, 2], draft_probs=[0.6, 0.2, 0.5, 0.03],
        ranks=[1, 2, 1, 1], texts=[" liked", " loved", " play", " dog"], walk=[first, second],
        emitted=[Emitted(2, " loved", "draft"), Emitted(9, " swim", "target", near_tie=True)], draft_ms=3.0, target_ms=8.0, verify_ms=0.5,
    )  # fmt: skip


def coin_step(accepted: bool = False, tries: int = 1) -> Step:
    """A batch of i.i.d. children under a rejection rule; the last is accepted, or none."""
    made = [Try(v, accepted and v == tries - 1, p=0.41, q=0.66, ratio=0.41 / 0.66 if v == 0 else 0.3, coin=0.83) for v in range(tries)]
    if accepted:
        made[-1] = replace(made[-1], ratio=0.41 / 0.66, coin=0.2)
    visit = Visit(-1, made, 5 if accepted else 7, " x" if accepted else " y", accepted, tries if accepted else None,
                  [row(5, " x", 0.41, 0.66), row(7, " y", 0.3, 0.1)], 1.0, tv=0.2, match=0.7)  # fmt: skip
    emitted = [Emitted(visit.token, visit.text, "draft" if accepted else "target")]
    return Step(0, 5, [5] * tries, [-1] * tries, [1] * tries, [0.66] * tries, list(range(1, tries + 1)), [" x"] * tries,
                [visit], emitted, 1.0, 2.0, 0.1)  # fmt: skip


def residual_step(rejections: int = 2, accepted: bool = True) -> Step:
    """GSD with known residuals: " x" is rejected again and again, then " z" is accepted, or " y" is drawn from what is left."""
    left = [round(0.41 / (2 + i), 4) for i in range(rejections)]
    kept = left if rejections <= 16 else [*left[:15], left[-1]]
    tries = [Try(0, False, 0.41, 0.66, ratio=r / 0.66, coin=0.83, left=r, drawn=0.66) for r in [0.41, *left][:rejections]]
    if accepted:
        tries.append(Try(1, True, 0.2, 0.1, ratio=0.35 / 0.1, coin=0.5, left=0.35, drawn=0.1))
    rows = [
        replace(row(5, " x", 0.41, 0.66), left=kept),
        replace(row(6, " z", 0.2, 0.1), left=[0.35] * len(kept)),
        replace(row(7, " y", 0.3, 0.1), left=[0.3] * len(kept)),
    ]
    token, text = (6, " z") if accepted else (7, " y")
    visit = Visit(
        -1, tries, token, text, accepted, len(tries) if accepted else None, rows, 1.0, tv=0.2, match=0.7, predicted=0.8, optimum=0.9
    )
    emitted = [Emitted(token, text, "draft" if accepted else "target")]
    return Step(0, 5, [5, 6], [-1, -1], [1, 1], [0.66, 0.1], [1, 2], [" x", " z"], [visit], emitted, 1.0, 2.0, 0.1,
                expected=1.8, rank_entropy=0.5, bound=4.2)  # fmt: skip


def one_try(one: Try, accepted: bool = False, **more: float) -> Step:
    """A step with a single try, and what the rule's Visit says besides."""
    one = replace(one, accepted=accepted)
    token, text = (5, " x") if accepted else (7, " y")
    visit = Visit(-1, [one], token, text, accepted, None, [row(5, " x", one.p, one.q), row(7, " y", 0.3, 0.1)], 1.0, tv=0.2, **more)
    emitted = [Emitted(token, text, "draft" if accepted else "target")]
    return Step(0, 5, [5], [-1], [1], [one.q], [1], [" x"], [visit], emitted, 1.0, 2.0, 0.1)


def block_step(coins: tuple[float, ...] = (0.9, 0.3, 0.8)) -> Step:
    """Block verification of three tokens; the walk goes as far as the last coin below its keep probability, 0.5 everywhere."""
    block = [Joint(i, ratio=0.8, joint=round(0.8 ** (i + 1), 3), keep=0.5, coin=coin) for i, coin in enumerate(coins)]
    kept = max((i + 1 for i, coin in enumerate(coins) if coin < 0.5), default=0)
    texts = [" a", " b", " c"]
    walk = []
    for place in range(min(kept + 1, 3)):
        stays = place < kept
        one = Try(place, stays, 0.4, 0.5, ratio=0.5, coin=coins[place])
        token, text = (place + 1, texts[place]) if stays else (9, " own")
        walk.append(
            Visit(place - 1, [one], token, text, stays, 1, [row(place + 1, texts[place], 0.4, 0.5), row(9, " own", 0.3, 0.1)], 1.0, tv=0.1)
        )
    if kept == 3:
        walk.append(Visit(2, [], 9, " own", False, None, [row(9, " own", 0.3, None)], 1.0))
    emitted = [Emitted(visit.token, visit.text, "draft" if visit.accepted else "target") for visit in walk]
    return Step(0, 5, [1, 2, 3], [-1, 0, 1], [1, 2, 3], [0.5] * 3, [1] * 3, texts, walk, emitted, 1.0, 2.0, 0.1, block=block)


def bare_step(clock: float | None = 0.06) -> Step:
    """No tree: the target alone."""
    visit = Visit(-1, [], 2, " loved", False, None, [row(2, " loved", 0.5, None, clock)], 1.0)
    return Step(0, 5, [], [], [], [], [], [], [visit], [Emitted(2, " loved", "target")], 0.0, 5.0, 0.1)


def greedy_step() -> Step:
    visit = Visit(-1, [Try(0, False, p=0.2, q=0.5)], 3, " end", False, 4, [row(1, " a", 0.2, 0.5), row(3, " end", 0.7, 0.1)], 0.5)
    return Step(0, 5, [1], [-1], [1], [0.5], [1], [" a"], [visit], [Emitted(3, " end", "target")], 1.0, 2.0, 0.1)


def large_step(parents: list[int]) -> Step:
    """A tree of a given shape in which nothing is accepted."""
    depths: list[int] = []
    ranks: list[int] = []
    for vertex, parent in enumerate(parents):
        depths.append(1 if parent < 0 else depths[parent] + 1)
        ranks.append(1 + parents[:vertex].count(parent))
    count = len(parents)
    tries = [Try(v, False, 0.01, 0.02, draft_time=1.0, target_time=2.0) for v, parent in enumerate(parents) if parent < 0]
    visit = Visit(-1, tries, 99, " own", False, count + 1, [row(99, " own", 0.5, 0.01, 0.2)], 1.0, tv=0.5, match=0.3)
    return Step(0, 5, list(range(count)), parents, depths, [0.02] * count, ranks, [f" verylongtoken{v}" for v in range(count)],
                [visit], [Emitted(99, " own", "target")], 1.0, 2.0, 0.1)  # fmt: skip


def trace(*steps: Step) -> Trace:
    numbered = [replace(step, index=i) for i, step in enumerate(steps)]
    tokens = [one.token for step in numbered for one in step.emitted]
    words = "".join(one.text for step in numbered for one in step.emitted)
    return Trace("Once she", SETTINGS, {"target": "big", "draft": "small"}, words, tokens, numbered, "max_new_tokens")
