"""One call from a scenario to its results."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path

from cellrelay.errors import ScenarioError
from cellrelay.execute import Crew, open_crew
from cellrelay.points import narrowed
from cellrelay.results import Captures, Recordings, Results, Status
from cellrelay.results.select import Value
from cellrelay.scenario import Replications, Scenario, Settings, load
from cellrelay.store import Store
from cellrelay.sweep import Watch, sweep


def run(
    scenario: Scenario | str | Path,
    settings: Settings = (),
    *,
    where: Mapping[str, Value] | None = None,
    seed: int | None = None,
    replications: int | Replications | None = None,
    jobs: int | None = None,
    executor: Executor | None = None,
    store: str | Path | None = None,
    series: str | Path | None = None,
    captures: str | Path | None = None,
    snaplen: int | None = None,
    watch: Watch = lambda _: None,
) -> Results:
    """Run a scenario, with its sweep and replications.

    `settings` replace values of a scenario file, path by path. `where` leaves only the points of a
    sweep at which the axes have these values: `{"packet": "512 B"}`. With `store`, a file, finished
    runs are kept and never repeated; with `series`, a folder, so is what a scenario with
    `record` records, which otherwise stays in memory. With `captures`, a folder, every run is
    made, and its packets are files for Wireshark: their headers, or `snaplen` octets of each,
    from 1 to 262144. An `executor` of your own gets `jobs` runs at a time, and is left open.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario, settings)
    elif settings:
        raise ScenarioError(
            f"{scenario.name}: settings replace values of a file, and this one has been read"
            "\n  hint: give them to `load`, `parse` or `build`"
        )
    scenario = narrowed(scenario, where or {})
    rule = Replications.exactly(replications) if isinstance(replications, int) else replications
    capturing = Captures(Path(captures), snaplen) if captures is not None else None
    crew = open_crew(jobs=jobs) if executor is None else Crew(executor, jobs or 1)
    recorder = Recordings(series) if series is not None else None
    with crew, Store(store) as runs:
        results = sweep(
            scenario,
            crew,
            runs,
            seed=seed,
            replications=rule,
            recorder=recorder,
            captures=capturing,
            watch=watch,
        )
    if results.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    return results
