"""One run: a point of a scenario, a seed and the number of a replication."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import Scope, ScopeLike, by_text
from cellrelay.scenario import Goal, Scenario
from cellrelay.scenario.capture import Capture
from cellrelay.simulation import connections, packets
from cellrelay.simulation.series import Recording, Series
from cellrelay.simulation.tables import TableFile
from cellrelay.text.html_table import html_table
from cellrelay.text.quantity import scale

if TYPE_CHECKING:
    from cellrelay.statistics import Distribution

Cancelled = _core.Cancelled
Control = _core.Control

MODEL = _core.MODEL
"""Identifier of the model that computes results; runs of different models are never mixed."""


class Label(NamedTuple):
    """Scope, metric and unit of a number."""

    scope: Scope
    metric: str
    unit: str


class OtherModel(Exception):
    """A worker has another model than the driver."""

    def __init__(self, theirs: str, ours: str, worker: str = "a worker") -> None:
        # All arguments are kept, so that the error can be sent from a worker to the driver.
        super().__init__(theirs, ours, worker)

    def __str__(self) -> str:
        theirs, ours, worker = self.args
        return (
            f"{worker} has the model `{theirs}`, and the driver `{ours}`"
            "\n  hint: install the same cellrelay on both"
        )


@dataclass(frozen=True)
class Task:
    """A run to make, as plain data that can be sent to any worker."""

    point: Scenario
    seed: int
    replication: int
    capture: Capture | None = None
    """Destination of its packets, if they are captured."""
    packets: TableFile | None = None
    """File of its packets, if they are traced."""
    connections: TableFile | None = None
    """File of its connections, if they are listed."""
    model: str = MODEL
    """Model of the driver."""


Distributions = Mapping[tuple[Scope, str], "Distribution"]
"""Delays or completion times of each group of flows, by scope and quantity."""


_NO_SERIES = Recording()
"""Of all runs that record nothing."""


class Warned(NamedTuple):
    """A reason to distrust the results of a run."""

    code: str
    """Word that stays the same in each text of this warning."""
    scope: Scope
    """The flow, or the group of flows, that the warning concerns."""
    says: str

    def __str__(self) -> str:
        return f"{self.scope}: {self.says}"


@dataclass(frozen=True)
class Run:
    """The results of one run."""

    labels: tuple[Label, ...]
    values: array[float]
    """Value of each label; for a run in batches, the joint value of the batches."""
    digest: str
    warnings: tuple[Warned, ...] = ()
    batches: tuple[array[float], ...] = ()
    """Value of each label in each batch, if the run has batches; `nan` where not measured."""
    distributions: tuple[Distributions, ...] = field(default=(), compare=False, repr=False)
    """Distributions of times, of the run or of each of its batches."""
    seconds: float = field(default=0.0, compare=False)
    """Computing time in seconds, which is not part of the result."""
    events: int = field(default=0, compare=False)
    """Number of cells and packets that entered links; zero if the run was read from a store."""
    series: Recording = field(default_factory=lambda: _NO_SERIES, compare=False, repr=False)
    """The recorded series; empty if the scenario records none."""

    def __repr__(self) -> str:
        parts = f", {len(self.batches)} batches" if self.batches else ""
        return f"Run({len(self.labels)} numbers{parts}, digest={self.digest!r})"

    def _repr_html_(self) -> str:
        rows = (
            [str(label.scope), label.metric, _with_unit(value, label.unit)]
            for label, value in zip(self.labels, self.values, strict=True)
        )
        title = ["One run", f"digest {self.digest}", *map(str, self.warnings)]
        return html_table(title, ["of", "metric", "value"], rows, len(self.labels))

    @property
    def samples(self) -> tuple[array[float], ...]:
        """The samples for means and intervals: the batches, or the run as a whole."""
        return self.batches or (self.values,)

    def value(self, name: str) -> float:
        """The value of a metric as the command line names it, in its unit: SI, or cells.

        >>> run = Run((Label(Scope.flow("a"), "goodput", "bit/s"),), array("d", [2e6]), "")
        >>> run.value("flow a goodput")
        2000000.0

        Raises:
            ScenarioError: if there is no such metric or scope, the run has no such number, or the
                name is that of a group.
        """
        goal = Goal.read(name)
        columns = columns_of(self.labels)
        place = columns.get(goal.scope, goal.metric)
        if place is not None:
            return self.values[place]
        found = columns.covered(goal)
        if not found:
            raise ScenarioError(f"the run has no `{goal}`\n  hint: `labels` has all numbers")
        if len(found) > 1:
            hint = f"write for example `{found[0]} {goal.metric}`"
            raise ScenarioError(f"`{goal}` is of a group\n  hint: {hint}")
        [only] = found
        place = columns.get(only, goal.metric)
        assert place is not None
        return self.values[place]

    def repeats(self, other: Run) -> bool:
        """True if all numbers of both runs are the same to the last bit."""
        mine, theirs = ([values.tobytes() for values in run.samples] for run in (self, other))
        return mine == theirs and self.labels == other.labels


def _with_unit(value: float, unit: str) -> str:
    """A number with a unit in which it is easy to read; a dash where nothing was observed."""
    if math.isnan(value):
        return "-"
    factor, scaled = scale(abs(value), unit)
    return f"{value / factor:.4g} {scaled}".rstrip()


def simulate(task: Task, control: Control | None = None, threads: int = 1) -> Run:
    """Make one run; `control` stops it from another thread, by raising `Cancelled` here.

    The run has at most so many `threads`, which change nothing but the time that it takes.

    Raises `OtherModel` if the task was sent by a driver with another model.
    """
    if task.model != MODEL:
        raise OtherModel(MODEL, task.model)
    started = time.perf_counter()
    for file in (task.packets, task.connections):
        if file is not None:
            file.prepare()
    outcome = task.point.run(
        task.seed,
        task.replication,
        control,
        task.capture,
        trace=task.packets is not None,
        connections=task.connections is not None,
        threads=threads,
    )
    if task.packets is not None and outcome.packets is not None:
        task.packets.write(packets.table_of(outcome.packets, task.packets.labels))
    if task.connections is not None and outcome.connections is not None:
        listed = connections.table_of(outcome.connections, task.connections.labels)
        task.connections.write(listed)
    return run_of(outcome, time.perf_counter() - started)


def run_of(outcome: _core.Run, seconds: float) -> Run:
    """The results that the core returns, after `seconds` of computing time."""
    return Run(
        labels=labels_of(*outcome.labels),
        values=array("d", outcome.values.tobytes()),
        digest=outcome.digest,
        warnings=tuple(
            Warned(code, Scope.of(scope), says) for code, scope, says in outcome.warnings
        ),
        batches=tuple(array("d", values) for values in outcome.batches),
        distributions=tuple(map(_distributions, outcome.distributions)),
        seconds=seconds,
        events=outcome.events.get("cell_hops", 0) + outcome.events.get("packet_hops", 0),
        series=_recording(outcome),
    )


def _distributions(groups: list[_core.Times]) -> Distributions:
    # Imported here, because `--help` must not wait for numpy.
    from cellrelay.statistics import Bins, Distribution, Followed

    found = {}
    for scope, quantity, least, most, times, counts, messages in groups:
        followed = None
        if messages is not None:
            late, *ages, flows = messages
            followed = Followed(late, flows, *(Bins(*one) for one in ages))
        found[Scope.of(scope), quantity] = Distribution(
            least, most, array("d", times), array("Q", counts), followed
        )
    return found


def _recording(outcome: _core.Run) -> Recording:
    """The recorded series, in the order of the report."""
    recorded: dict[Scope, list[Series]] = {Scope.of(scope): [] for scope, _ in outcome.labels[1]}
    for parts, quantity, unit, times, values in outcome.series:
        if quantity == "srtt":
            # A sender without a measurement reports zero.
            values[values == 0.0] = float("nan")
        scope = Scope.of(parts)
        recorded.setdefault(scope, []).append(Series(scope, quantity, unit, times, values))
    in_order = (series for of_scope in recorded.values() for series in of_scope)
    return Recording(in_order)


Measures = Sequence[tuple[str, str]]
"""Metrics of a scope, with their units."""


def labels_of(
    lists: Sequence[Measures], scopes: Sequence[tuple[_core.ScopeParts, int]]
) -> tuple[Label, ...]:
    """The labels of numbers, from the scopes, each with the index of its list of metrics.

    Equal labels are kept once, because thousands of runs of a scenario share them.

    >>> labels = labels_of([[("goodput", "bit/s")]], [(Scope.flow(name), 0) for name in "ab"])
    >>> [str(label.scope) for label in labels]
    ['flow a', 'flow b']
    """
    known = tuple(map(tuple, lists)), tuple(scopes)
    if known not in _LABELS:
        if len(_LABELS) >= MOST_KEPT:
            _LABELS.clear()
        # `tuple` makes a label in half the time of `Label`, and there are hundreds of thousands.
        _LABELS[known] = tuple(
            tuple.__new__(Label, (scope, metric, unit))
            for scope, number in ((Scope.of(parts), number) for parts, number in scopes)
            for metric, unit in lists[number]
        )
    return _LABELS[known]


_LABELS: dict[object, tuple[Label, ...]] = {}


class Columns:
    """The columns of the numbers, by scope and metric.

    Every question is answered by an index that is made once, since a question is asked of each of
    many thousand scopes.
    """

    def __init__(self, labels: tuple[Label, ...]) -> None:
        self._labels = labels
        self.by_label: Mapping[tuple[ScopeLike, str], int] = {
            (scope, metric): place for place, (scope, metric, _) in enumerate(labels)
        }
        """The column of each number, by scope and metric."""
        self.scopes: Mapping[Scope, None] = dict.fromkeys([scope for scope, _, _ in labels])
        """The scopes, in the order of the labels."""

    @cached_property
    def _texts(self) -> Mapping[str, Scope]:
        return by_text(self.scopes)

    @cached_property
    def _members(self) -> Mapping[Scope, list[Scope]]:
        found: dict[Scope, list[Scope]] = {}
        for scope in self.scopes:
            found.setdefault(scope.group, []).append(scope)
        return found

    @cached_property
    def _metrics(self) -> Mapping[Scope, list[str]]:
        found: dict[Scope, list[str]] = {}
        for scope, metric, _ in self._labels:
            found.setdefault(scope, []).append(metric)
        return found

    def members(self, group: Scope) -> Sequence[Scope]:
        """The scopes of a group, in the order of the labels."""
        return self._members.get(group, ())

    def places(self, metric: str, scopes: Iterable[Scope]) -> list[int]:
        """The columns of a metric, one for each of the scopes that have it."""
        found = self.by_label
        return [found[scope, metric] for scope in scopes if (scope, metric) in found]

    def having(self, metric: str, scopes: Iterable[Scope]) -> list[Scope]:
        """Those of the scopes that have a metric."""
        return [scope for scope in scopes if (scope, metric) in self.by_label]

    def metrics(self, scope: Scope) -> Sequence[str]:
        """The metrics that were measured of a scope."""
        return self._metrics.get(scope, ())

    def within(self, scope: Scope) -> list[Scope]:
        """The scopes that a scope covers, in the order of the labels."""
        return [one for one in self.members(scope.group) if scope.covers(one)]

    def covered(self, goal: Goal) -> list[Scope]:
        """The scopes that have the metric of the goal, and that the goal covers."""
        return self.having(goal.metric, self.within(goal.scope))

    def scope(self, scope: ScopeLike) -> Scope | None:
        """The scope, or the known scope with this text."""
        return self._texts.get(scope) if isinstance(scope, str) else scope

    def get(self, scope: ScopeLike, metric: str) -> int | None:
        """The column of the number; `None` if it was not measured."""
        if isinstance(scope, str):
            known = self._texts.get(scope)
            return None if known is None else self.by_label.get((known, metric))
        return self.by_label.get((scope, metric))


def columns_of(labels: tuple[Label, ...]) -> Columns:
    """The columns of the numbers, by scope and metric."""
    # By identity: runs share their labels, which are long and slow to compare.
    known = _COLUMNS.get(id(labels))
    if known is None or known[0] is not labels:
        if len(_COLUMNS) >= MOST_KEPT:
            _COLUMNS.clear()
        known = _COLUMNS[id(labels)] = labels, Columns(labels)
    return known[1]


MOST_KEPT = 64
"""Number of lists of labels that are cached, each with its columns."""
_COLUMNS: dict[int, tuple[tuple[Label, ...], Columns]] = {}
