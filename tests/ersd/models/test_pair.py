"""A pair: its common tokens, its prompts and its texts."""

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast

import ersd
from ersd.models.pair import make_pair
from ersd.models.selfcheck import PairError
from ersd.settings import MAX_CHARACTERS

from ..tiny import characters, letters, llama, tiny_pair


def test_different_tokenizers_are_refused_with_the_first_difference():
    other = letters(8)
    other._tokenizer = letters(8)._tokenizer.from_str(letters(8)._tokenizer.to_str().replace('"h":7', '"z":7'))
    with pytest.raises(
        PairError, match=r"at least 100 strings.*got 7: 1 of 8 tokens differ, token 7 is 'h' for the target and 'z' for the"
    ):
        make_pair(llama(8), llama(8), letters(8), other)


def test_padded_and_different_widths_are_cut_to_the_common_tokens():
    pair = make_pair(llama(16, seed=1), llama(12, seed=2), letters(8))
    assert pair.vocab_size == 8
    trace = ersd.run(pair, "abc", ersd.Settings(draft_tokens=4, max_new_tokens=20, seed=3))
    assert max(trace.token_ids) < 8
    assert all(row.token < 8 for step in trace.steps for visit in step.walk for row in visit.rows)
    full = pair.target.model(torch.tensor([pair.encode("abc")])).logits[0, -1, :8].double().softmax(-1)
    first = trace.steps[0].walk[0]
    assert {row.token: row.p for row in first.rows} == pytest.approx({row.token: full[row.token].item() for row in first.rows}, abs=1e-6)


def test_ids_after_a_hole_of_the_tokenizer_are_tokens_too():
    """Nine tokens, the last with id 11: vocab_size is the largest id + 1, and ids in the hole have no text."""
    tokenizer = characters({**{chr(ord("a") + i): i for i in range(8)}, "z": 11})
    target = llama(16, seed=1)
    target.generation_config.eos_token_id = 11
    pair = make_pair(target, llama(12, seed=2), tokenizer)
    assert (pair.vocab_size, pair.nameless) == (12, {8, 9, 10})
    assert pair.encode("az") == [0, 11]
    assert [pair.token_text(i) for i in (0, 8, 9, 10, 11)] == ["a", "", "", "", "z"]
    assert pair.text([0, 9, 11]) == "az"
    ended = [ersd.run(pair, "abc", ersd.Settings(draft_tokens=4, max_new_tokens=200, seed=seed)) for seed in range(4)]
    assert [trace.stopped for trace in ended] == ["end of text"] * 4
    assert {trace.token_ids[-1] for trace in ended} == {11}
    assert {8, 9, 10} & {token for trace in ended for token in trace.token_ids}


def test_a_tokenizer_that_does_not_know_ids_of_a_hole_is_never_asked(monkeypatch):
    pair = make_pair(llama(12), llama(12), characters({"a": 0, "z": 11}))

    def decode(ids, **_):
        return "".join({0: "a", 11: "z"}[i] for i in ids)

    monkeypatch.setattr(pair.tokenizer, "decode", decode)
    assert pair.text([0, 5, 11]) == "az"
    assert pair.token_text(5) == ""


def test_holes_count_when_tokenizers_are_compared():
    letters_and = {chr(ord("a") + i): i for i in range(8)}
    holed = characters({**letters_and, "z": 11})
    make_pair(llama(12), llama(12), holed, characters({**letters_and, "z": 11}))
    with pytest.raises(PairError, match=r"1 of 10 tokens differ, token 9 is no token for the target and 'z' for the draft"):
        make_pair(llama(12), llama(12), holed, characters({**letters_and, "z": 9}))


def test_a_message_repeats_no_more_than_the_beginning_of_a_long_value():
    first, second = (characters({"a": 0, sign * 5000: 1}) for sign in "xy")
    for provoke in (
        lambda: make_pair(llama(8), llama(8), first, second),
        lambda: ersd.load_pair(device="x" * 5000),
        lambda: ersd.load_pair(dtype="x" * 5000),
        lambda: ersd.load_pair(device_map="x" * 5000),
        lambda: ersd.load_pair(target="x" * 5000),
        lambda: ersd.load_pair(target="x/" * 2500, draft="x"),
        lambda: tiny_pair().encode(["x" * 5000]),
        lambda: tiny_pair().encode(" " * 5000),
    ):
        with pytest.raises(ValueError, match=r"must .* \.\.\.|must .*\.\.\.") as error:
            provoke()
        assert len(str(error.value)) < 700


