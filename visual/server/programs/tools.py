"""Tools for agents: `python app.py --mcp` serves them over the Model Context Protocol, which Gradio speaks."""

# annotations are evaluated here: Gradio counts the outputs of a tool by them
import functools
import json
import secrets
import tempfile
from collections import deque
from pathlib import Path
from typing import Any

import gradio as gr

import ersd
from ersd.settings import parts_of
from visual.export import image
from visual.payload.sentences.names import every_method

from ..endpoints import run_endpoint, run_error
from ..gradio_adapter import offer_tools
from ..pairs import Pairs
from ..parameters import Endpoint
from ..queue import RUNS
from ..zero_gpu import RunError
from .answers import comparison_answer, run_answer, step_answer
from .comparison import USUAL_METHODS, public_compare_endpoint

_USUAL = ersd.Settings()
METHOD = "ERSD τ*"
"""The tools' default."""
KEPT_PICTURES = 20
"""More than can be asked for at a time."""


class Pictures:
    """A folder with the latest pictures, at most KEPT_PICTURES."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ersd-tools-")
        self._files: deque[Path] = deque()
        """the oldest first"""

    def add(self, content: bytes) -> Path:
        """The new file of a PNG."""
        file = Path(self._folder.name, f"{secrets.token_hex(8)}.png")
        file.write_bytes(content)
        self._files.append(file)
        if len(self._files) > KEPT_PICTURES:
            self._files.popleft().unlink(missing_ok=True)  # no other call gets the same
        return file


def publish_tools(page: gr.Blocks, pairs: Pairs, address: str) -> None:
    """Add the tools to the page being built; `address`: where people find the page, for links."""
    run, compare = run_endpoint(pairs), public_compare_endpoint(pairs)
    usual, pictures = pairs.names[0], Pictures()

    def traced(prompt: str, method: str, models: str, **fields: float | str) -> ersd.Trace:
        try:
            algorithm, topology = every_method().get(method) or parts_of(method)
        except ValueError as problem:
            raise run_error(problem) from problem
        return ersd.Trace.from_json(run(prompt=prompt, models=models, algorithm=algorithm, topology=topology, **fields))

    def run_speculative_decoding(
        prompt: str, method: str = METHOD, draft_tokens: int = _USUAL.draft_tokens, temperature: float = _USUAL.temperature,
        top_k: int = _USUAL.top_k, top_p: float = _USUAL.top_p, max_new_tokens: int = _USUAL.max_new_tokens, seed: int = _USUAL.seed,
        models: str = usual, source: str = pairs.source(usual),
    ) -> str:  # fmt: skip
        """Generate text by speculative decoding. Gives the text, tokens per target call, accepted tokens, speed, and a link to see it.

        Args:
            prompt: the text to go on with.
            method: how tokens are drafted and verified, such as "ERSD τ*", "SpecInfer", "SpecTr", "block", "standard" or "one by one".
            draft_tokens: drafted tokens per target call.
            temperature: of the sampling; 0 takes the most likely token.
            top_k: sample among this many most likely tokens; 0 for all.
            top_p: sample among the most likely tokens that have this probability together.
            max_new_tokens: length of the text.
            seed: of all random numbers: the same seed gives the same run.
            models: the pair of a target and a draft model.
            source: where guesses come from, such as "model", "ngram" or "exit".
        """
        sampling = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "max_new_tokens": max_new_tokens, "seed": seed}
        return run_answer(traced(prompt, method, models, draft_tokens=draft_tokens, source=source, **sampling), address, models)

    def compare_speculative_methods(
        prompt: str, methods: str = USUAL_METHODS, draft_tokens: str = "", temperature: float = _USUAL.temperature,
        max_new_tokens: int = _USUAL.max_new_tokens, seed: int = _USUAL.seed, models: str = usual, source: str = pairs.source(usual),
    ) -> str:  # fmt: skip
        """Run two or three methods on one prompt and seed, or one with every source of guesses. Says who needed fewest target calls, and
        whether the texts are the same.

        Args:
            prompt: the text to go on with.
            methods: two or three methods, with commas between them; with the source "all" the first of them counts.
            draft_tokens: drafted tokens per target call, one number for each method with commas between them; empty for the default.
            temperature: of the sampling; 0 takes the most likely token.
            max_new_tokens: length of the texts.
            seed: of all random numbers.
            models: the pair of a target and a draft model.
            source: where guesses come from, such as "model", "ngram" or "exit"; "all" compares all sources that the pair has.
        """
        shared = {"temperature": temperature, "max_new_tokens": max_new_tokens, "seed": seed, "source": source}
        result = compare(prompt=prompt, methods=methods, draft_tokens=draft_tokens, models=models, **shared)
        return comparison_answer(json.loads(result), address, models)

    def explain_speculative_step(
        prompt: str, step: int = 1, method: str = METHOD, draft_tokens: int = _USUAL.draft_tokens, temperature: float = _USUAL.temperature,
        max_new_tokens: int = _USUAL.max_new_tokens, seed: int = _USUAL.seed, models: str = usual, picture: str = "",
        source: str = pairs.source(usual),
    ) -> tuple[str, Any]:  # fmt: skip
        """Explain one step of a run: what the draft guessed, and why each token was accepted or rejected. The run is made again.

        Args:
            prompt: the text to go on with.
            step: the number of the step, from 1.
            method: how tokens are drafted and verified.
            draft_tokens: drafted tokens per target call.
            temperature: of the sampling.
            max_new_tokens: length of the text.
            seed: of all random numbers.
            models: the pair of a target and a draft model.
            picture: "tree" or "race" to get it as a PNG too; empty for none.
            source: where guesses come from, such as "model", "ngram" or "exit".
        """
        fields = {"draft_tokens": draft_tokens, "temperature": temperature, "max_new_tokens": max_new_tokens, "seed": seed}
        trace = traced(prompt, method, models, source=source, **fields)
        if not 1 <= step <= len(trace.steps):
            raise RunError(f"step must be the number of a step of this run, 1 to {len(trace.steps)}, got {step}")
        text, _, link = step_answer(trace, step, address, models).rpartition("\n\n")
        return (f"{text}\n\n{link}", drawn(trace, picture, step)) if picture else (text, link)

    def drawn(trace: ersd.Trace, picture: str, step: int) -> dict[str, Any]:
        """A PNG as Gradio hands it on: a file. Only the latest are kept."""
        try:
            content = image(trace, "png", picture, step)
        except (ValueError, RuntimeError) as problem:
            raise RunError(str(problem)) from problem
        file = pictures.add(content)
        return {"path": str(file), "meta": {"_type": "gradio.FileData"}, "orig_name": file.name}

    tools = (run_speculative_decoding, compare_speculative_methods, explain_speculative_step)
    for tool in tools:
        # not in Gradio's queue, which hands on two outputs as one text (Gradio 6.31.0); ours bounds the runs
        gr.api(_plain_errors(RUNS.whole(tool)), api_name=tool.__name__, queue=False)
    offer_tools(page, [tool.__name__ for tool in tools])


def _plain_errors(tool: Endpoint) -> Endpoint:
    """The tool with errors whose text is the message alone; that of `gr.Error` is in quotation marks."""

    @functools.wraps(tool)
    def answer(*values: Any, **named: Any) -> Any:
        try:
            return tool(*values, **named)
        except gr.Error as problem:
            raise ValueError(problem.message) from None

    return answer
