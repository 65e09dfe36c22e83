"""The recorded runs of the assets."""

from __future__ import annotations

from pathlib import Path

from ersd.trace.model import Trace

RECORDED = Path(__file__).resolve().parent.parent.parent / "assets" / "recorded"


def read(path: Path, command: str) -> Trace:
    """A recorded run. ValueError if it is damaged; `command` records it again."""
    try:
        return Trace.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        how = f"restore it with git checkout, or record it again with {command}"
        raise ValueError(f"{path} is damaged, or of another version: {how}") from None
