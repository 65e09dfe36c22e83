"""The Learn tab in a browser: sentences that light their part, questions, the guessing game, and every width."""

from __future__ import annotations

import json

import pytest

from visual.server.tabs.lessons import answer

from .browser import DESKTOP, PHONE, PROJECTOR, WIDE_PROJECTOR, visits
from .driver import DARK, wait_until_at_rest
from .geometry import text_faults
from .test_everyone import violations

DATA = "() => document.getElementById('learn').dataset"
WIDE = "() => document.documentElement.scrollWidth - innerWidth"


PARTS = "#learn [data-part], .learn-text > *, .learn-figure > *, #learn .main-svg, #learn-player .textpoint"
"""What is at rest once a lesson is drawn."""


@pytest.fixture(scope="module")
def tab(browser, address):
    """The tab, opened once on a phone; an unknown lesson is the first, an unknown language English."""
    with visits(browser) as visit:
        page = visit(address, "?tab=learn&lesson=77&language=xx", **PHONE)
        page.wait_for_selector("#learn[data-lesson='1']")
        yield page


@pytest.fixture
def learn(tab):
    """Turns to a lesson, or a page, on a desktop."""

    def turned(lesson="1"):
        tab.set_viewport_size(DESKTOP)
        tab.wait_for_selector("#learn [data-lesson-at]", state="attached")  # after a test that left the tab
        turn_to(tab, lesson)
        return tab

    return turned


def press(page, selector):
    """Press what another part may cover, as a list that is folded on a phone."""
    page.evaluate("(selector) => document.querySelector(selector).click()", selector)


def turn_to(page, lesson):
    press(page, f"#learn [data-lesson-at='{int(lesson) - 1}']" if lesson.isdigit() else f"#learn [data-open={lesson}]")
    page.wait_for_selector(f"#learn[data-lesson='{lesson}']")
    if page.locator(".ersd-learn.asking").count():
        press(page, "#learn [data-go=next]")


def test_sentences_light_their_part_and_lead_to_the_next_lesson(learn):
    page = learn()
    assert page.inner_text(".learn-sentences .lit").startswith("A language model writes one token per call")
    assert page.locator(".learn-own [data-part=one]:not(.dim)").count() == 1
    assert page.locator(".learn-own [data-part=gpu].dim").count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#learn[data-sentence='3']")
    assert page.locator(".learn-own [data-part=five]:not(.dim)").count() == 1
    page.click("#learn [data-go=next-lesson]")
    page.wait_for_selector("#learn[data-lesson='2'][data-sentence='1']")
    assert "lesson=2" in page.url
    page.wait_for_selector("#learn-player[data-phase=draft]")
    page.click("#learn [data-sentence-at='4']")
    page.wait_for_selector("#learn-player[data-phase=text]")
    turn_to(page, "10")
    page.wait_for_function("() => document.querySelector('.learn-lab .lab-headline').textContent.includes('Residual forgotten')")


def test_the_figure_follows_the_sentences(learn):
    page = learn("10")
    bug = "() => document.querySelector('.learn-lab [data-field=bug]').value"
    for place, wanted in enumerate(("no_residual", "no_residual", "noise_twice", "", "coin_product")):
        page.click(f"#learn [data-sentence-at='{place}']")
        assert page.evaluate(bug) == wanted
    page.select_option(".learn-lab [data-field=bug]", "first_failure")
    page.click("#learn [data-sentence-at='5']")
    assert page.evaluate(bug) == "first_failure", "what a reader chose stays where the next sentence changes nothing"


LIT = {"set": "set", "race": "race", "output": "out", "figures": "figures", "curves": "curves-card", "shares": "shares-card"}
"""Part of the lab -> the class of its element."""


