"""What is private in Gradio: there with the Gradio installed, and missed without harm."""

from __future__ import annotations

import gradio as gr

from visual.server.gradio_adapter import SELDOM, keep_answers_of, refuse_missing_values_briefly, rest_between_polls
from visual.server.pairs import Pairs
from visual.ui import page


def test_the_queue_of_the_page_rests_between_polls():
    built = page.build(Pairs({"none": lambda: None}))
    assert built._queue.sleep_when_free == page.REST
    assert built._queue.progress_update_sleep_when_free == SELDOM


def test_the_queue_of_the_page_keeps_the_answers_of_few_sessions():
    kept = page.build(Pairs({"none": lambda: None}))._queue.pending_messages_per_session
    for session in range(2 * page.ANSWERS):
        kept[session] = "answer"
    assert len(kept) == page.ANSWERS
    assert 2 * page.ANSWERS - 1 in kept


def test_a_gradio_without_these_names_goes_on_as_it_is():
    blocks = gr.Blocks()
    blocks._queue = object()
    assert not rest_between_polls(blocks, 0.5)
    assert not keep_answers_of(blocks, 5)
    del blocks._queue
    assert not rest_between_polls(blocks, 0.5)
    assert not keep_answers_of(blocks, 5)


def test_a_gradio_that_does_not_check_values_goes_on_as_it_is():
    assert not refuse_missing_values_briefly(object())
