"""One run that a program advances from pause to pause."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import Scope, ScopeLike
from cellrelay.scenario import Scenario, Settings, load, parse
from cellrelay.simulation import connections as connection_rows
from cellrelay.simulation.observation import Control, Observation, readings
from cellrelay.simulation.record import ControlChange, RunRecord
from cellrelay.simulation.run import Run, run_of

if TYPE_CHECKING:
    import pyarrow

Time = float | str
"""A simulated time: seconds, or a text with a unit such as `1.5 s`."""


class ControlKind(NamedTuple):
    """A parameter that may change while a run goes on."""

    scope: str
    """Kind of its scopes: `flow`, `port` or `link`."""
    name: str
    unit: str
    range: str
    help: str


CONTROLS = tuple(ControlKind(*one) for one in _core.controls())
"""All controls; those of a run are `Simulation.controls`."""


class Simulation:
    """One run: `run_until` advances it, `observe` reads it, `set` changes it, `run` ends it.

    A run is determined by the scenario, the seed, the replication, and the controls that are set
    with their instants; pauses change nothing. `run` without `set` gives the numbers of `cellrelay
    run`, bit for bit.
    """

    def __init__(
        self,
        scenario: Scenario | str | Path,
        settings: Settings = (),
        *,
        seed: int | None = None,
        replication: int = 0,
        packets: bool = False,
        connections: bool = False,
    ) -> None:
        """Prepare a run, before its first event.

        `settings` replaces values of a scenario file, path by path. The seed is that of the
        scenario unless it is given. With `packets`, every packet is noted for `Simulation.packets`,
        and with `connections` every connection that comes for `Simulation.connections`; both change
        no number.

        Raises:
            ScenarioError: if the scenario has mistakes, more than one point, or with `connections`
                no connections that come and go.
        """
        self._scenario = point_of(scenario, settings)
        if connections:
            connection_rows.require_connections(self._scenario)
        self._seed = _count("seed", self._scenario.seed if seed is None else seed)
        self._replication = _count("replication", replication)
        self._notes_packets, self._lists_connections = bool(packets), bool(connections)
        self._steps = _core.Steps(
            self._scenario._core,
            self._seed,
            self._replication,
            self._notes_packets,
            self._lists_connections,
        )
        self._members = self._scenario.members
        self._acts: list[ControlChange] = []
        self._run: Run | None = None
        self._packets: _core.Packets | None = None
        self._connections: _core.Connections | None = None
        self._seconds = 0.0

    @classmethod
    def replay(
        cls,
        record: RunRecord | Mapping[str, Any] | str,
        *,
        packets: bool = False,
        connections: bool = False,
    ) -> Simulation:
        """Make the run of a record again, up to the instant of the record.

        `record` is the return value of `Simulation.record`, or its JSON text. With `packets` or
        `connections`, these are noted from the start on, whether or not the recorded run did so.

        Raises:
            ScenarioError: if it is no record, or of another model, or if a member in Python is
                missing or has another source.
        """
        known = record if isinstance(record, RunRecord) else RunRecord.of(record)
        known.require_members()
        simulation = cls(
            parse(known.scenario, "<record>"),
            seed=known.seed,
            replication=known.replication,
            packets=packets,
            connections=connections,
        )
        simulation._follow(known.acts, known.now)
        return simulation

    def __repr__(self) -> str:
        at = _core.time_text(self._steps.now)
        end = _core.time_text(self._steps.end)
        return f"Simulation({self._scenario.name!r}, seed={self._seed}, at {at} of {end})"

    @property
    def scenario(self) -> Scenario:
        """The scenario of the run."""
        return self._scenario

    @property
    def now(self) -> float:
        """Simulated time of the pause, in seconds."""
        return self._steps.now / 1e12

    @property
    def duration(self) -> float:
        """Simulated time at which the run ends, in seconds."""
        return self._steps.end / 1e12

    @property
    def controls(self) -> Observation:
        """The controls of the run, by scope and name, each with its value, range and unit."""
        return Observation(
            (Scope.of(parts), name, Control(value, *limits, unit))
            for parts, name, value, limits, unit in self._steps.controls()
        )

    @property
    def record(self) -> dict[str, Any]:
        """Every input that determines the run up to now, as plain data for JSON: see `replay`."""
        return RunRecord(
            self._scenario.resolved,
            self._seed,
            self._replication,
            tuple(self._acts),
            self._steps.now,
            self._members,
        ).plain

    def run_until(self, time: Time) -> None:
        """Advance to a simulated time, in seconds or as a text with a unit.

        Other threads of Python continue meanwhile. Ctrl-C pauses the run at once; the run can
        continue from there.

        Raises:
            ScenarioError: if the time is in the past or after the end, or the run has ended.
        """
        until = _core.picoseconds(time)
        now, end = self._steps.now, self._steps.end
        if until < now or until > end:
            bounds = f"from `{_core.time_text(now)}`, the present, to `{_core.time_text(end)}`"
            which = "is in the past" if until < now else "is after the end of the run"
            raise ScenarioError(
                f"`{_core.time_text(until)}` {which}\n  hint: write a time {bounds}"
            )
        self._advance(until)

    def observe(self) -> Observation:
        """Values of all gauges at the pause, by scope and quantity, such as the queue of a port.

        A gauge that counts events counts from the start of the run, unless its help says otherwise.
        """
        return readings(self._steps.gauges())

    def measure(self) -> Observation:
        """Metrics of the time since the counts began, by scope and name.

        The counts begin at the start, and again at the end of the warm-up and of each batch. At
        these instants themselves there are no metrics.
        """
        return readings(self._steps.metrics())

    def packets(self) -> pyarrow.Table:
        """The packets so far: a row for each, with the columns of `trace_packets`.

        A packet is in the table once its transport has handed it over; until it has arrived or is
        dropped, its fate is `underway`. After `run` these are the packets of the whole run.

        Raises:
            ScenarioError: if the simulation was made without `packets=True`.
            ModuleNotFoundError: if the extra `data` is not installed.
        """
        if not self._notes_packets:
            raise _not_kept("packets", "noted")
        from cellrelay.simulation.packets import table_of

        packets = self._packets or self._steps.packets()
        assert packets is not None
        return table_of(packets)

    def connections(self) -> pyarrow.Table:
        """The connections so far: a row for each, with the columns of `trace_connections`.

        After `run` these are the connections of the whole run.

        Raises:
            ScenarioError: if the simulation was made without `connections=True`.
            ModuleNotFoundError: if the extra `data` is not installed.
        """
        if not self._lists_connections:
            raise _not_kept("connections", "listed")
        connections = self._connections or self._steps.connections()
        assert connections is not None
        return connection_rows.table_of(connections)

    def set(self, scope: ScopeLike, control: str, value: float | str) -> None:
        """Set a control of a scope, or of all members of a group, from now on.

        `value` is a number in the unit of the control, or a text with a unit. `CONTROLS` lists all
        controls. Setting a control to its present value changes nothing.

        Raises:
            ScenarioError: if there is no such control or scope, or the value is out of range; then
                nothing is set.
        """
        if not isinstance(control, str):
            # A flow and a link both have a rate.
            known = ", ".join(f"`{name}`" for name in dict.fromkeys(one.name for one in CONTROLS))
            raise ScenarioError(f"{control!r} is no control\n  hint: expected one of {known}")
        plain = _plain(value)
        self._steps.set(str(scope), control, plain)
        self._acts.append(ControlChange(self._steps.now, str(scope), control, plain))

    def clone(self) -> Simulation:
        """A second run in the same state; if nothing is set, it ends with equal results.

        The clone makes the run again up to now, which takes as long as the run has taken.
        """
        clone = Simulation(
            self._scenario,
            seed=self._seed,
            replication=self._replication,
            packets=self._notes_packets,
            connections=self._lists_connections,
        )
        # A class that was defined anew meanwhile is not the one of the scenario.
        clone._members = self._members
        clone._follow(tuple(self._acts), self._steps.now)
        return clone

    def run(self) -> Run:
        """Advance to the end, and return the results, as `cellrelay run` does.

        A second call returns the same results. Ctrl-C pauses the run at once, and it may go on.
        """
        if self._run is None:
            self._advance(self._steps.end)
            started = time.perf_counter()
            outcome = self._steps.finish()
            self._packets, self._connections = outcome.packets, outcome.connections
            self._run = run_of(outcome, self._seconds + time.perf_counter() - started)
        return self._run

    def _advance(self, until: int) -> None:
        started = time.perf_counter()
        try:
            self._steps.advance(until)
        finally:
            self._seconds += time.perf_counter() - started

    def _follow(self, acts: tuple[ControlChange, ...], now: int) -> None:
        """Set the controls of the record at their instants, and pause at its own instant."""
        instants = [self._steps.now, *(act.at for act in acts), now]
        if instants != sorted(instants) or now > self._steps.end:
            raise ScenarioError(
                "record: its instants are not in order, or after the end of the run"
                "\n  hint: write a record as `Simulation.record` returns it"
            )
        for act in acts:
            self._steps.advance(act.at)
            self.set(act.scope, act.control, act.value)
        self._advance(now)


def _plain(value: Any) -> Any:
    """A number of any library as a plain one; other values stay, and the core refuses them."""
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        return value
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError) as error:
        shown = f"{value!r:.60}"
        hint = 'write for example `0.01` or `"1 %"`'
        raise ScenarioError(f"{shown} is no number: {error}\n  hint: {hint}") from None


def point_of(scenario: Scenario | str | Path, settings: Settings = ()) -> Scenario:
    """The scenario of one run.

    Raises:
        ScenarioError: if it has mistakes, or more than one point.
    """
    if isinstance(scenario, str | Path):
        scenario = load(scenario, settings)
    elif not isinstance(scenario, Scenario):
        raise ScenarioError(
            f"{scenario!r} is no scenario"
            "\n  hint: write the path of a file, or pass what `load`, `parse` or `build` returns"
        )
    elif settings:
        raise ScenarioError(
            f"{scenario.name}: settings replace values of a file, and this scenario is already read"
            "\n  hint: pass them to `load`, `parse` or `build`"
        )
    if len(scenario.points) > 1:
        raise ScenarioError(
            f"{scenario.name}: a simulation is one run, and the sweep has"
            f" {len(scenario.points)} points"
            "\n  hint: pass one of them, for example `load(...).point(0)`"
        )
    return scenario.point(0) if scenario.axes else scenario


def _not_kept(what: str, kept: str) -> ScenarioError:
    return ScenarioError(
        f"the {what} of this simulation are not {kept}"
        f"\n  hint: write `Simulation(..., {what}=True)`;"
        f" `Simulation.replay(record, {what}=True)` makes this run again with them"
    )


def _count(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**63:
        raise ScenarioError(
            f"{name}: {value!r} is no {name}\n  hint: write a whole number from 0 on"
        )
    return value
