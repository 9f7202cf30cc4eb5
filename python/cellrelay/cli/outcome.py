"""The outcome of an experiment: its exit code, warnings and failures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice

from cellrelay.cli import exits
from cellrelay.results import Results, Status, listed
from cellrelay.store import Store


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
    warnings = results.warnings()
    for line in _capped("warning", map(_with_places, warnings.items()), len(warnings)):
        print(line, file=sys.stderr)
    for line in failures(results):
        print(line, file=sys.stderr)


def tell_rescue(store: Store) -> None:
    """Report the rescue of a damaged store on standard error."""
    if store.rescue is not None:
        aside, runs = store.rescue
        kept = f"{runs} of its runs could be read" if runs else "none of its runs could be read"
        print(f"warning: {store.path} was damaged: {kept}, and it is now {aside}", file=sys.stderr)


def _with_places(warning: tuple[str, list[str]]) -> str:
    text, places = warning
    return f"{text} ({listed(places)})" if any(places) else text


def _capped(kind: str, texts: Iterable[str], count: int, most: int = 5) -> Iterator[str]:
    """A line for each of the first of so many texts of a kind, and one for the number of others."""
    shown = count if count <= most + 1 else most
    yield from (f"{kind}: {text}" for text in islice(texts, shown))
    if shown < count:
        yield f"{kind}: and {count - shown} more, all in results.json"


def failures(results: Results) -> Iterator[str]:
    """Failed and imprecise points, one line for each of the first."""
    failed, imprecise = [], []
    for point in results.points:
        place = results.place(point)
        where = f"{place}: " if place else ""
        n = len(point.runs)
        if point.failure is not None:
            failed.append(f"{where}seed {point.seed}, replication {n}: {point.failure}")
        elif not point.is_precise:
            imprecise.append(f"{where}{n} replications did not reach the requested precision")
    yield from _capped("failed", failed, len(failed))
    yield from _capped("warning", imprecise, len(imprecise))
    if results.status is Status.INTERRUPTED:
        yield "interrupted: run the same command again to continue"
