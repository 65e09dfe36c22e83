"""Speculative decoding: draft a tree, score it with one target call, walk it, commit the path, yield the step."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal, overload

import torch

from .drafts.factory import drafter_for
from .drafts.tree import Drafter
from .models.pair import ModelPair
from .models.tree_cache import ROOT, ModelError
from .rules.base import Rule
from .rules.builtin import RULES
from .settings import Settings
from .stopwatch import now_ms
from .trace import Step, Trace
from .trace.recorder import Recorder
from .walk import ScoredTree, Walk, walk


@dataclass(frozen=True)
class Decoded:
    """One decoded step, not yet recorded."""

    scored: ScoredTree
    walk: Walk
    milliseconds: dict[str, float]
    """by the names of Step's fields"""
    is_last: bool


@overload
def generate(pair: ModelPair, prompt: str, settings: Settings, record: Literal[True] = True) -> Generator[Step, None, None]: ...
@overload
def generate(pair: ModelPair, prompt: str, settings: Settings, record: Literal[False]) -> Generator[list[int], None, None]: ...
def generate(pair: ModelPair, prompt: str, settings: Settings, record: bool = True) -> Generator[Any, None, None]:
    """Generate text, one item per target call. Closing the generator frees all caches.

    Args:
        record: yield a Step for every call; False: only its tokens. The tokens are the same.

    Raises:
        ValueError: immediately, if the prompt is empty or does not fit into the context, or the pair has no draft for this algorithm.
    """
    steps = decode(pair, prompt, settings)
    return _recorded(steps, Recorder(pair, pair.encode(prompt, settings.chat), settings)) if record else _tokens(steps)


def decode(pair: ModelPair, prompt: str, settings: Settings) -> Generator[Decoded, None, None]:
    """As `generate`, one decoded step for every target call: for measurements that need the distributions of its walk."""
    rule = RULES[settings.algorithm].with_settings(settings)
    sequence = pair.encode(prompt, settings.chat)
    return _numbered(_steps(pair, sequence, settings, rule, drafter_for(pair, rule, settings)))


def run(pair: ModelPair, prompt: str, settings: Settings) -> Trace:
    """Generate to the end and return the whole Trace. Raises as `generate`."""
    return trace_of(pair, prompt, settings, list(generate(pair, prompt, settings)))


def trace_of(pair: ModelPair, prompt: str, settings: Settings, steps: list[Step]) -> Trace:
    """The Trace of a run with these steps; without any it is `interrupted`."""
    emitted = [one for step in steps for one in step.emitted]
    tokens = [one.token for one in emitted]
    if not tokens:
        stopped = "interrupted"
    elif tokens[-1] in pair.eos_ids:
        stopped = "end of text"
    else:
        stopped = "max_new_tokens" if len(tokens) == settings.max_new_tokens else "end of context"
    models = {"target": pair.target_name, "draft": pair.draft_name}
    text = "".join(one.text for one in emitted)
    return Trace(prompt, settings, models, text, tokens, steps, stopped, made_with=pair.made_with)


@torch.inference_mode()
def _steps(pair: ModelPair, sequence: list[int], settings: Settings, rule: Rule, drafter: Drafter) -> Generator[Decoded, None, None]:
    """The loop of speculative decoding.

    until the text is long enough, or has ended:
        1. draft     tree <- n tokens that may come next, each child of a node drawn from Q after it
        2. score     logits [n + 1, vocab] <- the target, one call on the text's last token and the whole tree
        3. walk      node <- root
                     repeat: token <- the rule's choice, given P and Q after the node and its children
                             if token is the target's own: stop
                             node <- the child with this token
        4. commit    the accepted path stays in both caches, every other entry of the tree is dropped
        5. yield     what happened; recording it is not part of the measured times
    """
    target = pair.open_target()
    end = min(len(sequence) + settings.max_new_tokens, pair.context)
    is_last = False
    while not is_last:
        start = now_ms()
        # 1. one token of the step is the target's own, so a path is never longer than what is left but one
        tree = drafter.grow(sequence, max(0, min(end, pair.draft_context) - len(sequence) - 1))
        drafted = _now(target.device)

        # 2. row 0 of the logits is the root: the text's last token, which the target has not seen; row v + 1 is node v
        if not target.committed:
            target.prefill(sequence[:-1])
        logits, entries = target.extend(sequence[-1:] + tree.tokens, [ROOT, *(parent + 1 for parent in tree.parents)])
        scored = ScoredTree(tree, logits[:, : pair.vocab_size], rule, settings, position=len(sequence))
        called = _now(target.device)

        # 3. tokens: those of the accepted path, then the target's own
        way = walk(scored, pair.eos_ids)
        walked = _now(target.device)

        # 4.
        drafter.learn(way.visited)
        drafter.commit(way.path)
        target.commit([entries[0], *(entries[node + 1] for node in way.path)])
        sequence = sequence + way.tokens

        # 5.
        is_last = len(sequence) >= end or way.tokens[-1] in pair.eos_ids
        milliseconds = {"draft_ms": drafted - start, "target_ms": called - drafted, "verify_ms": walked - called}
        yield Decoded(scored, way, milliseconds, is_last)


def _numbered(steps: Generator[Decoded, None, None]) -> Generator[Decoded, None, None]:
    """The same steps; an error of a model says in which one it happened."""
    with closing(steps):
        for number in count(1):
            try:
                step = next(steps)
            except StopIteration:
                return
            except ModelError as error:
                raise ModelError(f"step {number}: {error}") from error
            yield step


def _recorded(steps: Generator[Decoded, None, None], recorder: Recorder) -> Generator[Step, None, None]:
    with closing(steps):
        for step in steps:
            yield recorder.step(step.scored, step.walk, step.milliseconds, step.is_last)


def _tokens(steps: Generator[Decoded, None, None]) -> Generator[list[int], None, None]:
    with closing(steps):
        for step in steps:
            yield step.walk.tokens


def _now(device: torch.device) -> float:
    """`now_ms`, once all work handed to the GPU is done."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return now_ms()
