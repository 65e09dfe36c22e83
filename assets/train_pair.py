"""Train the embedded pair: a tokenizer, the two halves of the target, the target itself, a draft distilled from it, and a foreign draft.

    torchrun --nproc-per-node 2 -m assets.train_pair half   --text a.txt b.txt --valid v.txt --out a
    torchrun --nproc-per-node 2 -m assets.train_pair half   --text a.txt b.txt --valid v.txt --out b --seed 1 --tokenizer a/half
    python -m assets.joining a/half b/half --text a.txt --out joined
    torchrun --nproc-per-node 2 -m assets.train_pair target --text a.txt b.txt --valid v.txt --out pair \\
        --initial joined --halves a/half b/half
    torchrun --nproc-per-node 2 -m assets.train_pair draft  --text a.txt b.txt --valid v.txt --out pair
    python -m assets.train_pair foreign --text a.txt b.txt --valid v.txt --out pair
    python -m assets.describe_pair --valid v.txt --pair assets/pair

One process per core (or per GPU); `python -m assets.train_pair` trains on one. The texts are stories separated by a line `<|endoftext|>`.
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
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from assets.distillation import SAMPLED_ROWS, TEXT_ROWS, distillation_loss, sample_rows, soft_labels
from assets.stories import CONTEXT, encode, read_stories, shuffled, train_foreign_tokenizer, train_tokenizer, windows

Batch = tuple[torch.Tensor, ...]
Loss = Callable[..., torch.Tensor]
"""The mean loss of a model, given first, on a batch, whose tensors follow."""
SHAPES: dict[str, dict[str, Any]] = {
    "half": {"hidden_size": 256, "intermediate_size": 688, "num_hidden_layers": 7, "num_attention_heads": 4},
    "target": {"hidden_size": 512, "intermediate_size": 1376, "num_hidden_layers": 7, "num_attention_heads": 8},
    "draft": {"hidden_size": 128, "intermediate_size": 344, "num_hidden_layers": 2, "num_attention_heads": 4},
    "foreign": {"hidden_size": 128, "intermediate_size": 224, "num_hidden_layers": 2, "num_attention_heads": 4},
}
VOCAB_SIZE, FOREIGN_VOCAB_SIZE = 4096, 1024
"""Tokens of the pair, and of the draft with another tokenizer."""


def texts(stories: list[torch.Tensor], rows: int, seed: int) -> Iterator[Batch]:
    """This process's share of batches [rows, CONTEXT + 1] without end: each epoch shuffles, joins and cuts the stories anew."""
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


def text_loss(model: torch.nn.Module, rows: torch.Tensor) -> torch.Tensor:
    """Cross-entropy on the text, nats per token, computed in bfloat16."""
    with torch.autocast(rows.device.type, torch.bfloat16):
        logits = model(input_ids=rows[:, :-1], use_cache=False).logits.float()
    return F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())


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
    """Average the gradients over all processes."""
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
    """Send every process the matrices the others have updated."""
    if world() > 1:
        for i, matrix in enumerate(layer_matrices(model)):
            dist.broadcast(matrix.data, i % world())


@dataclass(frozen=True)
class Course:
    """The training data of a model: this process's share."""

    loss: Loss
    batches: Iterator[Batch]
    valid: Batch
    rows: int
    """of an epoch, all processes together"""


