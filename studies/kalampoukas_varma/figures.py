"""What the paper compares: throughput, fairness, repetitions and delay by buffer."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult
from cellrelay.statistics import Estimate
from cellrelay.studies import Measure, Table, average, exhibit, known
from cellrelay.studies.claim import Measured

from . import measures
from .comparison import credit
from .experiments import BUFFERED, BUFFERS, LARGEST, MIDDLE, SMALLEST
from .measures import (
    IN_CELLS,
    IN_PACKETS,
    by_buffer,
    carried,
    fairness,
    long,
    long_delay,
    ratio,
    resent,
    short,
    short_delay,
)
from .networks import EACH
from .schemes import CREDITS, LATER, promised

TICKS = (256.0, 1000.0, 4000.0)
INVERSE_SQUARE_ROOT = 1 / (3 * math.sqrt(3))
"""Long over short, where TCP gets MSS / (RTT sqrt(2 p / 3)): three times the round trip, and three
times the chance to lose a packet."""


def line(label: str, points: measures.Curve, measure: Measure) -> Curve:
    """A measure over the buffers; what never happened is left out."""
    found = {float(BUFFERS[buffer]): known(measure, point) for buffer, point in points.items()}
    found = {size: estimate for size, estimate in found.items() if estimate.n}
    return Curve(label, tuple(found), tuple(found.values()))


def level(label: str, point: PointResult, measure: Measure) -> Curve:
    """A measure that does not depend on the buffer, over all of them."""
    ends = float(min(BUFFERS.values())), float(max(BUFFERS.values()))
    here = known(measure, point)
    return Curve(label, ends, (here, here) if here.n else (Estimate(math.nan, math.nan, 0),) * 2)


def panel(title: str, measured: Measured, measure: Measure) -> Panel:
    """The four schemes of the paper."""
    lines = [line(name, by_buffer(measured["buffers"], name), measure) for name in BUFFERED]
    return Panel((*lines, level(CREDITS, credit(measured), measure)), title)


def over_buffers(
    *panels: Panel,
    y_label: str,
    y_range: tuple[float | None, float | None] = (0.0, None),
    levels: Mapping[str, float] | None = None,
) -> Chart:
    """Panels over the buffers of an output."""
    return Chart(
        panels,
        "buffer (cells)",
        y_label,
        "scheme",
        y_range,
        levels or {},
        is_logarithmic=True,
        x_ticks=TICKS,
    )


@exhibit(
    "throughput",
    "Throughput of long and short connections, by buffer.",
    "Mbit/s of user data of a connection. By max-min fairness each would get a sixth of a link,"
    f" {IN_CELLS / 2 / EACH:.1f} Mbit/s in cells and {IN_PACKETS / 2 / EACH:.1f} in packets. The"
    f" memory of credits is what they promise, {promised()} cells at most: they are a level.",
)
def throughput(measured: Measured) -> Chart:
    return over_buffers(
        panel("long", measured, long),
        panel("short", measured, short),
        y_label="throughput (Mbit/s)",
        levels={"max-min": IN_CELLS / 2 / EACH},
    )


@exhibit(
    "fairness",
    "What a long connection gets over what a short one gets, by buffer.",
    f"By the law of the inverse square root three round trips and three lossy queues make"
    f" {INVERSE_SQUARE_ROOT:.2f}.",
)
def shares(measured: Measured) -> Chart:
    return over_buffers(
        panel("", measured, ratio),
        y_label="long over short",
        y_range=(0.0, 1.05),
        levels={"inverse square root": INVERSE_SQUARE_ROOT},
    )


@exhibit(
    "resent",
    "Packets sent again, by buffer.",
    "As a share of the packets that were sent for the first time, all connections together.",
)
def repetitions(measured: Measured) -> Chart:
    return over_buffers(panel("", measured, resent), y_label="sent again")


@exhibit(
    "delay",
    "Mean delay of a segment, by buffer.",
    "From the sender's handing it to its host until it has arrived, for segments that brought new"
    " data. Credits keep the windows out of the switches: it is in the hosts that their segments"
    " wait.",
)
def delays(measured: Measured) -> Chart:
    return over_buffers(
        panel("long", measured, long_delay),
        panel("short", measured, short_delay),
        y_label="delay (ms)",
    )


HEADER = (
    "scheme",
    "memory",
    "long (Mbit/s)",
    "short (Mbit/s)",
    "long/short",
    "Jain",
    "over a link",
    "resent (%)",
    "long, delay (ms)",
)


def row(name: str, memory: str, point: PointResult) -> list[str]:
    """A scheme in the table."""
    return [
        name,
        memory,
        str(known(long, point)),
        str(known(short, point)),
        f"{average(ratio, point):.3f}",
        f"{average(fairness, point):.3f}",
        str(known(carried, point)),
        f"{100 * average(resent, point):.2f}",
        f"{average(long_delay, point):.1f}",
    ]


def fair_row(name: str, link: float) -> list[str]:
    """What max-min fairness would give."""
    each = f"{link / 2 / EACH:.2f}"
    return [name, "", each, each, "1.000", "1.000", f"{link:.2f}", "", ""]


@exhibit(
    "atm-or-packets",
    "ATM or packets.",
    "What connections get, and what it costs. Memory is that of an output; with credits the most"
    " that any output has to promise. Selective drop and fair buffer allocation are in switches,"
    " fair queueing is in gateways; the paper had none of them.",
    is_printed=True,
)
def atm_or_packets(measured: Measured) -> Table:
    rows = []
    for memory in (SMALLEST, MIDDLE, LARGEST):
        for name in BUFFERED:
            rows.append(row(name, memory, by_buffer(measured["buffers"], name)[memory]))
        for name in LATER:
            rows.append(row(name, memory, by_buffer(measured["later"], name)[memory]))
    rows.append(row(CREDITS, f"{promised()} cells", credit(measured)))
    rows.append(fair_row("max-min, in cells", IN_CELLS))
    rows.append(fair_row("max-min, in packets", IN_PACKETS))
    return Table(HEADER, rows)
