"""Speculative generation in a terminal: `python -m ersd "Once upon a time" --method "ERSD τ*" -k 16 --seed 7`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..drafts.topologies import TOPOLOGIES
from ..formatting import number_in, quoted
from ..rules.registry import ALGORITHMS, TRAITS
from ..settings import ALLOWED, HELP, METHODS, THREADS, Range, Settings, parts_of
from ..trace.model import Step
from .flags import Flags
from .paint import DIM, Paint
from .report import report
from .tree import drawn, legend

if TYPE_CHECKING:
    from ..models.pair import ModelPair

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""
STEPS = Range(int, 1, 4096)
RUNS, USUAL_RUNS = Range(int, 2, 100), 4
EVERY, OUT = "all", "-"
USAGE = 'python -m ersd "Once upon a time" --method "ERSD τ*" -k 16 --seed 7'


def parser() -> argparse.ArgumentParser:
    """The command line: one flag per setting, the models, and what is shown."""
    flags = Flags(prog="python -m ersd", description=f"Speculative generation in a terminal: {USAGE}", allow_abbrev=False)
    flags.add_argument("prompt", nargs="?", help="the text to go on with")
    flags.add_argument("--method", help=f"algorithm and topology by one name: {', '.join(METHODS)}")
    choices = {"algorithm": ALGORITHMS, "topology": TOPOLOGIES}
    for field in dataclasses.fields(Settings):
        names = ["--" + field.name.replace("_", "-"), *(["-k"] if field.name == "draft_tokens" else [])]
        if field.name in choices:
            allowed = "; ".join(f"{name}: {what}" for name, what in choices[field.name].items())
            flags.add_argument(*names, help=f"{HELP[field.name]} ({allowed}; default {field.default})")
        else:
            help_text = f"{HELP[field.name]} ({ALLOWED[field.name]}; default {_written(field.default)})"
            # "3" is a branching of one level, not a number
            as_text = field.name in ("branching", "chat")
            flags.add_argument(*names, type=str if as_text else number_in, default=field.default, help=help_text)
    flags.add_argument("--target", help="folder or hub id; with --draft instead of the embedded pair")
    flags.add_argument("--draft", help="folder or hub id")
    flags.add_argument("--device", default="auto", help="auto, cpu or cuda")
    flags.add_argument("--device-map", default="none", help="none, or auto: the target over all GPUs there are, through accelerate")
    flags.add_argument("--dtype", default="auto", help="auto, float32, bfloat16 or float16")
    flags.add_argument("--threads", type=number_in, help="CPU threads of torch (default 1 for the embedded pair)")
    flags.add_argument("--tree", nargs="?", const=EVERY, type=number_in, metavar="STEP", help="draw the draft tree of a step, or of all")
    flags.add_argument("--json", nargs="?", const=OUT, metavar="FILE", help="write the trace as JSON; without FILE instead of all else")
    flags.add_argument("--bench", action="store_true", help="the table of all methods with as many drafted tokens, on this prompt")
    flags.add_argument("--runs", type=number_in, help=f"seeds that --bench runs every method on ({RUNS}; default {USUAL_RUNS})")
    return flags


def _written(default: object) -> str:
    """A default as it would be given."""
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return str(default).lower() if isinstance(default, bool) else f"{default:g}"


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of these flags. ValueError in the words of Settings."""
    values = {field.name: getattr(args, field.name) for field in dataclasses.fields(Settings)}
    parts = {name: values.pop(name) for name in ("algorithm", "topology")}
    given = {name: value for name, value in parts.items() if value is not None}
    named = [name for name in ("method", *parts) if getattr(args, name) is not None]
    if args.bench and named:
        raise ValueError(f"bench measures every method, so {named[0]} must not be given, got {quoted(getattr(args, named[0]))}")
    if args.method is not None:
        given = dict(zip(parts, parts_of(args.method), strict=True))
        if len(named) > 1:
            raise ValueError(f"method says algorithm and topology, so {named[1]} must not be given, got {quoted(getattr(args, named[1]))}")
    return Settings(**given, **values)


def check(args: argparse.Namespace) -> None:
    """All that can be wrong besides settings and models. ValueError naming the flag, the value and what is allowed."""
    if args.prompt is None:
        raise ValueError(f"prompt must be given, as in {USAGE}")
    if args.threads is not None:
        args.threads = THREADS.check("threads", args.threads)
    if args.bench and args.tree is not None:
        raise ValueError(f"tree is of one run, so it must not be given with --bench, got {quoted(args.tree)}")
    if args.runs is not None and not args.bench:
        raise ValueError(f"runs is how many --bench makes, so it must not be given without, got {quoted(args.runs)}")
    args.runs = RUNS.check("runs", USUAL_RUNS if args.runs is None else args.runs)
    if args.tree not in (None, EVERY):
        try:
            args.tree = STEPS.check("tree", args.tree)
        except ValueError:
            raise ValueError(f"tree must be the number of a step, from 1, or {EVERY}, got {quoted(args.tree)}") from None
    if args.json not in (None, OUT):
        file = Path(args.json).absolute()
        if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
            raise ValueError(f"json must be a file in a folder that can be written to, got {quoted(args.json)}")


