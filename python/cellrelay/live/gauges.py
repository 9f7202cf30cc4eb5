"""The selection of gauges in a network with more than the page can show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from cellrelay.scenario import Gauge, Scenario

MOST_GAUGES = 600
"""Limit of the gauges shown of one run."""


def shown_gauges(scenario: Scenario) -> list[int]:
    """The numbers of the gauges to show: all, or those of selected ports and flows.

    Ports at which flows meet come first, up to half of the limit, then flows in the order of the
    scenario, then other ports. A port or flow is shown with all its gauges or not at all.
    """
    gauges = scenario.gauges
    if len(gauges) <= MOST_GAUGES:
        return list(range(len(gauges)))
    of_port, of_flow = defaultdict(list), defaultdict(list)
    for number, gauge in enumerate(gauges):
        # The credit of a flow at a port is a gauge of the flow.
        if gauge.flow is None:
            of_port[gauge.hop].append(number)
        else:
            of_flow[gauge.flow].append(number)
    ports, flows = list(of_port.values()), list(of_flow.values())
    joint = _where_flows_meet(scenario)
    first = [port for port in ports if joint(gauges[port[0]])]
    others = [port for port in ports if not joint(gauges[port[0]])]
    taken = _taken(first, MOST_GAUGES // 2)
    taken += _taken(flows, MOST_GAUGES - len(taken))
    taken += _taken(others, MOST_GAUGES - len(taken))
    return sorted(taken)


def _where_flows_meet(scenario: Scenario) -> Callable[[Gauge], bool]:
    """A test of a gauge of a port: true for a port of a switch, router or edge
    that leads to another one, or to a host with several flows.
    """
    topology = scenario.topology
    ending = Counter(flow.ends[1] for flow in scenario.flows)

    def meets(gauge: Gauge) -> bool:
        assert gauge.hop is not None, "a port has a link"
        ends = topology.links[gauge.hop >> 1].ends
        start, end = ends if gauge.hop & 1 == 0 else ends[::-1]
        is_host = [topology.nodes[node].kind == "host" for node in (start, end)]
        return not is_host[0] and (not is_host[1] or ending[end] > 1)

    return meets


def _taken(groups: Iterable[Sequence[int]], most: int) -> list[int]:
    """The first groups with at most `most` members together."""
    taken: list[int] = []
    for group in groups:
        if len(taken) + len(group) > most:
            break
        taken += group
    return taken
