"""The arguments of load_pair, and where the models go."""

import dataclasses

import pytest
import torch
from transformers import AutoModelForCausalLM

import ersd


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"draft": "x"}, "draft must be given with a target, got .x. alone"),
        ({"device": "tpu"}, "device must be one of auto, cpu, cuda, got 'tpu'"),
        ({"dtype": "int4"}, "dtype must be one of auto, float32, bfloat16, float16, got 'int4'"),
        ({"target": "no/such-folder-here", "draft": "no/such-folder-here"}, "target must be a causal language model.*no/such-folder-here"),
    ],
)
def test_bad_arguments_of_load_pair_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        ersd.load_pair(**arguments)


def test_a_target_alone_guesses_from_ngrams():
    pair = ersd.load_pair(ersd.load.EMBEDDED / "target", device="cpu")
    assert (pair.draft, pair.ngrams, pair.draft_name, list(pair.costs)) == (None, None, "none", ["ngram", "exit", "routed"])
    settings = ersd.Settings(max_new_tokens=24, source="ngram")
    text = ersd.run(pair, "The cat sat. The cat", settings).token_ids
    assert text == ersd.run(pair, "The cat sat. The cat", dataclasses.replace(settings, algorithm="autoregressive")).token_ids


def test_only_the_target_is_spread_over_devices(monkeypatch):
    asked, load = [], AutoModelForCausalLM.from_pretrained

    def loaded(place, device_map=None, **more):
        asked.append(device_map)
        return load(place, **more)

    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", loaded)
    monkeypatch.setattr("ersd.machine.find_spec", lambda _: True)  # accelerate, as if it were there
    pair = ersd.load_pair(device="cpu", device_map="auto")
    assert asked == ["auto", None, None]
    assert pair.target.model.device == pair.draft.model.device == torch.device("cpu")
