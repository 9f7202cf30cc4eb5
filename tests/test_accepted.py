"""Python refuses what the command line refuses, before anything runs, and in the same words."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cellrelay
from cellrelay import Replications, ScenarioError, Until

from .command import Command
from .scenarios import PORT

NO_NUMBERS: list[Any] = [None, "x", 1.5, 2.0, math.nan, object(), True, [1]]
HUGE = 10**400


def _run(**options: Any) -> object:
    return cellrelay.run(cellrelay.parse(PORT), **options)


@pytest.mark.parametrize("name", ["seed", "replications", "jobs", "threads"])
def test_options_that_count_are_whole_numbers_in_range(name: str) -> None:
    least = 0 if name == "seed" else 1
    for wrong in (*NO_NUMBERS[1:], least - 1, -HUGE, HUGE):
        with pytest.raises(ScenarioError, match=rf"^{name}: `.*` is .*\n  hint: write"):
            _run(**{name: wrong})


def test_numbers_of_numpy_count_too() -> None:
    one: Any = np.int64(1)
    three: Any = np.uint8(3)
    results = cellrelay.run(cellrelay.parse(PORT), replications=one, seed=three)
    assert results.points[0].seed == 3


@pytest.mark.parametrize("wrong", [-1.0, 0.0, math.nan, math.inf, 5.0, "5 %", None, True])
def test_a_precision_has_the_range_of_a_scenario(wrong: Any) -> None:
    with pytest.raises(ScenarioError, match=r"half_width: `.*` is out of range\n  hint: "):
        Until("goodput", half_width=wrong, confidence=0.95)
    with pytest.raises(ScenarioError, match=r"confidence: `.*` is out of range\n  hint: "):
        Until("goodput", half_width=0.05, confidence=wrong)


@pytest.mark.parametrize(("least", "most"), [(-1, 2), (math.inf, 2), (HUGE, 2), (0, 2), (1, HUGE)])
def test_a_rule_counts_replications(least: Any, most: Any) -> None:
    with pytest.raises(ScenarioError, match=r"at_(least|most): `.*` is .*\n  hint: "):
        Replications(least, most)


def test_a_rule_has_no_fewer_replications_at_most_than_at_least() -> None:
    text = "at_most: `2` is less than `at_least`, which is `5`\n  hint: write for example"
    with pytest.raises(ScenarioError, match=text):
        Replications(5, 2)


WRONG_KINDS: dict[str, Callable[[], object]] = {
    "octets for a text": lambda: cellrelay.parse(PORT.encode()),  # type: ignore[arg-type]
    "nothing for a table": lambda: cellrelay.build(None),  # type: ignore[arg-type]
    "an empty name": lambda: cellrelay.load(""),
    "half a pair of surrogates": lambda: cellrelay.parse("title = '\ud800'"),
    "half a pair in a setting": lambda: cellrelay.parse(PORT, settings={"title": "\ud800"}),
    "a text for an executor": lambda: _run(executor=5),
    "a number for a selection": lambda: _run(where=0),
    "a limit of captures that nobody asked for": lambda: _run(snaplen=100),
}


@pytest.mark.parametrize("what", WRONG_KINDS)
def test_wrong_kinds_end_with_a_hint(what: str) -> None:
    with pytest.raises(ScenarioError, match="\n  hint: "):
        WRONG_KINDS[what]()


def test_data_that_contains_itself_is_too_deep() -> None:
    data: dict[str, Any] = {}
    data["host"] = data
    with pytest.raises(ScenarioError, match="nested more than 32 deep\n  hint: "):
        cellrelay.build(data)


@pytest.mark.parametrize("count", ["0", "1000001", "99999999999999999999", "9" * 5000])
def test_the_command_line_has_the_same_range(command: Command, count: str) -> None:
    Path("port.toml").write_text(PORT)
    ended = command("run", "port.toml", "--replications", count)
    assert ended.code == 2
    assert "\n  hint: " in ended.err


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = " + "9" * 5000, "\ufeffx = 1", "\0"])
def test_a_hostile_question_of_a_calibration_ends_with_a_hint(command: Command, text: str) -> None:
    Path("question.toml").write_text(text)
    ended = command("calibrate", "question.toml")
    assert ended.code == 2
    assert "question.toml" in ended.err
    assert "\n  hint: " in ended.err
