"""What if: the browser cuts the text of a run as real runs with other trees do, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

import pytest

import ersd
from ersd.theory.speed import speedup
from ersd.trace.rank_sequence import static_topologies
from ersd.trace.replay import ranks_of
from visual.payload.sentences.formatting import decimal
from visual.payload.sentences.names import topology_name

from .browser import visits
from .driver import choose_method, generate, press_generate, setup, wait_until_under_way

PROMPT = "Once upon a time there was a little girl named"
CARD = "#what-if"
RUN = ersd.Settings(max_new_tokens=40, draft_tokens=12)


@pytest.fixture(scope="module")
def page(browser, address) -> Iterator:
    with visits(browser) as open_at:
        yield open_at(address)


def card(page) -> dict[str, str]:
    return page.evaluate(f"({{ ...document.querySelector('{CARD}').dataset }})")


def turn(page, name: str, value: float) -> None:
    """Moves a slider."""
    page.evaluate(
        """([selector, value]) => {
          const slider = document.querySelector(selector);
          slider.value = value;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        [f"{CARD} .ersd-{name}", value],
    )


def real_run(pair, settings) -> list[list[int]]:
    return list(ersd.generate(pair, PROMPT, settings, record=False))


def bars(page) -> list[list[int]]:
    """Of every step under the text: tokens, and those that were accepted."""
    return page.evaluate(
        f"""[...document.querySelectorAll('{CARD} .ersd-cut-step')].map((step) =>
          [step.children.length, step.querySelectorAll('.accepted').length])"""
    )


def test_a_recorded_run_without_ranks_says_so_or_answers(page):
    """Before anything is pressed: nothing is claimed that is not known."""
    shown = card(page)
    assert ("calls" in shown) == (shown["offered"] == "true")


def test_the_page_answers_as_real_runs_do(page, pair):
    for seed, method, sizes in ((0, "ERSD τ*", (1, 31)), (3, "ERSD batch", (4,))):
        choose_method(page, method)
        generate(page, prompt=PROMPT, temperature=1, seed=seed, max_new_tokens=RUN.max_new_tokens, draft_tokens=RUN.draft_tokens)
        run = replace(RUN, seed=seed, topology=ersd.METHODS[method][1])
        assert card(page)["topology"] == run.topology, "it begins at the run itself"
        assert int(card(page)["calls"]) == int(page.get_attribute("#player", "data-steps"))
        for topology in static_topologies():
            page.select_option(f"{CARD} .ersd-topology", topology)
            for k in sizes if topology != "specinfer" else sizes[:1]:  # its branching says how many
                if topology != "specinfer":
                    turn(page, "k", k)
                other = replace(run, topology=topology, draft_tokens=k)
                steps, shown = real_run(pair, other), card(page)
                what = (seed, topology, k)
                assert (int(shown["calls"]), int(shown["tokens"])) == (len(steps), sum(map(len, steps))), what
                assert int(shown["k"]) == other.vertices, what
                assert [tokens for tokens, _ in bars(page)] == [len(step) for step in steps], what
        page.select_option(f"{CARD} .ersd-topology", "tau_star")
        texts = page.locator(f"{CARD} .ersd-cut-text").evaluate("box => box.textContent")
        assert texts == page.evaluate("[...document.querySelectorAll('#player-text .ersd-token')].map((one) => one.textContent).join('')")


