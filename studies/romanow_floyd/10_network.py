"""The network of the paper, with cells and without."""

from __future__ import annotations

from cellrelay.plot import Box, Chart, Diagram
from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge, said, stated
from cellrelay.text.quantity import number

from .charts import over_buffers, panel
from .measures import SEGREGATED, grid, plain_atm, spread, throughput
from .ten_tcp import BUFFER, BUFFERS, GRID, PACKET, PLAIN, WINDOW, ten_tcp

WINDOWS = ("8 KiB", "64 KiB")


def packet_points() -> dict[str, dict[str, str]]:
    """Packet sizes, each with links on which a packet takes a whole number of microseconds."""
    microseconds = {"512 B": 29, "1500 B": 85, "4352 B": 246, "9180 B": 520}
    rates = {size: 8e6 * number(size, "B") / time for size, time in microseconds.items()}
    links = ("access", "terminal", "exit")
    return {
        size: {PACKET: size} | {f"link.{link}.rate": f"{rate:.0f} bit/s" for link in links}
        for size, rate in rates.items()
    }


plain = ten_tcp(
    "Plain ATM, ten connections",
    {WINDOW: WINDOWS, **GRID},
    PLAIN,
)
plain_five = ten_tcp(
    "Plain ATM, five connections",
    GRID,
    {**PLAIN, "host.sender.count": "5"},
)
packet = ten_tcp(
    "Whole packets, without ATM",
    {"packet": packet_points(), BUFFER: tuple(BUFFERS)},
    {**PLAIN, "flow.bulk.over": "{ packet = {} }", "flow.telnet.over": "{ packet = {} }"},
)


@exhibit(
    "figure-1",
    "Figure 1. The network.",
    "Ten senders, and a terminal with short messages at random times, share the output to one"
    " receiver. All links have the same rate, and a propagation delay of 3 us each;"
    " acknowledgments return over the same links.",
)
def topology() -> Diagram:
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


@exhibit(
    "figure-2",
    "Figure 2. TCP over plain ATM.",
    "Effective throughput is lower with smaller buffers and larger packets, and with more"
    " connections (middle, compared with left) or larger windows (middle, compared with right)."
    " Bands are 95 % intervals, and the line is the lowest value that the paper prints; where it"
    " stands in the figure, the text does not say. Segregated places, with a fairness index below"
    f" {SEGREGATED}, are left out. The paper leaves out packets of 9180 bytes with 256 cells in all"
    " panels; with five connections they are not segregated here, and are drawn.",
)
def plain_throughput(plain_five: Results, plain: Results) -> Chart:
    return over_buffers(
        panel("5 connections, 64 kB windows", grid(plain_five)),
        panel("10 connections, 64 kB windows", plain_atm(plain)),
        panel("10 connections, 8 kB windows", grid(plain, window="8 KiB")),
        levels={"paper: lowest 0.34": 0.34},
    )


@claim(
    "000-1",
    "Without cells, effective throughput is at least 90 % of the largest possible.",
    rule="packet TCP: every mean is at least 0.90",
    where="section 3, Figure 3",
    of_paper="0.90: effective throughput is always at least 90 % of the largest possible",
    expect=Verdict.REPRODUCED,
)
def packets_do_well(packet: Results) -> Outcome:
    points = grid(packet)
    checks = [Check(said(place), average(throughput, points[place]) >= 0.90) for place in points]
    return judge(f"lowest {stated(throughput, points, spread(throughput, points)[0])}", checks)
