"""Pictures of topologies: hosts, switches, routers and edges, and the links between them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cellrelay.plot.layout import Position, layout
from cellrelay.plot.style import COLOURS, INK, ON_COLOUR, PAPER, style
from cellrelay.scenario.topology import Link, Node, Topology

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHAPES = {
    "host": ("round,pad=0.35,rounding_size=0.5", PAPER),
    "switch": ("square,pad=0.5", "#dbe8f6"),
    "router": ("ellipse,pad=0.35", "#fbe9d6"),
    "edge": ("darrow,pad=0.3", "#d9efe6"),
}
"""Outline and colour of each kind of node."""

SCALE = 0.75
"""Inches per unit of a layout."""

MOST_LABELS = 14
"""Largest number of links with labels; more are explained in a legend."""

GATHERED, IN_A_STAR, IN_A_CROWD = 3, 40, 1
"""Largest numbers of equal hosts that are drawn one by one: in any network, around one switch, and
among many nodes."""

CROWD = 24
"""Number of nodes from which a network counts as large."""

DASHES: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0, ()),
    (0, (5, 2)),
    (0, (1, 1.5)),
    (0, (5, 1.5, 1, 1.5)),
)


@dataclass
class Arranged:
    """A topology in which equal hosts of a group are one node, and the places of its nodes."""

    names: dict[int, str] = field(default_factory=dict)
    """The name of each drawn node, by its number."""
    stands_for: dict[int, int] = field(default_factory=dict)
    """The drawn node that represents each node."""
    links: dict[tuple[int, int], Link] = field(default_factory=dict)
    """One link for all links between the same drawn nodes."""
    places: dict[int, Position] = field(default_factory=dict)
    """Places across and upwards, in units of a layout."""


def draw_topology(topology: Topology) -> Figure:
    """The figure of a topology.

    Many equal hosts of a group at the same nodes, with equal links, are drawn as one. A host with
    links to several nodes is placed among them, any other beside its neighbour.
    """
    drawn = arrange(topology)
    kinds = {node: topology.nodes[node].kind for node in drawn.names}
    with style():
        return _figure(drawn, kinds, drawn.places)


def arrange(topology: Topology) -> Arranged:
    """Gather equal hosts, and place every drawn node."""
    drawn = _gathered(topology)
    kinds = {node: topology.nodes[node].kind for node in drawn.names}
    beside: dict[int, set[int]] = defaultdict(set)
    for first, second in drawn.links:
        beside[first].add(second)
        beside[second].add(first)
    inner: dict[int, list[int]] = {
        node: [] for node, kind in kinds.items() if kind != "host" or len(beside[node]) > 1
    }
    hosts: dict[int, list[int]] = defaultdict(list)
    for ends in drawn.links:
        for node, other in (ends, ends[::-1]):
            if node in inner and other in inner:
                inner[node].append(other)
            elif node in inner or (not inner and node == ends[0]):
                hosts[node].append(other)
    if not inner:
        hosts = defaultdict(list, {-1: list(kinds)})
    known = {node for around in hosts.values() for node in around} | set(inner)
    alone = [node for node in kinds if node not in known]
    places = layout(inner, hosts)
    lowest = min((y for _, y in places.values()), default=0.0)
    for index, node in enumerate(alone):
        places[node] = (2.0 * index, lowest - 1.5)
    drawn.places = places
    return drawn


def _gathered(topology: Topology) -> Arranged:
    """The topology, with equal hosts of a group as one node."""
    link_of: dict[int, list[int]] = defaultdict(list)
    for number, link in enumerate(topology.links):
        for end in link.ends:
            link_of[end].append(number)
    like: dict[object, list[int]] = defaultdict(list)
    for number, node in enumerate(topology.nodes):
        links = [topology.links[link] for link in link_of[number]]
        if node.kind == "host" and node.group is not None and links:
            ways = [
                (link.ends[link.ends[0] == number], link.rate, link.delay, link.beyond)
                for link in links
            ]
            like[node.group, tuple(ways)].append(number)
        else:
            like[number].append(number)
    forwarding = sum(node.kind != "host" for node in topology.nodes)
    most = IN_A_STAR if forwarding == 1 else GATHERED
    if forwarding > 1 and len(topology.nodes) > CROWD:
        most = IN_A_CROWD
    drawn = Arranged()
    apart = (
        [[node] for node in nodes] if len(nodes) <= most else [nodes] for nodes in like.values()
    )
    for nodes in (nodes for gathered in apart for nodes in gathered):
        drawn.names[nodes[0]] = _name([topology.nodes[node] for node in nodes])
        drawn.stands_for |= dict.fromkeys(nodes, nodes[0])
    for link in topology.links:
        first, second = (drawn.stands_for[end] for end in link.ends)
        drawn.links.setdefault((first, second), link)
    return drawn


def _name(nodes: list[Node]) -> str:
    """The name of a node, or of several members of a group together: `sender[0..9]`."""
    numbers = [node.number for node in nodes if node.number is not None]
    if len(numbers) < 2:
        return nodes[0].name
    first, last = numbers[0], numbers[-1]
    if numbers == list(range(first, last + 1)):
        return f"{nodes[0].group}[{first}..{last}]"
    return f"{nodes[0].group}[{first}, {numbers[1]}, …]"


def _figure(drawn: Arranged, kinds: dict[int, str], places: dict[int, Position]) -> Figure:
    from matplotlib.figure import Figure

    across = [x for x, _ in places.values()]
    upwards = [y for _, y in places.values()]
    left, right = min(across) - 1.0, max(across) + 1.0
    low, high = min(upwards) - 0.7, max(upwards) + 0.7
    classes = list(dict.fromkeys(_told(link) for link in drawn.links.values()))
    is_crowded = len(drawn.links) > MOST_LABELS
    # A line for each kind of link, and one for the kinds of nodes.
    below = 0.3 * (len(classes) if is_crowded else 0) + 0.45
    width, height = max(SCALE * (right - left), 3.2), SCALE * (high - low)
    figure = Figure(figsize=(width, height + below))
    share = below / (height + below)
    axes = figure.add_axes((0, share, 1, 1 - share), xlim=(left, right), ylim=(low, high))
    axes.set_axis_off()
    for (first, second), link in drawn.links.items():
        rank = classes.index(_told(link)) if is_crowded else 0
        ends = zip(places[first], places[second], strict=True)
        dashes = DASHES[rank // len(COLOURS) % len(DASHES)]
        colour = COLOURS[rank % len(COLOURS)] if is_crowded else INK
        axes.plot(*ends, color=colour, linewidth=1.1, linestyle=dashes, zorder=1)
        if not is_crowded:
            # Links fan out towards hosts below, where there is more room.
            is_level = places[first][1] == places[second][1]
            towards = 0 if is_level else (kinds[second] == "host") - (kinds[first] == "host")
            share = 0.5 + 0.12 * towards
            _label(axes, places[first], places[second], share, _told(link))
    for node, name in drawn.names.items():
        _draw_node(axes, places[node], name, kinds[node])
    _add_legend(figure, sorted(set(kinds.values())), classes if is_crowded else [])
    return figure


def _told(link: Link) -> str:
    """The label of a link: its rate, its delay, and features such as loss."""
    rate, delay = _in_units(link.rate, "bit/s"), _in_units(link.delay, "s")
    return ", ".join([rate, *([delay] if link.delay else []), *link.beyond])


def _in_units(value: float, unit: str) -> str:
    """A value with the largest prefix that leaves it at least one."""
    prefixes = {1e12: "T", 1e9: "G", 1e6: "M", 1e3: "k", 1.0: "", 1e-3: "m", 1e-6: "µ", 1e-9: "n"}
    for size, prefix in prefixes.items():
        if value >= size * (1 - 1e-12):
            return f"{value / size:.6g} {prefix}{unit}"
    return f"{value / 1e-12:.6g} p{unit}"


def _label(axes: Axes, first: Position, second: Position, share: float, text: str) -> None:
    x, y = ((1 - share) * a + share * b for a, b in zip(first, second, strict=True))
    is_level = abs(first[1] - second[1]) < 0.3 * abs(first[0] - second[0])
    told = text if not is_level else text.replace(", ", "\n")
    axes.annotate(
        told,
        (x, y),
        ha="center",
        va="center",
        fontsize=6.5,
        color=INK,
        zorder=2,
        bbox={"boxstyle": "square,pad=0.1", "facecolor": PAPER, "edgecolor": "none"},
    )


def _draw_node(axes: Axes, place: Position, name: str, kind: str) -> None:
    outline, colour = SHAPES[kind]
    box = {"boxstyle": outline, "facecolor": colour, "edgecolor": INK, "linewidth": 0.9}
    ink = _ink_on(colour)
    axes.text(*place, name, ha="center", va="center", fontsize=7.5, color=ink, zorder=3, bbox=box)


def _ink_on(colour: str) -> str:
    return INK if colour == PAPER else ON_COLOUR


def _add_legend(figure: Figure, kinds: list[str], classes: list[str]) -> None:
    """The legend of shapes and, if links have no labels, of colours."""
    from matplotlib.lines import Line2D

    inches = figure.get_figheight()
    for index, told in enumerate(classes):
        y = (0.62 + 0.3 * (len(classes) - 1 - index)) / inches
        colour = COLOURS[index % len(COLOURS)]
        dashes = DASHES[index // len(COLOURS) % len(DASHES)]
        ends = [0.25 / figure.get_figwidth(), 0.6 / figure.get_figwidth()]
        figure.add_artist(Line2D(ends, [y, y], color=colour, linewidth=1.6, linestyle=dashes))
        figure.text(0.7 / figure.get_figwidth(), y, told, fontsize=7.5, va="center", color=INK)
    for index, kind in enumerate(kinds):
        outline, colour = SHAPES[kind]
        box = {"boxstyle": outline, "facecolor": colour, "edgecolor": INK, "linewidth": 0.9}
        x = (0.5 + 0.8 * index) / figure.get_figwidth()
        ink = _ink_on(colour)
        figure.text(
            x, 0.25 / inches, kind, fontsize=6.5, ha="center", va="center", color=ink, bbox=box
        )
