"""What speculation gives: our runs against transformers' own, same pair, text length and threads, interleaved in one process.

    python -m tests.bench.bench_engine [--rounds 7] [--threads 1] [--device cpu] [--readme]

Prints a table of milliseconds per token, median and quartiles over the rounds, and the ratios that the project has goals for; `--readme`
writes the table into the README beside this file. On a GPU the models are random ones in the shapes of Llama 3.1 8B and 3.2 1B, in
bfloat16, and it is measured how often ERSD's text is that of plain decoding.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections import defaultdict
from pathlib import Path

import torch

import ersd
from ersd.formatting import decimal, rounded

from .random_llama import random_pair

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- speed: python -m tests.bench.bench_engine --readme -->", "<!-- end of speed -->"
PROMPT = "Once upon a time there was a little girl named"
PLAIN, GENERATE, ASSISTED = "plain decoding", "transformers, plain", "transformers, assisted, k = 4"
METHODS = {
    PLAIN: ("autoregressive", "sequence", 4),
    "standard, k = 4": ("gsd", "sequence", 4),
    "ERSD sequence, k = 4": ("ersd", "sequence", 4),
    "ERSD sequence, k = 8": ("ersd", "sequence", 8),
    "ERSD τ*, k = 16": ("ersd", "tau_star", 16),
    "ERSD dynamic, k = 16": ("ersd", "dynamic", 16),
}
CHAINS = ("ERSD sequence, k = 4", "ERSD sequence, k = 8")

Timed = tuple[float, int, int]
"""Seconds, tokens, target calls of a run."""


def ours(pair: ersd.ModelPair, method: tuple[str, str, int], tokens: int, seed: int, record: bool) -> Timed:
    """One run of the engine, recorded or not."""
    algorithm, topology, k = method
    settings = ersd.Settings(algorithm, topology, draft_tokens=k, max_new_tokens=tokens, seed=seed)
    start = time.perf_counter()
    if record:
        counts = [len(step.emitted) for step in ersd.generate(pair, PROMPT, settings)]
    else:
        counts = [len(step) for step in ersd.generate(pair, PROMPT, settings, record=False)]
    _synchronize(pair.target.device)
    return time.perf_counter() - start, sum(counts), len(counts)


def theirs(pair: ersd.ModelPair, assisted: bool, tokens: int, seed: int) -> Timed:
    """One run of transformers' `generate`; assisted with a fixed number of drafted tokens."""
    assert pair.draft is not None
    torch.manual_seed(seed)
    ids = torch.tensor([pair.encode(PROMPT)], device=pair.target.device)
    draft = pair.draft.generation_config
    draft.num_assistant_tokens, draft.num_assistant_tokens_schedule, draft.assistant_confidence_threshold = 4, "constant", 0.0
    calls: list[int] = []
    hook = pair.target.register_forward_hook(lambda *_: calls.append(1))
    more = {"assistant_model": pair.draft} if assisted else {}
    start = time.perf_counter()
    text = pair.target.generate(ids, attention_mask=torch.ones_like(ids), do_sample=True, top_k=0, max_new_tokens=tokens, **more)
    _synchronize(pair.target.device)
    seconds = time.perf_counter() - start
    hook.remove()
    return seconds, text.shape[1] - ids.shape[1], len(calls)


