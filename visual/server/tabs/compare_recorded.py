"""What the Compare tab shows before anything runs: one text with every source of guesses, recorded with its initial settings."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.settings import SOURCES, Settings
from ersd.trace.model import Trace
from visual.payload import messages
from visual.payload.compare import board as compare
from visual.payload.message_types.compare import Recorded

from ..average import of_embedded
from ..pairs import EMBEDDED
from ..recorded import RECORDED, read
from .compare import LANES

DRAFT_TOKENS = 8
"""What each run drafts."""
SEED = 2
"""A text that can be read, and calls near those of other seeds."""
NO_DRAFT = "no-draft"
"""The file of the run without one; the others are named for their sources."""
FOLDER = RECORDED / "comparison"
COMMAND = "python -m assets.record_comparison"
ADDRESS = "comparison"
"""Where the browser fetches it, relative to the page."""


def first_settings(usual: Settings) -> dict[str, Settings]:
    """The settings of each recorded run, by the names of their files; `usual`: the initial values of the other controls."""
    drafting = replace(usual, algorithm="ersd", topology="tau_star", draft_tokens=DRAFT_TOKENS, seed=SEED)
    return {**{source: replace(drafting, source=source) for source in SOURCES}, NO_DRAFT: replace(drafting, algorithm="autoregressive")}


@cache
def traces() -> tuple[Trace, ...]:
    """The recorded runs. ValueError if one is damaged, or there are none."""
    files = [FOLDER / f"{name}.json" for name in (*SOURCES, NO_DRAFT)]
    recorded = [file for file in files if file.exists()]  # a source may be newer than the records
    return tuple(read(file, COMMAND) for file in recorded or files)


@cache
def answer() -> str:
    """The messages for the board and for each player, as JSON."""
    players: list[str] = [messages.recording(trace, "", EMBEDDED) for trace in traces()[:LANES]]
    averages = [of_embedded(trace.settings) for trace in traces()]
    sent: Recorded = {"board": compare.recording(traces(), averages), "players": players}
    return messages.compact(sent)


def route() -> Route:
    """Where the browser fetches them when the tab is opened, for `launch`."""

    def recorded_comparison(request: Request) -> Response:  # not async, so that it runs in a thread
        return Response(answer(), media_type="application/json")

    return Route(f"/{ADDRESS}", recorded_comparison)
