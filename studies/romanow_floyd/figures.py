"""The figures of the paper, and what it left unsaid.

Buffers are drawn on a logarithmic axis in cells: where the paper's is linear in kilobytes, with
53 bytes to a cell, most of what happens is in its first tenth.
"""

from __future__ import annotations

from cellrelay.plot import Box, Chart, Curve, Diagram, Panel
from cellrelay.studies import Grid, Measure, exhibit, known, scaled
from cellrelay.studies.claim import Measured

from .experiments import BUFFERS, EXCESS, SIZES, THRESHOLDS, excess_case
from .measures import SEGREGATED, cell_loss, grid, plain_atm, resent_packets, shared, throughput

THROUGHPUT = "effective throughput"
MOST_OF_IT = (0.5, 1.0)
"""The same range for every figure that compares policies."""


@exhibit(
    "figure-1",
    "Figure 1. The network.",
    "Ten senders, and a terminal whose short messages come at random, share the output towards one"
    " receiver. All links have the same rate, 3 us of propagation each; acknowledgments return the"
    " same way.",
)
def topology(_: Measured) -> Diagram:
    senders = [Box("sender 1", 0, 2.4), Box("sender 2", 0, 1.8), Box("sender 10", 0, 0.8)]
    others = [Box("terminal", 0, 0.1), Box("switch", 2.2, 1.4), Box("receiver", 4.6, 1.4)]
    return Diagram(
        boxes=(*senders, *others),
        links=(
            *((box.name, "switch", "") for box in [*senders, others[0]]),
            ("switch", "receiver", "congested"),
        ),
        dots=((0, 1.3),),
    )


def panel(
    title: str, points: Grid, measure: Measure = throughput, *, shows_segregated: bool = False
) -> Panel:
    """A curve over the buffers for each packet size."""
    places = points if shows_segregated else shared(points)
    curves = []
    for size in SIZES:
        along = {
            float(cells): known(measure, points[size, buffer])
            for buffer, cells in BUFFERS.items()
            if (size, buffer) in places
        }
        curves.append(Curve(size, tuple(along), tuple(along.values())))
    return Panel(tuple(curves), title)


def over_buffers(
    *panels: Panel,
    y_label: str = THROUGHPUT,
    y_range: tuple[float | None, float | None] = MOST_OF_IT,
) -> Chart:
    """Panels over the five buffers of the paper."""
    return Chart(
        panels=panels,
        x_label="buffer (cells)",
        y_label=y_label,
        legend="packet",
        y_range=y_range,
        is_logarithmic=True,
        x_ticks=tuple(map(float, BUFFERS.values())),
    )


def percent(measure: Measure) -> Measure:
    """The same in percent."""
    return scaled(measure, 100)


@exhibit(
    "figure-2",
    "Figure 2. TCP over plain ATM.",
    "Effective throughput falls with smaller buffers and larger packets, and with more connections"
    " (middle against left) or larger windows (middle against right). Bands are 95 % intervals."
    " Points at which a few connections shut out the others are left out, as in the paper: those"
    f" with a fairness index below {SEGREGATED}.",
)
def plain_throughput(measured: Measured) -> Chart:
    return over_buffers(
        panel("5 connections, 64 kB windows", grid(measured["plain-five"])),
        panel("10 connections, 64 kB windows", plain_atm(measured)),
        panel("10 connections, 8 kB windows", grid(measured["plain"], window="8 KiB")),
    )


@exhibit(
    "figure-3-4-5",
    "Figures 3, 4 and 5. Whole packets, partial packet discard, early packet discard.",
    "The same ten connections with 64 kB windows as in the middle of Figure 2. Without cells"
    " neither buffer nor packet size matters much (left). Refusing what is left of a damaged packet"
    " recovers part of what plain ATM loses (middle). Refusing whole packets from half the buffer"
    " on gives what whole packets give, but where the buffer holds only a few of them (right).",
)
def packets_and_discard(measured: Measured) -> Chart:
    return over_buffers(
        panel("3. whole packets", grid(measured["packet"])),
        panel("4. partial packet discard", grid(measured["partial"])),
        panel("5. early packet discard", grid(measured["early"])),
    )


@exhibit(
    "figure-6",
    "Figure 6. Early packet discard: how much buffer beyond the threshold?",
    "Without any, packets that were let in are damaged when the buffer overflows, and the longer"
    " they are the more that costs. Here one packet of excess is nearly enough, where the paper"
    " needs three. On the right the choices that make most of a lack: cells that find the buffer"
    " full are lost singly, all inputs may enter the output at once, and senders return soon.",
)
def excess_buffer(measured: Measured) -> Chart:
    def excess_panel(experiment: str, threshold: int, title: str) -> Panel:
        curves = []
        for size in SIZES:
            cases = [excess_case(threshold, size, packets) for packets in EXCESS]
            points = [measured[experiment].point(case=case) for case in cases]
            y = tuple(known(throughput, point) for point in points)
            curves.append(Curve(size, tuple(map(float, EXCESS)), y))
        return Panel(tuple(curves), title)

    panels = [excess_panel("excess", cells, f"threshold of {cells} cells") for cells in THRESHOLDS]
    worst = excess_panel("excess-unforgiving", THRESHOLDS[0], "1000 cells, unforgiving")
    return Chart(
        panels=(*panels, worst),
        x_label="buffer beyond the threshold (packets)",
        y_label=THROUGHPUT,
        legend="packet",
        y_range=MOST_OF_IT,
        levels={"0.90": 0.90},
    )


@exhibit(
    "figure-7",
    "Figure 7. Cells lost, plain ATM.",
    "A few percent of the cells are lost, but enough packets lose one for the throughput of"
    " Figure 2.",
)
def cells_lost(measured: Measured) -> Chart:
    lost = panel("", plain_atm(measured), percent(cell_loss))
    return over_buffers(lost, y_label="cells lost (%)", y_range=(0, None))


@exhibit(
    "figure-8-9-10",
    "Figures 8, 9 and 10. Packets sent again, as a percentage of distinct packets.",
    "Early packet discard loses packets too, whole ones, and so the connections resend while the"
    " link carries little in vain; large packets in small buffers are resent often even without"
    " cells.",
)
def packets_resent(measured: Measured) -> Chart:
    grids = {
        "8. plain ATM": plain_atm(measured),
        "9. early packet discard": grid(measured["early"]),
        "10. whole packets": grid(measured["packet"]),
    }
    panels = [panel(title, points, percent(resent_packets)) for title, points in grids.items()]
    return over_buffers(*panels, y_label="packets sent again (%)", y_range=(0, None))
