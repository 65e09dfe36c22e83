"""Starting `app.py`: flags and variables, and a problem at the start, reported in one line with exit code 2."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest

import app
import ersd.load
from ersd.models.catalogue import read_catalogue
from tests.page.browser import free_port
from visual.server import recorded
from visual.server.pairs import EMBEDDED, load_public, pairs_of, public_offers

POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in [name for name in os.environ if name.startswith(("ERSD_", "SPACE_ID", "GRADIO_SERVER_", "GRADIO_ROOT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setattr("gradio.Blocks.launch", lambda *_, **__: pytest.fail("it is served all the same"))


def said(capsys, *flags: str) -> str:
    """The one line that is said instead of serving."""
    with pytest.raises(SystemExit) as ended:
        app.main(["--port", str(free_port()), *flags])
    assert ended.value.code == 2
    lines = capsys.readouterr().err.strip().split("\n")
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("--port 0", "--port must be a whole number from 1 to 65535, got 0"),
        ("--port 65536", "--port must be a whole number from 1 to 65535, got 65536"),
        ("--port x", "--port: invalid int value: 'x'"),
        ("--threads 0", "--threads must be a whole number from 1 to 1024, got 0"),
        ("--threads 1025", "--threads must be a whole number from 1 to 1024, got 1025"),
        ("--host nowhere.invalid", "--host must be a name or an address of this machine"),
        ("--host 203.0.113.7", "--host must be an address of this machine"),
        ("--device tpu", "device must be one of auto, cpu, cuda, got 'tpu'"),
        ("--dtype int8", "dtype must be one of auto, float32, bfloat16, float16, got 'int8'"),
        ("--device-map x", "device_map must be one of none, auto, got 'x'"),
        ("--run-seconds 0", "--run-seconds must be a number above 0, got 0"),
        ("--run-seconds nan", "--run-seconds must be a number above 0, got nan"),
        ("--draft a", "--draft must be given with --target, got a alone"),
        ("--pairs nobody", "--pairs must be all, none, or some of SmolLM2 1.7B ← 135M"),
        ("--target /nowhere/a --draft /nowhere/b", "/nowhere/a: there is no such folder"),
    ],
)
def test_flags_that_cannot_be(capsys, flags, words):
    assert words in said(capsys, *flags.split())


def test_a_gpu_and_a_package_that_are_not_here(capsys, monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert "device must be one this machine has, got 'cuda' without a CUDA GPU" in said(capsys, "--device", "cuda")
    monkeypatch.setattr("ersd.machine.find_spec", lambda _: None)
    assert "got 'auto': pip install accelerate" in said(capsys, "--device-map", "auto")


def test_a_port_that_is_taken(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"something listens on {port} already: stop it, or choose another" in said(capsys, "--port", str(port))


def test_a_temporary_folder_that_cannot_be_written_to(capsys, monkeypatch):
    monkeypatch.setenv("GRADIO_TEMP_DIR", "/dev/null/none")
    assert "set GRADIO_TEMP_DIR to a folder that can be" in said(capsys)
    monkeypatch.delenv("GRADIO_TEMP_DIR")
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/dev/null/none")
    assert "set TMPDIR to a folder that can be" in said(capsys)


@pytest.fixture
def embedded(tmp_path, monkeypatch) -> Path:
    """A copy of the embedded pair, which is the one that is served."""
    copy = shutil.copytree(ersd.load.EMBEDDED, tmp_path / "pair")
    monkeypatch.setattr(ersd.load, "EMBEDDED", copy)
    monkeypatch.setattr(ersd.load, "HAZARDS", copy / "hazards.json")
    return copy


def test_a_pair_that_is_missing_or_damaged(capsys, embedded):
    weights = sorted((embedded / "target").glob("*.safetensors"))[-1]
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1])
    assert f"{weights.name} is damaged or cut off: fetch it again" in said(capsys)
    weights.write_text(POINTER)
    assert f"{weights.name} is a pointer of git-lfs and not the file itself: run git lfs pull" in said(capsys)
    with pytest.raises(ersd.load.PairError, match="run git lfs pull"):
        ersd.load_pair()
    weights.unlink()
    assert f"{weights.name} is missing" in said(capsys)
    weights.write_bytes(whole)
    shutil.rmtree(embedded / "draft")
    assert f"{embedded / 'draft'}: there is no such folder" in said(capsys)


@pytest.mark.parametrize(
    "content", ['{"model":', "[]", '{"model": 1}', '{"model": {"ersd": ["x"]}}', '{"model": {"ersd": [2]}}', "\ufeff\x00"]
)
def test_hazards_that_are_damaged(capsys, embedded, content):
    (embedded / "hazards.json").write_text(content)
    assert "hazards.json is damaged: restore it with git checkout" in said(capsys)


@pytest.mark.parametrize("content", ['{"version":', "[]", '{"version": -1}'])
def test_a_recorded_run_that_is_damaged(capsys, tmp_path, monkeypatch, content):
    monkeypatch.setattr(recorded, "RECORDED", tmp_path)
    (tmp_path / "run.json").write_text(content)
    assert "run.json is damaged, or of another version: restore it with git checkout" in said(capsys)


def test_a_flag_counts_before_our_variables_and_those_before_gradios(monkeypatch):
    assert (app.arguments([]).host, app.arguments([]).port, app.arguments([]).root_path) == ("127.0.0.1", 7860, "")
    for name, value in {"SERVER_NAME": "gradio.host", "SERVER_PORT": "1001", "ROOT_PATH": "/gradio"}.items():
        monkeypatch.setenv(f"GRADIO_{name}", value)
    flags = app.arguments([])
    assert (flags.host, flags.port, flags.root_path) == ("gradio.host", 1001, "/gradio")
    for name, value in {"HOST": "our.host", "PORT": "1002", "ROOT_PATH": "/ours"}.items():
        monkeypatch.setenv(f"ERSD_{name}", value)
    flags = app.arguments([])
    assert (flags.host, flags.port, flags.root_path) == ("our.host", 1002, "/ours")
    flags = app.arguments(["--host", "flag.host", "--port", "1003", "--root-path", "/flag"])
    assert (flags.host, flags.port, flags.root_path) == ("flag.host", 1003, "/flag")
    monkeypatch.setenv("ERSD_PORT", "")  # said, but empty
    assert app.arguments([]).port == 1001


FLAGS = {
    "target": "t", "draft": "d", "pairs": "none", "device": "cpu", "device_map": "auto", "dtype": "float32", "threads": 3,
    "run_seconds": 7.0, "host": "our.host", "port": 1002, "root_path": "/ours",
}  # fmt: skip


@pytest.mark.parametrize("name", FLAGS)
def test_every_flag_is_a_variable_too_and_an_empty_one_is_none(monkeypatch, name):
    both = ["--target", "t", "--draft", "d"]  # no draft without a target
    variable, flag = f"ERSD_{name.upper()}", "--" + name.replace("_", "-")
    usual = getattr(app.arguments([]), name)
    monkeypatch.setenv(variable, "")
    assert getattr(app.arguments([]), name) == usual != FLAGS[name]
    monkeypatch.setenv(variable, str(FLAGS[name]))
    assert getattr(app.arguments([] if name not in ("target", "draft") else both), name) == FLAGS[name]
    other = {int: "99", float: "99"}.get(type(FLAGS[name]), "/other")
    assert str(getattr(app.arguments([*both, flag, other]), name)).removesuffix(".0") == other


@pytest.mark.parametrize(
    ("written", "path"),
    [("", ""), ("/", ""), ("demo", "/demo"), ("/demo/", "/demo"), ("a/b/", "/a/b"), ("https://x.org/demo/", "https://x.org/demo")],
)
def test_a_path_may_be_written_with_slashes_or_without(written, path):
    assert app.arguments(["--root-path", written]).root_path == path


@pytest.fixture
def launched(monkeypatch) -> dict:
    """The options that the page is launched with, and what Gradio would then render on the server; nothing is served."""
    given: dict = {}

    def launch(page, **options) -> None:
        given.update(options, environment=os.environ["GRADIO_SSR_MODE"], rendered=page._resolve_ssr_mode(options["ssr_mode"]))

    monkeypatch.setattr("gradio.Blocks.launch", launch)
    monkeypatch.setattr("gradio.Blocks.block_thread", lambda _: None)
    monkeypatch.setattr("visual.server.pairs.Pairs.preload", lambda _: None)
    monkeypatch.setattr("app.check_address", lambda *_: None)  # not every machine has IPv6
    return given


@pytest.mark.parametrize(
    ("flags", "address"),
    [
        ("--host ::1", "http://[::1]:1234"),
        ("--root-path https://x.org/demo/", "https://x.org/demo"),
        ("--root-path demo", "http://127.0.0.1:1234/demo"),
    ],
)
def test_serving_begins_with_one_line_that_names_the_address_and_the_machine(capsys, launched, flags, address):
    app.main(["--port", "1234", "--threads", "1", "--device", "cpu", *flags.split()])
    line = capsys.readouterr().out.split("\n")[0]
    assert line.startswith(f"Serving {address} · cpu, 1 thread, ")
    assert line.endswith(" GB memory · embedded storyteller")
    assert (launched["server_port"], launched["share"]) == (1234, False)


@pytest.mark.parametrize("on_a_space", ["True", "true", ""])
def test_the_page_is_not_rendered_on_the_server_even_if_a_space_asks_for_it(launched, monkeypatch, on_a_space):
    monkeypatch.setenv("GRADIO_SSR_MODE", on_a_space)
    app.main(["--port", "1234", "--threads", "1", "--device", "cpu"])
    assert (launched["environment"], launched["rendered"]) == ("False", False)


@pytest.mark.parametrize("given", [["--target", "a", "--draft", "b"], ["--target", "a"]])
@pytest.mark.parametrize("is_space", [True, False])
def test_a_hosted_page_offers_the_pairs_of_the_catalogue_alone(capsys, monkeypatch, given, is_space):
    if is_space:
        monkeypatch.setenv("SPACE_ID", "somebody/page")
    flags = app.arguments([*given, *([] if is_space else ["--hosted"])])
    assert "--target and --draft are not used" in capsys.readouterr().err
    assert pairs_of(flags).names == [EMBEDDED, *(offer.name for offer in read_catalogue())]


def test_pairs_are_offered_by_name():
    assert public_offers("none") == []
    assert [offer.name for offer in public_offers("Qwen3 8B ← 0.6B")] == ["Qwen3 8B ← 0.6B"]
    own = app.arguments(["--target", "some/target/", "--draft", "some/draft", "--pairs", "none"])
    assert pairs_of(own).names == ["target ← draft", EMBEDDED]


def test_a_pair_that_cannot_be_loaded_is_refused_before_anything_is_fetched(monkeypatch):
    monkeypatch.setattr("ersd.load_pair", lambda **_: pytest.fail("it was loaded"))
    monkeypatch.setattr("ersd.models.hub.is_here", lambda model: False)
    monkeypatch.setattr("ersd.models.hub.constants.HF_HUB_OFFLINE", True)
    reported: list[str] = []
    with pytest.raises(ValueError, match=r"SmolLM2 .* cannot be loaded: .*The embedded storyteller is always there"):
        load_public(app.arguments([]), public_offers("all")[0], reported.append)
    assert reported == ["SmolLM2 1.7B ← 135M: looking for it …"]


def test_the_default_is_half_of_the_cores_this_process_may_use(monkeypatch):
    for cores, threads in (({0}, 1), ({0, 1}, 1), (set(range(8)), 4)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: cores, raising=False)
        monkeypatch.setattr("ersd.machine._groups", lambda: ())
        assert app.arguments([]).threads == threads
