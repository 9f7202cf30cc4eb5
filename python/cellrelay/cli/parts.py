"""Parts of a sweep: the survey of its runs, and parts that are run separately."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from cellrelay.cli.exits import DONE, FAILED_POINTS, INTERRUPTED, Refusal
from cellrelay.cli.outcome import tell_rescue
from cellrelay.cli.progress import span
from cellrelay.cli.table import write_table
from cellrelay.execute import WorkerPool
from cellrelay.experiment.jobs import Array, Unfinished, part_path, part_paths, parts_in, run_jobs
from cellrelay.experiment.plan import Shard
from cellrelay.experiment.survey import PointSurvey, survey, total
from cellrelay.experiment.sweep import Watch, fill, forget
from cellrelay.results import short_names
from cellrelay.results.files.folder import STORE
from cellrelay.scenario import Replications, Scenario
from cellrelay.store import Store


def shard_of(text: str) -> Shard:
    """The part named by `--shard`."""
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise Refusal(
            f"--shard: `{text}` is not a part"
            "\n  hint: write I/N with I from 1 to N, for example `--shard 2/8`"
        )
    return Shard(int(match[1]), int(match[2]))


def run_part(
    scenario: Scenario,
    rule: Replications,
    part: str,
    folder: Path,
    pool: WorkerPool,
    progress: AbstractContextManager[Watch],
    *,
    is_fresh: bool,
) -> int:
    """Run one part of a sweep into a store of its own; returns the exit code."""
    shard = shard_of(part)
    path = part_path(folder, shard)
    with Store(path) as store, progress as watch:
        tell_rescue(store)
        if is_fresh:
            forget(scenario, store)
        filled = fill(scenario, pool, store, shard, replications=rule, watch=watch)
    failed = f", {filled.failures} points failed" if filled.failures else ""
    print(f"part {shard.number} of {shard.of}: {filled.runs} runs{failed}")
    print(f"in {path}", file=sys.stderr)
    if filled.is_interrupted:
        print("interrupted: run the same command again to continue", file=sys.stderr)
        return INTERRUPTED
    return FAILED_POINTS if filled.failures else DONE


def list_points(scenario: Scenario, rule: Replications, folder: Path, *, as_json: bool) -> int:
    """Print the finished and missing runs of a sweep."""
    path = folder / STORE
    with Store(path if path.exists() else None) as store:
        tell_rescue(store)
        points = survey(scenario, rule, store)
    if as_json:
        document = [{**point._asdict(), "point": dict(point.point)} for point in points]
        print(json.dumps(document, allow_nan=False))
    else:
        _show(scenario, rule, points)
    return DONE


def _show(scenario: Scenario, rule: Replications, points: list[PointSurvey]) -> None:
    names = short_names(scenario.axes)
    header = [*(names[axis] for axis in scenario.axes), "done", "missing", "failed", "time"]
    rows = [
        [
            *point.point.values(),
            str(point.done),
            str(point.missing),
            str(point.failed),
            _time(point),
        ]
        for point in points
    ]
    first = len(scenario.axes)
    write_table(header, rows, sys.stdout, range(first, len(header)), first)
    whole = total(points)
    least = "at least " if rule.until else ""
    known = f"{len(points)} point{'s' if len(points) > 1 else ''}: {whole.done} runs done"
    failed = f", {whole.failed} points failed" if whole.failed else ""
    print(f"\n{known}, {least}{whole.missing} missing{failed}")
    if whole.missing and whole.seconds is not None:
        print(f"expected time: about {span(whole.seconds)} on one processor")


def _time(point: PointSurvey) -> str:
    if not point.missing:
        return "-"
    return "unknown" if point.seconds is None else span(point.seconds)


def is_array(executor: str) -> bool:
    """True if `--executor` names an array of jobs."""
    return executor.startswith(("slurm:", "local:"))


def run_array(
    scenario: Scenario, rule: Replications, spec: str, folder: Path, *, is_fresh: bool
) -> None:
    """Run a sweep as an array of jobs, and merge their stores into the store of the sweep."""
    try:
        array = Array.parse(spec)
    except ValueError as error:
        raise Refusal(f"--executor: {error}") from error
    # The store is locked and read before jobs are submitted.
    with Store(folder / STORE) as store:
        tell_rescue(store)
        # The stores of jobs that a dead driver has left running are in use.
        for path in parts_in(folder):
            with Store(path) as part:
                tell_rescue(part)
                if is_fresh:
                    forget(scenario, part)
                store.take(part.rows())
        if is_fresh:
            forget(scenario, store)
        if not total(survey(scenario, rule, store)).missing and rule.until is None:
            return
        for path in part_paths(folder, array):
            with Store(path) as part:
                part.take(store.rows())
        try:
            paths = run_jobs(scenario, rule, array, folder, _tell_jobs())
        except ValueError as error:
            raise Refusal(f"--executor: {error}") from error
        except Unfinished as error:
            raise Refusal(str(error)) from error
        for path in paths:
            with Store(path) as part:
                tell_rescue(part)
                store.take(part.rows())


def _tell_jobs() -> Callable[[int, int], None]:
    last = -1

    def tell(done: int, jobs: int) -> None:
        nonlocal last
        if done != last:
            last = done
            print(f"{done}/{jobs} jobs done", file=sys.stderr, flush=True)

    return tell
