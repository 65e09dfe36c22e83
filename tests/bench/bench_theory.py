"""Milliseconds and error of the formulas at one visited node, and seconds of 10,000 lab trials.

    python -m tests.bench.bench_theory

Errors are against the slow references of `tests.ersd.theory.reference`, on the distributions of its `GROUPS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from ersd import lab, theory
from ersd.rules import RULES
from tests.ersd.theory import reference


def milliseconds(call: Callable[[], object]) -> float:
    """The fastest of 20 calls."""
    times = []
    for _ in range(20):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def vertex(name: str, k: int) -> None:
    """Print time and error of each formula for k children at a node."""
    p, q = reference.expanded(reference.GROUPS[name])
    tokens = theory.compress(p, q)
    of_groups = reference.GROUPS[name]
    race = theory.race_acceptances(p, q, [k], tokens)[0] - reference.race_acceptance(*of_groups[:2], k, of_groups[2])
    optimum = theory.optimal_acceptance(p, q, k, False, tokens) - reference.optimum_without_replacement(*of_groups[:2], k, of_groups[2])
    calls = {
        "compress": lambda: theory.compress(p, q),
        f"match + race {race:+.4f}": lambda: theory.race_acceptances(p, q, [1, k], tokens),
        f"optimum {optimum:+.4f}": lambda: theory.optimal_acceptance(p, q, k, False, tokens),
        "gsd_wor": lambda: theory.gsd_acceptance(p, q, k, False, tokens),
        "gsd": lambda: theory.gsd_acceptance(p, q, k),
        "kseq": lambda: theory.kseq_acceptance(p, q, k),
        "optimum i.i.d.": lambda: theory.optimal_acceptance(p, q, k),
    }
    shown = "  ".join(f"{label} {milliseconds(call):.2f} ms" for label, call in calls.items())
    print(f"{name}, {len(p):,} tokens, k = {k}:  {shown}", flush=True)


def main() -> None:
    """Print the figures."""
    torch.set_num_threads(1)
    for name in ("temperature 1", "temperature 2", "large, sharp"):
        for k in (4, 16):
            vertex(name, k)
    p, q = (torch.from_numpy(values) for values in reference.random_pairs(10)[0])
    for name in RULES:
        start = time.perf_counter()
        lab.trials(name, p, q, 4, 10_000)
        print(f"10,000 trials of {name}: {time.perf_counter() - start:.3f} s (at most 2 s)")
    print(f"tau_star, k = 256: {milliseconds(lambda: theory.tau_star([0.6, 0.2, 0.1, 0.1], 256)):.2f} ms")


if __name__ == "__main__":
    main()
