"""What a model's own generation_config asks of transformers' `generate` and is not applied here."""

from __future__ import annotations

from typing import Any

NOT_APPLIED = {
    "repetition_penalty": 1,
    "encoder_repetition_penalty": 1,
    "no_repeat_ngram_size": 0,
    "encoder_no_repeat_ngram_size": 0,
    "bad_words_ids": None,
    "suppress_tokens": None,
    "begin_suppress_tokens": None,
    "forced_bos_token_id": None,
    "forced_eos_token_id": None,
    "sequence_bias": None,
    "exponential_decay_length_penalty": None,
    "min_length": 0,
    "min_new_tokens": 0,
    "guidance_scale": 1,
    "stop_strings": None,
    "watermarking_config": None,
    "num_beams": 1,
}
"""Option -> the value that changes nothing. These change the text of greedy decoding too."""
ONLY_SAMPLED = {"min_p": 0, "typical_p": 1, "epsilon_cutoff": 0, "eta_cutoff": 0, "top_h": None}
"""The same for options of sampling. Temperature, top-k and top-p are not among them: they are settings of a run."""


def left_out(generation_config: Any) -> tuple[str, ...]:
    """The options of a model's generation_config that a run here leaves out, such as "repetition_penalty"."""
    if generation_config is None:
        return ()
    options = NOT_APPLIED | (ONLY_SAMPLED if getattr(generation_config, "do_sample", None) else {})
    values = {name: getattr(generation_config, name, None) for name in options}
    return tuple(name for name, value in values.items() if value not in (None, [], options[name]))
