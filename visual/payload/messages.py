"""The player's messages: each a compact line of JSON with everything the browser needs to draw it.

A run is one `begin`, its `step`s and one `end`; what never changes is in the `kit`. The types of both are in `message_types`.
"""

from __future__ import annotations

import base64
import gzip
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, Literal, cast

from ersd.costs import Costs
from ersd.formatting import bidi_isolated
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.model import RankSequence, Trace
from ersd.trace.statistics import Statistics
from ersd.trace.step import Emitted, Step
from visual.payload import bookmarks, redraw, theory, watermark, what_if
from visual.payload.times import guess_prices as guesses, lanes, predrafting, speedup
from visual.payload.tree import step_tree as tree

from .average import Average, beside_one_text
from .copied import copied
from .decision import block_columns, decision, opening
from .message_types import run as message_types
from .message_types.run import BeginMessage, EndMessage, Ladder, SettingName, StepMessage
from .message_types.step import Stats, TextToken
from .sentences.exactness import badge
from .sentences.formatting import decimal, plural
from .sentences.headline import headline
from .sentences.kinds.table import KINDS, key_of, run_kind
from .sentences.names import run_name, used
from .sentences.nodes import emitted_names, text_before
from .sentences.single_token import single_token, tokens_with_one
from .sources import routing

NEAR_TIE = (
    "Near tie: another token was so close that the rounding noise of this precision could have made it win, "
    "so the same seed may give the other token in another run."
)
"""Hover text of a token that rounding could have changed."""
_ORIGINS = {"draft": "guessed by the draft, accepted", "target": "the target’s own token"}
"""`Emitted.source` -> hover text."""
_ENDINGS = {"end of text": "the text ended", "max_new_tokens": "requested length", "end of context": "the context is full"}
"""`Trace.stopped` -> text of the status line."""


class Message(str):
    """A message as it is sent, one line of JSON, with its type as an attribute."""

    type: str
    """`begin`, `step`, `end`, `status`, `stopped`, `lost`, `error` or `recording`"""

    @classmethod
    def of(cls, type: str, **fields: Any) -> Message:
        """The message of a type with these fields."""
        line = cls(compact({"type": type, **fields}))
        line.type = type
        return line


def compact(data: Any) -> str:
    """JSON without spaces, strict enough for a browser."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def new_run() -> str:
    """A name for a run: the browser ignores messages of any run but the one it shows."""
    return secrets.token_hex(4)


def status(text: str, run: str = "") -> Message:
    """A message for the status line alone, before the run begins."""
    return Message.of("status", words=text, **_named(run))


def lost(text: str) -> Message:
    """The connection that brings the run has ended; the screen stays as it is."""
    return Message.of("lost", words=text)


def error(text: str, field: str = "", run: str = "") -> Message:
    """The run failed or never began; the screen stays as it is.

    Args:
        text: what went wrong.
        field: the field of Settings at fault, if any.
        run: name of the run; empty for what the page says itself.
    """
    return Message.of("error", words=text, field=field, **_named(run))


def _named(run: str) -> dict[str, str]:
    return {"run": run} if run else {}


class RunMessages:
    """The messages of one run: `begin`, then `step` for each Step in order, then `end`."""

    def __init__(
        self,
        prompt: str,
        settings: Settings,
        models: str,
        costs: Costs | None = None,
        fed: tuple[str, int] | None = None,
        left_out: Sequence[str] = (),
        is_recorded: bool = False,
        trace: Trace | None = None,
        run: str = "",
        average: Average | None = None,
    ) -> None:
        """
        Args:
            prompt: the text that the run continues.
            settings: of the run.
            models: the pair's name on the page.
            costs: of the pair on the machine that runs it; None: not known.
            fed: the prompt as the models read it and its number of tokens (`ModelPair.fed`), if known.
            left_out: options of the target's generation_config that are not applied (`ModelPair.left_out`).
            is_recorded: the run was recorded, perhaps on another machine, and so were `costs`.
            trace: of the run, without its steps, for a player that can save it; the messages of the steps then carry them.
            run: its name; without one it gets a new one.
            average: tokens per call that its method is expected to give on average, where that is known.
        """
        self.is_recorded = is_recorded
        self.trace = trace
        self.average = average
        self.run = run or new_run()
        self.prompt, self.settings, self.models = prompt, settings, models
        self.costs, self.fed, self.left_out = costs, fed, left_out
        self.text = prompt
        self.statistics = Statistics()
        self.guesses = guesses.GuessPrices(settings, costs)
        self.predrafting = predrafting.PredraftingSums(settings, costs)
        self._clocks = watermark.ClockCounter(settings) if TRAITS[settings.algorithm].has_clocks else None
        self._cells = theory.cells(settings)

    def begin(self) -> Message:
        """The first message: what is run, and how it will be shown."""
        sent: BeginMessage = {
            "type": "begin",
            "run": self.run,
            "prompt": self.prompt,
            "models": self.models,
            "settings": cast("message_types.Settings", self.settings.to_dict()),
            "kind": key_of(run_kind(self.settings)),
            "theory": self._cells,
            "name": run_name(self.settings),
            "used": cast("list[SettingName]", used(self.settings)),
            "exact": badge(self.settings, self.left_out),
            "one_text": beside_one_text(self.average, self.settings),
            "elsewhere": speedup.elsewhere(self.costs, self.is_recorded),
            "ladder": self._ladder(),
            "what_if": what_if.refusal(self.settings),
            "redraw": redraw.refusal(self.settings),
            "fed": {"text": self.fed[0], "tokens": self.fed[1]} if self.fed else None,
        }
        if self.trace:
            sent["trace"] = json.loads(self.trace.to_json())
        return Message.of(**sent)

    def _ladder(self) -> Ladder | None:
        if self.settings.source != "exit" or not self.settings.vertices or not self.costs or not self.costs.layers:
            return None
        return {"exit": self.costs.exit, "layers": self.costs.layers, "place": speedup.elsewhere(self.costs, self.is_recorded)[0]}

    def step(self, step: Step) -> Message:
        """The message of the next step: text, tree, the decision at every visited node, figures and the timeline's bar."""
        total = self.statistics
        total.add(step)
        self.guesses.add(step)
        self.predrafting.add(step)
        baseline_ms = total.baseline_ms(self.costs) if self.costs else None
        sent: StepMessage = {
            "type": "step",
            "run": self.run,
            "index": step.index,
            "title": _title(step),
            "headline": headline(step, self.settings),
            "text": [_token(one, name, step.index + 1) for one, name in zip(step.emitted, emitted_names(step), strict=True)],
            "tree": tree.data(step, self.text),
            "draft_calls": step.draft_calls,
            "draft_spans": lanes.draft_spans(step),
            "walk_end": step.end,
            "decisions": {str(visit.vertex): decision(step, visit, text_before(step, visit.vertex, self.text)) for visit in step.walk},
            "stats": self._figures(step),
            "bar": {"accepted": step.accepted, "own": len(step.emitted) - step.accepted},
            "single": single_token(step),
            "with_one": tokens_with_one(step),
            "find": bookmarks.bookmarks(step),
            "speedup": speedup.values(step, total, self.costs, TRAITS[self.settings.algorithm].drafts, baseline_ms, self.is_recorded),
        }
        if (opens_at := opening(step, KINDS[key_of(run_kind(self.settings))])) != step.end:
            sent["opens_at"] = opens_at
        if self._clocks:
            sent["clocks"] = self._clocks.add(step)
        if step.block:
            sent["block"] = block_columns(step)
        if self.settings.source == "ngram" and (found := copied(step, self.text)):
            sent["copied"] = found
        if chosen := routing(step):
            sent["routing"] = chosen
        if self.trace:
            sent["trace"] = packed(step)
        self.text += "".join(one.text for one in step.emitted)
        return Message.of(**sent)

    def _figures(self, step: Step) -> Stats:
        """The figures up to `step`, which has been counted."""
        total = self.statistics
        return {
            "per_call": decimal(total.tokens / total.steps),
            "tokens": total.tokens,
            "times": {"draft": round(step.draft_ms, 1), "verify": round(step.target_ms, 1), "accept": round(step.verify_ms, 1)},
            "theory": theory.values(step, total, self._cells),
            "notes": theory.notes(step),
            "labels": theory.labels(step, total, self._cells),
        }

    def end(self, stopped: str, ranks: RankSequence | None = None) -> Message:
        """The last message.

        Args:
            stopped: why the run ended, as in `Trace.stopped`.
            ranks: of the whole run, where they fix the steps of other trees.
        """
        total = self.statistics
        text = f"Finished: {plural(total.tokens, 'token')} in {plural(total.steps, 'target call')} ({_ENDINGS.get(stopped, stopped)})."
        sent: EndMessage = {
            "type": "end",
            "run": self.run,
            "steps": total.steps,
            "words": text,
            "stopped": stopped,
            "guesses": self.guesses.message(),
            "predrafting": self.predrafting.message(),
        }
        if ranks:
            sent["ranks"] = cast("message_types.RankSequence", asdict(ranks))
        return Message.of(**sent)


