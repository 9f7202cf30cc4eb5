"""What does a queue that never empties give?"""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import estimate
from cellrelay.studies import (
    Outcome,
    Ranged,
    Table,
    Verdict,
    claim,
    exhibit,
    experiment,
    judge,
    known,
    of_port,
    printed,
    scaled,
    within,
)

from .lines import DISCARD, carried

PACKET = 1500
"""Octets of a packet."""
STANDING = {20: 0.0, 25: 5.0, 30: 10.0}
"""Packets of the standing queue by those of the window, on a path of 20 packets: section 3."""
PIPE = 20
waiting: Ranged = scaled(of_port("mean_queue_octets", "gate->receiver"), 1 / PACKET)

standing = experiment(
    "line.toml",
    "One connection whose window is nearly that of its path",
    {
        "window": {
            f"{packets} packets": {"flow.bulk.transport.tcp.window": f"{1500 * packets} B"}
            for packets in STANDING
        }
    },
    {
        DISCARD: "{ tail_drop = {} }",
        "host.sender.count": "1",
        "flow.bulk.transport.tcp.window_counts": "packets",
        # Twenty packets of 1.2 ms: what the transmissions leave of 24 ms.
        "link.line.delay": "11.378 ms",
        "duration": "20 s",
        "warm_up": "10 s",
    },
    quick={"duration": "11 s"},
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "standing",
    "The standing queue of one connection, by its window.",
    "The path holds 20 packets. Queues in packets, without the one being sent; tail drop.",
    is_printed=True,
)
def by_window(standing: Results) -> Table:
    rows = []
    for packets, queue in STANDING.items():
        point = standing.point(window=f"{packets} packets")
        rows.append(
            [str(packets), f"{queue:g}", str(known(waiting, point)), str(known(carried, point))]
        )
    return Table(["window", "printed queue", "measured queue", "line busy"], rows)


@claim(
    "codel-1",
    "On a path of 20 packets a window of 25 leaves a standing queue of 5 packets, 30 one of 10, and"
    " 20 none; the sending rate is the same.",
    rule="the mean queue is within a packet of the printed number, and the line is busy for the"
    " same share of time within 1 %",
    where="section 3",
    of_paper='"5-packet (+/-1) standing queue", 10 packets with 30, none with 20, "no change in'
    ' sending rate"',
    ours="1 %",
    expect=Verdict.REPRODUCED,
)
def windows_decide(standing: Results) -> Outcome:
    points = {packets: standing.point(window=f"{packets} packets") for packets in STANDING}
    checks = [
        printed(f"{packets} packets", known(waiting, points[packets]), queue, 1.0)
        for packets, queue in STANDING.items()
    ]
    for packets in (25, 30):
        more = [a - b for a, b in zip(carried(points[packets]), carried(points[PIPE]), strict=True)]
        checks.append(within(f"the rate with {packets} packets", estimate(more), 0.01))
    words = ", ".join(f"{known(waiting, points[packets])} with {packets}" for packets in points)
    return judge(f"queues of {words} packets of window", checks)
