"""Measure the embedded pair and write its model card; no figure in the card is typed in.

python -m assets.describe_pair --valid v.txt --pair assets/pair
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

import torch
from transformers import PreTrainedModel

import ersd
from assets.distillation import OVERLAP
from assets.stories import encode, read_stories, windows
from assets.train_pair import FOREIGN_VOCAB_SIZE
from ersd.draft_tree import ROOT
from ersd.machine import now_ms
from ersd.models.pair import ModelPair
from ersd.models.target import LoadedModel
from ersd.models.transformers_cache import TransformersCache
from ersd.sampling import entropy
from ersd.theory import race_match

PROMPT = "Once upon a time there was a"


def models_of(pair: ModelPair) -> tuple[PreTrainedModel, PreTrainedModel]:
    """Target and draft, as transformers runs them."""
    assert isinstance(pair.target, LoadedModel)
    assert isinstance(pair.draft, LoadedModel)
    return pair.target.model, pair.draft.model


@torch.inference_mode()
def agreement(pair: ModelPair, rows: torch.Tensor) -> dict[str, float]:
    """Loss of both models, E sum min(p, q), first-arrival match and the target's entropy, over the validation rows at temperature 1."""
    models = models_of(pair)
    losses: dict[str, list[float]] = {"target": [], "draft": []}
    overlap, match, uncertainty = [], [], []
    for i, row in enumerate(rows):
        p, q = (model(input_ids=row[None, :-1]).logits[0].double().softmax(-1) for model in models)
        for name, probs in (("target", p), ("draft", q)):
            losses[name].append(-probs.gather(-1, row[1:, None]).log().mean().item())
        overlap.append(torch.minimum(p, q).sum(-1).mean().item())
        uncertainty.append(entropy(p).mean().item())
        if i % 20 == 0:
            match += [race_match(a, b) for a, b in zip(p[::8], q[::8], strict=True)]
    figures = {f"{name}_loss": statistics.fmean(values) for name, values in losses.items()}
    return figures | {"overlap": statistics.fmean(overlap), "match": statistics.fmean(match), "entropy": statistics.fmean(uncertainty)}


def forward_ms(model: PreTrainedModel, vertices: int) -> float:
    """Median milliseconds of the model's own forward pass of `vertices` tokens after 100 cached ones."""
    cache, started, times = TransformersCache(model), [0.0], []
    cache.prefill([5] * 100)
    hooks = [
        model.register_forward_pre_hook(lambda *_: started.append(now_ms())),
        model.register_forward_hook(lambda *_: times.append(now_ms() - started[-1])),
    ]
    for _ in range(150):
        cache.extend([7] * vertices, [ROOT] * vertices)
        cache.commit([])
    for hook in hooks:
        hook.remove()
    return statistics.median(times)


TRAIN = "torchrun --nproc-per-node 2 -m assets.train_pair"
ROWS = 4096
"""Rows of text that the shipped draft was distilled on."""
COMMANDS = (
    f"{TRAIN} half --text TEXT --valid VALID --out A --epochs 4",
    f"{TRAIN} half --text TEXT --valid VALID --out B --seed 1 --tokenizer A/half --epochs 2.6 --minutes 56",
    "python -m assets.joining A/half B/half --text TEXT --out JOINED",
    f"{TRAIN} target --text TEXT --valid VALID --out OUT --initial JOINED --halves A/half B/half --lr 5e-4 --minutes 13 --seed 2",
    f"{TRAIN} draft --text TEXT --valid VALID --out OUT --initial DRAFT --text-rows {ROWS} --sampled-rows 0 --epochs 4 --lr 2e-3 --seed 3",
    "python -m assets.train_pair foreign --text TEXT --valid VALID --out FIRST --epochs 100 --minutes 23",
    "python -m assets.train_pair foreign --text TEXT --valid VALID --out OUT --initial FIRST/foreign --tokenizer FIRST/foreign "
    "--epochs 100 --minutes 34 --seed 1",
)
"""What the shipped pair was trained with, on two CPU cores."""
BEFORE = (
    "The pair before this one: target 256 x 7, 6,586,112 parameters, loss 1.838 nats per token; draft 128 x 2, loss 2.135; "
    "E Σ min(p, q) = 0.744, first-arrival match 0.697."
)
SAMPLES = [ersd.Settings(temperature=0.8, max_new_tokens=150, seed=seed) for seed in range(1, 6)]


