"""How an experiment ended: the exit code, and what a reader of the numbers must know."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from cellrelay.cli import exits
from cellrelay.results import Results, Status, listed


def exit_code(status: Status, is_sweep: bool) -> int:
    """The exit code of an experiment."""
    return {
        Status.DONE: exits.DONE,
        Status.IMPRECISE: exits.STOPPED_EARLY,
        Status.FAILED: exits.FAILED_POINTS if is_sweep else exits.BROKEN_MODEL,
        Status.INTERRUPTED: exits.INTERRUPTED,
    }[status]


def tell(results: Results) -> None:
    """Write warnings and failures to standard error."""
    for warning, places in results.warnings().items():
        print(f"warning: {warning} ({listed(places)})", file=sys.stderr)
    for line in failures(results):
        print(line, file=sys.stderr)


def failures(results: Results) -> Iterator[str]:
    """What did not come out as asked, a line each."""
    for point in results.points:
        place = results.place(point)
        where = f"{place}: " if place else ""
        n = len(point.runs)
        if point.failure is not None:
            yield f"failed: {where}seed {results.provenance.seed}, replication {n}: {point.failure}"
        elif not point.is_precise:
            yield f"warning: {where}{n} replications did not reach the wanted precision"
    if results.status is Status.INTERRUPTED:
        yield "interrupted: the same command goes on from here"
