"""The web application: `python app.py`. Flags, or the same as environment variables: --port or ERSD_PORT; on a Space --hosted is set.

A flag counts before ERSD_*, and that before Gradio's own GRADIO_SERVER_NAME, GRADIO_SERVER_PORT and GRADIO_ROOT_PATH.
"""

from __future__ import annotations

import os

if "SPACE_ID" in os.environ:
    import spaces  # noqa: F401  # on a Space it comes before torch, and a Space without it is broken

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ersd.cli.flags import Flags
from ersd.formatting import quoted
from ersd.models.catalogue import Offer, read_catalogue
from ersd.settings import THREADS
from visual.server.allocator import keep_memory_flat
from visual.server.pairs import EMBEDDED, RUN_SECONDS, Say
from visual.server.startup import check_address, check_models, check_temporary_folder, root_path
from visual.server.zero_gpu import IS_ZERO_GPU

if TYPE_CHECKING:
    from ersd import ModelPair


ZERO_GPU_PAIRS = "SmolLM2 1.7B ← 135M,Qwen3 8B ← 0.6B"
"""What a Space on ZeroGPU offers if nothing is said: what is loaded before it serves must fit into its memory together."""
_ABOUT_PAIRS = "which pairs of assets/pairs.toml to offer: all, none, or some by name, with commas between them"


def _variable(*names: str) -> str:
    """The first of these environment variables that says something; empty if none does."""
    return next(filter(None, map(os.environ.get, names)), "")


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The flags; what is not given comes from ERSD_* variables."""
    hosted = "SPACE_ID" in os.environ
    cores = os.cpu_count() or 1
    parser = Flags(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    host = _variable("ERSD_HOST", "GRADIO_SERVER_NAME") or ("0.0.0.0" if hosted else "127.0.0.1")
    parser.add_argument("--host", default=host, help="address to listen on")
    parser.add_argument("--port", type=int, default=_variable("ERSD_PORT", "GRADIO_SERVER_PORT") or "7860", help="port to listen on")
    root = _variable("ERSD_ROOT_PATH", "GRADIO_ROOT_PATH")
    parser.add_argument("--root-path", default=root, help="path below which another server passes this page on, such as /demo")
    parser.add_argument("--target", default=_variable("ERSD_TARGET") or None, help="folder or hub id of the target; with --draft")
    parser.add_argument("--draft", default=_variable("ERSD_DRAFT") or None, help="folder or hub id of the draft; with --target")
    parser.add_argument("--pairs", default=_variable("ERSD_PAIRS") or (ZERO_GPU_PAIRS if IS_ZERO_GPU else "all"), help=_ABOUT_PAIRS)
    parser.add_argument("--hosted", action="store_true", default=hosted, help="offer nothing but the pairs of assets/pairs.toml")
    parser.add_argument("--device", default=_variable("ERSD_DEVICE") or "auto", help="auto, cpu or cuda")
    device_map = _variable("ERSD_DEVICE_MAP") or "none"
    parser.add_argument("--device-map", default=device_map, help="none, or auto: the target over all GPUs there are, through accelerate")
    parser.add_argument("--dtype", default=_variable("ERSD_DTYPE") or "auto", help="auto, float32, bfloat16 or float16")
    # small models gain nothing from many threads, and lose much when they wait for one another on a busy machine
    parser.add_argument("--threads", type=int, default=_variable("ERSD_THREADS") or str(max(1, cores // 2)), help="threads of torch")
    seconds = _variable("ERSD_RUN_SECONDS") or str(RUN_SECONDS)
    parser.add_argument("--run-seconds", type=float, default=seconds, help="how long a run may take, at most")
    flags = parser.parse_args(argv)
    if flags.hosted and (flags.target or flags.draft):
        print("A hosted page offers the pairs of assets/pairs.toml alone: --target and --draft are not used.", file=sys.stderr, flush=True)
        flags.target = flags.draft = None
    if (flags.target is None) != (flags.draft is None):
        parser.error("--target and --draft must be given together")
    flags.root_path = root_path(flags.root_path)
    if not flags.run_seconds > 0:
        parser.error(f"--run-seconds must be a number above 0, got {flags.run_seconds:g}")
    return flags


def own_pairs(flags: argparse.Namespace) -> dict[str, Callable[[], ModelPair]]:
    """The pairs that come with this server, by display name, the default first."""

    def load(target: str | None, draft: str | None) -> Callable[[], ModelPair]:
        return lambda: _load(flags, target, draft)

    named = {EMBEDDED: load(None, None)}
    if flags.target:
        own = f"{os.path.basename(flags.target.rstrip('/'))} ← {os.path.basename(flags.draft.rstrip('/'))}"
        named = {own: load(flags.target, flags.draft), **named}
    return named


def public_pairs(flags: argparse.Namespace) -> list[Offer]:
    """The pairs of the catalogue that --pairs names."""
    offers = read_catalogue()
    if flags.pairs in ("all", "none"):
        return offers if flags.pairs == "all" else []
    wanted = [name.strip() for name in flags.pairs.split(",")]
    for name in wanted:
        if name not in [offer.name for offer in offers]:
            raise ValueError(f"--pairs must be all, none, or some of {', '.join(offer.name for offer in offers)}, got {quoted(name)}")
    return [offer for offer in offers if offer.name in wanted]


def public_loader(flags: argparse.Namespace) -> Callable[[Offer, Say], ModelPair]:
    """How a pair of the catalogue is loaded: what stands in the way is said before anything is tried."""

    def load(offer: Offer, say: Say) -> ModelPair:
        from ersd.models.hub import fetch, obstacle
        from ersd.models.load import place_and_precision

        device, dtype = place_and_precision(flags.device, flags.dtype)
        say(f"{offer.name}: looking for it …")
        reason = "" if IS_ZERO_GPU else obstacle(offer, device, dtype)
        if reason:
            raise ValueError(f"{offer.name} cannot be loaded: {reason}. The {EMBEDDED} is always there")
        fetch(offer, say)
        say(f"{offer.name}: loading {offer.gigabytes:g} GB …")
        return _load(flags, offer.target, offer.draft)

    return load


def _load(flags: argparse.Namespace, target: str | None, draft: str | None) -> ModelPair:
    import ersd

    return ersd.load_pair(
        target=target, draft=draft, device=flags.device, dtype=flags.dtype, device_map=flags.device_map, is_emulated=IS_ZERO_GPU
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Serve the page. What stands in the way is said in one line, and the exit code is 2."""
    flags = arguments(argv)
    try:
        serve(flags)
    except ValueError as problem:
        print(f"app.py: {problem}", file=sys.stderr)
        sys.exit(2)


