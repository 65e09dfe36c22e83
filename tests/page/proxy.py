"""nginx as a reverse proxy that serves a page under a path, with the lines that the README gives."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from .browser import PATIENCE, free_port

FRAME = "/frame"
"""Address of a page of another origin that shows the served one in a frame."""
NGINX = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/a; uwsgi_temp_path {folder}/b;
  scgi_temp_path {folder}/c;
  server {{
    listen 127.0.0.1:{port};
    listen [::1]:{port};
    location {prefix}/ {{ proxy_pass {upstream}/; proxy_buffering off; }}
    location = {frame} {{
      default_type text/html;
      return 200 '<iframe src="http://127.0.0.1:{port}{prefix}/" width="1400" height="1000"></iframe>';
    }}
  }}
}}
"""


def nginx() -> str | None:
    """The path of an installed nginx; Debian keeps it outside of a user's PATH."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def below(prefix: str, upstream: str) -> NoReturn:
    """Where nginx is not installed there is no proxy to test with."""
    pytest.skip(f"nginx is not installed: nothing serves {upstream} under {prefix}")


@contextmanager
def below_nginx(prefix: str, upstream: str, folder: Path) -> Iterator[int]:
    """Serve what is at `upstream` under `prefix`, and nothing else but FRAME; yields the port."""
    port, config, program = free_port(), folder / "nginx.conf", nginx()
    assert program, "CI must have nginx"
    config.write_text(NGINX.format(folder=folder, port=port, prefix=prefix, upstream=upstream, frame=FRAME))
    server = subprocess.Popen([program, "-c", str(config), "-e", str(folder / "errors")])
    try:
        until = time.monotonic() + PATIENCE / 1e3
        while socket.socket().connect_ex(("127.0.0.1", port)):
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"nginx does not serve:\n{(folder / 'errors').read_text()}")
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait(60)
