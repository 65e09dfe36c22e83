"""Time and memory of a step as trees, contexts and vocabularies grow, over random weights: `python -m tests.bench.bench_scale`.

Milliseconds of a recorded step with ERSD's τ* tree, and of its draft, target call and walk; memory is the peak above what the process
held before the run, and what it still holds after it. `--keys` measures instead what clocks keyed by context cost: they are drawn
for every node that is drafted after or visited, those by position once a level.
"""

from __future__ import annotations

import argparse
import gc
import resource
import statistics
import time
from pathlib import Path

import torch

import ersd

from .random_llama import random_pair

CASES = [
    # vocabulary, context read before, drafted tokens
    (4_096, 32, 16), (4_096, 32, 64), (4_096, 32, 256),
    (4_096, 1_024, 16), (4_096, 4_000, 16), (4_096, 4_000, 256),
    (152_000, 32, 16), (152_000, 32, 64), (152_000, 32, 256), (152_000, 4_000, 256),
]  # fmt: skip

KEYED = [(vocab, 32, 64, keys) for vocab in (4_096, 152_000) for keys in ("position", "context")]
"""Cases of `--keys`, with what the clocks depend on."""


def memory() -> float:
    """Memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def peak_memory() -> float:
    """Peak memory in MB since `reset_peak`."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmHWM"))


def reset_peak() -> None:
    """Restart the kernel's record of the peak."""
    Path("/proc/self/clear_refs").write_text("5")


def measure(pair: ersd.ModelPair, context: int, k: int, tokens: int, keys: str = "position") -> list[str]:
    """The cells of one case."""
    # random weights give flat distributions, alike for both models; sharpened they differ, so steps are short
    settings = ersd.Settings(draft_tokens=k, max_new_tokens=tokens, seed=1, temperature=0.01, keys=keys)
    prompt = " ".join(f"w{i % 997}" for i in range(context))
    gc.collect()
    before = memory()
    reset_peak()
    steps, start, seconds = [], time.perf_counter(), 0.0
    for step in ersd.generate(pair, prompt, settings):
        steps.append(step)
        if len(steps) == 1:  # the first step reads the prompt
            start = time.perf_counter()
    seconds = time.perf_counter() - start
    peak = peak_memory() - before
    count, later = len(steps), steps[1:]
    mean = {name: statistics.mean(getattr(step, name) for step in later) for name in ("draft_ms", "target_ms", "verify_ms")}
    del steps, later, step
    gc.collect()
    return [f"{1e3 * seconds / (count - 1):.0f}", *(f"{value:.1f}" for value in mean.values()), f"{peak:.0f}", f"{memory() - before:.0f}"]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tokens", type=int, default=24)
    parser.add_argument("--keys", action="store_true")
    arguments = parser.parse_args()
    tokens = arguments.tokens
    torch.set_num_threads(1)
    print("| vocabulary | context | k | keys | ms per step | draft | target | verify | peak MB | MB after |")
    print("|---" * 10 + "|")
    pairs: dict[int, ersd.ModelPair] = {}
    for vocab, context, k, keys in KEYED if arguments.keys else [(*case, "position") for case in CASES]:
        if vocab not in pairs:
            pairs = {vocab: random_pair("tiny", "tiny", vocab=vocab)}
            measure(pairs[vocab], 8, 4, tokens)  # warm up
        print(f"| {vocab:,} | {context:,} | {k} | {keys} | {' | '.join(measure(pairs[vocab], context, k, tokens, keys))} |", flush=True)


if __name__ == "__main__":
    main()
