"""What each source of guesses gives: ERSD on a τ* tree against plain decoding, on the same texts, in turn; and a price for dynamic trees.

    python -m tests.bench.bench_sources [--sources model ngram] [--readme]
    python -m tests.bench.bench_sources --prices 0.3 0.2 0.1 [--readme]

Six stories of 160 tokens, temperature 1, one thread, without recording. Every text must be that of plain decoding. `--readme` writes the
rows into the README beside this file, those of other sources stay as they are.
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import torch

import ersd
from assets.openings import FOR_TABLE
from ersd.decoding import decode
from ersd.formatting import decimal
from ersd.machine import now_ms
from ersd.settings import SOURCES

README = Path(__file__).with_name("README.md")
TEXTS, FIRST_SEED, TOKENS = FOR_TABLE[:6], 2000, 160
SIZES = (4, 8, 16)
HEADINGS = "| guesses from | k | tokens per call | ms per token | times plain decoding |\n|---|---|---|---|---|"
PRICED_TEXTS, PRICED_SEED = FOR_TABLE, 3000
PRICE_HEADINGS = "| price | k | drafted per call | tokens per call | draft calls per call | ms per token |\n|---|---|---|---|---|---|"


@dataclass
class Sums:
    """Totals over runs."""

    tokens: int = 0
    calls: int = 0
    drafted: int = 0
    draft_calls: int = 0
    ms: float = 0.0

    def per_call(self, value: float) -> str:
        return decimal(value / self.calls)

    @property
    def ms_per_token(self) -> float:
        return self.ms / self.tokens


def run(pair: ersd.ModelPair, prompt: str, settings: ersd.Settings, sums: Sums) -> list[int]:
    """One run, added to the sums; returns its text."""
    text: list[int] = []
    start = now_ms()
    with closing(decode(pair, prompt, settings)) as steps:
        for step in steps:
            text += step.tokens
            sums.calls += 1
            sums.drafted += len(step.scored.tree.tokens)
            sums.draft_calls += step.scored.tree.calls
    sums.ms += now_ms() - start
    sums.tokens += len(text)
    return text


def of_sources(pair: ersd.ModelPair, names: Sequence[str]) -> Iterator[str]:
    """Rows of the table of sources."""
    sums: dict[tuple[str, int], Sums] = defaultdict(Sums)
    for seed, prompt in enumerate(TEXTS, start=FIRST_SEED):
        plain = ersd.Settings("autoregressive", max_new_tokens=TOKENS, seed=seed)
        expected = run(pair, prompt, plain, sums["plain", 0])
        for name, k in itertools.product(names, SIZES):
            settings = replace(plain, algorithm="ersd", draft_tokens=k, source=name)
            if run(pair, prompt, settings, sums[name, k]) != expected:
                raise ValueError(f"{name}, k = {k} wrote another text after {prompt!r}")
    base = sums.pop(("plain", 0)).ms_per_token
    for (name, k), each in sums.items():
        times = base / each.ms_per_token
        yield f"| {name} | {k} | {each.per_call(each.tokens)} | {each.ms_per_token:.2f} | {decimal(times)} |"


def of_prices(pair: ersd.ModelPair, prices: Sequence[float]) -> Iterator[str]:
    """Rows of the table of prices: trees that end by their price, and for comparison those that end by their size."""
    kinds = [(0.0, k) for k in (4, 6, 9)] + [(price, 64) for price in prices]
    sums = {kind: Sums() for kind in kinds}
    for seed, prompt in enumerate(PRICED_TEXTS, start=PRICED_SEED):
        for price, k in kinds:
            settings = ersd.Settings("ersd", "dynamic", draft_tokens=k, max_new_tokens=TOKENS, seed=seed, price=price)
            run(pair, prompt, settings, sums[price, k])
    for (price, k), each in sums.items():
        cells = (each.per_call(value) for value in (each.drafted, each.tokens, each.draft_calls))
        yield f"| {price:g} | {k if not price else 'at most 64'} | {' | '.join(cells)} | {each.ms_per_token:.2f} |"


def write(name: str, headings: str, rows: Sequence[str]) -> None:
    """Put rows into the README between the markers of a table, in place of those that begin alike."""
    begin, end = f"<!-- {name}: python -m tests.bench.bench_sources -->", f"<!-- end of {name} -->"
    head, rest = README.read_text(encoding="utf-8").split(begin)
    old, tail = rest.split(end)
    kept = {tuple(row.split("|")[1:3]): row for row in old.strip().splitlines()[2:]}
    kept |= {tuple(row.split("|")[1:3]): row for row in rows}
    README.write_text("\n".join([f"{head}{begin}", headings, *kept.values(), f"{end}{tail}"]), encoding="utf-8")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--prices", nargs="+", type=float)
    parser.add_argument("--readme", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    run(pair, TEXTS[0], ersd.Settings(max_new_tokens=16), Sums())  # the first run pays for what is made once
    name, headings = ("prices", PRICE_HEADINGS) if args.prices else ("sources", HEADINGS)
    rows = list(of_prices(pair, args.prices) if args.prices else of_sources(pair, args.sources))
    print("\n".join([headings, *rows]))
    if args.readme:
        write(name, headings, rows)


if __name__ == "__main__":
    main()
