"""Scenarios, which the core reads and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.members import RegisteredClass, install, keys_of, registered
from cellrelay.metrics.scope import Scope
from cellrelay.scenario import toml
from cellrelay.scenario.capture import Capture
from cellrelay.scenario.examples import scenario_file
from cellrelay.scenario.replications import Replications, Until
from cellrelay.scenario.topology import Link, Node, Topology
from cellrelay.text.printable import shortened

if TYPE_CHECKING:
    from cellrelay.scenario import spec

Settings = Mapping[str, Any] | Iterable[tuple[str, Any]]
"""Values that replace those of the file, as with `--set PATH=VALUE`: texts, numbers, truth values,
lists and tables."""


class Flow(NamedTuple):
    """A flow, by name."""

    name: str
    ends: tuple[int, int]
    """Numbers of the hosts at which the flow begins and ends."""


class Gauge(NamedTuple):
    """A quantity that a watched run reports repeatedly."""

    scope: Scope
    """A port, a flow, or the virtual channel of a flow at a port."""
    hop: int | None
    """Number of the output: twice the number of its link, plus one from its second node to its
    first; `None` for a flow."""
    flow: int | None
    """Number of the flow."""
    quantity: str
    unit: str


class Level(NamedTuple):
    """A queue length at which a policy begins to act."""

    policy: str
    parameter: str
    """The parameter of the policy that states the level."""
    length: float
    """Length of the queue, in the unit of the buffer."""


class BufferLevels(NamedTuple):
    """The buffer of an output."""

    hop: int
    """Number of the output, as in `Gauge`."""
    unit: str
    """Unit of the capacity and the levels: `cells`, or `B` for a buffer of whole packets."""
    capacity: float
    """Capacity of the buffer."""
    shared: bool
    """True if all outputs of the node share the buffer."""
    levels: tuple[Level, ...]


class Scenario:
    """A checked scenario; with a sweep, every one of its points is checked too."""

    def __init__(self, core: _core.Scenario, name: str) -> None:
        self._core = core
        self.name = name

    def __repr__(self) -> str:
        points = f", {len(self.points)} points" if self.axes else ""
        return f"Scenario('{shortened(self.name)}', title='{shortened(self.title)}'{points})"

    def __reduce__(self) -> tuple[object, ...]:
        # The resolved text is complete, so a run can be sent to another process as plain data.
        # Of the members, another process must define only those that the scenario has.
        named = self._core.members
        used = tuple(member for member in registered() if member.name in named)
        return _parse_with, (used, self.resolved, self.name)

    @cached_property
    def title(self) -> str:
        """Title of the scenario."""
        return self._core.title

    @cached_property
    def seed(self) -> int:
        """Seed of all random streams."""
        return self._core.seed

    @cached_property
    def duration(self) -> float:
        """Simulated time of one run, in seconds."""
        return self._core.duration

    @cached_property
    def cell_bits(self) -> int:
        """Bits of a cell on a link, header included: 424 with the cells of ATM."""
        return self._core.cell_bits

    @cached_property
    def record_every(self) -> float | None:
        """Time between the samples of series, in seconds; None if none are recorded."""
        return self._core.record_every

    @cached_property
    def replications(self) -> Replications:
        """Number of replications of each point, as the scenario asks."""
        stated = self._core.replications
        until = Until(**stated["until"]) if stated["until"] else None
        return Replications(stated["at_least"], stated["at_most"], until)

    @cached_property
    def axes(self) -> tuple[str, ...]:
        """Axes of the sweep, in the order in which they are written."""
        return tuple(self._core.axes)

    @property
    def doubts(self) -> list[str]:
        """Warnings about values that are valid but probably not intended, each with its place and a
        hint; those about flows are about the first point."""
        return self._core.doubts

    @property
    def computed(self) -> list[tuple[str, str]]:
        """Parameters that are computed from the network: their paths, and their values at the first
        point."""
        return self._core.computed

    @cached_property
    def points(self) -> list[dict[str, str]]:
        """Value of each axis at each point, as written; the last axis varies fastest."""
        return [{axis: point[axis] for axis in self.axes} for point in self._core.points]

    @cached_property
    def resolved(self) -> str:
        """The scenario as TOML with every default filled in and every unit normalised."""
        return self._core.resolved()

    @cached_property
    def topology(self) -> Topology:
        """Nodes and links of the first point."""
        nodes, links = self._core.topology()
        return Topology(
            [Node(*node) for node in nodes],
            [
                Link(name, (ends[0], ends[1]), rate, delay, tuple(beyond))
                for name, ends, rate, delay, beyond in links
            ],
        )

    @cached_property
    def flows(self) -> list[Flow]:
        """Flows of the first point, in the order in which they are written."""
        return [Flow(name, (ends[0], ends[1])) for name, ends in self._core.flows()]

    @cached_property
    def gauges(self) -> list[Gauge]:
        """The gauges that a watched run reports, in the order of their values."""
        return [
            Gauge(Scope.of(scope), hop, flow, quantity, unit)
            for scope, hop, flow, quantity, unit in self._core.gauges()
        ]

    @cached_property
    def buffer_levels(self) -> list[BufferLevels]:
        """The buffers of the outputs with a single buffer."""
        return [
            BufferLevels(hop, unit, capacity, shared, tuple(Level(*level) for level in levels))
            for hop, unit, capacity, shared, levels in self._core.buffer_levels()
        ]

    @cached_property
    def switches_dropping_cells(self) -> frozenset[str]:
        """Switches of the first point whose discard policy decides about each cell, not about whole
        packets."""
        return frozenset(self._core.switches_dropping_cells())

    @cached_property
    def has_connections(self) -> bool:
        """True if some point of the sweep has connections that come and go."""
        return self._core.has_connections()

    @property
    def members(self) -> dict[str, str]:
        """The members in Python that the scenario has, as `members.keys_of` returns them."""
        return keys_of(self._core.members)

    @cached_property
    def key(self) -> str:
        """Digest of everything that determines a run, except seed and replication."""
        return self._core.key()

    def point(self, index: int) -> Scenario:
        """One point of the sweep, a scenario of its own."""
        return Scenario(self._core.point(index), self.name)

    def narrowed(self, axis: str, values: Iterable[str]) -> Scenario:
        """The scenario with only these values of an axis, as written."""
        return Scenario(self._core.narrowed(axis, list(values)), self.name)

    def require(self, metric: str) -> None:
        """Refuse a metric, such as `flow bulk goodput`, that no point can measure.

        Raises:
            ScenarioError: with a suggestion.
        """
        if fault := self._core.fault_of_metric(metric):
            problem, hint = fault
            raise ScenarioError(f"{problem}\n  hint: {hint}")

    def run(
        self,
        seed: int,
        replication: int,
        control: _core.Control | None = None,
        capture: Capture | None = None,
        trace: bool = False,
        threads: int = 1,
        connections: bool = False,
    ) -> _core.Run:
        """Simulate, with the interpreter lock released; `trace` keeps the packets, and
        `connections` the connections that come and go.

        The run has at most so many `threads`, which change nothing but the time that it takes.
        """
        files = None
        if capture is not None:
            capture.prepare()
            files = _core.Capture(capture.folder, capture.origin, capture.snaplen)
        return self._core.run(seed, replication, control, files, trace, threads, connections)

    def threads(self, wanted: int) -> tuple[int, str | None]:
        """Number of threads of a run that may have so many, and the reason if there are fewer."""
        return self._core.threads(wanted)

    def watch(
        self,
        seed: int,
        replication: int,
        watcher: Callable[[_core.Snapshot], tuple[float, float]],
        control: _core.Control | None = None,
    ) -> _core.Run:
        """Simulate; call `watcher` before the start, and at every pause that it asks for.

        `watcher` returns the simulated time of the next pause, and the interval between readings of
        the gauges before the pause, both in seconds; an interval of zero means no readings.
        Watching changes no result.
        """
        return self._core.watch(seed, replication, watcher, control)


def parse(
    text: str,
    name: str = "<text>",
    settings: Settings = (),
    folder: str | Path = "",
    most_nodes: int | None = None,
) -> Scenario:
    """Read a scenario from TOML text; messages use `name` for the file.

    The paths of included files, such as traces, are relative to `folder`. A scenario with more than
    `most_nodes` nodes at any of its points is refused before its points are checked.
    """
    return _read(toml.encoded(text, name), name, settings, Path(folder), most_nodes)


def _read(
    text: bytes, name: str, settings: Settings, folder: Path, most_nodes: int | None = None
) -> Scenario:
    return Scenario(_core.Scenario(text, name, _pairs(settings), folder, most_nodes), name)


def _parse_with(origins: tuple[RegisteredClass, ...], text: str, name: str) -> Scenario:
    """The scenario of a text, with members that another process has registered."""
    install(origins)
    return parse(text, name)


def _pairs(settings: Settings) -> list[tuple[str, str]]:
    """Settings as pairs of texts, as on the command line."""
    given = settings.items() if isinstance(settings, Mapping) else settings
    pairs = []
    for pair in given:
        if isinstance(pair, str) or not (isinstance(pair, Sequence) and len(pair) == 2):
            example = '{"duration": "5 s"}, or pairs such as ("duration", "5 s")'
            raise ScenarioError(f"settings: {pair!r} is not a path and a value\n  hint: {example}")
        path, value = pair
        if not isinstance(path, str):
            hint = 'for example "duration"'
            raise ScenarioError(f"settings: {path!r} is not the path of a value\n  hint: {hint}")
        text = value if isinstance(value, str) else toml.inline(value, path)
        toml.encoded(text, path)
        pairs.append((path, text))
    return pairs


def build(
    data: spec.Scenario | Mapping[str, Any], name: str = "<python>", settings: Settings = ()
) -> Scenario:
    """Make a scenario from plain data with the keys of a file, for example for a large topology.

    `cellrelay.spec` has types for editors and type checkers.
    """
    if not isinstance(data, Mapping):
        raise ScenarioError(
            f"{name}: a `{type(data).__name__}` is no scenario"
            "\n  hint: build one from a table, or read a file with `load` and a text with `parse`"
        )
    return parse(toml.write(data), name, settings)


def load(path: str | Path, settings: Settings = ()) -> Scenario:
    """Read a scenario file, or the example of this name if there is no such file.

    Raises:
        OSError: the file cannot be read.
        ScenarioError: there is neither such a file nor such an example, or it has mistakes.
    """
    if not str(path):
        raise ScenarioError("the name is empty\n  hint: name a scenario file, or an example")
    try:
        path = scenario_file(path)
    except LookupError as error:
        raise ScenarioError(str(error.args[0])) from None
    return _read(toml.octets(path), str(path), settings, Path(path).parent)
