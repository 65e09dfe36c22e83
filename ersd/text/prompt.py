"""A prompt as token ids: what the tokenizer gives, or what it gives for the prompt as a user's turn in the chat template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..formatting import quoted, truncated
from ..settings import MAX_CHARACTERS

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_PROBE = "qzqzqzqz"
"""A prompt that no template contains by itself: shows what a template does with the content of a turn."""


def check_prompt(prompt: str) -> None:
    """ValueError unless this is a text that a tokenizer can read."""
    if not isinstance(prompt, str):
        raise ValueError(f"prompt must be some text, got {quoted(prompt)}")
    if len(prompt) > MAX_CHARACTERS:
        raise ValueError(f"prompt must have at most {MAX_CHARACTERS:,} characters, got {len(prompt):,}")
    if not prompt.strip():
        raise ValueError(f"prompt must be some text, got {quoted(prompt)}")
    try:
        prompt.encode()
    except UnicodeEncodeError as error:  # JSON can carry half a character, tokenizers cannot
        raise ValueError(f"prompt must be whole characters, got {prompt[error.start]!a} at {error.start}") from None


def plain_ids(tokenizer: PreTrainedTokenizerBase, prompt: str) -> list[int]:
    """Token ids of a prompt, with the special tokens that the tokenizer adds."""
    _check_tokens(tokenizer, prompt)
    return _ids(tokenizer, prompt, add_special_tokens=True)


def text_ids(tokenizer: PreTrainedTokenizerBase, text: str, is_whole: bool) -> list[int]:
    """Token ids of a text; `is_whole`: with the special tokens that the tokenizer puts before it."""
    return _ids(tokenizer, text, add_special_tokens=is_whole) if text else []


def _check_tokens(tokenizer: PreTrainedTokenizerBase, prompt: str) -> None:
    """ValueError if the tokenizer makes no tokens of the prompt, as of control characters."""
    if not _ids(tokenizer, prompt, add_special_tokens=False):
        raise ValueError(f"prompt must be some text that the tokenizer reads, got {quoted(prompt)}, of which it makes no tokens")


def turn_ids(tokenizer: PreTrainedTokenizerBase, name: str, prompt: str) -> list[int]:
    """Token ids of the prompt as a user's turn, up to where the answer begins, with thinking switched off.

    `name`: of the pair, for the message. ValueError if there is no chat template, or none that takes a single user turn.
    """
    if not getattr(tokenizer, "chat_template", None):
        raise ValueError(f"chat must be false for {name}, whose tokenizer has no chat template")
    _check_tokens(tokenizer, prompt)
    refused = f"chat must be false for {name}, whose chat template"
    as_text, as_parts = (lambda text: text), (lambda text: [{"type": "text", "text": text}])  # of multimodal models
    failure: Exception | None = None
    for content in (as_text, as_parts):
        try:
            if _PROBE not in _rendered(tokenizer, content(_PROBE)):
                continue
            text = _rendered(tokenizer, content(prompt))
        except Exception as error:  # a template is a program of the model's author and may raise anything
            failure = failure or error
            continue
        if prompt.strip() not in text:
            raise ValueError(f"{refused} changes this prompt")
        return _ids(tokenizer, text, add_special_tokens=False)  # the template has written them
    if failure:
        why = truncated(failure) or type(failure).__name__
        raise ValueError(f"{refused} refuses a single user turn: {why}") from failure
    raise ValueError(f"{refused} leaves out the prompt of a user")


def _rendered(tokenizer: PreTrainedTokenizerBase, content: Any) -> str:
    turns = [{"role": "user", "content": content}]
    return str(tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True, enable_thinking=False))


def _ids(tokenizer: PreTrainedTokenizerBase, text: str, add_special_tokens: bool) -> list[int]:
    # the length is compared with the context later, so the tokenizer's own warning would only repeat it
    return list(tokenizer(text, add_special_tokens=add_special_tokens, verbose=False)["input_ids"])
