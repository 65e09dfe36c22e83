"""What a decision must show, computed from the trace alone: the bars of both sides, the sentence, the list below them."""

from __future__ import annotations

import math
import re

from ersd.trace.model import Row, Step, Try, Visit

from .reading import PIXELS, Axis, at_height, end_of, middle, numbers_in, reads_as

EARLIEST, LATEST = 0.01, 1000.0
"""The scale of times."""


def visible(text: str) -> str:
    return text.replace(" ", "␣").replace("\n", "⏎")


def check_decision(shown, step: Step, visit: Visit) -> None:
    check_bars(shown, step, visit)
    check_legend(shown, step, visit)
    check_headings(shown["headings"], visit)
    check_sentence(shown["sentence"], step, visit)
    check_list(shown, step, visit)
    assert reads_as(shown["tiles"]["tv"][0], visit.tv)
    here = shown["theory"]["here"]
    assert reads_as(here["predicted"], visit.predicted)
    assert reads_as(here.get("predicted ≤", "–"), visit.optimum)


def check_bars(shown, step: Step, visit: Visit, place: int | None = None) -> None:
    """Rows, signs, lengths and numbers of both sides; `place` is the index of the try in view."""
    labels = shown["tokens"]
    assert len(labels) == len(visit.rows)
    heights = [middle(label) for label in labels]
    assert heights == sorted(heights), "the rows are in their order"
    for place_in_table, (label, row) in enumerate(zip(labels, visit.rows, strict=True)):
        assert sign_of(label["words"]) == expected_sign(step, visit, row, first=place_in_table == 0), row.text
        assert is_short_for(label["words"], visible(row.text) or f"#{row.token}")
    for name, values in zip(("draft", "target"), sides(step, visit, place), strict=True):
        side = shown[name]
        if values is None:
            assert side["bars"] == []
            continue
        assert len(side["bars"]) == len(visit.rows)
        axis = Axis.of(side["ticks"], logarithmic=visit.kind == "race")
        for label, height, bar, value in zip(labels, heights, side["bars"], values, strict=True):
            assert_length(bar, value, axis, grows_left=name == "draft", height=height)
            number, is_cut = at_height(side["numbers"], height), axis.logarithmic and value > LATEST
            assert (number is not None) == (bool(sign_of(label["words"])) or is_cut), label["words"]
            assert len([cut for cut in side["cuts"] if abs(middle(cut) - height) < 4]) == (2 if is_cut else 0), label["words"]
            assert number is None or reads_as(number["words"], value), (name, label["words"], number["words"], value)
        visible_ones = [(value, bar["right"] - bar["left"]) for value, bar in zip(values, side["bars"], strict=True)]
        for value, length in visible_ones:
            for other, longer in visible_ones:
                assert value > other or length <= longer + 1.5, "the larger number has the longer bar"


def check_legend(shown, step: Step, visit: Visit) -> None:
    """Every key of the legend is for something in the picture: a bar of its colour, or a cut."""
    signs = "".join(sign_of(label["words"]) for label in shown["tokens"])
    for key in shown["legend"]:
        sign = re.match(r"[✓★✕◆]+", key)
        assert sign is None or sign[0] in signs, (key, signs)
    cuts = shown["draft"]["cuts"] + shown["target"]["cuts"]
    assert any(key.startswith("cut:") for key in shown["legend"]) == bool(cuts)


def check_headings(headings: list[str], visit: Visit) -> None:
    """Names of the two sides: arrivals in a race, else probabilities, also those changed by tries."""
    draft, target = headings
    race = visit.kind == "race"
    assert target.endswith("E / P" if race else "p")
    if visit.tries:
        assert ("E / Q" in draft) == race
        assert race or "q" in draft
    else:
        assert draft == ""
    rejected = visit.kind in ("coins", "block") and any(not one.accepted for one in visit.tries)
    assert rejected or "left" not in target


