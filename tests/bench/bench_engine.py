"""What speculation gives: our runs against transformers' own, same pair, text length and threads, in turns in one process.

    python -m tests.bench.bench_engine [--rounds 7] [--threads 1] [--device cpu] [--readme]

Prints the table of the README (`--readme` writes it there): milliseconds per token, median and spread over the rounds, what of a run is
not spent in forward passes, and the ratios that the project sets itself as goals. On a GPU, where no weights are at hand, the models are
random ones of the shapes of Llama 3.1 8B and 3.2 1B, in bfloat16, and it is measured how often ERSD's text is the one-by-one text.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from ersd.trace.beside import BESIDE

import ersd
from ersd import randomness
from ersd.formatting import decimal, rounded
from ersd.models.llama import LlamaCache
from ersd.models.transformers_cache import TransformersCache
from ersd.models.tree_cache import DecoderCache

from .random_llama import random_pair

README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN, END = "<!-- speed: python -m tests.bench.bench_engine --readme -->", "<!-- end of speed -->"
PROMPT = "Once upon a time there was a little girl named"
PEERS = {"transformers, one by one": False, "transformers, assisted, k = 4": True}
OURS = {
    "one by one": ("autoregressive", "sequence", 4),
    "standard, k = 4": ("gsd", "sequence", 4),
    "ERSD sequence, k = 4": ("ersd", "sequence", 4),
    "ERSD sequence, k = 8": ("ersd", "sequence", 8),
    "ERSD τ*, k = 16": ("ersd", "tau_star", 16),
    "ERSD dynamic, k = 16": ("ersd", "dynamic", 16),
}
BEST_OF = ("ERSD sequence, k = 4", "ERSD sequence, k = 8", "ERSD τ*, k = 16")


@dataclass
class Seen:
    """What the rounds of one way to generate gave."""

    per_token: list[float] = field(default_factory=list)
    """ms, one number per round"""
    per_step: list[float] = field(default_factory=list)
    per_call: list[float] = field(default_factory=list)
    """tokens per target call"""
    outside: list[float] = field(default_factory=list)
    """share of the time that was not spent in forward passes"""

    def add(self, seconds: float, tokens: int, steps: int, forwards: float) -> None:
        self.per_token.append(1e3 * seconds / tokens)
        self.per_step.append(1e3 * seconds / steps)
        self.per_call.append(tokens / steps)
        self.outside.append(1 - forwards / seconds)


class Forwards:
    """Seconds spent in forward passes of draft and target, whoever asks for them."""

    def __init__(self) -> None:
        self.seconds = 0.0
        for kind in (TransformersCache, LlamaCache):
            self._watch(kind)

    def _watch(self, kind: type[DecoderCache]) -> None:
        extend = kind.extend

        def timed(cache: DecoderCache, *args: object, **more: object) -> object:
            start = time.perf_counter()
            result = extend(cache, *args, **more)  # type: ignore[arg-type]
            wait(cache.device)
            self.seconds += time.perf_counter() - start
            return result

        kind.extend = timed  # type: ignore[method-assign,assignment]


def wait(device: torch.device) -> None:
    """Until a GPU has done what it was told."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def ours(pair: ersd.ModelPair, method: tuple[str, str, int], tokens: int, seed: int, record: bool) -> tuple[float, int, int]:
    """Seconds, tokens, steps."""
    algorithm, topology, k = method
    settings = ersd.Settings(algorithm, topology, draft_tokens=k, max_new_tokens=tokens, seed=seed)
    randomness.forget()  # or a run would find the clocks that another way to generate has paid for
    start = time.perf_counter()
    if record:
        counts = [len(step.emitted) for step in ersd.generate(pair, PROMPT, settings)]
    else:
        counts = [len(step) for step in ersd.generate(pair, PROMPT, settings, record=False)]
    wait(pair.target.device)
    return time.perf_counter() - start, sum(counts), len(counts)


def theirs(pair: ersd.ModelPair, assisted: bool, tokens: int, seed: int) -> tuple[float, int, int]:
    """Seconds, tokens, target calls of `generate`; assisted with a fixed number of drafted tokens."""
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
    wait(pair.target.device)
    seconds = time.perf_counter() - start
    hook.remove()
    return seconds, text.shape[1] - ids.shape[1], len(calls)


def measure(pair: ersd.ModelPair, tokens: int, rounds: int) -> dict[str, Seen]:
    """All ways in turns, one seed a round; the first round warms up and does not count."""
    forwards, seen = Forwards(), {name: Seen() for name in (*PEERS, *OURS, *(f"{name}, recorded" for name in OURS))}
    ways: dict[str, Callable[[int], tuple[float, int, int]]] = {
        **{name: lambda seed, assisted=assisted: theirs(pair, assisted, tokens, seed) for name, assisted in PEERS.items()},
        **{name: lambda seed, method=method: ours(pair, method, tokens, seed, False) for name, method in OURS.items()},
        **{f"{name}, recorded": lambda seed, method=method: ours(pair, method, tokens, seed, True) for name, method in OURS.items()},
    }
    for seed in range(rounds + 1):
        for name, way in ways.items():
            forwards.seconds = 0.0
            seconds, count, steps = way(seed)
            if seed:
                seen[name].add(seconds, count, steps, forwards.seconds)
    return seen


