"""What does not change while a run is watched: where nodes are drawn, and what is shown of them."""

from __future__ import annotations

from typing import Any

from cellrelay.live.marks import marks
from cellrelay.live.session import Session
from cellrelay.plot.network import arrange
from cellrelay.scenario import Scenario


def scene(session: Session) -> dict[str, Any]:
    """The scene as plain data: nodes with places, links by their nodes, flows and gauges."""
    scenario = session.part.scenario
    return {
        "act": session.act,
        "title": scenario.title or scenario.name,
        "duration": scenario.duration,
        "seed": session.part.seed,
        **_network(scenario),
        "flows": [{"name": flow.name, "ends": flow.ends} for flow in scenario.flows],
        "gauges": [gauge._asdict() for gauge in session.gauges],
        "marks": marks(scenario),
        "gauges_left_out": len(scenario.gauges) - len(session.gauges),
    }


def _network(scenario: Scenario) -> dict[str, Any]:
    """Nodes, links by the two nodes that each is drawn between, and as which node each is drawn."""
    topology = scenario.topology
    arranged = arrange(topology)
    drawn = list(arranged.names)
    number = {node: index for index, node in enumerate(drawn)}
    nodes = [
        {
            "name": arranged.names[node],
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