def serve(flags: argparse.Namespace) -> None:
    """Serve the page. ValueError if something stands in the way."""
    keep_memory_flat()
    THREADS.check("--threads", flags.threads)
    check_address(flags.host, flags.port)
    check_temporary_folder()
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    os.environ["GRADIO_SSR_MODE"] = "False"  # a Space sets it; the page's own scripts are not made for it
    import torch
    from transformers.utils import logging

    from ersd.models.device import machine
    from ersd.models.load import EMBEDDED as EMBEDDED_FOLDER, place_and_precision, read_hazards
    from ersd.trace.beside import BESIDE
    from visual.payload.messages import RunMessages
    from visual.server.pairs import Pairs
    from visual.ui.page import build, launch_options

    device, _ = place_and_precision(flags.device, flags.dtype, flags.device_map)
    check_models(flags.target, flags.draft, EMBEDDED_FOLDER)
    read_hazards()
    torch.set_num_threads(flags.threads)
    logging.disable_progress_bar()
    if not IS_ZERO_GPU:  # there, every run is a process of its own
        BESIDE.start(RunMessages.__module__)  # now, and it is ready before what a pair costs is measured
    pairs = Pairs(own_pairs(flags), flags.run_seconds, public_pairs(flags), public_loader(flags))
    if IS_ZERO_GPU:
        pairs.load_all()
    page = build(pairs)
    host = f"[{flags.host}]" if ":" in flags.host else flags.host  # of IPv6, as in an address
    if not IS_ZERO_GPU:
        pairs.preload()
    page.launch(
        server_name=host,
        server_port=flags.port,
        root_path=flags.root_path,
        share=False,
        ssr_mode=False,
        footer_links=["api"],
        run_history=False,
        quiet=True,
        prevent_thread_lock=True,
        **launch_options(pairs),
    )
    where = flags.root_path if "://" in flags.root_path else f"http://{host}:{flags.port}{flags.root_path}"
    print(f"Serving {where} · {machine(device)} · {pairs.names[0]}", flush=True)
    page.block_thread()


if __name__ == "__main__":
    main()
