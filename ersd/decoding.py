"""Speculative generation: draft a tree, score it with one target call, walk it, commit the path, yield the Step."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any, Literal, overload

import torch

from .ahead import ahead
from .drafts.factory import Drafter, drafter_for
from .models.pair import ModelPair
from .models.tree_cache import ROOT
from .rules.builtin import RULES, Rule
from .settings import Settings
from .trace.model import Step, Trace
from .trace.recorder import Recorder
from .trace.recording import Recording
from .trace.teller import Teller
from .walk import ScoredTree, Walk, walk

BEHIND = 2
"""Steps that are decoded before one is waited for: behind a step with many visits one does not give the second process enough time."""
TOGETHER_MS = 25
"""Milliseconds of decoding whose steps are fetched together from the second process. Behind a forward pass all that this needs has left the
processor's caches; of several steps only the first one finds it so."""
SLOW_MS = 100
"""A step that took so long is written down at once: who waits for the next one should have this one to look at."""


@dataclass(frozen=True)
class Decoded:
    """One step, decided: all that writing it down needs."""

    scored: ScoredTree
    way: Walk
    milliseconds: dict[str, float]
    """by the names of Step's fields"""

    @property
    def ms(self) -> float:
        """Of all together."""
        return sum(self.milliseconds.values())


@overload
def generate(
    pair: ModelPair, prompt: str, settings: Settings, record: Literal[True] = True, in_turns: bool = False
) -> Generator[Step, None, None]: ...
@overload
def generate(pair: ModelPair, prompt: str, settings: Settings, record: Literal[False]) -> Generator[list[int], None, None]: ...
@overload
def generate(pair: ModelPair, prompt: str, settings: Settings, *, teller: Teller) -> Generator[Any, None, None]: ...
def generate(
    pair: ModelPair, prompt: str, settings: Settings, record: bool = True, in_turns: bool = False, teller: Teller | None = None
) -> Generator[Any, None, None]:
    """Generate text, one item per target call. Closing the generator frees all caches.

    Args:
        record: yield Steps, written down; False: the tokens of every step. The tokens are the same.
        in_turns: decode in the caller's thread on a GPU too, where steps are written down beside the next one otherwise: of several runs
            taken in turns each has its own time.
        teller: yield what this makes of every Step, and not the Step.

    Raises:
        ValueError: at once, if the prompt is empty or does not fit into the context, or the pair has no draft for this algorithm.
    """
    rule = RULES[settings.algorithm].with_settings(settings)
    sequence = pair.encode(prompt, settings.chat)
    steps = _steps(pair, sequence, settings, rule, drafter_for(pair, rule, settings))
    if not record:
        return _unrecorded(steps)
    # a thread that waits for a GPU leaves the interpreter to another; two that compute on a CPU hand it over after every operation, and
    # both together take longer than one after the other
    is_beside = pair.target.device.type == "cuda" and not in_turns
    return _recorded(ahead(steps) if is_beside else steps, Recorder.of(pair, sequence, settings, teller))


def _recorded(steps: Generator[Decoded, None, None], recorder: Recorder) -> Generator[Any, None, None]:
    """Steps written down, or what is made of them. Who does it `beside` has until BEHIND more are decoded, unless one takes long enough to
    be waited for."""
    begun: deque[tuple[Callable[[], Any], float]] = deque()
    problem: Exception | None = None
    together_ms = 0.0  # someone waits for the first one
    with closing(steps) as coming, closing(Recording(recorder)) as recording:
        while True:
            step = None
            try:
                step = next(coming, None)
            except Exception as error:  # told behind the steps before it
                problem = error
            if step:
                begun.append((recording.begin(step.scored, step.way, step.milliseconds), step.ms))
            kept = BEHIND if step and step.ms <= SLOW_MS else 0
            due = len(begun) - kept
            if not kept or (due > 0 and sum(ms for _, ms in islice(begun, due)) >= together_ms):
                for _ in range(due):
                    yield begun.popleft()[0]()
                together_ms = TOGETHER_MS
            if problem:
                raise problem
            if not step:
                return


def _unrecorded(steps: Generator[Decoded, None, None]) -> Generator[list[int], None, None]:
    with closing(steps):
        for step in steps:
            yield step.way.tokens


def run(pair: ModelPair, prompt: str, settings: Settings) -> Trace:
    """Generate to the end and return the whole Trace. Raises as `generate`."""
    return trace_of(pair, prompt, settings, list(generate(pair, prompt, settings)))


def trace_of(pair: ModelPair, prompt: str, settings: Settings, steps: list[Step]) -> Trace:
    """The Trace of a run that made all these steps."""
    tokens = [emitted.token for step in steps for emitted in step.emitted]
    if tokens[-1] in pair.eos_ids:
        stopped = "end of text"
    else:
        stopped = "max_new_tokens" if len(tokens) == settings.max_new_tokens else "end of context"
    models = {"target": pair.target_name, "draft": pair.draft_name}
    return Trace(prompt, settings, models, pair.text(tokens), tokens, steps, stopped)


@torch.inference_mode()
def _steps(pair: ModelPair, sequence: list[int], settings: Settings, rule: Rule, drafter: Drafter) -> Generator[Decoded, None, None]:
    """The loop of speculative decoding.

    until the text is long enough, or has ended:
        1. draft     tree <- n tokens that may come next, each child of a vertex drawn from Q behind it
        2. score     logits [n + 1, vocab] <- the target, one call on the text's last token and the whole tree
        3. walk      vertex <- root
                     repeat: token <- the rule's choice, given P and Q behind the vertex and its children
                             if token is the target's own: stop
                             vertex <- the child with this token
        4. commit    the accepted path stays in both caches, every other entry of the tree is dropped
        5. yield     what happened; it is written down behind the next ones, or beside them on a GPU
    """
    target = pair.open_target()
    end = min(len(sequence) + settings.max_new_tokens, pair.context)
    while len(sequence) < end:
        begun = perf_counter()
        # 1. one token of the step is the target's own, so a path is never longer than what is left but one
        tree = drafter.grow(sequence, end - len(sequence) - 1)
        drafted = _now(target.device)

        # 2. row 0 of the logits is the root: the text's last token, which the target has not seen; row v + 1 is vertex v
        if not target.committed:
            target.prefill(sequence[:-1])
        logits, entries = target.extend(sequence[-1:] + tree.tokens, [ROOT, *(parent + 1 for parent in tree.parents)])
        scored = ScoredTree(tree, logits[:, : pair.vocab_size], rule, settings, position=len(sequence))
        called = _now(target.device)

        # 3. tokens: those of the accepted path, then the target's own
        way = walk(scored, pair.eos_ids)
        walked = _now(target.device)

        # 4.
        drafter.learn(way.decisions)
        drafter.commit(way.path)
        target.commit([entries[0], *(entries[vertex + 1] for vertex in way.path)])
        sequence = sequence + way.tokens

        # 5.
        milliseconds = {"draft_ms": 1e3 * (drafted - begun), "target_ms": 1e3 * (called - drafted), "verify_ms": 1e3 * (walked - called)}
        yield Decoded(scored, way, milliseconds)
        if way.tokens[-1] in pair.eos_ids:
            return


def _now(device: torch.device) -> float:
    """The time, once all work handed to the GPU is done."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return perf_counter()
