"""The decision at one visited node, as the browser shows it beside the tree: sentence, table, figures and tries; and the picture's style.

The picture has the tokens in its centre, a row each, the draft's bars to the left of them, the target's to the right. The browser lays it
out in pixels for the size it is given.
"""

from __future__ import annotations

from typing import cast

from ersd.draft_tree import ROOT
from ersd.trace.step import MAX_LEFT, MAX_ROWS, Row, Step, Try, Visit, kept

from . import redraw
from .message_types.kit import DecisionWords, MarkStyle
from .message_types.step import Block, Decision, Facts, Mark, Residual, Try as SentTry
from .sentences.formatting import last_words, token_label
from .sentences.kinds.kind import Kind
from .sentences.kinds.leaves import began, is_lowered, lowered
from .sentences.kinds.table import key_of, kind_of
from .sentences.nodes import children_of, drawn_after, was_drafted
from .sentences.numbers import brief
from .theme import SIGNS, axis, base_layout

SCALES = (0.1, 0.25, 0.5, 1.0)
"""Probability scales; a table takes the smallest that holds all its bars, those of the residuals included."""
TITLE_COLUMNS = 16
"""Characters of the text before a decision that its title shows."""
COIN_DIGITS = 9
"""Digits of a coin and of what it is compared with, so that they stay apart."""

FIGURES = {
    "tv": "TV(P, Q)",
    "kl": "KL",
    "d_hm": "D_HM",
    "entropy": "entropy",
    "match": "match",
    "rho": "ρ*",
    "predicted": "predicted",
    "optimum": "predicted ≤",
    "bias": "TV paid",
}
"""Fields of a Visit that are sent as they are, with their names in the table of every decision."""
WORDS: DecisionWords = {
    "leaf": "nothing drafted here",
    "no_draft": "no draft",
    "unvisited": "Not visited: “{name}” above it was not accepted.",
    "beyond": "Not reached: the text ended before it.",
    "absent": "The walk did not go on from “{name}”, so nothing was decided after it.",
    "certain": "certain",
    "cut": "dashed line: the cut",
    "first_call": "Shown: draft call 1. Later calls do the same after the tokens just guessed.",
    "about": "Shown is the decision about “{name}”.",
}
"""Sentences that the browser fills in or adds, and the key of a sequence that was cut."""

LAYOUT = base_layout(barmode="overlay", hoverdistance=20, xaxis=axis(), yaxis=axis())


def _mark(sign: str, drafted: bool, draft: str, target: str, ink: str) -> MarkStyle:
    return {"sign": sign, "drafted": drafted, "draft": draft, "target": target, "ink": ink}


MARKS: dict[Mark, MarkStyle] = {
    "accepted": _mark(SIGNS["accepted"], True, "$drafted", "$accepted-fill", "$accepted-ink"),
    "accepted_leader": _mark(SIGNS["accepted"], True, "$leader", "$accepted-fill", "$accepted-ink"),
    "target": _mark(SIGNS["target"], False, "$bar", "$target", "$target-ink"),
    "rejected": _mark(SIGNS["rejected"], True, "$drafted", "$drafted", "$rejected-ink"),
    "leader": _mark(SIGNS["leader"], True, "$leader", "$drafted", "$leader-ink"),
    "drafted": _mark("", True, "$drafted", "$drafted", "$ink"),
    "": _mark("", False, "$bar", "$bar", "$muted"),
}
"""Mark of a row -> its sign, whether its token was drafted, the colours of its bars and of its name."""


def decision(step: Step, visit: Visit, before: str) -> Decision:
    """What the browser needs to show one visited node.

    Args:
        step: the step that the visit belongs to.
        visit: the visited node.
        before: the whole text before the decision; the title shows its end.
    """
    kind, rows = kind_of(visit), visit.rows[:MAX_ROWS]
    elsewhere = redraw.others(visit)
    digits = redraw.DIGITS if elsewhere else 5
    row_of = {row.token: index for index, row in enumerate(rows)}
    children = children_of(step, visit.vertex)
    sent: Decision = {
        "kind": key_of(visit.kind),
        "leaf": not visit.tries,
        "title": _title(step, visit, kind, last_words(before, TITLE_COLUMNS)),
        "say": kind.decided(step, visit) if visit.tries else kind.at_leaf(step, visit),
        "names": [token_label(row.text, row.token) for row in rows],
        "marks": _marks(step, visit, rows, kind),
        "chosen": row_of.get(visit.token, -1),
        "rank": visit.rank if kind.has_leader else None,
        "p": [brief(row.p, digits) for row in rows],
        "q": _known([row.q for row in rows], digits) if was_drafted(visit) else None,
        "row_of": {child: row_of[step.tokens[child]] for child in children if step.tokens[child] in row_of},
        "facts": _facts(visit, kind),
    }
    if kind.are_certain and len(children) > 1:
        sent["chances"] = _chances(step, visit, rows)
    if "clock" in kind.sends:
        sent["clock"] = _known([row.clock for row in rows], digits)
    if "laps" in kind.sends:
        sent["laps"] = {
            "rows": [row_of.get(one.token, -1) for one in visit.arrivals],
            "times": [brief(one.time, digits) for one in visit.arrivals],
        }
    if "scale" in kind.sends:
        sent["scale"] = 1.0 if "chances" in sent else _scale(visit, rows)
    if kind.list == "tries" and visit.tries:
        sent["tries"] = [_try(step, visit, one, kind) for one in visit.tries]
        sent["left"] = _residuals(visit, rows)
    elif kind.list == "sequence" and visit.tries and not visit.accepted:
        sent["left"] = _residuals(visit, rows)
    if elsewhere:
        sent["others"] = elsewhere
    return sent


