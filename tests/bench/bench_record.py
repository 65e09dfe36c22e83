"""Milliseconds that recording a step and turning it into the page's message take, beside those of the step itself.

    python -m tests.bench.bench_record

Every rule on every tree with 256 drafted tokens, on the embedded pair, at two temperatures. The goal is at most 100 ms on an idle core.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import closing

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

import ersd
from ersd.decoding import decode_sequence
from ersd.drafts.topologies import TOPOLOGIES, refusal
from ersd.rules.registry import TRAITS
from ersd.trace.recorder import Recorder
from visual.payload.messages import RunMessages

PROMPT = "Once upon a time"
TEMPERATURES = (0.2, 1.0)
"""The lower one costs most: many children have next to no probability."""
STEPS = 6


def spent(pair: ersd.ModelPair, settings: ersd.Settings, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds of CPU time for each step, and for its record and message."""
    sequence = pair.encode(PROMPT)
    rule, drafter, decoded_steps = decode_sequence(pair, sequence, settings)
    recorder = Recorder(pair, rule, sequence, settings, drafter.ranks)
    messages = RunMessages(PROMPT, settings, "", pair.costs.get(settings.source))
    decoding, recording = [], []
    with closing(decoded_steps) as steps:
        for _ in range(count):
            start = time.thread_time()
            step = next(steps)
            decoded = time.thread_time()
            messages.step(recorder.step(step))
            decoding.append(1000 * (decoded - start))
            recording.append(1000 * (time.thread_time() - decoded))
    return decoding, recording


def largest(temperature: float) -> Iterator[ersd.Settings]:
    """Every rule on every tree that it allows, with as many tokens as Settings take."""
    for algorithm in TRAITS:
        for topology in TOPOLOGIES:
            if not refusal(algorithm, topology) and (TRAITS[algorithm].drafts or topology == "sequence"):
                yield ersd.Settings(
                    algorithm, topology, draft_tokens=256, max_new_tokens=200, temperature=temperature, branching=(64, 3), sequences=64
                )


def main() -> None:
    """Print the table."""
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu")
    print("| rule | tree | temperature | step ms, median | record ms, median | record ms, most |\n|---|---|---|---|---|---|")
    for temperature in TEMPERATURES:
        for settings in largest(temperature):
            decoding, recording = spent(pair, settings, STEPS)
            figures = f"{statistics.median(decoding):.0f} | {statistics.median(recording):.0f} | {max(recording):.0f}"
            print(f"| {settings.algorithm} | {settings.topology} | {temperature} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