def packed(step: Step) -> str:
    """A step of a trace as a player keeps it to save it: JSON, gzip, base64."""
    return base64.b64encode(gzip.compress(compact(step.to_dict()).encode(), 6)).decode()


def _title(step: Step) -> str:
    own = len(step.emitted) - step.accepted
    return f"{step.accepted} accepted" + (f" + {own}" if own else "")


def _token(one: Emitted, name: str, step: int) -> TextToken:
    """A new token."""
    hover = f"{bidi_isolated(name)} · step {step} · {_ORIGINS.get(one.source, one.source)}"
    sent: TextToken = {"text": one.text, "source": cast('Literal["draft", "target"]', one.source), "hover": hover}
    if one.near_tie:
        sent |= {"near_tie": True, "hover": f"{hover}\n{NEAR_TIE}"}
    if one.frequency_rank is not None:
        sent["rank"] = one.frequency_rank
    return sent


def messages(trace: Trace, models: str = "", is_saved: bool = False, average: Average | None = None) -> Iterator[Message]:
    """A recorded run as the messages of a live one; the arguments are those of `recording`."""
    names = models or " ← ".join(trace.models.values())
    frame = replace(trace, steps=[]) if is_saved else None
    run = RunMessages(trace.prompt, trace.settings, names, trace.costs, is_recorded=True, trace=frame, average=average)
    yield run.begin()
    for index, step in enumerate(trace.steps):
        yield run.step(replace(step, index=index))
    yield run.end(trace.stopped, trace.ranks)


def recording(
    trace: Trace,
    text: str,
    models: str = "",
    view: tuple[int, int | None] | None = None,
    is_saved: bool = False,
    average: Average | None = None,
) -> Message:
    """One message with a whole recorded run, for a player that shows nothing yet.

    Args:
        trace: the run.
        text: for the status line.
        models: the pair's name on the page.
        view: the step to be shown first, from 0, and perhaps a node of it; else the player chooses.
        is_saved: the player can save the trace.
        average: as in RunMessages.
    """
    more = {"view": {"step": view[0], "vertex": view[1]}} if view else {}
    sent = [json.loads(message) for message in messages(trace, models, is_saved, average)]
    return Message.of("recording", words=text, messages=sent, **more)