def main(arguments: Sequence[str] | None = None, beside: bool = False) -> int:
    """Run one generation, or the table of methods; 2 after bad input, which is told on standard error, 130 after Ctrl-C.

    `beside`: steps are written down in a process of its own, which gets ready while models are loaded. In this one that would take from the
    processor's caches what the next call needs, and speculation would seem slower than it is.
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal of few letters
    args = parser().parse_args(arguments)
    try:
        check(args)
        settings = settings_of(args)
        pair = _loaded(args, beside)
        return _bench(pair, settings, args) if args.bench else _run(pair, settings, args)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # who read the output has gone; nothing is left to be flushed there at the end
        _close_output()
        return 1
    except OSError as problem:
        print(f"error: the output cannot be written: {problem.strerror or problem}", file=sys.stderr)
        _close_output()
        return 1


def _close_output() -> None:
    """Nothing is left to be written when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _loaded(args: argparse.Namespace, beside: bool) -> ModelPair:
    import torch

    from ..trace.beside import BESIDE

    if beside:
        BESIDE.start()
    import transformers

    from ..models.load import load_pair

    if not (args.target and sys.stderr.isatty()):
        transformers.utils.logging.disable_progress_bar()
    if args.threads or not args.target:
        torch.set_num_threads(args.threads or 1)
    pair = load_pair(args.target, args.draft, args.device, args.dtype, args.device_map)
    BESIDE.wait()
    return pair


def _run(pair: ModelPair, settings: Settings, args: argparse.Namespace) -> int:
    """The text as it comes, then trees and figures; after Ctrl-C those of the part that there is."""
    from ..decoding import generate, trace_of
    from ..models.stopwatch import OneByOne

    steps: list[Step] = []
    stream = generate(pair, args.prompt, settings)
    one_by_one = OneByOne(pair) if TRAITS[settings.algorithm].drafts else None
    paint = Paint(sys.stdout)
    quiet = args.json == OUT
    interrupted = False
    try:
        if not quiet:
            print(paint(DIM, _as_fed(pair, settings, args)), end="", flush=True)
        for step in stream:
            steps.append(step)
            if not quiet:
                print("".join(map(paint.token, step.emitted)), end="", flush=True)
            if one_by_one:
                one_by_one.look()
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stream.close()
    if not quiet:
        _show(pair, settings, steps, args, paint, one_by_one.look() if one_by_one and pair.singles else None)
    if interrupted:
        print(f"Interrupted after step {len(steps)}; the figures are of this part." if steps else "Interrupted.", file=sys.stderr)
    if args.json and steps:
        trace = trace_of(pair, args.prompt, settings, steps)
        _write(args.json, (dataclasses.replace(trace, stopped="interrupted") if interrupted else trace).to_json())
    if isinstance(args.tree, int) and args.tree > len(steps) and not interrupted:
        raise ValueError(f"tree must be the number of a step of this run, from 1 to {len(steps)}, or {EVERY}, got {args.tree}")
    return INTERRUPTED if interrupted else 0


def _as_fed(pair: ModelPair, settings: Settings, args: argparse.Namespace) -> str:
    """The prompt, with what a chat template puts around it."""
    return pair.fed(args.prompt, settings.chat)[0] if settings.chat else args.prompt


def _show(
    pair: ModelPair, settings: Settings, steps: Sequence[Step], args: argparse.Namespace, paint: Paint, alone_ms: float | None
) -> None:
    """What stands below the text. `alone_ms`: of a token one by one, where that was timed between the steps."""
    print("\n")
    if not steps:
        return
    if args.tree:
        before = _as_fed(pair, settings, args)
        for step in steps:
            if args.tree in (EVERY, step.index + 1):
                print("\n".join(drawn(step, before, paint)), end="\n\n")
            before += "".join(emitted.text for emitted in step.emitted)
        print(legend(paint), end="\n\n")
    print(f"{pair.name} · {settings.algorithm} · {settings.topology} · k = {settings.vertices}")
    print(pair.decoding)
    print("\n".join(report(steps, settings, pair.costs, alone_ms)), flush=True)


def _bench(pair: ModelPair, settings: Settings, args: argparse.Namespace) -> int:
    """The table of methods; after Ctrl-C what there is of it."""
    from .bench import lines, rows

    measured, interrupted = [], False
    try:
        for row in rows(pair, args.prompt, settings, args.runs):
            measured.append(row)
    except KeyboardInterrupt:
        interrupted = True
    if args.json:
        _write(args.json, json.dumps([dataclasses.asdict(row) for row in measured], ensure_ascii=False))
    if args.json != OUT:
        print("\n".join(lines(measured)))
        print(
            f"{pair.name} · {args.runs} seeds from {settings.seed}, {settings.max_new_tokens} tokens, temperature {settings.temperature:g}"
        )
    if interrupted:
        print(f"Interrupted after {len(measured)} of {len(METHODS)} methods.", file=sys.stderr)
    return INTERRUPTED if interrupted else 0


def _write(place: str, text: str) -> None:
    """To a file, or to standard output. ValueError if the file cannot be written."""
    if place == OUT:
        print(text, flush=True)
        return
    try:
        Path(place).write_text(text + "\n", encoding="utf-8")
    except OSError as problem:
        raise ValueError(f"json must be a file that can be written, got {quoted(place)}: {problem.strerror}") from None


if __name__ == "__main__":
    sys.exit(main(beside=True))
