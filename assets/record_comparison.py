"""Record the comparison that the Compare tab shows before anything is pressed: one text with every source of guesses.

python -m assets.record_comparison
"""

from __future__ import annotations

from dataclasses import replace

import torch

import ersd
from assets.record_gallery import brief_json
from ersd.drafts.sources import sources_of
from visual.server.tabs.compare_recorded import FOLDER, first_settings
from visual.ui.controls import PROMPT
from visual.ui.page import usual_settings


def main() -> None:
    torch.set_num_threads(1)
    FOLDER.mkdir(parents=True, exist_ok=True)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    for name, settings in first_settings(usual_settings()).items():
        if settings.source not in sources_of(pair):
            continue
        path = FOLDER / f"{name}.json"
        trace = replace(ersd.run(pair, PROMPT, settings), costs=pair.costs[settings.source])
        path.write_text(brief_json(trace), encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
