"""`cellrelay run`: a scenario, with its sweep and replications."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import (
    Every,
    ExecutorOrJobs,
    File,
    Jobs,
    Json,
    Members,
    Set,
    Shown,
    Snaplen,
    Threads,
    Trace,
    Where,
    goals,
    points_chosen,
    positive,
    register,
    settings,
    whole,
    worker_pool,
)
from cellrelay.cli.outputs import named, results_folder
from cellrelay.cli.trial import ExampleSetup

if TYPE_CHECKING:
    from cellrelay.execute import WorkerPool
    from cellrelay.experiment.sweep import Watch
    from cellrelay.results import Captures, Recordings, Results, Traces
    from cellrelay.scenario import Goal, Replications, Scenario

EXAMPLES = """\
cellrelay run scenario.toml
cellrelay run credit-link
cellrelay run scenario.toml --set 'duration=5 s' --replications 10
cellrelay run scenario.toml --metric goodput --metric 'flow bulk timeouts'
cellrelay run scenario.toml --where 'packet=512 B'
cellrelay run scenario.toml --replications 1 --trace series --every '0.1 ms'
cellrelay run scenario.toml --replications 1 --trace pcap
cellrelay run scenario.toml --replications 1 --trace packets
cellrelay run completion-times --replications 1 --trace connections
cellrelay run scenario.toml --jobs 4 --json > results.json
cellrelay run scenario.toml --list
cellrelay run scenario.toml --shard 2/8
"""
TRIAL = ExampleSetup.SCENARIO

Seed = Annotated[
    int | None,
    Parameter(help="Seed to use instead of the scenario's.", metavar="N", converter=whole),
]
Count = Annotated[
    int | None,
    Parameter(help="Exact number of replications of each point.", metavar="N", converter=whole),
]
Part = Annotated[
    str | None,
    Parameter(
        name="--shard",
        metavar="I/N",
        help="Make only the I-th of N parts of the runs, in a store of its own in the folder"
        " `shards` of the results; `cellrelay merge` joins the stores.",
    ),
]
List = Annotated[
    bool,
    Parameter(
        name="--list",
        negative="",
        help="Run nothing, and list the points, the finished and missing runs, and the expected"
        " time of the missing ones.",
    ),
]
Fresh = Annotated[
    bool,
    Parameter(
        name="--fresh",
        negative="--resume",
        help="Delete the finished runs of this scenario, or continue from them.",
    ),
]
Shows = Annotated[
    list[str] | None,
    Parameter(
        name="--metric",
        metavar="NAME",
        negative="",
        help="Metric to show for each point, for example `goodput`, or `flow bulk timeouts` with"
        " its scope; for a group, all members together. Repeatable.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(help="Folder for results; by default, results/NAME.", metavar="DIR", converter=named),
]


def command(
    file: File,
    /,
    *,
    set_: Set = None,
    members: Members = None,
    where: Where = None,
    seed: Seed = None,
    replications: Count = None,
    jobs: Jobs = None,
    threads: Threads = None,
    executor: ExecutorOrJobs = "threads",
    out: Out = None,
    shard: Part = None,
    list_: List = False,
    fresh: Fresh = False,
    trace: Trace = None,
    every: Every = None,
    snaplen: Snaplen = None,
    progress: Shown = None,
    metric: Shows = None,
    json: Json = False,
) -> int:
    """Run a scenario, with its sweep and replications.

    The folder of results keeps every finished run, and no run is repeated: after an interruption,
    the same command continues. Points are replicated until their confidence interval is as narrow
    as the scenario asks. `--where` restricts the runs and the tables to some points of a sweep.
    With `--trace series`, or if the scenario has `record`, the folder `series` has a file with the
    time series of each run. With `--trace pcap` every run is made again, and the folder `captures`
    has the packets of each run, in one file for each host and each output of a switch or router.
    With `--trace packets` or `--trace connections` too, and a folder of that name, or another one,
    has a Parquet table of each run with a row for each packet, or each connection that came.
    """
    from cellrelay.cli.parts import is_array, list_points
    from cellrelay.cli.progress import shown
    from cellrelay.cli.trace import captures_of, load_recording, recorder_of, traces_of
    from cellrelay.scenario import Replications, load

    register(members)
    pairs = settings(set_) + ([("seed", str(seed))] if seed is not None else [])
    count, threads = positive("--replications", replications), positive("--threads", threads)
    scenario = load_recording(lambda more: load(file, pairs + more), trace or (), every)
    scenario = points_chosen(scenario, where)
    wanted = goals(scenario, metric)
    folder = results_folder(out, file.stem, [file, *(members or ())])
    rule = Replications.exactly(count) if count else scenario.replications
    if list_:
        return list_points(scenario, rule, folder, as_json=json)
    recorder, captures = recorder_of(scenario, folder), captures_of(trace or (), snaplen, folder)
    tables = traces_of(scenario, trace or (), folder)
    runs = _Runs(scenario, rule, folder, seed, fresh, bool(where), recorder, captures, tables)
    _tell_threads(scenario, threads, in_parts=shard is not None or is_array(executor))
    if shard is not None:
        return _run_shard(runs, shard, executor, jobs, shown(progress), as_json=json)
    if is_array(executor):
        _run_array(runs, executor)
        runs, executor = replace(runs, is_fresh=False), "threads"  # The missing runs are made here.
    with worker_pool(executor, jobs, threads or 1) as pool:
        return _run_all(runs, pool, shown(progress), wanted, as_json=json)


@dataclass(frozen=True)
class _Runs:
    """The runs that a command line asks for."""

    scenario: Scenario
    rule: Replications
    folder: Path
    seed: int | None
    is_fresh: bool
    """True if the finished runs are deleted first."""
    is_narrowed: bool
    """True if `--where` leaves points of the sweep out."""
    recorder: Recordings | None
    """Keeper of the series, if they are recorded."""
    captures: Captures | None
    """Keeper of the packets, if they are captured."""
    traces: Mapping[str, Traces]
    """Keepers of the tables, by what has a row in them: `packets` or `connections`."""

    @property
    def keepers(self) -> list[Recordings | Captures | Traces]:
        """The keepers of series, packets and connections."""
        keepers = (self.recorder, self.captures, *self.traces.values())
        return [keeper for keeper in keepers if keeper]


def _tell_threads(scenario: Scenario, wanted: int | None, *, in_parts: bool) -> None:
    """Write to standard error why runs have fewer threads, if they do at the first point.

    Raises `Refusal` for parts of a sweep.
    """
    if wanted is None:
        return
    if in_parts:
        raise Refusal("--threads: parts of a sweep have one thread a run\n  hint: leave it out")
    count, reason = scenario.threads(wanted)
    if reason is not None:
        each = "one thread" if count == 1 else f"{count} threads"
        print(f"note: each run has {each}, since {reason}", file=sys.stderr)


def _run_shard(
    runs: _Runs,
    shard: str,
    executor: str,
    jobs: int | None,
    progress: AbstractContextManager[Watch],
    *,
    as_json: bool,
) -> int:
    """Make one part of the runs, in a store of its own; returns the exit code."""
    from cellrelay.cli.parts import run_part

    if runs.keepers or as_json:
        raise Refusal(
            "--shard: cannot be combined with `--trace` or `--json`\n  hint: leave them out"
        )
    with worker_pool(executor, jobs) as pool:
        return run_part(
            runs.scenario, runs.rule, shard, runs.folder, pool, progress, is_fresh=runs.is_fresh
        )


def _run_array(runs: _Runs, executor: str) -> None:
    """Make the runs as an array of jobs, and merge their stores."""
    from cellrelay.cli.parts import run_array

    if runs.keepers:
        raise Refusal("--executor: jobs keep no series and no tables\n  hint: leave out `--trace`")
    run_array(runs.scenario, runs.rule, executor, runs.folder, is_fresh=runs.is_fresh)


def _run_all(
    runs: _Runs,
    pool: WorkerPool,
    progress: AbstractContextManager[Watch],
    wanted: list[Goal],
    *,
    as_json: bool,
) -> int:
    """Make the missing runs, and write and print all results; returns the exit code."""
    from cellrelay.cli.outcome import exit_code, tell_rescue
    from cellrelay.cli.trace import tidy
    from cellrelay.experiment.sweep import forget, sweep
    from cellrelay.results.files.folder import STORE, write_folder
    from cellrelay.store import Store

    with Store(runs.folder / STORE) as store, progress as watch:
        tell_rescue(store)
        if (runs.captures or runs.traces) and not pool.shares_memory:
            what = "pcap" if runs.captures else next(iter(runs.traces))
            hint = "packets and connections are written where runs are made: leave out `--executor`"
            raise Refusal(f"--trace: `{what}` needs runs on this machine\n  hint: {hint}")
        if runs.is_fresh:
            forget(runs.scenario, store, runs.seed)
        results = sweep(
            runs.scenario,
            pool,
            store,
            seed=runs.seed,
            replications=runs.rule,
            recorder=runs.recorder,
            captures=runs.captures,
            traces=runs.traces,
            watch=watch,
            is_loaded=False,
        )
        # While this process holds the store, no other process writes into its folder.
        write_folder(results, runs.folder)
        tidy(runs.keepers, results)
        _print(results, wanted, as_json=as_json)
        status = results.status
    print(f"results in {runs.folder}", file=sys.stderr)
    if runs.is_narrowed:
        rest = "the same command without `--where` writes all that were run"
        print(f"note: the tables have only the points of `--where`; {rest}", file=sys.stderr)
    for keeper in runs.keepers:
        print(f"{keeper.folder.name} in {keeper.folder}", file=sys.stderr)
    return exit_code(status, is_sweep=bool(runs.scenario.axes))


def _print(results: Results, wanted: list[Goal], *, as_json: bool) -> None:
    from cellrelay.cli.outcome import tell
    from cellrelay.cli.show import show, unmeasured

    if as_json:
        print(json_text.dumps(results.to_json(), allow_nan=False))
    else:
        show(results, sys.stdout, wanted)
    tell(results)
    for line in unmeasured(results, wanted):
        print(f"warning: {line}", file=sys.stderr)
