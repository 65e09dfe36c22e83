"""The flags of the terminal program: one per setting, the models, what is shown; the text file that one names;
and the parser that reports a wrong one in one line.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
from pathlib import Path
from typing import NoReturn

from ..drafts.topologies import TOPOLOGIES
from ..formatting import number_in, quoted
from ..rules.registry import ALGORITHMS
from ..settings import ALLOWED, HELP, KEYS, MAX_TEXT_BYTES, METHODS, SOURCES, STEP_COSTS, TEXT_START, THREADS, Range, Settings, parts_of

STEPS = Range(int, 1, 4096)
"""The number of a step that --tree takes: no run has more steps than its most tokens."""
RUNS, DEFAULT_RUNS = Range(int, 2, 100), 4
"""Seeds per method of --bench: at least two, for a standard error."""
EVERY = "all"
"""The value of --tree without a number."""
PARTS = ("algorithm", "topology")
"""What a method sets; without a default, to tell whether they were given beside one."""
OUT = "-"
"""The value of --json without a file: standard output."""
USAGE = 'python -m ersd "Once upon a time" --method "ERSD τ*" -k 16 --seed 7'


class Flags(argparse.ArgumentParser):
    """An argument parser whose error is one line, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        """End the program with exit code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def parser() -> argparse.ArgumentParser:
    """The parser of `python -m ersd`; numbers stay as they are given until `check` and `settings_of`."""
    flags = Flags(prog="python -m ersd", description=f"Speculative generation in a terminal: {USAGE}", allow_abbrev=False)
    flags.add_argument("prompt", nargs="?", help="the text to go on with")
    flags.add_argument("--method", help=f"algorithm and topology by one name: {', '.join(METHODS)}")
    choices = {"algorithm": ALGORITHMS, "topology": TOPOLOGIES, "source": SOURCES, "keys": KEYS}
    for field in dataclasses.fields(Settings):
        names = ["--" + field.name.replace("_", "-"), *(["-k"] if field.name == "draft_tokens" else [])]
        if field.name in choices:
            allowed = "; ".join(f"{name}: {what}" for name, what in choices[field.name].items())
            default = None if field.name in (*PARTS, "source") else field.default
            flags.add_argument(*names, default=default, help=f"{HELP[field.name]} ({allowed}; default {field.default})")
        else:
            help_text = f"{HELP[field.name]} ({ALLOWED[field.name]}; default {_written(field.default)})"
            # "3" is a branching of one level, not a number
            as_text = field.name in ("branching", "chat")
            flags.add_argument(*names, type=str if as_text else number_in, default=field.default, help=help_text)
    flags.add_argument("--target", help="folder or hub id, instead of the embedded pair; without --draft the guesses come from n-grams")
    flags.add_argument("--draft", help="folder or hub id; its tokenizer may be another one (source foreign)")
    flags.add_argument("--device", default="auto", help="auto, cpu or cuda")
    flags.add_argument("--device-map", default="none", help="none, or auto: the target over all GPUs there are, through accelerate")
    flags.add_argument("--dtype", default="auto", help="auto, float32, bfloat16 or float16")
    flags.add_argument("--threads", type=number_in, help="CPU threads of torch (default 1 for the embedded pair)")
    flags.add_argument("--tree", nargs="?", const=EVERY, type=number_in, metavar="STEP", help="draw the draft tree of a step, or of all")
    flags.add_argument("--json", nargs="?", const=OUT, metavar="FILE", help="write the trace as JSON; without FILE instead of all else")
    flags.add_argument("--html", metavar="FILE", help="write the run as a page that plays it in any browser, offline")
    flags.add_argument("--bench", action="store_true", help="the table of all methods with as many drafted tokens, on this prompt")
    flags.add_argument("--pays", metavar="RATES", help="does a draft pay? the rates of a serving engine, 0.72,0.48,0.33, or its log line")
    for name, (what, _) in STEP_COSTS.items():
        default = " (default 0)" if name == "row-ms" else ""
        flags.add_argument(f"--{name}", type=number_in, metavar="MS", help=f"with --pays: milliseconds of {what}{default}")
    flags.add_argument(
        "--watermark", metavar="FILE", help="did --seed write the text in FILE? needs no model, only the tokenizer of the target"
    )
    flags.add_argument(
        "--start",
        type=number_in,
        help=f"with --watermark: index of FILE's first token in its run ({TEXT_START}; default 0: "
        "the file begins with the prompt); not used with --keys context",
    )
    flags.add_argument("--runs", type=number_in, help=f"seeds that --bench runs every method on ({RUNS}; default {DEFAULT_RUNS})")
    return flags


def _written(default: object) -> str:
    """A default as a user would type it."""
    if isinstance(default, tuple):
        return ",".join(map(str, default))
    return str(default).lower() if isinstance(default, bool) else f"{default:g}"


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of these flags. ValueError with the message of Settings."""
    values = {field.name: getattr(args, field.name) for field in dataclasses.fields(Settings)}
    parts = {name: values.pop(name) for name in PARTS}
    if values["source"] is None:
        values["source"] = "model"  # until the pair is loaded, which may have none
    given = {name: value for name, value in parts.items() if value is not None}
    named = [name for name in ("method", *parts) if getattr(args, name) is not None]
    if args.bench and named:
        raise ValueError(f"bench measures every method, so {named[0]} must not be given, got {quoted(getattr(args, named[0]))}")
    if args.method is not None:
        given = dict(zip(parts, parts_of(args.method), strict=True))
        if len(named) > 1:
            raise ValueError(f"method sets algorithm and topology, so {named[1]} must not be given, got {quoted(getattr(args, named[1]))}")
    return Settings(**given, **values)


