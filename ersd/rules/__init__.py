"""The verification rules, one file each. A new rule is a new file with a `RULE` in it."""

from __future__ import annotations

import importlib
import pkgutil

from .base import Rule, Verdict

_ORDER = ("ersd", "gsd", "gsd_wor", "kseq", "block", "greedy", "lossy", "autoregressive")


def _find() -> dict[str, Rule]:
    found = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    rules: list[Rule] = [module.RULE for module in found if hasattr(module, "RULE")]
    rules.sort(key=lambda rule: (_ORDER.index(rule.name) if rule.name in _ORDER else len(_ORDER), rule.name))
    return {rule.name: rule for rule in rules}


RULES: dict[str, Rule] = _find()
"""name -> rule, the best known first"""

ALGORITHMS: dict[str, str] = {name: rule.description for name, rule in RULES.items()}
"""name -> short description"""

__all__ = ["ALGORITHMS", "RULES", "Rule", "Verdict"]
