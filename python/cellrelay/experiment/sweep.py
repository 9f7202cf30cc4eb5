"""Experiments: every point of a scenario, replicated until it is known precisely enough.

Replication k draws on the random streams with number k at every point, so points are compared on
common random numbers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Protocol

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.execute import Failure, WorkerPool, deferred_interrupt
from cellrelay.experiment.plan import WHOLE, Shard, SweepPlan
from cellrelay.results import (
    Captures,
    PointResult,
    Provenance,
    Results,
    RunLabel,
    Status,
    Traces,
    commit,
)
from cellrelay.scenario import Replications, Scenario
from cellrelay.simulation.run import MODEL, Run, Task
from cellrelay.simulation.series import Recording
from cellrelay.statistics import LEVEL
from cellrelay.store import PointReader, Store, StoredRuns

POINTS = 128
"""Number of points that are cached; other points are read from the scenario again."""

POLL = 0.2
"""Interval between checks of the progress of running simulations, in seconds."""


@dataclass(frozen=True)
class Progress:
    """Progress of an experiment."""

    done: int
    """Number of finished runs, including those found in the store."""
    found: int
    expected: int
    """Expected number of runs, by the stopping rule so far."""
    underway: float
    """Sum of the finished fractions of running runs."""
    failed: int
    elapsed: float
    """Time since the start, in seconds."""
    events: int = 0
    """Number of cells and packets that entered links, in the runs made since the start."""
    simulated: float = 0.0
    """Simulated time of the runs made since the start, in seconds."""

    @property
    def events_per_second(self) -> float:
        """Speed of all workers together."""
        return self.events / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Expected time of the remaining runs in seconds, from the runs made so far."""
        if self.done >= self.expected:
            return 0.0
        made = self.done - self.found + self.underway
        if made <= 0 or self.elapsed < 1:
            return None
        left = self.expected - self.done - self.underway
        return max(0.0, left * self.elapsed / made)


Watch = Callable[[Progress], None]


class Recorder(Protocol):
    """Keeps the series of runs, which are not in the store; `every` is their sampling interval."""

    def find(self, place: RunLabel, run: Run, every: float) -> Run | None:
        """The run with its kept series, `None` if they were not kept."""

    def keep(self, place: RunLabel, run: Run, every: float) -> Run:
        """Keep the series of a run; returns the run with the kept series."""


class InMemory:
    """A recorder that leaves series in memory."""

    def find(self, place: RunLabel, run: Run, every: float) -> Run | None:
        """Return `None`: no earlier series are kept."""
        return None

    def keep(self, place: RunLabel, run: Run, every: float) -> Run:
        """Return the run unchanged."""
        return run


@dataclass(frozen=True)
class Filled:
    """Content of a store after a sweep or a part of it was run."""

    runs: int
    failures: int
    is_interrupted: bool


def fill(
    scenario: Scenario,
    pool: WorkerPool,
    store: Store,
    shard: Shard,
    *,
    replications: Replications | None = None,
    watch: Watch = lambda _: None,
) -> Filled:
    """Make the runs of one part of a sweep that the store lacks."""
    rule = replications or scenario.replications
    experiment = _Experiment(scenario, None, rule, store, InMemory(), None, {}, shard)
    is_interrupted = experiment.run(pool, watch)
    points = experiment.plan.points
    failures = sum(point.failure is not None for point in points)
    return Filled(sum(point.count for point in points), failures, is_interrupted)