def assert_length(bar, value: float, axis: Axis, grows_left: bool, height: float) -> None:
    """The bar ends at its value on the axis; a value off the scale ends near the edge."""
    length = bar["right"] - bar["left"]
    first, last = (EARLIEST, LATEST) if axis.logarithmic else (0.0, axis.ticks[-1][0])
    if value > last:
        onward = -1 if grows_left else 1
        assert (end_of(bar, grows_left) - axis.pixel(last)) * onward >= -PIXELS
    elif value <= first:
        assert length <= 0.03 * abs(axis.pixel(last) - axis.pixel(first))
    elif abs(axis.pixel(value) - axis.pixel(first)) > PIXELS:
        assert abs(end_of(bar, grows_left) - axis.pixel(value)) <= PIXELS, (value, bar, axis)
    if length > 0:
        assert abs(middle(bar) - height) < 3, "a bar is in the row of its token"


def sides(step: Step, visit: Visit, place: int | None) -> tuple[list[float] | None, list[float]]:
    """The values of the two sides, row by row: arrival times in a race, else probabilities, at a try those compared there."""
    rows = visit.rows
    drafted = any(row.q is not None for row in rows)
    if visit.kind == "race":
        return ([arrival(row, row.q) for row in rows] if drafted else None), [arrival(row, row.p) for row in rows]
    q = [row.q or 0.0 for row in rows] if drafted else None
    if visit.kind == "block" and visit.tries and not visit.accepted:
        return q, [row.left[0] for row in rows]
    if visit.kind != "coins" or not visit.tries:
        return q, [row.p for row in rows]
    rejected = sum(not one.accepted for one in visit.tries)
    before = rejected if place is None else min(place, rejected)
    left = [row.left[before - 1] if before else row.p for row in rows]
    if place is None:
        place = next((number for number, one in enumerate(visit.tries) if one.accepted), None)
    if place is None:
        return q, left
    if visit.rho is not None:
        return [visit.rho * (row.q or 0.0) for row in rows], left
    one = visit.tries[place]
    assert one.drawn is not None
    growth = one.drawn / one.q
    gone = {step.tokens[earlier.vertex] for earlier in visit.tries[:place]} if abs(growth - 1) > 1e-6 else set()
    return [0.0 if row.token in gone else growth * (row.q or 0.0) for row in rows], left


def arrival(row: Row, chance: float | None) -> float:
    assert row.clock is not None
    return row.clock / chance if chance else math.inf


def expected_sign(step: Step, visit: Visit, row: Row, first: bool) -> str:
    """✓ accepted, ★ the target's own, ✕ rejected by a coin, ◆ the draft's first."""
    if row.token == visit.token:
        leads = first and visit.kind in ("race", "likelihood") and visit.accepted
        return ("◆✓" if leads else "✓") if visit.accepted else "★"
    if visit.kind in ("coins", "block"):
        return "✕" if any(step.tokens[one.vertex] == row.token for one in visit.tries) else ""
    return "◆" if first and visit.kind in ("race", "likelihood") and visit.tries else ""


def sign_of(label: str) -> str:
    return re.match(r"(?:([✓★✕◆]+) )?", label)[1] or ""


def is_short_for(label: str, name: str) -> bool:
    """A label, without its sign or the number of its try, is a name or its beginning."""
    label = re.sub(r" ×\d+$", "", label)  # draws that coincide
    words = re.sub(r"^(<span[^>]*>[^<]*</span> |[✓★✕◆]+ )", "", label)
    return name == words or (words.endswith("…") and name.startswith(words[:-1]))


