"""Steps of our engine against transformers' assisted generation, same pair, k, text length and thread, in turns in one run.

    python -m tests.bench.bench_engine [--rounds 5]

Prints milliseconds per step and tokens per second of both and their ratio.
"""

from __future__ import annotations

import argparse
import statistics
import time

import torch

import ersd

PROMPT = "Once upon a time there was a little girl named"
K, TOKENS = 4, 96


def ours(pair: ersd.ModelPair, algorithm: str, topology: str, seed: int) -> tuple[float, int, int]:
    """Seconds, steps, tokens."""
    settings = ersd.Settings(algorithm=algorithm, topology=topology, draft_tokens=K, max_new_tokens=TOKENS, seed=seed)
    start = time.perf_counter()
    steps = list(ersd.generate(pair, PROMPT, settings))
    return time.perf_counter() - start, len(steps), sum(len(step.emitted) for step in steps)


def assisted(pair: ersd.ModelPair, seed: int) -> tuple[float, int, int]:
    """Seconds, target calls, tokens of `generate(assistant_model=...)` with a fixed number of drafted tokens."""
    torch.manual_seed(seed)
    ids = torch.tensor([pair.encode(PROMPT)])
    draft = pair.draft.generation_config
    draft.num_assistant_tokens, draft.num_assistant_tokens_schedule, draft.assistant_confidence_threshold = K, "constant", 0.0
    calls = []
    hook = pair.target.register_forward_hook(lambda *_: calls.append(1))
    start = time.perf_counter()
    text = pair.target.generate(
        ids, attention_mask=torch.ones_like(ids), assistant_model=pair.draft, do_sample=True, top_k=0, max_new_tokens=TOKENS
    )
    seconds = time.perf_counter() - start
    hook.remove()
    return seconds, len(calls), text.shape[1] - ids.shape[1]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    torch.set_num_threads(1)
    pair = ersd.load_pair(device="cpu", dtype="float32")
    runs = {
        "assisted generation": lambda seed: assisted(pair, seed),
        "gsd, sequence": lambda seed: ours(pair, "gsd", "sequence", seed),
        "ersd, sequence": lambda seed: ours(pair, "ersd", "sequence", seed),
        "ersd, τ*": lambda seed: ours(pair, "ersd", "tau_star", seed),
    }
    seen: dict[str, list[tuple[float, int, int]]] = {name: [] for name in runs}
    for seed in range(rounds):
        for name, run in runs.items():
            seen[name].append(run(seed))
    per_step = {name: statistics.median(1e3 * seconds / steps for seconds, steps, _ in each) for name, each in seen.items()}
    for name, each in seen.items():
        rate = sum(tokens for *_, tokens in each) / sum(seconds for seconds, *_ in each)
        ratio = per_step[name] / per_step["assisted generation"]
        print(f"{name:20} {per_step[name]:6.1f} ms/step  {rate:6.0f} tokens/s  {ratio:.2f} x the peer's step")


if __name__ == "__main__":
    main()
