"""Settings: every bound as a number that stands here, every message, and the combinations that make no sense."""

from __future__ import annotations

import dataclasses
import json
import math
import pickle

import pytest
from hypothesis import given, settings, strategies as st

import ersd
from ersd import ALGORITHMS, METHODS, TOPOLOGIES, Settings
from ersd.settings import ALLOWED, HELP, RANGES, THREADS, parts_of

from .hostile import LONGEST, anything, refusal

LEAST, NEXT_TO_ONE, NEXT_TO_FIVE = 5e-324, math.nextafter(1, 2), math.nextafter(5, 6)


@pytest.mark.parametrize(
    ("field", "allowed", "refused"),
    [
        ("draft_tokens", (1, 2, 255, 256), (0, 257)),
        ("temperature", (0, LEAST, math.nextafter(5, 0), 5), (-LEAST, NEXT_TO_FIVE)),
        ("top_k", (0, 1, 999_999, 1_000_000), (-1, 1_000_001)),
        ("top_p", (LEAST, math.nextafter(1, 0), 1), (0, -LEAST, NEXT_TO_ONE)),
        ("max_new_tokens", (1, 2, 4095, 4096), (0, 4097)),
        ("seed", (0, 1, 9_007_199_254_740_991), (-1, 9_007_199_254_740_992)),
        ("sequences", (1, 2, 63, 64), (0, 65)),
        ("leniency", (0, LEAST, math.nextafter(1, 0), 1), (-LEAST, NEXT_TO_ONE)),
    ],
)
def test_a_number_is_taken_up_to_its_bounds_and_refused_beyond(field, allowed, refused):
    for value in allowed:
        assert getattr(Settings(**{field: value}), field) == value
    for value in (*refused, -(10**400), 10**400, 1e308, -math.inf, math.inf, math.nan, True, None, "4", [4]):
        assert refusal(lambda value=value: Settings(**{field: value})).startswith(f"{field} must be {ALLOWED[field]}, got ")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"draft_tokens": 0}, "draft_tokens must be a whole number from 1 to 256, got 0"),
        ({"draft_tokens": 2.5}, "draft_tokens must be a whole number from 1 to 256, got 2.5"),
        ({"temperature": "hot"}, "temperature must be a number from 0 to 5, got 'hot'"),
        ({"top_p": 0}, "top_p must be a number above 0 and at most 1, got 0"),
        ({"seed": 2**53}, "seed must be a whole number from 0 to 9007199254740991, got 9007199254740992"),
        ({"seed": 10**5000}, "seed must be a whole number from 0 to 9007199254740991, got a number of more than 200 digits"),
        ({"chat": "perhaps"}, "chat must be true or false, got 'perhaps'"),
        ({"algorithm": "magic"}, f"algorithm must be one of {', '.join(ALGORITHMS)}, got 'magic'"),
        ({"topology": ["ring"]}, f"topology must be one of {', '.join(TOPOLOGIES)}, got ['ring']"),
    ],
)
def test_a_message_names_field_value_and_bounds(values, message):
    assert refusal(lambda: Settings(**values)) == message


def test_positional_values_are_named_too():
    assert refusal(lambda: Settings("ersd", "tau_star", 0)) == "draft_tokens must be a whole number from 1 to 256, got 0"


@pytest.mark.parametrize(
    ("value", "branching"),
    [
        ((64, 3), (64, 3)), ([16, 15.0], (16, 15)), ([1] * 16, (1,) * 16), (" 2, 1", (2, 1)), ("64", (64,)),
        ((), None), ((4, 0), None), ((65,), None), ([1] * 17, None), (3, None), ("4,x", None), ("4,,1", None), ("²", None),
        ("1," * 10**6, None), ([True], None), ([[1]], None),
    ],
)  # fmt: skip
def test_a_branching_is_a_list_or_text_of_up_to_16_numbers_up_to_64(value, branching):
    if branching:
        assert Settings(branching=value).branching == branching
        return
    words = "1 to 16 whole numbers from 1 to 64, such as 4,2,1,1, with at most 256 nodes in all"
    assert refusal(lambda: Settings(branching=value)).startswith(f"branching must be {words}, got {repr(value)[:50]}")


@pytest.mark.parametrize(("value", "size"), [((64, 4), "320"), ([16, 16], "272"), ((64,) * 4, "17,043,520")])
def test_a_branching_of_more_than_256_vertices_is_refused_with_their_number(value, size):
    assert refusal(lambda: Settings(branching=value)).endswith(f"at most 256 nodes in all, got {value} with {size}")


