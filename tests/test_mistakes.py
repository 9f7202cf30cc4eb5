"""Every mistake in the corpus of the scenario crate, as someone at a terminal meets it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cellrelay import members
from cellrelay.cli import main
from cellrelay.cli.exits import BAD_INPUT

CORPUS = Path(__file__).parent.parent / "crates" / "scenario" / "tests" / "mistakes.md"


class Mistake(NamedTuple):
    title: str
    scenario: str
    message: str


def edited(base: str, edit: str) -> str:
    """`base` with lines that begin as those marked `-` replaced by those marked `+`."""
    lines = base.splitlines()
    position = len(lines)
    for line in edit.splitlines():
        if line.startswith("-"):
            position = next(i for i, known in enumerate(lines) if known.startswith(line[1:]))
            del lines[position]
        else:
            lines.insert(position, line[1:])
            position += 1
    return "\n".join(lines) + "\n"


def mistakes() -> Iterator[Mistake]:
    head, *sections = CORPUS.read_text(encoding="utf-8").split("\n## ")

    def block(text: str, kind: str) -> str:
        found = re.search(rf"```{kind}\n(.*?)```\n", text, re.DOTALL)
        assert found, text
        return found[1]

    base = block(head, "toml")
    for section in sections:
        title = section.splitlines()[0]
        yield Mistake(title, edited(base, block(section, "diff")), block(section, "text"))


CASES = list(mistakes())


def test_there_are_many() -> None:
    assert len(CASES) >= 60


def as_on_the_page(printed: str) -> str:
    """Problems without the word that each begins with, and without members of other tests."""
    for member in members.registered():
        printed = printed.replace(f", `{member.name}`", "")
        printed = re.sub(rf", (`\w+`) or `{member.name}`", r" or \1", printed)
    return re.sub(r"^error: ", "", printed, flags=re.MULTILINE).strip()


@pytest.mark.parametrize("mistake", CASES, ids=[case.title for case in CASES])
def test_a_mistake_is_refused_with_its_place_and_a_hint(
    mistake: Mistake,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.toml").write_text(mistake.scenario, encoding="utf-8")
    for command in (["check", "x.toml"], ["run", "x.toml", "--out", "results"]):
        assert main(command) == BAD_INPUT
        printed = capsys.readouterr()
        assert printed.out == ""
        assert as_on_the_page(printed.err) == mistake.message.strip()
    assert not Path("results").exists(), "nothing is run, and nothing is left behind"


def test_a_file_of_a_hundred_megabytes_is_refused_unread(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    assert main(["check", str(path)]) == BAD_INPUT
    message = capsys.readouterr().err
    assert str(path) in message
    assert "hint: " in message
