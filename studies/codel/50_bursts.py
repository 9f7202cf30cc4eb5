"""Do bursts pass?"""

from __future__ import annotations

from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Check,
    Outcome,
    Ranged,
    Table,
    Verdict,
    above,
    along,
    claim,
    exhibit,
    experiment,
    judge,
    known,
    of_flow,
    percent,
    within,
)

from .lines import PACKET_BITS, RATE

BURSTS = (20, 40, 80, 100, 160, 320)
INTERVAL = 100
"""The interval of CoDel in ms: section 4.2."""
DATA = 1460
"""Octets of user data in a packet."""
ALONE, BESIDE = "none", "four"


def _lost(point: PointResult) -> list[float]:
    return [1 - share for share in of_flow("efficiency", "burst")(point)]


lost = Ranged(_lost, (0.0, 1.0))
"""Share of the packets of bursts that is dropped."""


bursts = experiment(
    "bursts.toml",
    "Bursts every two seconds, alone and beside downloads",
    {
        "downloads": {
            ALONE: {"flow.bulk.source.greedy.start": {"uniform": ["1 h", "2 h"]}},
            BESIDE: {},
        },
        "burst": {
            f"{packets} packets": {"flow.burst.source.trace.text": f"0 {DATA * packets}"}
            for packets in BURSTS
        },
    },
    quick={"duration": "10 s", "warm_up": "4 s"},
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "bursts",
    "Share of the packets of bursts that CoDel drops.",
    "10 Mbit/s. Means, with 95 % intervals, by the number of downloads beside the bursts.",
)
def by_burst(bursts: Results) -> Table:
    rows = []
    for burst in bursts.values("burst"):
        points = along(bursts, "downloads", burst=burst)
        rows.append([burst, *(percent(known(lost, points[one])) for one in (ALONE, BESIDE))])
    return Table(["burst", "no downloads", "four downloads"], rows)


@claim(
    "codel-10",
    "CoDel permits bursts: only a queue that stands for an interval is one too many.",
    rule="bursts into an empty queue: no packet is dropped if the line sends the burst within an"
    " interval, and some are if it takes longer",
    where="sections 1 and 4.2",
    of_paper="the interval of 100 ms",
    ours="20 to 320 packets every two seconds, which 10 Mbit/s takes 24 to 384 ms to send",
    expect=Verdict.REPRODUCED,
)
def bursts_pass(bursts: Results) -> Outcome:
    checks: list[Check] = []
    words = []
    for packets in BURSTS:
        burst = f"{packets} packets"
        share = known(lost, bursts.point(burst=burst, downloads=ALONE))
        words.append(f"{percent(share)} of {packets}")
        passes = packets * PACKET_BITS / (RATE * 1e3) < INTERVAL
        checks.append(within(burst, share, 0.0) if passes else above(burst, share))
    return judge(f"dropped {', '.join(words)} packets", checks)
