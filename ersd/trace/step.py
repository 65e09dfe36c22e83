"""Step: what one target call did, as plain data. The pictures know nothing else of the engine. Importing it does not import torch.

Arrival times and divergences that are infinite are None, so that every field survives strict JSON.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from ..draft_tree import ROOT, Routing
from .field_types import Int64, Items
from .temperatures import OtherTemperatures

ACCEPTED, REJECTED, NOT_REACHED = STATES = ("accepted", "rejected", "not reached")
"""Not reached: the walk ended before the token, or an earlier sibling was accepted."""

MAX_ROWS = 20
"""Tokens in the table of a visit."""
MAX_LEFT = 16
"""Residuals recorded per row: of more, the first ones and the last."""


@dataclass(frozen=True)
class Row:
    """One token of the table at a visited node; probabilities are after temperature, top-k and top-p."""

    token: Int64
    text: str
    p: float
    """target probability"""
    q: float | None
    """draft probability; None where the draft was not run (a leaf of the tree, or autoregressive)"""
    clock: float | None = None
    """the token's exponential clock, E ~ Exp(1); None for rules without a race"""
    draft_time: float | None = None
    """E / q; None: never arrives, or no race"""
    target_time: float | None = None
    """E / p; None: never arrives, or no race"""
    left: Items[float] = field(default_factory=list)
    """rejection rules: the target probability left after the 1st, 2nd, … rejection; of more than MAX_LEFT the first ones and the last;
    block verification: what is left where the sequence was cut"""


@dataclass(frozen=True)
class Try:
    """One drafted child considered at a visited node, in the order of the tries."""

    vertex: Int64
    """the child's index in the step's tree"""
    accepted: bool
    p: float
    q: float
    ratio: float | None = None
    """rejection rules: the quotient compared with the coin; it may exceed 1, then acceptance is certain"""
    coin: float | None = None
    """rejection rules: the uniform number; accepted if coin < ratio"""
    draft_time: float | None = None
    target_time: float | None = None
    left: float | None = None
    """rejection rules that try their children in turn: the target's probability of this token that remained after the tries before, P_j"""
    drawn: float | None = None
    """rejection rules that try their children in turn: the probability it was drawn with, Q_j: q, or more where earlier children were
    removed (gsd_wor); the ratio is left / drawn, over `Visit.rho` where there is one"""
    weight: float | None = None
    """traversal: the weight of the node at this try; the child's own begins as min(1, weight * left / drawn), and `ratio` is what those
    below it left of that"""
    turn: Int64 | None = None
    """traversal: when the coin was tossed, from 1 in the whole step; None: not at all, since a token below the child is kept"""
    share: float | None = None
    """a rejected try of a rejection rule: what it left of the target's probability, so that `share` times `Row.left` is what remains of p;
    block verification: where the sequence was cut; None elsewhere, and in older traces"""


@dataclass(frozen=True)
class Joint:
    """Block verification: one token of the drafted sequence, whether the walk reached it or not."""

    vertex: Int64
    ratio: float
    """p / q of the token"""
    joint: float
    """joint acceptance up to here: min(1, the one before * ratio)"""
    keep: float
    """what the coin is compared with; the last token whose coin is below it is the last one kept"""
    coin: float


@dataclass(frozen=True)
class Arrival:
    """One arrival of the draft's race in laps."""

    token: Int64
    lap: Int64
    """from 1"""
    time: float
    """(E1 + … + En) / q of the n-th lap; E1 is the token's clock"""


