"""The training text: stories, the tokenizer trained on them, and rows of tokens for a model."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

END = "<|endoftext|>"
UNKNOWN = "<unk>"
CONTEXT = 256


def read_stories(paths: list[Path]) -> list[str]:
    """The stories of the files, in order, without the separators."""
    stories = [story.strip() for path in paths for story in path.read_text().split(END)]
    return [story for story in stories if story]


def train_tokenizer(stories: list[str], vocab_size: int) -> PreTrainedTokenizerFast:
    """Byte-level BPE whose token 0 is `<|endoftext|>`, prepended to every text as its beginning."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=[END], initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(stories, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{END} $A", special_tokens=[(END, 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=END, eos_token=END, model_max_length=CONTEXT)


def train_foreign_tokenizer(stories: list[str], vocab_size: int) -> PreTrainedTokenizerFast:
    """A tokenizer of another family, for a draft that does not share the target's: a unigram model that writes a space as "▁"."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="never")
    trainer = trainers.UnigramTrainer(vocab_size=vocab_size, special_tokens=[END, UNKNOWN], unk_token=UNKNOWN, show_progress=False)
    tokenizer.train_from_iterator(stories, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"{END} $A", special_tokens=[(END, 0)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=END, eos_token=END, unk_token=UNKNOWN, model_max_length=CONTEXT)


def encode(tokenizer: PreTrainedTokenizerBase, stories: list[str]) -> list[torch.Tensor]:
    """One int64 tensor a story, beginning with token 0, which is also the end of the story before it."""
    return [torch.tensor(ids) for ids in tokenizer(stories)["input_ids"]]


def shuffled(stories: list[torch.Tensor], generator: torch.Generator) -> torch.Tensor:
    """The stories in another order, as rows [n, CONTEXT + 1]."""
    return windows([stories[i] for i in torch.randperm(len(stories), generator=generator).tolist()])


def windows(stories: list[torch.Tensor]) -> torch.Tensor:
    """The stories joined and cut into rows [n, CONTEXT + 1] that overlap by one token, the remainder dropped."""
    stream = torch.cat(stories)
    return stream[: (len(stream) - 1) // CONTEXT * CONTEXT + 1].unfold(0, CONTEXT + 1, CONTEXT)
