"""What the process around us has set in PyTorch or numpy changes nothing here, and we change nothing of it."""

import contextlib
import dataclasses
import sys

import numpy as np
import pytest
import torch

import ersd
from ersd.isolation import isolated
from ersd.rerun import ranks_of

from .tiny import letters, llama, tiny_llama_pair, tiny_pair


@contextlib.contextmanager
def together(*settings):
    """Several settings in force at once."""
    with contextlib.ExitStack() as stack:
        for each in settings:
            stack.enter_context(each)
        yield


@contextlib.contextmanager
def setting(current, change, value):
    """A setting of the whole process, put back at the end."""
    before = current()
    change(value)
    try:
        yield
    finally:
        change(before)


def dtype(value):
    return setting(torch.get_default_dtype, torch.set_default_dtype, value)


SETTINGS = {
    "autocast, float64, gradients": lambda: together(
        torch.autocast("cpu", dtype=torch.bfloat16), dtype(torch.float64), torch.enable_grad()
    ),
    "device, inference mode": lambda: together(torch.device("meta"), torch.inference_mode()),
    "bfloat16, deterministic, no gradients, numpy raises": lambda: together(
        dtype(torch.bfloat16),
        setting(torch.are_deterministic_algorithms_enabled, torch.use_deterministic_algorithms, True),
        torch.no_grad(),
        np.errstate(all="raise"),
    ),
}
"""What a caller may have set: those that do not exclude each other at once, since each run of this test takes seconds."""
WAYS = (("ersd", "tau_star"), ("ersd", "dynamic"), ("gsd", "specinfer"))
RUNS = [ersd.Settings(*way, 4, max_new_tokens=12, seed=3, top_p=0.95) for way in WAYS]
P, Q = [0.5, 0.3, 0.15, 0.05], [0.2, 0.3, 0.3, 0.2]


@pytest.fixture(scope="module", autouse=True)
def short():
    """One round of timing at load, and short texts for curves: what is set shows in them too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ersd.calibration.ROUNDS", 1)
        patch.setattr("ersd.curves.acceptance.TOKENS", 6)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("pair")
    for role, seed in (("target", 1), ("draft", 2)):
        llama(8, seed=seed).save_pretrained(root / role)
        letters(8).save_pretrained(root / role)
    return root


@pytest.fixture(scope="module")
def pairs():
    return [tiny_pair(), tiny_llama_pair()]


def runs_of(pair):
    """All that the runs of a pair give, but for times."""
    traces = [ersd.run(pair, "abc", settings) for settings in RUNS]
    times = {field.name: None for field in dataclasses.fields(ersd.Step) if field.name.endswith("_ms")}
    untimed = [[dataclasses.replace(step, **times) for step in trace.steps] for trace in traces]
    unrecorded = list(ersd.generate(pair, "abc", RUNS[0], record=False))
    return repr([untimed, unrecorded, ersd.replay(traces[0], pair).here, ranks_of(pair, traces[0])])


def experiments(pair):
    """The same of the lab and of the curves."""
    lab, block, names = ersd.lab, ersd.lab.rule_of("block"), list("abcd")
    # what an experiment remembers would hide a difference
    sys.modules["ersd.lab.experiment"]._curves.cache_clear()
    return repr(
        [
            [part.tolist() for algorithm in ("ersd", "gsd_wor") for part in lab.trials(algorithm, P, Q, 3, 50)],
            [lab.experiment(block, P, Q, 2, 50, 1, 2), lab.record(block, P, Q, 2, 5, 1, names), lab.agreement(P, Q, 20, 1)],
            [lab.by_guess(lab.rule_of("ersd"), P, Q, 2), lab.clocks_of(lab.rule_of("ersd"), 1, 2, 5), str(lab.check("gsd", 2, 100))],
            ersd.curves.whole(pair, ersd.curves.Plan((1.0,), (2,), texts=1, calls=2, prompts=["ab"])),
        ]
    )


@pytest.fixture(scope="module")
def expected(pairs, folder):
    """As it is where nothing is set."""
    return [runs_of(pair) for pair in [*pairs, load(folder)]], experiments(pairs[0])


def load(folder):
    return ersd.load_pair(folder / "target", folder / "draft", device="cpu")


@pytest.mark.parametrize("name", SETTINGS)
def test_what_the_caller_has_set_changes_nothing(name, pairs, folder, expected):
    with SETTINGS[name]():
        loaded = load(folder)
        assert [runs_of(pair) for pair in [*pairs, loaded]] == expected[0]
        assert experiments(pairs[0]) == expected[1]
    assert runs_of(loaded) == expected[0][-1]


def test_between_two_steps_the_callers_settings_are_in_force(pairs):
    settings = dataclasses.replace(RUNS[0], max_new_tokens=40)
    plain = list(ersd.generate(pairs[0], "abc", settings, record=False))
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.device("meta"):
        for record in (True, False):
            with contextlib.closing(ersd.generate(pairs[0], "abc", settings, record)) as steps:
                next(steps)
                assert torch.is_autocast_enabled("cpu")
                assert torch.empty(0).is_meta
                assert not torch.is_inference_mode_enabled()
        begun = ersd.generate(pairs[0], "abc", settings, record=False)
        first = next(begun)
    assert [first, *begun] == plain


def test_a_generator_that_is_left_closes_what_it_wraps():
    closed = []

    @isolated
    def steps():
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    begun = steps()
    assert next(begun) == 1
    begun.close()
    assert closed == [True]
