"""`python -m ersd`: the text, the trees, the colours and the flags."""

from __future__ import annotations

import dataclasses
import json
import re
import sys

import pytest

import ersd
from ersd.cli.flags import parser, settings_of
from ersd.cli.main import main
from ersd.cli.terminal import console
from ersd.cli.tree import draft_tree
from ersd.formatting import visible
from ersd.models.pair import make_pair
from ersd.trace.step import Step
from tests.ersd.text.test_prompt import TEMPLATE
from tests.ersd.tiny import letters, llama
from tests.visual.fakes import race_step

pytestmark = pytest.mark.usefixtures("loaded")
RUN = ["Once upon", "-k", "4", "--max-new-tokens", "8", "--seed", "3"]
GREEN, BLUE, RED, DIM, PLAIN = "\033[32m", "\033[34m", "\033[31m", "\033[2m", "\033[0m"


@pytest.fixture(scope="module")
def trace(pair) -> ersd.Trace:
    return ersd.run(pair, "Once upon", ersd.Settings(draft_tokens=4, max_new_tokens=8, seed=3))


@pytest.fixture
def terminal(monkeypatch, capsys):
    """A terminal that shows colours."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return capsys


def test_tokens_are_coloured_by_their_source(terminal, trace):
    assert main(RUN) == 0
    shown = terminal.readouterr().out
    assert shown.startswith(f"{DIM}Once upon{PLAIN}")
    for emitted in (one for step in trace.steps for one in step.emitted):
        assert f"{GREEN if emitted.source == 'draft' else BLUE}{emitted.text}{PLAIN}" in shown


@pytest.mark.parametrize(("source", "end"), [(None, "k = 4\n"), ("ngram", "k = 4 · source ngram\n")])
def test_guesses_that_come_from_elsewhere_are_named(capsys, source, end):
    assert main([*RUN, *(["--source", source] if source else [])]) == 0
    assert f" · ersd · tau_star · {end}" in capsys.readouterr().out


@pytest.mark.parametrize("variable", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_plain_text_where_colours_are_not_wanted(monkeypatch, request, variable):
    captured = request.getfixturevalue("terminal" if variable else "capsys")
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    main([*RUN, "--tree"])
    assert "\033" not in captured.readouterr().out


def test_what_a_model_or_a_user_writes_is_printed_and_not_obeyed(terminal, monkeypatch, trace):
    hostile = "\033]0;owned\007\033[2J\x9b2J\r[bold]:smile:[/]"

    def with_hostile_text(step: Step) -> Step:
        emitted = [dataclasses.replace(one, text=hostile) for one in step.emitted]
        return dataclasses.replace(step, emitted=emitted, texts=[hostile] * len(step.tokens))

    monkeypatch.setattr("ersd.decoding.generate", lambda *_: (with_hostile_text(step) for step in trace.steps))
    main(["[red]\033[2J", *RUN[1:], "--tree"])
    shown = terminal.readouterr().out
    for style in (GREEN, BLUE, RED, DIM, PLAIN):
        shown = shown.replace(style, "")
    assert shown.startswith("[red]␛[2J")
    assert "␛]0;owned␇␛[2J‹9B›2J␍[bold]:smile:[/]" in shown
    assert not set(shown) & set("\033\007\x9b\r")


def test_long_text_is_neither_wrapped_nor_stripped(loaded, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    prompt = "Once\tupon  a   time, " * 9 + " \t "
    main([prompt, "-k", "64", "--topology", "sequence", "--max-new-tokens", "65", "--tree", "1"])
    text, tree = capsys.readouterr().out.split("step 1: ")
    assert text.startswith(prompt)
    lines = tree.split("\n\n")[0].split("\n")[2:]
    assert len([line for line in lines if "  q " in line]) == 64
    assert max(map(len, lines)) > 4 * 64


@pytest.fixture
def instruct(monkeypatch) -> ersd.ModelPair:
    """The terminal has a pair with a chat template."""
    tokenizer = letters(8)
    tokenizer.chat_template = TEMPLATE
    instruct = make_pair(llama(8, seed=1), llama(8, seed=2), tokenizer)
    monkeypatch.setattr("ersd.load.load_pair", lambda *_: instruct)
    return instruct


@pytest.mark.parametrize(("chat", "fed"), [(True, "gabchf"), (False, "abc")])
def test_a_prompt_is_shown_as_the_models_read_it(instruct, capsys, chat, fed):
    assert main(["abc", "-k", "2", "--max-new-tokens", "4", "--chat", str(chat).lower(), "--tree", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(fed + ersd.run(instruct, "abc", ersd.Settings(draft_tokens=2, max_new_tokens=4, chat=chat)).text)
    assert f"accepted\n{fed}\n" in shown


@pytest.mark.parametrize("template", ["{{ raise_exception('System\nfirst') }}", "{{ messages[1].content }}", "{% if %}", "{{ 'a' + 1 }}"])
def test_a_template_that_fails_is_an_error_of_one_line(instruct, capsys, template):
    instruct.tokenizer.chat_template = template
    assert main(["abc", "--chat", "true"]) == 2
    assert re.fullmatch("error: chat must be false for pair, whose chat template refuses a single user turn: .+\n", capsys.readouterr().err)


def test_the_tree_of_a_step_has_the_tokens_of_the_trace(capsys, trace):
    main([*RUN, "--tree", "2"])
    shown = capsys.readouterr().out
    assert "step 1: " not in shown
    step = trace.steps[1]
    counts, context, *lines = shown.split("step 2: ")[1].split("\n\n")[0].split("\n")
    assert counts == f"{step.accepted} of {len(step.tokens)} drafted tokens accepted"
    assert context == visible("Once upon" + "".join(one.text for one in trace.steps[0].emitted))
    assert sum("─ ✓ " in line for line in lines) == step.accepted
    assert len(lines) == len(step.tokens) + (not step.walk[-1].accepted)
    nodes = [(line.index("─ ") // 4 + 1, line.split("─ ")[1][2:]) for line in lines]
    for vertex, text in enumerate(step.texts):
        assert (step.depths[vertex], f"{visible(text)}  q = {step.draft_probs[vertex]:.3f}") in nodes
    main([*RUN, "--tree"])
    assert len(re.findall(r"^step \d+: ", capsys.readouterr().out, flags=re.MULTILINE)) == len(trace.steps)


def test_a_hebrew_token_is_set_apart_in_the_tree_of_a_terminal(capsys):
    step = dataclasses.replace(race_step(), texts=[" אהב", " loved", " play", " dog"], draws=[2, 1, 1, 1])
    console().print(draft_tree(step, "שלום 5"))
    context, first, *_ = capsys.readouterr().out.splitlines()
    assert context == "\u2068שלום␣5\u2069"
    assert "✕ \u2068␣אהב\u2069  q = 0.600, drawn 2 times" in first


def test_json_is_the_trace_in_a_file_or_instead_of_the_text(capsys, tmp_path, trace):
    assert main([*RUN, "--json", str(tmp_path / "run.json")]) == 0
    assert capsys.readouterr().out.startswith("Once upon" + trace.text)
    assert main([*RUN, "--json"]) == 0
    for text in ((tmp_path / "run.json").read_text(), capsys.readouterr().out):
        read = ersd.Trace.from_json(text)
        assert (read.token_ids, read.settings, read.stopped) == (trace.token_ids, trace.settings, trace.stopped)


def test_html_is_a_page_that_plays_the_run(capsys, tmp_path, trace):
    assert main([*RUN, "--html", str(tmp_path / "run.html")]) == 0
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert json.dumps(trace.prompt) in page


def test_whether_a_draft_pays_is_said_without_a_model(capsys, monkeypatch):
    monkeypatch.setattr("ersd.load.load_pair", lambda *_: pytest.fail("no model is needed"))
    costs = ["--target-ms", "13", "--draft-ms", "0.5", "--row-ms", "0.3"]
    assert main(["--pays", "0.72,0.48,0.33", *costs]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Yes: a chain of 3 guesses is 2.14 times as fast as no draft.\nA call gives 2.53 tokens in 15.4 ms,")
    assert "k = 1: 1.62×  k = 2: 1.96×  k = 3: 2.14×" in shown
    assert main(["--pays", "0.05", *costs]) == 0
    assert capsys.readouterr().out.startswith("No: with one guess it is 0.99 times as fast as without a draft.\n")


def test_settings_come_from_the_flags():
    flags = "Once --method RSD --branching 3 --top-k 5 --temperature 0.5 --chat true"
    settings = ersd.Settings("gsd_wor", "specinfer", branching=(3,), top_k=5, temperature=0.5, chat=True)
    assert settings_of(parser().parse_args(flags.split())) == settings


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "prompt must be given, as in"),
        (["once " * 2000], "prompt must leave room in the target's context of 256 tokens, got 2003 tokens"),
        (["Once", "--top-p", "3"], "top_p must be a number above 0 and at most 1, got 3"),
        (["Once", "--method", "block", "--topology", "sequence"], "topology must not be given, got 'sequence'"),
        (["Once", "--bench", "--method", "block"], "method must not be given, got 'block'"),
        ([*RUN, "--tree", "400"], "tree must be the number of a step of this run, from 1 to"),
        (["Once", "--tree", "x"], "tree must be the number of a step, from 1, or all, got 'x'"),
        (["Once", "--threads", "none"], "threads must be a whole number from 1 to 1024, got 'none'"),
        (["Once", "--bench", "--runs", "1"], "runs must be a whole number from 2 to 100, got 1"),
        (["Once", "--bench", "--runs", "101"], "runs must be a whole number from 2 to 100, got 101"),
        (["Once", "--bench", "--tree"], "tree is of one run, so it must not be given with --bench, got 'all'"),
        (["Once", "--runs", "7"], "runs is how many --bench makes, so it must not be given without, got 7"),
        (["--pays", "0.5", "--target-ms", "9"], "draft-ms must be given with --pays: milliseconds of a draft call"),
        (["--pays", "0.5", "--target-ms", "0", "--draft-ms", "1"], "target-ms must be a number above 0 and at most 100000, got 0"),
        (["--pays", "0.5,0.6", "--target-ms", "9", "--draft-ms", "1"], "rates must not rise"),
        (["Once", "--draft-ms", "1"], "draft-ms is of --pays, so it must not be given without, got 1"),
        (["Once", "--html", "/nowhere/run.html"], "html must be a file in a folder that can be written to, got '/nowhere/run.html'"),
        (["Once", "--bench", "--html", "x.html"], "html is of one run, so it must not be given with --bench, got 'x.html'"),
        (["Once", "--json", "/nowhere/run.json"], "json must be a file in a folder that can be written to, got '/nowhere/run.json'"),
    ],
)
def test_an_error_is_one_line(capsys, flags, message):
    assert main(flags) == 2
    line = capsys.readouterr().err
    assert line.startswith("error: ")
    assert message in line
    assert line.count("\n") == 1


def test_an_error_in_the_middle_of_a_run_is_one_line_too(capsys, monkeypatch, trace):
    def until_damaged(*_):
        yield trace.steps[0]
        raise ValueError("logits must be numbers,\ngot \033[31mnan")

    monkeypatch.setattr("ersd.decoding.generate", until_damaged)
    assert main(RUN) == 2
    shown = capsys.readouterr()
    assert shown.out == "Once upon" + "".join(one.text for one in trace.steps[0].emitted) + "\n"
    assert shown.err == "error: logits must be numbers, got ␛[31mnan\n"


def test_help_and_unknown_flags(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for text in ("default 4,2,1,1)", "true or false; default false)", "a number from 0 to 5; default 1)", "from 2 to 100; default 4)"):
        assert text in shown
    with pytest.raises(SystemExit) as ended:
        main(["Once", "--bogus"])
    assert (ended.value.code, capsys.readouterr().err) == (2, "python -m ersd: unrecognized arguments: --bogus\n")