def test_the_speed_up_at_a_cost_is_that_of_the_formula(page, pair):
    choose_method(page, "ERSD τ*")
    generate(page, prompt=PROMPT, temperature=1, seed=1, max_new_tokens=30, draft_tokens=8)
    turn(page, "k", 20)
    trace = ersd.run(pair, PROMPT, replace(RUN, seed=1, max_new_tokens=30, draft_tokens=20))
    levels = sum(max(step.depths, default=0) for step in trace.steps) / len(trace.steps)
    labels = page.locator(f"{CARD} .ersd-presets button").all_inner_texts()
    assert [label.split(":")[0] for label in labels] == ["this machine", "1B → 8B", "1B → 70B"]
    for ratio in (1, 30, 100):
        turn(page, "cost", ratio)
        per_call, level = decimal(trace.stats["tokens_per_call"]), decimal(levels)
        assert page.inner_text(f"{CARD} [data-shows=formula]") == f"= {per_call} · {ratio} / ({ratio} + {level} draft levels a call)"
        expected = speedup(float(per_call), ratio, float(level))
        assert float(card(page)["speedup"]) == pytest.approx(expected, rel=1e-12)
        assert page.inner_text(f"{CARD} [data-shows=speedup]") == f"{expected:.2f} times"
    page.click(f"{CARD} .ersd-presets button >> nth=2")
    assert page.inner_text(f"{CARD} [data-shows=ratio]") == labels[2].split(": ")[1]
    # what the page says of the run itself is what the strip of the run says, of this machine with what a tree costs here
    turn(page, "k", 8)
    for place in (2, 0):
        page.click(f"{CARD} .ersd-presets button >> nth={place}")
        page.select_option("#player-speedup select", label=labels[place])
        assert page.inner_text(f"{CARD} [data-shows=speedup]") == page.inner_text("#player-speedup .ersd-other")
        assert page.inner_text(f"{CARD} [data-shows=formula]") == page.get_attribute("#player-speedup .ersd-other", "title")


def test_it_is_offered_for_static_trees_after_ersd_only(page):
    dynamic = page.locator(f"{CARD} option", has_text=topology_name("dynamic"))
    assert dynamic.get_attribute("disabled") is not None
    assert "clocks" in dynamic.get_attribute("title")
    choose_method(page, "standard")
    generate(page, max_new_tokens=8)
    assert card(page)["offered"] == "false"
    assert "calls" not in card(page)
    assert "Only after a run of ERSD" in page.inner_text(CARD)
    assert not page.is_visible(f"{CARD} .ersd-k")


def test_a_run_that_was_stopped_has_no_whole_text(page):
    choose_method(page, "ERSD sequence")
    setup(page, max_new_tokens=500, draft_tokens=200)  # a step takes its time, so that the text does not end before
    press_generate(page)
    wait_until_under_way(page)
    page.click("#stop")
    page.wait_for_selector("#player[data-state=stopped]")
    assert "did not come to its end" in page.inner_text(CARD)


def test_the_browser_cuts_any_ranks_as_the_engine_does(page, pair):
    """The same code on laws that no run of the embedded pair has: hot, cold, few tokens, no prior, many vertices, ended early."""
    from ersd.trace.rank_sequence import cut

    cases = []
    for seed, (temperature, top_k) in enumerate([(0.0, 0), (0.5, 2), (1.5, 0), (1.0, 5)]):
        settings = replace(RUN, seed=seed, temperature=temperature, top_k=top_k, max_new_tokens=60, topology="sequence", draft_tokens=3)
        unmeasured = replace(pair, hazards={}) if seed % 2 else pair
        ranks = ranks_of(unmeasured, ersd.run(unmeasured, PROMPT, settings))
        for topology in static_topologies():
            for k in (2, 7, 64, 200):
                other = replace(settings, topology=topology, draft_tokens=k, sequences=3, branching=(5, 2, 2))
                cases.append((asdict(ranks), other.to_dict(), [[one.tokens, one.accepted, one.levels] for one in cut(ranks, other)]))
    answers = page.evaluate(
        """async (cases) => {
          const script = performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/static_trees.js")).name;
          const { cut } = await import(script);
          return cases.map(([ranks, choice]) => cut(ranks, choice).map(({ tokens, accepted, levels }) => [tokens, accepted, levels]));
        }""",
        [[ranks, choice] for ranks, choice, _ in cases],
    )
    for answer, (_, choice, expected) in zip(answers, cases, strict=True):
        assert answer == expected, (choice["topology"], choice["draft_tokens"], choice["seed"])
