"""Trace: what a whole run did, as plain data."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, with_config

from ..costs import Costs
from ..settings import Settings
from .field_types import Int64, Items
from .step import Step

VERSION, OLDEST_VERSION = 3, 2
"""3: a step says when its draft calls and its target call began and ended. Traces of version 2 are read, without these times."""


@dataclass(frozen=True)
class RankSequence:
    """The ranks along a text, and all else that the steps of another static tree on it depend on."""

    ranks: Items[Int64]
    """of every new token, from 1; -n for one that the draft never reaches because it reaches n tokens only"""
    room: Int64
    """the most new tokens there could have been: max_new_tokens, or less where the context ends; no tree is deeper than what is left"""
    prior: Items[float]
    """the hazards that the rank distribution of the run began with, as `RankDistribution.prior`"""
    prior_visits: Int64


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True)
class Trace:
    """A whole run."""

    prompt: str
    settings: Settings
    models: dict[str, str]
    """names of the target and the draft"""
    text: str
    """the new text, without the prompt and without special tokens"""
    token_ids: Items[Int64]
    """new tokens only, the end-of-text token included"""
    steps: Items[Step]
    stopped: str
    """why it ended: `end of text`, `max_new_tokens`, `end of context`, or `interrupted` by the caller"""
    ranks: RankSequence | None = None
    """ERSD, if requested (`rerun.RankRecorder`): what the steps of other trees on this text depend on"""
    costs: Costs | None = None
    """what the calls of the pair took on the machine of the run, where they were measured there (`ModelPair.costs`)"""
    made_with: dict[str, str] = field(default_factory=dict)
    """what the text depends on beside the settings (`ModelPair.made_with`); empty where it was not recorded"""

    @property
    def stats(self) -> dict[str, Any]:
        """`Statistics.to_dict` over all steps."""
        from .statistics import statistics  # late: counting needs this module

        return statistics(self.steps).to_dict()

    def to_json(self) -> str:
        """Versioned JSON; `from_json` gives back an equal trace."""
        data = {"version": VERSION, **dataclasses.asdict(dataclasses.replace(self, steps=[]))}
        data["steps"] = [step.to_dict() for step in self.steps]
        if not self.made_with:
            del data["made_with"]  # as in traces from before there was such a field
        if data["costs"] and data["costs"]["wider_ms"] is None:
            del data["costs"]["wider_ms"]
        if data["costs"] and data["costs"]["source"] == "model":
            del data["costs"]["source"]
        if data["costs"] and not data["costs"]["layers"]:
            del data["costs"]["exit"], data["costs"]["layers"]
        return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def save(self, path: str | Path, picture: str | None = None, step: int | None = None, theme: str | None = None) -> None:
        """Write it to a `.json` file, to a `.html` file that plays it in any browser, offline, or a picture to a `.svg` or `.png` file.

        Args:
            path: its ending says what is written; ValueError for any other.
            picture: of an image: `tree` (the default) or `race`.
            step: of an image: number of the step, from 1; by default the one that shows most, at which the page opens too.
            theme: of an image: `light` (the default) or `dark`.

        Images need the package choreographer and Chrome or Chromium; ValueError where they are missing.
        """
        from .files import save_trace

        save_trace(self, path, picture=picture, step=step, theme=theme)

    def _repr_html_(self) -> str | None:
        """Itself in a notebook, playable; None, so that the notebook prints it as text, where the package `visual` is missing."""
        from .files import frame_of

        try:
            return frame_of(self)
        except ValueError:
            return None

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The trace of `to_json`; ValueError naming the field if the text is not a trace of this version, or its parts do not fit."""
        from .reader import read_trace  # late: the reader needs this module

        return read_trace(text)
