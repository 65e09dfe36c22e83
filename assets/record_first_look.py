"""Record the run the page shows before anything is pressed.

python -m assets.record_first_look
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

import ersd
from ersd.rerun import ranks_of

PROMPT = "Once upon a time there was a little girl named"
SETTINGS = ersd.Settings(algorithm="ersd", topology="tau_star", draft_tokens=8, temperature=0.8, max_new_tokens=96, seed=12)


def main() -> None:
    torch.set_num_threads(1)
    folder = Path(__file__).parent / "recorded"
    folder.mkdir(exist_ok=True)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    trace = ersd.run(pair, PROMPT, SETTINGS)
    trace = replace(trace, ranks=ranks_of(pair, trace), costs=pair.costs["model"])
    (folder / "first-look.json").write_text(trace.to_json())


if __name__ == "__main__":
    main()
