"""Milliseconds of every formula at 256,000 tokens, of those called at every vertex visited, and of 10,000 lab trials.

    python -m tests.bench.bench_theory

The measure of the closed forms is one sort of as many numbers, which the ordered ones cannot do without.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch

from ersd import lab, theory
from ersd.rules.builtin import RULES

VOCAB = 256_000
K = 4


def milliseconds(call: Callable[[], object]) -> float:
    """Median of five calls, after one to warm up."""
    call()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def per_vertex(vocab: int, spread: float) -> None:
    """Print what one visited vertex costs, by the number of children."""
    generator = torch.Generator().manual_seed(1)
    p, q = (spread * torch.randn(2, vocab, generator=generator, dtype=torch.float64)).softmax(-1)
    formulas = {
        "race_acceptance": lambda k: theory.race_acceptance(p, q, k),
        "optimum, i.i.d.": lambda k: theory.optimal_acceptance(p, q, k),
        "optimum, without replacement": lambda k: theory.optimal_acceptance(p, q, k, replacement=False),
        "gsd": lambda k: theory.gsd_acceptance(p, q, k),
        "gsd without replacement": lambda k: theory.gsd_acceptance(p, q, k, replacement=False),
        "kseq": lambda k: theory.kseq_acceptance(p, q, k),
    }
    children = (2, 4, 16, 64, 256)
    print(f"\nms at {vocab:,} tokens, spread {spread}; k = " + "".join(f"{k:8d}" for k in children))
    for name, call in formulas.items():
        print(f"{name:38s}" + "".join(f"{milliseconds(lambda k=k, call=call: call(k)):8.2f}" for k in children))


def main() -> None:
    """Print the figures."""
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(1)
    p, q = (2.5 * torch.randn(2, VOCAB, generator=generator, dtype=torch.float64)).softmax(-1)
    sorting = milliseconds(p.sort)
    print(f"one sort of {VOCAB:,} numbers: {sorting:.1f} ms")
    closed = {
        "race_match": lambda: theory.race_match(p, q),
        "race_bounds": lambda: theory.race_bounds(p, q),
        "gsd_acceptance": lambda: theory.gsd_acceptance(p, q, K),
        "kseq_rho": lambda: theory.kseq_rho(p, q, K),
        "kseq_acceptance": lambda: theory.kseq_acceptance(p, q, K),
        "optimal_acceptance": lambda: theory.optimal_acceptance(p, q, K),
        "the same without replacement": lambda: theory.optimal_acceptance(p, q, K, replacement=False),
        "pareto": lambda: theory.pareto(p, q, 0.5),
        "tau_star, k = 256": lambda: theory.tau_star([0.6, 0.2, 0.1, 0.1], 256),
    }
    numeric = {
        "race_acceptance (an integral)": lambda: theory.race_acceptance(p, q, K),
        "gsd without replacement (a mean over chains)": lambda: theory.gsd_acceptance(p, q, K, replacement=False),
    }
    for name, call in {**closed, **numeric}.items():
        took = milliseconds(call)
        print(f"{name:45s} {took:6.1f} ms = {took / sorting:.2f} sorts" + (" (at most 50 ms)" if name in closed else ""))
    for spread in (0.3, 2.5):
        per_vertex(4096, spread)
    print()
    laws = (1.5 * torch.randn(2, 10, generator=generator, dtype=torch.float64)).softmax(-1)
    for name in RULES:
        took = milliseconds(lambda name=name: lab.trials(name, *laws, K, 10_000)) / 1000
        print(f"10,000 trials of {name:16s} {took:.3f} s (at most 2 s)")


if __name__ == "__main__":
    main()
