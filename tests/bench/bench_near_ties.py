"""Is every token at which ERSD's text leaves that of plain decoding marked as a near tie?

    python -m tests.bench.bench_near_ties [--runs 50] [--dtype bfloat16]

In half precision the two texts differ now and then, because the logits of a tree are rounded otherwise than those of single tokens. The
first token that differs has to be marked; after it the texts have different contexts. Prints for several settings how many of the runs
differed, how many of these differences were not marked, and how many tokens are marked at all.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import pairwise

import torch

import ersd
from assets.openings import OPENINGS
from ersd.machine import DTYPES

PROMPTS = (*OPENINGS, *(f"{first} {then}" for first, then in pairwise(OPENINGS)))
SAMPLINGS: tuple[dict[str, float], ...] = (
    {"temperature": 0}, {"temperature": 0.1}, {"temperature": 0.5}, {"temperature": 1}, {"temperature": 1, "top_k": 5, "top_p": 0.8},
    {"temperature": 0.5, "top_k": 5, "top_p": 0.8}, {"temperature": 1, "top_p": 0.8},
)  # fmt: skip


@dataclass
class Count:
    """Counts under one setting."""

    differ: int = 0
    """runs whose texts differ"""
    unmarked: int = 0
    """runs whose first different token was not marked"""
    widest: float = 0.0
    """the largest margin of a first different token, logits; below twice the noise it is marked"""
    tokens: int = 0
    marked: int = 0

    def add(self, pair: ersd.ModelPair, prompt: str, seed: int, new_tokens: int, sampling: dict[str, float]) -> None:
        """Add one run, compared with plain decoding."""
        common = {"seed": seed, "max_new_tokens": new_tokens, **sampling}
        plain = ersd.run(pair, prompt, ersd.Settings(algorithm="autoregressive", **common)).token_ids
        trace = ersd.run(pair, prompt, ersd.Settings(algorithm="ersd", topology="tau_star", draft_tokens=16, **common))
        emitted = [one for step in trace.steps for one in step.emitted]
        visits = [visit for step in trace.steps for visit in step.walk]
        first = next((i for i, (one, token) in enumerate(zip(emitted, plain, strict=False)) if one.token != token), None)
        if first is not None:
            self.differ += 1
            self.unmarked += not emitted[first].near_tie
            self.widest = max(self.widest, visits[first].margin or 0.0)
        self.tokens += len(emitted)
        self.marked += sum(one.near_tie for one in emitted)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--dtype", choices=DTYPES, default="bfloat16")
    args = parser.parse_args()
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu", dtype=args.dtype)
    print(f"{args.dtype}, {args.runs} runs each, marked below {2 * pair.logit_noise:.3f}")
    for sampling in SAMPLINGS:
        count = Count()
        for seed in range(args.runs):
            count.add(pair, PROMPTS[seed % len(PROMPTS)], seed, 64, sampling)
        name_values = ", ".join(f"{name} {value:g}" for name, value in sampling.items())
        share = 100 * count.marked / count.tokens
        differences = f"{count.unmarked} of them unmarked, margins up to {count.widest:.3f}"
        print(f"{name_values:35} {count.differ:3} texts differ, {differences}; {share:4.1f}% of tokens marked", flush=True)


if __name__ == "__main__":
    main()
