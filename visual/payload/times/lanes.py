"""Where the time goes: the intervals of a step's draft calls, and the words of the panel that draws them."""

from __future__ import annotations

from ersd.trace.step import Step

WORDS: dict[str, str] = {
    "steps": "Steps {first}–{last}",
    "step": "Step {first}",
    "number": "step {step}",
    "draft": "draft",
    "target": "target",
    "call": "draft call {number} of {count}: {ms}",
    "drafting": "{count} draft calls together: {ms}; when each began is not known on this device",
    "verify": "verify, one call for {count}: {ms}",
    "accept": "accept: {ms}",
    "gained": "+{count}",
    "said_draft": "step {step}: {calls}, {ms}",
    "said_target": "step {step}: {ms}, {tokens} gained",
    "faster": "{factor}× as fast as without a draft",
    "slower": "{factor}× the speed without a draft: slower",
    "equal": "as fast as without a draft",
    "whole": "whole run {factor}×",
    "so_far": "so far {factor}×",
    "without": "Without a draft",
    "same_text": "the same {tokens}",
    "as_many": "as many: {tokens}",
    "plain": "a call for one token: {ms}",
    "sum": "draft {draft} + verify {verify} + accept {accept} = {sum} ms",
    "sum_without": "verify {verify} + accept {accept} = {sum} ms",
    "per_call": "{draft} ÷ {calls} = {ms} ms a draft call",
    "plain_sum": "{tokens} · {alone} = {sum} ms",
    "no_draft": "This run has no draft: every step is one target call for one token.",
    "no_times": "How long a call without a draft takes was not recorded with this run.",
    "waiting": "From step 2 on: step 1 also reads the prompt.",
    "first": "Step 1 also reads the prompt, so it is left out here.",
    "ahead": "Drafting while the target verifies: computed, needs a second device",
    "ahead_while": "Drafting while the target verifies",
    "prepared": "step {step} prepared",
    "not_prepared": "step {step} drafted anew",
    "preparing": "prepares step {step}",
    "drafting_anew": "drafts step {step} anew",
    "said_prepared": "step {step}: prepared, the target waits {ms}",
    "said_not_prepared": "step {step}: not prepared, the target waits {ms}",
    "ahead_sum": "wait {wait} + verify {verify} + accept {accept} = {sum} ms",
    "pays_waiting": "Computed at the end of the run.",
    "pays_stopped": "Not computed: this run did not finish.",
    "pays": "What each guess saves and costs",
    "guess": "guess",
    "adds": "adds, tokens",
    "saves": "saves, ms",
    "costs": "costs, ms",
    "prices": "What one more guess takes",
    "key_call": "draft call",
    "key_ahead": "drafting ahead, for several outcomes",
    "key_outcome": "✓ prepared, ✕ not: drafted anew",
    "key_verify": "verify: one target call",
    "key_accept": "accept",
    "key_waits": "waits",
    "key_gained": "tokens gained: ✓ guess accepted, ★ the target’s own",
}
"""Texts of the panel; {…} is filled in by the browser."""


def draft_spans(step: Step) -> list[list[float]] | None:
    """Start and end of every draft call in milliseconds since the step began; None where some are not known."""
    spans = step.draft_calls_ms
    if len(spans) != step.draft_calls or any(one is None for span in spans for one in span):
        return None
    return [[round(one, 2) for one in span] for span in spans]
