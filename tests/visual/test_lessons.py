"""The lessons: every file is valid, every number is computed, every part exists, and a second language needs no code."""

import json
import math
import re
import shutil

import pytest

from visual.payload.lessons import LESSONS, languages, read_labels, read_lesson, read_lessons, read_page
from visual.payload.message_types.learn import Figures, Guess
from visual.server.tabs import lessons as server
from visual.server.tabs.lesson_figures import HANDLE, figures_of
from visual.server.tabs.lessons import GUESSES, answer

from .fits import problems

FRONT = """+++
title = "A lesson"
short = "A"
figure = "lab"
action = "Do."
caption = "See."
takeaway = "Know."
sources = ["here"]
[question]
ask = "Which?"
answers = ["one", "two"]
right = 1
why = "Because."
+++
"""
BODY = "- One. [set]\n- Two goes\n  on. [output]\n- Three.\n"


@pytest.fixture(scope="module")
def data():
    return json.loads(answer())


def written(folder, front=FRONT, body=BODY):
    path = folder / "01-x.md"
    path.write_text(front + body, encoding="utf-8")
    return path


def test_links_to_figures_name_what_stays():
    """Links to them are in other people's pages and slides: a name is never changed or given to another figure."""
    names = [lesson.name for lesson in read_lessons(facts=server.facts(figures_of(None)))]
    assert names == [
        "call-cost", "guess-and-check", "rejection", "exact-output", "sampling-race", "share-clocks", "many-guesses", "tree-shapes",
        "lenient-rule", "engine-bugs", "half-race", "leaves-first", "whose-race",
    ]  # fmt: skip
    lesson, data = server.figure("share-clocks")
    assert lesson.title == data["lesson"]["title"] == "Why sharing the clocks makes draft and target agree"
    assert list(data["figures"]) == ["clocks"], "no more than it draws"
    with pytest.raises(ValueError, match=r"^figure must be one of call-cost, .*, whose-race, got .*'clock'"):
        server.figure("clock")


def test_there_are_thirteen_lessons_and_no_number_is_missing(data):
    assert len(data["lessons"]) == 13
    for lesson in data["lessons"]:
        assert 3 <= len(lesson["sentences"]) <= 6
        assert lesson["sources"]
        assert "{" not in " ".join([*(one["words"] for one in lesson["sentences"]), lesson["question"]["why"]])
        assert not re.search(r"\[[a-z_-]+\]$", " ".join(one["words"] for one in lesson["sentences"]))


def test_figures_and_guesses_have_the_fields_of_their_types(data):
    assert problems(data["figures"], Figures) == []
    assert [found for guess in data["guesses"] for found in problems(guess, Guess)] == []


def test_numbers_in_the_text_are_those_of_the_figures(data):
    assert all(server.facts(figures_of(None)).values()), "none is empty"
    clocks = data["figures"]["clocks"]["positions"]
    text = " ".join(one["words"] for one in data["lessons"][5]["sentences"])
    assert f"agree {sum(clocks[HANDLE]['shared'])} times" in text
    assert f"own, {sum(clocks[HANDLE]['own'])} times" in text
    same = data["lessons"][5]["question"]
    assert same["answers"][same["right"]] == str(sum(clocks[0]["own"]))


def test_from_the_leaf_the_chance_is_never_smaller_and_sometimes_larger(data):
    """The example shows a larger chance and not luck; numbers in its sentences are those of the figure."""
    leaves = data["figures"]["leaves"]
    gains = {}
    for one in leaves["positions"]:
        both, average = (one["leaf"][1][1], one["root"][2][1]), one["average"]
        assert both[0] >= both[1]
        gains[one["name"]] = average[1][1] - average[0][1]
        for says, value in [*one["root"], *one["leaf"]]:
            computed = eval(says.removesuffix(" > 1").replace("÷", "/").replace("×", "*"), {})
            assert min(1.0, computed) == pytest.approx(value, abs=0.006), "it comes out"
    assert min(gains.values()) > -1e-12
    assert all((gain > 0.001) == (name != "0.4") for name, gain in gains.items())
    here = leaves["positions"][leaves["at"]]
    words = " ".join(sentence["words"] for sentence in data["lessons"][11]["sentences"])
    assert f"{here['average'][1][1]:.2f} instead of {here['average'][0][1]:.2f} guesses a step" in words
    assert "keeps 0.99 instead of 0.92" in words


def test_of_the_seeds_only_that_of_the_run_is_recognised(data):
    marks = data["figures"]["marks"]
    assert [one["clocks"]["sum"]["is_recognised"] for one in marks] == [True] + [False] * (len(marks) - 1)
    words = " ".join(sentence["words"] for sentence in data["lessons"][12]["sentences"])
    for one in marks[:2]:
        assert f"{one['clocks']['sum']['total']} for seed {one['seed']}" in words
    said = re.search(r"So small a sum comes in 1 of [\d,]+ other texts", words)
    assert said
    assert said[0] in marks[0]["clocks"]["sum"]["says"], "as in the panel"
    low, high = (re.search(rf"{mean} over \d+", words) for mean in (r"0\.\d+", r"1\.\d+"))
    assert low
    assert high


