"""A short name for the weights of a model, so that a trace says which ones wrote it."""

from __future__ import annotations

from hashlib import sha256

from transformers import PreTrainedModel

SAMPLE = 64
"""Values of each parameter that are hashed: enough to tell trainings apart, and little to fetch from a GPU."""
DIGITS = 16


def weights_name(model: PreTrainedModel) -> str:
    """`revision 1a2b…` of a model of the hub, else `sample 1a2b…`, a hash of the first values of every parameter."""
    revision = getattr(model.config, "_commit_hash", None)
    if revision:
        return f"revision {revision}"
    digest = sha256()
    for name, parameter in model.named_parameters():
        digest.update(name.encode())
        if parameter.device.type != "meta":  # weights that are elsewhere until they are used
            digest.update(parameter.detach().flatten()[:SAMPLE].float().cpu().numpy().tobytes())
    return f"sample {digest.hexdigest()[:DIGITS]}"