@pytest.mark.parametrize(
    ("algorithm", "topology", "reason"),
    [
        ("gsd", "dynamic", "no longer distributed as the target's"),
        ("gsd_wor", "dynamic", "no longer distributed as the target's"),
        ("kseq", "dynamic", "no longer distributed as the target's"),
        ("block", "batch", "one drafted token per node"),
        ("lossy", "tau_star", "one drafted token per node"),
        ("lossy", "dynamic", "one drafted token per node"),
    ],
)
def test_a_combination_that_makes_no_sense_is_refused_with_the_reason(algorithm, topology, reason):
    with pytest.raises(ValueError, match=f"^topology must be .* for {algorithm}, got '{topology}': .*{reason}"):
        Settings(algorithm=algorithm, topology=topology)


def test_vertices_follow_from_the_topology():
    assert Settings("gsd", "specinfer", branching=[4, 2.0, 1, 1]).vertices == 28
    assert Settings("kseq", "multi_sequence", draft_tokens=14).vertices == 12
    assert Settings("kseq", "multi_sequence", draft_tokens=2).vertices == 2
    assert Settings("ersd", "batch", draft_tokens=5).vertices == 5
    assert Settings("autoregressive", "dynamic").vertices == 0


def test_settings_are_a_frozen_dataclass_with_plain_values():
    made = Settings(draft_tokens=4.0, seed=3.0, temperature=1, branching="2,1", chat="true")
    types = {"draft_tokens": int, "seed": int, "temperature": float, "chat": bool, "branching": tuple}
    assert {name: type(getattr(made, name)) for name in types} == types
    assert dataclasses.replace(made, chat=0) == Settings(draft_tokens=4, seed=3, branching=(2, 1))
    assert pickle.loads(pickle.dumps(made)) == made
    assert hash(made) == hash(dataclasses.replace(made))
    with pytest.raises(ValueError, match="seed must be a whole number from 0"):
        dataclasses.replace(made, seed=-1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.seed = 1
    for unknown in (lambda: Settings(colour=1), lambda: Settings(*range(13)), lambda: Settings("ersd", algorithm="gsd")):
        with pytest.raises((TypeError, ValueError)):
            unknown()


@pytest.mark.parametrize("name", ["colour", "self", "__dataclass_self__", "x" * 1000])
def test_a_name_that_is_not_a_setting_is_refused(name):
    message = refusal(lambda: Settings.from_dict({name: 1, "seed": 2}))
    assert message.startswith(f"{name[:50]}")
    assert " is not a setting; the settings are algorithm, branching" in message
    assert len(message) < LONGEST


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(sorted(HELP)), anything, max_size=4))
def test_settings_take_what_is_in_range_and_name_the_field_of_what_is_not(values):
    message = refusal(lambda: Settings(**values))
    if message:
        assert message.split(" ")[0] in values or message.startswith("topology must be ")
        assert len(message) < LONGEST
        return
    made = Settings(**values)
    for name, bounds in RANGES.items():
        assert bounds.low <= getattr(made, name) <= bounds.high
    assert Settings.from_dict(json.loads(json.dumps(made.to_dict()))) == made


def test_a_single_value_is_checked_as_a_field_is():
    assert [THREADS.check("threads", value) for value in (1, 2.0, 1024)] == [1, 2, 1024]
    for value in (0, 1025, 1.5, "2", True, None):
        message = f"--threads must be a whole number from 1 to 1024, got {value!r}"
        assert refusal(lambda value=value: THREADS.check("--threads", value)) == message


def test_every_field_has_help_and_every_method_exists():
    fields = {field.name for field in dataclasses.fields(Settings)}
    assert set(HELP) == set(Settings().to_dict()) == fields
    assert set(ALLOWED) | {"algorithm", "topology", "source", "keys"} == fields
    for name, (algorithm, topology) in METHODS.items():
        assert Settings(algorithm, topology)
        assert parts_of(name) == (algorithm, topology)
    assert refusal(lambda: parts_of("magic")) == f"method must be one of {', '.join(METHODS)}, got 'magic'"
    assert {"ersd", "gsd", "greedy", "autoregressive"} <= set(ersd.ALGORITHMS)
    assert {"sequence", "batch", "tau_star"} <= set(ersd.TOPOLOGIES)
