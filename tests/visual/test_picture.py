"""A tree, a race or the curves as an image, drawn in a browser without a window, which leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from ersd.curves.results import Curves
from tests.page.browser import chromium
from tests.visual.fakes import bare_step, trace as trace_of
from visual.export import browser as browser_of_images
from visual.server.recorded import first_look
from visual.server.tabs.curves import RECORDED_CURVES

if os.environ.get("CI") == "true":
    import choreographer
else:
    choreographer = pytest.importorskip("choreographer", reason="choreographer is not installed")

STEP = 8
PNG_SCALE = 3


@pytest.fixture(scope="module")
def trace():
    return first_look()


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Iterator[None]:
    """A folder for temporary files; after the test it must be empty, and no process may use it."""
    with tempfile.TemporaryDirectory() as folder:  # its name is short: Chromium puts a socket there
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield  # tmp_path was made before: its folder is elsewhere
        # Chromium's folder for its socket: one that is killed before it has started cannot remove it
        left = [name for name in os.listdir(folder) if not name.startswith(".org.chromium.")]
        running = [line for line in processes() if folder in line or str(tmp_path) in line]
    assert left == []
    assert running == []


def processes() -> list[str]:
    """The command lines of all processes."""
    return subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.fixture
def browser(temporary, monkeypatch) -> None:
    path = chromium()
    if path is None and os.environ.get("CI") != "true":
        pytest.skip("no Chromium found")
    assert path is not None, "CI must have a Chromium"
    monkeypatch.setenv("BROWSER_PATH", path)


@pytest.fixture
def stand_in(temporary, tmp_path, monkeypatch) -> Callable[[str], None]:
    """Takes the place of the browser: a shell script."""

    def install(script: str) -> None:
        path = tmp_path / "browser"
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        monkeypatch.setenv("BROWSER_PATH", str(path))

    return install


def texts_in(path: Path) -> set[str]:
    return {"".join(text.itertext()) for text in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")}


def test_a_tree_is_saved_as_svg(browser, trace, tmp_path):
    path = tmp_path / "tree.svg"
    trace.save(path, picture="tree", step=STEP, theme="dark")
    step = trace.steps[STEP - 1]
    written = " ".join(texts_in(path))
    assert all(emitted.text.strip() in written for emitted in step.emitted)
    image = ElementTree.parse(path).getroot()
    assert image[0].get("fill") == "#0f151c", "the dark page"
    assert "http" not in path.read_text(encoding="utf-8").replace("http://www.w3.org/", ""), "nothing comes from elsewhere"


def test_a_race_is_saved_as_png_from_a_running_event_loop_also_without_a_draft(browser, tmp_path):
    """As in a notebook."""

    async def cell() -> None:
        trace_of(bare_step()).save(tmp_path / "race.png", picture="race", step=1)

    with ThreadPoolExecutor(1) as thread:  # in this one Playwright runs an event loop
        thread.submit(asyncio.run, cell()).result()
    image = Image.open(tmp_path / "race.png")
    assert image.width > 400 * PNG_SCALE
    assert len(image.convert("RGB").getcolors(image.width * image.height)) > 20


def test_a_page_that_never_answers_leaves_nothing_behind(browser, trace, tmp_path, monkeypatch):
    monkeypatch.setattr("visual.export.picture.html", lambda trace: "<!doctype html><p>No player.")
    monkeypatch.setattr(browser_of_images, "MAX_SECONDS", 3)
    with pytest.raises(RuntimeError, match="the browser made no image: it did not answer within 3 s"):
        trace.save(tmp_path / "tree.svg")


def test_a_run_without_steps_has_no_pictures(browser, trace, tmp_path):
    empty = replace(trace, steps=[], token_ids=[], text="", ranks=None)
    with pytest.raises(ValueError, match="picture must be one that this step has, got 'tree'"):
        empty.save(tmp_path / "tree.svg")
    assert not (tmp_path / "tree.svg").exists()


@pytest.fixture(scope="module")
def curves() -> Curves:
    return Curves.from_json(RECORDED_CURVES.read_text(encoding="utf-8"))


def test_curves_are_saved_as_svg(browser, curves, tmp_path):
    path = tmp_path / "curves.svg"
    curves.save(path, view="accepted", theme="dark")
    written = texts_in(path)
    assert {f"T = {lines.temperature:g}  accepted tokens a call" for lines in curves.lines} <= written
    assert {"τ* tree", "SpecInfer", "chain", "batch"} <= written
    bars = [each for each in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}g") if each.get("class") == "errorbar"]
    assert len(bars) == len(curves.points)
    assert ElementTree.parse(path).getroot()[0].get("style").startswith("fill: rgb(15, 21, 28)"), "the dark page"


def test_curves_are_saved_as_png_also_where_no_costs_are_known(browser, curves, tmp_path):
    replace(curves, costs=None).save(tmp_path / "curves.png", view="speed")
    image = Image.open(tmp_path / "curves.png")
    assert image.width > 1000 * PNG_SCALE
    assert len(image.convert("RGB").getcolors(image.width * image.height)) > 20


def test_curves_are_saved_as_json_and_nothing_else(curves, tmp_path):
    curves.save(tmp_path / "curves.json")
    assert Curves.from_json((tmp_path / "curves.json").read_text(encoding="utf-8")) == curves
    with pytest.raises(ValueError, match=r"path must end in one of .json, .svg, .png, got '.*curves.html'"):
        curves.save(tmp_path / "curves.html")
    with pytest.raises(ValueError, match=r"view is of an image, so path must end in .svg or .png"):
        curves.save(tmp_path / "curves.json", view="next")
    with pytest.raises(ValueError, match="view must be one of accepted, next, speed, got 'tall'"):
        curves.save(tmp_path / "curves.png", view="tall")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"picture": "forest"}, "picture must be one of tree, race, got 'forest'"),
        ({"step": 0}, "step must be a whole number from 1 to 23, got 0"),
        ({"step": 24}, "step must be a whole number from 1 to 23, got 24"),
        ({"step": "2"}, "step must be a whole number from 1 to 23, got '2'"),
        ({"theme": "blue"}, "theme must be one of light, dark, got 'blue'"),
    ],
)
def test_a_bad_argument_is_named(trace, tmp_path, given, message):
    with pytest.raises(ValueError, match=message):
        trace.save(tmp_path / "tree.svg", **given)


@pytest.mark.parametrize("name", ["run.json", "run.html"])
def test_only_images_are_of_a_step(trace, tmp_path, name):
    with pytest.raises(ValueError, match=r"step is of an image, so path must end in .svg or .png, got '.*run\."):
        trace.save(tmp_path / name, step=2)
    assert not (tmp_path / name).exists()


def test_what_is_missing_is_named(trace, tmp_path, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "none"))
    with pytest.raises(ValueError, match="an image needs Chrome or Chromium: install one"):
        trace.save(tmp_path / "tree.svg")
    monkeypatch.setitem(sys.modules, "choreographer", None)
    with pytest.raises(ValueError, match="an image needs the package choreographer, pip install choreographer"):
        trace.save(tmp_path / "tree.svg")


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 3", "the browser made no image: The browser seemed to close"),
        ("trap '' TERM; tail -f \"$0\"; exit", "the browser made no image: it did not answer within 1 s"),
    ],
    ids=["ends", "hangs"],
)
def test_a_browser_that_fails_leaves_nothing_behind(trace, tmp_path, stand_in, monkeypatch, script, message):
    stand_in(script)
    if "tail" in script:  # one that ends is given all the time it needs
        monkeypatch.setattr(browser_of_images, "MAX_SECONDS", 1)
    monkeypatch.setattr(browser_of_images, "MAX_CLOSING_SECONDS", 1)
    wait = subprocess.Popen.wait  # choreographer waits for it twice, 6 seconds each time
    monkeypatch.setattr(subprocess.Popen, "wait", lambda self, timeout=None: wait(self, timeout and min(timeout, 0.5)))
    with pytest.raises(RuntimeError, match=message):
        trace.save(tmp_path / "tree.svg")
    assert not (tmp_path / "tree.svg").exists()
