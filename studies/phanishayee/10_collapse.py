"""How much is read from how many servers, and what does a larger buffer change?"""

from __future__ import annotations

from itertools import pairwise

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Check,
    Outcome,
    Table,
    Verdict,
    above,
    claim,
    exhibit,
    experiment,
    judge,
    known,
    not_testable,
    percent,
)

from .reads import (
    BUFFER,
    CAPACITY,
    COLLAPSED,
    MANY,
    below,
    by_servers,
    drawn,
    goodput,
    idle,
    onset,
    read,
    retransmitted,
    room,
    servers,
)

SERVERS = (2, 4, 8, 16, 32, 64, 128)
FINE = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64)
BUFFERS = {f"{packets} packets": {BUFFER: room(packets)} for packets in (32, 64, 128, 256, 512)}
SEVERAL = 8
"""Servers from which the answers exceed what a port of 64 packets and the path hold."""

collapse = experiment(
    "reads.toml",
    "Synchronised reads, by the number of servers",
    servers(SERVERS),
    quick={"duration": "2 s"},
    quick_sweep=servers((2, 8, 64)),
    quick_replications=Replications.exactly(2),
)
buffers = experiment(
    "reads.toml",
    "Synchronised reads, by the buffer of the port",
    {"buffer": BUFFERS, **servers(FINE)},
    {"duration": "3 s"},
    quick={"duration": "0.6 s"},
    quick_sweep={
        "buffer": {name: BUFFERS[name] for name in ("64 packets", "128 packets")},
        **servers((3, 4, 6, 7, 8)),
    },
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "collapse",
    "Goodput over the number of servers.",
    "A port of 64 packets, parts of 256 kB, Reno with a minimum timeout of 200 ms. Means, with 95 %"
    " intervals. The link to the client is idle for the rest of the time, and few packets are"
    " retransmitted.",
)
def by_count(collapse: Results) -> Table:
    rows = [
        [str(int(count)), str(known(goodput, point)), *(percent(known(of, point)) for of in shares)]
        for shares in [(idle, retransmitted)]
        for count, point in by_servers(collapse).items()
    ]
    return Table(["servers", "goodput (Mbit/s)", "link idle", "retransmitted"], rows)


@exhibit(
    "buffers",
    "Goodput over the number of servers, by the buffer of the port.",
    "Means of three runs of 3 s, with 95 % intervals.",
)
def by_buffer(buffers: Results) -> Chart:
    return drawn(buffers, "buffer", "buffer", (2, 4, 8, 16, 32, 64))


@claim(
    "incast-1",
    "The throughput collapses as the number of servers grows past the ability of the switch to"
    " buffer their packets.",
    rule=f"two servers read more than half of the link's rate, and each larger number from"
    f" {SEVERAL} on less than a fifth",
    where="page of the project, pdl.cmu.edu/Incast, first paragraph, and the abstract",
    of_paper='a "catastrophic TCP throughput collapse"',
    ours="half and a fifth; the authors' later abstract has a throughput reduced by up to 90 %",
    expect=Verdict.REPRODUCED,
)
def collapses(collapse: Results) -> Outcome:
    reads = read(collapse)
    least = min(reads)
    checks = [above(f"{least} servers", reads[least], CAPACITY / 2)]
    checks += [
        below(f"{count} servers", rate, COLLAPSED)
        for count, rate in reads.items()
        if count >= SEVERAL
    ]
    words = ", ".join(f"{rate} with {count}" for count, rate in reads.items())
    return judge(f"{words} servers, in Mbit/s", checks)


@claim(
    "incast-2",
    "Timeouts are the cause, not retransmissions: only 2 % of the packets are these, while the"
    " link is idle.",
    rule=f"from {SEVERAL} to {MANY} servers: less than 5 % of the packets are retransmissions, and"
    " the link to the client is idle for more than 80 % of the time",
    where="the analysis of the simulation, as summarised by A. Tam, adrian.idv.hk, 2011",
    of_paper="2 %",
    ours="5 %, since the summary has one digit for all numbers of servers; 80 %, as for the"
    " collapse",
    expect=Verdict.REPRODUCED,
)
def timeouts_decide(collapse: Results) -> Outcome:
    checks: list[Check] = []
    words = []
    for count, point in by_servers(collapse).items():
        if SEVERAL <= count <= MANY:
            again, silent = known(retransmitted, point), known(idle, point)
            checks.append(below(f"{count:g} servers: few are retransmitted", again, 0.05))
            checks.append(above(f"{count:g} servers: the link is idle", silent, 0.8))
            words.append(f"{percent(again)} with {count:g}")
    return judge(f"{', '.join(words)} servers", checks)


@claim(
    "incast-3",
    "Doubling the buffer doubles the number of servers that can be read.",
    rule="from each buffer to the next: the largest number of servers up to which all reads exceed"
    " half of the link's rate grows by a factor between 1.6 and 2.4",
    where="page of the project, pdl.cmu.edu/Incast, solutions, as others quote it",
    of_paper='"doubling the buffer size doubles the number of servers that can be contacted"',
    ours="half of the rate; a fifth on either side of two, since numbers of servers are whole",
    expect=Verdict.REPRODUCED,
)
def buffers_delay(buffers: Results) -> Outcome:
    onsets = {name: onset(buffers, buffer=name) for name in buffers.values("buffer")}
    checks = [
        Check(
            f"from {smaller} to {larger}",
            1.6 * onsets[smaller] <= onsets[larger] <= 2.4 * onsets[smaller],
        )
        for smaller, larger in pairwise(onsets)
    ]
    words = ", ".join(f"{count} with {name}" for name, count in onsets.items())
    return judge(f"up to {words}", checks)


@claim(
    "incast-4",
    "Ethernet flow control is effective on a single switch, and dangerous across trunks, because of"
    " head-of-line blocking.",
    rule="needs pause frames",
    where="page of the project, pdl.cmu.edu/Incast, solutions, as others quote it",
    of_paper="the words of the claim",
    expect=Verdict.NOT_TESTABLE,
)
def flow_control(collapse: Results) -> Outcome:
    del collapse
    return not_testable("links of packets have no pause frames")
