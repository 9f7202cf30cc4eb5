"""Which gauges are shown of a network that has more of them than a page can show."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from cellrelay.scenario import Gauge, Scenario

MOST_GAUGES = 600
"""More are not shown of one run."""


def chosen(scenario: Scenario) -> list[int]:
    """The numbers of the gauges that are shown: all, or whole ports and flows of most interest.

    First the ports at which flows meet, for up to half of what there is room for, and then flows,
    in the order in which they are written; what room is left is that of the other ports.
    """
    gauges = scenario.gauges
    if len(gauges) <= MOST_GAUGES:
        return list(range(len(gauges)))
    of_port, of_flow = defaultdict(list), defaultdict(list)
    for number, gauge in enumerate(gauges):
        # The credit of a flow at a port is shown where the flow is.
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
    """Tells of a port whether it leads between switches, or to a host at which flows end."""
    topology = scenario.topology
    ending = Counter(flow.ends[1] for flow in scenario.flows)

    def meets(gauge: Gauge) -> bool:
        assert gauge.hop is not None, "a port has a link"
        ends = topology.links[gauge.hop >> 1].ends
        start, end = ends if gauge.hop & 1 == 0 else ends[::-1]
        is_host = [topology.nodes[node].kind == "host" for node in (start, end)]
        return not is_host[0] and (not is_host[1] or ending[end] > 1)

    return meets


def _taken(groups: Iterable[Sequence[int]], room: int) -> list[int]:
    """Whole groups, one after another, as long as there is room."""
    taken: list[int] = []
    for group in groups:
        if len(taken) + len(group) > room:
            break
        taken += group
    return taken
