"""Numbers are written in the browser as they are in Python."""

from __future__ import annotations

import random

from tests.visual.fakes import race_step, trace
from visual.payload.sentences.formatting import decimal
from visual.payload.sentences.numbers import NUMBERS, apart, number, quotient
from visual.server import static_files as modules

_DECIMALS = """async ([address, values]) => {
  const { decimal } = await import(address);
  return values.map((value) => [0, 1, 2].map((decimals) => decimal(value, decimals)));
}"""

_WRITE = """async ([address, table, values]) => {
  const { number, digitsApart, quotient } = await import(address);
  return values.map(([one, other]) => {
    const digits = digitsApart([one, other], table);
    const both = [one, other].map((value) => number(value, table, digits));
    return [number(one, table), number(other, table, 5), quotient(one, other, table), ...both];
  });
}"""


def test_numbers_and_divisions_are_written_alike_in_both_languages(play):
    random_ = random.Random(3)
    values = [(10 ** random_.uniform(-7, 5), 10 ** random_.uniform(-6, 3)) for _ in range(400)]
    values += [(one, one * (1 + 10 ** random_.uniform(-9, -2))) for one, _ in values[:200]]
    values += [(0.125, 0.5), (0.1, 0.8), (0.0, 0.3), (1e-12, 0.1), (0.5, 0.00003), (99.5, 1.0), (0.995, 0.0095)]
    values += [(0.9996, 0.996), (0.99996, 1.004)]
    page = play(trace(race_step()))
    written = page.evaluate(_WRITE, [f"/{modules.address('base/numbers.js')}", NUMBERS, values])
    for (one, other), words in zip(values, written, strict=True):
        assert words == [number(one), number(other, 5), str(quotient(one, (other,))), *apart(one, other)]


def test_quotients_of_counts_are_rounded_alike_in_both_languages(play):
    values = [tokens / calls for calls in range(1, 65) for tokens in range(calls, 17 * calls, 7)]
    page = play(trace(race_step()))
    written = page.evaluate(_DECIMALS, [f"/{modules.address('base/numbers.js')}", values])
    assert written == [[decimal(value, decimals) for decimals in range(3)] for value in values]