@dataclass(frozen=True)
class Visit:
    """One node of the walk: the children tried there and the token chosen."""

    kind: str
    """how the rule decides (`registry.Traits.kind`): race, coins, block, likelihood, …; at a leaf too, where there is nothing to try"""
    vertex: Int64
    """index in the tree; -1 is the root, the text so far"""
    tries: Items[Try]
    """empty at a leaf; a repeated i.i.d. draft is tried as often as it was drawn"""
    token: Int64
    """the token chosen here: an accepted child's, or the target's own; -1: none, since the node itself was rejected (traversal)"""
    text: str
    accepted: bool
    rank: Int64 | None
    """races and greedy: the chosen token's rank in the draft's order (1 = first), also beyond the children drafted;
    rejection rules: the number of the accepted try, None if all were rejected; None where the draft was not run or never reaches it"""
    rows: Items[Row]
    """the tokens that matter: leaders under Q and under P and the children, at most MAX_ROWS, in the draft's order of arrival
    (races) or by falling draft probability; without a draft, in the target's order"""
    entropy: float
    """of the target, nats"""
    tv: float | None = None
    """total variation distance between P and Q; this and the next five are None where the draft was not run"""
    kl: float | None = None
    """KL(P || Q), nats; None also when infinite"""
    d_hm: float | None = None
    """harmonic-mean distance 1 - sum 2pq / (p + q)"""
    match: float | None = None
    """probability that draft and target have the same first arrival (arXiv 2504.15475, Lemma 3.1)"""
    predicted: float | None = None
    """acceptance probability of this rule with this many children here; block: over the coins, for the sequence that was drafted"""
    optimum: float | None = None
    """upper bound on `predicted` for any lossless rule that decides node by node with as many children drawn as this rule draws them,
    i.i.d. or without replacement; None where the bound does not apply: block (decides about a sequence), lossy, greedy (children not
    drawn by chance), traversal, dynamic trees (their shape depends on the clocks)"""
    rho: float | None = None
    """kseq: ρ*, by which the target is scaled down"""
    bias: float | None = None
    """lossy: TV between the output's distribution here and P, the price of leniency"""
    margin: float | None = None
    """where the target alone chooses (races, greedy): how far, in logits, two of its logits would have to move against one another for
    another token to win, by the race or over an edge of top-k or top-p; below twice the logit noise it is a near tie (see `near_ties`)"""
    other_temperatures: OtherTemperatures | None = None
    """what the race needs to be redrawn at other temperatures; None where `temperatures.is_recorded_for` says so, and in older traces"""
    arrivals: Items[Arrival] = field(default_factory=list)
    """races in laps: the arrivals that became the children, in order; empty elsewhere"""


@dataclass(frozen=True)
class Emitted:
    """One token added to the text."""

    token: Int64
    text: str
    """what it adds to the text; may be empty inside a multi-byte character"""
    source: str
    """`draft` (drafted and accepted) or `target` (the target's own)"""
    near_tie: bool = False
    """another token was so close that the logit noise of this precision could have made it win: `Visit.margin` is below twice the noise"""
    frequency_rank: Int64 | None = None
    """source frequent: the token's place in the order of frequency, from 1; beyond `Settings.frequent_tokens` it could not be guessed"""
    is_repeated: bool = False
    """clocks keyed by context: there was no context, or it was seen before in the run, so the token has the clocks of its position"""


