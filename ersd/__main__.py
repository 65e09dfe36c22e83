"""Speculative generation in a terminal: `python -m ersd "Once upon a time" --algorithm ersd --topology tau_star`."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterator, Sequence

from .algorithms import ALGORITHMS, TRAITS
from .costs import SLOWER, Costs, ratios
from .settings import ALLOWED, HELP, Settings
from .theory.speed import speedup
from .topologies import TOPOLOGIES
from .trace import Emitted, Statistics, Step, statistics

GREEN, BLUE, DIM, PLAIN = "\033[32m", "\033[34m", "\033[2m", "\033[0m"


def parser() -> argparse.ArgumentParser:
    """The command line: one flag per setting, and the models."""
    flags = argparse.ArgumentParser(prog="python -m ersd", description=__doc__.split(":")[0])
    flags.add_argument("prompt")
    choices = {"algorithm": ALGORITHMS, "topology": TOPOLOGIES}
    for field in dataclasses.fields(Settings):
        flag = "--" + field.name.replace("_", "-")
        if field.name in choices:
            allowed = "; ".join(f"{name}: {what}" for name, what in choices[field.name].items())
            flags.add_argument(flag, default=field.default, help=f"{HELP[field.name]} ({allowed})")
        else:
            help_text = f"{HELP[field.name]} ({ALLOWED[field.name]}; default {field.default})"
            # "3" is a branching of one level, not a number
            convert = str if field.name == "branching" else _number
            flags.add_argument(flag, type=convert, default=field.default, help=help_text)
    flags.add_argument("--target", help="folder or hub id; with --draft instead of the embedded pair")
    flags.add_argument("--draft", help="folder or hub id")
    flags.add_argument("--device", default="auto", help="auto, cpu or cuda")
    flags.add_argument("--device-map", default="none", help="none, or auto: the target over all GPUs there are, through accelerate")
    flags.add_argument("--dtype", default="auto", help="auto, float32, bfloat16 or float16")
    flags.add_argument("--threads", type=int, help="CPU threads of torch (default 1 for the embedded pair)")
    flags.add_argument("--json", action="store_true", help="print the whole trace as JSON instead")
    return flags


def _number(text: str) -> float | str:
    """A number as far as `text` is one; Settings says what is wrong with anything else."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def colored(emitted: Emitted, colors: bool) -> str:
    """The token's text: drafted and accepted green, the target's own blue."""
    if not colors:
        return emitted.text
    return (GREEN if emitted.source == "draft" else BLUE) + emitted.text + PLAIN


def report(steps: Sequence[Step], settings: Settings, costs: Costs | None = None) -> Iterator[str]:
    """The figures of a run, line by line: counts, times, and what was measured beside what the theory says. A figure called "at most"
    says of what. `costs`: of the pair on this machine."""
    total = statistics(steps)
    figures = total.to_dict()
    yield (
        f"{figures['tokens']} tokens in {figures['steps']} target calls: {figures['tokens_per_call']:.2f} per call"
        f" · {figures['accepted']} of {figures['drafted']} drafted tokens accepted · {figures['tokens_per_second']:.0f} tokens/s"
    )
    yield f"draft {figures['draft_ms']:.0f} ms · target {figures['target_ms']:.0f} ms · verify {figures['verify_ms']:.0f} ms"
    if costs:
        yield from worth(total, settings, costs)
    if figures["acceptance_by_rank"]:
        ranks = list(figures["acceptance_by_rank"].items())[:6]
        yield "accepted by rank  " + "  ".join(f"{rank}: {share:.2f}" for rank, share in ranks)
    named = {"measured": "acceptance", "predicted": "predicted_acceptance"}
    shares = [f"{figures[name]:.2f} {words}" for words, name in named.items() if figures[name] is not None]
    if shares:
        yield "acceptance  " + " · ".join(shares)
    if figures["optimal_acceptance"] is not None:
        drawn = "i.i.d." if TRAITS[settings.algorithm].with_replacement else "without replacement"
        most = figures["optimal_acceptance"]
        yield f"  at most {most:.2f} to be predicted of any exact rule that decides vertex by vertex, children drawn {drawn}"
    if steps and steps[-1].bound is not None:
        yield f"tokens per call  at most {steps[-1].bound:.1f} to be expected of any tree of {settings.vertices} tokens fixed beforehand,"
        yield f"  were the ranks independent with the law measured, H[R] = {steps[-1].rank_entropy:.2f} nats"
    if figures["bias"]:
        yield f"biased on purpose: TV(output, P) is {figures['bias']:.3f} on average over all tokens"


def worth(total: Statistics, settings: Settings, costs: Costs) -> Iterator[str]:
    """What drafting gave in time: on this machine, and what as many tokens per call would give where a target call costs more."""
    alone = f"one by one {costs.one_by_one_ms:.1f} ms a token, measured when the models were loaded"
    if not TRAITS[settings.algorithm].drafts:
        yield alone
        return
    if total.ms_per_token:
        factor = costs.one_by_one_ms / total.ms_per_token
        yield f"{factor:.2f} times as fast as one by one on this machine" + (f": {SLOWER}" if factor < 1 else "")
        yield f"  {total.ms_per_token:.1f} ms a token from the second call on; {alone}"
    yield f"as many tokens per call, {total.levels / total.steps:.1f} draft levels a call, would give"
    for label, ratio, source in ratios(costs):
        give = speedup(total.tokens / total.steps, ratio, total.levels / total.steps)
        yield f"  {give:.2f} times one by one where a target call costs {ratio:.1f} draft levels  ({label}: {source})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one generation; 2 after bad input, which is told on standard error."""
    args = parser().parse_args(arguments)
    import torch
    import transformers

    from .engine import generate, run
    from .models import load_pair

    transformers.utils.logging.disable_progress_bar()
    if args.threads or not args.target:
        torch.set_num_threads(args.threads or 1)
    try:
        settings = Settings(**{field.name: getattr(args, field.name) for field in dataclasses.fields(Settings)})
        pair = load_pair(args.target, args.draft, args.device, args.dtype, args.device_map)
        if args.json:
            print(run(pair, args.prompt, settings).to_json())
            return 0
        stream = generate(pair, args.prompt, settings)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    colors = sys.stdout.isatty()
    print(f"{DIM}{args.prompt}{PLAIN}" if colors else args.prompt, end="", flush=True)
    steps = []
    for step in stream:
        steps.append(step)
        print("".join(colored(one, colors) for one in step.emitted), end="", flush=True)
    print(f"\n\n{pair.name} · {settings.algorithm} · {settings.topology} · k = {settings.vertices}")
    print(pair.decoding)
    print("\n".join(report(steps, settings, pair.costs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
