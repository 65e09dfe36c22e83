"""The parameters of a run, declared once: those of `/generate` and `/run`, and in the same order the values of the page's controls."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ersd.settings import Settings

Endpoint = Callable[..., Any]

FIELDS: tuple[str, ...] = tuple(field.name for field in dataclasses.fields(Settings))
"""The fields of Settings."""

_AFTER_SEED = FIELDS.index("seed") + 1
NAMES: tuple[str, ...] = ("prompt", *FIELDS[:_AFTER_SEED], "models", *FIELDS[_AFTER_SEED:])
"""All parameters. Newer fields follow `models`, so that clients that pass values by position keep working."""


def plain_values(settings: Settings) -> dict[str, Any]:
    """The fields as a control shows them and a client sends them: the branching as text, "4,2,1,1"."""
    return {**settings.to_dict(), "branching": ",".join(map(str, settings.branching))}


@dataclass(frozen=True)
class RunRequest:
    """A run as requested; nothing in it has been checked."""

    prompt: str
    models: str
    fields: dict[str, Any]

    def settings(self) -> Settings:
        """The settings; ValueError from Settings if a field is invalid."""
        return Settings(**self.fields)


class Parameters:
    """The parameters of an endpoint, the prompt and others with defaults, as a signature from which Gradio reads them."""

    def __init__(self, defaults: Mapping[str, Any]) -> None:
        """`defaults`: of all but the prompt, in their order; their types are those of the parameters."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        optional = [inspect.Parameter(name, kind, default=value, annotation=type(value)) for name, value in defaults.items()]
        self._signature = inspect.Signature([inspect.Parameter("prompt", kind, annotation=str), *optional], return_annotation=str)

    def values(self, *values: Any, **named: Any) -> dict[str, Any]:
        """A value for every parameter: of these arguments, else the default."""
        call = self._signature.bind(*values, **named)
        call.apply_defaults()
        return dict(call.arguments)

    def declare(self, endpoint: Endpoint) -> Endpoint:
        """Give a function `(*values, **named)` these parameters and the result type str."""
        annotations = {name: parameter.annotation for name, parameter in self._signature.parameters.items()}
        endpoint.__annotations__ = {**annotations, "return": str}
        endpoint.__signature__ = self._signature  # type: ignore[attr-defined]
        return endpoint


class RunParameters(Parameters):
    """The parameters of a run."""

    def __init__(self, models: str) -> None:
        """`models`: the default pair."""
        defaults = {**plain_values(Settings()), "models": models}
        super().__init__({name: defaults[name] for name in NAMES if name != "prompt"})

    def request(self, *values: Any, **named: Any) -> RunRequest:
        """The request made by these arguments and the defaults."""
        given = self.values(*values, **named)
        return RunRequest(given["prompt"], given["models"], {name: given[name] for name in FIELDS})
