"""What the results hinge on: figures and tables that the paper does not have."""

from __future__ import annotations

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.studies import Measure, Table, average, exhibit, known, said, stated
from cellrelay.studies.claim import Measured

from .experiments import BACKOFFS, CHOICES, FABRICS, GUARDS, TICKS
from .figures import over_buffers, panel, percent
from .measures import (
    fairness,
    floor,
    grid,
    plain_by_backoff,
    resent,
    shared,
    spread,
    throughput,
    timeouts,
)


@exhibit(
    "floor",
    "The floor of Figure 2 is set by the sender's backoff.",
    "The lowest effective throughput of plain ATM anywhere in the grid, segregated points left"
    " out, for four rules of how a timeout grows when it expires again: doubled up to 64 times"
    " until a packet sent once is acknowledged (full Karn), cleared by any acknowledgment of new"
    " data (reset), doubled once at most (capped at 2), never (none). The paper, which does not"
    " state its rule, reports 0.34. Whether two cells or all enter an output in a slot matters"
    " little. In a switch without slots, a connection whose cells come just after one has left"
    " shuts out the others from small buffers, so that its floor lies at larger ones.",
)
def floor_by_backoff(measured: Measured) -> Chart:
    curves = []
    for fabric in FABRICS:
        points = [plain_by_backoff(measured, rule, fabric) for rule in BACKOFFS]
        y = tuple(known(throughput, part[floor(part)]) for part in points)
        curves.append(Curve(fabric, tuple(map(float, range(len(BACKOFFS)))), y))
    return Chart(
        panels=(Panel(tuple(curves)),),
        x_label="backoff",
        y_label="lowest effective throughput",
        legend="fabric",
        y_range=(0.0, 1.0),
        levels={"paper: 0.34": 0.34},
        x_words=tuple(BACKOFFS),
    )


@exhibit(
    "guard",
    "A sender that does not guard its fast retransmits resends what has arrived.",
    "Share of the congested link spent on packets that brought nothing new, plain ATM. Going back"
    " N repeats packets that had arrived; their duplicate acknowledgments trigger the next fast"
    " retransmit, unless the sender remembers how far it had come.",
)
def guarded(measured: Measured) -> Chart:
    panels = [
        panel(name, grid(measured["guard"], guard=name), percent(resent), shows_segregated=True)
        for name in GUARDS
    ]
    return over_buffers(*panels, y_label="capacity spent again (%)", y_range=(0, None))


@exhibit(
    "choices",
    "Other choices that the paper leaves open, one changed at a time.",
    "Plain ATM, ten connections, 64 kB windows: where effective throughput is lowest, segregated"
    " points left out, and where most of the capacity is spent again. Connections that start at"
    " once with the largest packets and the smallest buffer lose their first packets together, and"
    " again at every timeout: nothing arrives. The paper staggers them to avoid that.",
)
def other_choices(measured: Measured) -> Table:
    rows = []
    for choice in CHOICES:
        points = grid(measured["choices"], choice=choice)
        most = spread(resent, points)[1]
        rows.append(
            [choice, stated(throughput, points, floor(points)), stated(resent, points, most)]
        )
    return Table(["choice", "lowest effective throughput", "most capacity spent again"], rows)


@exhibit(
    "clock",
    "Early packet discard with a finer and a coarser clock.",
    "With a tick of 300 ms a connection that times out stays away long. Where others fill the"
    " link, throughput is high all the same; where all are away, it is idle.",
)
def clock(measured: Measured) -> Chart:
    return over_buffers(*_by_tick(measured, throughput))


@exhibit(
    "clock-fairness",
    "Early packet discard with a finer and a coarser clock: fairness.",
    "Jain's index of the connections' goodputs: 1 when all are equal, 0.1 when one has all.",
)
def clock_fairness(measured: Measured) -> Chart:
    return over_buffers(*_by_tick(measured, fairness), y_label="fairness index", y_range=(0.0, 1.0))


def _by_tick(measured: Measured, measure: Measure) -> list[Panel]:
    return [
        panel(f"tick of {tick}", grid(measured["clock"], tick=tick), measure, shows_segregated=True)
        for tick in TICKS
    ]


@exhibit(
    "duplicates",
    "Early packet discard with one duplicate acknowledgment for a fast retransmit.",
    "Timeouts of all connections in a run, and effective throughput, with three duplicates and with"
    " one: fewer losses have to wait for the timer.",
)
def duplicates(measured: Measured) -> Table:
    rows = []
    three, one = (grid(measured["duplicates"], duplicates=count) for count in ("3", "1"))
    for place in shared(three, one):
        rows.append(
            [
                said(place),
                *(f"{average(timeouts, points[place]):.0f}" for points in (three, one)),
                *(str(known(throughput, points[place])) for points in (three, one)),
            ]
        )
    return Table(["place", "timeouts, three", "one", "throughput, three", "one"], rows)
