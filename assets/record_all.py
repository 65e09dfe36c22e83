"""Record anew, in order, everything that shows a run or a measurement of the embedded pair, on a machine with nothing else to do.

    python -m assets.record_all [--valid v.txt] [--from table]

With the validation text the model card is measured as well. After a fault, `--from` goes on with the step that failed. What remains to be
done by hand is at the end of the output.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

PAIR = Path(__file__).parent / "pair"
STEPS = {
    "card": ("assets.describe_pair", "--pair", str(PAIR)),
    "ranks": ("assets.measure_ranks",),
    "first-look": ("assets.record_first_look",),
    "comparison": ("assets.record_comparison",),
    "gallery": ("assets.record_gallery",),
    "curves": ("assets.record_curves",),
    "table": ("assets.table",),
    "speed": ("tests.bench.bench_engine", "--temperature", "0.8", "1", "0.6", "0", "--threads", "1", "2", "--readme"),
    "pictures": ("tests.readme_pictures",),
}
"""The card comes first, since it needs no rank; all others draw trees by the ranks."""
BY_HAND = """Then read: the arrival model printed by `ranks` (ersd/drafts/arrival_model.py), the sentences of the gallery's cards
(visual/payload/gallery), the numbers of the pair in assets/lessons, and the text around the tables of tests/bench/README.md."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--valid", type=Path, help="validation text, for the model card; without it the card stays")
    parser.add_argument("--from", dest="first", choices=list(STEPS), default="card")
    args = parser.parse_args()
    names = list(STEPS)
    for name in names[names.index(args.first) :]:
        command = [sys.executable, "-m", *STEPS[name]]
        if name == "card":
            if args.valid is None:
                continue
            command += ["--valid", str(args.valid)]
        print(f"{name}: {' '.join(command[1:])}", flush=True)
        subprocess.run(command, check=True)
    print(BY_HAND)


if __name__ == "__main__":
    main()
