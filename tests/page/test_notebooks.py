"""Two runs in one notebook, a trace by itself and `visual.show`: exported as HTML, in JupyterLab and in marimo, each in a real browser.

VS Code was not tried: it shows outputs in a web view of its own, whose rules for frames and scripts are not those of a browser.
"""

from __future__ import annotations

import importlib
import os
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ersd
import visual

from .browser import PATIENCE, ROOT, free_port, running

RECORDED = ROOT / "assets" / "recorded" / "gallery"
CELLS = [
    f"""
    from pathlib import Path
    import ersd, visual
    first, second = (
        ersd.Trace.from_json(Path({str(RECORDED)!r}, name).read_text(encoding="utf-8")) for name in ("ersd.json", "standard.json")
    )
    """,
    "first",
    "visual.show(second, 700)",
]
SCREEN = {"width": 1440, "height": 2200}
"""Both frames are in view: one that is not draws nothing."""
FRAMES = "iframe[title='A run of speculative decoding']"


def needed(name: str):
    """A package that only these tests need."""
    if os.environ.get("CI") == "true":
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed")


def cells() -> list[str]:
    return [textwrap.dedent(cell).strip() for cell in CELLS]


@pytest.fixture
def opened(browser) -> Iterator[Callable]:
    """Opens an address; what would come from elsewhere is missing."""
    context = browser.new_context(viewport=SCREEN, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)

    def open_at(address: str):
        page = context.new_page()
        page.goto(address)
        return page

    context.route(lambda url: url.startswith("http") and not url.startswith("http://127.0.0.1:"), lambda route: route.abort())

    yield open_at
    context.close()


def assert_two_players(page) -> None:
    """Both draw their tree, and a step in one of them does not move the other."""
    page.locator(FRAMES).nth(1).wait_for()
    assert page.locator(FRAMES).count() == 2
    frames = [page.frame_locator(FRAMES).nth(place) for place in (0, 1)]
    for frame in frames:
        frame.locator("#player-tree .point").first.wait_for()
    names = [frame.locator(".ersd-run").inner_text() for frame in frames]
    assert names[0] != names[1], "each shows its own run"
    for moved, other in (frames, frames[::-1]):
        step, stays = (int(frame.locator("#player").get_attribute("data-step")) for frame in (moved, other))
        moved.locator("[data-go=next]").click()
        moved.locator(f"#player[data-step='{step + 1}']").wait_for()
        assert other.locator("#player").get_attribute("data-step") == str(stays)
    assert [page.locator(FRAMES).nth(place).bounding_box()["height"] for place in (0, 1)] == [900, 700]


def recorded() -> list[ersd.Trace]:
    """The runs of the cells."""
    return [ersd.Trace.from_json((RECORDED / name).read_text(encoding="utf-8")) for name in ("ersd.json", "standard.json")]


@pytest.fixture(scope="module")
def notebook():
    """The cells with the outputs that IPython makes of them, without a kernel."""
    v4, formatted = needed("nbformat").v4, needed("IPython.core.formatters").DisplayFormatter().format
    first, second = recorded()
    made = []
    for source, shown in zip(cells(), ([], [first], [visual.show(second, 700)]), strict=True):
        outputs = [v4.new_output("execute_result", data, metadata=more, execution_count=1) for data, more in map(formatted, shown)]
        made.append(v4.new_code_cell(source, execution_count=1, outputs=outputs))
    return v4.new_notebook(cells=made, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


def test_a_notebook_that_was_exported_as_html(opened, notebook, tmp_path):
    exported, _ = needed("nbconvert").HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "notebook.html").write_text(exported, encoding="utf-8")
    page = opened((tmp_path / "notebook.html").as_uri())
    assert_two_players(page)
    second = page.frame_locator(FRAMES).nth(1)
    second.locator(".ersd-save").click()
    with page.expect_download() as download:
        second.locator("[data-save-run=json]").click()
    assert ersd.Trace.from_json(download.value.path().read_text(encoding="utf-8")) == recorded()[1], "its sandbox allows it"


def test_a_trusted_notebook_in_jupyterlab(opened, notebook, tmp_path):
    needed("jupyterlab")
    own = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    needed("nbformat").write(notebook, tmp_path / "two.ipynb")
    data = Path(own["JUPYTER_DATA_DIR"])
    data.mkdir()
    needed("nbformat.sign").NotebookNotary(data_dir=str(data)).sign(notebook)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    settings = [f"--ServerApp.{name}" for name in (f"port={port}", f"root_dir={tmp_path}", "open_browser=False", "allow_root=True")]
    settings += ["--IdentityProvider.token=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with running(["-m", "jupyterlab", *settings], f"{address}/api", tmp_path / "log", **own):
        assert_two_players(opened(f"{address}/lab/tree/two.ipynb"))


def test_a_notebook_in_marimo(opened, tmp_path):
    needed("marimo")
    file = tmp_path / "two.py"
    loaded, first, second = cells()
    app = ["import marimo", "app = marimo.App(width='full')"]
    for given, body, returned in (("", loaded, "first, second, visual"), ("first", first, ""), ("second, visual", second, "")):
        app += ["", "@app.cell", f"def _({given}):", textwrap.indent(f"{body}\nreturn {returned}", "    ")]
    file.write_text("\n".join(app), encoding="utf-8")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = ["-m", "marimo", "run", str(file), "--headless", "--port", str(port)]
    with running(command, address, tmp_path / "log", PYTHONPATH=str(ROOT)):
        assert_two_players(opened(address))
