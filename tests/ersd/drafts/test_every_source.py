"""What every source of guesses must hold: under ERSD the text is that of plain decoding, whatever is guessed."""

from __future__ import annotations

import pytest

import ersd
from ersd.settings import SOURCES

from ..statistical import tokens_of
from ..test_decoding import PROMPTS

LENGTH = 24
FIELDS = {"frequent": {"frequent_tokens": 256}}
"""So few that some tokens of the text cannot be guessed."""


@pytest.fixture(scope="module")
def plain(pair) -> dict[int, list[int]]:
    """The tokens of plain decoding, by seed."""
    return {seed: tokens_of(pair, PROMPTS[0], ersd.Settings("autoregressive", max_new_tokens=LENGTH, seed=seed)) for seed in (1, 4, 16, 64)}


@pytest.mark.parametrize("topology", ["tau_star", "dynamic", "poisson"])
@pytest.mark.parametrize("k", [1, 4, 16, 64])
@pytest.mark.parametrize("source", SOURCES)
def test_the_text_is_that_of_plain_decoding_whoever_guesses(pair, plain, source, k, topology):
    settings = ersd.Settings("ersd", topology, draft_tokens=k, max_new_tokens=LENGTH, seed=k, source=source, **FIELDS.get(source, {}))
    steps = list(ersd.generate(pair, PROMPTS[0], settings, record=False))
    assert [token for step in steps for token in step] == plain[k]
    assert len(steps) < LENGTH, "no guess was right"


@pytest.mark.parametrize("source", ["exit", "routed"])
def test_what_is_learned_on_the_way_belongs_to_the_run(pair, source):
    settings = ersd.Settings(draft_tokens=8, max_new_tokens=LENGTH, seed=5, source=source)
    first, again = (list(ersd.generate(pair, PROMPTS[0], settings, record=False)) for _ in range(2))
    assert first == again, "the same steps"