def course_of_target(stories: list[torch.Tensor], valid: torch.Tensor, args: argparse.Namespace) -> Course:
    """The joined target learns the mean of its halves' logits on the stories: what joining lost comes back, and nothing is overfitted."""
    halves = [LlamaForCausalLM.from_pretrained(folder, dtype=torch.float32).eval().requires_grad_(False) for folder in args.halves]
    for half in halves:
        torch.nn.Module.to(half, valid.device)

    def mean_loss(model: torch.nn.Module, rows: torch.Tensor) -> torch.Tensor:
        """KL(mean of the halves || model), nats per token."""
        with torch.autocast(rows.device.type, torch.bfloat16):
            with torch.no_grad():
                wanted = sum(half(input_ids=rows[:, :-1], use_cache=False).logits.float() for half in halves) / len(halves)
            logits = model(input_ids=rows[:, :-1], use_cache=False).logits.float()
        log_p = wanted.flatten(0, 1).log_softmax(-1)
        return F.kl_div(logits.flatten(0, 1).log_softmax(-1), log_p, reduction="batchmean", log_target=True)

    return Course(mean_loss, texts(stories, args.rows, args.seed), (valid,), sum(map(len, stories)) // CONTEXT)


def course_of_text(stories: list[torch.Tensor], valid: torch.Tensor, args: argparse.Namespace) -> Course:
    """A half trains on the stories; so does the foreign draft, whose tokens are not the target's."""
    return Course(text_loss, texts(stories, args.rows, args.seed), (valid,), sum(map(len, stories)) // CONTEXT)


def course_of_draft(stories: list[torch.Tensor], valid: torch.Tensor, args: argparse.Namespace) -> Course:
    """The draft is distilled on rows of the stories and on rows sampled from the target."""
    target = LlamaForCausalLM.from_pretrained(args.out / "target", dtype=torch.float32).eval()
    torch.nn.Module.to(target, valid.device)
    teacher = torch.compile(target, dynamic=False)
    rows = shuffled(stories, torch.Generator().manual_seed(args.seed))[: args.text_rows][rank() :: world()].to(valid.device)
    if args.sampled_rows:
        torch.manual_seed(args.seed + 1 + rank())  # every process samples other stories
        rows = torch.cat([rows, sample_rows(target, args.sampled_rows // world())])
    batch = soft_labels(teacher, rows)
    batches = repeated(batch, args.rows // world(), args.seed)
    return Course(distillation_loss, batches, soft_labels(teacher, valid), args.text_rows + args.sampled_rows)


@dataclass(frozen=True)
class Schedule:
    """Linear warm-up to `lr`, then linear decay to zero: it ends with `steps` or with `minutes`, whichever is first."""

    lr: float
    steps: int
    minutes: float

    def done(self, steps_done: int, started: float) -> float:
        """The share of the schedule that is done after this many steps."""
        return max(steps_done / self.steps, (time.monotonic() - started) / 60 / self.minutes)

    def rate(self, steps_done: int, done: float) -> float:
        return self.lr * min((steps_done + 1) / 100, 1 - done)


def train(model: LlamaForCausalLM, course: Course, schedule: Schedule, save: Callable[[], None]) -> float:
    """Train to the end of the schedule; validates 20 times and `save`s the best."""
    compiled = torch.compile(course.loss, dynamic=False)
    optimizer = optimizers(model, schedule.lr)
    best, started, step = math.inf, time.monotonic(), 0
    done = 0.0
    while done < 1:
        value = compiled(model, *(each.to(model.device) for each in next(course.batches)))
        value.backward()
        average_gradients(model)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for each in optimizer:
            for group in each.param_groups:
                group["lr"] = schedule.rate(step, done)
            each.step()
        share_matrices(model)
        model.zero_grad(set_to_none=True)
        step += 1
        progress = torch.tensor([schedule.done(step, started)], dtype=torch.float64)
        if world() > 1:
            dist.broadcast(progress, 0)
        before, done = done, progress.item()
        if step % 50 == 0 and rank() == 0:
            print(f"step {step} ({done:.1%}) loss {value.item():.4f} {(time.monotonic() - started) / step:.2f} s/step", flush=True)
        if int(before * 20) != int(done * 20):
            score = validate(model, compiled, course.valid)
            if rank() == 0:
                print(f"step {step} validation {score:.4f}", flush=True)
                if score < best:
                    save()
            best = min(best, score)
    return best


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("which", choices=list(SHAPES))
    parser.add_argument("--text", nargs="+", type=Path, required=True)
    parser.add_argument("--valid", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder that gets half/, target/, draft/ or foreign/")
    parser.add_argument("--epochs", type=float, default=4.0)
    parser.add_argument("--minutes", type=float, default=1e9, help="end the schedule by then; if that binds, the run depends on the clock")
    parser.add_argument("--rows", type=int, default=16, help="rows of a step, all processes together")
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--initial", type=Path, help="folder of a model of this shape whose training goes on")
    parser.add_argument("--halves", nargs=2, type=Path, help="for the target: folders of the two models it was joined from")
    parser.add_argument(
        "--tokenizer", type=Path, help="folder of a tokenizer to keep; without it the first half and the foreign draft train one"
    )
    parser.add_argument("--vocab-size", type=int, help=f"by default {VOCAB_SIZE}, for the foreign draft {FOREIGN_VOCAB_SIZE}")
    parser.add_argument("--text-rows", type=int, default=TEXT_ROWS, help="for the draft: rows of the text that it is distilled on")
    parser.add_argument("--sampled-rows", type=int, default=SAMPLED_ROWS, help="for the draft: rows sampled from the target")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    args.vocab_size = args.vocab_size or (FOREIGN_VOCAB_SIZE if args.which == "foreign" else VOCAB_SIZE)
    return args


def main() -> None:
    args = parsed()
    if "RANK" in os.environ:
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    if not torch.cuda.is_available():
        torch.set_num_threads(1)
    device = torch.device(f"cuda:{rank()}" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(args.seed)

    stories = read_stories(args.text)
    if args.tokenizer is not None:
        tokenizer = PreTrainedTokenizerFast.from_pretrained(args.tokenizer)
    elif args.which == "half":
        tokenizer = train_tokenizer(stories, args.vocab_size)
    elif args.which == "foreign":
        tokenizer = train_foreign_tokenizer(stories, args.vocab_size)
    else:
        tokenizer = PreTrainedTokenizerFast.from_pretrained(args.initial if args.which == "target" else args.out / "target")
    config = LlamaConfig(
        vocab_size=args.vocab_size, max_position_embeddings=CONTEXT, tie_word_embeddings=True, bos_token_id=0, eos_token_id=0,
        **SHAPES[args.which],
    )  # fmt: skip
    model = LlamaForCausalLM(config)
    if args.initial is not None:
        model.load_state_dict(LlamaForCausalLM.from_pretrained(args.initial, dtype=torch.float32).state_dict())
    torch.nn.Module.to(model, device)
    valid = windows(encode(tokenizer, read_stories([args.valid])))[rank() :: world()].to(device)
    make = {"target": course_of_target, "draft": course_of_draft}.get(args.which, course_of_text)
    course = make(encode(tokenizer, stories), valid, args)
    steps = int(args.epochs * (course.rows // args.rows))
    if rank() == 0:
        print(f"{args.which}: {model.num_parameters():,} parameters, {course.rows * CONTEXT:,} tokens, {steps} steps", flush=True)

    def save() -> None:
        half = LlamaForCausalLM(config)
        half.load_state_dict(model.state_dict())
        half.bfloat16().save_pretrained(args.out / args.which, max_shard_size="9MB")
        tokenizer.save_pretrained(args.out / args.which)

    best = train(model, course, Schedule(args.lr, steps, args.minutes), save)
    if rank() == 0:
        print(f"best validation loss {best:.4f}", flush=True)


if __name__ == "__main__":
    main()
