"""The page about the format of a trace names every field there is."""

import dataclasses
import re
from pathlib import Path

import pytest

from ersd.costs import Costs
from ersd.trace import model, step
from ersd.trace.temperatures import OtherTemperatures

PAGE = Path(model.__file__).with_name("FORMAT.md").read_text(encoding="utf-8")
PARTS = (model.Trace, model.RankSequence, Costs, step.Step, step.Joint, step.Emitted, step.Visit, step.Try, step.Row, OtherTemperatures)


@pytest.mark.parametrize("part", PARTS)
def test_every_field_is_described(part):
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert {field.name for field in dataclasses.fields(part)} <= named


def test_the_version_is_the_one_that_is_read():
    assert f"| `version` | {model.VERSION}." in PAGE
