"""One run: a point of a scenario, a seed and the number of a replication."""

from __future__ import annotations

import math
import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import Scope
from cellrelay.scenario import Goal, Scenario
from cellrelay.scenario.capture import Capture
from cellrelay.simulation import connections, packets
from cellrelay.simulation.labels import Label, in_columns, labels_of
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

    labels: Sequence[Label]
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
        columns = in_columns(self.labels)
        place = columns.column(goal.scope, goal.metric)
        if place is not None:
            return self.values[place]
        found = columns.covered(goal)
        if not found:
            raise ScenarioError(f"the run has no `{goal}`\n  hint: `labels` has all numbers")
        if len(found) > 1:
            hint = f"write for example `{found[0]} {goal.metric}`"
            raise ScenarioError(f"`{goal}` is of a group\n  hint: {hint}")
        [only] = found
        place = columns.column(only, goal.metric)
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
        values=array("d", outcome.values),
        digest=outcome.digest,
        warnings=tuple(
            Warned(intern(code), Scope.of(scope), intern(says))
            for code, scope, says in outcome.warnings
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
    recorded: dict[Scope, list[Series]] = {}
    of_core = outcome.series
    if of_core:
        recorded = {Scope.of(scope): [] for scope, _ in outcome.labels[1]}
    for parts, quantity, unit, times, values in of_core:
        if quantity == "srtt":
            # A sender without a measurement reports zero.
            values[values == 0.0] = float("nan")
        scope = Scope.of(parts)
        recorded.setdefault(scope, []).append(Series(scope, quantity, unit, times, values))
    in_order = (series for of_scope in recorded.values() for series in of_scope)
    return Recording(in_order)
