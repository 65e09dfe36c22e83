"""Measure the embedded pair's rank distributions, the priors of its τ* trees; writes assets/pair/hazards.json.

python -m assets.measure_ranks

Also prints the arrival model that dynamic trees start from (`ersd.drafts.arrival_model`), fitted on the same runs.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
import torch

import ersd
from assets.openings import FOR_RANKS
from ersd.drafts.arrival_model import ARRIVALS, ArrivalModel, arrival_features
from ersd.drafts.rank_distribution import RankDistribution
from ersd.load import HAZARDS, read_hazards
from ersd.models.target import LoadedModel
from ersd.randomness import clocks
from ersd.sampling import entropy, probabilities
from ersd.settings import SOURCES

TOKENS = 160
RANKS = 64
WORTH = 16
"""Weight in visits of the usual hazards, so that ranks seldom reached do not jump."""
OBSERVATIONS = 64
"""What the arrival model's prior is worth: a run's own observations soon outweigh it."""
TOPOLOGY = {"ersd": "sequence", "greedy": "sequence", "gsd": "batch", "gsd_wor": "batch", "kseq": "multi_sequence", "block": "sequence"}
"""The tree that shows a rule's ranks best: the race knows them everywhere, the others only among the children they drew. K-SEQ accepts a
try less often the more children there are, so it is measured on its usual tree."""


def measure(pair: ersd.ModelPair, source: str, algorithm: str) -> list[float]:
    """Hazards of the ranks 1 to RANKS."""
    ranks = RankDistribution()
    for seed, opening in enumerate(FOR_RANKS, start=1000):
        settings = ersd.Settings(algorithm, TOPOLOGY[algorithm], draft_tokens=16, max_new_tokens=TOKENS, seed=seed, source=source)
        for step in ersd.generate(pair, opening, settings):
            for visit in step.walk:
                if visit.tries:
                    ranks.observe(visit.rank, len(visit.tries))
    return ranks.hazards(RANKS, WORTH)


def fitted(pair: ersd.ModelPair) -> ArrivalModel:
    """The arrival model of ersd on the same texts, from a nearly flat prior; its precision is that of `OBSERVATIONS` tokens."""
    assert isinstance(pair.draft, LoadedModel)
    model = ArrivalModel(mean=(-1, 0, 0, 0, 0, 0), precision=(0.5,) * 6)
    seen = 0
    for seed, opening in enumerate(FOR_RANKS, start=1000):
        prompt = pair.encode(opening)
        text = ersd.run(pair, opening, ersd.Settings("autoregressive", max_new_tokens=TOKENS, seed=seed)).token_ids
        with torch.inference_mode():
            q = probabilities(pair.draft.model(torch.tensor([prompt + text])).logits[0, len(prompt) - 1 : -1, : pair.vocab_size])
        times = clocks(seed, torch.arange(len(prompt), len(prompt) + len(text)), pair.vocab_size).log() - q.log()
        first = times.topk(ARRIVALS, largest=False)
        for i, token in enumerate(text):
            arrivals = first.indices[i].tolist()
            picked = arrivals.index(token) if token in arrivals else ARRIVALS
            features = arrival_features(first.values[i].numpy(), q[i, arrivals].log().numpy(), entropy(q[i]).item())
            model.observe(features, picked)
            seen += 1
    model.precision *= OBSERVATIONS / seen
    return model


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=list(SOURCES), help="those to measure; others stay as they are")
    args = parser.parse_args()
    torch.set_num_threads(1)
    pair = ersd.load_pair()
    hazards = read_hazards()
    for source in args.sources:
        hazards[source] = {algorithm: [round(h, 4) for h in measure(pair, source, algorithm)] for algorithm in TOPOLOGY}
        hazards[source]["lossy"] = hazards[source]["gsd"]  # leniency is only known later
        hazards[source] |= {"traversal": hazards[source]["gsd"], "traversal_wor": hazards[source]["gsd_wor"]}  # the same on one level
        for algorithm, values in hazards[source].items():
            print(f"{source:6s} {algorithm:8s}", " ".join(f"{h:.3f}" for h in values[:8]))
    HAZARDS.write_text(json.dumps(hazards, indent=1).replace(",\n   ", ", ").replace("[\n   ", "[").replace("\n  ]", "]") + "\n")
    model = fitted(pair)
    print("arrival model", np.round(model.weights, 2), "precision", np.round(np.diag(model.precision), 1))


if __name__ == "__main__":
    main()
