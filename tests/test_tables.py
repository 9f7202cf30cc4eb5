"""Tables of the command line."""

from __future__ import annotations

from io import StringIO

import pytest

from cellrelay.cli.table import write_table

HEADER = ["window", "goodput (Mbit/s)", "fairness_index", "timeouts", "mean_queue (cells)", "n"]
ROWS = [[f"{size} KiB", "12.345 ± 0.067", "0.998", "12", "345.6 ± 7.8", "5"] for size in (8, 64)]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def written(stream: StringIO, monkeypatch: pytest.MonkeyPatch, columns: int) -> list[list[str]]:
    """The lines of each table."""
    monkeypatch.setenv("COLUMNS", str(columns))
    write_table(HEADER, ROWS, stream, range(1, len(HEADER)), names=1)
    return [part.splitlines() for part in stream.getvalue().split("\n\n")]


@pytest.mark.parametrize("columns", [30, 40, 60, 70])
def test_a_narrow_terminal_gets_several_tables_and_no_broken_row(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    tables = written(Terminal(), monkeypatch, columns)
    assert len(tables) > 1
    assert all(len(line) <= columns for table in tables for line in table)
    for table in tables:
        assert [line.split()[0] for line in table] == ["window", "8", "64"]
    names = [name for table in tables for name in table[0].split("  ") if name.strip()]
    assert [name.strip() for name in names if name.strip() != "window"] == HEADER[1:]


def test_a_wide_terminal_and_a_pipe_get_one_table(monkeypatch: pytest.MonkeyPatch) -> None:
    (wide,) = written(Terminal(), monkeypatch, 100)
    (piped,) = written(StringIO(), monkeypatch, 40)
    assert wide == piped
