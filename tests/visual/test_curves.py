"""The messages and words of the Curves tab, the recorded measurement, and the requests that are refused."""

import json

import pytest

from ersd.curves import Plan
from ersd.curves.acceptance import Acceptance
from ersd.curves.expected import expected
from ersd.curves.results import CURVES, MAX_DRAFTED, Curves, Line, Lines, Measured, Point, Shares
from ersd.settings import SOURCES
from visual.payload.curves.message import KIT, begin, points, recording
from visual.payload.curves.words import headlines, note
from visual.payload.message_types import curves as types
from visual.server.tabs.curves import NAMES, RECORDED_CURVES, plan_of, recorded

from .fits import problems

REQUEST = dict(zip(NAMES, ("pair", 1.0, 0.6, "1, 4", 2, 3, 0, "One\n\n Two ", "model"), strict=True))


def read(path=RECORDED_CURVES):
    return Curves.from_json(path.read_text(encoding="utf-8"))


def lines_of(temperature=1.0, **accepted):
    """Lines that rise to these values."""

    def line(most):
        values = [most * k / MAX_DRAFTED for k in range(1, MAX_DRAFTED + 1)]
        return Line(values, [0.5 / k for k in range(1, MAX_DRAFTED + 1)], [values])

    usual = {"tau_star": 4.0, "specinfer": 3.0, "sequence": 2.0, "batch": 1.0}
    return Lines(temperature, 100, 1.2, [None] * MAX_DRAFTED, {name: line(most) for name, most in {**usual, **accepted}.items()})


def test_the_recorded_measurement_has_every_line_and_point():
    curves = read()
    assert [each.temperature for each in curves.lines] == [1.0, 0.6]
    assert {point.curve for point in curves.points} == set(CURVES)
    assert len(curves.points) == 2 * 7 * len(CURVES)
    sent = [json.loads(line) for line in recorded().split("\n")]
    assert [each["type"] for each in sent] == ["begin", "lines", "lines", "points", "recorded"]
    assert len(sent[3]["points"]) == len(curves.points)
    assert sent[0]["places"][0]["label"].startswith("recording machine")


def test_the_recorded_dots_agree_with_the_lines():
    """The lines take decisions as independent. Over real text they are not quite, so a dot may leave its line by a few errors more."""
    curves = read()
    for lines in curves.lines:
        for point in curves.points:
            if point.temperature == lines.temperature:
                off = abs(point.accepted.mean - lines.lines[point.curve].accepted[point.k - 1])
                assert off < 5 * (point.accepted.error or 0) + 0.05, (point.curve, point.k)


def test_headlines_say_what_the_lines_show():
    said = headlines([lines_of()])
    assert said["accepted"][0] == "64 drafted tokens at T = 1: a τ*\u00a0tree gets 4.0 accepted, a chain 2.0"
    assert "A chain gains next to nothing beyond 61 tokens at T = 1" in said["accepted"][1]
    assert "The τ* tree is ahead of SpecInfer everywhere at T = 1." in said["accepted"][1]
    assert said["next"][0] == (
        "The 1st token of a race is accepted in 50% of the calls at T = 1, the 16th of a τ* tree in 3%, of a chain in 3%"
    )
    assert "SpecInfer’s best branching is ahead of it everywhere at T = 0.5." in headlines([lines_of(0.5, specinfer=5.0)])["accepted"][1]
    assert headlines([]) == {"accepted": ["", ""], "next": ["", ""]}


def test_who_leads_changes_where_the_lines_cross():
    lines = lines_of()
    lines.lines["specinfer"].accepted[:12] = [10.0] * 12
    assert "Up to 12 tokens SpecInfer’s best branching is ahead at T = 1, with more the τ* tree." in headlines([lines])["accepted"][1]
    lines.lines["specinfer"].accepted[-1] = 10.0
    assert "SpecInfer’s best branching is ahead of it at 64 tokens at T = 1." in headlines([lines])["accepted"][1]


