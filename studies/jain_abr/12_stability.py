"""Stability of queues: the rows in runs of 24 s, and a test for trend."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Table, Verdict, claim, exhibit, judge

from .printed import ROWS
from .settings import lasting
from .trend import SPAN, growth, is_growing, longest_of_all, said, trend

QUICK_ROWS = ("e1", "e3", "e-1", "f1", "f2")
ILL, CURED = ("e3", "e-1"), ("f1", "f2")

long_rows = lasting(
    "The printed rows, for 24 s",
    {"row": {row.name: row.point for row in ROWS.values()}},
    {"row": {name: ROWS[name].point for name in QUICK_ROWS}},
)


@exhibit(
    "stability",
    "Which queues still grow after 24 s.",
    f"Cells by which the mean queue at the bottleneck grows in the last {SPAN} s of 24 s; Kendall's"
    " tau of its batches of a second against time, with its interval over replications; the longest"
    " queue of these seconds over all replications. A queue grows if the interval of tau lies above"
    " zero and the growth is more than a cell.",
)
def table(long_rows: Results) -> Table:
    header = ["row", "condition", f"growth in {SPAN} s", "tau", "longest", "grows"]
    lines = [
        [
            name,
            ROWS[name].condition,
            f"{growth(point):+.0f}",
            str(trend(point)),
            f"{longest_of_all(point):.0f}",
            "yes" if is_growing(point) else "no",
        ]
        for name, point in _by_row(long_rows).items()
    ]
    return Table(header, lines)


def _by_row(long_rows: Results) -> Mapping[str, PointResult]:
    return {name: long_rows.point(row=name) for name in long_rows.values("row")}


TREND = (
    f"in the last {SPAN} s of 24 s its mean rises by more than a cell, and the 95 % interval of"
    " Kendall's tau, of its batches of a second against time in independent replications, lies"
    " above zero"
)


@claim(
    "stability",
    "Queues are stable, except with VBR traffic of high frequency without a remedy.",
    rule=f"a queue grows if {TREND}; it does in both rows with VBR traffic of 10 and 1 ms without a"
    " remedy, and in no other row of the tables",
    where="slides, tables of VBR traffic and conclusions; the row of 10 ms is printed as diverging",
    of_paper="which rows are stable and which diverge",
    ours="24 s and the test for a trend, as the slides do not state how the authors judged; a row"
    " without printed numbers is expected to behave like the rows beside it",
    expect=Verdict.REPRODUCED,
)
def stability(long_rows: Results) -> Outcome:
    found = _by_row(long_rows)
    checks = [
        Check(name, is_growing(point) is ROWS[name].diverges) for name, point in found.items()
    ]
    words = [f"{name} {said(found[name])}" for name in QUICK_ROWS]
    return judge(f"growth in {SPAN} s in cells: {'; '.join(words)}", checks)


@claim(
    "cures",
    "VBR traffic of high frequency makes ERICA diverge; ERICA+, or a target of 70 %, cures that.",
    rule=f"a queue grows if {TREND}; with VBR traffic of 10 and 1 ms it does with ERICA at 90 %,"
    " and with VBR traffic of 1 ms it does neither with ERICA+ nor with averaged load at 70 %",
    where="slides, tables of VBR traffic, rows e3, f1 and f2",
    of_paper="which of the rows diverge, and the two remedies",
    ours="24 s and the test for a trend; a period of 1 ms to test the remedies; averaged load with"
    " the target of 70 %",
    expect=Verdict.REPRODUCED,
)
def cures(long_rows: Results) -> Outcome:
    found = {name: long_rows.point(row=name) for name in (*ILL, *CURED)}
    checks = [Check(name, is_growing(point) is (name in ILL)) for name, point in found.items()]
    words = [
        f"{ROWS[name].condition}: {said(point)}, longest {longest_of_all(point):.0f}"
        for name, point in found.items()
    ]
    return judge(f"growth in {SPAN} s in cells: {'; '.join(words)}", checks)