def test_every_part_that_is_spoken_of_is_in_sight(learn):
    page, lessons = learn(), json.loads(answer())["lessons"]
    for at, lesson in enumerate(lessons):
        turn_to(page, str(at + 1))
        for place, sentence in enumerate(lesson["sentences"]):
            press(page, f"#learn [data-sentence-at='{place}']")
            for part in sentence["parts"]:
                if lesson["figure"] == "lab":
                    assert page.get_attribute(".learn-lab", "data-lit") == part
                    page.wait_for_selector(f".learn-lab .lab-{LIT[part]}")
                elif lesson["figure"] == "run":
                    page.wait_for_selector(f"#learn-player[data-lit={part}]")
                else:
                    lit = page.locator(f".learn-own [data-part={part}]")
                    assert lit.count() >= 1, (at, part)
                    assert page.locator(f".learn-own [data-part={part}].dim").count() == 0
                    assert page.locator(".learn-own [data-part].dim").count() >= 1


TOGETHER = """() => {
  const figure = document.getElementById("lessons").dataset.figure === "run" ? "#learn-player" : ".learn-figure";
  return [figure, ".learn-sentences .lit", "#learn [data-go=next]"].filter((part) => {
    const { top, bottom } = document.querySelector(part).getBoundingClientRect();
    return top < -1 || bottom > innerHeight + 1 || bottom - top < 20;
  });
}"""
"""What of figure, sentence and Next is not wholly on the screen."""
SCROLLED = """() => [...document.querySelectorAll(".learn-figure, #learn-player")]
  .filter((one) => one.checkVisibility() && one.scrollHeight > one.clientHeight + 1)
  .map((one) => `${one.scrollHeight - one.clientHeight} pixels are below the edge`)"""
ASKED = """() => {
  const own = window.fetch;
  window.asked = 0;
  window.fetch = (...all) => {
    window.asked += 1;
    return own(...all).finally(() => setTimeout(() => { window.asked -= 1; }, 20));
  };
}"""
"""Counts the answers that the lab and the player still wait for."""
ROOMS = {"laptop": (WIDE_PROJECTOR, 12), "room": (WIDE_PROJECTOR, 18), "phone": (PHONE, 12)}
"""Name -> window, and the smallest letters in pixels."""


@pytest.mark.parametrize("room", ROOMS)
def test_every_figure_is_drawn_for_the_room_it_has(open_page, room):
    """Nothing of a figure is cut off or scrolled away, no text is smaller than may be, and none is over another."""
    size, least = ROOMS[room]
    page = open_page(f"?tab=learn{'&view=lecture' * (room == 'room')}", **size)
    page.emulate_media(reduced_motion="reduce")  # a step stands as it is at the end of its phase
    page.wait_for_selector("#learn[data-lesson='1']")
    page.evaluate(ASKED)
    found = {}
    for at, lesson in enumerate(json.loads(answer())["lessons"]):
        press(page, f"#learn [data-lesson-at='{at}']")
        page.wait_for_selector(f"#learn[data-lesson='{at + 1}']")
        page.evaluate("() => scrollTo(0, 0)")
        if page.locator(".ersd-learn.asking").count():
            found[f"{at + 1}?"] = text_faults(page, ".learn-text, .learn-figure", least)
            press(page, "#learn [data-go=next]")
        before = None
        for place, sentence in enumerate(lesson["sentences"]):
            if place:
                press(page, "#learn [data-go=next]")
            shown = [lesson["choice"], sentence["choice"], sentence["parts"] if page.locator(".single").count() else ""]
            page.wait_for_function("() => window.asked === 0")
            if shown == before or (room == "laptop" and 0 < place < len(lesson["sentences"]) - 1):  # the other rooms are smaller
                continue
            before = shown
            wait_until_at_rest(page, PARTS)
            faults = text_faults(page, "#lessons .learn-figure, #learn-player", least) + text_faults(page, ".learn-text", least)
            faults += page.evaluate(SCROLLED)
            if room == "phone":
                faults += page.evaluate(TOGETHER)
                assert page.locator(".learn-sentences li:visible").count() == 1
            assert page.evaluate(WIDE) <= 0
            found[f"{at + 1}.{place + 1}"] = faults
    assert {place: faults for place, faults in found.items() if faults} == {}


