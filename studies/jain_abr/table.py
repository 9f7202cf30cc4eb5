"""The printed tables beside what comes out, and the claims about them."""

from __future__ import annotations

from collections.abc import Iterator

from cellrelay.results import PointResult
from cellrelay.studies import Check, Measure, Outcome, Table, average, claim, exhibit, judge
from cellrelay.studies.claim import Measured

from .measures import efficiency, fairness, has_diverged, longest, throughput
from .rows import ROWS, Gate, Row

ORDER = 10**0.5
"""A queue is of the printed order if it is no further off than by this factor."""
PRINTED = [row for row in ROWS.values() if row.is_compared]
"""Rows with something to compare."""


def point(measured: Measured, row: Row) -> PointResult:
    """The run of a row."""
    return measured["rows"].point(row=row.name)


@exhibit(
    "rows",
    "The printed tables, row by row.",
    "Round-trip time and feedback delay in ms, the longest queue in cells, throughput of all"
    " connections in Mbit/s, efficiency as a share of what 512 bytes in 12 cells could reach, less"
    " the VBR traffic. A row is to be as close as the column before the last says, queue and"
    " throughput; of the same order is within a factor of 3.2. Rows without printed numbers are"
    " other places of the same grids.",
    is_printed=True,
)
def rows(measured: Measured) -> Table:
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
    return Table(header, [_line(row, point(measured, row)) for row in ROWS.values()])


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
        verdict(row, found),
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


def verdict(row: Row, found: PointResult) -> str:
    """Whether a row is inside its gate, in words."""
    if not row.is_compared:
        return ""
    outside = [what for what, is_inside in gates(row, found) if not is_inside]
    return f"outside: {', '.join(outside)}" if outside else "inside"


def gates(row: Row, found: PointResult) -> Iterator[tuple[str, bool]]:
    """What the gate of a row asks, and whether it is so."""
    yield "stability", has_diverged(row, found) is row.diverges
    printed, gate = row.printed, row.gate
    if printed is None or gate is None:
        return
    yield "queue", _is_near(longest, found, printed.queue, gate)
    if gate.throughput is not None:
        off = average(throughput, found) / printed.throughput - 1
        yield "throughput", abs(off) <= gate.throughput


def _is_near(measure: Measure, found: PointResult, printed: float, gate: Gate) -> bool:
    ratio = average(measure, found) / printed
    if gate.queue is None:
        return 1 / ORDER <= ratio <= ORDER
    return abs(ratio - 1) <= gate.queue


@claim(
    "rows",
    "The printed tables come out.",
    rule="each of the thirteen rows with printed numbers is inside its gate: throughput within 2 %"
    " (with VBR traffic 4 %), the longest queue within 15 or 30 %, or of the same order where it"
    " hinges on details that are not printed; where the queue diverges in print, it does here",
)
def rows_come_out(measured: Measured) -> Outcome:
    found = {row.name: verdict(row, point(measured, row)) for row in PRINTED}
    inside = sum(words == "inside" for words in found.values())
    checks = [Check(f"{name} ({words})", words == "inside") for name, words in found.items()]
    return judge(f"{inside} of {len(found)} inside their gates", checks)


@claim(
    "stability",
    "Queues are stable, but for VBR traffic of high frequency without a remedy.",
    rule="the longest queue is at most that of eight round trips and averaging intervals in every"
    " row that is stable in print, and longer in every row that diverges; rows of the same grids"
    " without printed numbers count as those beside them",
)
def stability(measured: Measured) -> Outcome:
    checks, words = [], []
    for row in ROWS.values():
        found = point(measured, row)
        checks.append(Check(row.name, has_diverged(row, found) is row.diverges))
        if row.diverges:
            words.append(f"{row.condition} {average(longest, found):.0f} cells")
    return judge(f"diverging: {'; '.join(words)}", checks)


@claim(
    "fairness",
    "Connections share fairly.",
    rule="the index of fairness is at least 0.99 in every row without VBR traffic and at least 0.97"
    " in every row with it that does not diverge",
)
def shares_are_fair(measured: Measured) -> Outcome:
    values = {
        row.name: average(fairness, point(measured, row))
        for row in ROWS.values()
        if not row.diverges
    }
    checks = [
        Check(name, value >= (0.97 if ROWS[name].has_vbr else 0.99))
        for name, value in values.items()
    ]
    least = min(values, key=lambda name: values[name])
    return judge(f"least {values[least]:.4f} ({least})", checks)
