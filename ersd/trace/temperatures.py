"""What the race at a visited node would be at other temperatures, as plain data. Importing it does not import torch."""

from __future__ import annotations

from dataclasses import dataclass

from ..drafts.topologies import TREES
from ..rules.registry import TRAITS
from ..settings import Settings
from .field_types import Int64, Items

TEMPERATURES: tuple[float, ...] = tuple(tenths / 10 for tenths in range(1, 21))
"""0.1 to 2.0 in tenths: where a race can be redrawn."""


@dataclass(frozen=True)
class OtherTemperatures:
    """What a race needs at each of TEMPERATURES in place of the run's own, T.

    A probability there is p^(T/t) over the sum of these powers, and the clocks stay. So the order of arrival depends on the token's own p
    and clock alone: tokens that are first at one of the temperatures are in `Visit.rows` or here, and no other token is.
    """

    tokens: Items[Int64]
    """those that `Visit.rows` does not list; the next four have one entry for each"""
    texts: Items[str]
    p: Items[float]
    """at the run's own temperature, as in `Row`"""
    q: Items[float]
    """empty where the draft was not run"""
    clocks: Items[float]
    ranks: Int64
    """how many first arrivals of the draft are listed at every temperature; of the target it is the first one"""
    log_p_sums: Items[float]
    """by temperature: the logarithm of the sum of all tokens' p^(T/t)"""
    log_q_sums: Items[float]
    """empty where the draft was not run"""


def is_recorded_for(settings: Settings) -> bool:
    """Whether visits of such a run record other temperatures: races with all tokens in them, in trees whose shape stays the same.

    Below the lowest of TEMPERATURES probabilities that matter at the others are rounded to 0.
    """
    is_cut = settings.top_k > 0 or settings.top_p < 1
    is_shaped_by_clocks = TREES[settings.topology].while_drafting
    return TRAITS[settings.algorithm].shares_clocks and settings.temperature >= TEMPERATURES[0] and not is_cut and not is_shaped_by_clocks
