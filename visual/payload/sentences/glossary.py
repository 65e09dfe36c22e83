"""The glossary: every symbol and term of the page in one sentence, with its paper. Shown at the term itself and listed under "?"."""

from __future__ import annotations

from dataclasses import dataclass

from ..message_types import kit as kit_types


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

    def to_browser(self) -> kit_types.Term:
        """The term as the browser knows it."""
        return {"id": self.id, "name": self.name, "sentence": self.sentence, "paper": self.paper, "signs": list(self.signs)}


RACES, REJECTION, SPECTR, YIN, BLOCK, SPECINFER = "2504.15475", "2211.17192", "2310.15141", "2411.00841", "2403.10444", "2305.09781"
SPECHUB, DFLASH, LAPS, TRAVERSAL = "2502.18779", "2602.06036", "2609.21858", "2505.12398"

TERMS: tuple[Term, ...] = (
    Term(
        "call",
        "target call",
        "One forward pass of the target model. It scores every drafted token together, so a good draft saves calls.",
        REJECTION,
        ("target call",),
    ),
    Term(
        "per-call",
        "tokens per call",
        "New tokens divided by target calls. Without a draft it is 1.",
        REJECTION,
        ("tokens per call",),
    ),
    Term(
        "no-draft",
        "without a draft",
        "Plain decoding: the target model writes one token per call, and nothing is guessed.",
        REJECTION,
        ("without a draft", "No draft", "no draft"),
    ),
    Term(
        "draft call",
        "draft call",
        "One forward pass of the draft model. It drafts one level of the tree; a dynamic tree drafts its best nodes.",
        SPECINFER,
        ("draft call",),
    ),
    Term(
        "phases",
        "phases of a step",
        "Draft, Verify, Accept, Append. Shift with ← → goes by phase; ← → alone goes by step.",
    ),
    Term(
        "P",
        "P, p",
        "P is the target model’s distribution of the next token, after temperature, top-k and top-p. p is one token’s probability.",
        REJECTION,
        ("P", "p", "target p", "probability p"),
    ),
    Term(
        "Q",
        "Q, q",
        "Q is the draft model’s distribution of the next token, after the same temperature, top-k and top-p. q is one token’s probability.",
        REJECTION,
        ("Q", "q", "draft q", "probability q"),
    ),
    Term(
        "E",
        "clock, E",
        "A random number for each token, fixed by seed and position. A small clock is luck. Draft and target use the same clocks.",
        RACES,
        ("E", "shared clock", "clock E", "clock"),
    ),
    Term(
        "arrival",
        "arrival time",
        "Clock ÷ probability. The earliest arrival wins the race, so each token wins with exactly its probability.",
        RACES,
        ("arrival time", "arrival", "E ÷ q", "E ÷ p", "E / Q", "E / P"),
    ),
    Term("dial", "dial", "It shows a clock: the emptier the dial, the luckier the token.", RACES, ("dial",)),
    Term("flag", "flag", "It marks an arrival that counts: the draft’s first k arrivals, and the target’s first.", RACES, ("flag",)),
    Term(
        "match",
        "match",
        "The probability that the same token wins both races: how often a single drafted token is accepted.",
        RACES,
        ("match",),
    ),
    Term(
        "ratio",
        "p ÷ q",
        "How much likelier the token is for the target than for the draft. A coin below it accepts the token.",
        REJECTION,
        ("p ÷ q", "p/q"),
    ),
    Term(
        "coin",
        "coin",
        "A random number between 0 and 1, fixed by the seed. The drafted token is accepted if its coin is below the ratio.",
        REJECTION,
        ("coin",),
    ),
    Term(
        "left",
        "remaining target probability",
        "What is left of P after a rejection, rescaled to sum to 1. Drawing from it keeps the output exact.",
        REJECTION,
        ("remaining target probability", "remaining p"),
    ),
    Term(
        "keep",
        "keep probability",
        "Block verification compares each coin with it: A ÷ (A + 1 − joint), where A is the sum of max(joint × p − q, 0) over all next "
        "tokens; joint itself for the last guess. Tokens are kept up to the last coin below its keep probability.",
        BLOCK,
        ("keep probability", "keep"),
    ),
    Term(
        "joint",
        "joint",
        "Block verification: the probability that the whole sequence up to this token is kept, min(1, the one before × p ÷ q).",
        BLOCK,
        ("joint",),
    ),
    Term(
        "wild-card",
        "wild card, favourite",
        "SpecHub guesses the draft’s likeliest tokens for certain, its favourites, and draws one wild card from the rest.",
        SPECHUB,
        ("wild card", "favourite", "favourites"),
    ),
    Term(
        "half-race",
        "half a race",
        "Only the target has clocks. The draft guesses its likeliest token, so it is right as often as the target takes that token.",
        DFLASH,
        ("half a race", "Half a race"),
    ),
    Term(
        "leaves-first",
        "leaves first",
        "Traversal verification asks a guess after all that was drafted after it, so one coin can keep a whole path. It computes p at "
        "every guess asked, not only along the path.",
        TRAVERSAL,
        ("from the leaves", "leaves first", "Leaves first"),
    ),
    Term(
        "laps",
        "laps, places",
        "A token that arrives in the draft’s race starts another lap with a new clock. Equal arrivals are one guess, ×n: it has n places, "
        "and as many guesses follow it.",
        LAPS,
        ("lap", "laps", "places"),
    ),
    Term(
        "rho",
        "ρ*",
        "K-SEQ divides the target’s probabilities by it. It is between 1 and k, and chosen to accept as much as possible.",
        SPECTR,
        ("ρ*", "ρ"),
    ),
    Term("k", "k", "The number of drafted tokens in one step.", RACES, ("k",)),
    Term(
        "tau",
        "τ*",
        "The tree of k tokens that is expected to give the most accepted tokens, by the rank distribution.",
        RACES,
        ("τ*", "τ* tree"),
    ),
    Term(
        "rank",
        "rank distribution",
        "How often the target’s token is the draft’s 1st, 2nd, 3rd … choice. Trees and bounds are computed from it.",
        RACES,
        ("rank distribution", "accepted by rank"),
    ),
    Term(
        "H[R]",
        "H[R]",
        "The entropy of the rank distribution so far, in nats. It bounds the expected tokens per call: (log |Ω| + log(k + 1)) ÷ H[R].",
        RACES,
        ("H[R]",),
    ),
    Term(
        "predicted",
        "predicted",
        "The probability of acceptance by this rule’s formula, before any clock or coin is drawn.",
        "",
        ("predicted",),
    ),
    Term(
        "optimum",
        "predicted ≤",
        "Upper bound on the predicted acceptance; a single run can still do better.",
        SPECTR,
        ("predicted ≤", "optimum"),
    ),
    Term(
        "expected",
        "expected",
        "The tokens that a step was expected to give when its tree was chosen.",
        RACES,
        ("expected",),
    ),
    Term(
        "levels",
        "levels + 1",
        "A call yields at most one token per level of the tree, and one more from the target.",
        REJECTION,
        ("levels + 1", "level + 1"),
    ),
    Term(
        "TV",
        "TV(P, Q)",
        "Total variation: half the sum of |p − q|. 0 means equal, 1 means no token in common.",
        YIN,
        ("TV", "TV(P, Q)", "Σ TV", "TV paid"),
    ),
    Term(
        "KL",
        "KL",
        "Kullback-Leibler divergence of P from Q, in nats. It is ∞ if the draft rules out a token that the target may choose.",
        "",
        ("KL",),
    ),
    Term("D_HM", "D_HM", "Harmonic-mean distance, 1 − Σ 2pq ÷ (p + q). Two races differ at least this often.", RACES, ("D_HM",)),
    Term("entropy", "entropy", "How uncertain the target is about the next token, in nats. 0 means certain.", "", ("entropy",)),
    Term(
        "bonus",
        "★ the target’s own token",
        "The last token of a step, from the same call. It is an extra token if the whole path was accepted, otherwise a correction.",
        REJECTION,
        ("★",),
    ),
    Term(
        "iid",
        "i.i.d. children",
        "Drawn independently, so two draws may give the same token. Distinct children never repeat a token.",
        SPECINFER,
        ("i.i.d.", "distinct"),
    ),
    Term("twice", "×2", "The draft drew this token twice. Duplicates are merged into one node.", SPECINFER, ("×2",)),
    Term(
        "same-text",
        "exact, same text",
        "The target alone decides: by a race whose clocks the draft cannot change, or by its likeliest token. So the text is the one "
        "without a draft, except where rounding decides a near tie (≈).",
        RACES,
    ),
    Term(
        "same-law",
        "exact, same distribution",
        "Every token has the target model’s distribution. Another draft may give another text, just as likely.",
        REJECTION,
    ),
    Term(
        "biased",
        "biased",
        "It accepts more tokens than an exact rule, so the output differs from the target’s: by leniency × TV(P, Q) at each drafted token.",
        YIN,
    ),
    Term("near-tie", "≈", "A near tie: another token was so close that rounding could have made it win.", RACES),
    Term("space", "↵", "A line break in the text. Spaces are not drawn; -ed is a token that continues a word.", "", ("↵",)),
    Term("parts", "custom", "A method of your own: any algorithm with any draft tree that keeps it exact.", "", ("Custom",)),
    Term(
        "storyteller",
        "embedded storyteller",
        "The small pair of models that comes with the page. It tells children’s stories, needs no GPU and knows nothing else.",
        "",
        ("embedded storyteller",),
    ),
)
"""In the order of the list."""

BY_ID = {term.id: term for term in TERMS}
