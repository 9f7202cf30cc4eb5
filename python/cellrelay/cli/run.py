"""`cellrelay run`: a scenario, with its sweep and replications."""

from __future__ import annotations

import json as json_text
import sys
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
    Set,
    Shown,
    Snaplen,
    Trace,
    Where,
    crew,
    goals,
    points_chosen,
    positive,
    settings,
    whole,
)

if TYPE_CHECKING:
    from cellrelay.results import Results
    from cellrelay.scenario import Goal

EXAMPLES = """\
cellrelay run scenario.toml
cellrelay run credit-link
cellrelay run scenario.toml --set 'duration=5 s' --replications 10
cellrelay run scenario.toml --metric goodput --metric 'flow bulk timeouts'
cellrelay run scenario.toml --where 'packet=512 B'
cellrelay run scenario.toml --replications 1 --trace series --every '0.1 ms'
cellrelay run scenario.toml --replications 1 --trace pcap
cellrelay run scenario.toml --jobs 4 --json > results.json
cellrelay run scenario.toml --list
cellrelay run scenario.toml --shard 2/8
"""

Seed = Annotated[
    int | None,
    Parameter(help="Seed, instead of the scenario's.", metavar="N", converter=whole),
]
Count = Annotated[
    int | None,
    Parameter(help="Replications of each point, exactly.", metavar="N", converter=whole),
]
Part = Annotated[
    str | None,
    Parameter(
        name="--shard",
        metavar="I/N",
        help="Only the I-th of N parts of the runs, into a store of its own in the folder's"
        " `shards`; `cellrelay merge` puts them together.",
    ),
]
List = Annotated[
    bool,
    Parameter(
        name="--list",
        negative="",
        help="Run nothing: list the points, the runs that are done and missing, and the time these"
        " are expected to take.",
    ),
]
Fresh = Annotated[
    bool,
    Parameter(
        name="--fresh",
        negative="--resume",
        help="Forget the finished runs of this scenario, or go on from them.",
    ),
]
Shows = Annotated[
    list[str] | None,
    Parameter(
        name="--metric",
        metavar="NAME",
        negative="",
        help="Show this of each point, for example `goodput`, or `flow bulk timeouts` with what it"
        " is of; of a group that of all its members together. May be repeated.",
    ),
]
Out = Annotated[
    Path | None,
    Parameter(help="Folder for results; results/NAME by default.", metavar="DIR"),
]


def command(
    file: File,
    /,
    *,
    set_: Set = None,
    where: Where = None,
    seed: Seed = None,
    replications: Count = None,
    jobs: Jobs = None,
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

    Every finished run is kept in the folder of results and never repeated: the same command goes
    on where it was stopped. Points are replicated until their interval is as narrow as the
    scenario asks. With `--where` the other points of the sweep are left out, of the tables as well.
    With `--trace series`, or if the scenario has `record`, the series of each run
    are a file in the folder's `series`. With `--trace pcap` every run is made, and its packets are
    files in the folder's `captures`, one for each host and each output of a switch or router.
    """
    from cellrelay.cli.outcome import exit_code, tell_rescue
    from cellrelay.cli.parts import list_points, run_array, run_part
    from cellrelay.cli.trace import captures_of, load_recording, recorder_of, tidy
    from cellrelay.progress import shown
    from cellrelay.results.folder import STORE, write_folder
    from cellrelay.scenario import Replications, load
    from cellrelay.store import Store
    from cellrelay.sweep import forget, sweep

    pairs = settings(set_) + ([("seed", str(seed))] if seed is not None else [])
    count = positive("--replications", replications)
    scenario = load_recording(lambda more: load(file, pairs + more), trace or (), every)
    scenario = points_chosen(scenario, where)
    wanted = goals(scenario, metric)
    folder = out if out is not None else Path("results") / file.stem
    rule = Replications.exactly(count) if count else scenario.replications
    if list_:
        return list_points(scenario, rule, folder, as_json=json)
    recorder = recorder_of(scenario, folder)
    captures = captures_of(trace or (), snaplen, folder)
    if shard is not None:
        if recorder or captures or json:
            raise Refusal("--shard: makes numbers only\n  hint: leave out `--trace` and `--json`")
        with crew(executor, jobs) as workers:
            return run_part(scenario, rule, shard, folder, workers, shown(progress), is_fresh=fresh)
    if executor.startswith(("slurm:", "local:")):
        if recorder or captures:
            raise Refusal("--executor: jobs make numbers only\n  hint: leave out `--trace`")
        run_array(scenario, rule, executor, folder, is_fresh=fresh)
        fresh, executor = False, "threads"
    keepers = [keeper for keeper in (recorder, captures) if keeper]
    with crew(executor, jobs) as workers, Store(folder / STORE) as store, shown(progress) as watch:
        tell_rescue(store)
        if captures and not workers.shares_memory:
            hint = "captures are written where runs happen: leave out `--executor`"
            raise Refusal(f"--trace: `pcap` needs runs on this machine\n  hint: {hint}")
        if fresh:
            forget(scenario, store, seed)
        results = sweep(
            scenario,
            workers,
            store,
            seed=seed,
            replications=rule,
            recorder=recorder,
            captures=captures,
            watch=watch,
            is_loaded=False,
        )
        # As long as the store is ours nobody else writes into its folder.
        write_folder(results, folder)
        tidy(keepers, results)
        _print(results, wanted, as_json=json)
        status = results.status
    print(f"results in {folder}", file=sys.stderr)
    for keeper in keepers:
        print(f"{keeper.folder.name} in {keeper.folder}", file=sys.stderr)
    return exit_code(status, is_sweep=bool(scenario.axes))


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
