"""What the Compare tab shows before anything runs: recorded runs of its initial methods with its initial settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.settings import Settings
from ersd.trace.model import Trace
from visual.payload import messages
from visual.payload.compare import board as compare
from visual.payload.message_types.compare import Recorded
from visual.payload.sentences.names import every_method

from ..average import of_embedded
from ..pairs import EMBEDDED
from ..recorded import RECORDED, read

INITIAL_METHODS: Mapping[str, str] = {"ersd": "ERSD τ*", "standard": "standard", "one-by-one": "one by one"}
"""The initial methods, by the names of their files."""
DRAFT_TOKENS = 8
"""What each of them drafts."""
SEED = 22
"""A typical one: 23 calls of both; seeds 1 to 40 take 23.8 of ERSD and 22.8 of standard on average."""
FOLDER = RECORDED / "comparison"
COMMAND = "python -m assets.record_comparison"
ADDRESS = "comparison"
"""Where the browser fetches it, relative to the page."""


def first_settings(usual: Settings) -> dict[str, Settings]:
    """The settings of each recorded run, by the names of their files; `usual`: the initial values of the other controls."""
    parts = {name: every_method()[method] for name, method in INITIAL_METHODS.items()}
    return {
        name: replace(usual, algorithm=algorithm, topology=topology, draft_tokens=DRAFT_TOKENS, seed=SEED)
        for name, (algorithm, topology) in parts.items()
    }


@cache
def traces() -> tuple[Trace, ...]:
    """The recorded runs. ValueError if one is damaged."""
    return tuple(read(FOLDER / f"{name}.json", COMMAND) for name in INITIAL_METHODS)


@cache
def answer() -> str:
    """The messages for the board and for each player, as JSON."""
    players: list[str] = [messages.recording(trace, "", EMBEDDED) for trace in traces()]
    averages = [of_embedded(trace.settings) for trace in traces()]
    sent: Recorded = {"board": compare.recording(traces(), averages), "players": players}
    return messages.compact(sent)


def route() -> Route:
    """Where the browser fetches them when the tab is opened, for `launch`."""

    def recorded_comparison(request: Request) -> Response:  # not async, so that it runs in a thread
        return Response(answer(), media_type="application/json")

    return Route(f"/{ADDRESS}", recorded_comparison)
