"""The repository as a Hugging Face Space: the front matter of the README fits the requirements, and what ZeroGPU takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from PIL import Image, ImageSequence

from ersd.models.catalogue import read_catalogue

ROOT = Path(__file__).resolve().parent.parent
ZERO_GPU_PYTHON = ("3.10", "3.12")
ZERO_GPU_TORCH = ("2.8.0", "2.9.1", "2.10.0", "2.11.0")
"""What ZeroGPU takes."""


HARDWARE = ("cpu-basic", "cpu-upgrade", "t4-small", "t4-medium", "l4x1", "l4x4", "a10g-small", "a10g-large", "a10g-largex2", "a100-large")
"""What a card may suggest, of the platform's list."""


@pytest.fixture(scope="module")
def card() -> dict:
    return yaml.safe_load((ROOT / "README.md").read_text(encoding="utf-8").split("---\n")[1])


def requirements(python: str) -> dict[str, Requirement]:
    """Those that count for a version of Python."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    read = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {one.name: one for one in read if not one.marker or one.marker.evaluate({"python_version": python})}


def test_the_card_is_what_a_space_reads(card):
    assert card["sdk"] == "gradio"
    assert (ROOT / card["app_file"]).is_file()
    assert len(card["short_description"]) <= 60
    assert not re.search(r"\w", card["emoji"])
    assert {card["colorFrom"], card["colorTo"]} <= {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
    assert card["suggested_hardware"] in HARDWARE
    assert requirements(card["python_version"])["gradio"].specifier.contains(card["sdk_version"])


def test_the_requirements_resolve_to_what_zero_gpu_takes(card):
    assert card["python_version"] in ZERO_GPU_PYTHON
    torch = requirements(card["python_version"])["torch"].specifier
    versions = [f"2.{minor}.{patch}" for minor in range(20) for patch in range(3)]
    allowed = [version for version in versions if torch.contains(version)]
    assert set(ZERO_GPU_TORCH) <= set(allowed)
    # of the minor versions these are all that were released
    assert not {"2.7.1", "2.9.0", "2.12.0", "2.12.1", "2.13.0", "2.14.0", "2.15.0"} & set(allowed)


def test_the_models_of_the_card_are_in_the_catalogue(card):
    known = {model for offer in read_catalogue() for model in (offer.target, offer.draft)}
    assert set(card["models"]) <= known


def test_every_picture_of_the_readmes_is_there_and_the_film_moves_and_is_small():
    pages = [ROOT / name for name in ("README.md", "visual/export/README.md", "ersd/curves/README.md")]
    shown = [(page.parent / path).resolve() for page in pages for path in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text("utf-8"))]
    assert len(shown) == 7
    assert all(path.is_file() for path in shown)
    film = next(path for path in shown if path.suffix == ".webp")
    assert film.stat().st_size < 2_000_000
    with Image.open(film) as frames:
        seen = [frame.copy().info["duration"] for frame in ImageSequence.Iterator(frames)]  # known when it has been read
    assert len(seen) > 30
    assert 3_000 < sum(seen) < 9_000, "at about the speed of the page"
