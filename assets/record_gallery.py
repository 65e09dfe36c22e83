"""Record the runs of the gallery: for each card the first prompt and seed that show its effect.

python -m assets.record_gallery            all of them
python -m assets.record_gallery lossy      the card with this run
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import torch

import ersd
from assets.openings import FOR_TABLE
from ersd.rerun import ranks_of
from ersd.trace.rank_sequence import is_known_for
from visual.payload.gallery import CARDS, Card

FOLDER = Path(__file__).parent / "recorded" / "gallery"
SEEDS = range(40)
DIGITS = 7
"""Significant digits of every number: more than any picture or sentence shows."""


def main() -> None:
    torch.set_num_threads(1)
    FOLDER.mkdir(parents=True, exist_ok=True)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    wanted = sys.argv[1:]
    for card in (card for card in CARDS if not wanted or set(wanted) & set(card.runs)):
        for name, trace in zip(card.runs, recorded(pair, card), strict=True):
            path = FOLDER / f"{name}.json"
            path.write_text(brief_json(trace), encoding="utf-8")
            print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB, seed {trace.settings.seed}, {trace.prompt!r}")


def recorded(pair: ersd.ModelPair, card: Card) -> list[ersd.Trace]:
    """The runs of a card at the first seed and prompt that show its effect. ValueError if none does."""
    for seed, prompt in product(SEEDS, card.prompts or FOR_TABLE):
        traces = [whole(pair, prompt, replace(settings, seed=seed)) for settings in card.runs.values()]
        if card.find(traces):
            return traces
    raise ValueError(f"none of {len(SEEDS)} seeds shows {card.title!r}")


def whole(pair: ersd.ModelPair, prompt: str, settings: ersd.Settings) -> ersd.Trace:
    """A run, with its rank sequence if it fixes the steps of other trees."""
    trace = replace(ersd.run(pair, prompt, settings), costs=pair.costs[settings.source])
    return replace(trace, ranks=ranks_of(pair, trace)) if is_known_for(settings) else trace


def brief_json(trace: ersd.Trace) -> str:
    """As `Trace.to_json` with rounded numbers; the settings and the rank prior stay as they are."""
    data = json.loads(trace.to_json())
    for step in data["steps"]:
        del step["states"]  # follow from the rest
    data["steps"] = _rounded(data["steps"])
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _rounded(data: Any) -> Any:
    if isinstance(data, float):
        return float(f"{data:.{DIGITS}g}")
    if isinstance(data, dict):
        return {name: _rounded(each) for name, each in data.items()}
    return [_rounded(each) for each in data] if isinstance(data, list) else data


if __name__ == "__main__":
    main()
