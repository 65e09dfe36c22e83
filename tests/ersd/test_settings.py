import pytest

from ersd import ALGORITHMS, METHODS, TOPOLOGIES, Settings
from ersd.settings import ALLOWED, HELP


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("draft_tokens", 0, "from 1 to 256"),
        ("draft_tokens", 2.5, "a whole number"),
        ("draft_tokens", "4", "a whole number"),
        ("draft_tokens", True, "a whole number"),
        ("draft_tokens", None, "a whole number"),
        ("temperature", -0.1, "from 0 to 5"),
        ("temperature", float("nan"), "a number"),
        ("top_k", -1, "from 0"),
        ("top_p", 0, "above 0 and at most 1"),
        ("top_p", 1.01, "above 0 and at most 1"),
        ("max_new_tokens", 0, "from 1 to 4096"),
        ("seed", -1, "from 0"),
        ("seed", 2**53, "from 0"),
        ("algorithm", "magic", "ersd"),
        ("algorithm", ["ersd"], "ersd"),
        ("topology", "ring", "tau_star"),
        ("branching", (), "1 to 16 whole numbers"),
        ("branching", (4, 0), "from 1 to 64"),
        ("branching", "4,x", "whole numbers"),
        ("branching", (16, 16), "at most 256 vertices"),
        ("branching", 3, "whole numbers"),
        ("sequences", 0, "from 1 to 64"),
        ("leniency", 1.5, "from 0 to 1"),
    ],
)
def test_a_bad_value_is_refused_by_name_value_and_bounds(field, value, allowed):
    with pytest.raises(ValueError, match=field) as caught:
        Settings(**{field: value})
    assert repr(value) in str(caught.value)
    assert allowed in str(caught.value)


@pytest.mark.parametrize(
    ("algorithm", "topology", "reason"),
    [
        ("gsd", "dynamic", "no longer distributed as the target's"),
        ("gsd_wor", "dynamic", "no longer distributed as the target's"),
        ("kseq", "dynamic", "no longer distributed as the target's"),
        ("block", "batch", "one drafted token per vertex"),
        ("lossy", "tau_star", "one drafted token per vertex"),
        ("lossy", "dynamic", "one drafted token per vertex"),
    ],
)
def test_a_combination_that_makes_no_sense_is_refused_with_the_reason(algorithm, topology, reason):
    with pytest.raises(ValueError, match=f"topology must be one of .* for {algorithm}, got '{topology}'") as caught:
        Settings(algorithm=algorithm, topology=topology)
    assert reason in str(caught.value)


def test_vertices_follow_from_the_topology():
    assert Settings("gsd", "specinfer", branching=[4, 2.0, 1, 1]).vertices == 28
    assert Settings("gsd", "specinfer", branching="2, 1").branching == (2, 1)
    assert Settings("kseq", "multi_sequence", draft_tokens=14).vertices == 12
    assert Settings("kseq", "multi_sequence", draft_tokens=2).vertices == 2
    assert Settings("ersd", "batch", draft_tokens=5).vertices == 5
    assert Settings("autoregressive", "dynamic").vertices == 0


def test_whole_floats_from_a_browser_become_integers():
    settings = Settings(draft_tokens=4.0, seed=3.0, temperature=1)
    assert (settings.draft_tokens, settings.seed) == (4, 3)
    assert isinstance(settings.draft_tokens, int)
    assert isinstance(settings.temperature, float)


def test_dictionaries_round_trip_and_unknown_names_are_refused():
    settings = Settings(algorithm="gsd", topology="batch", seed=5)
    assert Settings.from_dict(settings.to_dict()) == settings
    with pytest.raises(ValueError, match="colour is not a setting"):
        Settings.from_dict({"colour": 1})


def test_every_field_has_help_and_every_method_exists():
    assert set(HELP) == set(Settings().to_dict())
    assert set(ALLOWED) | {"algorithm", "topology"} == set(HELP)
    for algorithm, topology in METHODS.values():
        assert Settings(algorithm=algorithm, topology=topology)
    assert {"ersd", "gsd", "greedy", "autoregressive"} <= set(ALGORITHMS)
    assert {"sequence", "batch", "tau_star"} <= set(TOPOLOGIES)
