"""The traces of TCP variants that the reference prints, against ns-2 itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from .debian import require
from .patience import PATIENCE

PAGE = Path(__file__).parents[1] / "docs/reference/tcp-traces.md"
SCRIPT = Path(__file__).with_name("fall-floyd.tcl")
AGENTS = {
    "Tahoe": "TCP",
    "Reno": "TCP/Reno",
    "NewReno": "TCP/Newreno",
    "SACK": "TCP/Sack1",
}

RFC2988 = {"after": "false", "before": "true"}
"""The setting of ns by when the shortest timeout is applied, after the backoff or before it."""


class Trace(NamedTuple):
    """What one variant does about one pattern of loss."""

    highest_sent: int
    highest_acknowledged: int
    resent: list[str]


def printed() -> dict[tuple[str, str, str], Trace]:
    """The table of the page, by what is lost, by variant and by when the minimum is applied."""
    rows = (line.strip("| ").split(" | ") for line in PAGE.read_text().splitlines())
    return {
        (row[0], row[1], row[2]): Trace(int(row[3]), int(row[4]), row[5].split())
        for row in rows
        if len(row) == 8 and row[0][0].isdigit()
    }


def simulated(lost: str, variant: str, minimum: str, folder: Path) -> Trace:
    """What ns-2 does."""
    trace = folder / "trace"
    command = ["ns", str(SCRIPT), AGENTS[variant], lost, RFC2988[minimum], str(trace)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    acknowledged, sent = map(int, done.stdout.split())
    seen = set(map(int, lost.split()))  # which never enter the queue the first time
    resent = []
    for line in trace.read_text().splitlines():
        entry = re.match(r"\+ (\S+) 1 2 tcp \S+ \S+ \S+ \S+ \S+ (\d+)", line)
        if entry is None:
            continue
        number = int(entry[2])
        if number in seen:
            resent.append(f"{number}@{float(entry[1]):.4f}")
        seen.add(number)
    return Trace(sent, acknowledged, resent)


ROWS = printed()


def test_the_page_has_a_row_for_each_variant_and_pattern() -> None:
    assert len(ROWS) == 32


@pytest.mark.parametrize(("lost", "variant", "minimum"), ROWS)
def test_ns_sends_what_the_page_says(lost: str, variant: str, minimum: str, tmp_path: Path) -> None:
    require("ns", package="ns2")
    assert simulated(lost, variant, minimum, tmp_path) == ROWS[lost, variant, minimum]
