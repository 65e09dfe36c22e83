"""One idea of a whole model: the check at start, the look into the hub's cache and the loader agree."""

from __future__ import annotations

import json
import shutil

import pytest
from safetensors.torch import load_file, save_file

import ersd
from ersd.models import hub
from ersd.models.checkpoint import damage

from ..tiny import letters, llama


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A whole model in one file and one in two."""
    root = tmp_path_factory.mktemp("saved")
    for name, more in (("one", {}), ("two", {"max_shard_size": "16KB"})):
        llama(8, seed=1).save_pretrained(root / name, **more)
        letters(8).save_pretrained(root / name)
    assert len(list((root / "two").glob("*.safetensors"))) > 1
    return root


@pytest.fixture(params=["one", "two"])
def folder(request, saved, tmp_path):
    return shutil.copytree(saved / request.param, tmp_path / request.param)


def _is_here(folder, monkeypatch) -> bool:
    monkeypatch.setattr(hub, "snapshot_download", lambda *_, **__: str(folder))
    return hub.is_here("tiny/model")


def _loads(folder) -> str:
    """The loader's message; empty if the folder loads."""
    try:
        ersd.load_pair(folder, folder, device="cpu")
    except ValueError as problem:
        return str(problem)
    return ""


def weights(folder):
    return sorted(folder.glob("*.safetensors"))[0]


def cut_off(file):
    file.write_bytes(file.read_bytes()[:-9])


def as_pointer(file):
    file.write_text("version https://git-lfs.github.com/spec/v1\n")


BROKEN = {
    "no configuration": (lambda folder: (folder / "config.json").unlink(), "config.json is missing"),
    "configuration cut off": (lambda folder: cut_off(folder / "config.json"), "config.json is damaged"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").unlink(), "the tokenizer is missing"),
    "tokenizer cut off": (lambda folder: cut_off(folder / "tokenizer.json"), "tokenizer.json is damaged or cut off"),
    "tokenizer not fetched": (lambda folder: as_pointer(folder / "tokenizer.json"), "tokenizer.json is a pointer of git-lfs"),
    "no weights": (lambda folder: weights(folder).unlink(), "safetensors is missing"),
    "weights cut off": (lambda folder: cut_off(weights(folder)), "safetensors is damaged or cut off"),
    "weights not fetched": (lambda folder: as_pointer(weights(folder)), "safetensors is a pointer of git-lfs"),
    "weights with more bytes": (lambda folder: weights(folder).write_bytes(weights(folder).read_bytes() + b"x"), "is damaged or cut off"),
    "weights empty": (lambda folder: weights(folder).write_bytes(b""), "is damaged or cut off"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_model_is_refused_by_all_three_with_one_reason(folder, what, monkeypatch):
    break_it, reason = BROKEN[what]
    break_it(folder)
    assert reason in damage(folder)
    assert not _is_here(folder, monkeypatch)
    assert damage(folder) in _loads(folder)


def test_files_that_nobody_reads_do_not_matter(folder, monkeypatch):
    (folder / "consolidated.safetensors").write_bytes(b"cut off")
    (folder / "model-00007-of-00009.safetensors").write_bytes(b"")
    as_pointer(folder / "adapter.safetensors")
    (folder / "training_args.json").write_text("{")
    assert damage(folder) == ""
    assert _is_here(folder, monkeypatch)
    assert _loads(folder) == ""


def test_an_index_is_read_where_there_is_no_single_file(saved, tmp_path):
    folder = shutil.copytree(saved / "one", tmp_path / "both")
    (folder / "model.safetensors.index.json").write_text("{")
    assert damage(folder) == ""
    assert _loads(folder) == ""
    broken = shutil.copytree(saved / "two", tmp_path / "broken")
    (broken / "model.safetensors.index.json").write_text("{")
    assert damage(broken) == "model.safetensors.index.json is damaged: fetch it again"


def test_a_name_that_is_no_folder_may_be_a_hub_id(tmp_path):
    assert damage(tmp_path / "nowhere").startswith("there is no such folder")
    assert damage(type(tmp_path)("somebody/model")) == ""
    assert damage(type(tmp_path)("x" * 5000)) == ""


def _change(folder, change):
    file = folder / "model.safetensors"
    tensors = load_file(file)
    change(tensors)
    save_file(tensors, file, {"format": "pt"})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda tensors: tensors.pop("lm_head.weight"), "missing tensors: lm_head.weight"),
        (
            lambda tensors: [tensors.pop(name) for name in list(tensors) if "mlp" in name],
            "missing tensors: model.layers.0.mlp.* and 3 more",
        ),
        (
            lambda tensors: tensors.update({"model.norm.weight": tensors["model.norm.weight"][:-1].clone()}),
            r"tensors of the wrong shape: model.norm.weight \(\[15\], must be \[16\]\)",
        ),
    ],
)
def test_missing_and_misshapen_tensors_are_an_error_that_names_them(saved, tmp_path, change, reason):
    folder = shutil.copytree(saved / "one", tmp_path / "changed")
    _change(folder, change)
    with pytest.raises(ValueError, match=f"draft must be a causal language model with all its weights, got .*: {reason}"):
        ersd.load_pair(saved / "one", folder, device="cpu")


def test_tensors_that_the_model_does_not_use_are_a_notice(saved, tmp_path):
    folder = shutil.copytree(saved / "one", tmp_path / "changed")
    _change(folder, lambda tensors: tensors.update({"model.more.weight": tensors["model.norm.weight"].clone()}))
    pair = ersd.load_pair(folder, saved / "one", device="cpu")
    assert pair.notices == ("target: tensors that the model does not use: model.more.weight",)
    assert ersd.load_pair(saved / "one", saved / "two", device="cpu").notices == ()


@pytest.mark.parametrize("what", ["config", "tokenizer"])
def test_code_of_a_repository_is_never_run_and_nobody_is_asked(saved, tmp_path, what, monkeypatch):
    folder, marker = shutil.copytree(saved / "one", tmp_path / "own"), tmp_path / "was_run"
    (folder / "own_code.py").write_text(f"open({str(marker)!r}, 'w').close()\n")
    file = folder / ("config.json" if what == "config" else "tokenizer_config.json")
    own = {"AutoConfig": "own_code.Own", "AutoModelForCausalLM": "own_code.Own"}
    own = {"model_type": "own_thing", "auto_map": own} if what == "config" else {
        "tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["own_code.Own", "own_code.Own"]}
    }  # fmt: skip
    file.write_text(json.dumps(json.loads(file.read_text()) | own))
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("a question was asked"))
    assert "no code of a repository is run here" in _loads(folder)
    assert not marker.exists()
