"""The Lab tab in a browser: bars that are pulled, trials that are counted, rules that are broken, and every width."""

from __future__ import annotations

import re

import pytest

from visual.payload.lab.presets import USUAL

from .browser import DESKTOP, FULL_HD, PHONE, PROJECTOR, WIDE_PROJECTOR, visits
from .driver import DARK, wait_until_at_rest
from .geometry import faults, smallest_letters
from .test_everyone import violations

LAB = "() => document.getElementById('lab').dataset"
VALUES = "side => [...document.querySelectorAll(`.lab-value[data-side=${side}]`)].map((field) => Number(field.value))"
BROKEN = "lab-rule=gsd&lab-bug=no_residual&lab-k=1"


CHOOSE = """({ rule = "ersd", bug = "", k = 2 }) => {
  delete document.getElementById("lab").dataset.trials;
  const set = (name, value, event) => {
    const field = document.querySelector(`#lab [data-field=${name}]`);
    field.value = value;
    field.dispatchEvent(new Event(event));
  };
  set("rule", rule, "change");
  set("bug", bug, "change");
  set("k", k, "input");
}"""
RESET = """(start) => {
  const seed = document.querySelector("#lab [data-field=seed]");
  seed.value = 1;
  seed.dispatchEvent(new Event("change"));
  document.querySelector("#lab [data-count='10000']").click();
  document.querySelector(`#lab [data-start=${start}]`).click();
}"""


@pytest.fixture(scope="module")
def tab(browser, address):
    """The tab, opened once on a phone."""
    with visits(browser) as visit:
        page = visit(address, "?tab=lab", **PHONE)
        page.wait_for_selector("#lab[data-trials]")
        yield page


@pytest.fixture
def lab(tab):
    """The tab with its usual choices on a desktop."""
    tab.set_viewport_size(DESKTOP)
    tab.evaluate(RESET, USUAL)
    choose(tab)
    return tab


@pytest.fixture
def linked(open_page):
    """Opens the tab at a link, once its first answer has come."""

    def opened(query):
        page = open_page(f"?tab=lab&{query}")
        page.wait_for_selector("#lab[data-trials]")
        return page

    return opened


def choose(page, **choice):
    """Choose a rule, a bug and k, and wait until the answer is drawn."""
    page.evaluate(CHOOSE, choice)
    page.wait_for_selector("#lab[data-trials]")
    wait_until_at_rest(page, "#lab, #lab *")


def number(page, name):
    return float(page.evaluate(LAB)[name])


def test_the_counts_of_an_exact_rule_follow_the_target(lab):
    page = lab
    assert page.evaluate(LAB)["trials"] == "10000"
    assert number(page, "tv") < 0.02
    assert "Exact." in page.inner_text(".lab-headline")
    shown = float(re.search(r"theory ([0-9.]+)", page.inner_text(".lab-accepted")).group(1))
    assert abs(number(page, "accepted") - shown) < 0.02
    in_bars, in_column = (page.locator(f".lab-{part}").all_text_contents() for part in ("bars output", "share"))
    assert in_bars == [share.lstrip("▲▼ ") for share in in_column], "what a phone shows is what the third column shows"
    first = page.evaluate(LAB)["tv"]
    page.click("#lab-trials")
    page.wait_for_function("tv => document.getElementById('lab').dataset.tv !== tv", arg=first)
    assert "lab-seed=2" in page.url
    page.click(".lab-count button:has-text('100'):not(:has-text('10,'))")
    page.wait_for_selector("#lab[data-trials='100']")


def test_a_bar_is_pulled_and_the_others_share_the_rest(lab):
    page = lab
    before = page.evaluate(VALUES, "p")
    box = page.locator("[role=slider][data-side=p][data-token='4']").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y, steps=5)
    page.mouse.up()
    after = page.evaluate(VALUES, "p")
    assert after[4] < before[4] - 0.02
    assert all(now > was for place, (was, now) in enumerate(zip(before, after, strict=True)) if place != 4)
    assert abs(sum(after) - 1) < 1e-9
    page.wait_for_function("() => location.search.includes('lab-p=')")
    # the keyboard does the same, and the output follows
    page.focus("[role=slider][data-side=q][data-token='0']")
    page.keyboard.press("End")
    assert page.evaluate(VALUES, "q") == [1, 0, 0, 0, 0, 0, 0, 0]
    page.wait_for_function("() => document.querySelector('.lab-leanings').textContent.includes('dog')")


