"""Does it pay for me? The answers of the route, their words, and what is refused by name."""

import json

import pytest

from ersd.theory import pays, read_acceptance
from tests.ersd.hostile import LONGEST, TRICKY
from visual.payload.message_types.curves import PaysAnswer, PaysRefusal
from visual.server.tabs.pays import LABELS, answer

from .fits import problems

COSTS = {"target-ms": "13", "draft-ms": "0.5", "row-ms": "0.3"}
RATES = "0.72, 0.48, 0.33"
RISES = "must not rise, since a guess is accepted only after all before it"
LOG = (
    "Accepted: 6,885 tokens, Drafted: {drafted} tokens, Per-position acceptance rate: 0.720, 0.480, 0.330, Avg Draft acceptance rate: 51.0%"
)


def asked(rates=RATES, **changes):
    found = json.loads(answer({"rates": rates, **COSTS, **{name.replace("_", "-"): value for name, value in changes.items()}}))
    assert problems(found, PaysAnswer) == []
    return found


def test_the_answer_names_method_k_and_speed_up():
    found = asked()
    words = found["words"]
    assert words["headline"] == "Yes, it pays: a chain, k = 3 guesses a call"
    assert (words["figure"], words["range"], words["measure"]) == ("2.14×", "", "the speed of decoding without a draft")
    assert words["doubt"].startswith("No ±: the rates come without a number of drafts.")
    assert words["sentence"].startswith("A call gives 2.53 tokens in 15.4 ms, 6.09 ms a token instead of 13;")
    assert words["sentence"].endswith(
        "From 37 guesses on a chain is slower than no draft, if each further guess is as likely as the last one given."
    )
    assert words["inputs"] == "Target call 13 ms, draft call 0.5 ms, one more row 0.3 ms; accepted: 0.72, 0.48, 0.33"


def test_it_is_what_python_and_the_terminal_say():
    found, same = asked(), pays(read_acceptance(RATES), 13, 0.5, 0.3)
    assert found["speedups"] == pytest.approx(same.speedups, rel=1e-4)
    assert (found["k"], found["logged"], found["slower_from"]) == (same.k, same.logged, same.slower_from)
    assert found["tokens"][:3] == pytest.approx([1.72, 2.2, 2.53])


def test_a_log_with_a_count_gives_a_range():
    found = asked(LOG.format(drafted="13,500"))
    assert found["words"]["range"] == "± 0.03"
    assert "from 4,500 drafts alone" in found["words"]["doubt"]
    assert all(error > 0 for error in found["errors"])
    assert asked()["errors"] == [None] * 3


def test_where_a_draft_does_not_pay_the_figure_is_that_of_one_guess():
    found = asked("0.05")
    assert found["words"]["headline"] == "No: a draft does not pay here"
    assert found["words"]["figure"] == "0.99×"
    assert found["words"]["measure"].endswith("with one guess")
    assert found["slower_from"] == 1


def test_a_range_that_reaches_no_gain_is_too_close_to_call():
    found = asked("Drafted: 30 tokens, Per-position acceptance rate: 0.10", target_ms="10")
    assert found["words"]["headline"] == "Too close to call: a chain, k = 1 guess a call, may be no faster than no draft"


def test_a_tree_is_marked_as_an_estimate_and_never_the_headline():
    found = asked()
    best = found["tree"]["speedups"][found["tree"]["guesses"] - 1]
    assert best == max(found["tree"]["speedups"]) > max(found["speedups"][:3])
    assert f"an estimate for a tree, up to {best:.2f}×" in found["words"]["note"]
    assert "tree" not in found["words"]["headline"]


def test_single_changes_are_answered():
    changes = {one["what"]: (one["k"], one["speed"]) for one in asked()["changes"]}
    acceptance = read_acceptance(RATES)
    half, dearer = pays(acceptance, 13, 0.25, 0.3), pays(acceptance, 13, 0.5, 1.5)
    assert changes["Draft call 0.5 → 0.25 ms"] == ("3", f"{half.speedup:.2f}×")
    assert changes["One more row, on a busy GPU, 0.3 → 1.5 ms"] == (str(dearer.k), f"{dearer.speedup:.2f}×")
    better = pays(read_acceptance("0.86, 0.71667, 0.60458"), 13, 0.5, 0.3)
    assert changes["Every guess half as often wrong: the first one right 72% → 86%"] == ("3", f"{better.speedup:.2f}×")
    free = {one["what"] for one in asked(draft_ms="0", row_ms="0")["changes"]}
    assert not any(what.startswith("Draft call") for what in free)
    assert "One more row, on a busy GPU, 0 → 0.26 ms" in free


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("rates", "0.5, 0.6", f"Acceptance rates {RISES}, got 0.6 for guess 2 after 0.5."),
        ("rates", "often", "Acceptance rates must be numbers with commas, such as 0.72,0.48,0.33, got 'often'."),
        ("rates", "", "Acceptance rates must be 1 to 64 numbers, got 0."),
        ("rates", "x" * 2001, "Acceptance rates must be text of at most 2000 characters, got 'xxx"),
        ("rates", None, "Acceptance rates must be text"),
        ("target-ms", "0", "A target call must be a number above 0 and at most 100000, got 0."),
        ("draft-ms", "1,5", "A draft call must be a number from 0 to 100000, got '1,5'."),
        ("row-ms", "-1", "One more row must be a number from 0 to 100000, got -1."),
        ("row-ms", "nan", "One more row must be a number from 0 to 100000, got nan."),
        ("target-ms", [1], "A target call must be a number above 0"),
    ],
)  # fmt: skip
def test_a_field_that_cannot_be_taken_is_named(field, value, words):
    found = json.loads(answer({"rates": RATES, **COSTS, field: value}))
    assert problems(found, PaysRefusal) == []
    assert found["field"] == field
    assert found["refused"].startswith(words)
    assert set(LABELS) == {"rates", *COSTS}


@pytest.mark.parametrize("wrong", [None, [], "0.5", 3])
def test_what_is_no_request_is_refused(wrong):
    with pytest.raises(ValueError, match="JSON object"):
        answer(wrong)


@pytest.mark.parametrize("field", LABELS)
def test_whatever_is_typed_is_answered_or_refused_by_its_field(field):
    for value in [*TRICKY, "9" * 4000, "1e-320", "1e5"]:
        text = answer({"rates": RATES, **COSTS, field: value})
        found = json.loads(text.encode())
        assert "words" in found or (found["field"] == field and len(found["refused"]) < LONGEST)
