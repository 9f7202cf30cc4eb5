"""The buffer size at which throughput collapses (the cliff)."""

from __future__ import annotations

from cellrelay.plot import Box, Chart, Diagram
from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge, known, said
from cellrelay.text.quantity import number

from .charts import LINK, over_buffers, panel
from .measures import BAD, GOOD, PLACE, along, cliff, cliffs, grid, share, throughput
from .one_tcp import BUFFERS, CELLS, GRID, PLAIN, SIZES, one_tcp

WINDOW, HEADER = 65536, 40
"""Octets of the window, and octets of headers in each packet."""

plain = one_tcp("Plain ATM", GRID, PLAIN)


@exhibit(
    "network",
    "The network.",
    "A host sends over a link of 155.52 Mbit/s, through the switch, to a link of 53 Mbit/s;"
    " without the overhead of SONET and of cell headers, that is 17 and 5.8 MB/s. In figures with"
    " two connections, the second has a host and a fast link of its own.",
)
def network() -> Diagram:
    return Diagram(
        boxes=(Box("alpha", 0, 0), Box("switch", 2.2, 0), Box("receiver", 4.4, 0)),
        links=(("alpha", "switch", "155 Mbit/s"), ("switch", "receiver", "53 Mbit/s")),
    )


@exhibit(
    "buffers",
    "Throughput over buffer and packet size: plain ATM, partial and early packet discard.",
    "One connection with a window of 64 KB. With plain ATM (the paper's first graph) and partial"
    " packet discard (its last), the link is mostly idle until the buffer holds nearly the whole"
    " window. Early packet discard, which the paper only discusses, recovers large packets. Bands"
    " are 95 % intervals over the phases of clocks and starts; where runs fall into two kinds they"
    " are dots, and have no mean. Dashed is what the paper says that the link carries.",
)
def throughput_by_buffer(plain: Results, partial: Results, early: Results) -> Chart:
    return over_buffers(
        panel("plain ATM", grid(plain)),
        panel("partial packet discard", grid(partial)),
        panel("early packet discard", grid(early)),
        printed=LINK,
    )


@claim(
    "002-1",
    "Whatever the size of packets, throughput is bad unless the buffer is close to the window of"
    " 64 KB, and good from slightly less on.",
    rule=f"plain ATM, each packet size: the mean share of the slow link is below {BAD} at every"
    f" buffer up to 48 KB; from some buffer above 48 KB on it is at least {GOOD}, and this buffer"
    " is smaller than the cells of a whole window, 63 KB with 9180 bytes",
    where="section One TCP With a Bottleneck, first graph",
    of_paper='"regardless of packet size" badly unless the buffer is "close to an entire 64Kbyte'
    ' window", and well "at slightly less than 64K because a few packets are effectively stored in'
    ' the hosts"; buffers "account only for the memory used by the 48-byte payloads of ATM cells"',
    ours=f"badly is below {BAD} of the slow link, and well {GOOD}; close begins above 48 KB, of"
    " which the authors show a bad run; the packet sizes other than 9180 bytes, whose windows take"
    " up to 71 KB of payloads",
    expect=Verdict.REPRODUCED,
)
def cliff_below_the_window(plain: Results) -> Outcome:
    points = grid(plain)
    checks = []
    for size in SIZES:
        checks += [
            Check(f"{size} at {buffer}", average(share, point) < BAD)
            for buffer, point in along(points, size).items()
            if BUFFERS[buffer] <= 48
        ]
        checks.append(Check(f"the cliff of {size}", 48 < cliff(points, size) < taken(size)))
    return judge(
        f"good with {cliffs(points)} on; {said(PLACE)} {known(throughput, points[PLACE])} MB/s",
        checks,
        "in cells the window takes"
        f" {', '.join(f'{taken(size):.1f} KB with {size}' for size in SIZES)}",
    )


def taken(size: str) -> float:
    """Buffer that the cells of a whole window occupy, in KB."""
    packets = WINDOW // (int(number(size, "B")) - HEADER)
    return packets * CELLS[size] * 48 / 1024
