"""Speculative generation: draft a tree, score it with one target call, walk it, commit the path, yield the Step."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from time import perf_counter

import torch
from torch import Tensor

from .cache import ROOT, TreeCache
from .dynamic import BestFirst
from .models import ModelPair
from .randomness import Noise
from .record import Scribe, visit_of
from .rules import RULES, Rule, Verdict
from .rules.block import BlockVerdict, BlockVerification
from .settings import Settings
from .trace import Step, Trace, Visit
from .trees import Drafter, DraftTree, transformed


def generate(pair: ModelPair, prompt: str, settings: Settings) -> Generator[Step, None, None]:
    """Generate text, one Step per target call. Closing the generator frees all caches.

    Raises:
        ValueError: at once, if the prompt is empty or does not fit into the context.
    """
    return _steps(pair, pair.encode(prompt), settings)


def run(pair: ModelPair, prompt: str, settings: Settings) -> Trace:
    """Generate to the end and return the whole Trace. Raises as `generate`."""
    steps = list(generate(pair, prompt, settings))
    tokens = [emitted.token for step in steps for emitted in step.emitted]
    if tokens[-1] in pair.eos_ids:
        stopped = "end of text"
    else:
        stopped = "max_new_tokens" if len(tokens) == settings.max_new_tokens else "end of context"
    models = {"target": pair.target_name, "draft": pair.draft_name}
    return Trace(prompt, settings, models, pair.text(tokens), tokens, steps, stopped)


def _steps(pair: ModelPair, sequence: list[int], settings: Settings) -> Generator[Step, None, None]:
    rule = RULES[settings.algorithm].bound(settings)
    target, draft = TreeCache(pair.target), TreeCache(pair.draft)
    make_drafter = BestFirst if settings.topology == "dynamic" and rule.drafts else Drafter
    drafter = make_drafter(rule, settings, pair.vocab_size, pair.hazards.get(rule.name, ()))
    scribe = Scribe(pair, sequence, settings)
    end = min(len(sequence) + settings.max_new_tokens, pair.context)
    while len(sequence) < end:
        start = perf_counter()
        position = len(sequence)
        # one token of the step is the target's own, so a path is never longer than the rest
        tree = drafter.grow(draft, sequence, end - position - 1)
        drafted = _now(pair)

        if not target.committed:
            target.prefill(sequence[:-1])
        logits, rows = target.extend(sequence[-1:] + tree.tokens, [ROOT, *(parent + 1 for parent in tree.parents)])
        scored = _now(pair)

        walk = _walk(pair, tree, logits, rule, settings, position)
        drafter.observe(tree, walk.visits)
        target.commit([rows[0], *(rows[vertex + 1] for vertex in walk.path)])
        if tree.rows:
            draft.commit([*range(tree.rows[-1] + 1), *(tree.rows[vertex] for vertex in walk.path if vertex in tree.rows)])
        sequence = sequence + walk.tokens
        times = {"draft_ms": 1e3 * (drafted - start), "target_ms": 1e3 * (scored - drafted), "verify_ms": 1e3 * walk.seconds}
        yield scribe.step(position, tree, walk.visits, walk.block, times)
        if walk.tokens[-1] in pair.eos_ids:
            return


@dataclass
class _Walk:
    """The way through one tree."""

    visits: list[Visit] = field(default_factory=list)
    path: list[int] = field(default_factory=list)
    """the accepted vertices"""
    tokens: list[int] = field(default_factory=list)
    """the tokens chosen: the path's and the target's own"""
    block: BlockVerdict | None = None
    """of a rule that decides about a whole sequence"""
    seconds: float = 0.0
    """of deciding, without writing down"""


@torch.inference_mode()
def _walk(pair: ModelPair, tree: DraftTree, logits: Tensor, rule: Rule, settings: Settings, position: int) -> _Walk:
    """Follow the accepted children from the root.

    The target's distribution is only worked out at the vertices visited; a rule that decides about a whole sequence needs all.
    """
    walk = _Walk()
    vertex = -1
    start = perf_counter()
    if isinstance(rule, BlockVerification) and tree.tokens:
        targets = transformed(logits, settings, rule, pair.vocab_size).unsqueeze(0)
        drafts = torch.stack([tree.q[v] for v in range(-1, len(tree.tokens) - 1)]).unsqueeze(0)
        walk.block = rule.verify_sequence(
            targets, drafts, torch.tensor([tree.tokens], device=logits.device), Noise(settings.seed, position)
        )
    while True:
        tries = tree.tries.get(vertex, [])
        p = transformed(logits[vertex + 1 : vertex + 2], settings, rule, pair.vocab_size)
        q = tree.q[vertex].unsqueeze(0) if tries else None
        children = torch.tensor([[tree.tokens[child] for child in tries]], dtype=torch.int64, device=p.device)
        noise = Noise(settings.seed, position + len(walk.path))
        verdict: Verdict = walk.block.at(len(walk.path)) if walk.block else rule.verify(p, q, children, noise)
        token, accepted = int(verdict.tokens), int(verdict.accepted)
        walk.seconds += perf_counter() - start
        walk.visits.append(visit_of(pair, tree, vertex, rule, p, q, verdict, noise))
        walk.tokens.append(token)
        if accepted >= 0:
            vertex = tries[accepted]
            walk.path.append(vertex)
        if accepted < 0 or token in pair.eos_ids:
            return walk
        start = perf_counter()


def _now(pair: ModelPair) -> float:
    """The time, once all work handed to the GPU is done."""
    if pair.target.device.type == "cuda":
        torch.cuda.synchronize(pair.target.device)
    return perf_counter()
