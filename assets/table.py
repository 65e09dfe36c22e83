"""The README's table, measured: `python -m assets.table` (about ten minutes on one core) writes it between its markers.

Every named method with 4, 8, 16 and 32 drafted tokens on the embedded pair: tokens per target call with the standard error over the
stories, what the rank law predicts, the bound of arXiv 2504.15475 with the measured H[R] where it is one, and milliseconds per token on
this machine, without the record for the pictures.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch

import ersd
from assets.openings import FOR_TABLE
from ersd.limits import has_length_bound
from ersd.rank_law import RankLaw
from ersd.settings import LEVELS
from ersd.theory import length_bound
from ersd.topologies import shape_of

README = Path(__file__).resolve().parent.parent / "README.md"
BEGIN, END = "<!-- table: python -m assets.table -->", "<!-- end of table -->"
DRAFTED = (4, 8, 16, 32)
TOKENS = 128


def settings_of(pair: ersd.ModelPair, algorithm: str, topology: str, k: int) -> ersd.Settings:
    """The method with exactly k drafted tokens; where it leaves a choice (branching, sequences), the one its rank law rates best."""
    law = RankLaw(pair.hazards.get(algorithm, ()))
    usual = ersd.Settings(algorithm, topology, draft_tokens=k, max_new_tokens=TOKENS)
    choices = [usual]
    if topology == "multi_sequence":
        choices = [replace(usual, sequences=m) for m in range(2, k + 1) if k % m == 0]
    elif topology == "specinfer":
        choices = [replace(usual, branching=branching) for branching in _branchings(k)]
    return max(choices, key=lambda settings: shape_of(settings, law).expected)


def _branchings(k: int, width: int = 1) -> Iterator[tuple[int, ...]]:
    """All regular trees with k vertices below `width` vertices, not deeper than Settings allows and not only a chain."""
    for children in range(1, k // width + 1):
        level = children * width
        if level == k:
            yield (children,)
        elif width > 1 or children > 1:
            yield from ((children, *rest) for rest in _branchings(k - level, level) if len(rest) < LEVELS.high)


def measure(pair: ersd.ModelPair, settings: ersd.Settings) -> list[str]:
    """The cells of one method: tokens per call, predicted, bound, ms per token."""
    runs, law, expected = [], RankLaw(), []
    seconds = 0.0
    for seed, opening in enumerate(FOR_TABLE):
        chosen = replace(settings, seed=seed)
        steps = list(ersd.generate(pair, opening, chosen))
        start = time.perf_counter()
        list(ersd.generate(pair, opening, chosen, record=False))
        seconds += time.perf_counter() - start
        runs.append((sum(len(step.emitted) for step in steps), len(steps)))
        expected += [step.expected or 1.0 for step in steps]
        for visit in itertools.chain.from_iterable(step.walk for step in steps):
            if visit.tries:
                law.observe(visit.rank, len(visit.tries))
    tokens, calls = (sum(column) for column in zip(*runs, strict=True))
    rate = tokens / calls
    spread = math.sqrt(len(runs) / (len(runs) - 1) * sum((t - rate * c) ** 2 for t, c in runs)) / calls
    entropy, bound = law.entropy(), "–"
    if entropy and has_length_bound(settings):
        bound = f"{length_bound(pair.vocab_size, settings.vertices, entropy):.1f}"
    return [f"{rate:.2f} ± {spread:.2f}", f"{sum(expected) / len(expected):.2f}", bound, f"{1000 * seconds / tokens:.1f}"]


def rows(pair: ersd.ModelPair) -> Iterator[str]:
    """The table, line by line."""
    yield "| method | k | tokens per target call | predicted | bound | ms per token |"
    yield "|---|---|---|---|---|---|"
    for name, (algorithm, topology) in ersd.METHODS.items():
        counts = DRAFTED if algorithm != "autoregressive" else DRAFTED[:1]
        for k in counts:
            settings = settings_of(pair, algorithm, topology, k)
            detail = {"specinfer": f" ({'·'.join(map(str, settings.branching))})", "multi_sequence": f" ({settings.sequences} chains)"}
            drafted = f"{k}{detail.get(topology, '')}" if algorithm != "autoregressive" else "–"
            line = " | ".join([name, drafted, *measure(pair, settings)])
            print(line, flush=True)
            yield f"| {line} |"


def main() -> None:
    """Measure and write."""
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    ersd.run(pair, FOR_TABLE[0], ersd.Settings(max_new_tokens=16))  # the first run pays for what is made once
    table = "\n".join(rows(pair))
    text = README.read_text(encoding="utf-8")
    head, tail = text.split(BEGIN)[0], text.split(END)[1]
    README.write_text(f"{head}{BEGIN}\n{table}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
