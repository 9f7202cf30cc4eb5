"""The positions at which the nodes of a network are drawn.

Switches, routers and edges are placed first, with the hosts that have several neighbours, and each
other host beside its neighbour. If every node placed first has hosts, or if all are in a line, the
nodes are placed in columns by their distance in links from one end; otherwise, as in a fat tree, in
rows by their distance in links from the hosts. Within a column or row, nodes are ordered by the
positions of their neighbours in the previous column or row:
Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System Structures",
IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from math import cos, pi, sin

Position = tuple[float, float]
Neighbours = Mapping[int, list[int]]

COLUMN, ROW = 2.3, 1.0
"""Horizontal and vertical distance between neighbouring nodes."""

WIDEST = 4.0
"""Largest ratio of width to height of a picture with rows; wider pictures get a larger distance
between rows."""

ROUNDS = 4
"""Number of passes that order nodes by the positions of their neighbours."""


def layout(inner: Neighbours, hosts: Mapping[int, list[int]]) -> dict[int, Position]:
    """The position of each node of a network.

    `inner` has the switches, routers and edges, and the hosts with several neighbours, each with
    its neighbours among them; `hosts` has the other hosts of each of these nodes.
    """
    if len(inner) <= 1:
        return _around(inner, hosts)
    ranks = _distances(inner, [node for node in inner if hosts.get(node)] or list(inner))
    if max(ranks.values()) > 0 and not _is_line(inner):
        return _in_rows(inner, hosts, ranks)
    return _in_columns(inner, hosts)


def _is_line(inner: Neighbours) -> bool:
    degrees = [len(others) for others in inner.values()]
    return max(degrees) <= 2 and sum(degrees) == 2 * (len(inner) - 1)


def _distances(inner: Neighbours, begin: Iterable[int]) -> dict[int, int]:
    """Number of links from each node to the nearest of `begin`; 0 for a node that reaches none."""
    distances = dict.fromkeys(begin, 0)
    queue = deque(distances)
    while queue:
        node = queue.popleft()
        for other in inner[node]:
            if other not in distances:
                distances[other] = distances[node] + 1
                queue.append(other)
    return {node: distances.get(node, 0) for node in inner}


def _layers(inner: Neighbours, ranks: Mapping[int, int]) -> list[list[int]]:
    """The nodes of each column or row, ordered by their neighbours in the previous one.

    `ranks` has the number of the column or row of each node.
    """
    layers: list[list[int]] = [[] for _ in range(max(ranks.values()) + 1)]
    for node in inner:
        layers[ranks[node]].append(node)
    # No column or row is empty, since each node has a link to the previous one.
    position = {node: index / len(layer) for layer in layers for index, node in enumerate(layer)}
    for _ in range(ROUNDS):
        for layer in layers[1:]:
            weights = {}
            for node in layer:
                beside = [position[other] for other in inner[node] if ranks[other] < ranks[node]]
                weights[node] = sum(beside) / len(beside) if beside else position[node]
            layer.sort(key=weights.__getitem__)
            position |= {node: index / len(layer) for index, node in enumerate(layer)}
    return layers


def _in_columns(inner: Neighbours, hosts: Mapping[int, list[int]]) -> dict[int, Position]:
    """Switches from left to right, with the hosts of the first switch on its left, those of the
    last on its right, and all other hosts above and below their switches.

    If a switch is alone in its column, half of its hosts are above it and half below, so that a
    long line of switches does not become a thin strip.
    """
    first = next(iter(inner))
    far = _distances(inner, [first])
    # The first column is an end of the line, preferably the first node of the scenario.
    ends = [node for node in inner if len(inner[node]) == 1]
    begin = first if first in ends or not ends else max(ends, key=far.__getitem__)
    columns = _layers(inner, _distances(inner, [begin]))
    places: dict[int, Position] = {}
    x = 0.0
    for number, column in enumerate(columns):
        side = {0: -COLUMN, len(columns) - 1: COLUMN}.get(number, 0.0)
        halves = [_halves(hosts.get(node, []), is_alone=len(column) == 1) for node in column]
        widths = [1 if side else max(1, *map(len, both)) for both in halves]
        x += COLUMN * (max(widths) - 1) / 2
        places |= _column(column, hosts, x, side)
        x += COLUMN * (max(widths) - 1) / 2 + COLUMN
    return places


def _column(
    column: list[int], hosts: Mapping[int, list[int]], x: float, side: float
) -> dict[int, Position]:
    """Switches above one another, with hosts to the left or right of their switches, or else above
    and below."""
    places: dict[int, Position] = {}
    is_alone = len(column) == 1
    away = ROW * (1.7 if is_alone else 1.1)
    heights = [
        max(1.0, len(hosts.get(node, ()))) if side else (2.2 if hosts.get(node) else 1.0)
        for node in column
    ]
    y = 0.0
    for node, height in zip(column, heights, strict=True):
        middle = y - ROW * height / 2 if side else y
        places[node] = (x, middle)
        around = hosts.get(node, [])
        if side:
            places |= _stacked(around, x + side, middle)
        else:
            above, below = _halves(around, is_alone)
            places |= _side_by_side(above, x, middle + away)
            places |= _side_by_side(below, x, middle - away)
        y -= ROW * height
    centre = sum(places[node][1] for node in column) / len(column)
    return {node: (across, upwards - centre) for node, (across, upwards) in places.items()}


def _halves(hosts: list[int], is_alone: bool) -> tuple[list[int], list[int]]:
    """The hosts drawn above and below a switch."""
    half = len(hosts) // 2 if is_alone else 0
    return hosts[:half], hosts[half:]


def _in_rows(
    inner: Neighbours, hosts: Mapping[int, list[int]], ranks: Mapping[int, int]
) -> dict[int, Position]:
    """Switches in rows above the hosts."""
    rows = _layers(inner, ranks)
    width = 0.75 * COLUMN
    places: dict[int, Position] = {}
    x = 0.0
    for node in rows[0]:
        below = hosts.get(node, [])
        span = width * max(1, len(below))
        places[node] = (x + span / 2, 0.0)
        places |= _side_by_side(below, x + span / 2, -1.3 * ROW, width)
        x += span
    rise = max(2.0 * ROW, x / WIDEST / (len(rows) - 1))
    for rank, row in enumerate(rows[1:], 1):
        for index, node in enumerate(row):
            places[node] = (x * (index + 0.5) / len(row), rise * rank)
    return places


def _around(inner: Neighbours, hosts: Mapping[int, list[int]]) -> dict[int, Position]:
    """Hosts around one switch, or, in a network without switches, two hosts beside each other."""
    everyone = [host for around in hosts.values() for host in around]
    if not inner:
        return {host: (COLUMN * index, 0.0) for index, host in enumerate(everyone)}
    if len(everyone) <= 2:
        ends = {host: (COLUMN * (2 * index - 1), 0.0) for index, host in enumerate(everyone)}
        return dict.fromkeys(inner, (0.0, 0.0)) | ends
    radius = max(1.6, 0.32 * len(everyone))
    places: dict[int, Position] = dict.fromkeys(inner, (0.0, 0.0))
    for index, host in enumerate(everyone):
        angle = pi / 2 - 2 * pi * index / len(everyone)
        places[host] = (1.25 * radius * cos(angle), radius * sin(angle))
    return places


def _stacked(nodes: list[int], x: float, y: float) -> dict[int, Position]:
    top = y + ROW * (len(nodes) - 1) / 2
    return {node: (x, top - ROW * index) for index, node in enumerate(nodes)}


def _side_by_side(
    nodes: list[int], x: float, y: float, width: float = COLUMN
) -> dict[int, Position]:
    left = x - width * (len(nodes) - 1) / 2
    return {node: (left + width * index, y) for index, node in enumerate(nodes)}