def check_sentence(sentence: str, step: Step, visit: Visit) -> None:
    """The token, and every number the sentence gives."""
    token = visible(visit.text)
    if visit.kind == "block" and visit.tries:
        check_block_sentence(sentence, step, visit)
        return
    assert token in sentence, sentence
    row = next((row for row in visit.rows if row.token == visit.token), None)
    assert row is not None
    rest = numbers_in(sentence.replace(token, "…") if re.search(r"\d", token) else sentence)
    if visit.kind == "race":
        target, draft = arrival(row, row.p), arrival(row, row.q)
        assert target == min(arrival(one, one.p) for one in visit.rows), "the first arrival of the table has won"
        assert reads_as(rest[0], target), sentence
        if not visit.tries:
            assert sentence.startswith(f"“{token}” arrived first")
            return
        assert sentence.startswith("Accepted: " if visit.accepted else "Not drafted: "), sentence
        if visit.rank is not None:
            assert int(rest[1].replace(",", "")) == visit.rank
            assert reads_as(rest[2], draft), sentence
    elif not visit.tries:
        assert reads_as(rest[0], row.p), sentence
    elif visit.kind == "coins":
        rejected = [one for one in visit.tries if not one.accepted]
        if not visit.accepted and len(rejected) > 1:
            assert sentence.startswith("Both tries rejected" if len(rejected) == 2 else f"All {len(rejected)} tries rejected")
            return
        check_coin(sentence, visit.tries[-1])
        words = f"{len(rejected)} {'try' if len(rejected) == 1 else 'tries'} before it failed"
        assert (words in sentence) == (visit.accepted and bool(rejected)), sentence
    else:
        assert row.p == max(one.p for one in visit.rows), "the likeliest of the table is chosen"
        assert sentence.startswith("Accepted: " if visit.accepted else "Not drafted: "), sentence
        assert any(reads_as(number, row.p) for number in rest), sentence
        assert visit.rank is None or str(visit.rank) in rest


def check_coin(words: str, one: Try) -> None:
    """`Rejected: coin 0.83 against p/q = 0.41 / 0.66 = 0.62.`"""
    verdict, rest = re.search(r"(Accepted|Rejected): coin (.*)", words).groups()
    assert verdict == ("Accepted" if one.accepted else "Rejected")
    coin, *others = numbers_in(rest)
    assert reads_as(coin, one.coin)
    assert any(reads_as(number, one.ratio) for number in others), words
    assert (one.coin < one.ratio) == one.accepted


def check_block_sentence(sentence: str, step: Step, visit: Visit) -> None:
    kept = max((place for place, one in enumerate(step.block, 1) if one.coin < one.keep), default=0)
    vertex = visit.tries[0].vertex
    assert sentence.startswith("Kept: " if vertex < kept else "Cut: "), sentence
    decisive = step.block[kept - 1] if vertex < kept else step.block[vertex]
    numbers = numbers_in(sentence)
    assert any(reads_as(number, decisive.coin) for number in numbers), sentence
    assert any(reads_as(number, decisive.keep) for number in numbers), sentence
    if not visit.accepted:
        assert f"The next token “{visible(visit.text)}” is drawn" in sentence


def check_list(shown, step: Step, visit: Visit) -> None:
    """The rows below the bars: coins, or the tokens of a block."""
    rows = shown["list"]
    if step.block:
        kept = max((place for place, one in enumerate(step.block, 1) if one.coin < one.keep), default=0)
        assert len(rows) == len(step.block)
        for place, (row, one) in enumerate(zip(rows, step.block, strict=True)):
            assert ("accepted" in row["state"]) == (place < kept)
            assert row["isCut"] == (place == kept)
            assert row["cells"][:2] == ["✓" if place < kept else "✕", visible(step.texts[one.vertex])]
            for words, value in zip(row["cells"][2:], (one.ratio, one.joint, one.keep, one.coin), strict=True):
                assert reads_as(words, value), row
            assert_line(row, one.coin, one.keep)
    elif visit.kind == "coins" and visit.tries:
        assert len(rows) == len(visit.tries) + (not visit.accepted)
        for number, (row, one) in enumerate(zip(rows, visit.tries, strict=False), 1):
            assert row["cells"][:3] == [str(number), "✓" if one.accepted else "✕", visible(step.texts[one.vertex])]
            check_coin(row["cells"][3], one)
            assert_line(row, one.coin, one.ratio)
        if not visit.accepted:
            assert rows[-1]["cells"][1:3] == ["★", visible(visit.text)]
    else:
        assert rows == []


def assert_line(row, coin: float, limit: float) -> None:
    """Position of the coin on its line, and of the limit."""
    assert abs(float(row["coin"]) - coin) < 1e-3
    assert abs(float(row["limit"]) - min(1.0, limit)) < 1e-3
