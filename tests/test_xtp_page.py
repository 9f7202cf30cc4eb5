"""The tables of numbers on the page about XTP are what the example gives today."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import cellrelay
from cellrelay.results import PointResult
from cellrelay.statistics import mean

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "concepts" / "xtp.md"
EXAMPLE = ROOT / "examples" / "xtp.toml"
XTP = "flow.file.transport.xtp"
REPLICATIONS = 3
RETRANSMISSIONS = {"selective": "{ selective = {} }", "go-back-N": "{ go_back_n = {} }"}

Settings = Mapping[str, str]
Asked = Callable[[str, str], Settings]
"""What is set in the row and the column of these names."""


def repeated_nak(row: str, column: str) -> Settings:
    resent, believed = (part.strip() for part in column.split(","))
    return {
        "link.trunk.rate": row,
        f"{XTP}.retransmission": RETRANSMISSIONS[resent],
        f"{XTP}.repeated_nak": believed,
    }


def over_ten_kilometres(row: str, column: str) -> Settings:
    counts, trips = (part.strip() for part in row.split(","))
    return {
        **{f"link.{link}.delay": "16.667 us" for link in ("in", "trunk", "out")},
        "link.trunk.rate": f"{re.findall(r'[0-9]+', column)[0]} Mbit/s",
        f"{XTP}.packet": "9172 B",
        f"{XTP}.buffer": "6",
        f"{XTP}.wtimer.initial": "500 ms",
        f"{XTP}.wtimer.round_trips": trips,
        f"{XTP}.rate_counts": counts,
    }


def request_interval(row: str, column: str) -> Settings:
    return {
        "link.trunk.rate": column.removeprefix("trunk "),
        f"{XTP}.request_interval": row,
    }


TABLES: Mapping[str, Asked] = {
    "| trunk | selective,": repeated_nak,
    "| `rate_counts`, `round_trips` |": over_ten_kilometres,
    "| `request_interval` | trunk": request_interval,
}
"""By how their first line begins."""


@pytest.mark.slow
@pytest.mark.parametrize("beginning", TABLES, ids=[asked.__name__ for asked in TABLES.values()])
def test_the_numbers_of_the_page_are_those_of_the_example(beginning: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    (table,) = re.findall(rf"^{re.escape(beginning)}.*\n(?:\|.*\n)*", page, re.MULTILINE)
    now = _again(table, TABLES[beginning])
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page.replace(table, now), encoding="utf-8")
    assert table == now


def _again(table: str, asked: Asked) -> str:
    """The table with its numbers measured anew."""
    header, rule, *rows = table.splitlines()
    columns = _cells(header)[1:]
    lines = [header, rule]
    for row in rows:
        name = _cells(row)[0]
        numbers = [_measured(asked(_plain(name), _plain(column))) for column in columns]
        lines.append(f"| {' | '.join([name, *numbers])} |")
    return "\n".join(lines) + "\n"


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row[1:-1].split("|")]


def _plain(cell: str) -> str:
    return cell.replace("`", "")


def _measured(settings: Settings) -> str:
    point = cellrelay.run(EXAMPLE, {"sweep": "{}", **settings}, replications=REPLICATIONS).point()
    return f"{_mean(point, 'goodput') / 1e6:.1f}, {_mean(point, 'efficiency'):.2f}"


def _mean(point: PointResult, metric: str) -> float:
    """Over the three connections, and all replications."""
    of_each = [point.by_replication(metric, f"flow file[{member}]") for member in range(3)]
    return mean([mean(values) for values in of_each])
