"""The sentences of the lab. A headline says only what the counts on the screen show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ersd.rules.registry import TRAITS
from ersd.trace.experiment import Counts

from ..sentences.formatting import plural

if TYPE_CHECKING:
    from .message import Subject

Part = tuple[str, str]
"""What a part of a headline is (`accepted`, `rejected` or nothing), and its text."""

CLEAR = 0.02
"""From this difference of two probabilities on a token counts as favoured by one of the models."""
CLEARLY_OFF = 3.0
"""From so many standard errors on a token is said to come out too often or too rarely."""
TOO_GOOD = 0.02
"""By how much the acceptance must exceed what is possible before it is called so."""
FEW = 1000
"""With fewer trials an exact rule and a broken one look alike."""


def headline(subject: Subject, counts: Counts) -> list[Part]:
    """The largest text of the tab."""
    if counts.trials == 1:
        token = subject.names[counts.tokens[0]]
        how = "an accepted guess" if counts.ranks[0] > 0 else "the target’s own token"
        return [("", f"One trial: “{token}” came out, {how}.")]
    count = f"{counts.trials:,} trials: "
    if counts.is_off:
        if subject.why:
            return [("rejected", f"{subject.bug_label}: "), ("", "the output leaves the target.")]
        return [("", f"{count}the output leaves the target, as "), ("rejected", "lenient coins"), ("", " do on purpose.")]
    if subject.algorithm == "greedy":
        return [("", f"{count}always the target’s likeliest token.")]
    if counts.trials < FEW:
        return [("", f"{count}no deviation from the target that chance does not explain.")]
    if subject.why:
        return [("rejected", f"{subject.bug_label}: "), ("", "no deviation shows with these probabilities.")]
    if subject.bug:
        return [("", f"{subject.bug_label}, and the output still follows the target.")]
    if not TRAITS[subject.algorithm].lossless:
        return [("", f"{count}no deviation shows: this leniency is small, or p and q are close.")]
    return [("", f"{count}the output follows the target. "), ("accepted", "Exact.")]


def sentence(subject: Subject, counts: Counts, most: float | None) -> str:
    """The line below the headline."""
    if subject.why and most is not None and counts.accepted > most + TOO_GOOD:
        return f"Too good to be true: {counts.accepted:.2f} accepted, where no exact rule can exceed {most:.2f}. {subject.why}"
    if subject.why:
        return f"What goes wrong: {subject.why[0].lower()}{subject.why[1:]}" if counts.is_off else "Pull p and q apart to see it."
    if subject.bug:
        return "A race shares its randomness by design, so this mistake cannot hurt it."
    traits = TRAITS[subject.algorithm]
    if not traits.drafts:
        return "Nothing is drafted: the target samples alone, by a race that only it runs."
    if subject.algorithm == "greedy":
        return f"The {_guesses(subject.k)} with the largest q are drafted; chance plays no part."
    if traits.joint:
        return f"A sequence of {_guesses(subject.k)} is drafted from q, token by token; below, the first token of the output is counted."
    if traits.most_children == 1:
        return "One token is drafted from q, and its coin is lenient."
    drafted = f"{_guesses(subject.k).capitalize()} {'is' if subject.k == 1 else 'are'} drafted from q"
    return f"{drafted}, yet the output has the shape of p. Pull a bar and see."


def leanings(subject: Subject) -> str:
    """Which tokens either model favours."""
    by_draft, by_target = (_favoured(subject, sign) for sign in (1, -1))
    if not by_draft or not by_target:
        return "Draft and target agree on every token."
    return f"The draft leans to {_listed(by_draft)}, the target to {_listed(by_target)}."


def caption(subject: Subject, counts: Counts) -> str:
    """What the output bars show."""
    if counts.is_off:
        order = sorted(range(len(counts.off)), key=lambda token: counts.off[token])
        often = [subject.names[token] for token in reversed(order) if counts.off[token] > CLEARLY_OFF][:2]
        rare = [subject.names[token] for token in order if counts.off[token] < -CLEARLY_OFF][:2]
        parts = [f"{words}: {_listed(names)}" for words, names in (("too often", often), ("too rare", rare)) if names]
        return f"Compared with p, {'; '.join(parts)}."
    if not TRAITS[subject.algorithm].drafts:
        return "Every token is the target’s own."
    if counts.trials < FEW:
        return f"{plural(counts.trials, 'trial')}: few, so chance moves the bars."
    return "Accepted guesses fill a part of p; the target’s own tokens fill the rest."


def _favoured(subject: Subject, sign: int) -> list[str]:
    differences = [sign * (q - p) for p, q in zip(subject.p, subject.q, strict=True)]
    order = sorted(range(len(differences)), key=lambda token: -differences[token])
    return [subject.names[token] for token in order[:2] if differences[token] >= CLEAR]


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


def _guesses(k: int) -> str:
    words = {1: "one token", 2: "two tokens", 3: "three tokens", 4: "four tokens", 5: "five tokens", 6: "six tokens"}
    return words.get(k, plural(k, "token"))
