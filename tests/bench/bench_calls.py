"""What a target call costs by the number of tokens it scores, against one token: `python -m tests.bench.bench_calls [--device cuda]`.

On a CPU the embedded pair; on a GPU also random models in the shapes of Llama 3.1 8B and 3.2 1B, in bfloat16. Medians, after a text of
`--context` tokens; the sizes take turns, so that other load on the machine meets them alike. Then the exactness of ERSD on that device:
for a few seeds, is its text that of plain decoding?
"""

from __future__ import annotations

import argparse
import statistics
import time

import torch

import ersd
from ersd.calibration import measure
from ersd.draft_tree import ROOT

from .random_llama import random_pair

SIZES = (1, 2, 5, 9, 17, 33, 65)
PROMPT = "Once upon a time there was a little girl named"


def call_ms(pair: ersd.ModelPair, context: int, rounds: int) -> dict[int, float]:
    """Milliseconds of a call, by the number of tokens it scores."""
    cache = pair.open_target()
    cache.prefill([5 + i % 97 for i in range(min(context, pair.context - max(SIZES) - 1))])
    wait = torch.cuda.synchronize if cache.device.type == "cuda" else lambda: None
    taken: dict[int, list[float]] = {size: [] for size in SIZES}
    with torch.inference_mode():
        for turn in range(rounds + 3):
            for size in SIZES:
                wait()
                start = time.perf_counter()
                cache.extend([7] * size, [ROOT] * size)
                wait()
                if turn >= 3:  # the first ones compile, capture and warm up
                    taken[size].append(1e3 * (time.perf_counter() - start))
                cache.commit([])
    return {size: statistics.median(times) for size, times in taken.items()}


def same_texts(pair: ersd.ModelPair, tokens: int, seeds: int) -> str:
    """How many tokens of ERSD's texts come before the first that differs from plain decoding."""
    same = total = 0
    for seed in range(seeds):
        settings = [
            ersd.Settings(algorithm=name, topology="tau_star", draft_tokens=16, max_new_tokens=tokens, seed=seed)
            for name in ("ersd", "autoregressive")
        ]
        texts = [ersd.run(pair, PROMPT, one).token_ids for one in settings]
        total += len(texts[1])
        same += next((place for place, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
    return f"{same} of {total} tokens the same"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--context", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    if given.device == "cpu":
        torch.set_num_threads(1)
    machine = torch.cuda.get_device_name() if given.device == "cuda" else "CPU, 1 thread"
    print(f"{machine}, torch {torch.__version__}\n")
    print(f"| target | {' | '.join(f'{size} tokens' if size > 1 else '1 token' for size in SIZES)} |")
    print("|---" * (len(SIZES) + 1) + "|")
    pairs = {"embedded": lambda: ersd.load_pair(device=given.device)}
    if given.device == "cuda":
        pairs["random 8B, bfloat16"] = lambda: random_pair("8B", "1B", "cuda", torch.bfloat16)
    notes = []
    for name, make in pairs.items():
        pair = make()
        ms = call_ms(pair, given.context, given.rounds)
        print(
            f"| {name} | {ms[1]:.2f} ms | {' | '.join(f'{ms[size]:.2f} ms ({ms[size] / ms[1]:.2f}×)' for size in SIZES[1:])} |", flush=True
        )
        notes += [f"{name}: {measure(pair)}", f"{name}: ERSD against plain decoding: {same_texts(pair, 96, given.seeds)}"]
        del pair
    print("\n" + "\n".join(notes))


if __name__ == "__main__":
    main()
