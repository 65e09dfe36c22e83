"""The web application: `python app.py`. Each flag is an environment variable too: --port or ERSD_PORT. A Space sets --hosted.

A flag overrides ERSD_*, which overrides Gradio's GRADIO_SERVER_NAME, GRADIO_SERVER_PORT and GRADIO_ROOT_PATH.
"""

from __future__ import annotations

import os

if "SPACE_ID" in os.environ:
    import spaces  # noqa: F401  # ZeroGPU needs it before torch

import argparse
import sys
from collections.abc import Sequence

from ersd.cli.flags import Flags
from ersd.machine import usable_cores
from ersd.settings import THREADS
from visual.server.pairs import RUN_SECONDS, pairs_of
from visual.server.startup import check_address, check_mcp, check_models, check_temporary_folder, root_path, served_address, space_address
from visual.server.zero_gpu import IS_ZERO_GPU

ZERO_GPU_PAIRS = "SmolLM2 1.7B ← 135M,Qwen3 8B ← 0.6B"
"""Default pairs of a Space on ZeroGPU, which loads all of them before it serves: they must fit into its memory together."""


def _variable(*names: str) -> str:
    """The first of these environment variables that is not empty."""
    return next(filter(None, map(os.environ.get, names)), "")


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The flags, with defaults from ERSD_* variables."""
    hosted = "SPACE_ID" in os.environ
    parser = Flags(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)

    def add(flag: str, default: str | None, about: str, type: type = str, variables: Sequence[str] = ()) -> None:
        ours = "ERSD_" + flag.removeprefix("--").replace("-", "_").upper()
        parser.add_argument(flag, type=type, default=_variable(ours, *variables) or default, help=about)

    add("--host", "0.0.0.0" if hosted else "127.0.0.1", "address to listen on", variables=["GRADIO_SERVER_NAME"])
    add("--port", "7860", "port to listen on", int, ["GRADIO_SERVER_PORT"])
    add("--root-path", "", "path prefix under which a reverse proxy serves this page, such as /demo", variables=["GRADIO_ROOT_PATH"])
    add("--target", None, "folder or hub id of the target; without --draft the guesses come from n-grams")
    add("--draft", None, "folder or hub id of the draft; with --target")
    add(
        "--pairs",
        ZERO_GPU_PAIRS if IS_ZERO_GPU else "all",
        "pairs of assets/pairs.toml to offer: all, none, or names separated by commas",
    )
    add("--device", "auto", "auto, cpu or cuda")
    add("--device-map", "none", "none, or auto: spread the target over all GPUs with accelerate")
    add("--dtype", "auto", "auto, float32, bfloat16 or float16")
    # small models gain little from many threads, which lose much when they wait for one another on a busy machine
    add("--threads", str(max(1, usable_cores() // 2)), "threads of torch; half of the cores this process may use", int)
    add("--run-seconds", str(RUN_SECONDS), "time limit of a run", float)
    parser.add_argument(
        "--mcp",
        action="store_true",
        default=_variable("ERSD_MCP").lower() in ("1", "true"),
        help="serve tools for agents too (Model Context Protocol), at /gradio_api/mcp; needs gradio[mcp]",
    )
    parser.add_argument("--hosted", action="store_true", default=hosted, help="offer only the pairs of assets/pairs.toml")
    flags = parser.parse_args(argv)
    if flags.hosted and (flags.target or flags.draft):
        print("A hosted page offers the pairs of assets/pairs.toml alone: --target and --draft are not used.", file=sys.stderr, flush=True)
        flags.target = flags.draft = None
    if flags.draft and not flags.target:
        parser.error(f"--draft must be given with --target, got {flags.draft} alone")
    flags.root_path = root_path(flags.root_path)
    if not flags.run_seconds > 0:
        parser.error(f"--run-seconds must be a number above 0, got {flags.run_seconds:g}")
    return flags


def main(argv: Sequence[str] | None = None) -> None:
    """Serve the page. A problem at the start is reported in one line, with exit code 2."""
    flags = arguments(argv)
    try:
        serve(flags)
    except ValueError as problem:
        print(f"app.py: {problem}", file=sys.stderr)
        sys.exit(2)


def serve(flags: argparse.Namespace) -> None:
    """Serve the page. ValueError if the flags or this machine do not allow it."""
    THREADS.check("--threads", flags.threads)
    check_address(flags.host, flags.port)
    check_temporary_folder()
    if flags.mcp:
        check_mcp()
    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
    os.environ["GRADIO_SSR_MODE"] = "False"  # a Space turns it on; the page's scripts are not made for it
    import torch
    from transformers.utils import logging

    from ersd.load import EMBEDDED, read_hazards
    from ersd.machine import hardware, place_and_precision
    from visual.ui.page import build, launch_options

    device, _ = place_and_precision(flags.device, flags.dtype, flags.device_map)
    check_models(flags.target, flags.draft, EMBEDDED)
    read_hazards()
    torch.set_num_threads(flags.threads)
    logging.disable_progress_bar()
    pairs = pairs_of(flags)
    url = served_address(flags.host, flags.port, flags.root_path)
    if IS_ZERO_GPU:
        pairs.load_all()
    page = build(pairs, (space_address() or url) if flags.mcp else "")
    if not IS_ZERO_GPU:
        pairs.preload()
    page.launch(
        server_name=f"[{flags.host}]" if ":" in flags.host else flags.host,  # an IPv6 address
        server_port=flags.port,
        root_path=flags.root_path,
        share=False,
        mcp_server=flags.mcp,
        ssr_mode=False,
        footer_links=["api"],
        run_history=False,
        quiet=True,
        prevent_thread_lock=True,
        **launch_options(pairs),
    )
    print(f"Serving {url} · {hardware(device)} · {pairs.names[0]}", flush=True)
    page.block_thread()


if __name__ == "__main__":
    main()