def test_a_question_is_answered_and_the_lesson_is_done(learn):
    page = learn("3")
    page.evaluate("() => localStorage.clear()")
    assert not page.is_visible(".learn-take"), "it would answer the question"
    page.keyboard.press("Space")
    assert not page.is_visible(".learn-take"), "only the last sentence leads to the answer"
    page.click("[data-answer-at='0']")
    assert page.inner_text(".learn-why").startswith("Not this time. Try it")
    done = page.inner_text(".learn-done")
    page.click("[data-answer-at='1']")
    page.wait_for_function("() => document.querySelector('.learn-why').textContent.startsWith('Right. ')")
    assert page.locator("[data-lesson-at='2'].done").count() == 1
    assert page.inner_text(".learn-done") == f"{int(done.split()[0]) + 1} done"
    page.evaluate("() => localStorage.clear()")


def test_a_lesson_that_asks_first_shows_nothing_before_a_guess(open_page):
    page = open_page("?tab=learn&lesson=6")
    page.wait_for_selector(".ersd-learn.asking")
    assert page.inner_text(".learn-ask").startswith("Two copies of the same model")
    assert page.locator(".learn-own > *").count() == page.locator(".learn-sentences > *").count() == 0
    assert page.inner_text("#learn [data-go=next]") == "Show the answer ▶"
    page.keyboard.press("c")
    page.wait_for_selector(".ersd-learn:not(.asking) .learn-own .learn-half")
    assert page.inner_text(".learn-why").startswith("Not this time. Each draws on its own"), "right or wrong first, then why"
    assert page.locator(".learn-answers .right").count() == page.locator(".learn-answers .wrong").count() == 1
    assert page.locator("[data-lesson-at='5'].done").count() == 1
    page.keyboard.press("a")
    assert page.inner_text(".learn-why").startswith("Not this time."), "what is revealed is not answered again"
    press(page, "#learn [data-lesson-at='6']")
    page.wait_for_selector("#learn[data-lesson='7'] .asking")
    page.keyboard.press("Space")
    page.wait_for_selector(".ersd-learn:not(.asking)")
    assert page.inner_text(".learn-why").startswith("coins: ")
    press(page, "#learn [data-lesson-at='5']")
    page.wait_for_selector("#learn[data-lesson='6'][data-sentence='1']")
    assert page.locator(".asking").count() == 0, "a lesson that is done does not ask again"


def test_in_a_room_every_opening_question_is_asked_and_one_sentence_stands_at_a_time(open_page):
    page = open_page("?tab=learn&lesson=6&view=lecture")
    page.set_viewport_size(PROJECTOR)
    page.wait_for_selector(".ersd-learn.asking")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#learn[data-sentence='1']")
    assert page.inner_text(".learn-why").startswith(
        page.evaluate("() => document.querySelector('.learn-answers .right').lastChild.textContent.trim()")
    )
    for place in range(1, 7):
        page.wait_for_selector(f"#learn[data-sentence='{place}']")
        assert page.locator(".learn-sentences li:visible").count() == 1
        page.keyboard.press("ArrowRight")
    page.wait_for_selector("#learn[data-lesson='7'] .asking")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#learn[data-lesson='6'] .asking", timeout=5000)


def test_after_the_last_lesson_comes_the_guessing_game(learn):
    page = learn("13")
    page.locator("#learn [data-sentence-at]").last.click()
    assert page.inner_text("#learn [data-go=next-lesson]") == "Will it be accepted? ▶"
    page.click("#learn [data-go=next]")
    page.wait_for_selector("#learn[data-lesson='guess']")


def test_the_action_of_lesson_10_can_be_done_in_its_figure(learn):
    page = learn("10")
    page.click("#learn [data-sentence-at='5']")
    labels = "(options) => options.map((option) => option.label)"
    for rule in ("gsd", "ersd"):
        page.select_option(".learn-lab [data-field=rule]", rule)
        assert "Length chosen by looking" in page.eval_on_selector_all(".learn-lab [data-field=bug] option", labels)


def test_the_handle_shows_what_sharing_does(learn):
    page = learn("6")
    counts = "() => [...document.querySelectorAll('.learn-count b')].map((one) => Number(one.textContent))"
    own, shared = page.evaluate(counts)
    assert shared > 2 * own
    page.focus(".learn-curve input")
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelectorAll('.learn-count b')[1].textContent === '100'")
    assert page.evaluate(counts)[0] < 50, "the same model, with clocks of its own"


