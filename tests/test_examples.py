"""The scenarios that come with the package: found by name, without mistakes, and packed."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.scenario import load
from cellrelay.scenario.examples import SCENARIOS, available, title

from .command import Command
from .scenarios import PORT

ROOT = Path(__file__).parent.parent


def test_every_example_of_the_repository_is_there() -> None:
    assert {path.name for path in available().values()} == {
        path.name for path in (ROOT / "examples").glob("*.toml")
    }
    assert all(path.parent == SCENARIOS for path in available().values())


@pytest.mark.parametrize("name", available())
def test_an_example_has_a_title_and_no_mistakes(name: str) -> None:
    path = available()[name]
    assert title(path)
    load(path)


def test_an_example_is_run_by_its_name(command: Command) -> None:
    ended = command("run", "credit-link", "--list")
    assert ended.code == DONE
    assert ended.out == command("run", str(available()["credit-link"]), "--list").out


def test_a_file_goes_before_an_example(command: Command) -> None:
    Path("incast").write_text(PORT)
    assert command("check", "incast").out == command("check", "./incast").out
    assert command("check", "./incast").code == DONE


@pytest.mark.parametrize(
    ("name", "hint"),
    [("credit-lnk", "did you mean `credit-link`?"), ("qqq", "the examples are: abr, access,")],
)
def test_a_name_of_nothing_is_refused_with_those_there_are(
    command: Command, name: str, hint: str
) -> None:
    ended = command("check", name)
    assert ended.code == BAD_INPUT
    assert f"`{name}` is neither a file nor an example\n  hint: {hint}" in ended.err


def test_what_is_packed_has_the_examples_and_the_studies(tmp_path: Path) -> None:
    maturin = Path(sys.executable).with_name("maturin")
    subprocess.run([maturin, "sdist", "--out", tmp_path], cwd=ROOT, check=True, capture_output=True)
    (packed,) = tmp_path.iterdir()
    with tarfile.open(packed) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    for name in available():
        assert f"python/cellrelay/scenario/examples/scenarios/{name}.toml" in inside
    assert "python/cellrelay/studies/published/romanow_floyd/study.toml" in inside
