"""Does a shorter minimum timeout restore the throughput?"""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import Check, Outcome, Verdict, claim, exhibit, experiment, judge

from .reads import drawn, onset, servers, timers

SHORTEST = ("200 ms", "50 ms", "10 ms", "1 ms", "200 us")
SERVERS = (2, 4, 8, 16, 32, 64, 128)
SEVERAL = 4
"""Times as many servers that a short timeout must serve."""
LONG, SHORT = "200 ms", "200 us"

timeouts = experiment(
    "reads.toml",
    "Synchronised reads, by the minimum timeout",
    {"shortest": {shortest: timers(shortest) for shortest in SHORTEST}, **servers(SERVERS)},
    {"duration": "4 s"},
    quick={"duration": "0.5 s"},
    quick_sweep={
        "shortest": {shortest: timers(shortest) for shortest in (LONG, SHORT)},
        **servers((2, 8, 32)),
    },
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "timeouts",
    "Goodput over the number of servers, by the minimum timeout.",
    "A port of 64 packets, parts of 256 kB, Reno, and a clock of 10 us. Means, with 95 %"
    " intervals.",
)
def by_timeout(timeouts: Results) -> Chart:
    return drawn(timeouts, "shortest", "minimum timeout", SERVERS)


@claim(
    "incast-7",
    "A shorter minimum timeout keeps the throughput high with several times as many servers.",
    rule=f"up to {SEVERAL} times as many servers as with 200 ms, or more, all reads exceed half of"
    " the link's rate with 200 us",
    where="page of the project, pdl.cmu.edu/Incast, solutions, as others quote it; the scripts have"
    " 200 us",
    of_paper='"high throughput with several times as many nodes"',
    ours=f"{SEVERAL} as several, and half of the rate, as for the buffers",
    expect=Verdict.REPRODUCED,
)
def short_timeouts(timeouts: Results) -> Outcome:
    onsets = {one: onset(timeouts, shortest=one) for one in timeouts.values("shortest")}
    words = ", ".join(f"{count} with {shortest}" for shortest, count in onsets.items())
    few, many = onsets[LONG], onsets[SHORT]
    return judge(f"up to {words}", [Check("200 us", few > 0 and many >= SEVERAL * few)])
