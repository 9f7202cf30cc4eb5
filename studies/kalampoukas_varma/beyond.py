"""What the paper did not have: other senders, less memory, more links and more connections."""

from __future__ import annotations

from collections.abc import Callable

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult
from cellrelay.studies import Measure, Table, average, exhibit, known
from cellrelay.studies.claim import Measured

from . import networks
from .comparison import credit
from .experiments import BUFFERED, BUFFERS, EACH, LINKS, MIDDLE, SCHEMES, case
from .figures import line, over_buffers
from .measures import by_buffer, carried, curve, fairness, ratio, resent
from .schemes import LATER, pool, trunk_room


@exhibit(
    "later",
    "Switches and gateways that look at who takes how much: long over short, by buffer.",
    "Selective drop and fair buffer allocation refuse packets of connections that hold more than"
    " their part of the queue; fair queueing serves connections in turn. None of them makes round"
    " trips equal: with small buffers a connection has no more than a packet at a queue.",
)
def looking(measured: Measured) -> Chart:
    return over_buffers(*_later(measured, ratio), y_label="long over short", y_range=(0.0, 1.1))


@exhibit(
    "later-throughput",
    "Switches and gateways that look at who takes how much: user data over a link, by buffer.",
    "Packets take a tenth less of the link than cells.",
)
def looking_throughput(measured: Measured) -> Chart:
    return over_buffers(*_later(measured, carried), y_label="user data over a link (Mbit/s)")


def _later(measured: Measured, measure: Measure) -> list[Panel]:
    known_before = [line(name, by_buffer(measured["buffers"], name), measure) for name in BUFFERED]
    later = [line(name, by_buffer(measured["later"], name), measure) for name in LATER]
    return [Panel(tuple(known_before), "in the paper"), Panel(tuple(later), "later")]


@exhibit(
    "sack",
    "Senders with selective acknowledgments: user data over a link, by buffer.",
    "SACK repairs several losses of a window without waiting for a timer.",
)
def senders(measured: Measured) -> Chart:
    return over_buffers(*_senders(measured, carried), y_label="user data over a link (Mbit/s)")


@exhibit(
    "sack-fairness",
    "Senders with selective acknowledgments: long over short, by buffer.",
    "Who loses less often still gets more.",
)
def senders_fairness(measured: Measured) -> Chart:
    return over_buffers(*_senders(measured, ratio), y_label="long over short", y_range=(0.0, 1.05))


def _senders(measured: Measured, measure: Measure) -> list[Panel]:
    return [
        Panel(
            tuple(line(name, by_buffer(measured[source], name), measure) for name in BUFFERED),
            sender,
        )
        for sender, source in (("Reno", "buffers"), ("SACK", "sack"))
    ]


@exhibit(
    "memory",
    "Credits with less memory.",
    "On the links between switches N3 is as large as the buffer allows, or all channels share a"
    " pool of that size. Six channels that always have cells waiting need a sixth of a round trip"
    " each.",
)
def memory(measured: Measured) -> Table:
    rows = []
    for buffer in measured["memory"].values("buffer"):
        point = measured["memory"].point(buffer=buffer)
        rows.append(_short_row(buffer, str(trunk_room(BUFFERS[buffer])), point))
    for buffer in measured["pool"].values("buffer"):
        point = measured["pool"].point(buffer=buffer)
        rows.append(_short_row(buffer, f"a pool of {pool(BUFFERS[buffer])}", point))
    rows.append(_short_row("as promised", "a round trip", credit(measured)))
    return Table(["memory", "N3 (cells)", *SHORT_HEADER], rows)


SHORT_HEADER = ("over a link (Mbit/s)", "long/short", "Jain", "resent (%)")


def _short_row(first: str, second: str, point: PointResult) -> list[str]:
    return [
        first,
        second,
        str(known(carried, point)),
        f"{average(ratio, point):.3f}",
        f"{average(fairness, point):.3f}",
        f"{100 * average(resent, point):.2f}",
    ]


def numbered(
    measured: Measured, experiment: str, name: str, numbers: tuple[int, ...]
) -> dict[int, PointResult]:
    """The points of a scheme by links or connections."""
    points = curve(measured[experiment], "case")
    return {n: points[case(name, n)] for n in numbers if case(name, n) in points}


def _lines(
    measured: Measured,
    experiment: str,
    numbers: tuple[int, ...],
    x: Callable[[int], float],
    measure: Callable[[int], Measure],
) -> Panel:
    lines = []
    for name in SCHEMES:
        points = numbered(measured, experiment, name, numbers)
        found = {x(n): known(measure(n), point) for n, point in points.items()}
        lines.append(Curve(name, tuple(found), tuple(found.values())))
    return Panel(tuple(lines))


def _met(links: int) -> Measure:
    """Long over short, of the short connections that long ones meet."""
    return lambda point: ratio(point, networks.shorts(links))


@exhibit(
    "links",
    "Long over short, by the links that long connections pass.",
    f"Buffers of {MIDDLE}; credits have what they promise. Each link has three short connections.",
)
def links(measured: Measured) -> Chart:
    panel = _lines(measured, "links", LINKS, float, _met)
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
    f"Buffers of {MIDDLE}; credits have what they promise to all, which grows with their number."
    " Half of the connections on each link are long.",
)
def connections(measured: Measured) -> Chart:
    return _crowd(measured, carried, "user data over a link (Mbit/s)", (0.0, None))


@exhibit(
    "connections-fairness",
    "Jain's index over all connections, by their number.",
    "A connection may get less than a packet in a round trip, and then waits for timers.",
)
def connections_fairness(measured: Measured) -> Chart:
    return _crowd(measured, fairness, "Jain's index", (0.0, 1.02))


def _crowd(
    measured: Measured,
    measure: Measure,
    y_label: str,
    y_range: tuple[float | None, float | None],
) -> Chart:
    def together(each: int) -> float:
        return float(networks.connections(each))

    panel = _lines(measured, "connections", EACH, together, lambda _: measure)
    ticks = tuple(map(together, EACH))
    return Chart(
        (panel,), "connections", y_label, "scheme", y_range, is_logarithmic=True, x_ticks=ticks
    )


@exhibit(
    "choices",
    "What the paper leaves open, one choice changed at a time.",
    f"Buffers of {MIDDLE}; credits have what they promise. Long over short, and in brackets Mbit/s"
    " of user data over a link.",
)
def choices(measured: Measured) -> Table:
    rows = []
    for choice in measured["choices"].values("choice"):
        points = curve(measured["choices"], "scheme", choice=choice)
        said = (
            f"{average(ratio, points[name]):.3f} ({average(carried, points[name]):.0f})"
            for name in SCHEMES
        )
        rows.append([choice, *said])
    return Table(["choice", *SCHEMES], rows)
