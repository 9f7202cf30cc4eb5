"""Labs: what their answers say is what their commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.markdown import blocks, commands, prose

ROOT = Path(__file__).parent.parent
ANSWERS = sorted(ROOT.glob("docs/labs/*-answers.md"))
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\d)")


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def lab_of(answers: Path) -> Path:
    return answers.with_name(answers.name.replace("-answers", ""))


each = pytest.mark.parametrize("answers", ANSWERS, ids=lambda page: page.stem)


def sections(page: str) -> dict[str, str]:
    """The parts of a page that have numbered headings, with what stands in them."""
    headings = re.split(r"^## (\d+\. .*)\n", page, flags=re.MULTILINE)
    return dict(zip(headings[1::2], headings[2::2], strict=True))


@each
def test_every_exercise_has_its_answers(answers: Path) -> None:
    exercises, answered = sections(read(lab_of(answers))), sections(read(answers))
    assert list(exercises) == list(answered)
    for title, text in exercises.items():
        asked = re.findall(r"^\d+\. ", text.partition("**Explain.**")[2], re.MULTILINE)
        assert re.findall(r"^\d+\. ", prose(answered[title]), re.MULTILINE) == asked
        for step in ("**Predict.**", "**Run.**", "**Explain.**"):
            assert step in text, f"{title} has no {step}"


@each
def test_the_timetable_names_the_exercises_and_fills_the_time(answers: Path) -> None:
    page = read(lab_of(answers))
    rows = re.findall(r"^\| (\d+) to (\d+) \| (.*) \|$", page, re.MULTILINE)
    assert [what for _, _, what in rows[1:-1]] == list(sections(page))
    ends = [int(end) for _, end, _ in rows]
    assert [int(start) for start, _, _ in rows] == [0, *ends[:-1]]
    assert ends[-1] == 90


@each
def test_numbers_in_answers_are_those_that_commands_print(answers: Path) -> None:
    """One with a point or a per cent sign is printed so far down on the page, or is it rounded."""
    above = ""
    for title, text in sections(read(answers)).items():
        above += text
        printed = [float(number) for number in NUMBER.findall(output(above))]
        for number, per_cent in re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)( %)?", prose(text)):
            if per_cent or "." in number:
                digits = len(number.partition(".")[2])
                rounded = {round(scale * one, digits) for one in printed for scale in (1, 100)}
                assert float(number) in rounded, f"{title}: {number}{per_cent} is printed nowhere"


def output(page: str) -> str:
    """What the blocks of a page print, and the values that stand in their commands."""
    return "\n".join(
        "\n".join(command.shown for command in commands(block.text)) or block.text
        for block in blocks(page)
    )