def test_the_same_model_with_the_same_clocks_always_agrees(data):
    positions = data["figures"]["clocks"]["positions"]
    assert all(positions[0]["shared"])
    assert positions[0]["expected"][1] == pytest.approx(1)
    shared = [each["expected"][1] for each in positions]
    assert shared[0] > shared[HANDLE] > shared[-1], "the less alike, the less they agree"
    for each in positions[:: HANDLE // 2]:
        for kind, expected in zip(("own", "shared"), each["expected"], strict=True):
            assert sum(each[kind]) == pytest.approx(100 * expected, abs=16)


def test_a_tau_star_tree_is_expected_to_give_most(data):
    trees = data["figures"]["trees"]
    for of in trees.values():
        assert of["tau_star"]["expected"] >= of["sequence"]["expected"] > of["batch"]["expected"]
        assert of["batch"]["expected"] <= 2
    assert trees["32"]["tau_star"]["expected"] > trees["16"]["tau_star"]["expected"] > trees["4"]["tau_star"]["expected"]


def test_guesses_are_real_and_not_all_alike(data):
    guesses = data["guesses"]
    assert len(guesses) == GUESSES
    assert 0.4 < sum(one["accepted"] for one in guesses) / GUESSES < 0.95
    for one in guesses:
        decision = one["decision"]
        assert one["name"] == decision["names"][0]
        assert one["accepted"] == (decision["chosen"] == 0)
        arrivals = [clock / q for clock, q in zip(decision["clock"], decision["q"], strict=True) if q]
        assert arrivals[0] == min(arrivals), "the first guess is the draft's first arrival"


def test_pages_for_teachers_link_into_the_page(data):
    for name in ("script", "exercises"):
        assert data["pages"][name].count('href="?tab=') >= 3
    assert "<script>" not in read_page("script")


def test_the_solution_of_every_exercise_is_folded():
    html = read_page("exercises")
    assert html.count("<details><summary>Solution</summary><p>") == html.count("<h2>") == 3
    assert "<details>" not in read_page("script")


def test_a_lesson_is_read_with_its_parts(tmp_path):
    lesson = read_lesson(written(tmp_path), {})
    assert lesson.name == "x"
    assert [(one.words, one.parts) for one in lesson.sentences] == [("One.", ["set"]), ("Two goes on.", ["output"]), ("Three.", [])]
    changed = read_lesson(written(tmp_path, body=BODY.replace("[set]", "[set lab-k=3&lab-bug=at_most]")), {}).sentences[0]
    assert (changed.words, changed.parts, changed.choice) == ("One.", ["set"], "lab-k=3&lab-bug=at_most")
    two = read_lesson(written(tmp_path, body=BODY.replace("[set]", "[set+race]")), {}).sentences[0]
    assert two.parts == ["set", "race"]
    filled = read_lesson(written(tmp_path, body=BODY.replace("One", "{n} of 10")), {"n": "7"})
    assert filled.sentences[0].words == "7 of 10."


@pytest.mark.parametrize(
    ("front", "body", "message"),
    [
        ("", BODY, "01-x.md must begin with a front matter"),
        (FRONT.replace('figure = "lab"', 'figure = "film"'), BODY, "01-x.md: figure: "),
        (FRONT.replace("takeaway", "take_away"), BODY, "01-x.md: takeaway: Field required"),
        (FRONT.replace("right = 1", "right = 2"), BODY, "question.right must be below 2, got 2"),
        (FRONT.replace('title = "', "title = "), BODY, "01-x.md: "),
        (FRONT, BODY.replace("[set]", "[moon]"), r"the figure lab has the parts .*, got \[moon\]"),
        (FRONT, BODY.replace("One", "{unknown}"), "{unknown} is no fact of the figures"),
        (FRONT, "- One.\n", "01-x.md: sentences: "),
    ],
)
def test_a_bad_lesson_is_refused_with_its_file_and_field(tmp_path, front, body, message):
    with pytest.raises(ValueError, match=message):
        read_lesson(written(tmp_path, front, body), {})


def test_a_second_language_is_a_second_folder(tmp_path, monkeypatch):
    folder = tmp_path / "lessons"
    shutil.copytree(LESSONS, folder)
    (folder / "de").mkdir()
    first = sorted((folder / "en").glob("[0-9]*.md"))[0]
    german = first.read_text(encoding="utf-8").replace('title = "Why decoding is slow"', 'title = "Warum Dekodieren langsam ist"')
    (folder / "de" / first.name).write_text(german, encoding="utf-8")
    (folder / "de" / "labels.toml").write_text('contents = "Zehn Lektionen"\n', encoding="utf-8")
    assert languages(folder) == ["en", "de"]
    facts = server.facts(figures_of(None))
    lessons = read_lessons("de", facts, folder)
    assert lessons[0].title == "Warum Dekodieren langsam ist"
    assert lessons[1] == read_lessons("en", facts, folder)[1], "what is not translated is English"
    labels = read_labels("de", folder)
    assert labels["contents"] == "Zehn Lektionen"
    assert labels["right"] == read_labels("en", folder)["right"]


def test_the_bound_of_lesson_9_comes_out(data):
    """(ln 4,096 + ln 9) ÷ 0.60 = 17.5, with the numbers as they are printed."""
    text = " ".join(one["words"] for one in data["lessons"][8]["sentences"])
    size, more, entropy, bound = re.search(r"\(ln ([\d,]+) \+ ln (\d+)\) ÷ ([\d.]+) = ([\d.]+\d)", text).groups()
    assert f"{(math.log(int(size.replace(',', ''))) + math.log(int(more))) / float(entropy):.1f}" == bound


def test_half_a_race_and_a_whole_one_by_formulas_computed_elsewhere():
    """0.70 against 0.783 where both are sure; of equal models the probability of the likeliest token, against 1."""
    facts = server._half_race()
    assert (facts["half_sure"], facts["race_sure"]) == ("70", "78")
    assert (facts["half_equal"], facts["race_equal"]) == ("24", "100")
    assert (facts["half_one"], facts["race_one"]) == ("7", "54")
