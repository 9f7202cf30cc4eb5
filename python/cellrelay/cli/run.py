"""`cellrelay run`: a scenario, with its sweep and replications."""

from __future__ import annotations

import json as json_text
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from cellrelay.cli.options import (
    Every,
    Executor,
    File,
    Jobs,
    Json,
    Set,
    Snaplen,
    Trace,
    crew,
    positive,
    settings,
    whole,
)

if TYPE_CHECKING:
    from cellrelay.results import Results

EXAMPLES = """\
cellrelay run scenario.toml
cellrelay run scenario.toml --set 'duration=5 s' --replications 10
cellrelay run scenario.toml --replications 1 --trace series --every '0.1 ms'
cellrelay run scenario.toml --replications 1 --trace pcap
cellrelay run scenario.toml --jobs 4 --json > results.json
"""

Seed = Annotated[
    int | None,
    Parameter(help="Seed, instead of the scenario's.", metavar="N", converter=whole),
]
Count = Annotated[
    int | None,
    Parameter(help="Replications of each point, exactly.", metavar="N", converter=whole),
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
    seed: Seed = None,
    replications: Count = None,
    jobs: Jobs = None,
    executor: Executor = "threads",
    out: Out = None,
    trace: Trace = None,
    every: Every = None,
    snaplen: Snaplen = None,
    json: Json = False,
) -> int:
    """Run a scenario, with its sweep and replications.

    Every finished run is kept in the folder of results and never repeated: the same command goes
    on where it was stopped. Points are replicated until their interval is as narrow as the
    scenario asks. With `--trace series`, or if the scenario has `record`, the series of each run
    are a file in the folder's `series`. With `--trace pcap` every run is made, and its packets are
    files in the folder's `captures`, one for each host and each output of a switch or router.
    """
    from cellrelay.cli.outcome import exit_code, tell_rescue
    from cellrelay.cli.trace import captures_of, load_recording, recorder_of, tidy
    from cellrelay.progress import shown
    from cellrelay.results.folder import write_folder
    from cellrelay.scenario import Replications, load
    from cellrelay.store import Store
    from cellrelay.sweep import sweep

    pairs = settings(set_) + ([("seed", str(seed))] if seed is not None else [])
    count = positive("--replications", replications)
    scenario = load_recording(lambda more: load(file, pairs + more), trace or (), every)
    folder = out if out is not None else Path("results") / file.stem
    recorder = recorder_of(scenario, folder)
    captures = captures_of(trace or (), snaplen, folder)
    with crew(executor, jobs) as workers, Store(folder / "store.sqlite") as store, shown() as watch:
        tell_rescue(store)
        results = sweep(
            scenario,
            workers,
            store,
            seed=seed,
            replications=Replications.exactly(count) if count else None,
            recorder=recorder,
            captures=captures,
            watch=watch,
        )
        # As long as the store is ours nobody else writes into its folder.
        write_folder(results, folder)
        keepers = [keeper for keeper in (recorder, captures) if keeper]
        tidy(keepers, results)
    _print(results, as_json=json)
    print(f"results in {folder}", file=sys.stderr)
    for keeper in keepers:
        print(f"{keeper.folder.name} in {keeper.folder}", file=sys.stderr)
    return exit_code(results.status, is_sweep=bool(results.axes))


def _print(results: Results, *, as_json: bool) -> None:
    from cellrelay.cli.outcome import tell
    from cellrelay.cli.show import show

    if as_json:
        print(json_text.dumps(results.to_json(), allow_nan=False))
    else:
        show(results, sys.stdout)
    tell(results)
