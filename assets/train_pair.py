"""Train the embedded pair: a tokenizer, a small target and a draft distilled from it.

    torchrun --nproc-per-node 2 assets/train_pair.py target --text a.txt b.txt --valid v.txt --out pair
    torchrun --nproc-per-node 2 assets/train_pair.py draft  --text a.txt b.txt --valid v.txt --out pair
    python -m assets.describe_pair --valid v.txt --pair assets/pair

One process per core (or per GPU); plain `python` trains on one. The texts are stories separated by a line `<|endoftext|>`.
The weights saved are those with the lowest loss on the validation text; everything random follows from `--seed`.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.nn.functional as F
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerBase, PreTrainedTokenizerFast, StaticCache

END = "<|endoftext|>"
CONTEXT = 256
KEPT = 128
"""Of the target's distribution so many tokens are kept for the draft's lessons: 97% of its mass on average."""
OVERLAP = 6
READ, TOLD = 8192, 4096
"""The draft's lessons: rows of the text, and rows that the target tells itself, as it will when the draft is used."""
SHAPES: dict[str, dict[str, Any]] = {
    "target": {"hidden_size": 256, "intermediate_size": 688, "num_hidden_layers": 7},
    "draft": {"hidden_size": 128, "intermediate_size": 344, "num_hidden_layers": 2},
}


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


def encode(tokenizer: PreTrainedTokenizerBase, stories: list[str]) -> list[torch.Tensor]:
    """One int64 tensor a story, beginning with token 0, which is also the end of the story before it."""
    return [torch.tensor(ids) for ids in tokenizer(stories)["input_ids"]]


def texts(stories: list[torch.Tensor], rows: int, seed: int) -> Iterator[Batch]:
    """This process's share of batches [rows, CONTEXT + 1] without end: each epoch shuffles the stories, joins them and cuts them anew."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        cut = shuffled(stories, generator)
        for batch in cut[torch.randperm(len(cut), generator=generator)].split(rows)[: len(cut) // rows]:
            yield (batch[rank() :: world()],)


def repeated(batch: Batch, rows: int, seed: int) -> Iterator[Batch]:
    """Batches of `rows` rows of `batch` without end, in another order in every epoch."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        for part in torch.randperm(len(batch[0]), generator=generator).split(rows)[: len(batch[0]) // rows]:
            yield tuple(each[part] for each in batch)


def shuffled(stories: list[torch.Tensor], generator: torch.Generator) -> torch.Tensor:
    """The stories in another order, as rows [n, CONTEXT + 1]."""
    return windows([stories[i] for i in torch.randperm(len(stories), generator=generator).tolist()])


def windows(stories: list[torch.Tensor]) -> torch.Tensor:
    """The stories joined and cut into rows [n, CONTEXT + 1] that overlap by one token, the remainder dropped."""
    stream = torch.cat(stories)
    return stream[: (len(stream) - 1) // CONTEXT * CONTEXT + 1].unfold(0, CONTEXT + 1, CONTEXT)


Batch = tuple[torch.Tensor, ...]
Forward = Callable[..., Any]
Loss = Callable[..., torch.Tensor]
"""The mean loss of a model, given first, on a batch, whose tensors follow."""


def text_loss(model: torch.nn.Module, rows: torch.Tensor) -> torch.Tensor:
    """Cross-entropy on the text, nats per token, computed in bfloat16."""
    with torch.autocast(rows.device.type, torch.bfloat16):
        logits = model(input_ids=rows[:, :-1], use_cache=False).logits.float()
    return F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())