def card(pair: ModelPair, valid: Path) -> str:
    """The model card, in Markdown."""
    text = valid.read_text()
    rows = windows(encode(pair.tokenizer, read_stories([valid])))
    characters = sum(len(pair.tokenizer.decode(row[1:], skip_special_tokens=True)) for row in rows) / rows[:, 1:].numel()
    figures = agreement(pair, rows)
    models = models_of(pair)
    speed = {k: (forward_ms(models[0], k), forward_ms(models[1], k)) for k in (1, 5, 17)}
    sizes = [f"{model.num_parameters():,}" for model in models]
    shapes = [f"{m.config.hidden_size} x {m.config.num_hidden_layers}" for m in models]
    samples = [f"*Seed {s.seed}:* {PROMPT}{ersd.run(pair, PROMPT, s).text}" for s in SAMPLES]
    lines = [
        "---",
        "license: cdla-sharing-1.0",
        "language: en",
        "---",
        "# The embedded pair: a small storyteller and a draft distilled from it",
        "",
        "Written by `assets/describe_pair.py`; trained by `assets/train_pair.py`.",
        "",
        "| | target | draft |",
        "|---|---|---|",
        f"| shape (Llama, tied embeddings), width x layers | {shapes[0]} | {shapes[1]} |",
        f"| parameters | {sizes[0]} | {sizes[1]} |",
        f"| loss on the validation text, nats per token | {figures['target_loss']:.3f} | {figures['draft_loss']:.3f} |",
        f"| the same, nats per character | {figures['target_loss'] / characters:.3f} | {figures['draft_loss'] / characters:.3f} |",
        *(
            f"| ms per cached forward of {k} token{'s' * (k > 1)}, one CPU thread | {a:.2f} | {b:.2f} ({a / b:.1f} times faster) |"
            for k, (a, b) in speed.items()
        ),
        "",
        f"Agreement at temperature 1 on the validation text: E Σ min(p, q) = {figures['overlap']:.3f}, "
        f"first-arrival match {figures['match']:.3f}, mean entropy of the target {figures['entropy']:.2f} nats.",
        "",
        BEFORE,
        "",
        f"Tokenizer: byte-level BPE of {len(pair.tokenizer):,} tokens ({characters:.2f} characters each); token 0, `<|endoftext|>`, is "
        f"BOS and EOS and is prepended. Context: {pair.context} tokens. Validation text: {len(text):,} characters, "
        f"rows of {pair.context} tokens, no context carried over.",
        "",
        "Data: about 25,000 short stories of TinyStories (Eldan & Li 2023, arXiv:2305.07759; licence of the data CDLA-Sharing-1.0). The "
        "target is two models of half its width, trained apart and joined: side by side they give the mean of their logits, which is right "
        "more often than either, and training went on until the joined model gave that mean. The draft was distilled from the finished "
        f"target, on {ROWS:,} rows of this text: "
        f"the loss is the KL divergence and {OVERLAP} times the total variation of their distributions. The models tell simple children's "
        "stories and know nothing else. `ngrams.npz` has counts of the n-grams of 1 to 4 tokens in all of its training text, the rare ones "
        "left out (`assets/count_ngrams.py`): the source of guesses without a draft model. `foreign/` is a draft with a tokenizer of its "
        f"own, a unigram model of {FOREIGN_VOCAB_SIZE:,} tokens, trained on the same text.",
        "",
        "## Trained by",
        "",
        "```",
        *COMMANDS,
        "```",
        "",
        "with TEXT and VALID for the training text and the validation text, A, B, JOINED, FIRST and OUT for folders. A/half is the target "
        "of the pair before this one, trained on 21,000 of the stories in 70 minutes, and DRAFT its draft. B, the target and the foreign "
        "draft end by the clock; the first run of the latter was ended at step 329.",
        "",
        f"## Samples at temperature {SAMPLES[0].temperature:g}, the first {len(SAMPLES)} seeds",
        "",
        "\n\n".join(sample.replace("\n", " ") for sample in samples),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--pair", type=Path, required=True, help="folder with target/ and draft/; gets README.md")
    args = parser.parse_args()
    torch.set_num_threads(1)
    pair = ersd.load_pair(args.pair / "target", args.pair / "draft", device="cpu")
    (args.pair / "README.md").write_text(card(pair, args.valid))


if __name__ == "__main__":
    main()
