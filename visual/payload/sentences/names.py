"""Names of methods, trees, runs and controls, which settings a run depends on, and error messages that name the control."""

from __future__ import annotations

from itertools import product

from ersd.drafts.topologies import TOPOLOGIES, TREES, is_allowed
from ersd.rules.registry import TRAITS
from ersd.settings import ALGORITHMS, METHODS, Settings

from .exactness import is_certain

BY_PARTS = "by parts"
"""Name in the menu of a method that the literature has no name for."""

METHOD_LABELS: dict[str, str] = {
    "ERSD τ*": "ERSD on a τ* tree",
    "ERSD sequence": "ERSD on a sequence",
    "ERSD batch": "ERSD on a batch tree",
    "standard": "Standard sequence",
    "block": "Block verification",
    "SpecInfer": "SpecInfer",
    "RSD": "RSD (without replacement)",
    "SpecTr": "SpecTr (K-SEQ)",
    "Yin batch": "Yin et al., a batch",
    "one by one": "No draft",
    "SpecHub": "SpecHub (wild card)",
    "half race": "Half a race",
    "ERSD laps": "ERSD in laps (MPFR)",
    "traversal": "Leaves first (traversal)",
    BY_PARTS: "Custom",
}
"""Named method -> its label, the same everywhere on the page. Links and the command line use the names."""
NEWER = ("SpecHub", "half race", "ERSD laps", "traversal")
"""Named methods that come after those everybody knows."""
_ALGORITHM_LABELS = {
    "ersd": "ERSD (shared races)",
    "gsd": "Coins",
    "gsd_wor": "Coins without replacement",
    "kseq": "K-SEQ",
    "block": "Block verification",
    "greedy": "Greedy",
    "lossy": "Lenient coins",
    "autoregressive": "No draft",
    "spechub": "SpecHub",
    "half_race": "Half a race",
    "traversal": "Leaves first",
    "traversal_wor": "Leaves first without replacement",
}
_TOPOLOGY_LABELS = {
    "sequence": "one sequence",
    "batch": "batch tree",
    "multi_sequence": "several sequences",
    "specinfer": "SpecInfer tree",
    "tau_star": "τ* tree",
    "dynamic": "dynamic tree",
    "poisson": "tree of laps",
}
SOURCE_LABELS = {
    "model": "the draft model",
    "ngram": "n-grams (no model)",
    "exit": "the target’s first layers",
    "frequent": "frequent tokens",
    "foreign": "another tokenizer",
    "routed": "the best source so far",
}
_SHORT = {
    "model": "draft model",
    "exit": "first layers",
    "routed": "best so far",
}
"""The source where there is little room, if that is another name: at a strip, and beside a method's name unless it is a draft model."""
DRAWN_FROM = {
    "model": "the draft model’s own, with the same temperature, top-k and top-p",
    "ngram": "the counts of what followed, divided by their sum; they change between steps only",
    "exit": "the target’s head on its first layers; the map between them changes between steps only",
    "frequent": "the draft model’s, given that the token is one of the frequent ones, a list made before the run",
    "foreign": "the other draft’s, given that the token is one that the target has too",
    "routed": "that of the source chosen; the choice follows from earlier steps alone",
}
"""The distribution that a source's guesses are drawn from, and why no guess changes it: coins are exact with such guesses alone."""
_TOPOLOGIES_IN_LINKS = {"tau_star": "τ* tree", "multi_sequence": "multi-sequence", "specinfer": "SpecInfer tree"}

LABELS: dict[str, str] = {
    "prompt": "Prompt",
    "method": "Method",
    "algorithm": "Algorithm",
    "topology": "Draft tree",
    "draft_tokens": "Drafted tokens",
    "branching": "Branching",
    "sequences": "Sequences",
    "leniency": "Leniency (biased)",
    "max_new_tokens": "Length",
    "seed": "Seed",
    "temperature": "Temperature",
    "top_k": "Top-k",
    "top_p": "Top-p",
    "models": "Models",
    "chat": "Chat template",
    "source": "Guesses from",
    "keys": "Clocks depend on",
    "price": "Price",
    "frequent_tokens": "Frequent tokens, V′",
}
"""Field -> label."""


def method_of(algorithm: str, topology: str) -> str:
    """The named method of these parts, or "by parts"."""
    for name, parts in METHODS.items():
        if parts == (algorithm, topology) or (parts[0] == algorithm and not TRAITS[algorithm].drafts):
            return name
    return BY_PARTS


