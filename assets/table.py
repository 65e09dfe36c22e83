"""The table of tests/bench/README.md, measured: `python -m assets.table` (about ten minutes on one core) writes it between its markers.

Every named method with 4, 8, 16 and 32 drafted tokens on the embedded pair: tokens per target call with the standard error over the
stories, what the rank distribution predicts, and the smaller upper bound of the tokens per call with its name. Times are measured by
`tests.bench.bench_engine`, run by run in turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch

import ersd
from assets.openings import FOR_TABLE
from ersd.cli.bench import HEADINGS, measure, with_all_drafted

README = Path(__file__).resolve().parent.parent / "tests" / "bench" / "README.md"
BEGIN, END = "<!-- table: python -m assets.table -->", "<!-- end of table -->"
DRAFTED = (4, 8, 16, 32)
TOKENS = 96
STORIES = FOR_TABLE[:6]


def rows(pair: ersd.ModelPair) -> Iterator[str]:
    """The table, line by line."""
    yield f"| {' | '.join(HEADINGS[:-1])} |"
    yield "|---" * len(HEADINGS[:-1]) + "|"
    for name, (algorithm, topology) in ersd.METHODS.items():
        counts = DRAFTED if algorithm != "autoregressive" else DRAFTED[:1]
        for k in counts:
            settings = with_all_drafted(pair, ersd.Settings(algorithm, topology, draft_tokens=k, max_new_tokens=TOKENS))
            line = " | ".join(measure(pair, name, settings, STORIES).cells()[:-1])
            print(line, flush=True)
            yield f"| {line} |"


def main() -> None:
    """Measure and write."""
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    ersd.run(pair, STORIES[0], ersd.Settings(max_new_tokens=16))  # the first run pays for what is made once
    table = "\n".join(rows(pair))
    text = README.read_text(encoding="utf-8")
    head, tail = text.split(BEGIN)[0], text.split(END)[1]
    README.write_text(f"{head}{BEGIN}\n{table}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
