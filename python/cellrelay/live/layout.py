"""The layout of the page for one run: positions of nodes, links, flows, and gauges."""

from __future__ import annotations

from typing import Any

from cellrelay import _core
from cellrelay.live.session import Session
from cellrelay.metrics.scope import Scope
from cellrelay.plot.network import arrange
from cellrelay.scenario import BufferLevels, Gauge, Scenario


def layout(session: Session) -> dict[str, Any]:
    """The layout as plain data; it stays the same during a run."""
    scenario = session.request.scenario
    return {
        "epoch": session.epoch,
        "title": scenario.title or scenario.name,
        "duration": scenario.duration,
        "cell_bits": scenario.cell_bits,
        "seed": session.request.seed,
        **_network(scenario),
        "flows": [{"name": flow.name, "ends": flow.ends} for flow in scenario.flows],
        "quantities": list(QUANTITIES.values()),
        "gauges": [_gauge(gauge) for gauge in session.gauges],
        "buffers": {buffer.hop: _buffer(buffer) for buffer in scenario.buffer_levels},
        "gauges_left_out": len(scenario.gauges) - len(session.gauges),
    }


def _quantity(texts: list[str], slope: tuple[str, int] | None) -> dict[str, Any]:
    known = dict(zip(("name", "unit", "words", "caption", "title"), texts, strict=True))
    shown = None if slope is None else {"unit": slope[0], "factor": slope[1]}
    return {**known, "slope": shown}


QUANTITIES = {(texts[0], texts[1]): _quantity(texts, slope) for texts, slope in _core.quantities()}
"""Quantities of gauges by name and unit, from the core."""

_NUMBERS = {known: number for number, known in enumerate(QUANTITIES)}


def _gauge(gauge: Gauge) -> dict[str, Any]:
    """A gauge, with the number of its quantity in `QUANTITIES`."""
    return {
        "scope": _scope(gauge.scope),
        "hop": gauge.hop,
        "flow": gauge.flow,
        "quantity": _NUMBERS[gauge.quantity, gauge.unit],
    }


def _scope(scope: Scope) -> dict[str, Any]:
    """A scope, with the texts that people read."""
    return {
        "kind": scope.kind,
        "text": str(scope),
        "member": scope.member,
        "name": scope.name and str(scope.name),
        "group": scope.name and scope.name.group,
        "place": scope.place and str(scope.place),
    }


def _buffer(buffer: BufferLevels) -> dict[str, Any]:
    """The capacity of a buffer in cells, and the queue lengths at which policies begin to act."""
    return {
        "capacity": buffer.capacity,
        "shared": buffer.shared,
        "levels": {
            f"{level.policy.replace('_', ' ')}: {level.parameter}": level.cells
            for level in buffer.levels
        },
    }


def _network(scenario: Scenario) -> dict[str, Any]:
    """The drawn nodes, the links between them, and for every node the drawn node that shows it."""
    topology = scenario.topology
    arranged = arrange(topology)
    drawn = list(arranged.names)
    number = {node: index for index, node in enumerate(drawn)}
    nodes = [
        {
            "name": arranged.names[node],
            "short": _label(
                arranged.names[node], topology.nodes[node].name, topology.nodes[node].number
            ),
            "kind": topology.nodes[node].kind,
            "x": arranged.places[node][0],
            "y": -arranged.places[node][1],
        }
        for node in drawn
    ]
    links = [
        {
            "name": link.name,
            "ends": [number[arranged.stands_for[end]] for end in link.ends],
            "rate": link.rate,
            "delay": link.delay,
        }
        for link in topology.links
    ]
    drawn_as = [number[arranged.stands_for[node]] for node in range(len(topology.nodes))]
    return {"nodes": nodes, "links": links, "drawn_as": drawn_as}


def _label(drawn: str, name: str, number: int | None) -> str:
    """A short label: the number of a member that is drawn alone, or the name of the drawn node."""
    return drawn if number is None or drawn != name else str(number)
