"""The lessons of the Learn tab: Markdown files with a front matter in TOML, a folder per language (`assets/lessons/en`).

A lesson is `01-name.md`, and its name stays when lessons are renumbered: the front matter between two lines `+++`, then a list with one
sentence an item. `[part]` at the end of an item names the part of the figure that lights up, `[part+other]` two; `[part lab-k=3]` also
changes what is chosen in it. `{name}` anywhere stands for a number of the figure, which is computed and not typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import tomllib
from markdown_it import MarkdownIt
from pydantic import BaseModel, ConfigDict, Field, ValidationError

LESSONS = Path(__file__).resolve().parents[2] / "assets" / "lessons"
FALLBACK = "en"
"""The language of everything that another one lacks."""
PAGES = ("script", "exercises")
"""Pages for teachers, `script.md` and `exercises.md`."""
PARTS: dict[str, frozenset[str]] = {
    "calls": frozenset({"one", "five", "seventeen", "gpu"}),
    "run": frozenset({"text", "tree", "draft", "score", "walk", "append"}),
    "lab": frozenset({"menu", "set", "race", "output", "figures", "curves", "shares"}),
    "clocks": frozenset({"own", "shared", "own-draws", "shared-draws", "curve"}),
    "trees": frozenset({"sequence", "batch", "tau_star"}),
    "leaves": frozenset({"root", "leaf", "average"}),
    "marks": frozenset({"text", "sum"}),
}
"""Figure -> the parts that a sentence may light."""

_FRONT = re.compile(r"\A\+\+\+\n(.*?)\n\+\+\+\n(.*)\Z", re.DOTALL)
_PART = re.compile(r"\s*\[([a-z_+-]+)(?: ([a-z0-9_=&-]+))?\]$")
_NAME = re.compile(r"\{([a-z_0-9]+)\}")
_SOLUTION = re.compile(r"<p><strong>([^<]+)\.</strong> (.*?)</p>", re.DOTALL)
"""A paragraph that begins with a bold word and a full stop, such as **Solution.**"""
_MARKDOWN = MarkdownIt("commonmark", {"html": False})


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Question(_Strict):
    """A question about the figure: what the reader expects of it, or what follows from it."""

    ask: str
    answers: Annotated[list[str], Field(min_length=2, max_length=4)]
    right: Annotated[int, Field(ge=0)]
    """index of the right answer"""
    why: str
    first: bool = False
    """asked before the lesson, whose figure and sentences appear once it is answered; else after it"""


class Sentence(_Strict):
    """One sentence, and the parts of the figure that it is about."""

    words: str
    parts: list[str] = Field(default_factory=list)
    """the one that it is about first"""
    choice: str = ""
    """`lab`: what is chosen while it is read, in place of the lesson's own choice of the same name"""


class Lesson(_Strict):
    """One lesson."""

    title: str
    short: str
    """for the contents"""
    name: str
    """of its file without the number, which links to its figure have: `?figure=share-clocks`"""
    figure: Literal["calls", "run", "lab", "clocks", "trees", "leaves", "marks"]
    choice: str = ""
    """`run`: the recorded run and perhaps its step, `standard/4`; `lab`: the lab's choices as in an address; other figures have none"""
    show: list[str] = Field(default_factory=list)
    """`lab`: its parts that are shown"""
    caption: str
    """of the figure where it stands by itself: what it shows, and what its handle does"""
    action: str
    """one thing to do"""
    question: Question
    takeaway: str
    sources: Annotated[list[str], Field(min_length=1)]
    sentences: Annotated[list[Sentence], Field(min_length=3, max_length=6)]


def read_lessons(language: str = FALLBACK, facts: Mapping[str, str] | None = None, folder: Path = LESSONS) -> list[Lesson]:
    """The lessons of a language in order, with `facts` in place of their names; those it lacks in English.

    Raises:
        ValueError: naming the file and what is wrong with it.
    """
    names = sorted(path.name for path in (folder / FALLBACK).glob("[0-9]*.md"))
    return [read_lesson(_translated(folder, language, name), facts or {}) for name in names]


def read_lesson(path: Path, facts: Mapping[str, str]) -> Lesson:
    """One lesson; ValueError naming the file and the field."""
    matched = _FRONT.match(path.read_text(encoding="utf-8"))
    if not matched:
        raise ValueError(f"{path.name} must begin with a front matter between two lines +++")
    try:
        data: dict[str, Any] = tomllib.loads(filled(matched[1], facts, path.name))
        data["sentences"] = [_sentence(item, facts, path.name) for item in re.findall(r"^- (.+(?:\n  .+)*)", matched[2], re.MULTILINE)]
        data["name"] = path.stem.partition("-")[2]
        lesson = Lesson.model_validate(data)
    except tomllib.TOMLDecodeError as problem:
        raise ValueError(f"{path.name}: {problem}") from None
    except ValidationError as problem:
        first = problem.errors()[0]
        raise ValueError(f"{path.name}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return _checked(lesson, path.name)


def _checked(lesson: Lesson, name: str) -> Lesson:
    parts = PARTS[lesson.figure]
    for one in lesson.sentences:
        if unknown := set(one.parts) - parts:
            raise ValueError(
                f"{name}: the figure {lesson.figure} has the parts {', '.join(sorted(parts))}, got [{', '.join(sorted(unknown))}]"
            )
    if not lesson.question.right < len(lesson.question.answers):
        raise ValueError(f"{name}: question.right must be below {len(lesson.question.answers)}, got {lesson.question.right}")
    if unknown := set(lesson.show) - PARTS["lab"]:
        raise ValueError(f"{name}: show may have {', '.join(sorted(PARTS['lab']))}, got {', '.join(sorted(unknown))}")
    return lesson


def _sentence(item: str, facts: Mapping[str, str], name: str) -> Sentence:
    words = " ".join(filled(item, facts, name).split())
    part = _PART.search(words)
    parts, choice = (part[1].split("+"), part[2] or "") if part else ([], "")
    return Sentence(words=_PART.sub("", words), parts=parts, choice=choice)


def filled(text: str, facts: Mapping[str, str], name: str) -> str:
    """The text with facts in place of their names; ValueError naming one that is not known."""
    unknown = sorted(set(_NAME.findall(text)) - set(facts))
    if unknown:
        raise ValueError(f"{name}: {{{unknown[0]}}} is no fact of the figures: {', '.join(sorted(facts))}")
    return _NAME.sub(lambda found: facts[found[1]], text)


def read_labels(language: str = FALLBACK, folder: Path = LESSONS) -> dict[str, str]:
    """The labels of the tab; those that a language lacks are English."""
    found: dict[str, str] = {}
    for each in dict.fromkeys((FALLBACK, language)):
        path = folder / each / "labels.toml"
        if path.exists():
            found |= tomllib.loads(path.read_text(encoding="utf-8"))
    return found


def read_page(name: str, language: str = FALLBACK) -> str:
    """A page for teachers as HTML, its solutions folded; HTML within it is shown as text."""
    html = _MARKDOWN.render(_translated(LESSONS, language, f"{name}.md").read_text(encoding="utf-8"))
    return _SOLUTION.sub(r"<details><summary>\1</summary><p>\2</p></details>", html)


def languages(folder: Path = LESSONS) -> Sequence[str]:
    """The languages there are, English first."""
    others = sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name != FALLBACK)
    return [FALLBACK, *others]


def _translated(folder: Path, language: str, name: str) -> Path:
    path = folder / language / name
    return path if path.exists() else folder / FALLBACK / name
