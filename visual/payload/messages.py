"""The player's messages: each a compact line of JSON with everything the browser needs to draw it.

Their types are in page/player/types.js, those of the kit in kit_types.js.

A run is one `begin`, its `step`s and one `end`. `kit` holds what never changes: templates, layouts, colours, kinds and number formats.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from ersd.models.costs import Costs
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.model import Step, Trace
from ersd.trace.rank_sequence import RankSequence, recorded_ranks
from ersd.trace.statistics import Statistics
from visual.payload import (
    decision_chart as butterfly,
    speedup,
    text,
    theory,
    tiles as stats,
    timeline,
    tree,
    tree_style as treestyle,
    what_if,
)

from .bookmarks import find_kit, landmarks
from .decision import COIN_DIGITS, FACTS, decision
from .sentences.block import kept
from .sentences.exactness import badge
from .sentences.explain import WORDS, finished
from .sentences.glossary import TERMS
from .sentences.kinds import KINDS, key_of
from .sentences.names import run_name, used
from .sentences.numbers import NUMBERS, brief
from .sentences.summary import LABELS, summary
from .sentences.visits import contexts, last_decision
from .theme import PALETTES, SIGNS
from .tree_style import Style


class Message(str):
    """A message as it travels, a line of JSON, that knows what it is."""

    type: str
    """`begin`, `step`, `end`, `status`, `stopped`, `error` or `recording`"""
    recorded: list[tuple[int, int | None]]
    """of a step: its new tokens with their ranks, as `recorded_ranks`"""
    leaf_rank: int | None
    """of a step, as in `Step`"""

    @classmethod
    def of(cls, type: str, **fields: Any) -> Message:
        """The message of a type with these fields."""
        line = cls(compact({"type": type, **fields}))
        line.type = type
        return line


def compact(data: Any) -> str:
    """JSON without spaces, strict enough for a browser."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def kit() -> dict[str, Any]:
    """What every player needs once (`Kit` of page/player/kit_types.js)."""
    return {
        "palettes": PALETTES,
        "signs": SIGNS,
        "marks": butterfly.MARKS,
        "kinds": {name: kind.to_browser() for name, kind in KINDS.items()},
        "facts": FACTS,
        "tiles": stats.TILES,
        "words": WORDS,
        "summary": LABELS,
        "glossary": [term.to_browser() for term in TERMS],
        "numbers": NUMBERS,
        "tree": {"layout": treestyle.LAYOUT, "boxes": treestyle.BOXES, "markers": treestyle.MARKERS, **treestyle.DRAWING},
        "butterfly": {"layout": butterfly.LAYOUT, "traces": butterfly.TRACES, **butterfly.DRAWING},
        "timeline": {"layout": timeline.LAYOUT, "traces": timeline.TRACES, "height": timeline.HEIGHT},
        "what_if": what_if.KIT,
        "find": find_kit(),
    }


def status(words: str) -> Message:
    """A message for the status line alone."""
    return Message.of("status", words=words)


def stopped() -> Message:
    """The run was stopped by the user."""
    return Message.of("stopped")


def error(words: str, field: str = "") -> Message:
    """The run failed or never began, in words; what is on the screen stays. `field`: of Settings, the one at fault."""
    return Message.of("error", words=words, field=field)