def point(calls, error=0.1):
    return Point("batch", 1.0, 2, calls, Measured(0.7, error), [Shares(1, 1, Measured(0.5, error))])


def test_the_note_tells_what_was_measured():
    assert note([], []) == ""
    assert note([lines_of()], []) == "Lines: expected, if 100 decisions of this pair were independent."
    assert note([lines_of()], [point(7), point(7)]).endswith("Dots: direct runs, 7 calls each, ±\u00a02 standard errors.")
    assert "5 to 7 calls each" in note([lines_of()], [point(5), point(7)])
    assert note([lines_of()], [], "exit").startswith("Guesses from the target’s first layers. Lines: expected")


@pytest.mark.parametrize("source", SOURCES)
def test_lines_of_a_source_that_depends_on_where_steps_begin_are_called_an_estimate(source):
    assert ("An estimate for this source: " in note([lines_of()], [], source)) == (source not in ("model", "frequent"))


def test_points_are_sent_with_the_time_that_is_left():
    sent = json.loads(points("run", [point(1, None)], [lines_of()], 0.25, 30.4, "text 1"))
    assert (sent["done"], sent["left"], sent["doing"]) == (0.25, 30, "text 1")
    assert sent["points"][0]["accepted"] == {"mean": 0.7, "error": None}
    assert json.loads(points("run", [], [], 0.0, None, ""))["left"] is None
    sent = recording(Curves("pair", None, 1, [lines_of()], [point(1, None), point(3)]), "pair", "recorded").split("\n")
    for message, kind in zip(map(json.loads, sent), (types.Begin, types.Lines, types.Points, types.End), strict=True):
        assert not problems(message, kind)


def test_without_measured_costs_other_machines_are_left():
    assert [place["label"] for place in json.loads(begin("run", "pair", [1.0], None, 4))["places"]] == [
        "1B → 8B on an H100: 3.79", "1B → 70B: 57.1"
    ]  # fmt: skip
    assert set(KIT["curves"]) == set(CURVES)


def test_a_request_becomes_a_plan():
    assert plan_of(REQUEST) == Plan([1.0, 0.6], [1, 4], 2, 3, 0, ["One", "Two"])
    assert plan_of({**REQUEST, "temperature_2": None}).temperatures == [1.0]
    assert plan_of({**REQUEST, "source": "exit"}).source == "exit"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"temperature_1": 7}, "temperature must be a number from 0 to 5, got 7"),
        ({"temperature_1": None}, "temperature must be a number from 0 to 5, got None"),
        ({"drafted": "4, many"}, "drafted must be 1 to 8 different numbers from 1 to 64, such as 1, 4, 16, 64, got '4, many'"),
        ({"drafted": None}, "drafted must be 1 to 8 different numbers"),
        ({"texts": "2"}, "texts must be a whole number from 1 to 64, got '2'"),
        ({"calls": None}, "calls must be a whole number from 1 to 500, got None"),
        ({"source": "x"}, "source must be one of model, ngram, exit, frequent, foreign, routed, got 'x'"),
        ({"prompts": " \n "}, r"prompts must be at least one text, got \[\]"),
    ],
)
def test_a_bad_request_names_field_value_and_what_is_allowed(change, words):
    with pytest.raises(ValueError, match=f"^{words}"):
        plan_of({**REQUEST, **change})


def test_a_rank_that_never_varies_has_no_bound():
    acceptance = Acceptance(1.0)
    acceptance.decisions = 1
    acceptance.ranks.observe(1, 256)
    lines = expected(acceptance, 100)
    assert lines.entropy == 0
    assert lines.limit == [None] * MAX_DRAFTED, "a rank that is always 1 has no entropy, and so no bound"
    assert lines.lines["sequence"].accepted[2] == pytest.approx(0.8 + 0.8**2 + 0.8**3), "(1 + 0.6) / 2: the prior counts as one decision"