def sweep(
    scenario: Scenario,
    pool: WorkerPool,
    store: Store,
    *,
    seed: int | None = None,
    replications: Replications | None = None,
    recorder: Recorder | None = None,
    captures: Captures | None = None,
    traces: Mapping[str, Traces] | None = None,
    watch: Watch = lambda _: None,
    is_loaded: bool = True,
) -> Results:
    """Make the runs that the store lacks, and return all results.

    With `is_loaded`, results are in memory. Otherwise they are read from the store point by point,
    while it is open, so memory does not grow with the number of replications. Series stay in
    memory unless a `recorder` keeps them. A run with series is made again if the store has its
    numbers but its series are missing, and every run is made again for `captures` and for
    `traces`, which keep tables of `packets` or `connections`. Ctrl-C stops the simulations and
    returns the finished runs.
    """
    if seed is not None and "seed" in scenario.axes:
        raise ScenarioError(
            f"seed: `{seed}` would replace every seed of the sweep"
            "\n  hint: leave the seed out, or `seed` out of the sweep"
        )
    rule = replications or scenario.replications
    recorder = recorder or InMemory()
    experiment = _Experiment(scenario, seed, rule, store, recorder, captures, traces or {})
    results = experiment.results(experiment.run(pool, watch))
    return results.loaded() if is_loaded else results


def forget(scenario: Scenario, store: Store, seed: int | None = None) -> None:
    """Delete the runs of a scenario, at every point of its sweep, from the store."""
    store.forget(
        Task(point, point.seed if seed is None else seed, 0)
        for point in map(scenario.point, range(len(scenario.points)))
    )


