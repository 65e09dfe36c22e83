"""The script for a lecture, pressed key by key on a projector: what it says is on the screen, and every key changes something."""

from __future__ import annotations

import re

from visual.payload.lessons import FALLBACK, LESSONS

from .browser import WIDE_PROJECTOR

KEYS = {"→": "ArrowRight", "Esc": "Escape"}
STEP = re.compile(r"`([^`]+)`([^`]*)")
QUOTE = re.compile(r"“([^”]+)”")
STATE = """() => {
  const shown = document.getElementById("lessons");
  const handles = [...shown.querySelectorAll("input[type=range]")].map(({ value }) => value);
  return [shown.innerText, document.activeElement.className, document.activeElement.type, ...handles].join();
}"""
SHOWS = "(words) => document.getElementById('lessons').innerText.replace(/\\s+/g, ' ').toLowerCase().includes(words)"


def scenes() -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """The scenes of the script: their first words, and their keys with what each shows."""
    text = (LESSONS / FALLBACK / "script.md").read_text(encoding="utf-8")
    items = re.findall(r"^\d+\. (.+)$", text, re.MULTILINE)
    return [(item[:30], [(key, QUOTE.findall(after)) for key, after in STEP.findall(item)]) for item in items]


def test_the_script_can_be_gone_through_with_its_keys(open_page):
    page = open_page("?tab=learn&lesson=1&view=lecture", **WIDE_PROJECTOR)
    page.wait_for_selector("#learn[data-lesson='1']")
    assert sum(int(minutes) for minutes in re.findall(r"\((\d+) min\)", str(scenes()))) == 15
    pressed = 0
    for scene, steps in scenes():
        for key, quotes in steps:
            before = page.evaluate(STATE)
            page.keyboard.press(KEYS.get(key, key))
            if pressed:  # the first opens what is open
                page.wait_for_function(f"(before) => ({STATE})() !== before", arg=before, timeout=10_000)
            for words in quotes:
                page.wait_for_function(SHOWS, arg=words.lower(), timeout=10_000)
            pressed += 1
        assert steps, scene
    assert pressed > 30
