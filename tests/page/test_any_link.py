"""Links, given anything at all."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

import ersd
from tests.ersd.test_any_input import LONGEST, TRICKY, refusal
from visual.page.element_ids import ElementIds
from visual.page.labels import field_of, in_labels
from visual.page.links import NAMES, addressed_to, settings_in

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
