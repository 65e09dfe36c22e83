"""The controls of a run. Bounds and help come from `ersd.settings`; what is allowed is checked there too, in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

import ersd
from ersd.settings import HELP

from .looks import BY_PARTS, field_words, looks, method_of, topology_name

PROMPT = "Once upon a time there was a little girl named"


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
    branching: gr.Textbox
    sequences: gr.Number
    leniency: gr.Number
    preview: gr.HTML
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
            self.seed, self.models, self.branching, self.sequences, self.leniency,
        ]  # fmt: skip


def controls(models: list[str], settings: ersd.Settings, preview: Callable[..., str]) -> Controls:
    """Builds the controls inside the current Blocks.

    Args:
        models: the names of the pairs offered.
        settings: the first values.
        preview: the text of the preview, from the fields of Settings and `models`.
    """
    look = looks(settings.algorithm, settings.topology)
    prompt = gr.Textbox(PROMPT, label="Prompt", lines=2, max_lines=5, elem_id="prompt", info="the text both models continue")
    method = choice(
        [*ersd.METHODS, BY_PARTS], value=method_of(settings.algorithm, settings.topology), label="Method", elem_id="method",
        info="a published method by its name: an algorithm and a draft tree; or any two of them, by parts",
    )  # fmt: skip
    with gr.Column(elem_classes="parts", min_width=0):
        algorithm = choice(
            [(f"{name} · {words.split(':')[0]}", name) for name, words in ersd.ALGORITHMS.items()],
            value=settings.algorithm, label="Algorithm", elem_id="algorithm", info=HELP["algorithm"],
        )  # fmt: skip
        topology = choice(
            [(topology_name(name), name) for name in ersd.TOPOLOGIES], value=settings.topology, label="Draft tree", elem_id="topology",
            **look["topology"],
        )  # fmt: skip
        with gr.Row(elem_classes="fields"):
            draft_tokens = _field(settings, "draft_tokens", "Drafted tokens", 1, look)
            branching = gr.Textbox(
                written(settings.branching), label="Branching", elem_id="branching", info=field_words("branching"), min_width=60,
                max_lines=1, **look["branching"],
            )  # fmt: skip
            sequences = _field(settings, "sequences", "Sequences", 1, look)
            leniency = _field(settings, "leniency", "Leniency (biased)", 0.05, look)
        picture = gr.HTML(preview(models=models[0], **settings.to_dict()), elem_id="preview", apply_default_css=False, padding=False)
    with gr.Row(elem_classes="fields"):
        max_new_tokens = _field(settings, "max_new_tokens", "Length", 1)
        seed = _field(settings, "seed", "Seed", 1)
    with gr.Row(elem_classes="fields"):
        temperature = _field(settings, "temperature", "Temperature", 0.1)
        top_k = _field(settings, "top_k", "Top-k", 1)
        top_p = _field(settings, "top_p", "Top-p", 0.05)
    pair = choice(models, value=models[0], label="Models", elem_id="models", info="target ← draft")
    return Controls(
        prompt, method, algorithm, topology, draft_tokens, unchecked(branching), sequences, leniency, picture, temperature, top_k, top_p,
        max_new_tokens, seed, pair,
    )  # fmt: skip


def _field(settings: ersd.Settings, name: str, label: str, step: float, look: dict[str, dict[str, Any]] | None = None) -> gr.Number:
    properties = {"info": field_words(name), **(look or {}).get(name, {})}
    return unchecked(gr.Number(getattr(settings, name), label=label, step=step, elem_id=name.replace("_", "-"), min_width=60, **properties))


def written(branching: tuple[int, ...]) -> str:
    """A branching as the field shows it, "4,2,1,1"."""
    return ",".join(map(str, branching))
