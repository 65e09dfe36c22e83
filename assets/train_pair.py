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
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerBase, PreTrainedTokenizerFast

END = "<|endoftext|>"
CONTEXT = 256
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


def epochs(stories: list[torch.Tensor], rows: int, seed: int) -> Iterator[torch.Tensor]:
    """Batches [rows, CONTEXT + 1] without end: each epoch shuffles the stories, joins them and cuts rows that overlap by one token."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(len(stories), generator=generator).tolist()
        stream = torch.cat([stories[i] for i in order])
        cut = stream[: (len(stream) - 1) // CONTEXT * CONTEXT + 1].unfold(0, CONTEXT + 1, CONTEXT)
        yield from cut[torch.randperm(len(cut), generator=generator)].split(rows)[: len(cut) // rows]


def windows(stories: list[torch.Tensor]) -> torch.Tensor:
    """The stories joined and cut into rows [n, CONTEXT + 1] that overlap by one token, the remainder dropped."""
    stream = torch.cat(stories)
    return stream[: (len(stream) - 1) // CONTEXT * CONTEXT + 1].unfold(0, CONTEXT + 1, CONTEXT)


Forward = Callable[..., Any]
Loss = Callable[[Forward, torch.Tensor], torch.Tensor]


def logits_of(model: Forward, rows: torch.Tensor) -> torch.Tensor:
    """float32 logits [n, CONTEXT, vocab] before every token of `rows` but the first, computed in bfloat16."""
    with torch.autocast(rows.device.type, torch.bfloat16):
        return model(input_ids=rows[:, :-1], use_cache=False).logits.float()


def text_loss(model: Forward, rows: torch.Tensor) -> torch.Tensor:
    """Cross-entropy on the text, nats per token."""
    return F.cross_entropy(logits_of(model, rows).flatten(0, 1), rows[:, 1:].flatten())


def distillation_loss(teacher: Forward) -> Loss:
    """KL(target || draft) at every position, nats per token: the draft learns the target's whole distribution."""

    def loss(model: Forward, rows: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            goal = logits_of(teacher, rows).log_softmax(-1).flatten(0, 1)
        return F.kl_div(logits_of(model, rows).log_softmax(-1).flatten(0, 1), goal, reduction="batchmean", log_target=True)

    return loss


@torch.inference_mode()
def validate(model: Forward, rows: torch.Tensor, loss: Loss) -> float:
    """Mean loss over all rows, shared among the processes."""
    mine = rows[rank() :: world()]
    total = torch.tensor([sum(loss(model, part).item() * len(part) for part in mine.split(16)), float(len(mine))])
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
    model: LlamaForCausalLM, loss: Loss, batches: Iterator[torch.Tensor], valid: torch.Tensor, schedule: Schedule, save: Callable[[], None]
) -> float:
    """Train to the end of the schedule; validates 20 times and `save`s the best."""
    device = model.device
    compiled = torch.compile(model, dynamic=False)
    optimizer = optimizers(model, schedule.lr)
    best, started, begun = math.inf, time.monotonic(), 0
    done = 0.0
    while done < 1:
        rows = next(batches)[rank() :: world()].to(device)
        value = loss(compiled, rows)
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
            score = validate(model, valid, loss)
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
    loss: Loss = text_loss
    if args.which == "draft":
        teacher = LlamaForCausalLM.from_pretrained(args.out / "target", dtype=torch.float32).eval()
        torch.nn.Module.to(teacher, device)
        loss = distillation_loss(torch.compile(teacher, dynamic=False))
    tokens = encode(tokenizer, stories)
    valid = windows(encode(tokenizer, read_stories([args.valid]))).to(device)
    steps = int(args.epochs * (sum(map(len, tokens)) // CONTEXT // args.rows))
    if rank() == 0:
        print(f"{args.which}: {model.num_parameters():,} parameters, {sum(map(len, tokens)):,} tokens, {steps} steps", flush=True)

    def save() -> None:
        half = LlamaForCausalLM(config)
        half.load_state_dict(model.state_dict())
        half.bfloat16().save_pretrained(args.out / args.which, max_shard_size="9MB")
        tokenizer.save_pretrained(args.out / args.which)

    best = train(model, loss, epochs(tokens, args.rows, args.seed), valid, Schedule(args.lr, steps, args.minutes), save)
    if rank() == 0:
        print(f"best validation {best:.4f} nats per token", flush=True)


if __name__ == "__main__":
    main()
