"""The entries of pairs.toml."""

from __future__ import annotations

import pytest

from ersd.models.catalogue import read_catalogue


def test_the_catalogue_is_whole():
    offers = read_catalogue()
    assert len(offers) >= 6
    assert len({offer.name for offer in offers}) == len(offers)
    for offer in offers:
        assert offer.target.count("/") == offer.draft.count("/") == 1
        assert offer.memory("float32") > offer.memory("bfloat16") > offer.gigabytes
        assert offer.licence in offer.about
        assert ("gated" in offer.about) == offer.gated == offer.target.startswith("meta-llama")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[pair]]\nname = 'x'", "pair 1 must have name, target, draft, licence, gated, gigabytes, chat.*look at target"),
        ("[[pair", "cannot be read"),
    ],
)
def test_a_damaged_catalogue_is_named_with_its_entry(tmp_path, text, message):
    (tmp_path / "pairs.toml").write_text(text)
    with pytest.raises(ValueError, match=message):
        read_catalogue(tmp_path / "pairs.toml")
