"""Clocks keyed by context: the clocks after a token depend on the tokens before it, not on its position (`Settings.keys`).

So a copy of a text with a word inserted still has the clocks of the original after a few tokens. A context that was seen before in the
run, prompt included, takes the clocks of its position: to use the same clocks twice would make the text repeat itself, and its
distribution would no longer be the target's.
"""

from __future__ import annotations

from collections.abc import Sequence

from .draft_tree import DraftTree
from .randomness import Noise, context_key

CONTEXT = 4
"""Tokens of a context: few, so that a copy is recognised soon after a change; enough, so that contexts seldom repeat."""


class Contexts:
    """The contexts of one text so far."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.text: list[int] = []
        self._seen: set[tuple[int, ...]] = set()
        """the contexts of every position of the text"""

    def follow(self, text: Sequence[int]) -> None:
        """Go on to this text, which begins with the text so far."""
        for end in range(max(CONTEXT, len(self.text)), len(text)):
            self._seen.add(tuple(text[end - CONTEXT : end]))
        self.text = list(text)

    def key(self, path: Sequence[int] = ()) -> int | None:
        """The key of the clocks after the text and `path`; None: those of the position."""
        if len(self.text) + len(path) < CONTEXT:
            return None
        tokens = [*self.text[len(self.text) - CONTEXT :], *path] if len(self.text) >= CONTEXT else [*self.text, *path]
        windows = [tuple(tokens[end - CONTEXT : end]) for end in range(CONTEXT, len(tokens) + 1)]
        *earlier, context = windows
        return None if context in self._seen or context in earlier else context_key(context)

    def noise(self, path: Sequence[int] = ()) -> Noise:
        """The randomness after the text and `path`; only its clocks depend on the context."""
        return Noise(self.seed, len(self.text) + len(path), self.key(path))

    def after(self, tree: DraftTree, node: int) -> Noise:
        """The randomness after a node of a tree that continues the text."""
        return self.noise(tree.path_tokens(node))


def noise_after(tree: DraftTree, node: int, seed: int, position: int, contexts: Contexts | None = None) -> Noise:
    """The randomness after a node, the same for drafting and for the walk. All nodes of a level share it, unless there are contexts.

    Args:
        position: that of the root's children.
        contexts: of the text, where clocks are keyed by context.
    """
    if not contexts:
        depth = tree.depth(node)
        return tree.noise.setdefault(depth, Noise(seed, position + depth))
    if node not in tree.noise:
        tree.noise[node] = contexts.after(tree, node)
    return tree.noise[node]
