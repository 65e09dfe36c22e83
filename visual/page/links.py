"""Links with settings in them, `/?method=SpecInfer&seed=3`. The names are those of Settings, and `method` and `prompt`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import ersd
from ersd.rules import RULES
from ersd.settings import BOUNDS, METHODS, TOPOLOGIES

from .looks import BY_PARTS, fallback

NAMES = ("prompt", "method", *ersd.Settings().to_dict())
"""What a link may say; anything else in it belongs to others."""


def settings_in(query: Mapping[str, str], usual: ersd.Settings) -> ersd.Settings:
    """The settings a link asks for; what it leaves out is as in `usual`. ValueError in the words of Settings."""
    values: dict[str, Any] = usual.to_dict()
    if "method" in query:
        if query["method"] not in METHODS:
            raise ValueError(f"method must be one of {', '.join(METHODS)}, got {query['method']!r}")
        values["algorithm"], values["topology"] = METHODS[query["method"]]
    values |= {name: _number(query[name]) if name in BOUNDS else query[name] for name in values if name in query}
    if "topology" not in query and values["algorithm"] in RULES and values["topology"] in TOPOLOGIES:
        values["topology"], _ = fallback(values["algorithm"], values["topology"])
    return ersd.Settings(**values)


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def copying(names: list[str]) -> str:
    """The browser's part: puts a link to method and these fields, as they stand, into the address bar and the clipboard."""
    return f"""async (method, ...values) => {{
      const link = new URL(location.origin + location.pathname);
      const named = method !== {json.dumps(BY_PARTS)};
      if (named) link.searchParams.set("method", method);
      {json.dumps(names)}.forEach((name, i) => {{
        const part = name === "algorithm" || name === "topology";
        const inUse = document.getElementById(name.replaceAll("_", "-"));
        if (inUse && !(named && part) && values[i] != null) link.searchParams.set(name, values[i]);
      }});
      history.replaceState(history.state, "", link);
      try {{
        await navigator.clipboard.writeText(link);
      }} catch {{
        return "See address"; // clipboards are only for pages from a secure address
      }}
      return "Copied";
    }}"""
