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


def test_what_is_fed_is_what_the_template_writes():
    tokenizer = characters({"^": 0, **{chr(ord("a") + i): i + 1 for i in range(7)}}, bos_token="^")
    pair = make_pair(llama(8, seed=1), llama(8, seed=2), tokenizer)
    for template, ids in (
        ("^a{{ messages[0]['content'] }}", [0, 1, 2]),
        ("a{{ messages[0]['content'] }}", [1, 2]),
        ("^^a{{ messages[0]['content'] }}", [0, 0, 1, 2]),
    ):
        tokenizer.chat_template = template
        assert pair.encode("b", chat=True) == ids


PARTS = "a{% for m in messages %}{% for part in m.content %}{% if part.type == 'text' %}{{ part.text }}{% endif %}{% endfor %}{% endfor %}h"


def chat_pair(template: str):
    tokenizer = letters(8)
    tokenizer.chat_template = template
    return make_pair(llama(8, seed=1), llama(8, seed=2), tokenizer)


@pytest.mark.parametrize(
    "template", [PARTS, PARTS.replace("part.type", "part['type']"), "a{% for m in messages %}{{ m.content[0].text }}{% endfor %}h"]
)
def test_a_template_that_wants_content_in_parts_gets_it(template):
    assert chat_pair(template).fed("cde", chat=True)[0] == "acdeh"
    assert chat_pair(template).fed("a", chat=True)[0] == "aah"


REFUSED = {
    "{% if messages[0].role != 'system' %}{{ raise_exception('System first') }}{% endif %}": "refuses a single user turn: System first",
    "{{ messages[1].content }}": "refuses a single user turn: .*no element 1",
    "{{ nothing_there | tojson }}{{ messages[0].content }}": "refuses a single user turn: .*Undefined",
    "{% if %}": "refuses a single user turn: Expected an expression",
    "a{% for m in messages %}{% if m.role == 'system' %}{{ m.content }}{% endif %}{% endfor %}h": "leaves out the prompt of a user",
    "{{ messages[0].content | replace('b', 'c') }}": "changes this prompt",
}


@pytest.mark.parametrize("template", REFUSED)
def test_a_template_that_does_not_take_the_prompt_is_an_error_in_words(template):
    with pytest.raises(ValueError, match="chat must be false for pair, whose chat template " + REFUSED[template]):
        chat_pair(template).encode("abc", chat=True)


def test_without_a_template_it_is_refused():
    without = make_pair(llama(8, seed=1), llama(8, seed=2), letters(8))
    with pytest.raises(ValueError, match="chat must be false for pair, whose tokenizer has no chat template"):
        next(ersd.generate(without, "abc", ersd.Settings(chat=True)))
