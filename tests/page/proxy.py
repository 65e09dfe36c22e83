"""Reverse proxies that serve a page below a path: nginx, and a few lines that do what its `proxy_pass` does."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from .browser import free_port

FRAME = "/frame"
"""Where a page of another origin stands that has the served one in a frame."""


@contextmanager
def below(prefix: str, upstream: str) -> Iterator[int]:
    """Serves what is at `upstream` below `prefix`, and nothing anywhere else but FRAME; the port."""
    host = urlsplit(upstream).netloc

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"  # an answer ends with its connection, so streams need no framing

        def forward(self) -> None:
            if self.path == FRAME:
                self.frame()
                return
            if not self.path.startswith(f"{prefix}/"):
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in ("connection", "accept-encoding")}
            connection = http.client.HTTPConnection(host, timeout=60)
            try:
                connection.request(self.command, self.path.removeprefix(prefix), body, headers)
                answer = connection.getresponse()
                self.send_response_only(answer.status, answer.reason)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.end_headers()
                while part := answer.read1(65536):  # events are passed on as they come
                    self.wfile.write(part)
            except ConnectionError:  # the visitor has gone
                pass
            finally:
                connection.close()

        do_GET = do_POST = do_HEAD = forward  # noqa: N815

        def frame(self) -> None:
            page = f'<iframe src="http://127.0.0.1:{self.server.server_address[1]}{prefix}/" width="1400" height="1000"></iframe>'
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


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
    """The path of an installed nginx; Debian keeps it where only the administrator looks."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@contextmanager
def below_nginx(prefix: str, upstream: str, folder: Path) -> Iterator[int]:
    """As `below`, by nginx, with the lines that the README gives."""
    port, config, program = free_port(), folder / "nginx.conf", nginx()
    assert program
    config.write_text(NGINX.format(folder=folder, port=port, prefix=prefix, upstream=upstream, frame=FRAME))
    server = subprocess.Popen([program, "-c", str(config), "-e", str(folder / "errors")])
    try:
        until = time.monotonic() + 20
        while socket.socket().connect_ex(("127.0.0.1", port)):
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"nginx does not serve:\n{(folder / 'errors').read_text()}")
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait(10)
