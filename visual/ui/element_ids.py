"""The ids of the elements of one workbench. A prefix keeps those of several on one page apart."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ElementIds:
    """Ids by the names of components: `draft_tokens` is `draft-tokens`, or `second-draft-tokens` with the prefix `second-`."""

    prefix: str = ""

    def of(self, name: str) -> str:
        """The id of a component."""
        return self.prefix + name.replace("_", "-")

    @property
    def tab(self) -> str:
        """What links call the workbench, `?tab=second`; without a prefix it is the Generate tab."""
        return self.prefix.rstrip("-") or "generate"