class _Experiment:
    """A running experiment."""

    def __init__(
        self,
        scenario: Scenario,
        seed: int | None,
        rule: Replications,
        store: Store,
        recorder: Recorder,
        captures: Captures | None,
        traces: Mapping[str, Traces],
        shard: Shard = WHOLE,
    ) -> None:
        # The rule of the scenario was checked at reading, and a rule from Python was not.
        is_given = rule is not scenario.replications
        for goal in rule.until.goals if rule.until and is_given else ():
            scenario.require(str(goal))
        self._scenario = scenario
        self._rule = rule
        self._store = store
        self._recorder = recorder
        self._captures = captures
        self._traces = traces
        self._values = scenario.points
        self._point = lru_cache(maxsize=POINTS)(scenario.point)
        self._identities: dict[int, tuple[str, int]] = {}
        self._wanted_seed = seed
        self._seed = scenario.seed if seed is None else seed
        self.plan = SweepPlan(len(self._values), rule, shard)
        self._running: dict[Task, int] = {}
        self._series: dict[int, dict[int, Recording]] = {}
        self._done = self._found = self._events = 0
        self._simulated = 0.0
        self._started = time.monotonic()

    def run(self, pool: WorkerPool, watch: Watch) -> bool:
        """Make runs until none is left; returns true if Ctrl-C ended the sweep before."""
        try:
            self._run(pool, watch)
            is_interrupted = False
        except KeyboardInterrupt:
            is_interrupted = True
        except BaseException:
            pool.cancel()
            raise
        with deferred_interrupt():
            self.record(pool.cancel())
        return is_interrupted

    def _run(self, pool: WorkerPool, watch: Watch) -> None:
        looked = 0.0
        while not self.plan.is_settled:
            self._fill(pool)
            if (now := time.monotonic()) >= looked + POLL:
                looked = now
                watch(self._progress(pool))
            with deferred_interrupt():
                self.record(pool.collect(POLL))
        watch(self._progress(pool))

    def record(self, ended: list[tuple[Task, Run | Failure]]) -> None:
        """Keep runs that have ended, and report them to the plan.

        Raises errors that every run would have, such as captures that cannot be written, after the
        successful runs have been kept.
        """
        for task, outcome in ended:
            index = self._running.pop(task)
            if isinstance(outcome, Run):
                self._store.record(task, outcome)
                self._events += outcome.events
                self._simulated += task.point.duration
                if (every := task.point.record_every) is not None:
                    outcome = self._recorder.keep(self._place(index, task), outcome, every)
            elif outcome.is_final:
                self._store.record_failure(task, outcome.error)
            self._take(index, task.replication, outcome)
        for _, outcome in ended:
            if isinstance(outcome, Failure) and outcome.reason is not None:
                raise outcome.reason

    def _fill(self, pool: WorkerPool) -> None:
        """Submit a run for every worker, and a second run if it is certain to be needed."""
        while len(pool) < 2 * pool.workers:
            chosen = self.plan.next(speculate=len(pool) < pool.workers)
            if chosen is None:
                return
            index, replication = chosen
            task = self._task(index, replication)
            known = self._known(index, task)
            if known is None:
                with deferred_interrupt():
                    self._running[task] = index
                    pool.submit(task)
            else:
                self._found += 1
                self._take(index, replication, known)

    def _task(self, index: int, replication: int) -> Task:
        point, (_, seed) = self._point(index), self._identity(index)
        place = RunLabel(self._values[index], index, seed, replication)
        capture = self._captures.of(place, self._provenance) if self._captures else None
        packets, connections = (
            self._traces[what].of(place, self._provenance) if what in self._traces else None
            for what in ("packets", "connections")
        )
        return Task(point, seed, replication, capture, packets, connections)

    def _identity(self, index: int) -> tuple[str, int]:
        """Key and seed of a point; they are remembered, since reading a point takes as long as a
        short run."""
        if index not in self._identities:
            point = self._point(index)
            self._identities[index] = point.key, self._seed_of(point)
        return self._identities[index]

    def _seed_of(self, point: Scenario) -> int:
        return point.seed if self._wanted_seed is None else self._wanted_seed

    def _known(self, index: int, task: Task) -> Run | Failure | None:
        if task.capture or task.packets or task.connections:
            return None
        run = self._store.find(task)
        if run is not None:
            every = task.point.record_every
            return (
                run if every is None else self._recorder.find(self._place(index, task), run, every)
            )
        error = self._store.find_failure(task)
        return Failure(error, is_final=True) if error is not None else None

    def _place(self, index: int, task: Task) -> RunLabel:
        return RunLabel(self._values[index], index, task.seed, task.replication)

    def _take(self, index: int, replication: int, outcome: Run | Failure) -> None:
        self._done += 1
        if isinstance(outcome, Run) and outcome.series:
            self._series.setdefault(index, {})[replication] = outcome.series
        self.plan.record(index, replication, outcome)

    def _progress(self, pool: WorkerPool) -> Progress:
        underway = pool.underway()
        shares = [(control.fraction, task.point.duration) for task, control in underway]
        return Progress(
            done=self._done,
            found=self._found,
            expected=max(self.plan.expected, self._done + len(self._running)),
            underway=sum(fraction for fraction, _ in shares),
            failed=sum(point.failure is not None for point in self.plan.points),
            elapsed=time.monotonic() - self._started,
            events=self._events + sum(control.events for _, control in underway),
            simulated=self._simulated + sum(share * whole for share, whole in shares),
        )

    @cached_property
    def _provenance(self) -> Provenance:
        return provenance(self._scenario, self._seed)

    def results(self, is_interrupted: bool) -> Results:
        latest = PointReader(self._store)
        points = tuple(self._point_result(index, latest) for index in range(len(self._values)))
        until = self._rule.until
        return Results(
            provenance=self._provenance,
            axes=self._scenario.axes,
            points=points,
            status=Status.INTERRUPTED if is_interrupted else _status(points),
            level=until.confidence if until else LEVEL,
        )

    def _point_result(self, index: int, latest: PointReader) -> PointResult:
        plan, (key, seed) = self.plan.points[index], self._identity(index)
        runs = StoredRuns(latest, key, seed, plan.count, self._series.get(index, {}))
        return PointResult(self._values[index], runs, seed, plan.failure, plan.is_precise, key=key)


def _status(points: tuple[PointResult, ...]) -> Status:
    if any(point.failure is not None for point in points):
        return Status.FAILED
    if not all(point.is_precise for point in points):
        return Status.IMPRECISE
    return Status.DONE


def provenance(scenario: Scenario, seed: int | None = None) -> Provenance:
    """The provenance of numbers of a scenario that are gathered now.

    It has the name of the file without its folder, which may differ between machines.
    """
    return Provenance(
        scenario=Path(scenario.name).name,
        title=scenario.title,
        version=_core.VERSION,
        model=MODEL,
        seed=scenario.seed if seed is None else seed,
        resolved=scenario.resolved,
        commit=commit(),
    )