@dataclass(frozen=True)
class Step:
    """One target call. The tree's arrays have one entry per drafted node, parents before children; the root is -1."""

    index: Int64
    """from 0"""
    position: Int64
    """index in the whole sequence (prompt and BOS counted) of the first token this step emits"""
    tokens: Items[Int64]
    parents: Items[Int64]
    """index of the parent node, -1: child of the root"""
    depths: Items[Int64]
    """1 for the children of the root"""
    draft_probs: Items[float]
    """q of the node's token at its parent"""
    ranks: Items[Int64]
    """rank among its siblings in the draft's order, from 1"""
    texts: Items[str]
    walk: Items[Visit]
    """the nodes with a decision, in the order these were made: for most rules from the root to where the walk ended"""
    emitted: Items[Emitted]
    draft_ms: float
    target_ms: float
    verify_ms: float
    expected: float | None = None
    """tokens this call was expected to give when its tree was chosen (1 + expected accepted, by the ranks so far); None without a draft"""
    block: Items[Joint] = field(default_factory=list)
    """block verification: the whole drafted sequence; else empty"""
    rank_entropy: float | None = None
    """H[R] in nats, measured so far in this run: R is the rank of the target's winner, or the number of the accepted try"""
    draws: Items[Int64] = field(default_factory=list)
    """how often each node was drawn, where i.i.d. draws coincide, or arrived in a race in laps; empty where all draws differ"""
    draft_calls: Int64 = 0
    """calls of the draft that the tree took; for a tree grown best first, also those that left nothing in it"""
    call_of: Items[Int64] = field(default_factory=list)
    """the draft call, from 1, that drafted each node"""
    bound: float | None = None
    """(log |Ω| + log(k + 1)) / H[R] with the measured H[R] (arXiv 2504.15475): upper bound on the expected tokens per call of any
    tree of k tokens fixed beforehand, if the ranks were independent with the measured distribution; None where that fails by construction
    (block and traversal look at what follows, a dynamic tree is shaped by the clocks)"""
    leaf_rank: Int64 | None = None
    """ERSD: `Visit.rank` of the token before this step, if it was chosen at a leaf, where the draft runs only with this step; -n for one
    that the draft never reaches because it reaches n tokens only"""
    draft_calls_ms: Items[Items[float]] = field(default_factory=list)
    """start and end of every draft call in milliseconds since the step began; empty in older traces"""
    target_call_ms: Items[float] = field(default_factory=list)
    """the same of the target call"""
    routing: Routing | None = None
    """source routed: the source chosen for this step, the weights before it, and the losses in it; None elsewhere and in older traces"""

    @property
    def accepted(self) -> int:
        """Number of drafted tokens accepted."""
        return sum(emitted.source == "draft" for emitted in self.emitted)

    @property
    def path(self) -> list[int]:
        """The accepted nodes, from the root down."""
        found = [ROOT]
        for one in self.emitted[: self.accepted]:
            below = (node for node, parent in enumerate(self.parents) if parent == found[-1])
            found += [node for node in below if self.tokens[node] == one.token]
        return found[1:]

    @property
    def end(self) -> int:
        """The node that the last token of the step was chosen after; -1: the root."""
        return [ROOT, *self.path][: len(self.emitted)][-1]

    @property
    def root_visit(self) -> Visit:
        """The decision at the root, which every walk has."""
        return next(visit for visit in self.walk if visit.vertex == ROOT)

    def number_of(self, visit: Visit) -> int:
        """The number of a decision, from 1 at the root and further down the tree, in whatever order they were made."""
        return 1 + sum(one.vertex < visit.vertex for one in self.walk)

    @property
    def states(self) -> list[str]:
        """The state of every drafted token: `accepted`, `rejected` or `not reached`."""
        return states(self)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a trace, with the states."""
        data = dataclasses.asdict(self)
        if self.routing is None:
            del data["routing"]
        for one in data["emitted"]:
            if one["frequency_rank"] is None:
                del one["frequency_rank"]
            if not one["is_repeated"]:
                del one["is_repeated"]
        for visit in data["walk"]:
            if visit["other_temperatures"] is None:
                del visit["other_temperatures"]  # as in traces from before there was such a field
            if not visit["arrivals"]:
                del visit["arrivals"]
            for one in visit["tries"]:
                if one["weight"] is None:
                    del one["weight"], one["turn"]
                if one["share"] is None:
                    del one["share"]
        return {**data, "states": self.states}

    @property
    def ms(self) -> float:
        """Milliseconds of draft, target call and verification together."""
        return self.draft_ms + self.target_ms + self.verify_ms


def kept(step: Step) -> int:
    """Block verification: how many tokens of the drafted sequence were kept."""
    return max((number for number, one in enumerate(step.block, 1) if one.coin < one.keep), default=0)


def states(step: Step) -> list[str]:
    """The state of every drafted node, one of STATES."""
    found = [NOT_REACHED] * len(step.tokens)
    for visit in step.walk:
        for one in visit.tries:
            found[one.vertex] = REJECTED
    for node in step.path:
        found[node] = ACCEPTED
    for cut in step.block[kept(step) :]:  # block verification looks at the whole sequence
        found[cut.vertex] = REJECTED
    return found