def algorithm_name(algorithm: str) -> str:
    """The algorithm's label."""
    return _ALGORITHM_LABELS.get(algorithm, algorithm)


def topology_name(topology: str) -> str:
    """The draft tree's label."""
    return _TOPOLOGY_LABELS.get(topology, topology)


def full_name(algorithm: str, topology: str) -> str:
    """The method's name in links, or its parts if it has none: `greedy + τ* tree`."""
    method = method_of(algorithm, topology)
    return f"{algorithm} + {_TOPOLOGIES_IN_LINKS.get(topology, topology)}" if method == BY_PARTS else method


def method_label(algorithm: str, topology: str) -> str:
    """The method's label, or its parts if it has no name: `Greedy on a τ* tree`."""
    method = method_of(algorithm, topology)
    if method != BY_PARTS:
        return METHOD_LABELS[method]
    article = "" if topology in ("sequence", "multi_sequence") else "a "
    return f"{algorithm_name(algorithm).removesuffix(' (shared races)')} on {article}{topology_name(topology)}"


def every_method() -> dict[str, tuple[str, str]]:
    """All methods: full name -> (algorithm, topology), those of the literature first."""
    by_parts = {full_name(*parts): parts for parts in product(ALGORITHMS, TOPOLOGIES) if is_allowed(*parts)}
    return {**METHODS, **{name: parts for name, parts in by_parts.items() if name not in METHODS}}


def menu_label(name: str) -> str:
    """A named method as a menu shows it: `Newer: SpecHub (wild card)`."""
    return f"Newer: {METHOD_LABELS[name]}" if name in NEWER else METHOD_LABELS[name]


def method_choices() -> list[tuple[str, str]]:
    """All methods as the choices of a menu: label and name."""
    every = every_method().items()
    return [(menu_label(name) if name in METHODS else method_label(*parts), name) for name, parts in every]


def run_name(settings: Settings) -> str:
    """Method, k and seed of a run: `ERSD on a τ* tree · k = 16 · seed 7`."""
    return " · ".join([tree_name(settings), f"seed {settings.seed}"])


def tree_name(settings: Settings) -> str:
    """Method and k of a run: `ERSD on a τ* tree · k = 16`."""
    method = method_label(settings.algorithm, settings.topology)
    # i.i.d. draws at one node may coincide, and are one token then; where one token is possible, there is no second to draw
    has_siblings = settings.levels is None or max(settings.levels) > 1
    is_one_of_equals = TRAITS[settings.algorithm].with_replacement or is_certain(settings)
    may_coincide = TREES[settings.topology].in_laps or (has_siblings and is_one_of_equals)
    k = f" · k {'≤' if may_coincide else '='} {settings.vertices}" if settings.vertices else ""
    return f"{method}{k}{guesses_from(settings)}"


def source_name(source: str) -> str:
    """The source inside a sentence: `n-grams`."""
    return SOURCE_LABELS[source].split(" (")[0]


def short_source(source: str) -> str:
    """The source in as few words as possible: `first layers`."""
    return _SHORT.get(source, source_name(source))


def guesses_from(settings: Settings) -> str:
    """What is added to a method's name if its guesses do not come from a draft model."""
    return f" · {short_source(settings.source)}" if settings.vertices and settings.source != "model" else ""


def used(settings: Settings) -> list[str]:
    """The fields of Settings that a run depends on."""
    traits = TRAITS[settings.algorithm]
    tree = TREES[settings.topology].fields if traits.drafts else ()
    given = {
        "topology": traits.drafts,
        "source": traits.drafts,
        **{name: name in tree for name in ("draft_tokens", "branching", "sequences", "price")},
        "leniency": not traits.lossless,
        **dict.fromkeys(("temperature", "top_k", "top_p"), traits.uses_sampling),
        "seed": traits.uses_sampling,
        "keys": traits.has_clocks,
        "frequent_tokens": traits.drafts and settings.source == "frequent",
    }
    return [name for name in settings.to_dict() if given.get(name, True)]


def field_of(message: str) -> str:
    """The field that an error of Settings is about, which it names first; empty if it names none."""
    first = message.split(" ", 1)[0]
    return first if first in LABELS else ""


def in_labels(message: str) -> str:
    """An error of Settings with the control's label in place of the field's name."""
    field = field_of(message)
    return LABELS[field] + message.removeprefix(field) if field else message
