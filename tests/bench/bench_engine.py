"""What speculation gives: our runs against transformers' own, same pair, text length and threads, interleaved in one process.

    python -m tests.bench.bench_engine [--temperature 0.8 1 0.6 0] [--threads 1 2] [--rounds 7] [--device cpu] [--newer] [--readme]

Prints for every temperature and number of threads a table of milliseconds per token, median and quartiles over the rounds, and the ratios
that the project has goals for; at the end how many times as fast as plain decoding each τ* tree is. `--readme` writes the first table and
the last into the README beside this file. `--newer` measures the newer methods instead, beside ERSD's τ* trees. On a GPU the models are
random ones in the shapes of Llama 3.1 8B and 3.2 1B, in bfloat16, and it is measured how often ERSD's text is that of plain decoding.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections import defaultdict
from itertools import product
from pathlib import Path

import torch

import ersd
from ersd.cli.bench import with_all_drafted
from ersd.formatting import decimal, rounded

from .random_llama import random_pair

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- speed: python -m tests.bench.bench_engine --readme -->", "<!-- end of speed -->"
NEWER_BEGIN, NEWER_END = "<!-- newer: python -m tests.bench.bench_engine --newer --readme -->", "<!-- end of newer -->"
PROMPT = "Once upon a time there was a little girl named"
PLAIN, GENERATE, ASSISTED = "plain decoding", "transformers, plain", "transformers, assisted, k = 4"
TREES = {f"ERSD τ*, k = {k}": k for k in (4, 8, 12, 16, 32, 64)}
METHODS = {
    PLAIN: ("autoregressive", "sequence", 4),
    "standard, k = 4": ("gsd", "sequence", 4),
    "ERSD sequence, k = 4": ("ersd", "sequence", 4),
    **{name: ("ersd", "tau_star", k) for name, k in TREES.items()},
    "ERSD dynamic, k = 12": ("ersd", "dynamic", 12),
}
NEWEST = {
    "ERSD τ*": ("ersd", "tau_star"),
    "ERSD laps": ("ersd", "poisson"),
    "SpecHub": ("spechub", "specinfer"),
    "traversal": ("traversal", "specinfer"),
    "traversal without replacement": ("traversal_wor", "specinfer"),
    "half race": ("half_race", "sequence"),
}
NEWER = {
    PLAIN: METHODS[PLAIN],
    **{f"{name}, k = {k}": (*method, k) for name, method in NEWEST.items() for k in (4, 8, 16)},
}
RECORDED = (PLAIN, "ERSD sequence, k = 4", "ERSD τ*, k = 12")
SMALL_TREES = [name for name, k in TREES.items() if k <= 12]
GOALS = {0.8: 2.0, 1.0: 1.8, 0.6: 2.4, 0.0: 2.2}
"""Times as fast as plain decoding, by temperature, that the best of the small trees is to reach on one thread."""

Timed = tuple[float, int, int]
"""Seconds, tokens, target calls of a run."""
Measured = tuple[dict[str, list[float]], dict[str, list[float]]]
"""Milliseconds per token and tokens per call, by run."""


def ours(pair: ersd.ModelPair, method: tuple[str, str, int], temperature: float, tokens: int, seed: int, record: bool) -> Timed:
    """One run of the engine, recorded or not."""
    algorithm, topology, k = method
    wanted = ersd.Settings(algorithm, topology, draft_tokens=k, temperature=temperature, max_new_tokens=tokens, seed=seed)
    settings = with_all_drafted(pair, wanted)
    start = time.perf_counter()
    if record:
        counts = [len(step.emitted) for step in ersd.generate(pair, PROMPT, settings)]
    else:
        counts = [len(step) for step in ersd.generate(pair, PROMPT, settings, record=False)]
    _synchronize(pair.target.model.device)
    return time.perf_counter() - start, sum(counts), len(counts)


def theirs(pair: ersd.ModelPair, assisted: bool, temperature: float, tokens: int, seed: int) -> Timed:
    """One run of transformers' `generate`; assisted with a fixed number of drafted tokens."""
    assert pair.draft is not None
    torch.manual_seed(seed)
    ids = torch.tensor([pair.encode(PROMPT)], device=pair.target.model.device)
    draft = pair.draft.model.generation_config
    draft.num_assistant_tokens, draft.num_assistant_tokens_schedule, draft.assistant_confidence_threshold = 4, "constant", 0.0
    calls: list[int] = []
    hook = pair.target.model.register_forward_hook(lambda *_: calls.append(1))
    sampling = {"do_sample": True, "top_k": 0, "temperature": temperature} if temperature else {"do_sample": False}
    more = {"assistant_model": pair.draft.model} if assisted else {}
    start = time.perf_counter()
    text = pair.target.model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=tokens, **sampling, **more)
    _synchronize(pair.target.model.device)
    seconds = time.perf_counter() - start
    hook.remove()
    return seconds, text.shape[1] - ids.shape[1], len(calls)


