"""What if the cable or the frames are others than those the link is configured for?"""

from __future__ import annotations

from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.statistics import most_failures
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
    gain,
    judge,
    known,
    percent,
    scaled,
)

from .links import CREDITS, EVERY, EXIT, FASTER, PAUSES, cable, carried, configured, lost, sent

ASSUMED = "as configured"
CABLES = {f"a cable of {metres} m": cable(metres) for metres in (40, 100, 300)}
FRAMES = {f"frames of {octets} octets": sent(octets) for octets in (64, 257, 1500, 9000)}
CASES = {ASSUMED: {}, **CABLES, **FRAMES}
offered = 0.9
"""Load as a share of the link."""

congested = experiment(
    "link.toml",
    "A congested link, by what differs from its configuration",
    {"by": configured(), "case": CASES},
    {EXIT: "25 Gbit/s"},
    replications=Replications.exactly(60),
    quick_replications=Replications.exactly(20),
)
free = experiment(
    "link.toml",
    "A link that is never congested, by what differs from its configuration",
    {"by": configured(), "case": CASES},
    {EXIT: FASTER},
    replications=Replications.exactly(30),
    quick_replications=Replications.exactly(10),
)

through: Ranged = scaled(carried, 1 / offered)
"""Share of the load that is carried, about one if nothing holds it back."""


def losing(point: PointResult) -> str:
    """Runs that lose packets, in words, with an upper bound on their share."""
    samples = lost(point)
    failed, bound = failures(samples)
    told = f"{failed} of {len(samples)}"
    return told if failed == len(samples) else f"{told}, < {100 * bound:.2g} %"


def failures(samples: list[float]) -> tuple[int, float]:
    """Runs that lose packets, and at most which share of all runs, at 95 % confidence."""
    failed = sum(share > 0 for share in samples)
    return failed, most_failures(failed, len(samples))


@exhibit(
    "cases",
    "A link that is configured for 5 m of cable and frames of 4096 octets.",
    "Runs on a congested link that lose packets, with an upper bound on their share at 95 %"
    " confidence, and the share of a load of 90 % that a link without congestion carries.",
    is_printed=True,
)
def table(congested: Results, free: Results) -> Table:
    rows = []
    for case in CASES:
        for name in EVERY:
            loses = losing(along(congested, "case", by=name)[case])
            carries = percent(known(through, along(free, "case", by=name)[case]))
            rows.append([case, name, loses, carries])
    return Table(["case", "flow control", "runs that lose", "carried"], rows)


@claim(
    "scale-up-5",
    "PFC may lose packets if the cable is longer than its headroom assumes.",
    rule="on a congested link with headroom for 5 m, some run loses packets with each longer cable,"
    " and none with 5 m, with both responses to a pause frame",
    where="table of section PFC/CBFC, row Delay Sensitivity",
    of_paper='"packet drops possible if cable delay is underestimated"',
    ours="cables of 40, 100 and 300 m, the lengths of headroom in SONiC and one between them",
    expect=Verdict.REPRODUCED,
)
def long_cables_lose(congested: Results) -> Outcome:
    checks, words = [], []
    for name in PAUSES:
        points = along(congested, "case", by=name)
        for case in (ASSUMED, *CABLES):
            failed, _ = failures(lost(points[case]))
            checks.append(Check(f"{name}, {case}", (failed > 0) == (case in CABLES)))
            words.append(f"{losing(points[case])} of runs ({name}, {case})")
    return judge("\n".join(words), checks)


@claim(
    "scale-up-6",
    "CBFC loses nothing, whatever the cable and the frames.",
    rule="on a congested link no run loses a packet with any cable or frames",
    where="table of section PFC/CBFC, row Delay Sensitivity, and the text below it",
    of_paper='"less sensitive to cable length, frame size"',
    ours="none, the strictest reading of less sensitive",
    expect=Verdict.REPRODUCED,
)
def credits_lose_nothing(congested: Results) -> Outcome:
    points = along(congested, "case", by=CREDITS)
    checks = [Check(case, not any(lost(point))) for case, point in points.items()]
    failed, bound = failures([share for point in points.values() for share in lost(point)])
    runs = sum(len(lost(point)) for point in points.values())
    return judge(f"{failed} of {runs} runs, at most {100 * bound:.2g} % of all", checks)


@claim(
    "scale-up-7",
    "CBFC is less sensitive than PFC in what the link carries too.",
    rule="on a link that is not congested, each longer cable and each other length of frames takes"
    " less of what is carried from CBFC than from PFC, or no more than 1 % of the load",
    where="table of section PFC/CBFC, row Delay Sensitivity",
    of_paper='"less sensitive to cable length, frame size", without a condition',
    ours="1 %, which is no difference for whoever sizes a link",
    expect=Verdict.NOT_REPRODUCED,
)
def carries_as_much(free: Results) -> Outcome:
    credits, pauses = (along(free, "case", by=name) for name in (CREDITS, "PFC"))
    checks, words = [], []
    for case in (*CABLES, *FRAMES):
        difference = gain(through, credits[case], pauses[case])
        checks.append(above(case, difference, -0.01))
        both = (percent(known(through, points[case])) for points in (credits, pauses))
        words.append(" against ".join(both) + f" with {case}")
    return judge("\n".join(words), checks)
