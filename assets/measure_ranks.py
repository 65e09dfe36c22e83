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
TOPOLOGY = {
    "ersd": "sequence",
    "greedy": "sequence",
    "half_race": "sequence",
    "gsd": "batch",
    "gsd_wor": "batch",
    "kseq": "multi_sequence",
    "spechub": "specinfer",
    "block": "sequence",
}
"""The tree that shows a rule's ranks best: where the draft orders all tokens they are known everywhere, else only among the children that
were drawn. K-SEQ and SpecHub accept a try more or less often the more children there are, so they are measured on their usual tree."""
SAME_AS = {"lossy": "gsd", "traversal": "gsd", "traversal_wor": "gsd_wor"}
"""Rules that are not measured: a leniency is only known later, and on one level traversal is the rule it is named after here."""


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
    parser.add_argument("--rules", nargs="+", choices=TOPOLOGY, default=list(TOPOLOGY), help="those to measure; others stay as they are")
    args = parser.parse_args()
    torch.set_num_threads(1)
    pair = ersd.load_pair()
    hazards = read_hazards()
    for source in args.sources:
        own = hazards.setdefault(source, {})
        for algorithm in args.rules:
            own[algorithm] = [round(h, 4) for h in measure(pair, source, algorithm)]
            print(f"{source:6s} {algorithm:9s}", " ".join(f"{h:.3f}" for h in own[algorithm][:8]), flush=True)
            own |= {rule: own[other] for rule, other in SAME_AS.items() if other in own}
            text = json.dumps(hazards, indent=1).replace(",\n   ", ", ").replace("[\n   ", "[").replace("\n  ]", "]")
            HAZARDS.write_text(text + "\n", encoding="utf-8")
    if "ersd" not in args.rules or "model" not in args.sources:
        return
    model = fitted(pair)
    print("arrival model", np.round(model.weights, 2), "precision", np.round(np.diag(model.precision), 1))


if __name__ == "__main__":
    main()
