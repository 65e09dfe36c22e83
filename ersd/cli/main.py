"""The program `python -m ersd`: its flags, one run or the table of methods, and its exit codes."""

from __future__ import annotations

import argparse
import dataclasses
import errno
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from ..formatting import quoted
from ..settings import METHODS, Settings
from ..trace.files import page_of
from ..trace.step import Step
from .flags import EVERY, OUT, check, parser, read_text, settings_of
from .report import report
from .terminal import console, discard, open_closed_streams, print_error, verbatim
from .tree import draft_tree, legend

if TYPE_CHECKING:
    from ..models.pair import ModelPair

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in shells."""
STYLES = {"draft": "green", "target": "blue"}
"""Source of a token -> its style."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one generation, or the table of methods.

    Returns the exit code: 0; 1 if the output cannot be written; 2 after a wrong flag, setting or model, with one line on standard error;
    130 after Ctrl-C.
    """
    closed = open_closed_streams()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal that lacks some characters
    try:
        args = _parsed(arguments)
        check(args)
        if args.pays is not None:
            return _pays(args)
        if args.watermark is not None:
            return _watermark(args)
        settings = settings_of(args)
        if "stdout" in closed and args.json in (None, OUT):
            raise OSError(errno.EBADF, "standard output is closed")
        pair = _loaded(args)
        if args.source is None:
            settings = dataclasses.replace(settings, source=_usual_source(pair))
        return _bench(pair, settings, args) if args.bench else _run(pair, settings, args)
    except ValueError as error:
        print_error(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        print_error("Interrupted.")
        return INTERRUPTED
    except OSError as problem:
        if not isinstance(problem, BrokenPipeError):  # a reader that has left needs no message
            print_error(f"error: the output cannot be written: {problem.strerror or problem}")
        discard(sys.stdout)
        return 1


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    try:
        return parser().parse_args(arguments)
    finally:
        sys.stdout.flush()  # the text of --help: a failure is noticed here, and not when Python ends


def _loaded(args: argparse.Namespace) -> ModelPair:
    import torch
    import transformers

    from ..load import load_pair

    if not (args.target and sys.stderr.isatty()):
        transformers.utils.logging.disable_progress_bar()
    if args.threads or not args.target:
        torch.set_num_threads(args.threads or 1)
    return load_pair(args.target, args.draft, args.device, args.dtype, args.device_map)


def _usual_source(pair: ModelPair) -> str:
    from ..drafts.sources import usual_source

    return usual_source(pair)


def _run(pair: ModelPair, settings: Settings, args: argparse.Namespace) -> int:
    """Print the text as it comes, then trees and figures; after Ctrl-C those of the steps so far."""
    from ..decoding import generate, trace_of

    out = console(is_quiet=args.json == OUT)
    steps: list[Step] = []
    interrupted = False
    with closing(generate(pair, args.prompt, settings)) as stream:
        before = pair.fed(args.prompt, settings.chat)[0] if settings.chat else args.prompt
        try:
            out.print(verbatim((before, "dim")))
            for step in stream:
                steps.append(step)
                out.print(verbatim(*((one.text, STYLES[one.source]) for one in step.emitted)))
        except KeyboardInterrupt:
            interrupted = True
        except ValueError:
            out.print()  # the error gets a line of its own
            raise
    out.print("\n")
    if steps and not out.quiet:
        _show(out, pair, settings, steps, before, args.tree)
    if interrupted:
        print_error(f"Interrupted after step {len(steps)}; the figures are of this part." if steps else "Interrupted.")
    if steps and (args.json or args.html):
        trace = dataclasses.replace(trace_of(pair, args.prompt, settings, steps), costs=pair.costs.get(settings.source))
        if args.json:
            _write("json", args.json, trace.to_json() + "\n")
        if args.html:
            _write("html", args.html, page_of(trace))
    if isinstance(args.tree, int) and args.tree > len(steps) and not interrupted:
        raise ValueError(f"tree must be the number of a step of this run, from 1 to {len(steps)}, or {EVERY}, got {args.tree}")
    return INTERRUPTED if interrupted else 0


def _show(out: Console, pair: ModelPair, settings: Settings, steps: Sequence[Step], before: str, shown_tree: int | str | None) -> None:
    """Print what comes below the text. `before`: the prompt as the models read it."""
    if shown_tree:
        for step in steps:
            if shown_tree in (EVERY, step.index + 1):
                out.print(f"step {step.index + 1}: {step.accepted} of {len(step.tokens)} drafted tokens accepted")
                out.print(draft_tree(step, before))
                out.print()
            before += "".join(emitted.text for emitted in step.emitted)
        out.print(legend(), end="\n\n")
    source = _named_source(settings) if settings.vertices else ""
    lines = [
        f"{pair.name} · {settings.algorithm} · {settings.topology} · k = {settings.vertices}{source}",
        pair.decoding,
        *pair.notices,
        *report(steps, settings, pair.costs.get(settings.source)),
    ]
    out.print(verbatim(("\n".join(lines) + "\n", "")))


def _named_source(settings: Settings) -> str:
    """Where guesses come from, unless that is the draft model."""
    return f" · source {settings.source}" if settings.source != "model" else ""


def _pays(args: argparse.Namespace) -> int:
    """Print whether a draft pays, without a model."""
    from ..theory.pays import pays, read_acceptance
    from .report import pays_lines

    answer = pays(read_acceptance(args.pays), args.target_ms, args.draft_ms, args.row_ms)
    console().print(verbatim(("\n".join(pays_lines(answer)) + "\n", "")))
    return 0


def _watermark(args: argparse.Namespace) -> int:
    """Print whether a seed wrote the text of a file, without a model."""
    from ..load import load_tokenizer
    from ..text.prompt import text_ids
    from ..watermarking import watermark
    from .report import watermark_lines

    text = read_text("watermark", args.watermark)
    tokens = text_ids(load_tokenizer(args.target), text, is_whole=args.start == 0)
    if not tokens:
        raise ValueError(f"watermark must be a file with some text, got {quoted(args.watermark)} without a token")
    found = watermark(tokens, args.seed, args.start, args.keys)
    console().print(verbatim(("\n".join(watermark_lines(found, args.seed, args.keys)) + "\n", "")))
    return 0


def _bench(pair: ModelPair, settings: Settings, args: argparse.Namespace) -> int:
    """Print the table of methods; after Ctrl-C the rows measured so far."""
    from . import bench

    out = console(is_quiet=args.json == OUT)
    measured: list[bench.Measured] = []
    interrupted = False
    try:
        for row in bench.measure_all(pair, args.prompt, settings, args.runs):
            measured.append(row)
    except KeyboardInterrupt:
        interrupted = True
    if args.json:
        _write("json", args.json, json.dumps([dataclasses.asdict(row) for row in measured], ensure_ascii=False) + "\n")
    out.print(bench.table(measured))
    used = f"{args.runs} seeds from {settings.seed}, {settings.max_new_tokens} tokens, temperature {settings.temperature:g}"
    out.print(verbatim((f"{pair.name} · {used}{_named_source(settings)}\n", "")))
    if interrupted:
        print_error(f"Interrupted after {len(measured)} of {len(METHODS)} methods.")
    return INTERRUPTED if interrupted else 0


def _write(flag: str, file: str, text: str) -> None:
    """Write to the file of a flag, or JSON to standard output. ValueError if the file cannot be written."""
    if (flag, file) == ("json", OUT):
        print(text, end="", flush=True)
        return
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as problem:
        raise ValueError(f"{flag} must be a file that can be written, got {quoted(file)}: {problem.strerror}") from None
