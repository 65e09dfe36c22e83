"""Who may know whom: `ersd` neither the page nor its libraries, `visual` neither torch nor, outside its page, Gradio and the engine."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE_FILES = sorted((ROOT / "ersd").rglob("*.py"))
VISUAL_FILES = sorted((ROOT / "visual").rglob("*.py"))
PLAIN_DATA = {
    "ersd.draft_tree", "ersd.settings",
    "ersd.trace", "ersd.trace.model", "ersd.trace.step", "ersd.trace.statistics", "ersd.trace.rank_sequence", "ersd.trace.temperatures",
    "ersd.lab.results", "ersd.curves.results",
    "ersd.rules.registry", "ersd.drafts.topologies", "ersd.trace.bounds", "ersd.costs", "ersd.formatting",
    "ersd.theory.clock_sums", "ersd.theory.speed", "ersd.theory.pays", "ersd.theory.tree_estimate",
    "ersd.trace.draft_sizes", "ersd.trace.predrafting",
}  # fmt: skip
"""What of the engine the pictures may know."""


LAYERS = [
    "ersd.formatting", "ersd.machine", "ersd.isolation", "ersd.randomness", "ersd.sampling",
    "ersd.rules.registry", "ersd.drafts.topologies", "ersd.settings", "ersd.theory", "ersd.costs",
    "ersd.draft_tree", "ersd.contexts", "ersd.watermarking", "ersd.walk", "ersd.rules", "ersd.text", "ersd.models", "ersd.drafts",
    "ersd.trace", "ersd.calibration", "ersd.load", "ersd.decoding", "ersd.rerun", "ersd.lab", "ersd.curves", "ersd.cli", "ersd",
    "visual.payload", "visual.assets", "visual.markup", "visual.export", "visual.server", "visual.ui", "visual",
]  # fmt: skip
"""From the bottom to the top: each knows only those before it. Names of rules and trees stand below the settings that allow them."""


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(path: Path) -> set[str]:
    """The modules that a file imports, relatively or absolutely, for its types only or for good."""
    package, names = list(path.relative_to(ROOT).parent.parts), set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            of_modules = {f"{module}.{alias.name}" for alias in node.names if is_module(f"{module}.{alias.name}")}
            names |= of_modules or {module}
    return names


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def layer_of(module: str) -> str:
    """The entry of LAYERS that a module belongs to: the longest that its name begins with."""
    return max((layer for layer in LAYERS if f"{module}.".startswith(f"{layer}.")), key=len)


def packages(modules: set[str]) -> set[str]:
    return {module.split(".")[0] for module in modules}


def test_the_engine_does_not_know_the_page():
    for path in ENGINE_FILES:
        assert not packages(imported(path)) & {"visual", "gradio", "plotly", "networkx", "app"}, path


def test_imports_point_downwards():
    for path in [*ENGINE_FILES, *VISUAL_FILES]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        here = layer_of(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        for module in imported(path):
            if packages({module}) <= {"ersd", "visual"}:
                assert LAYERS.index(layer_of(module)) <= LAYERS.index(here), f"{name_of(path)} imports {module}"


def test_one_file_of_the_engine_looks_for_the_page_and_only_when_called():
    named = [name_of(path) for path in ENGINE_FILES if "visual.export" in path.read_text(encoding="utf-8")]
    assert named == ["ersd/trace/files.py"]


def test_one_function_measures_all_times_that_are_shown():
    clocks = ("perf_counter", "process_time", "time.time(", "time_ns()")
    measuring = [name_of(path) for path in [*ENGINE_FILES, *VISUAL_FILES] if any(one in path.read_text(encoding="utf-8") for one in clocks)]
    assert measuring == ["ersd/machine.py"], "the others take `now_ms`; limits of time are not shown and take `time.monotonic`"


def test_the_pictures_know_only_plain_data():
    for path in VISUAL_FILES:
        modules = imported(path)
        assert not packages(modules) & {"torch", "transformers"}, path
        if "payload" in path.parts:
            assert "gradio" not in packages(modules), path
            assert {module for module in modules if packages({module}) == {"ersd"}} <= PLAIN_DATA, path


def test_settings_names_traces_and_pictures_load_without_torch_and_gradio():
    """In a Python of its own, the process that reads large traces too. That no file of the engine imports the page is tested above."""
    payload = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "visual" / "payload").rglob("*.py")]
    suspects = {"torch", "transformers", "gradio", "visual", "numpy"}
    script = f"""
import sys, ersd
ersd.Settings(), ersd.ALGORITHMS, ersd.METHODS, ersd.TOPOLOGIES
import ersd.trace.files, ersd.trace.reader
print(sorted({suspects} & set(sys.modules)))
import {", ".join(payload).replace(".__init__", "")}, visual.server.trace_reader
print(sorted({suspects} & set(sys.modules) - {{"visual", "numpy"}}))
"""
    found = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n[]\n"


def test_no_file_is_too_large_and_the_pair_stays_small():
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    sizes = {name: (ROOT / name).stat().st_size for name in files if name and (ROOT / name).exists()}
    assert max(sizes.values()) < 10_000_000
    assert sum(size for name, size in sizes.items() if name.startswith("assets/pair/")) < 65_000_000