def test_what_is_no_probability_gets_words_and_the_picture_stays(lab):
    page = lab
    before = page.evaluate(VALUES, "q")
    field = page.locator(".lab-value[data-side=q][data-token='1']")
    for typed in ("abc", "NaN", "1.5", "-1", ""):
        field.fill(typed)
        field.press("Enter")
        note = page.inner_text(".lab-note")
        assert f"The draft probability q of cat must be a number from 0 to 1, got “{typed}”. It stays 0.26." == note
    field.fill("0.26")
    field.press("Enter")
    assert page.evaluate(VALUES, "q") == before
    assert page.inner_text(".lab-note") == ""
    assert page.locator(".lab-decision .textpoint").count() > 10


def test_a_wrong_address_is_reported_and_the_lab_opens(linked):
    page = linked("lab-rule=magic&lab-p=0.5,0.9")
    note = page.inner_text(".lab-note")
    assert "lab-rule must be one of ersd" in note
    assert "lab-p must be 8 numbers from 0 that sum to 1" in note


def test_a_link_to_a_bug_that_the_rule_cannot_have_says_so(linked):
    page = linked("lab-bug=noise_twice")
    assert page.inner_text(".lab-note") == (
        "ERSD (shared races) cannot have the bug “Noise used twice” (offered for: Coins), so the rule is shown as it should be."
    )
    assert "Exact." in page.inner_text(".lab-headline")
    assert page.inner_text(".lab-accepted .of") == "theory 0.779 ± 0.008"


def test_a_broken_rule_is_seen_to_leave_the_target(linked):
    page = linked(BROKEN)
    assert number(page, "tv") > 0.1
    assert page.inner_text(".lab-headline").startswith("✕ Residual forgotten")
    assert page.locator(".lab-outputs .often").count() >= 2
    assert page.locator(".lab-outputs .rare").count() >= 2
    assert page.inner_text(".lab-shares-title") == "Acceptance looks right"
    page.select_option("#lab-rule", "ersd")
    page.wait_for_function("() => document.querySelector('.lab-headline').textContent.includes('Exact')")
    assert page.input_value("#lab-bug") == ""


def test_the_trial_in_view_is_chosen_in_the_strip_and_played(lab):
    page = lab
    page.click(".lab-strip [data-trial='3']")
    page.wait_for_function("() => document.querySelector('.lab-race-note').textContent.startsWith('trial 4')")
    assert "accepted" in page.inner_text(".lab-say")
    page.click("[data-bookmark=none]")
    page.wait_for_function("() => !document.querySelector('.lab-race-note').textContent.startsWith('trial 4')")
    page.wait_for_function("() => document.querySelector('.lab-say').textContent.includes('target adds')")
    page.click("[data-do=play]")
    page.wait_for_selector(".lab-decision .ersd-cursor:not([hidden])")
    page.wait_for_selector("[data-do=play]:not([disabled])")


def test_a_real_step_is_taken_over(lab):
    page = lab
    page.click("[data-start=last]")
    page.wait_for_selector("[data-start=last][aria-pressed=true]")
    for side in "pq":
        assert abs(sum(page.evaluate(VALUES, side)) - 1) < 0.01
    assert page.inner_text(".lab-bars .lab-row:first-child .lab-name") not in ("", "dog")


@pytest.mark.parametrize(
    ("size", "rule", "bug"),
    [
        (PHONE, "ersd", ""), (PHONE, "gsd", "no_residual"), (PROJECTOR, "block", "coin_product"), (PROJECTOR, "kseq", ""),
        (PROJECTOR, "greedy", ""), (DESKTOP, "gsd", "no_residual"), (DESKTOP, "autoregressive", ""), (FULL_HD, "block", "coin_product"),
    ],
    ids=lambda one: str(one["width"]) if isinstance(one, dict) else one,
)  # fmt: skip
def test_nothing_overlaps_or_is_cut(tab, size, rule, bug):
    page = tab
    page.set_viewport_size(size)
    choose(page, rule=rule, bug=bug)
    for part in ["bars", "race", "charts"] if size == PHONE else [None]:
        if part:
            page.click(f"[data-view-of-lab={part}]")
            wait_until_at_rest(page, "#lab, #lab *")
        assert faults(page) == [], part


def test_present_fits_a_projector(lab):
    page = lab
    page.set_viewport_size(WIDE_PROJECTOR)
    page.click(".present-button")
    wait_until_at_rest(page, "#lab, #lab *")
    found, (size, words) = faults(page), smallest_letters(page, ".lab-main")
    choose(page, rule="block", bug="coin_product")
    found += faults(page)
    page.click(".present-button")
    assert found == []
    assert size >= 18, words


def test_axe_finds_nothing_serious_in_the_lab(lab):
    page, found = lab, []
    choose(page, rule="gsd", bug="no_residual", k=1)
    for is_dark in (True, False):
        page.evaluate(DARK, is_dark)
        found += violations(page, "#lab")
    assert found == []