def test_a_guess_is_hidden_answered_and_counted(learn):
    page = learn("guess")
    assert page.is_visible(".learn-cover")
    assert page.locator(".learn-guess-race .ersd-half-empty:visible").count() == 0
    page.keyboard.press("y")
    page.wait_for_selector(".learn-cover", state="hidden")
    assert page.evaluate(DATA)["score"] == "1/1", "Mia is accepted"
    assert page.inner_text(".learn-reveal").startswith("Right. ")
    page.click(".learn-next")
    assert page.is_visible(".learn-cover")
    page.keyboard.press("n")
    assert page.evaluate(DATA)["score"] == "1/2"
    verdict = page.inner_text(".learn-reveal")
    assert verdict.startswith("Not this time. ")
    assert "answer again" not in verdict
    assert not {"✓", "✕"} & set(verdict), "these signs say what the target did"
    assert "2 of 2" in page.inner_text(".learn-figures"), "always yes"
    page.keyboard.press("y")
    assert page.evaluate(DATA)["score"] == "1/2", "what is revealed is not answered again"
    page.keyboard.press("ArrowRight")
    assert page.is_visible(".learn-cover")
    for _ in range(len(json.loads(answer())["guesses"]) - 2):
        page.keyboard.press("y")
        page.keyboard.press("ArrowRight")
    assert page.evaluate(DATA)["score"] == "0/0", "after the last one it begins anew"


def test_pages_for_teachers_lead_into_the_page(learn):
    page = learn()
    page.click("[data-open=exercises]")
    page.wait_for_selector("#learn[data-lesson=exercises]")
    assert page.locator(".learn-page h2").count() == 3
    assert not page.is_visible(".learn-page a >> nth=0"), "a solution is folded"
    page.click(".learn-page summary >> nth=0")
    page.click(".learn-page a >> nth=0")
    page.wait_for_selector("#lab[data-trials]")
    assert "lab-p=0.5" in page.url
    page.click("#tab-learn")


def test_axe_finds_nothing_serious_in_the_lessons(learn):
    page, found = learn(), []
    for lesson, is_dark in (("2", True), ("guess", True), ("script", False), ("6", False), ("10", False)):
        page.evaluate(DARK, is_dark)
        turn_to(page, lesson)
        wait_until_at_rest(page, PARTS)
        found += violations(page, "#learn")
    assert found == []


def test_of_two_quick_choices_the_last_is_shown_and_a_missing_answer_is_reported(visit, address):
    """The answers come in the other order; a second lesson about a recorded run is made up."""

    def with_another_run(route):
        response = route.fetch()
        data = response.json()
        data["lessons"][7] |= {"figure": "run", "choice": "standard/4"}
        data["lessons"][7]["question"]["first"] = False
        route.fulfill(response=response, json=data)

    page = visit(address, "?tab=gallery")
    page.route("**/lessons/*", with_another_run)
    held = []
    page.route("**/gallery/first-look", lambda route: held.append(route))
    page.click("#tab-learn")
    page.click("[data-lesson-at='1']")
    page.click("[data-lesson-at='7']")
    page.wait_for_selector("#learn-player[data-step='4']", state="attached")
    before = page.text_content("#learn-player-text")
    page.unroute("**/gallery/first-look")
    with page.expect_response("**/gallery/first-look") as answered:
        held[0].continue_()
    answered.value.finished()
    page.evaluate("fetch('gallery/first-look').then((one) => one.text()).then(() => new Promise(requestAnimationFrame))")  # later than that
    assert page.text_content("#learn-player-text") == before


def test_a_step_of_a_lesson_that_cannot_be_fetched_is_reported(browser, address):
    with visits(browser, may_complain=True) as visit:
        page = visit(address, "?tab=learn")
        page.route("**/gallery/*", lambda route: route.fulfill(status=502))
        page.click("[data-lesson-at='1']")
        page.wait_for_function("document.querySelector('#learn-player-status')?.textContent.startsWith('The step of this lesson cannot')")
