"""The test for a seed: its clocks, its p-value, what a change of the text does to it, and every input that is no text."""

import re

import pytest
from scipy.stats import gamma, kstest

import ersd
from ersd.cli.main import main
from ersd.randomness import clocks
from ersd.watermarking import Watermark, watermark

PROMPT = "Once upon a time there was a little girl named"
SETTINGS = {"max_new_tokens": 96, "seed": 12, "temperature": 0.8}


@pytest.fixture(scope="module")
def written(pair):
    """By the keys: the tokens of a run and the index of the first."""
    start = len(pair.encode(PROMPT))
    runs = {keys: ersd.run(pair, PROMPT, ersd.Settings("autoregressive", keys=keys, **SETTINGS)) for keys in ("position", "context")}
    return {keys: (run.token_ids, start) for keys, run in runs.items()}


def test_the_clocks_are_those_of_the_run(written, pair):
    tokens, start = written["position"]
    found = ersd.watermark(tokens, 12, start)
    assert found.clocks == [clocks(12, start + place, pair.vocab_size)[token].item() for place, token in enumerate(tokens)]
    assert found.sum == pytest.approx(sum(found.clocks))
    assert found.pvalue == pytest.approx(gamma.cdf(found.sum, found.count), rel=1e-9)


@pytest.mark.parametrize("keys", ["position", "context"])
def test_the_seed_of_a_text_is_recognised_and_no_other(written, keys):
    tokens, start = written[keys]
    assert ersd.watermark(tokens, 12, start, keys).pvalue < 1e-4
    others = [ersd.watermark(tokens, seed, start, keys).pvalue for seed in range(100, 500)]
    assert kstest(others, "uniform").pvalue > 1e-5  # a false alarm is exactly as rare as it says
    assert not ersd.watermark(tokens, 13, start, keys).is_recognised


def test_a_word_inserted_or_cut(written):
    """By position all later clocks are strangers, by context only those of the next tokens."""
    for keys, is_found in (("position", False), ("context", True)):
        tokens, start = written[keys]
        for changed in ([*tokens[:20], 500, *tokens[20:]], tokens[:20] + tokens[21:]):
            assert ersd.watermark(changed, 12, start, keys).is_recognised == is_found
    tokens, _ = written["context"]
    assert ersd.watermark(tokens, 12, 7, "context") == ersd.watermark(tokens, 12, 0, "context")


def test_a_repeated_context_counts_once():
    found = watermark([1, 2, 3, 4, 5, 1, 2, 3, 4, 9], 5, keys="context")
    assert [clock is None for clock in found.clocks] == [True] * 4 + [False] * 5 + [True]
    assert found.count == 5
    assert watermark([1, 2], 5, keys="context") == Watermark([None, None], 0.0, 0, 1.0)


def test_further_tries_are_corrected_for():
    found = Watermark([0.1], 0.1, 1, 0.01)
    assert found.corrected(1) == pytest.approx(0.01)
    assert found.corrected(10) == pytest.approx(1 - 0.99**10)
    assert Watermark([0.1], 0.1, 1, 1e-12).corrected(3) == pytest.approx(3e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (([], 1), "tokens must be a list of 1 to 100,000 token ids, got 0"),
        (([0] * 100_001, 1), "tokens must be a list of 1 to 100,000 token ids, got 100,001"),
        (("a text", 1), "tokens must be a list of token ids, got 'a text'"),
        (([1, -1], 1), "tokens must be token ids, whole numbers from 0, got -1"),
        (([1, 0.5], 1), "tokens must be token ids, whole numbers from 0, got 0.5"),
        (([1], -1), "seed must be a whole number from 0 to 9007199254740991, got -1"),
        (([1], 1, -2), "start must be a whole number from 0 to 1000000, got -2"),
        (([1], 1, 0, "word"), "keys must be one of position, context, got 'word'"),
    ],
)
def test_bad_arguments_are_named(given, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        watermark(*given)


def test_in_the_terminal(written, pair, tmp_path, capsys):
    file = tmp_path / "text.txt"
    tokens, start = written["position"]
    file.write_text(PROMPT + pair.text(tokens) + "\n", encoding="utf-8")
    assert main(["--watermark", str(file), "--seed", "12"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Recognised: the clocks of seed 12 wrote this text.\n")
    assert f"{len(tokens) + start} tokens, clocks keyed by position: they add up to" in said
    assert main(["--watermark", str(file), "--seed", "13"]) == 0
    assert capsys.readouterr().out.startswith("Cannot tell whether seed 13 wrote this text.\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "watermark must be a file with some text, got '{file}' without a token"),
        (b"\n", "watermark must be a file with some text, got '{file}' without a token"),
        (b"abc\xff", "watermark must be a text in UTF-8, got '{file}', which has byte 0xff at 3"),
        (b"ab\0", "watermark must be a text, got '{file}', which has a zero byte at 2"),
        (b"a" * 10_000_000, "watermark must be a text of at most 1,000,000 bytes, got '{file}' with 10,000,000"),
        (None, "watermark must be a file that can be read, got '{file}': No such file or directory"),
    ],
    ids=["empty", "a line break", "no UTF-8", "zero byte", "10 MB", "missing"],
)
def test_a_file_that_is_no_text(content, message, tmp_path, capsys):
    file = tmp_path / "x"
    if content is not None:
        file.write_bytes(content)
    assert main(["--watermark", str(file), "--seed", "12"]) == 2
    assert capsys.readouterr().err == f"error: {message.format(file=file)}\n"


def test_start_is_of_the_watermark(capsys):
    assert main(["Once", "--start", "3"]) == 2
    assert "start is of --watermark, so it must not be given without, got 3" in capsys.readouterr().err
