"""Time the parts of a pair's steps on this machine: what its `Costs` are."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from time import sleep
from typing import Any

import torch
from torch import Tensor

from .costs import Costs
from .draft_tree import ROOT, DraftTree
from .drafts.early_exit import decoder_of, exit_of
from .drafts.sources import MAKERS, sources_of
from .drafts.static import StaticDrafter
from .machine import now_ms
from .models.pair import ModelPair
from .models.target import Cache
from .rules.builtin import RULES
from .settings import Settings
from .walk import ScoredTree

PREFIX = 32
"""Tokens of the text after which calls are timed."""
ROUNDS = 4
"""Rounds of timing. The fastest round's median counts: other load only slows calls."""
SOURCE_ROUNDS = 2
"""Of them, those in which the sources of guesses are timed, which are many."""
CALLS, COUNTED = 6, 3
"""Calls of a kind in a round, and how many of the last ones count: the first ones find the weights gone from the processor's caches."""
REST_SECONDS = 0.06
"""Pause between rounds: a page that is just starting keeps the machine busy for a while."""
LEVELS, WIDTH = 4, 4
"""Levels of the drafted trees that are timed, and the chains in the wider one. Trees are drafted between two calls on drafted tokens, since
the two alternate in a run and each evicts weights of the other from the caches."""
PATIENCE_SECONDS = 0.15
"""A round makes no further calls of a kind after this time: for a very large model one call must do."""


def measure(pair: ModelPair) -> dict[str, Costs]:
    """Time the parts of this pair's steps on this machine, with the engine's own drafting and choosing; under a second for a small pair.

    Returns:
        source of guesses -> costs; they differ in the draft levels. Only the sources that this pair has.
    """
    settings, rule = Settings("ersd", "sequence", draft_tokens=LEVELS), RULES["ersd"]
    target = pair.open_target()
    device = target.device
    synchronise = torch.cuda.current_stream(device).synchronize if device.type == "cuda" else (lambda: None)
    context = min(pair.context, pair.draft_context)
    sources = sources_of(pair)
    prefix = [0] * max(1, min(PREFIX, context - LEVELS - 2))
    positions = count(len(prefix))

    def choose() -> None:
        """The step's own choice of a token by the clocks of a new position, as in plain decoding."""
        rule.verify_tree(ScoredTree(DraftTree(), logits, rule, settings, next(positions)), ())

    def drafting(name: str, width: int) -> Callable[[], DraftTree]:
        """Drafts chains after the prefix and drops them again."""
        source, branching = MAKERS[name](pair, replace(settings, source=name)), (width, *(1,) * (LEVELS - 1))
        drafter = StaticDrafter(source, rule, replace(settings, topology="specinfer", branching=branching), pair.vocab_size)
        depth = max(1, min(LEVELS, context - len(prefix) - 2))

        def draft() -> DraftTree:
            tree = drafter.grow([*prefix, 0], depth)
            source.drop()
            return tree

        return draft

    with torch.inference_mode():
        target.prefill(prefix)
        logits = _score(target, 1)[:, : pair.vocab_size]
        kinds: dict[str, Callable[[], object]] = {
            "target_1_ms": lambda: _score(target, 1),
            "target_5_ms": lambda: _score(target, 5),
            "target_17_ms": lambda: _score(target, 17),
            "choice_ms": choose,
        }
        before = {"choice_ms": kinds["target_1_ms"]}
        trees: dict[str, DraftTree] = {}
        for source in sources:
            for width in (1, WIDTH):
                draft = drafting(source, width)
                name = f"{source} {width}"
                trees[name], kinds[name], before[name] = draft(), draft, kinds["target_5_ms"]
        if trees:
            before |= dict.fromkeys(("target_5_ms", "target_17_ms"), kinds[f"{sources[0]} 1"])
        for work in kinds.values():
            work()  # the first call of a kind takes longer
        rounds = []
        for number in range(ROUNDS):
            sleep(REST_SECONDS)
            timed = [name for name in kinds if name not in trees or number < SOURCE_ROUNDS]
            rounds.append({name: _median_ms(kinds[name], synchronise, before.get(name)) for name in timed})
    least: dict[str, Any] = {name: min(medians[name] for medians in rounds if name in medians) for name in kinds}
    # a call for fewer tokens takes no longer: on a busy machine the shorter one may have met more of the other load
    least["target_5_ms"] = min(least["target_5_ms"], least["target_17_ms"])
    drafted: dict[str, dict[str, Any]] = {
        source: _draft_costs(*((least.pop(f"{source} {width}"), trees[f"{source} {width}"]) for width in (1, WIDTH))) for source in sources
    }
    costs = {source: Costs(**least, **levels, device=device.type, source=source) for source, levels in drafted.items()}
    if "exit" in costs and (decoder := decoder_of(pair)):
        costs["exit"] = replace(costs["exit"], exit=exit_of(decoder), layers=len(decoder.layers))
    return costs


def _draft_costs(chain: tuple[float, DraftTree], wide: tuple[float, DraftTree]) -> dict[str, float]:
    """A draft level, and a further token in one, from the milliseconds of two trees."""
    (chain_ms, chain_tree), (wide_ms, wide_tree) = chain, wide
    further = len(wide_tree.q) - wide_tree.calls
    return {"draft_ms": chain_ms / chain_tree.calls, "wider_ms": max(0.0, wide_ms - chain_ms) / further if further else 0.0}


def _score(cache: Cache, tokens: int) -> Tensor:
    """Logits of one call for this many siblings, which are dropped again. Siblings need one position of the context only."""
    logits, _ = cache.extend([0] * tokens, [ROOT] * tokens)
    cache.commit([])
    return logits


def _median_ms(work: Callable[[], object], synchronise: Callable[[], None], before: Callable[[], object] | None = None) -> float:
    """Milliseconds that `work` takes when `before` is done each time just before it."""
    taken: list[float] = []
    begun = now_ms()
    while len(taken) < CALLS and (not taken or now_ms() - begun < 1e3 * PATIENCE_SECONDS):
        if before:
            before()
        synchronise()
        start = now_ms()
        work()
        synchronise()
        taken.append(now_ms() - start)
    return statistics.median(taken[-COUNTED:])