def opening(step: Step, kind: Kind) -> int:
    """The node whose decision is shown first: one that shows how decisions of this kind are made, also where the path ends at a leaf."""
    node = step.end
    while kind.opens_with and drawn_after(step, node) < kind.opens_with:
        if node == ROOT:
            return step.end
        node = step.parents[node]
    return node


def _title(step: Step, visit: Visit, kind: Kind, before: str) -> str:
    return f"{kind.name} {step.number_of(visit)}: what follows “{before}”?" if kind.is_numbered else f"What follows “{before}”?"


def _known(values: list[float | None], digits: int) -> list[float]:
    """A column that the kind of the decision has."""
    return cast("list[float]", [brief(value, digits) for value in values])


def _facts(visit: Visit, kind: Kind) -> Facts:
    """The figures known at a node that make sense for its kind; None is an infinite KL."""
    known = {name: brief(getattr(visit, name)) for name in FIGURES if name != "match" or kind.has_match}
    has_kl = visit.tv is not None  # all distances are known together
    return cast("Facts", {name: value for name, value in known.items() if value is not None or (name == "kl" and has_kl)})


def _marks(step: Step, visit: Visit, rows: list[Row], kind: Kind) -> list[Mark]:
    """The mark of every row: the chosen token (accepted, or the target's own), tried in vain, the draft's first, or none."""
    tried = {step.tokens[one.vertex] for one in visit.tries}
    marks: list[Mark] = [kind.tried if row.token in tried else "" for row in rows]
    has_leader = kind.has_leader and was_drafted(visit)
    if has_leader:
        marks[0] = "leader"
    for index, row in enumerate(rows):
        if row.token == visit.token:
            marks[index] = ("accepted_leader" if has_leader and not index else "accepted") if visit.accepted else "target"
    return marks


def _try(step: Step, visit: Visit, one: Try, kind: Kind) -> SentTry:
    """One coin."""
    coin, ratio = brief(one.coin, COIN_DIGITS), cast("float", brief(one.ratio, COIN_DIGITS))
    short, say = kind.outcome(one), kind.say(step, visit, one)
    sent: SentTry = {"vertex": one.vertex, "coin": coin, "ratio": ratio, "accepted": one.accepted, "short": short, "say": say}
    if one.weight is not None:
        sent |= {"turn": one.turn or 0}
        if is_lowered(one):
            sent |= {"began": brief(began(one), COIN_DIGITS), "lowered": lowered(one)}
    return sent


def _residuals(visit: Visit, rows: list[Row]) -> list[Residual]:
    """The remaining target probabilities after each rejection, row by row; None where a rejection changed nothing.

    `mass`: what remains of P, None in a run from before it was recorded.
    """
    shares = dict(enumerate((one.share for one in visit.tries if not one.accepted), start=1))
    after = list(range(1, min((len(row.left) for row in rows), default=0) + 1))
    if len(after) == MAX_LEFT:  # of more rejections the first ones and the last are recorded
        after[-1] = len(shares)
    return [{"after": n, "p": _column(rows, index), "mass": brief(shares.get(n))} for index, n in enumerate(after)]


def _chances(step: Step, visit: Visit, rows: list[Row]) -> list[float | None]:
    """By row, the probability with which a child of certain ones was drafted: 1, or that of the one that was drawn from the rest."""
    first = visit.tries[0]
    certain = {step.tokens[child] for child in children_of(step, visit.vertex)}
    known = {**dict.fromkeys(certain, 1.0), step.tokens[first.vertex]: first.drawn or 1.0}
    return [brief(known.get(row.token)) for row in rows]


def _column(rows: list[Row], index: int) -> list[float] | None:
    return None if all(row.left[index] == row.p for row in rows) else [brief(row.left[index], 3) for row in rows]


def _scale(visit: Visit, rows: list[Row]) -> float:
    """The smallest of SCALES that holds every bar of the table, at any of the tries."""
    drawn = [(visit.rho or 1.0) * (row.q or 0.0) for row in rows] + [one.drawn or 0.0 for one in visit.tries]
    target = [value for row in rows for value in (row.p, row.q or 0.0, *row.left)]
    largest = max([*target, *drawn], default=1.0)
    return next(scale for scale in SCALES if largest <= scale or scale == SCALES[-1])


def block_columns(step: Step) -> Block:
    """A sequence decided as a whole: how many of its tokens are kept, and the figures of every drafted one."""

    def column(name: str) -> list[float]:
        return [brief(getattr(one, name), COIN_DIGITS) for one in step.block]

    return {"kept": kept(step), "ratio": column("ratio"), "joint": column("joint"), "keep": column("keep"), "coin": column("coin")}
