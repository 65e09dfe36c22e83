"""Predict which of the draft's first arrivals the target picks, from the gaps between the draft's own arrival times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ARRIVALS = 12
"""Arrivals with a probability of their own; anything the target picks beyond them counts as "none"."""


class ArrivalModel:
    """Multinomial logit over the draft's first arrivals and "none", fitted while generating.

    Features of arrival i: the gap log t_i - log t_1, log q_i and its square; of none: a constant, log t_1 and the draft's entropy. Each
    observation is one Newton step on the posterior under a normal prior (a running Laplace approximation). Prior: what
    `assets/measure_ranks.py` found for ersd on the embedded pair, worth 64 observations.
    """

    MEAN = (-1.51, 0.19, 0.02, -4.84, 1.04, 0.73)
    PRECISION = (25.0, 214.0, 21000.0, 2.1, 1.8, 21.0)

    def __init__(self, mean: Sequence[float] = MEAN, precision: Sequence[float] = PRECISION) -> None:
        self.weights = np.array(mean, dtype=np.float64)
        self.precision = np.diag(np.array(precision, dtype=np.float64))

    def chances(self, features: np.ndarray) -> np.ndarray:
        """Probabilities [..., arrivals + 1], the last for "none"; features from `arrival_features`."""
        utilities = features @ self.weights
        exponentials = np.exp(utilities - utilities.max(-1, keepdims=True))
        return exponentials / exponentials.sum(-1, keepdims=True)

    def observe(self, features: np.ndarray, picked: int) -> None:
        """Learn that the target picked the arrival with this index; the last index is "none"."""
        chances = self.chances(features)
        mean = chances @ features
        self.precision += (features * chances[:, None]).T @ features - np.outer(mean, mean)
        self.weights = self.weights + np.linalg.solve(self.precision, features[picked] - mean)


def arrival_features(log_times: np.ndarray, log_probs: np.ndarray, draft_entropy: np.ndarray | float) -> np.ndarray:
    """[..., arrivals + 1, 6] of the first arrivals [..., arrivals] of nodes, in their order; the draft's entropy is [...]."""
    features = np.zeros((*log_times.shape[:-1], log_times.shape[-1] + 1, 6))
    features[..., :-1, 0] = log_times - log_times[..., :1]
    features[..., :-1, 1] = log_probs
    features[..., :-1, 2] = log_probs**2
    features[..., -1, 3] = 1
    features[..., -1, 4] = log_times[..., 0]
    features[..., -1, 5] = draft_entropy
    return features
