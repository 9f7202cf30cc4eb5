"""XTP by the interval of its requests for acknowledgments."""

from __future__ import annotations

from cellrelay.plot import Panel
from cellrelay.results import Results
from cellrelay.studies import Check, Measure, Outcome, Verdict, average, claim, judge

from .charts import pair, panel
from .loads import BRIEF, COARSE_LOADS, XTP_FILES, bottleneck
from .measures import LOSSLESS, by_load, goodput, knee, said_knee
from .transports import RETRANSMISSIONS, SMALL, XTP, xtp

INTERVALS = (1, 4, 8, 16)
"""Intervals between requests for acknowledgments, in frames."""

intervals = bottleneck(
    f"XTP with frames of {SMALL}, by the interval of requests",
    {
        "resent": RETRANSMISSIONS,
        f"{XTP}.request_interval": INTERVALS,
    },
    {**BRIEF, **xtp(SMALL)},
    COARSE_LOADS,
    file=XTP_FILES[0],
)


@pair(
    "figure-5",
    "Figure 5. XTP by the interval of requests",
    f"Frames of {SMALL}, unshaped. With fewer requests the output buffer waits longer for"
    " acknowledgments, and the load on the network is lower.",
    "frames from a request to the next",
)
def figure_5(measure: Measure, intervals: Results) -> list[Panel]:
    return [
        panel(
            resent,
            {
                f"{interval}": by_load(intervals, resent=resent, request_interval=f"{interval}")
                for interval in INTERVALS
            },
            measure,
        )
        for resent in RETRANSMISSIONS
    ]


@claim(
    "003-9",
    "The fewer acknowledgments are requested, the wider is the range without loss and the lower is"
    " goodput at low loads.",
    rule=f"for frames of {SMALL} and both retransmission schemes: with each longer interval the"
    f" load at which efficiency first falls below {LOSSLESS} is not lower, with the longest it is"
    " higher than with the shortest, and goodput without background traffic is lower",
    where="section 4.2, Figure 5",
    of_paper='the range "over which XTP achieves efficiency 1 grows", and goodput at low loads'
    " decreases",
    ours="the intervals, which only the figure shows; the low load is no background traffic",
    expect=Verdict.REPRODUCED,
)
def fewer_requests(intervals: Results) -> Outcome:
    checks, words = [], []
    for resent in RETRANSMISSIONS:
        curves = [
            by_load(intervals, resent=resent, request_interval=f"{interval}")
            for interval in INTERVALS
        ]
        knees = [knee(points)[1] for points in curves]
        alone = [average(goodput, points["0 Mbit/s"]) for points in curves]
        for place, interval in enumerate(INTERVALS[1:], 1):
            what = f"{resent}, {interval}"
            checks.append(Check(f"{what}, range", knees[place] >= knees[place - 1]))
            checks.append(Check(f"{what}, goodput", alone[place] < alone[place - 1]))
        checks.append(Check(f"{resent}, range in all", knees[-1] > knees[0]))
        words += [
            f"{resent}, {interval}: {mbit:.1f} Mbit/s alone, loss {said_knee(points)} Mbit/s"
            for interval, mbit, points in zip(INTERVALS, alone, curves, strict=True)
        ]
    return judge("\n".join(words), checks)
