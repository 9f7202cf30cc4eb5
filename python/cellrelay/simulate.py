"""One run: a point of a scenario, a seed and the number of the replication."""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cellrelay import _core
from cellrelay.capture import Capture
from cellrelay.scenario import Scenario
from cellrelay.series import Series

if TYPE_CHECKING:
    from cellrelay.statistics import Distribution

Cancelled = _core.Cancelled
Control = _core.Control

MODEL = _core.MODEL
"""Identifies the model that computes results; runs of different models are never mixed."""


class Label(NamedTuple):
    """What a number measures."""

    scope: str
    metric: str
    unit: str


class OtherModel(Exception):
    """A worker that would compute something else than the driver."""

    def __init__(self, theirs: str, ours: str, worker: str = "a worker") -> None:
        # All arguments, so that it can be sent from a worker to the driver.
        super().__init__(theirs, ours, worker)

    def __str__(self) -> str:
        theirs, ours, worker = self.args
        return (
            f"{worker} has the model `{theirs}`, and the driver `{ours}`"
            "\n  hint: install the same cellrelay on both"
        )


@dataclass(frozen=True)
class Task:
    """A run to be made: plain data that can be sent to any worker."""

    point: Scenario
    seed: int
    replication: int
    capture: Capture | None = None
    """Where its packets go, if they are captured."""
    model: str = MODEL
    """What is to compute it."""


Recording = Mapping[tuple[str, str], Series]
"""Series by scope and quantity: in memory, or in a file that is read when it is asked."""


Distributions = Mapping[tuple[str, str], "Distribution"]
"""How long packets or messages of each group of flows took, by scope and quantity."""


@dataclass(frozen=True)
class Run:
    """What one run measured."""

    labels: tuple[Label, ...]
    values: array[float]
    """A value for each label; of a run in batches the means of theirs."""
    digest: str
    warnings: tuple[str, ...] = ()
    batches: tuple[array[float], ...] = ()
    """The same values of each batch, if the run has batches; `nan` where nothing was measured."""
    distributions: tuple[Distributions, ...] = field(default=(), compare=False, repr=False)
    """How long things took, in the run or in each of its batches."""
    seconds: float = field(default=0.0, compare=False)
    """Time the computer took; says nothing about the result."""
    events: int = field(default=0, compare=False)
    """Cells and packets that entered links; zero if it was not made just now."""
    series: Recording = field(default_factory=dict, compare=False, repr=False)
    """What was recorded over time, if the scenario asks for it."""

    def __repr__(self) -> str:
        parts = f", {len(self.batches)} batches" if self.batches else ""
        return f"Run({len(self.labels)} numbers{parts}, digest={self.digest!r})"

    @property
    def samples(self) -> tuple[array[float], ...]:
        """What means and intervals are made of: the batches, or the run as a whole."""
        return self.batches or (self.values,)


def simulate(task: Task, control: Control | None = None) -> Run:
    """Make one run; `control` stops it from another thread, by raising `Cancelled` here.

    Raises `OtherModel` if the task was sent by a driver with another model.
    """
    if task.model != MODEL:
        raise OtherModel(MODEL, task.model)
    started = time.perf_counter()
    outcome = task.point.run(task.seed, task.replication, control, task.capture)
    return Run(
        labels=labels_of(*outcome.labels),
        values=array("d", outcome.values.tobytes()),
        digest=outcome.digest,
        warnings=tuple(outcome.warnings),
        batches=tuple(array("d", values) for values in outcome.batches),
        distributions=tuple(map(_distributions, outcome.distributions)),
        seconds=time.perf_counter() - started,
        events=outcome.events.get("cell_hops", 0) + outcome.events.get("packet_hops", 0),
        series=_recording(outcome),
    )


def _distributions(
    groups: list[tuple[str, str, float, float, list[float], list[int]]],
) -> Distributions:
    # Here, since help must not wait for numpy.
    from cellrelay.statistics import Distribution

    return {
        (scope, quantity): Distribution(least, most, array("d", times), array("Q", counts))
        for scope, quantity, least, most, times, counts in groups
    }


def _recording(outcome: _core.Run) -> Recording:
    """What was recorded, in the order of the report."""
    recorded: dict[str, list[Series]] = {scope: [] for scope, _ in outcome.labels[1]}
    for scope, quantity, unit, times, values in outcome.series:
        if quantity == "srtt":
            # A sender that has measured nothing yet says zero.
            values[values == 0.0] = float("nan")
        recorded.setdefault(scope, []).append(Series(scope, quantity, unit, times, values))
    in_order = (series for of_scope in recorded.values() for series in of_scope)
    return {(series.scope, series.quantity): series for series in in_order}


Measures = Sequence[tuple[str, str]]
"""Metrics of a scope, with their units."""


def labels_of(lists: Sequence[Measures], scopes: Sequence[tuple[str, int]]) -> tuple[Label, ...]:
    """What numbers are, from the scopes, each with the number of the list of what it measures.

    The same labels are kept once: thousands of runs of a scenario measure the same things.

    >>> labels_of([[("goodput", "bit/s")]], [("flow a", 0), ("flow b", 0)])[1]
    Label(scope='flow b', metric='goodput', unit='bit/s')
    """
    known = tuple(map(tuple, lists)), tuple(scopes)
    if known not in _LABELS:
        if len(_LABELS) >= MOST_KEPT:
            _LABELS.clear()
        # Of hundreds of thousands of labels `tuple` makes one in half the time of `Label`.
        _LABELS[known] = tuple(
            tuple.__new__(Label, (scope, metric, unit))
            for scope, number in scopes
            for metric, unit in lists[number]
        )
    return _LABELS[known]


_LABELS: dict[object, tuple[Label, ...]] = {}


def columns_of(labels: tuple[Label, ...]) -> Mapping[tuple[str, str], int]:
    """Where the number of a scope and a metric stands."""
    # By identity: runs share their labels, which are long and slow to compare.
    known = _COLUMNS.get(id(labels))
    if known is None or known[0] is not labels:
        if len(_COLUMNS) >= MOST_KEPT:
            _COLUMNS.clear()
        found = {(scope, metric): column for column, (scope, metric, _) in enumerate(labels)}
        known = _COLUMNS[id(labels)] = labels, found
    return known[1]


MOST_KEPT = 64
"""Lists of labels that are kept, and as many of their columns."""
_COLUMNS: dict[int, tuple[tuple[Label, ...], dict[tuple[str, str], int]]] = {}