def test_a_pair_may_have_no_draft_model():
    pair = make_pair(llama(26, seed=1), None, letters(26))
    assert (pair.draft, pair.draft_name) == (None, "none")
    alone = ersd.run(pair, "abc", ersd.Settings(algorithm="autoregressive", max_new_tokens=20)).token_ids
    both = make_pair(llama(26, seed=1), llama(26, seed=2), letters(26))
    assert ersd.run(both, "abc", ersd.Settings(max_new_tokens=20)).token_ids == alone
    assert make_pair(llama(26, max_position_embeddings=64), None, letters(26)).context == 64


@pytest.mark.parametrize("prompt", ["", "   ", None, 5])
def test_an_empty_prompt_is_refused(prompt):
    with pytest.raises(ValueError, match="prompt must be some text"):
        ersd.generate(tiny_pair(), prompt, ersd.Settings())


def test_half_a_character_is_refused():
    with pytest.raises(ValueError, match=r"prompt must be whole characters, got '\\ud83d' at 3"):
        tiny_pair().encode("abc\ud83d")


def test_a_prompt_longer_than_the_context_is_refused():
    pair = make_pair(llama(8, max_position_embeddings=32), llama(8), letters(8))
    assert pair.context == 32
    with pytest.raises(ValueError, match="prompt must leave room in the target's context of 32 tokens, got 40 tokens"):
        ersd.generate(pair, "a" * 40, ersd.Settings())


def test_the_text_of_a_token_keeps_its_space_and_pieces_add_up(pair):
    ids = pair.tokenizer("Once upon a time", add_special_tokens=False)["input_ids"]
    assert "".join(pair.token_text(i) for i in ids) == "Once upon a time"
    assert any(pair.token_text(i).startswith(" ") for i in ids)


def test_the_prompt_is_what_the_tokenizer_gives(pair):
    bos = pair.tokenizer.bos_token
    for prompt in ("Once", bos + "Once", "Once" + bos):
        assert pair.encode(prompt) == pair.tokenizer(prompt)["input_ids"]
    assert pair.encode("Once")[0] == pair.tokenizer.bos_token_id
    # a tokenizer that has a BOS and does not add it
    plain = make_pair(llama(8), llama(8), characters({"a": 0, "b": 1, "^": 2}, bos_token="^"))
    assert plain.encode("ab") == [0, 1]
    assert plain.encode("^^ab") == [2, 2, 0, 1]


@pytest.mark.parametrize("prompt", ["\u200b", "\x00", "\ufeff", "\x01\x02"])
def test_a_prompt_without_a_token_is_refused(prompt):
    inner = Tokenizer(models.WordLevel({c: i for i, c in enumerate("abcdefgh")}, unk_token="a"))
    inner.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=False, strip_accents=False, lowercase=True)
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.Split("", "isolated"), decoders.Fuse()
    pair = make_pair(llama(8, seed=1), llama(8, seed=2), PreTrainedTokenizerFast(tokenizer_object=inner))
    with pytest.raises(ValueError, match=r"prompt must be some text that the tokenizer reads, got .* of which it makes no tokens"):
        pair.encode(prompt)
    pair.tokenizer.chat_template = "a{{ messages[0].content }}b"
    with pytest.raises(ValueError, match="of which it makes no tokens"):
        pair.encode(prompt, chat=True)


def test_a_prompt_of_many_megabytes_is_refused_before_it_is_read(pair, monkeypatch):
    monkeypatch.setattr(type(pair.tokenizer), "__call__", lambda *_, **__: pytest.fail("it was tokenised"))
    with pytest.raises(ValueError, match="prompt must have at most 1,000,000 characters, got 1,000,001"):
        pair.encode("a" * (MAX_CHARACTERS + 1))
