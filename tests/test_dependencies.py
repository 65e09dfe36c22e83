"""Who may know whom: `ersd` neither the page nor its libraries, `visual` neither torch nor, outside its page, Gradio."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def imported(path: Path) -> set[str]:
    """Top-level names of everything a file imports absolutely."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("path", sorted((ROOT / "ersd").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_engine_does_not_know_the_page(path):
    assert not imported(path) & {"visual", "gradio", "plotly", "networkx", "app"}


@pytest.mark.parametrize("path", sorted((ROOT / "visual").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_pictures_do_not_know_torch(path):
    forbidden = {"torch", "transformers"} | (set() if "page" in path.parts else {"gradio"})
    assert not imported(path) & forbidden


def test_the_pictures_load_without_torch_and_gradio():
    modules = ["visual." + path.stem for path in (ROOT / "visual").glob("*.py") if path.stem != "__init__"]
    code = f"import sys, {', '.join(modules)}\nprint(sorted({{'torch', 'gradio', 'transformers'}} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_engine_loads_without_gradio_and_plotly():
    code = "import sys, ersd, ersd.engine, ersd.theory\nprint(sorted({'gradio', 'plotly', 'visual', 'networkx'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_no_file_is_too_large_and_the_pair_stays_small():
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    sizes = {name: (ROOT / name).stat().st_size for name in files if name and (ROOT / name).exists()}
    assert max(sizes.values()) < 10_000_000
    assert sum(size for name, size in sizes.items() if name.startswith("assets/pair/")) < 25_000_000