@torch.no_grad()
def told(target: LlamaForCausalLM, rows: int, at_once: int = 256) -> torch.Tensor:
    """Rows [rows, CONTEXT + 1] that the target tells from token 0 on at temperature 1, one story after the other."""
    parts = []
    for _ in range(rows // at_once):
        tokens = torch.zeros(at_once, 1, dtype=torch.long, device=target.device)
        cache = StaticCache(target.config, max_cache_len=CONTEXT)
        for _ in range(CONTEXT):
            logits = target(input_ids=tokens[:, -1:], past_key_values=cache).logits[:, -1]
            tokens = torch.cat([tokens, logits.softmax(-1).multinomial(1)], 1)
        parts.append(tokens)
    return torch.cat(parts)


@torch.no_grad()
def lessons(teacher: Forward, rows: torch.Tensor) -> Batch:
    """What the draft is to learn on `rows`, asked of the target once: `rows`, and of every token but the first the log-probabilities
    (float16 [n, CONTEXT, KEPT]) and the numbers (int16) of the target's likeliest tokens there."""
    likely, tokens = [], []
    for part in rows.split(8):
        logits = teacher(input_ids=part[:, :-1], use_cache=False).logits
        best = logits.topk(KEPT, sorted=False)
        likely.append((best.values - logits.logsumexp(-1, keepdim=True)).half())
        tokens.append(best.indices.short())
    return rows, torch.cat(likely), torch.cat(tokens)


def distillation_loss(model: torch.nn.Module, rows: torch.Tensor, likely: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """KL(target || draft) + OVERLAP TV(target, draft) per token, KL in nats, of the target's likeliest tokens and of all others
    taken together.

    KL alone spends a small draft's strength on tokens that neither model would choose; TV is the share that standard speculative
    sampling rejects (Leviathan et al. 2023, section 3.2; as a loss: Zhou et al., DistillSpec, 2024).
    """
    logits = model(input_ids=rows[:, :-1], use_cache=False).logits
    log_p, log_q = likely.float(), logits.gather(-1, tokens.long()) - logits.logsumexp(-1, keepdim=True)
    p, q = log_p.exp(), log_q.exp()
    other_p, other_q = ((1 - each.sum(-1)).clamp(min=1e-6) for each in (p, q))
    divergence = (p * (log_p - log_q)).sum(-1) + other_p * (other_p / other_q).log()
    distance = 1 - torch.minimum(p, q).sum(-1) - torch.minimum(other_p, other_q)
    return (divergence + OVERLAP * distance).mean()


@torch.inference_mode()
def validate(model: torch.nn.Module, loss: Loss, batch: Batch) -> float:
    """Mean loss over the rows of all processes."""
    parts = list(zip(*(each.split(8) for each in batch), strict=True))
    total = torch.tensor([sum(loss(model, *part).item() * len(part[0]) for part in parts), float(len(batch[0]))])
    if world() > 1:
        dist.all_reduce(total)
    return (total[0] / total[1]).item()


def rank() -> int:
    return dist.get_rank() if dist.is_initialized() else 0


def world() -> int:
    return dist.get_world_size() if dist.is_initialized() else 1


def average_gradients(model: torch.nn.Module) -> None:
    """Every process ends with the mean gradient of all."""
    if world() == 1:
        return
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    flat = torch.cat([g.flatten() for g in grads])
    dist.all_reduce(flat)
    for grad, part in zip(grads, flat.split([g.numel() for g in grads]), strict=True):
        grad.copy_(part.view_as(grad) / world())


def layer_matrices(model: torch.nn.Module) -> list[torch.nn.Parameter]:
    return [p for name, p in model.named_parameters() if p.ndim == 2 and "embed" not in name]


def optimizers(model: torch.nn.Module, lr: float) -> list[torch.optim.Optimizer]:
    """Muon for the layers' matrices, each process updating its share of them; AdamW for the embedding and the norms."""
    mine = layer_matrices(model)[rank() :: world()]
    others = [p for name, p in model.named_parameters() if p.ndim != 2 or "embed" in name]
    return [
        torch.optim.Muon(mine, lr=lr, weight_decay=0.1, momentum=0.95, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, lr=lr, betas=(0.9, 0.95), weight_decay=0.1),
    ]


def share_matrices(model: torch.nn.Module) -> None:
    """Every process receives the matrices the others have updated."""
    if world() > 1:
        for i, matrix in enumerate(layer_matrices(model)):
            dist.broadcast(matrix.data, i % world())


@dataclass(frozen=True)
class Schedule:
    """Linear warm-up to `lr`, then linear decay to zero: it ends with `steps` or with `minutes`, whichever is first."""

    lr: float
    steps: int
    minutes: float

    def done(self, begun: int, started: float) -> float:
        """The share that is behind after so many steps."""
        return max(begun / self.steps, (time.monotonic() - started) / 60 / self.minutes)

    def rate(self, begun: int, done: float) -> float:
        return self.lr * min((begun + 1) / 100, 1 - done)


def train(
    model: LlamaForCausalLM, loss: Loss, batches: Iterator[Batch], valid: Batch, schedule: Schedule, save: Callable[[], None]
) -> float:
    """Train to the end of the schedule; validates 20 times and `save`s the best."""
    compiled = torch.compile(loss, dynamic=False)
    optimizer = optimizers(model, schedule.lr)
    best, started, begun = math.inf, time.monotonic(), 0
    done = 0.0
    while done < 1:
        value = compiled(model, *(each.to(model.device) for each in next(batches)))
        value.backward()
        average_gradients(model)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for each in optimizer:
            for group in each.param_groups:
                group["lr"] = schedule.rate(begun, done)
            each.step()
        share_matrices(model)
        model.zero_grad(set_to_none=True)
        begun += 1
        behind = torch.tensor([schedule.done(begun, started)], dtype=torch.float64)
        if world() > 1:
            dist.broadcast(behind, 0)
        before, done = done, behind.item()
        if begun % 50 == 0 and rank() == 0:
            print(f"step {begun} ({done:.1%}) loss {value.item():.4f} {(time.monotonic() - started) / begun:.2f} s/step", flush=True)
        if int(before * 20) != int(done * 20):
            score = validate(model, compiled, valid)
            if rank() == 0:
                print(f"step {begun} validation {score:.4f}", flush=True)
                if score < best:
                    save()
            best = min(best, score)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("which", choices=list(SHAPES))
    parser.add_argument("--text", nargs="+", type=Path, required=True)
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder that gets target/ and draft/")
    parser.add_argument("--epochs", type=float, default=4.0)
    parser.add_argument("--minutes", type=float, default=1e9, help="end the schedule by then; if that binds, the run depends on the clock")
    parser.add_argument("--rows", type=int, default=16, help="rows of a step, all processes together")
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--vocab-size", type=int, default=4096)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    if "RANK" in os.environ:
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    if not torch.cuda.is_available():
        torch.set_num_threads(1)
    device = torch.device(f"cuda:{rank()}" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)

    stories = read_stories(args.text)
    if args.which == "target":
        tokenizer = train_tokenizer(stories, args.vocab_size)
    else:
        tokenizer = PreTrainedTokenizerFast.from_pretrained(args.out / "target")
    config = LlamaConfig(
        vocab_size=args.vocab_size, num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=CONTEXT,
        tie_word_embeddings=True, bos_token_id=0, eos_token_id=0, **SHAPES[args.which],
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    torch.nn.Module.to(model, device)
    tokens = encode(tokenizer, stories)
    valid: Batch = (windows(encode(tokenizer, read_stories([args.valid])))[rank() :: world()].to(device),)
    loss: Loss = text_loss
    batches = texts(tokens, args.rows, args.seed)
    if args.which == "draft":
        target = LlamaForCausalLM.from_pretrained(args.out / "target", dtype=torch.float32).eval()
        torch.nn.Module.to(target, device)
        teacher = torch.compile(target, dynamic=False)
        read = shuffled(tokens, torch.Generator().manual_seed(args.seed))[:READ][rank() :: world()].to(device)
        torch.manual_seed(args.seed + 1 + rank())  # every process is told other stories
        batch = lessons(teacher, torch.cat([read, told(target, TOLD // world())]))
        loss, batches = distillation_loss, repeated(batch, args.rows // world(), args.seed)
        valid = lessons(teacher, *valid)
    rows = READ + TOLD if args.which == "draft" else sum(map(len, tokens)) // CONTEXT
    steps = int(args.epochs * (rows // args.rows))
    if rank() == 0:
        print(f"{args.which}: {model.num_parameters():,} parameters, {rows * CONTEXT:,} tokens, {steps} steps", flush=True)

    def save() -> None:
        half = LlamaForCausalLM(config)
        half.load_state_dict(model.state_dict())
        half.bfloat16().save_pretrained(args.out / args.which, max_shard_size="9MB")
        tokenizer.save_pretrained(args.out / args.which)

    best = train(model, loss, batches, valid, Schedule(args.lr, steps, args.minutes), save)
    if rank() == 0:
        print(f"best validation loss {best:.4f}", flush=True)


if __name__ == "__main__":
    main()
