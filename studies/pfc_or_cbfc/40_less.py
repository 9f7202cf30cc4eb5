"""What if a virtual channel does not need the whole link?"""

from __future__ import annotations

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.statistics import Estimate
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    above,
    along,
    claim,
    exhibit,
    experiment,
    judge,
    known,
    not_testable,
    percent,
)

from .links import (
    EXIT,
    LINK,
    LOAD,
    PAUSES,
    carried,
    configured,
    credited,
    packets,
    rates,
    window,
)

SHARES = (10, 25, 50, 75, 100)
"""Rates that a virtual channel needs, in per cent of the link."""


def fewer(share: int) -> int:
    """Octets of the credits for this rate: the same share of those that fill the link."""
    return packets(window() * share / 100)


part = experiment(
    "link.toml",
    "A virtual channel with credits for a part of the link",
    {"share": {f"{share} %": credited(fewer(share)) for share in SHARES}},
    {EXIT: "400 Gbit/s", LOAD: "400 Gbit/s"},
    replications=Replications.exactly(30),
    quick_replications=Replications.exactly(10),
)
slow = experiment(
    "link.toml",
    "A congested link with pauses, by load",
    {"by": {name: configured()[name] for name in PAUSES}, "load": rates(SHARES)},
    {EXIT: "25 Gbit/s"},
    replications=Replications.exactly(60),
    quick_replications=Replications.exactly(20),
)


def used(point: PointResult) -> float:
    """The most headroom in octets that any run used."""
    return max(point.samples("max_headroom", LINK))


@exhibit(
    "less",
    "Memory for a virtual channel that needs a part of the link.",
    "In KiB, over the rate that it needs: headroom that a link with pauses used at most, in any"
    " run, and credits for the same rate.",
)
def by_share(slow: Results) -> Chart:
    curves = [
        Curve(
            name,
            tuple(map(float, SHARES)),
            tuple(
                Estimate(used(along(slow, "load", by=name)[f"{share} %"]) / 1024, 0.0, 1)
                for share in SHARES
            ),
        )
        for name in PAUSES
    ]
    credits = tuple(Estimate(fewer(share) / 1024, 0.0, 1) for share in SHARES)
    curves.append(Curve("CBFC", tuple(map(float, SHARES)), credits))
    return Chart((Panel(tuple(curves)),), "rate (% of the link)", "memory (KiB)", "flow control")


@claim(
    "scale-up-11",
    "A virtual channel that needs less than the link can have fewer credits.",
    rule="with the same share of the credits that fill the link, in whole packets, a virtual"
    " channel that always has packets gets at least this share of the link, less 2 % of it",
    where="table of section PFC/CBFC, row Buffer Usage",
    of_paper='"for VCs not requiring full throughput, CBFC can allocate fewer credits"',
    ours="credits in proportion to the rate; 2 %, since random gaps remain at a load of 100 %",
    expect=Verdict.REPRODUCED,
)
def fewer_suffice(part: Results) -> Outcome:
    checks, words = [], []
    for share, (name, point) in zip(SHARES, along(part, "share").items(), strict=True):
        found = known(carried, point)
        checks.append(above(name, found, 0.98 * share / 100))
        words.append(f"{percent(found)} with {fewer(share):,} octets for {name}")
    return judge("; ".join(words), checks)


@claim(
    "scale-up-12",
    "These take less buffer than PFC.",
    rule="at each rate the credits have fewer octets than the headroom that some run used, where"
    " the load has this rate; xoff comes on top of it",
    where="table of section PFC/CBFC, row Buffer Usage",
    of_paper='"requiring less buffer space than PFC"',
    expect=Verdict.IN_PART,
)
def take_less(slow: Results) -> Outcome:
    checks, words = [], []
    for name in PAUSES:
        points = along(slow, "load", by=name)
        for share in SHARES:
            most = used(points[f"{share} %"])
            checks.append(Check(f"{name} at {share} %", fewer(share) < most))
            words.append(f"{fewer(share):,} against {most:,.0f} octets ({name} at {share} %)")
    return judge("\n".join(words), checks)


@claim(
    "scale-up-13",
    "With CBFC a sender knows which virtual channels use how many credits, and can schedule and"
    " balance better; with PFC it knows only of congestion.",
    rule="none",
    where="table of section PFC/CBFC, row Sender Knowledge",
    of_paper='"enabling improved SCH/LB/AR"',
    expect=Verdict.NOT_TESTABLE,
)
def sender_knows(part: Results) -> Outcome:
    del part
    return not_testable("no scheduler and no choice of paths here reads the credits of a link")
