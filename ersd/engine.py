"""Speculative generation: draft a tree, score it with one target call, walk it, commit the path, yield the Step."""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter

import torch
from torch import Tensor

from .cache import ROOT, TreeCache
from .models import ModelPair
from .randomness import Noise
from .record import Scribe, visit_of
from .rules import RULES, Rule, Verdict
from .settings import Settings
from .topologies import RankLaw, shape_of
from .trace import Step, Trace, Visit
from .trees import DraftTree, draft_tree, transformed


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
    rule = RULES[settings.algorithm]
    target, draft = TreeCache(pair.target), TreeCache(pair.draft)
    law, scribe = RankLaw(), Scribe(pair, sequence)
    end = min(len(sequence) + settings.max_new_tokens, pair.context)
    while len(sequence) < end:
        start = perf_counter()
        position = len(sequence)
        # one token of the step is the target's own, so a path is never longer than the rest
        shape = shape_of(settings.topology, settings.draft_tokens, (end - position - 1) * rule.drafts, law)
        if not draft.committed and shape.parents:
            draft.prefill(sequence[:-1])
        tree = draft_tree(draft, sequence[draft.committed :], shape, rule, settings, pair.vocab_size, position)
        drafted = _now(pair)

        if not target.committed:
            target.prefill(sequence[:-1])
        logits, rows = target.extend(sequence[-1:] + tree.tokens, [ROOT, *(parent + 1 for parent in tree.parents)])
        scored = _now(pair)

        walk, path, tokens, deciding = _walk(pair, tree, logits, rule, settings, position)
        for visit in walk:
            if visit.tries:
                law.observe(visit.rank, len(visit.tries))
        target.commit([rows[0], *(rows[vertex + 1] for vertex in path)])
        if tree.rows:
            draft.commit([*range(tree.rows[-1] + 1), *(tree.rows[vertex] for vertex in path if vertex in tree.rows)])
        sequence = sequence + tokens
        times = {"draft_ms": 1e3 * (drafted - start), "target_ms": 1e3 * (scored - drafted), "verify_ms": 1e3 * deciding}
        yield scribe.step(position, tree, walk, shape.expected, times)
        if tokens[-1] in pair.eos_ids:
            return


@torch.inference_mode()
def _walk(
    pair: ModelPair, tree: DraftTree, logits: Tensor, rule: Rule, settings: Settings, position: int
) -> tuple[list[Visit], list[int], list[int], float]:
    """Follow the accepted children from the root. Returns the visits, the accepted path, the tokens chosen and the seconds of deciding.

    The target's distribution is only worked out at the vertices visited.
    """
    visits: list[Visit] = []
    path: list[int] = []
    chosen: list[int] = []
    deciding = 0.0
    vertex = -1
    while True:
        start = perf_counter()
        tries = tree.tries.get(vertex, [])
        p = transformed(logits[vertex + 1 : vertex + 2], settings, rule, pair.vocab_size)
        q = tree.q[vertex].unsqueeze(0) if tries else None
        children = torch.tensor([[tree.tokens[child] for child in tries]], dtype=torch.int64, device=p.device)
        noise = Noise(settings.seed, position + len(path))
        verdict: Verdict = rule.verify(p, q, children, noise)
        token, accepted = int(verdict.tokens), int(verdict.accepted)
        deciding += perf_counter() - start
        visits.append(visit_of(pair, tree, vertex, rule, p, q, verdict, noise))
        chosen.append(token)
        if accepted < 0:
            return visits, path, chosen, deciding
        vertex = tries[accepted]
        path.append(vertex)
        if token in pair.eos_ids:
            return visits, path, chosen, deciding


def _now(pair: ModelPair) -> float:
    """The time, once all work handed to the GPU is done."""
    if pair.target.device.type == "cuda":
        torch.cuda.synchronize(pair.target.device)
    return perf_counter()
