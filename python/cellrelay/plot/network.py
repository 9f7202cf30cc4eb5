"""Pictures of topologies: hosts, switches, routers and edges, and the links between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cellrelay import _core
from cellrelay.plot.style import COLOURS, INK, ON_COLOUR, PAPER, style
from cellrelay.scenario.topology import Link, Topology

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Position = tuple[float, float]

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

DASHES: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0, ()),
    (0, (5, 2)),
    (0, (1, 1.5)),
    (0, (5, 1.5, 1, 1.5)),
)


@dataclass(frozen=True)
class Arranged:
    """A topology in which equal hosts of a group are one node, and the places of its nodes."""

    names: dict[int, str]
    """The name of each drawn node, by its number."""
    links: dict[tuple[int, int], Link]
    """One link for all links between the same drawn nodes."""
    places: dict[int, Position]
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
    nodes, _, links = _core.arranged(topology.nodes, topology.links)
    return Arranged(
        names={node: name for node, name, _ in nodes},
        links={(first, second): topology.links[number] for (first, second), number in links},
        places={node: place for node, _, place in nodes},
    )


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
