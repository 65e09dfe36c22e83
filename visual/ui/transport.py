"""The buttons that go through a run, and its speed: of a player and of the board of the Compare tab."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from visual.server.static_files import WEB

_TEMPLATE = Template((WEB / "page" / "transport.html").read_text(encoding="utf-8"))
_FRACTIONS = {0.25: "¼", 0.5: "½"}


def transport(one: str, all_of_them: str, speeds: Sequence[float], usual: float) -> str:
    """The HTML; `one`: what the buttons go to, `all_of_them`: what they go through, `usual`: the speed at first."""

    def option(speed: float) -> str:
        words = _FRACTIONS.get(speed, f"{speed:g}")
        return f'<option value="{speed:g}"{" selected" if speed == usual else ""}>{words}×</option>'

    return _TEMPLATE.substitute({"one": one, "all": all_of_them, "speeds": "".join(map(option, speeds))})
