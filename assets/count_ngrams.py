"""Count the training text's n-grams for the embedded pair: assets/pair/ngrams.npz, from which the source `ngram` guesses.

    python -m assets.count_ngrams --text a.txt b.txt --valid v.txt

Prints the size of the file, and how well the table predicts the validation text beside one that leaves nothing out.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from transformers import AutoTokenizer

from assets.stories import encode, read_stories
from ersd.load import EMBEDDED, NGRAMS
from ersd.text.ngram_table import NGramTable

LEAST = (1, 3, 8, 16)
"""An n-gram is kept if the text has it at least so often, for n = 1, 2, …: a table below 1 MB."""
SAMPLED = 3000
"""Tokens of the validation text that are predicted."""


def counted(tokens: NDArray[np.int64], vocab_size: int, least: tuple[int, ...]) -> NGramTable:
    """The n-grams of a text; also of those that cross from one story into the next, which are few."""
    keys, counts = [], []
    for n, fewest in enumerate(least, start=1):
        places = len(tokens) - n + 1
        key = sum(tokens[i : i + places] * vocab_size ** (n - 1 - i) for i in range(n))
        found, times = np.unique(key, return_counts=True)
        keys.append(found[times >= fewest])
        counts.append(times[times >= fewest].astype(np.float64))
    return NGramTable(vocab_size, tuple(keys), tuple(counts))


def predicted(table: NGramTable, tokens: NDArray[np.int64]) -> tuple[float, float, float]:
    """Of tokens of a text: cross-entropy in nats, how often the likeliest one was right, and the mean probability of the right one."""
    places = np.random.default_rng(0).choice(np.arange(8, len(tokens)), SAMPLED, replace=False)
    rows = [(table.distribution(tokens[place - 8 : place].tolist()), tokens[place]) for place in places]
    right = np.array([max(q[token], 1e-9) for q, token in rows])
    return float(-np.log(right).mean()), float(np.mean([q.argmax() == token for q, token in rows])), float(right.mean())


def main() -> None:
    """Count, write, and say what pruning loses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", type=Path, nargs="+", required=True)
    parser.add_argument("--valid", type=Path, required=True)
    args = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(EMBEDDED / "target")
    text, valid = (np.concatenate([row.numpy() for row in encode(tokenizer, read_stories(paths))]) for paths in (args.text, [args.valid]))
    table = counted(text, len(tokenizer), LEAST)
    table.write(NGRAMS)
    print(f"{len(text):,} tokens; {NGRAMS.name}: {NGRAMS.stat().st_size / 1000:.0f} kB")
    for name, each in (("kept", table), ("all", counted(text, len(tokenizer), (1,) * len(LEAST)))):
        entropy, likeliest, right = predicted(each, valid)
        size = ", ".join(f"{len(keys):,}" for keys in each.keys)
        print(f"{name:5s} {size} n-grams: cross-entropy {entropy:.3f}, likeliest right {likeliest:.3f}, mean probability {right:.3f}")


if __name__ == "__main__":
    main()
