"""The command line as tests use it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from cellrelay import scenario as scenario_module
from cellrelay.cli import main
from cellrelay.scenario import Scenario


class Ended(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    """Runs the command line in an empty folder, on a terminal of eighty columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Ended:
        code = main(arguments)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return run


@pytest.fixture
def simulate(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scenario], None]:
    """Puts a scenario in the place of whatever file is named."""
    return lambda scenario: monkeypatch.setattr(
        scenario_module, "load", lambda path, settings=(): scenario
    )
