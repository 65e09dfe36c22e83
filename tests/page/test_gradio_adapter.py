"""Private names of Gradio: used with the installed version, and missed without harm."""

from __future__ import annotations

import gradio as gr

from visual.server.gradio_adapter import current_event, keep_answers_of, refuse_missing_values_briefly
from visual.server.pairs import Pairs
from visual.ui import page


def test_the_queue_keeps_the_answers_of_few_sessions():
    kept = page.build(Pairs({"none": lambda: None}))._queue.pending_messages_per_session
    for session in range(1000):
        kept[session] = "answer"
    assert len(kept) == 500
    assert 999 in kept


def test_a_gradio_without_these_names_works_unchanged():
    blocks = gr.Blocks()
    blocks._queue = object()
    assert not keep_answers_of(blocks, 5)
    del blocks._queue
    assert not keep_answers_of(blocks, 5)
    assert not refuse_missing_values_briefly(object())


def test_outside_an_event_and_without_its_name_there_is_none(monkeypatch):
    assert current_event() == ()
    monkeypatch.delattr("gradio.context.LocalContext")
    assert current_event() == ()
