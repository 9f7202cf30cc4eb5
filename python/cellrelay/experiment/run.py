"""From a scenario to its results in one call."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING

from cellrelay.errors import ScenarioError
from cellrelay.execute import WorkerPool, open_pool
from cellrelay.experiment.points import narrowed
from cellrelay.experiment.sweep import Watch, sweep
from cellrelay.results import Captures, Recordings, Results, Status
from cellrelay.results.files.traces import keepers
from cellrelay.results.select import Value
from cellrelay.scenario import Replications, Scenario, Settings, accepted, load
from cellrelay.simulation.connections import require_connections
from cellrelay.simulation.connections import table_of as connections_table
from cellrelay.simulation.packets import table_of as packets_table
from cellrelay.store import Store

if TYPE_CHECKING:
    import pyarrow


def run(
    scenario: Scenario | str | Path,
    settings: Settings = (),
    *,
    where: Mapping[str, Value] | None = None,
    seed: int | None = None,
    replications: int | Replications | None = None,
    jobs: int | None = None,
    threads: int = 1,
    executor: Executor | None = None,
    store: str | Path | None = None,
    series: str | Path | None = None,
    captures: str | Path | None = None,
    packets: str | Path | None = None,
    connections: str | Path | None = None,
    snaplen: int | None = None,
    watch: Watch = lambda _: None,
) -> Results:
    """Run a scenario, with its sweep and replications.

    `settings` replaces values of a scenario file, path by path. `where` selects the points of a
    sweep at which the axes have these values: `{"packet": "512 B"}`. `store`, a file, keeps
    finished runs, which are not repeated. `series`, a folder, keeps the time series of a scenario
    with `record`, which otherwise stay in memory. `captures`, a folder, gets the packets of every
    run for Wireshark: their headers, or `snaplen` octets of each. `packets` and `connections`,
    folders, get a table of the packets or connections of every run, in Parquet. All runs are made
    again for these three.
    Each run has at most so many `threads`, which change only the time that it takes. Your own
    `executor` gets `jobs` runs at a time, each on one thread, and stays open.
    """
    scenario = _loaded(scenario, settings)
    scenario = narrowed(scenario, _selection(where))
    seed = None if seed is None else accepted.seed(seed)
    rule = _rule(replications)
    capturing = _captures(captures, snaplen)
    pool = _worker_pool(executor, jobs, threads)
    recorder = Recordings(series) if series is not None else None
    tables = {"packets": packets, "connections": connections}
    asked = {what: folder for what, folder in tables.items() if folder is not None}
    with pool, Store(store) as runs:
        results = sweep(
            scenario,
            pool,
            runs,
            seed=seed,
            replications=rule,
            recorder=recorder,
            captures=capturing,
            traces=keepers(scenario, asked),
            watch=watch,
        )
    if results.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    return results


def _loaded(scenario: Scenario | str | Path, settings: Settings) -> Scenario:
    """The scenario of an experiment; `settings` are for one that is still to be read."""
    if not isinstance(scenario, Scenario):
        return load(scenario, settings)
    if settings:
        raise ScenarioError(
            f"{scenario.name}: settings replace values of a file, and this scenario is already read"
            "\n  hint: pass them to `load`, `parse` or `build`"
        )
    return scenario


def _selection(where: Mapping[str, Value] | None) -> Mapping[str, Value]:
    if where is None or isinstance(where, Mapping):
        return where or {}
    raise ScenarioError(
        f"where: a `{type(where).__name__}` does not select points"
        '\n  hint: write a value for each axis, for example {"packet": "512 B"}'
    )


def _rule(replications: int | Replications | None) -> Replications | None:
    """The stopping rule of a number of replications."""
    if replications is None or isinstance(replications, Replications):
        return replications
    return Replications.exactly(accepted.whole("replications", replications))


def _captures(captures: str | Path | None, snaplen: int | None) -> Captures | None:
    """The captures of an experiment, if it makes any."""
    if snaplen is not None and captures is None:
        raise ScenarioError(
            f"snaplen: `{snaplen}` has no effect without captures\n  hint: leave it out, or name a"
            " folder for `captures`"
        )
    return Captures(Path(captures), snaplen) if captures is not None else None


def _worker_pool(executor: Executor | None, jobs: int | None, threads: int) -> WorkerPool:
    """The worker pool of an experiment, whose runs have at most so many `threads` each."""
    threads = accepted.whole("threads", threads)
    jobs = None if jobs is None else accepted.whole("jobs", jobs)
    if executor is not None and not hasattr(executor, "submit"):
        raise ScenarioError(
            f"executor: a `{type(executor).__name__}` is no executor"
            "\n  hint: pass an executor of `concurrent.futures`, or leave it out"
        )
    if threads > 1 and executor is not None:
        raise ScenarioError(
            f"threads: `{threads}` threads a run are not possible in your own executor"
            "\n  hint: leave `threads` or `executor` out"
        )
    return (
        open_pool("threads", jobs, threads) if executor is None else WorkerPool(executor, jobs or 1)
    )


def trace_packets(
    scenario: Scenario | str | Path,
    settings: Settings = (),
    *,
    seed: int | None = None,
    replication: int = 0,
) -> pyarrow.Table:
    """The packets of one run, a row for each, as a table of Arrow.

    `cellrelay.simulation.packets` lists the columns; times are in seconds.
    The scenario must have a single point.

    Raises:
        ScenarioError: if the scenario has a sweep, or a mistake.
    """
    point = _single_point(scenario, settings, "packets")
    outcome = point.run(point.seed if seed is None else seed, replication, trace=True)
    assert outcome.packets is not None
    return packets_table(outcome.packets)


def trace_connections(
    scenario: Scenario | str | Path,
    settings: Settings = (),
    *,
    seed: int | None = None,
    replication: int = 0,
) -> pyarrow.Table:
    """The connections that come and go in one run, a row for each, as a table of Arrow.

    `cellrelay.simulation.connections` lists the columns; times are in seconds.
    The scenario must have a single point.

    Raises:
        ScenarioError: if the scenario has a sweep, a mistake, or no such connections.
    """
    point = _single_point(scenario, settings, "connections")
    require_connections(point)
    outcome = point.run(point.seed if seed is None else seed, replication, connections=True)
    assert outcome.connections is not None
    return connections_table(outcome.connections)


def _single_point(scenario: Scenario | str | Path, settings: Settings, what: str) -> Scenario:
    """The scenario of one run.

    Raises:
        ScenarioError: if there are several points, or a mistake.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario, settings)
    if len(scenario.points) > 1:
        raise ScenarioError(
            f"{scenario.name}: a trace is of one run, and the sweep has"
            f" {len(scenario.points)} points\n  hint: pass `scenario.point(0)`, or use"
            f" `run` with `{what}`"
        )
    return scenario.point(0)
