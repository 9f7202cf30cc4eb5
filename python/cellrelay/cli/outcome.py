"""How an experiment ended: the exit code, and what a reader of the numbers must know."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from cellrelay.cli import exits
from cellrelay.results import Results, Status


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
    for line in _notes(results):
        print(line, file=sys.stderr)


def _notes(results: Results) -> Iterable[str]:
    for warning, places in results.warnings().items():
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        yield f"warning: {warning} ({places[0]}{more})"
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
