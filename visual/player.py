"""The player's messages: each a compact JSON string with everything the browser needs to draw it.

A run is one `begin`, its `step`s and one `end`. `kit` holds what never changes: templates, layouts and colours.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ersd.settings import Settings
from ersd.trace import Statistics, Step, Trace

from . import race, stats, text, timeline, tree, treestyle
from .coins import kept
from .sentences import ROOT, WORDS, finished
from .theme import PALETTES
from .treestyle import Style
from .words import brief


def compact(data: Any) -> str:
    """JSON without spaces, strict enough for a browser."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def kit() -> dict[str, Any]:
    """What every player needs once: templates and layouts by picture, colours, tiles and the words the browser fills in."""
    return {
        "palettes": PALETTES,
        "templates": {
            **{f"tree-{name}": traces for name, traces in treestyle.TEMPLATES.items()},
            "race": race.TEMPLATES,
            "timeline": timeline.TEMPLATES,
        },
        "layouts": {"tree": treestyle.LAYOUT, "race": race.LAYOUT, "timeline": timeline.LAYOUT},
        "tree": treestyle.DRAWING,
        "race": {"decades": race.DECADES, "columns": race.LABEL_COLUMNS, "facts": race.FACTS},
        "tiles": stats.TILES,
        "theory": stats.THEORY,
        "words": WORDS,
    }


def status(words: str) -> str:
    """A message for the status line alone."""
    return compact({"type": "status", "words": words})


def stopped() -> str:
    """The run was stopped by the user."""
    return compact({"type": "stopped"})


def error(words: str) -> str:
    """The run failed or never began, in words; what is on the screen stays."""
    return compact({"type": "error", "words": words})


def is_step(message: str) -> bool:
    """Is this the message of a step?"""
    return message.startswith('{"type":"step"')


class Narrator:
    """Tells one run to a player: `begin`, then `step` for each Step, then `end`."""

    def __init__(self, prompt: str, settings: Settings, models: str) -> None:
        self.run = secrets.token_hex(4)
        self.prompt, self.settings, self.models = prompt, settings, models
        self.text = prompt
        self.statistics = Statistics()

    def begin(self) -> str:
        """The first message: what is run, and how its trees will be drawn."""
        return compact(
            {
                "type": "begin",
                "run": self.run,
                "prompt": self.prompt,
                "models": self.models,
                "settings": self.settings.to_dict(),
                "tree": Style.of(self.settings).to_dict(),
                "theory": stats.cells(self.settings),
                "warning": stats.warning(self.settings),
            }
        )

    def step(self, step: Step) -> str:
        """The message of one step: text, tree, the decision at every visited vertex, figures and the timeline's bar."""
        self.statistics.add(step)
        contexts = race.contexts(step, self.text)
        message = {
            "type": "step",
            "run": self.run,
            "n": step.index,
            "title": _title(step),
            "text": text.segments(step),
            "tree": tree.data(step, self.text),
            "panels": {str(visit.vertex): race.panel(step, visit, contexts[visit.vertex]) for visit in step.walk},
            "shown": step.walk[-1].vertex if step.walk else ROOT,
            # from a vertex that was not visited: its parent, where it was decided about, if that was visited
            "parents": step.parents,
            "stats": stats.values(step, self.statistics),
            "bar": timeline.bar(step),
        }
        if step.block:
            message["block"] = _block(step)
        self.text += "".join(one.text for one in step.emitted)
        return compact(message)

    def end(self, stopped: str) -> str:
        """The last message; `stopped` as in Trace."""
        words = finished(stopped, self.statistics.steps, self.statistics.tokens)
        return compact({"type": "end", "run": self.run, "steps": self.statistics.steps, "words": words})


def _title(step: Step) -> str:
    own = len(step.emitted) - step.accepted
    return f"{step.accepted} accepted" + (f" + {own}" if own else "")


def _block(step: Step) -> dict[str, Any]:
    """Block verification: how many tokens stay, and `[p/q, joint acceptance, keep probability, coin]` of every drafted one."""
    rows = [[brief(value, 4) for value in (one.ratio, one.joint, one.keep, one.coin)] for one in step.block]
    return {"kept": kept(step), "rows": rows}


def messages(trace: Trace) -> Iterator[str]:
    """A recorded run as the messages of a live one."""
    narrator = Narrator(trace.prompt, trace.settings, " ← ".join(trace.models.values()))
    yield narrator.begin()
    for index, step in enumerate(trace.steps):
        yield narrator.step(replace(step, index=index))
    yield narrator.end(trace.stopped)


def recording(trace: Trace, words: str) -> str:
    """One message with a whole recorded run, for a player that has nothing to show yet."""
    return compact({"type": "recording", "words": words, "messages": [json.loads(message) for message in messages(trace)]})
