"""Speculative decoding: draft a tree, score it with one target call, walk it, commit the path, yield the step."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from itertools import count
from typing import Any, Literal, overload

import torch

from .contexts import Contexts
from .draft_tree import ROOT
from .drafts.drafter import Drafter, NoDraft
from .drafts.dynamic import DynamicDrafter
from .drafts.laps import LapsDrafter
from .drafts.sources import make_source
from .drafts.static import StaticDrafter
from .drafts.topologies import TREES
from .isolation import isolated
from .machine import now_ms
from .models.pair import ModelPair
from .models.tree_cache import ModelError
from .rules.base import Rule
from .rules.builtin import RULES
from .settings import Settings
from .trace import Step, Trace
from .trace.recorder import Recorder
from .walk import Decoded, ScoredTree


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
    sequence = pair.encode(prompt, settings.chat)
    rule, drafter, steps = decode_sequence(pair, sequence, settings, is_timed=record)
    recorder = Recorder(pair, rule, sequence, settings, drafter.ranks) if record else None

    def results() -> Generator[Any, None, None]:
        with closing(steps):
            for step in steps:
                yield step.tokens if recorder is None else recorder.step(step)

    return results()


def decode(pair: ModelPair, prompt: str, settings: Settings) -> Generator[Decoded, None, None]:
    """As `generate`, one decoded step for every target call: for measurements that need the distributions of its walk."""
    return decode_sequence(pair, pair.encode(prompt, settings.chat), settings)[-1]


@isolated
def decode_sequence(
    pair: ModelPair, sequence: list[int], settings: Settings, is_timed: bool = False
) -> tuple[Rule, Drafter, Generator[Decoded, None, None]]:
    """The rule and the drafter of a run, and its steps. Raises as `generate`."""
    rule = RULES[settings.algorithm].with_settings(settings)
    contexts = Contexts(settings.seed) if settings.keys == "context" else None
    drafter = drafter_for(pair, rule, settings, contexts)
    return rule, drafter, _steps(pair, sequence, settings, rule, drafter, contexts, is_timed)


def drafter_for(pair: ModelPair, rule: Rule, settings: Settings, contexts: Contexts | None = None) -> Drafter:
    """The drafter of one run; `contexts`: where clocks are keyed by context. ValueError if this pair cannot draft for the rule."""
    if not rule.traits.drafts:
        return NoDraft()
    source, topology = make_source(pair, settings), TREES[settings.topology]
    if topology.in_laps:
        return LapsDrafter(source, rule, settings, pair.vocab_size, contexts)
    if topology.while_drafting:
        return DynamicDrafter(source, rule, settings, pair.vocab_size, contexts)
    return StaticDrafter(source, rule, settings, pair.vocab_size, pair.prior(settings), contexts)


def run(pair: ModelPair, prompt: str, settings: Settings) -> Trace:
    """Generate to the end and return the whole Trace. Raises as `generate`."""
    return trace_of(pair, prompt, settings, list(generate(pair, prompt, settings)))


def trace_of(pair: ModelPair, prompt: str, settings: Settings, steps: list[Step]) -> Trace:
    """The Trace of a run with these steps, which may be its first ones only."""
    emitted = [one for step in steps for one in step.emitted]
    tokens = [one.token for one in emitted]
    stopped = stop_reason(pair, settings, len(tokens), steps[-1]) if steps else "interrupted"
    models = {"target": pair.target_name, "draft": pair.draft_name}
    text = "".join(one.text for one in emitted)
    return Trace(prompt, settings, models, text, tokens, steps, stopped, made_with=pair.made_with)


def stop_reason(pair: ModelPair, settings: Settings, tokens: int, last: Step) -> str:
    """`Trace.stopped` of a run of this many new tokens with this last step: `interrupted` where it could have gone on."""
    if last.emitted[-1].token in pair.eos_ids:
        return "end of text"
    if tokens >= settings.max_new_tokens:
        return "max_new_tokens"
    return "end of context" if last.position + len(last.emitted) >= pair.context else "interrupted"


@isolated
@torch.inference_mode()
def _steps(
    pair: ModelPair,
    sequence: list[int],
    settings: Settings,
    rule: Rule,
    drafter: Drafter,
    contexts: Contexts | None = None,
    is_timed: bool = False,
) -> Generator[Decoded, None, None]:
    """The loop of speculative decoding.

    until the text is long enough, or has ended:
        1. draft     tree <- n tokens that may come next, each child of a node drawn from Q after it
        2. score     logits [n + 1, vocab] <- the target, one call on the text's last token and the whole tree
        3. walk      node <- root (a rule may walk otherwise: `Rule.verify_tree`)
                     repeat: token <- the rule's choice, given P and Q after the node and its children
                             if token is the target's own: stop
                             node <- the child with this token
        4. commit    the accepted path stays in both caches, every other entry of the tree is dropped
        5. yield     what happened; recording it is not part of the measured times
    """
    source = drafter.source
    layers, drafts_until = (source.layers, source.context) if source else ((), 0)
    target = pair.open_target(layers)
    end = min(len(sequence) + settings.max_new_tokens, pair.context)
    for number in count(1):
        try:
            start = now_ms()
            if contexts:
                contexts.follow(sequence)
            # 1. one token of the step is the target's own, so a path is never longer than what is left but one
            tree = drafter.grow(sequence, max(0, min(end, drafts_until) - len(sequence) - 1))
            tree.routing = source.routing if source and tree.calls else None
            drafted = _now(target.device, is_timed)

            # 2. row 0 of the logits is the root: the text's last token, which the target has not seen; row v + 1 is node v
            if not target.committed:
                target.prefill(sequence[:-1])
            logits, entries = target.extend(sequence[-1:] + tree.tokens, [ROOT, *(parent + 1 for parent in tree.parents)])
            scored = ScoredTree(tree, logits[:, : pair.vocab_size], rule, settings, len(sequence), contexts)
            called = _now(target.device, is_timed)

            # 3. tokens: those of the accepted path, then the target's own
            walk = rule.verify_tree(scored, pair.eos_ids)
            walked = _now(target.device, is_timed)

            # 4.
            drafter.learn(walk.visited)
            if source:
                source.learn(walk.visited)
            drafter.commit(walk.path)
            target.commit([entries[0], *(entries[node + 1] for node in walk.path)])
            if source and layers:
                source.observe(target.take_states())
            sequence = sequence + walk.tokens
        except ModelError as error:
            raise ModelError(f"step {number}: {error}") from error

        # 5.
        is_last = len(sequence) >= end or sequence[-1] in pair.eos_ids
        yield Decoded(scored, walk, is_last, (start, drafted, called, walked))
        if is_last:
            return


def _now(device: torch.device, is_timed: bool) -> float:
    """`now_ms`, in a timed run once all its work handed to the GPU is done."""
    if is_timed and device.type == "cuda":
        torch.cuda.current_stream(device).synchronize()  # not the device: another run may be capturing a graph on it
    return now_ms()
