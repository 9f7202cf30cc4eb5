"""The printed tables beside what comes out."""

from __future__ import annotations

from cellrelay.plot import Box, Diagram
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Table, Verdict, average, claim, exhibit, judge

from .gates import PRINTED, misses
from .measures import efficiency, fairness, has_diverged, longest, of_row, throughput
from .printed import ROWS, Row
from .settings import once

rows = once("The printed rows", {"row": {row.name: row.point for row in ROWS.values()}})


@exhibit(
    "network",
    "n sources and VBR traffic.",
    "Each source has a link to the first switch, and each destination one from the second; all"
    " links have a rate of 155.52 Mbit/s and equal lengths, unless the table says otherwise. The"
    " output from the first switch to the second is congested. VBR traffic has priority there.",
)
def network() -> Diagram:
    names = ("source 1", "source n", "camera")
    ends = ("destination 1", "destination n", "screen")
    heights = (1.4, 0.0, -1.2)
    boxes = [Box("switch 1", 2.6, 0.0), Box("switch 2", 5.2, 0.0)]
    links = [("switch 1", "switch 2", "")]
    for name, end, height in zip(names, ends, heights, strict=True):
        boxes += [Box(name, 0.0, height), Box(end, 7.8, height)]
        links += [(name, "switch 1", ""), ("switch 2", end, "")]
    return Diagram(tuple(boxes), tuple(links), ((0.0, 0.7), (7.8, 0.7)))


@exhibit(
    "rows",
    "The printed tables, row by row.",
    "Round-trip time and feedback delay in ms, the longest queue in cells, the throughput of all"
    " connections in Mbit/s, and efficiency as a share of the largest possible with 512 bytes in"
    " 12 cells, minus the VBR traffic. The column before the last states the tolerance of queue"
    " and throughput; *order* means within a factor of 3.2. Rows without printed numbers are"
    " other points of the same grids.",
    is_printed=True,
)
def table(rows: Results) -> Table:
    header = [
        "row",
        "n",
        "RTT",
        "fb",
        "condition",
        *("queue", "printed", "Mbit/s", "printed", "%", "printed", "fairness", "printed"),
        "to be within",
        "is",
    ]
    return Table(header, [_line(row, of_row(rows, row)) for row in ROWS.values()])


def _line(row: Row, found: PointResult) -> list[str]:
    pairs = zip(_measured(row, found), _printed(row), strict=True)
    return [
        row.name,
        str(row.sources),
        f"{row.rtt:g}",
        f"{row.feedback:g}",
        row.condition,
        *(text for pair in pairs for text in pair),
        _asked(row),
        _is_within(row, found),
    ]


def _asked(row: Row) -> str:
    """What the gate of a row asks, in words."""
    if row.diverges:
        return "diverges" if row.is_compared else ""
    if row.printed is None or row.gate is None:
        return ""
    queue = "order" if row.gate.queue is None else f"{row.gate.queue:.0%}"
    if row.gate.throughput is None:
        return queue
    return f"{queue}, {row.gate.throughput:.0%}"


def _measured(row: Row, found: PointResult) -> list[str]:
    note = " diverges" if has_diverged(row, found) else ""
    return [
        f"{average(longest, found):.0f}{note}",
        f"{average(throughput, found):.2f}",
        f"{average(efficiency(row), found):.2f}",
        f"{average(fairness, found):.4f}",
    ]


def _printed(row: Row) -> list[str]:
    printed = row.printed
    if printed is None:
        return ["diverges" if row.is_compared else "", "", "", ""]
    return [
        f"{printed.queue:.0f}",
        f"{printed.throughput:.2f}",
        f"{printed.efficiency:.2f}",
        f"{printed.fairness:.4f}",
    ]


def _is_within(row: Row, found: PointResult) -> str:
    """What the table says of a row and its gate; nothing if it is not compared."""
    return _said(misses(row, found)) if row.is_compared else ""


def _said(missed: list[str]) -> str:
    return f"outside: {', '.join(missed)}" if missed else "inside"


@claim(
    "rows",
    "The printed tables come out.",
    rule="each of the thirteen rows with printed numbers is inside its gate: throughput within 2 %"
    " (with VBR traffic 4 %), the longest queue within 15 or 30 %, or of the same order where it"
    " hinges on details that are not printed; where the queue diverges in print, it does here",
    expect=Verdict.REPRODUCED,
)
def rows_come_out(rows: Results) -> Outcome:
    missed = {row.name: misses(row, of_row(rows, row)) for row in PRINTED}
    inside = sum(not missing for missing in missed.values())
    checks = [Check(f"{name} ({_said(missing)})", not missing) for name, missing in missed.items()]
    return judge(f"{inside} of {len(missed)} inside their gates", checks)


@claim(
    "stability",
    "Queues are stable, but for VBR traffic of high frequency without a remedy.",
    rule="the longest queue is at most that of eight round trips and averaging intervals in every"
    " row that is stable in print, and longer in every row that diverges; rows of the same grids"
    " without printed numbers count as those beside them",
    expect=Verdict.REPRODUCED,
)
def stability(rows: Results) -> Outcome:
    checks, words = [], []
    for row in ROWS.values():
        found = of_row(rows, row)
        checks.append(Check(row.name, has_diverged(row, found) is row.diverges))
        if row.diverges:
            words.append(f"{row.condition} {average(longest, found):.0f} cells")
    return judge(f"diverging: {'; '.join(words)}", checks)


@claim(
    "fairness",
    "Connections share fairly.",
    rule="the index of fairness is at least 0.99 in every row without VBR traffic and at least 0.97"
    " in every row with it that does not diverge",
    expect=Verdict.REPRODUCED,
)
def shares_are_fair(rows: Results) -> Outcome:
    values = {
        row.name: average(fairness, of_row(rows, row)) for row in ROWS.values() if not row.diverges
    }
    checks = [
        Check(name, value >= (0.97 if ROWS[name].has_vbr else 0.99))
        for name, value in values.items()
    ]
    least = min(values, key=lambda name: values[name])
    return judge(f"least {values[least]:.4f} ({least})", checks)