def _synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def measure(pair: ersd.ModelPair, tokens: int, rounds: int) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Milliseconds per token and tokens per call by run, one number per round; the first round warms up and does not count."""
    per_token, per_call = defaultdict(list), defaultdict(list)
    for seed in range(rounds + 1):
        runs = {
            GENERATE: theirs(pair, False, tokens, seed),
            ASSISTED: theirs(pair, True, tokens, seed),
            **{name: ours(pair, method, tokens, seed, record=False) for name, method in METHODS.items()},
            **{recorded(name): ours(pair, method, tokens, seed, record=True) for name, method in METHODS.items()},
        }
        for name, (seconds, count, calls) in runs.items() if seed else ():
            per_token[name].append(1e3 * seconds / count)
            per_call[name].append(count / calls)
    return per_token, per_call


def recorded(name: str) -> str:
    """The name of the same run with its record."""
    return f"{name}, recorded"


def spread(values: list[float]) -> str:
    """Median, and from the lower to the upper quartile."""
    low, middle, high = (decimal(value) for value in statistics.quantiles(values, n=4, method="inclusive"))
    return f"{middle} ({low}–{high})"


def table(per_token: dict[str, list[float]], per_call: dict[str, list[float]]) -> list[str]:
    """The table of the README. Ratios are those of the printed milliseconds."""
    plain = rounded(statistics.median(per_token[PLAIN]))
    lines = ["| run | tokens per call | ms per token | × plain decoding | ms per token, recorded |", "|---|---|---|---|---|"]
    for name in (GENERATE, ASSISTED, *METHODS):
        ratio = decimal(rounded(statistics.median(per_token[name])) / plain)
        with_record = spread(per_token[recorded(name)]) if name in METHODS else "–"
        lines.append(f"| {name} | {statistics.mean(per_call[name]):.2f} | {spread(per_token[name])} | {ratio} | {with_record} |")
    return lines


def ratios(per_token: dict[str, list[float]]) -> list[str]:
    """The ratios with goals, each over its rounds."""

    def ratio(name: str, other: str) -> str:
        return f"{name} / {other}: {spread([a / b for a, b in zip(per_token[name], per_token[other], strict=True)])}"

    return [
        f"{ratio(PLAIN, GENERATE)}, goal 0.75",
        *(f"{ratio(name, PLAIN)}, goal 0.85 for the better one" for name in CHAINS),
        *(f"{ratio(name, ASSISTED)}, goal 0.60 for the better one" for name in CHAINS),
        *(f"{ratio(recorded(name), name)}, goal 1.5" for name in (PLAIN, *CHAINS)),
    ]


def agreement(pair: ersd.ModelPair, tokens: int, seeds: int = 10) -> str:
    """How often ERSD's text is that of plain decoding in this precision, and how many tokens both share until they differ."""
    same, shared, marked = 0, 0, 0
    for seed in range(seeds):
        plain, tree = (
            ersd.run(pair, PROMPT, ersd.Settings(algorithm, "tau_star", max_new_tokens=tokens, seed=seed))
            for algorithm in ("autoregressive", "ersd")
        )
        pairs = enumerate(zip(plain.token_ids, tree.token_ids, strict=False))
        same += plain.token_ids == tree.token_ids
        shared += next((i for i, (ours, theirs) in pairs if ours != theirs), tokens)
        marked += sum(one.near_tie for step in plain.steps for one in step.emitted)
    dtype = str(pair.target.dtype).removeprefix("torch.")
    return (
        f"{dtype}: {same} of {seeds} texts of {tokens} tokens equal those of plain decoding; they share {shared / seeds:.0f} tokens on "
        f"average before they differ; {marked / seeds / tokens:.1%} of the tokens are marked as near ties"
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--readme", action="store_true", help="write the table into the README beside this file")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    pair = ersd.load_pair(device="cpu", dtype="float32") if args.device == "cpu" else random_pair("8B", "1B", "cuda", torch.bfloat16)
    per_token, per_call = measure(pair, args.tokens, args.rounds)
    where = torch.cuda.get_device_name() if args.device == "cuda" else f"{platform.machine()}, {args.threads} thread(s)"
    head = f"{pair.name}; {args.tokens} tokens, temperature 1, {args.rounds} rounds, interleaved, {where}; {pair.decoding}."
    rows = table(per_token, per_call)
    print("\n".join([head, "", *rows, "", *ratios(per_token), agreement(pair, args.tokens)]))
    if args.readme:
        text = README.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        body = "\n".join([*rows, "", f"Median and quartiles; {head}"])
        README.write_text(f"{before}{BEGIN}\n{body}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
