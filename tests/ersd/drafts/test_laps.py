"""Trees of laps: B arrivals on every level, children in ERSD's order, and the text of plain decoding."""

import pytest

import ersd
from ersd.drafts.topologies import is_allowed
from ersd.trace.model import Trace

PROMPT = "Once upon a time there was"


@pytest.mark.parametrize(
    ("k", "sequences", "places", "levels"), [(16, 4, 4, 4), (12, 5, 5, 2), (3, 8, 3, 1), (64, 16, 16, 4), (5, 1, 1, 5)]
)
def test_every_level_has_as_many_arrivals_and_the_text_is_that_of_plain_decoding(pair, k, sequences, places, levels):
    settings = ersd.Settings("ersd", "poisson", draft_tokens=k, sequences=sequences, max_new_tokens=32, seed=4, temperature=0.9)
    trace = ersd.run(pair, PROMPT, settings)
    assert trace.token_ids == ersd.run(pair, PROMPT, ersd.Settings("autoregressive", max_new_tokens=32, seed=4, temperature=0.9)).token_ids
    assert Trace.from_json(trace.to_json()) == trace
    for step in trace.steps:
        counts = step.draws or [1] * len(step.tokens)
        room = min(levels, 31 - sum(len(other.emitted) for other in trace.steps[: step.index]))
        for depth in range(1, room + 1):
            assert sum(count for count, at in zip(counts, step.depths, strict=True) if at == depth) == places
        assert max(step.depths, default=0) == room
        for node, parent in enumerate(step.parents):
            below = [counts[child] for child, above in enumerate(step.parents) if above == node]
            assert sum(below) in (0, counts[node])
            assert parent < node


def test_a_visit_records_its_arrivals_and_its_children_are_those_of_ersd(pair):
    settings = ersd.Settings("ersd", "poisson", draft_tokens=24, sequences=8, max_new_tokens=24, seed=7)
    batch = ersd.Settings("ersd", "batch", draft_tokens=8, max_new_tokens=24, seed=7)
    for step in ersd.generate(pair, PROMPT, settings):
        for visit in step.walk:
            arrived = [one.token for one in visit.arrivals]
            assert [one.time for one in visit.arrivals] == sorted(one.time for one in visit.arrivals)
            assert list(dict.fromkeys(arrived)) == [step.tokens[one.vertex] for one in visit.tries]
            for one in visit.tries:
                laps = [each for each in visit.arrivals if each.token == step.tokens[one.vertex]]
                assert [each.lap for each in laps] == list(range(1, len(laps) + 1))
                assert laps[0].time == pytest.approx(one.draft_time)
                assert len(laps) == (step.draws or [1] * len(step.tokens))[one.vertex]
    first, other = (next(ersd.generate(pair, PROMPT, each)) for each in (settings, batch))
    children = [token for token, parent in zip(first.tokens, first.parents, strict=True) if parent < 0]
    assert children == other.tokens[: len(children)]


def test_laps_are_for_races_and_others_are_told_why():
    assert [name for name in ersd.ALGORITHMS if is_allowed(name, "poisson")] == ["ersd", "autoregressive"]
    for name in ("gsd", "greedy", "block", "half_race", "spechub"):
        with pytest.raises(ValueError, match=f"^topology must be .* for {name}, got 'poisson': its runners share the clocks of ersd"):
            ersd.Settings(name, "poisson")
