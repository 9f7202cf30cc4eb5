"""What throughput does each sender get?"""

from __future__ import annotations

from cellrelay.plot import Box, Chart, Curve, Diagram, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import estimate
from cellrelay.studies import (
    Outcome,
    Table,
    Verdict,
    above,
    claim,
    curve,
    exhibit,
    experiment,
    judge,
    known,
    of_port,
    within,
)

from .groups import BOTTLENECKS, FAIR, GROUPS, NAMES, PRINTED, as_printed, stated, throughput

THRESHOLDS = {packets: f"{1500 * packets} B" for packets in (10, 20, 40, 65, 100, 150, 200)}
"""Marking thresholds of the link of 10 Gbit/s, by their number of packets."""
QUICK = {"duration": "0.5 s", "warm_up": "0.15 s"}

groups = experiment(
    "three-groups.toml",
    "Three groups of senders",
    quick=QUICK,
    quick_replications=Replications.exactly(3),
)
thresholds = experiment(
    "three-groups.toml",
    "Three groups of senders, by the threshold at 10 Gbit/s",
    {"router.triumph1.mark.threshold.above": tuple(THRESHOLDS.values())},
    {"duration": "1 s"},
    quick=QUICK,
    quick_sweep={"router.triumph1.mark.threshold.above": ("15000 B", "97500 B", "300000 B")},
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "network",
    "Figure 17. The network.",
    "Ten senders S1 and ten senders S3 send to R1, and each of twenty senders S2 to a receiver R2"
    " of its own. The first bottleneck is the link of 10 Gbit/s from Triumph 1, the second the link"
    " of 1 Gbit/s to R1; S1 passes both. Links without a rate have 1 Gbit/s.",
)
def network() -> Diagram:
    boxes = (
        Box("S1", 0, 1),
        Box("S2", 0, -1),
        Box("Triumph 1", 2, 0),
        Box("Scorpion", 4, 0),
        Box("Triumph 2", 6, 0),
        Box("S3", 6, 1.6),
        Box("R1", 8, 1),
        Box("R2", 8, -1),
    )
    links = (
        ("S1", "Triumph 1", "10 senders"),
        ("S2", "Triumph 1", "20 senders"),
        ("Triumph 1", "Scorpion", "10 Gbit/s"),
        ("Scorpion", "Triumph 2", "10 Gbit/s"),
        ("S3", "Triumph 2", "10 senders"),
        ("Triumph 2", "R1", "1 receiver"),
        ("Triumph 2", "R2", "20 receivers"),
    )
    return Diagram(boxes=boxes, links=links)


@exhibit(
    "groups",
    "Throughput of a sender of each group.",
    "In Mbit/s on the link; means over senders and replications, with 95 % intervals.",
    is_printed=True,
)
def by_group(groups: Results) -> Table:
    point = groups.points[0]
    rows = [
        [
            NAMES[group],
            str(senders),
            f"{FAIR[group]:g}",
            f"{PRINTED[group]:g}",
            str(known(throughput(group), point)),
        ]
        for group, senders in GROUPS.items()
    ]
    return Table(["group", "senders", "fair share", "printed", "measured"], rows)


@exhibit(
    "thresholds",
    "Throughput of the senders to R1, by the threshold of the other bottleneck.",
    "The threshold of the link of 10 Gbit/s in packets. The paper has 65, where crosses are its"
    " printed values; all other thresholds are ours.",
)
def by_threshold(thresholds: Results) -> Chart:
    packets = {text: float(number) for number, text in THRESHOLDS.items()}
    points = {packets[value]: thresholds.point(above=value) for value in thresholds.values("above")}
    curves = [curve(NAMES[group], points, throughput(group)) for group in ("s1", "s3")]
    exact = tuple(estimate([PRINTED[group]]) for group in ("s1", "s3"))
    curves.append(Curve("printed", (65.0, 65.0), exact, is_reference=True, is_marked=True))
    return Chart(
        (Panel(tuple(curves)),),
        "threshold at 10 Gbit/s (packets)",
        "throughput of a sender (Mbit/s)",
        y_range=(0.0, None),
    )


@claim(
    "dctcp-1",
    "A sender of S1 gets 46 Mbit/s on average, one of S3 54, and one of S2 about 475.",
    rule="each group: the mean throughput of its senders is within 5 % of the printed value",
    where="section 4.1, Multi-hop networks, with Figure 17",
    of_paper='S1 "gets 46Mbps and S3 gets 54Mbps", and each of S2 "approximately 475Mbps"',
    ours="5 %: two digits are printed for S1 and S3; throughput is counted on the link",
    expect=Verdict.REPRODUCED,
)
def printed_values(groups: Results) -> Outcome:
    point = groups.points[0]
    return judge(stated(point), as_printed(point, PRINTED, 0.05))


@claim(
    "dctcp-2",
    "That is within a tenth of the fair shares, though S1 passes two bottlenecks.",
    rule="each group: the mean throughput of its senders is within 10 % of the fair share",
    where="section 4.1, Multi-hop networks",
    of_paper='"within 10% of their fair-share throughputs"',
    ours="the shares, which are not printed: a twentieth of the link to R1 for S1 and S3, and what"
    " ten of these leave of 10 Gbit/s for S2",
    expect=Verdict.REPRODUCED,
)
def fair_shares(groups: Results) -> Outcome:
    point = groups.points[0]
    checks = []
    for group, share in FAIR.items():
        samples = [rate - share for rate in throughput(group)(point)]
        checks.append(within(NAMES[group], estimate(samples), 0.1 * share))
    return judge(stated(point), checks)


@claim(
    "dctcp-3",
    "Two links are bottlenecks: the one of 10 Gbit/s from Triumph 1, and the one to R1.",
    rule="both send for at least 0.95 of the time",
    where="section 4.1, Multi-hop networks",
    of_paper='which links they are, and that both are "oversubscribed"',
    ours="0.95, as a link that is hardly ever idle",
    expect=Verdict.REPRODUCED,
)
def bottlenecks(groups: Results) -> Outcome:
    point = groups.points[0]
    busy = {port: known(of_port("utilization", port), point) for port in BOTTLENECKS}
    words = ", ".join(f"{port} {share}" for port, share in busy.items())
    return judge(words, [above(port, share, 0.95) for port, share in busy.items()])
