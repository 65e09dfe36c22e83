"""The glossary: every symbol and term of the page in one sentence, with its paper. Shown at the term itself and listed under "?"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A symbol or a term."""

    id: str
    name: str
    """its name in the list"""
    sentence: str
    paper: str = ""
    """arXiv number"""
    signs: tuple[str, ...] = ()
    """how it is written on the page: each occurrence as a whole word shows the explanation"""

    def to_browser(self) -> dict[str, object]:
        """The term as the browser knows it (`Term` in kit_types.js)."""
        return {"id": self.id, "name": self.name, "sentence": self.sentence, "paper": self.paper, "signs": list(self.signs)}


RACES, REJECTION, SPECTR, YIN, BLOCK, SPECINFER = "2504.15475", "2211.17192", "2310.15141", "2411.00841", "2403.10444", "2305.09781"

TERMS: tuple[Term, ...] = (
    Term(
        "P",
        "P, p",
        "The target model's probabilities of the next token, after temperature, top-k and top-p; p is one token's.",
        REJECTION,
        ("P", "p", "target p"),
    ),
    Term(
        "Q",
        "Q, q",
        "The draft model's probabilities of the next token, after the same temperature, top-k and top-p; q is one token's.",
        REJECTION,
        ("Q", "q", "draft q"),
    ),
    Term(
        "ratio",
        "p/q",
        "How much likelier the target finds a drafted token than the draft did: a coin below it accepts the token.",
        REJECTION,
        ("p/q",),
    ),
    Term(
        "coin",
        "coin",
        "A uniform random number from 0 to 1, fixed by the seed: the token is accepted where it falls below the quotient.",
        REJECTION,
        ("coin",),
    ),
    Term(
        "left",
        "remaining target probability",
        "P less what the rejected tries could have given, made to sum to 1: drawing from it keeps the output exact.",
        REJECTION,
        ("remaining target probability", "remaining p"),
    ),
    Term(
        "E",
        "E",
        "A token's clock, Exp(1), fixed by seed and position: it arrives at E / p, and the first arrival is distributed as P.",
        RACES,
        ("E", "E / Q", "E / P"),
    ),
    Term(
        "match",
        "match",
        "The probability that draft and target have the same first arrival: what one drafted token gives in a race.",
        RACES,
        ("match",),
    ),
    Term(
        "TV",
        "TV(P, Q)",
        "Total variation, half the sum of |p − q|: 0 alike, 1 apart; one drafted token is rejected with this probability.",
        YIN,
        ("TV", "TV(P, Q)", "Σ TV", "TV paid"),
    ),
    Term(
        "KL",
        "KL",
        "Kullback-Leibler divergence of P from Q, in nats: how surprised the draft is by the target's tokens, ∞ where it rules one out.",
        "",
        ("KL",),
    ),
    Term("D_HM", "D_HM", "Harmonic-mean distance, 1 − Σ 2pq / (p + q): a lower bound of how often two races differ.", RACES, ("D_HM",)),
    Term("entropy", "entropy", "How open the target's next token is, in nats: 0 where it is certain.", "", ("entropy",)),
    Term(
        "rank",
        "rank distribution",
        "How often the target's token is the draft's 1st, 2nd, 3rd … choice: trees and bounds are made from it.",
        RACES,
        ("rank distribution", "accepted by rank"),
    ),
    Term(
        "H[R]",
        "H[R]",
        "The entropy of the rank distribution so far, in nats: a tree of k tokens gives (log |Ω| + log(k + 1)) / H[R] at most, expected.",
        RACES,
        ("H[R]",),
    ),
    Term("tau", "τ*", "The tree of k tokens with the most expected accepted tokens under the rank distribution.", RACES, ("τ*", "τ* tree")),
    Term("k", "k", "The number of drafted tokens per target call: the vertices of the draft tree without its root.", RACES, ("k",)),
    Term(
        "rho",
        "ρ*",
        "K-SEQ's scale, from 1 to k: the target is divided by it so that k tries together accept as much as they may.",
        SPECTR,
        ("ρ*", "ρ"),
    ),
    Term(
        "optimum",
        "predicted ≤",
        "Upper bound on the predicted acceptance, whatever the rule or the tree; a measured figure can be luckier.",
        SPECTR,
        ("predicted ≤",),
    ),
    Term(
        "predicted",
        "predicted",
        "The probability of acceptance that the formula of this rule gives here, before any clock or coin is known.",
        "",
        ("predicted",),
    ),
    Term(
        "expected",
        "expected",
        "The tokens a step was expected to give when its tree was chosen, by the rank distribution known then: that of a usual step.",
        RACES,
        ("expected",),
    ),
    Term(
        "levels",
        "levels + 1",
        "No call gives more than one token per level of the draft tree and one of the target's own after them.",
        REJECTION,
        ("levels + 1", "level + 1"),
    ),
    Term(
        "joint",
        "joint",
        "Block verification: the chance that the whole sequence up to here is kept, min(1, the one before · p/q).",
        BLOCK,
        ("joint",),
    ),
    Term(
        "keep",
        "keep",
        "Block verification: what the coin is compared with; the last token whose coin is below it is the last one kept, that is accepted.",
        BLOCK,
        ("keep", "keep probability"),
    ),
    Term(
        "call",
        "target call",
        "One pass of the target over the whole draft tree: what costs time, and what drafting saves.",
        REJECTION,
        ("tokens per call", "target call"),
    ),
    Term(
        "phases",
        "phases of a step",
        "Draft, one call, walk and text: Shift with ← →, or Page Up and Page Down, goes from one to the next; ← → go by step.",
    ),
    Term(
        "draft call",
        "draft call",
        "One pass of the draft: over a level of the tree, or of a dynamic tree over the vertices that look best so far.",
        SPECINFER,
        ("draft call",),
    ),
    Term(
        "bonus",
        "★ bonus, correction",
        "The target's own token at the end of a step, from the same call: a bonus where all on its way was accepted, else a correction.",
        REJECTION,
        ("★",),
    ),
    Term(
        "iid",
        "i.i.d. children",
        "Drafted independently, so that two draws may give the same token; distinct ones never do.",
        SPECINFER,
        ("i.i.d.", "distinct"),
    ),
    Term("twice", "×2", "Drawn twice: i.i.d. draws gave this token two times, and it is one vertex of the tree.", SPECINFER, ("×2",)),
    Term(
        "same-text",
        "exact, same text",
        "The target alone decides by clocks the draft cannot touch: the text is the one without any draft, but for "
        "rounding at near ties, marked ≈.",
        RACES,
    ),
    Term(
        "same-law",
        "exact",
        "Whatever is drafted, each token is distributed as the target's own; another draft gives another text of that kind.",
        REJECTION,
    ),
    Term(
        "biased",
        "biased",
        "Accepts more than is exact: the output differs from the target's by leniency times TV(P, Q) at each drafted token.",
        YIN,
    ),
    Term("near-tie", "≈", "A near tie: another token was so close that rounding could have made it win.", RACES),
    Term("space", "␣", "A space, made visible: “␣dog” is a token that begins a new word; ↵ is a new line.", "", ("␣",)),
    Term("parts", "by parts", "A method of your own: any algorithm with any draft tree that keeps it exact.", "", ("by parts",)),
    Term(
        "storyteller",
        "embedded storyteller",
        "The small pair of models that comes with the page: they tell children's stories, need no GPU and know nothing else.",
        "",
        ("embedded storyteller",),
    ),
)
"""In the order of the list."""

BY_ID = {term.id: term for term in TERMS}
