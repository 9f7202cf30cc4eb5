"""Warnings about messages that were unfinished when runs ended."""

from __future__ import annotations

from cellrelay.results.point import PointResult
from cellrelay.simulation.labels import in_columns
from cellrelay.simulation.run import Run


def warning_of_starved(point: PointResult) -> str | None:
    """A warning about the run in which the most flows finished no message; `None` without any."""
    if not point.counts_unfinished:
        return None
    starved, flows = max(map(_starved, point.runs))
    if not starved:
        return None
    return (
        f"{starved:,} of {flows:,} flows finished no message; percentiles are bounds"
        " (metric unfinished_messages)"
    )


def _starved(run: Run) -> tuple[int, int]:
    """The flows in which messages began and none ended, and all in which messages began."""
    columns = in_columns(run.labels)
    starved = flows = 0
    for place in columns.where(lambda _, metric: metric == "unfinished_messages"):
        finished = columns.column(columns[place].scope, "messages")
        if finished is None:
            continue
        flows += run.values[finished] + run.values[place] > 0
        starved += run.values[place] > 0 and run.values[finished] == 0
    return starved, flows
