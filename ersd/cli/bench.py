"""The table of methods, measured on one prompt, with a progress bar beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tqdm import tqdm

from ..decoding import generate
from ..models.pair import ModelPair
from ..settings import METHODS, Settings
from .comparison import HEADINGS, Measured, measure, settings_of


def rows(pair: ModelPair, prompt: str, settings: Settings, runs: int) -> Iterator[Measured]:
    """Every named method with as many drafted tokens, on `runs` seeds that count up; a bar on standard error, if that is a terminal."""
    with tqdm(total=len(METHODS) * runs, unit=" runs", file=sys.stderr, disable=None, leave=False, dynamic_ncols=True) as bar:
        for _ in generate(pair, prompt, replace(settings, max_new_tokens=min(16, settings.max_new_tokens))):
            pass  # the first run pays for what is made once
        for name, (algorithm, topology) in METHODS.items():
            bar.set_description(name)
            chosen = settings_of(pair, replace(settings, algorithm=algorithm, topology=topology))
            yield measure(pair, name, chosen, [prompt] * runs, bar.update)


def lines(measured: Sequence[Measured]) -> Iterator[str]:
    """The rows below their headings, in columns."""
    table = [HEADINGS, *(row.cells() for row in measured)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for cells in table:
        yield "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
