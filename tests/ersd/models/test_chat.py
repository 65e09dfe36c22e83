"""The chat template: the prompt of a user's turn, as instruct models expect it."""

from __future__ import annotations

import pytest

import ersd
from ersd.models.pair import make_pair
from tests.ersd.tiny import characters, letters, llama

TEMPLATE = "{% for m in messages %}g{{ m['content'] }}h{% endfor %}{% if add_generation_prompt %}f{% endif %}"


@pytest.fixture(scope="module")
def pair():
    tokenizer = letters(8)
    tokenizer.chat_template = TEMPLATE
    return make_pair(llama(8, seed=1), llama(8, seed=2), tokenizer)


def test_the_prompt_goes_into_the_template_and_as_it_is_without_the_switch(pair):
    assert pair.encode("abc") == [0, 1, 2]
    assert pair.encode("abc", chat=True) == [6, 0, 1, 2, 7, 5]
    assert pair.fed("abc", chat=True) == ("gabchf", 6)
    assert pair.fed("abc") == ("abc", 3)


def test_a_run_begins_after_the_template(pair):
    settings = ersd.Settings(max_new_tokens=12, seed=3, draft_tokens=4)
    chat, plain = ersd.run(pair, "abc", ersd.Settings(**{**settings.to_dict(), "chat": True})), ersd.run(pair, "abc", settings)
    assert chat.steps[0].position == 6
    assert plain.steps[0].position == 3
    assert chat.token_ids == ersd.run(pair, "gabchf", settings).token_ids != plain.token_ids


def test_one_bos_typed_by_the_template_or_not():
    tokenizer = characters({"^": 0, **{chr(ord("a") + i): i + 1 for i in range(7)}}, bos_token="^")
    tokenizer.chat_template = "^a{{ messages[0]['content'] }}"
    assert make_pair(llama(8, seed=1), llama(8, seed=2), tokenizer).encode("b", chat=True) == [0, 1, 2]


def test_without_a_template_it_is_refused():
    with pytest.raises(ValueError, match=r"chat must be false for embedded storyteller .*, whose tokenizer has no chat template"):
        next(ersd.generate(ersd.load_pair(), "Once", ersd.Settings(chat=True)))


@pytest.mark.parametrize(("value", "expected"), [(True, True), ("true", True), ("False", False), (0, False), ("1", True)])
def test_what_a_switch_may_be(value, expected):
    assert ersd.Settings(chat=value).chat is expected


@pytest.mark.parametrize("value", ["yes", 2, None, "", [], 0.5, "x" * 300])
def test_what_a_switch_may_not_be(value):
    with pytest.raises(ValueError, match="chat must be true or false, got"):
        ersd.Settings(chat=value)
