"""Milliseconds of the processor that writing a step down and telling it to the page takes, which is only shown, beside those of the step
itself: every rule on every tree at 256 drafted tokens, on the embedded pair.

    python -m tests.bench.bench_record

The goal is at most 100 ms on an idle core.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch

import ersd
from ersd.decoding import _steps
from ersd.drafts.factory import drafter_for
from ersd.drafts.topologies import TOPOLOGIES, refusal
from ersd.rules.builtin import RULES
from ersd.rules.registry import TRAITS
from ersd.trace.outcome import Outcome
from ersd.trace.recorder import Recorder
from visual.payload.messages import RunMessages

TEMPERATURES = (0.2, 1.0)
"""The lower one is the dearest: many children have next to no probability."""
STEPS = 6


def spent(pair: ersd.ModelPair, settings: ersd.Settings, steps: int) -> tuple[list[float], list[float]]:
    """Milliseconds of this thread for each step, and for what is shown of it."""
    rule, sequence = RULES[settings.algorithm].with_settings(settings), pair.encode("Once upon a time")
    recorder, narrator = Recorder.of(pair, sequence, settings), RunMessages("Once upon a time", settings, "", pair.costs)
    decoding, recording = [], []
    coming = _steps(pair, sequence, settings, rule, drafter_for(pair, rule, settings))
    for _ in range(steps):
        start = time.thread_time()
        step = next(coming)
        decoded = time.thread_time()
        narrator.step(recorder.step(Outcome.of(step.scored, step.way, step.milliseconds)))
        decoding.append(1000 * (decoded - start))
        recording.append(1000 * (time.thread_time() - decoded))
    coming.close()
    return decoding, recording


def largest(temperature: float) -> Iterator[ersd.Settings]:
    """Every rule on every tree that it allows, as large as can be asked for."""
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
    print("| rule | tree | temperature | step ms, median | shown ms, median | shown ms, most |\n|---|---|---|---|---|---|")
    for temperature in TEMPERATURES:
        for settings in largest(temperature):
            decoding, recording = spent(pair, settings, STEPS)
            figures = f"{statistics.median(decoding):.0f} | {statistics.median(recording):.0f} | {max(recording):.0f}"
            print(f"| {settings.algorithm} | {settings.topology} | {temperature} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
