"""Values that break careless code, and how a refusal of them is read."""

from __future__ import annotations

from hypothesis import strategies as st

TRICKY = [
    0, 1, -1, 2**53, 10**400, -(10**400), 0.5, 1e308, float("nan"), float("inf"), -float("inf"), True, None, "", " ", "4", "9" * 5000, "²",
    "\x00\x1b[2J", "😀", "\ud800", "\u202eabc", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', [], [1] * 5000, {}, b"x",
    "ersd", "gsd", "dynamic", "sequence", (2, 1), [2, 1.5], [[1]], {"path": "x"}, "4,2", ",", "1," * 100, object,
]  # fmt: skip
anything = st.one_of(st.sampled_from(TRICKY), st.integers(), st.floats(), st.text(max_size=20), st.lists(st.integers(-5, 300), max_size=20))
LONGEST = 700
"""Characters of the longest message."""


def refusal(attempt) -> str:
    """The message of the ValueError that a call raises; empty if it raises none."""
    try:
        attempt()
    except ValueError as error:
        return str(error)
    return ""