def spread(values: list[float], digits: int = 2) -> str:
    """Median, and from the lower to the upper quartile."""
    low, middle, high = (decimal(value, digits) for value in statistics.quantiles(values, n=4, method="inclusive"))
    return f"{middle} ({low}–{high})"


def table(seen: dict[str, Seen]) -> list[str]:
    """The rows of the README."""
    lines = [
        "| run | tokens per call | ms per token | × one by one | outside of forwards | the same with the record |",
        "|---|---|---|---|---|---|",
    ]

    def median_ms(name: str) -> float:
        return rounded(statistics.median(seen[name].per_token))  # as it is printed, so that a reader comes to the same ratio

    for name in (*PEERS, *OURS):
        each, recorded = seen[name], seen.get(f"{name}, recorded")
        ratio = decimal(median_ms(name) / median_ms("one by one"))
        outside = "–" if name in PEERS else f"{statistics.median(each.outside):.0%}"
        beside = f"{spread(recorded.per_token)}, {statistics.median(recorded.outside):.0%}" if recorded else "–"
        lines.append(f"| {name} | {statistics.mean(each.per_call):.2f} | {spread(each.per_token)} | {ratio} | {outside} | {beside} |")
    return lines


def goals(seen: dict[str, Seen]) -> list[str]:
    """The ratios aimed at, each over its rounds."""

    def ratio(name: str, other: str, per: str = "per_token") -> list[float]:
        return [a / b for a, b in zip(getattr(seen[name], per), getattr(seen[other], per), strict=True)]

    single, plain, assisted = "one by one", "transformers, one by one", "transformers, assisted, k = 4"
    best = min(BEST_OF, key=lambda name: statistics.median(seen[name].per_token))
    return [
        f"one by one / transformers' generate: {spread(ratio(single, plain))}, goal 0.75",
        f"{best} / one by one: {spread(ratio(best, single))}, goal 0.85",
        f"{best} / assisted generation: {spread(ratio(best, assisted))}, goal 0.55",
        f"{BEST_OF[0]}, per step / assisted generation: {spread(ratio(BEST_OF[0], assisted, 'per_step'))}, goal on a GPU 0.60",
        f"outside of forwards, {best}: {spread(seen[best].outside)}, goal 0.12",
        f"the same with the record: {spread(seen[best + ', recorded'].outside)}, goal 0.15",
    ]


def agreement(pair: ersd.ModelPair, tokens: int, seeds: int = 10) -> str:
    """How often ERSD's text is the one-by-one text in this precision, and how many tokens both have until they part."""
    same, shared, marked = 0, 0, 0
    for seed in range(seeds):
        single, tree = (
            ersd.run(pair, PROMPT, ersd.Settings(algorithm, "tau_star", max_new_tokens=tokens, seed=seed))
            for algorithm in ("autoregressive", "ersd")
        )
        parted = next((i for i, both in enumerate(zip(single.token_ids, tree.token_ids, strict=False)) if both[0] != both[1]), tokens)
        same, shared = same + (single.token_ids == tree.token_ids), shared + parted
        marked += sum(one.near_tie for step in single.steps for one in step.emitted)
    dtype = str(pair.target.dtype).removeprefix("torch.")
    return (
        f"{dtype}: {same} of {seeds} texts of {tokens} tokens are the one-by-one text; until they part {shared / seeds:.0f} tokens on "
        f"average; {marked / seeds / tokens:.1%} of the tokens are marked as near ties"
    )


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=96)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--readme", action="store_true", help="write the table into the README")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    pair = ersd.load_pair(device="cpu", dtype="float32") if args.device == "cpu" else random_pair("8B", "1B", "cuda", torch.bfloat16)
    BESIDE.start()  # as the page does
    BESIDE.wait()
    seen = measure(pair, args.tokens, args.rounds)
    where = torch.cuda.get_device_name() if args.device == "cuda" else f"{platform.machine()}, {args.threads} thread(s)"
    head = f"{pair.name}; {args.tokens} tokens, temperature 1, {args.rounds} rounds in turns, {where}; {pair.decoding}."
    lines = [head, "", *table(seen), "", *goals(seen), agreement(pair, args.tokens)]
    print("\n".join(lines))
    if args.readme:
        text = README.read_text(encoding="utf-8")
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        body = "\n".join([*table(seen), "", f"Median and quartiles; {head}"])
        README.write_text(f"{before}{BEGIN}\n{body}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