def _synchronize(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def measure(pair: ersd.ModelPair, temperature: float, tokens: int, rounds: int, is_newer: bool = False) -> Measured:
    """One number per round and run; the first round warms up and does not count."""
    methods = NEWER if is_newer else METHODS
    per_token, per_call = defaultdict(list), defaultdict(list)
    for seed in range(rounds + 1):
        runs = {name: ours(pair, method, temperature, tokens, seed, record=False) for name, method in methods.items()}
        if not is_newer:
            runs |= {name: theirs(pair, name == ASSISTED, temperature, tokens, seed) for name in (GENERATE, ASSISTED)}
            runs |= {recorded(name): ours(pair, METHODS[name], temperature, tokens, seed, record=True) for name in RECORDED}
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


def newer_table(measured: Measured) -> list[str]:
    """The newer methods beside plain decoding, as `table`."""
    per_token, per_call = measured
    plain = rounded(statistics.median(per_token[PLAIN]))
    lines = ["| run | tokens per call | ms per token | times as fast as plain |", "|---|---|---|---|"]
    for name, values in per_token.items():
        faster = decimal(plain / rounded(statistics.median(values)))
        lines.append(f"| {name} | {statistics.mean(per_call[name]):.2f} | {spread(values)} | {faster} |")
    return lines


def table(measured: Measured) -> list[str]:
    """Every run, beside plain decoding. Ratios are those of the printed milliseconds."""
    per_token, per_call = measured
    plain = rounded(statistics.median(per_token[PLAIN]))
    lines = ["| run | tokens per call | ms per token | times as fast as plain | ms per token, recorded |", "|---|---|---|---|---|"]
    for name in (GENERATE, ASSISTED, *METHODS):
        faster = decimal(plain / rounded(statistics.median(per_token[name])))
        with_record = spread(per_token[recorded(name)]) if name in RECORDED else "–"
        lines.append(f"| {name} | {statistics.mean(per_call[name]):.2f} | {spread(per_token[name])} | {faster} | {with_record} |")
    return lines


def ratios(measured: Measured, temperature: float) -> list[str]:
    """The ratios with goals, each over its rounds."""
    per_token, _ = measured

    def ratio(name: str, other: str) -> str:
        return f"{name} / {other}: {spread([a / b for a, b in zip(per_token[name], per_token[other], strict=True)])}"

    best = min(SMALL_TREES, key=lambda name: statistics.median(per_token[name]))
    return [
        f"{ratio(PLAIN, best)}, goal {GOALS.get(temperature, '–')}",
        f"{ratio(PLAIN, GENERATE)}, goal 1",
        f"{ratio(best, ASSISTED)}, goal 0.60",
        *(f"{ratio(recorded(name), name)}, goal 1.5" for name in RECORDED),
    ]


def speeds(measured: dict[tuple[int, float], Measured]) -> list[str]:
    """How many times as fast as plain decoding each τ* tree is: a row for every number of threads and temperature."""
    lines = [f"| threads | temperature | {' | '.join(f'k = {k}' for k in TREES.values())} |", "|---" * (2 + len(TREES)) + "|"]
    for (threads, temperature), (per_token, per_call) in measured.items():
        plain = statistics.median(per_token[PLAIN])
        cells = [f"{plain / statistics.median(per_token[name]):.2f} ({statistics.mean(per_call[name]):.1f})" for name in TREES]
        lines.append(f"| {threads} | {temperature:g} | {' | '.join(cells)} |")
    return lines


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
    dtype = str(pair.target.model.dtype).removeprefix("torch.")
    return (
        f"{dtype}: {same} of {seeds} texts of {tokens} tokens equal those of plain decoding; they share {shared / seeds:.0f} tokens on "
        f"average before they differ; {marked / seeds / tokens:.1%} of the tokens are marked as near ties"
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--temperature", type=float, nargs="+", default=[0.8])
    parser.add_argument("--threads", type=int, nargs="+", default=[1])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--newer", action="store_true", help="the newer methods, with 4, 8 and 16 drafted tokens")
    parser.add_argument("--readme", action="store_true", help="write the first table and the speeds into the README beside this file")
    args = parser.parse_args()
    pair = ersd.load_pair(device="cpu", dtype="float32") if args.device == "cpu" else random_pair("8B", "1B", "cuda", torch.bfloat16)
    measured, pages = {}, []
    for threads, temperature in product(args.threads, args.temperature):
        torch.set_num_threads(threads)
        measured[threads, temperature] = found = measure(pair, temperature, args.tokens, args.rounds, args.newer)
        where = torch.cuda.get_device_name() if args.device == "cuda" else f"{platform.machine()}, {threads} thread(s)"
        how = f"{args.tokens} tokens, temperature {temperature:g}, {args.rounds} rounds, interleaved, {where}"
        head = f"{pair.name}; {how}; {pair.decoding}."
        rows = newer_table(found) if args.newer else table(found)
        pages.append([*rows, "", f"Median and quartiles; {head}"])
        print("\n".join([head, "", *rows, "", *([] if args.newer else [*ratios(found, temperature), ""])]), flush=True)
    if args.newer:
        body = pages[0]
    else:
        print("\n".join([*speeds(measured), "", agreement(pair, args.tokens)]))
        last = "Times as fast as plain decoding, without recording; in brackets the tokens per target call."
        body = [*pages[0], "", *speeds(measured), "", last]
    if args.readme:
        write(body, *((NEWER_BEGIN, NEWER_END) if args.newer else (BEGIN, END)))


def write(body: list[str], begin: str, end: str) -> None:
    """Put these lines between two marks of the README beside this file."""
    text = README.read_text(encoding="utf-8")
    before, after = text.split(begin)[0], text.split(end)[1]
    README.write_text("\n".join([f"{before}{begin}", *body, f"{end}{after}"]), encoding="utf-8")


if __name__ == "__main__":
    main()