class RunMessages:
    """Tells one run to a player: `begin`, then `step` for each Step, then `end`. A `Teller` of the engine's."""

    def __init__(
        self, prompt: str, settings: Settings, models: str, costs: Costs | None = None, fed: tuple[str, int] | None = None
    ) -> None:
        """`costs`: of the pair on this machine, where the run is one of this machine. `fed`: the prompt as the models read it, and its
        tokens (`ModelPair.fed`), where that is known."""
        self.run = secrets.token_hex(4)
        self.prompt, self.settings, self.models = prompt, settings, models
        self.cells = theory.cells(settings)
        self.text = prompt
        self.statistics = Statistics()
        self.costs, self.fed = costs, fed
        self.alone_ms = costs.one_by_one_ms if costs else None
        """of a token one by one; whoever knows better while the run goes on may say so"""

    @property
    def state(self) -> tuple[str, Statistics]:
        """What the next step hangs on: the text before it, and the figures so far."""
        return self.text, self.statistics

    @state.setter
    def state(self, state: tuple[str, Statistics]) -> None:
        self.text, self.statistics = state

    def begin(self) -> Message:
        """The first message: what is run, and how it will be shown."""
        return Message.of(
            "begin",
            run=self.run,
            prompt=self.prompt,
            models=self.models,
            settings=self.settings.to_dict(),
            kind=key_of(TRAITS[self.settings.algorithm].kind),
            tree_style=Style.of(self.settings).to_dict(),
            theory=[cell.to_dict() for cell in self.cells],
            name=run_name(self.settings),
            used=used(self.settings),
            exact=badge(self.settings),
            elsewhere=speedup.elsewhere(self.costs),
            what_if=what_if.refusal(self.settings),
            fed={"text": self.fed[0], "tokens": self.fed[1]} if self.fed else None,
        )

    def step(self, step: Step) -> Message:
        """The message of one step: text, tree, the decision at every visited vertex, figures and the timeline's bar."""
        self.statistics.add(step)
        before = contexts(step, self.text)
        message = Message.of(
            "step",
            run=self.run,
            index=step.index,
            title=_title(step),
            text=text.tokens(step),
            tree=tree.data(step, self.text),
            draft_calls=step.draft_calls,
            walk_end=step.walk[-1].vertex,
            decided=last_decision(step).vertex,
            decisions={str(visit.vertex): decision(step, visit, before[visit.vertex]) for visit in step.walk},
            stats=stats.values(step, self.statistics, self.cells),
            bar=timeline.bar(step),
            summary=summary(step, self.settings),
            find=landmarks(step),
            speedup=speedup.values(step, self.statistics, self.costs, TRAITS[self.settings.algorithm].drafts, self.alone_ms),
            **({"block": _block(step)} if step.block else {}),
        )
        message.recorded, message.leaf_rank = recorded_ranks([step]), step.leaf_rank
        self.text += "".join(one.text for one in step.emitted)
        return message

    def end(self, stopped: str, ranks: RankSequence | None = None) -> Message:
        """The last message; `stopped` as in Trace. `ranks`: of the whole run, where they are known and fix the steps of other trees."""
        words = finished(stopped, self.statistics.steps, self.statistics.tokens)
        more = {"ranks": asdict(ranks)} if ranks else {}
        return Message.of("end", run=self.run, steps=self.statistics.steps, words=words, **more)


def _title(step: Step) -> str:
    own = len(step.emitted) - step.accepted
    return f"{step.accepted} accepted" + (f" + {own}" if own else "")


def _block(step: Step) -> dict[str, Any]:
    """A sequence decided as a whole: how many of its tokens stay, and the figures of every drafted one."""
    columns = {name: [brief(getattr(one, name), COIN_DIGITS) for one in step.block] for name in ("ratio", "joint", "keep", "coin")}
    return {"kept": kept(step), **columns}


def messages(trace: Trace, models: str = "") -> Iterator[Message]:
    """A recorded run as the messages of a live one."""
    narrator = RunMessages(trace.prompt, trace.settings, models or " ← ".join(trace.models.values()))
    yield narrator.begin()
    for index, step in enumerate(trace.steps):
        yield narrator.step(replace(step, index=index))
    yield narrator.end(trace.stopped, trace.ranks)


def recording(trace: Trace, words: str, models: str = "", view: tuple[int, int | None] | None = None) -> Message:
    """One message with a whole recorded run, for a player that has nothing to show yet.

    Args:
        words: for the status line.
        models: what its pair is called on the page.
        view: the step to be shown first, from 0, and perhaps a vertex of it; else the player chooses one.
    """
    more = {"view": {"step": view[0], "vertex": view[1]}} if view else {}
    return Message.of("recording", words=words, messages=[json.loads(message) for message in messages(trace, models)], **more)
