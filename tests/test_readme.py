"""Statements of the first pages about speed and loss, against the numbers that they refer to."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def times_real_time(carried: str) -> list[float]:
    """Simulated seconds in a second, of ten TCPs through one port, by the page on benchmarks."""
    page = (ROOT / "docs/reference/benchmarks.md").read_text(encoding="utf-8")
    table = page.split("ten TCPs, one port, 15 s", 1)[1].split("\n\n", 1)[0]
    header, *rows = table.splitlines()
    assert header.endswith(" sim s/s KB/flow")
    return [float(row.split()[-2]) for row in rows if row.startswith(carried)]


def test_the_speed_on_the_first_page_is_that_of_the_benchmarks() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    claim = re.search(
        r"at (\d+) to (\d+) times real time in cells, .*"
        r"at (\d+) to (\d+) times real time in whole packets",
        readme,
    )
    assert claim is not None
    cells, packets = times_real_time("cells"), times_real_time("packets")
    measured = [min(cells), max(cells), min(packets), max(packets)]
    assert [int(number) for number in claim.groups()] == [round(number) for number in measured]


def test_both_first_pages_state_the_loss_that_the_table_shows() -> None:
    readme, index = (
        (ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/index.md")
    )
    sentence = re.search(r"^With a buffer of 1000 cells, .*$", readme, re.MULTILINE)
    assert sentence is not None
    assert sentence[0] in index.splitlines()
    assert "loses more than a third" in sentence[0]
    carried = re.search(r"^1000 cells  cells, tail drop +([\d.]+) ±", readme, re.MULTILINE)
    assert carried is not None
    assert 1 / 3 < 1 - float(carried[1]) < 1 / 2
