"""Record the curves that the Curves tab shows before anything is measured.

python -m assets.record_curves
"""

from __future__ import annotations

import torch

import ersd
from ersd.curves import Plan, whole
from visual.server.tabs.curves import RECORDED_CURVES

PLAN = Plan(drafted=(1, 2, 4, 8, 16, 32, 64), texts=16, calls=12)
"""More texts and calls than the page's own: it takes ten minutes."""


def main() -> None:
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    RECORDED_CURVES.parent.mkdir(parents=True, exist_ok=True)
    RECORDED_CURVES.write_text(whole(pair, PLAN).to_json(), encoding="utf-8")
    print(f"{RECORDED_CURVES.name}: {RECORDED_CURVES.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
