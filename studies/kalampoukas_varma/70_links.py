"""More links, and more connections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications, Until
from cellrelay.studies import Measure, along, exhibit, known

from . import networks
from .measures import carried, fairness, ratio
from .schemes import scheme
from .variants import BRIEF, MIDDLE, ONCE, SCHEMES, Points, case, varied

LINKS = (1, 2, 3, 5, 10)
UNTIL_FAIRNESS = Replications(3, 12, Until("fairness_index", 0.02, 0.95))
"""Number of replications: three are too few where chance decides the shares, as on one link."""
EACH = (3, 10, 30, 100, 250)
"""Connections of each group."""


def by_links(numbers: Sequence[int] = LINKS) -> Points:
    """Schemes by the links that long connections pass."""
    return {
        case(name, links): {**networks.chain(links), **scheme(name, links)}
        for name in SCHEMES
        for links in numbers
    }


def by_connections(numbers: Sequence[int] = EACH) -> Points:
    """Schemes by the connections of each group."""
    return {
        case(name, each): {**networks.crowd(each), **scheme(name, each=each)}
        for name in SCHEMES
        for each in numbers
    }


links = varied(
    "By the links that long connections pass",
    {"case": by_links()},
    BRIEF,
    replications=UNTIL_FAIRNESS,
    quick_sweep={"case": by_links((1, 3, 5))},
    quick_replications=ONCE,
)
connections = varied(
    "By the number of connections",
    {"case": by_connections()},
    BRIEF,
    quick_sweep={"case": by_connections((3, 30))},
    quick_replications=ONCE,
)


def _lines(
    results: Results,
    numbers: Sequence[int],
    x: Callable[[int], float],
    measure: Callable[[int], Measure],
) -> Panel:
    lines = []
    for name in SCHEMES:
        points = numbered(results, name, numbers)
        found = {x(n): known(measure(n), point) for n, point in points.items()}
        lines.append(Curve(name, tuple(found), tuple(found.values())))
    return Panel(tuple(lines))


def numbered(results: Results, name: str, numbers: Sequence[int]) -> dict[int, PointResult]:
    """The points of a scheme by links or connections."""
    points = along(results, "case")
    return {n: points[case(name, n)] for n in numbers if case(name, n) in points}


def _met(links: int) -> Measure:
    """Ratio of long to short, for the short connections that share a link with long ones."""
    return lambda point: ratio(point, networks.shorts(links))


@exhibit(
    "links",
    "Long over short, by the number of links of a long connection.",
    f"Buffers of {MIDDLE}; credits have the memory that they need. Each link has three short"
    " connections.",
)
def over_links(links: Results) -> Chart:
    panel = _lines(links, LINKS, float, _met)
    return Chart(
        (panel,),
        "links between switches",
        "long over short",
        "scheme",
        (0.0, None),
        x_ticks=tuple(map(float, LINKS)),
    )


@exhibit(
    "connections",
    "User data over a link, by the number of connections.",
    f"Buffers of {MIDDLE}; credits have the memory that they need, which grows with the number of"
    " connections. Half of the connections on each link are long.",
)
def over_connections(connections: Results) -> Chart:
    return _crowd(connections, carried, "user data over a link (Mbit/s)", (0.0, None))


@exhibit(
    "connections-fairness",
    "Jain's index over all connections, by their number.",
    "A connection with less than one packet per round trip waits for timeouts.",
)
def connections_fairness(connections: Results) -> Chart:
    return _crowd(connections, fairness, "Jain's index", (0.0, 1.02))


def _crowd(
    connections: Results,
    measure: Measure,
    y_label: str,
    y_range: tuple[float | None, float | None],
) -> Chart:
    def together(each: int) -> float:
        return float(networks.all_connections(each))

    panel = _lines(connections, EACH, together, lambda _: measure)
    ticks = tuple(map(together, EACH))
    return Chart(
        (panel,), "connections", y_label, "scheme", y_range, is_logarithmic=True, x_ticks=ticks
    )
