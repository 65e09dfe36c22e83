"""The controls of a run. Bounds and help come from `ersd.settings`; what is allowed is checked there too, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradio as gr

import ersd
from ersd.settings import ALLOWED, HELP

PROMPT = "Once upon a time there was a little girl named"
BY_PARTS = "by parts"
NO_DRAFT = "autoregressive"
"""Without a draft, the tree's settings do not matter."""

_TOPOLOGY_NAMES = {"tau_star": "τ* tree", "multi_sequence": "multi-sequence", "specinfer": "SpecInfer tree"}


def unchecked(component: Any) -> Any:
    """The component without Gradio's own check of its value: the engine checks, so a wrong value is told in the same words everywhere."""
    component.preprocess = lambda payload: payload
    return component


def choice(*arguments: Any, **more: Any) -> gr.Dropdown:
    """A dropdown whose value the engine checks."""
    return unchecked(gr.Dropdown(*arguments, **more))


@dataclass(frozen=True)
class Controls:
    """The components, named as in Settings."""

    prompt: gr.Textbox
    method: gr.Dropdown
    algorithm: gr.Dropdown
    topology: gr.Dropdown
    draft_tokens: gr.Number
    temperature: gr.Number
    top_k: gr.Number
    top_p: gr.Number
    max_new_tokens: gr.Number
    seed: gr.Number
    models: gr.Dropdown

    @property
    def inputs(self) -> list[Any]:
        """In the order of the endpoints' parameters."""
        return [
            self.prompt, self.algorithm, self.topology, self.draft_tokens, self.temperature, self.top_k, self.top_p, self.max_new_tokens,
            self.seed, self.models,
        ]  # fmt: skip


def controls(models: list[str], settings: ersd.Settings) -> Controls:
    """Builds the controls inside the current Blocks and ties method, algorithm and topology together."""
    prompt = gr.Textbox(PROMPT, label="Prompt", lines=2, max_lines=5, elem_id="prompt", info="the text both models continue")
    method = choice(
        [*ersd.METHODS, BY_PARTS], value=method_of(settings.algorithm, settings.topology), label="Method", elem_id="method",
        info="a published method by its name: a rule and a tree",
    )  # fmt: skip
    algorithm = choice(
        [(f"{name} · {words.split(':')[0]}", name) for name, words in ersd.ALGORITHMS.items()],
        value=settings.algorithm, label="Algorithm", elem_id="algorithm", info=HELP["algorithm"],
    )  # fmt: skip
    topology = choice(
        [(_TOPOLOGY_NAMES.get(name, name.replace("_", " ")), name) for name in ersd.TOPOLOGIES],
        value=settings.topology, label="Draft tree", elem_id="topology", info=HELP["topology"],
    )  # fmt: skip
    with gr.Row(elem_classes="pair-of-fields"):
        draft_tokens = _field(settings, "draft_tokens", "Drafted tokens", 1)
        max_new_tokens = _field(settings, "max_new_tokens", "Length", 1)
    with gr.Row(elem_classes="pair-of-fields"):
        temperature = _field(settings, "temperature", "Temperature", 0.1)
        seed = _field(settings, "seed", "Seed", 1)
    with gr.Row(elem_classes="pair-of-fields"):
        top_k = _field(settings, "top_k", "Top-k", 1)
        top_p = _field(settings, "top_p", "Top-p", 0.05)
    pair = choice(models, value=models[0], label="Models", elem_id="models", info="target ← draft")
    made = Controls(prompt, method, algorithm, topology, draft_tokens, temperature, top_k, top_p, max_new_tokens, seed, pair)
    _tie(made)
    return made


def _field(settings: ersd.Settings, name: str, label: str, step: float) -> gr.Number:
    words = f"{HELP[name]}: {ALLOWED[name]}"
    number = gr.Number(getattr(settings, name), label=label, step=step, elem_id=name.replace("_", "-"), info=words, min_width=90)
    return unchecked(number)


def method_of(algorithm: str, topology: str) -> str:
    """The named method of these parts, or "by parts"."""
    for name, parts in ersd.METHODS.items():
        if parts == (algorithm, topology) or (algorithm == NO_DRAFT and parts[0] == NO_DRAFT):
            return name
    return BY_PARTS


def _tie(made: Controls) -> None:
    quiet: dict[str, Any] = {"show_progress": "hidden", "queue": False, "api_visibility": "private"}

    def by_method(name: str, algorithm: str, topology: str) -> list[Any]:
        algorithm, topology = ersd.METHODS.get(name, (algorithm, topology))
        return [algorithm, *_tree_fields(algorithm, topology)]

    def by_parts(algorithm: str, topology: str) -> list[Any]:
        return [method_of(algorithm, topology), *_tree_fields(algorithm, topology)]

    made.method.input(
        by_method, [made.method, made.algorithm, made.topology], [made.algorithm, made.topology, made.draft_tokens], **quiet
    )  # fmt: skip
    for part in (made.algorithm, made.topology):
        part.input(by_parts, [made.algorithm, made.topology], [made.method, made.topology, made.draft_tokens], **quiet)


def _tree_fields(algorithm: str, topology: str) -> list[Any]:
    """Draft tree and drafted tokens: greyed out where nothing is drafted."""
    drafts = algorithm != NO_DRAFT
    return [gr.update(value=topology, interactive=drafts), gr.update(interactive=drafts)]
