"""The sentences of the lab. A headline says only what the counts on the screen show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ersd.rules.registry import TRAITS

from ..sentences.formatting import plural
from ..sentences.kinds.table import KINDS, key_of
from ..sentences.numbers import apart

if TYPE_CHECKING:
    from ersd.lab.results import Counts, Experiment

    from .message import Subject

Part = tuple[str, str]
"""What a part of a headline is (`accepted`, `rejected` or nothing), and its text."""

CLEAR_DIFFERENCE = 0.02
"""From this difference of two probabilities on a token counts as favoured by one of the models."""
CLEARLY_OFF = 3.0
"""Deviations of at least this many standard errors are reported."""
FEW_TRIALS = 1000
"""With fewer trials an exact rule and a broken one look alike."""


def headline(subject: Subject, counts: Counts) -> list[Part]:
    """The largest text of the tab."""
    if counts.trials == 1:
        token = subject.names[counts.tokens[0]]
        how = "an accepted guess" if counts.ranks[0] > 0 else "the target’s own token"
        return [("", f"One trial: “{token}” came out, {how}.")]
    count = f"{counts.trials:,} trials: "
    if counts.is_off:
        if subject.bug:
            return [("rejected", f"{subject.bug}: "), ("", "the output leaves the target.")]
        return [("", f"{count}the output leaves the target, as "), ("rejected", "lenient coins"), ("", " do on purpose.")]
    if not TRAITS[subject.algorithm].uses_sampling:
        return [("", f"{count}always the target’s likeliest token.")]
    if counts.trials < FEW_TRIALS:
        return [("", f"{count}no deviation from the target that chance does not explain.")]
    if subject.bug and not subject.is_exact:
        return [("rejected", f"{subject.bug}: "), ("", "no deviation shows with these settings.")]
    if subject.bug:
        return [("", f"{subject.bug}, and the output still follows the target.")]
    if not TRAITS[subject.algorithm].lossless:
        return [("", f"{count}no deviation shows: this leniency is small, or p and q are close.")]
    return [("", f"{count}the output follows the target. "), ("accepted", "Exact.")]


def sentence(subject: Subject, found: Experiment) -> str:
    """The line below the headline."""
    if subject.bug:
        return _bug_sentence(subject, found)
    traits = TRAITS[subject.algorithm]
    if not traits.drafts:
        return "Nothing is drafted: the target samples alone, by a race that only it runs."
    # of distinct guesses there are no more than tokens that the draft can write
    count = subject.k if traits.with_replacement else min(subject.k, sum(q > 0 for q in subject.q))
    is_or_are = "is" if count == 1 else "are"
    if not traits.uses_sampling:
        largest = "token" if count == 1 else _guesses(count)
        return f"The {largest} with the largest q {is_or_are} drafted; chance plays no part."
    if traits.clocks == "target":
        largest = "token" if count == 1 else _guesses(count)
        return f"The {largest} with the largest q {is_or_are} drafted, without clocks; only the target races."
    if KINDS[key_of(traits.kind)].are_certain and subject.k > 1:
        if count < subject.k or count == sum(q > 0 for q in subject.q):
            return "All tokens that the draft can write are guesses, for certain. So nothing is left for a wild card."
        favourites = "token" if count == 2 else _guesses(count - 1)
        return f"The {favourites} with the largest q {'is' if count == 2 else 'are'} drafted for certain, and a wild card from the rest."
    if traits.joint:
        return f"A sequence of {_guesses(subject.k)} is drafted from q, token by token; below, the first token of the output is counted."
    if traits.most_children == 1:
        return "One token is drafted from q, and its coin is lenient."
    drafted = f"{_guesses(count).capitalize()} {is_or_are} drafted from q"
    return f"{drafted}, yet the output has the shape of p. Pull a bar and see."


def _bug_sentence(subject: Subject, found: Experiment) -> str:
    """What a bug does to the output and to the acceptance, as far as these trials show it."""
    counts = found.counts
    if counts.trials < FEW_TRIALS:
        return f"Count more trials to see what it does. {subject.why}"
    if found.is_too_good and found.limit is not None:
        accepted, limit = apart(counts.accepted, found.limit)
        return f"Too good to be true: {accepted} accepted, where no exact rule can exceed {limit}. {subject.why}"
    if not counts.is_off and not subject.is_exact:
        usual = "Draft two or more tokens" if TRAITS[subject.algorithm].joint and subject.k == 1 else "Pull p and q apart"
        more = subject.hint or usual
        return f"{more} to see it.{_acceptance(found)}"
    return f"{subject.why}{_acceptance(found)}"


def _acceptance(found: Experiment) -> str:
    """How the acceptance differs from that of the rule without the bug, after another sentence."""
    if found.usual is None:
        return ""
    if not found.deviates:
        return " Acceptance is the same as without the bug."
    accepted, usual = apart(found.counts.accepted, found.usual)
    return f" It accepts {'more' if found.deviates > 0 else 'less'}: {accepted} instead of {usual}."


def leanings(subject: Subject) -> str:
    """Which tokens either model favours."""
    if not TRAITS[subject.algorithm].drafts:
        return "Nothing is drafted, so the draft’s q plays no part."
    if list(subject.p) == list(subject.q):
        return "Draft and target agree on every token."
    sides = {"draft": _favoured(subject, 1), "target": _favoured(subject, -1)}
    leans = [f"the {who} leans to {_listed(names)}" for who, names in sides.items() if names]
    words = ", ".join(leans).replace(", the target leans to", ", the target to")
    return f"{words[0].upper()}{words[1:]}." if words else "Draft and target nearly agree on every token."


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
    if not TRAITS[subject.algorithm].uses_sampling:
        return "The target’s likeliest token came out every time, however likely the others are."
    if counts.trials < FEW_TRIALS:
        return f"{plural(counts.trials, 'trial')}: few, so chance moves the bars."
    return "Accepted guesses fill a part of p; the target’s own tokens fill the rest."


def _favoured(subject: Subject, sign: int) -> list[str]:
    differences = [sign * (q - p) for p, q in zip(subject.p, subject.q, strict=True)]
    order = sorted(range(len(differences)), key=lambda token: -differences[token])
    return [subject.names[token] for token in order[:2] if differences[token] >= CLEAR_DIFFERENCE]


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


def _guesses(k: int) -> str:
    words = {1: "one token", 2: "two tokens", 3: "three tokens", 4: "four tokens", 5: "five tokens", 6: "six tokens"}
    return words.get(k, plural(k, "token"))
