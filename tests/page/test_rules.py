"""What each rule shows on the page: residuals, coins, the order of the tries, block verification, bias, theory."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ersd
from tests.visual.fakes import race_step, trace

from .driver import boxes, choose, data, generate, vertices, wait_for_step

RIGHT = """() => {
  const drawn = document.querySelector("#player-race .js-plotly-plot").data;
  const [before, bars] = [drawn[1], drawn[3]];
  return { before: before.x, bars: bars.x };
}"""
FIELDS = {"prompt": "Once upon a time there was a little girl named", "max_new_tokens": 16, "seed": 3}


def _run(page, algorithm: str, topology: str, **fields) -> int:
    """Runs a rule; the number of steps."""
    choose(page, "topology", topology)
    choose(page, "algorithm", f"{algorithm} ·")
    generate(page, **{**FIELDS, **fields})
    steps = int(data(page, "steps"))
    wait_for_step(page, steps)
    return steps


def _step_back_to(page, steps: int, wanted: str) -> int:
    """Goes back from the last step to one on which the JavaScript expression `wanted` holds; its number."""
    for step in range(steps, 0, -1):
        wait_for_step(page, step)
        if page.evaluate(f"() => {wanted}"):
            return step
        page.keyboard.press("ArrowLeft")
    pytest.fail(f"no step on which {wanted}")


ALL_REJECTED = (
    "document.querySelectorAll('#player .ersd-tries [data-try] i').length > 3 && !document.querySelector('#player .ersd-tries .accepted')"
)


@pytest.mark.parametrize(("algorithm", "topology"), [("gsd", "batch"), ("gsd_wor", "batch"), ("kseq", "batch")])
def test_residuals_and_the_order_of_the_tries(open_page, algorithm, topology):
    page = open_page()
    steps = _run(page, algorithm, topology, draft_tokens=4, temperature=2, seed=4)
    _step_back_to(page, steps, ALL_REJECTED)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    tries = page.locator("#player .ersd-tries [data-try]")
    assert tries.count() == 5  # four coins, then what is left
    places = boxes(page)
    after_all = page.evaluate(RIGHT)
    assert after_all["before"], "P stays visible as outlines"
    assert after_all["before"] != after_all["bars"]
    assert "After all 4 rejections" in page.inner_text("#player .ersd-view")
    tries.nth(0).click()
    page.wait_for_function("() => document.querySelector('#player .ersd-view').textContent.startsWith('Try 1 ')")
    page.wait_for_function("() => document.querySelector('#player-race .js-plotly-plot').data[1].x.length === 0")
    assert page.evaluate(RIGHT)["bars"] == after_all["before"], "at the first try the target's side is P"
    tries.nth(2).hover()
    page.wait_for_function("() => document.querySelector('#player .ersd-view').textContent.startsWith('Try 3, after 2 rejections')")
    if algorithm != "kseq":  # its P stays the same until the last rejection
        page.wait_for_function("() => document.querySelector('#player-race .js-plotly-plot').data[1].x.length > 0")
    page.mouse.move(2, 2)
    page.wait_for_function("() => document.querySelector('#player .ersd-view').textContent.startsWith('Try 1 ')")  # the one chosen
    tries.nth(0).click()
    page.wait_for_function("() => document.querySelector('#player .ersd-view').textContent.startsWith('After all')")
    assert requests == []
    assert boxes(page) == places
    badges = page.evaluate("() => document.querySelector('#player-tree .js-plotly-plot').data.at(-1).text")
    numbers = {number for badge in badges for part in badge.split(",") for number in _numbers(part)}
    assert numbers == {1, 2, 3, 4}


def _numbers(part: str) -> range:
    first, _, last = part.partition("–")
    return range(int(first), int(last or first) + 1)


def test_the_draft_side_of_rsd_has_lost_its_earlier_children(open_page):
    page = open_page()
    steps = _run(page, "gsd_wor", "batch", draft_tokens=4, temperature=2)
    _step_back_to(page, steps, ALL_REJECTED)
    page.locator("#player .ersd-tries [data-try='2']").click()
    page.wait_for_function("() => document.querySelector('#player-race .js-plotly-plot').data[0].x.length > 0")
    left = page.evaluate("() => document.querySelector('#player-race .js-plotly-plot').data[2].x")
    assert sum(length == 0 for length in left) >= 2
    assert page.inner_text("#player .ersd-sides .left") == "q, earlier out"


def test_block_verification_shows_every_drafted_token(open_page):
    page = open_page()
    steps = _run(page, "block", "sequence", draft_tokens=5)
    _step_back_to(page, steps, "document.querySelector('#player .ersd-tries .cut')")
    rows = page.locator("#player .ersd-tries [data-vertex]")
    states = [vertex["state"] for vertex in sorted(vertices(page), key=lambda vertex: vertex["id"]) if 0 <= vertex["id"] < rows.count()]
    assert len(states) == rows.count() > 1
    assert "open" not in states  # what is behind the cut was looked at
    assert [("accepted" in row.get_attribute("class")) for row in rows.all()] == [state == "accepted" for state in states]
    assert page.locator("#player .ersd-tries .ersd-coin").count() == rows.count()
    assert page.inner_text("#player .ersd-say").startswith("Cut: ")
    rows.first.click()
    page.wait_for_selector("#player .ersd-tries [data-vertex='0'].shown")
    assert page.locator("#player-race .bars .point").count()


def test_a_lenient_rule_is_said_to_be_biased(play, pair):
    settings = ersd.Settings(algorithm="lossy", topology="sequence", draft_tokens=3, leniency=0.4, max_new_tokens=16, seed=3)
    page = play(ersd.run(pair, FIELDS["prompt"], settings), width=1200)
    assert page.get_attribute("#player-exact", "data-exact") == "biased"
    assert "0.4 · TV(P, Q)" in page.inner_text("#player-exact")
    page.wait_for_selector("#player .ersd-cell-bias")
    page.click("#player [data-go=last]")
    page.wait_for_function("() => /^0\\.\\d\\d$/.test(document.querySelector('.ersd-cell-bias b').textContent)")
    words = page.inner_text("#player .ersd-tries") + page.inner_text("#player .ersd-say")
    while "lenient: exact is" not in words:
        before = data(page, "step")
        assert before != "1", "no step names the leniency"
        page.keyboard.press("ArrowLeft")
        wait_for_step(page, int(before) - 1)
        words = page.inner_text("#player .ersd-tries") + page.inner_text("#player .ersd-say")


def test_theory_stands_beside_what_is_measured_up_to_each_step(open_page):
    page = open_page()
    steps = _run(page, "gsd", "sequence", draft_tokens=3)
    seen = []
    for step in range(steps, 0, -1):
        wait_for_step(page, step)
        seen.append(page.locator("#player-theory .ersd-cell-rejections b").all_inner_texts())
        page.keyboard.press("ArrowLeft")
    rejections, tv = ([float(numbers[i]) for numbers in reversed(seen)] for i in (0, 1))
    assert rejections == sorted(rejections)
    assert tv == sorted(tv)
    assert tv[-1] > tv[0]
    assert page.locator("#player-theory .ersd-line.theory").count() > page.locator("#player-theory .ersd-line.measured").count() > 0
    for line in page.locator("#player-theory .ersd-line").all():
        assert line.get_attribute("title")


def test_whatever_a_model_writes_is_text_and_never_html(play):
    evil = '"><img src=x onerror="window.owned=1"><script>window.owned=1</script>\u202eשלום\x1b[2J\u200b😀'
    step = race_step()
    walk = [replace(visit, rows=[replace(one, text=evil) for one in visit.rows], text=evil) for visit in step.walk]
    step = replace(step, texts=[evil] * 4, walk=walk, emitted=[replace(one, text=evil) for one in step.emitted])
    page = play(replace(trace(step), prompt=evil))
    assert page.locator("#player img, #player script").count() == 0
    assert page.evaluate("window.owned") is None
    assert page.text_content("#player-text").startswith(evil + evil)
    hovers = page.evaluate("() => document.querySelector('#player-tree .js-plotly-plot').data.flatMap((one) => one.hovertext || [])")
    hovers += page.evaluate("() => document.querySelector('#player-race .js-plotly-plot').data.flatMap((one) => one.hovertext || [])")
    assert any("&lt;img" in hover for hover in hovers)
    assert not any("<img" in hover for hover in hovers)


@pytest.mark.parametrize(("algorithm", "topology"), [("gsd_wor", "batch"), ("kseq", "multi_sequence")])
def test_while_it_drafts_the_draft_is_seen_as_it_is_whatever_the_tries_compare_with(play, pair, algorithm, topology):
    settings = ersd.Settings(algorithm, topology, draft_tokens=8, max_new_tokens=40, temperature=2, seed=5)
    run = ersd.run(pair, FIELDS["prompt"], settings)
    late = next(index for index, step in enumerate(run.steps) if len(step.walk[0].tries) > 1 and step.walk[0].tries[-1].accepted)
    page = play(run)
    page.focus("#player-text")
    page.keyboard.press("Home")
    for step in range(1, late + 1):
        wait_for_step(page, step)
        page.keyboard.press("ArrowRight")
    wait_for_step(page, late + 1)
    page.click("#player [data-tell=draft]")
    page.wait_for_selector("#player[data-phase=draft] .ersd-coins .row:not([hidden])")
    read = "all => all.map((one) => [Number(one.dataset.row), one.querySelector('.numbers .draft').innerText])"
    rows = page.eval_on_selector_all("#player .ersd-coins .row:not([hidden])", read)
    assert len(rows) > 2
    table = run.steps[late].walk[0].rows
    told = {row: float(words.removeprefix("q ")) for row, words in rows if "<" not in words}
    assert told == {row: pytest.approx(table[row].q, rel=0.05, abs=5e-6) for row in told}