def check(args: argparse.Namespace) -> None:
    """Check the flags that are neither settings nor models. ValueError naming the flag, the value and what is allowed."""
    costs = {name: getattr(args, name.replace("-", "_")) for name in STEP_COSTS}
    if args.pays is not None:
        costs["row-ms"] = costs["row-ms"] or 0.0
        for name, (what, bounds) in STEP_COSTS.items():
            if costs[name] is None:
                raise ValueError(f"{name} must be given with --pays: milliseconds of {what}")
            setattr(args, name.replace("-", "_"), bounds.check(name, costs[name]))
        return
    given = next((name for name, value in costs.items() if value is not None), None)
    if args.start is not None and args.watermark is None:
        raise ValueError(f"start is of --watermark, so it must not be given without, got {quoted(args.start)}")
    if args.watermark is not None:
        args.start = TEXT_START.check("start", 0 if args.start is None else args.start)
        return
    if given:
        raise ValueError(f"{given} is of --pays, so it must not be given without, got {quoted(costs[given])}")
    if args.prompt is None:
        raise ValueError(f"prompt must be given, as in {USAGE}")
    if args.threads is not None:
        args.threads = THREADS.check("threads", args.threads)
    if args.bench and args.tree is not None:
        raise ValueError(f"tree is of one run, so it must not be given with --bench, got {quoted(args.tree)}")
    if args.runs is not None and not args.bench:
        raise ValueError(f"runs is how many --bench makes, so it must not be given without, got {quoted(args.runs)}")
    args.runs = RUNS.check("runs", DEFAULT_RUNS if args.runs is None else args.runs)
    if args.tree not in (None, EVERY):
        try:
            args.tree = STEPS.check("tree", args.tree)
        except ValueError:
            raise ValueError(f"tree must be the number of a step, from 1, or {EVERY}, got {quoted(args.tree)}") from None
    if args.bench and args.html is not None:
        raise ValueError(f"html is of one run, so it must not be given with --bench, got {quoted(args.html)}")
    for name in ("json", "html"):
        given = getattr(args, name)
        if given is None or (name, given) == ("json", OUT):
            continue
        file = Path(given).absolute()
        if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
            raise ValueError(f"{name} must be a file in a folder that can be written to, got {quoted(given)}")


def read_text(flag: str, file: str) -> str:
    """The text of a file, without a line break at its end. ValueError naming the flag, the file and what is allowed."""
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(MAX_TEXT_BYTES + 1)
            size = max(len(data), Path(file).stat().st_size)
    except OSError as problem:
        raise ValueError(f"{flag} must be a file that can be read, got {quoted(file)}: {problem.strerror}") from None
    if size > MAX_TEXT_BYTES:
        raise ValueError(f"{flag} must be a text of at most {MAX_TEXT_BYTES:,} bytes, got {quoted(file)} with {size:,}")
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        raise ValueError(
            f"{flag} must be a text in UTF-8, got {quoted(file)}, which has byte {data[problem.start]:#04x} at {problem.start}"
        ) from None
    if "\0" in text:
        raise ValueError(f"{flag} must be a text, got {quoted(file)}, which has a zero byte at {text.index(chr(0))}")
    return text.removesuffix("\n").removesuffix("\r")
