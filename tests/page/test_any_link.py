"""Links, given anything at all."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

import ersd
from tests.ersd.hostile import LONGEST, TRICKY, refusal
from visual.payload.sentences.labels import field_of, in_labels
from visual.server import compare as compare_run
from visual.ui import compare_link
from visual.ui.element_ids import ElementIds
from visual.ui.links import NAMES, addressed_to, settings_in

texts = st.one_of(st.sampled_from([str(one) for one in TRICKY]), st.text(max_size=30), st.integers().map(str), st.floats().map(str))


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from([*NAMES, "tab", "x"]), texts, max_size=4))
def test_a_link_opens_a_run_or_says_which_field_is_wrong(query):
    asked = addressed_to(ElementIds(), query)
    said = refusal(lambda: settings_in(asked, ersd.Settings()))
    if said:
        assert field_of(said)
        assert in_labels(said) != said
        assert len(said) < LONGEST
    else:
        assert isinstance(settings_in(asked, ersd.Settings()), ersd.Settings)


methods = st.lists(st.sampled_from([*ersd.METHODS, compare_run.NOTHING, *map(str, TRICKY)]), max_size=4).map(",".join)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(compare_link.ASKS), texts, max_size=3), st.none() | methods)
def test_a_link_to_a_comparison_opens_it_or_says_which_field_is_wrong(query, named):
    query |= {"methods": named} if named is not None else {}
    usual = ("ERSD τ*", "standard", "one by one")
    said = refusal(lambda: compare_link.values_in(query, ersd.Settings(), usual))
    if said:
        assert field_of(said)
        assert in_labels(said) != said
        assert len(said) < LONGEST + 100  # it lists every pair of a rule and a tree
    else:
        assert len(compare_run.CompareRequest(compare_link.values_in(query, ersd.Settings(), usual)).runs()) in (2, 3)
