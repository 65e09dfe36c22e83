"""Types of a trace's fields, as its reader checks them."""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import FailFast, Field

Int64 = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""A whole number as tensors hold it; the reader refuses larger ones."""
T = TypeVar("T")
Items = Annotated[list[T], FailFast()]
"""A list of which the reader reports the first wrong item: to report millions takes gigabytes."""
