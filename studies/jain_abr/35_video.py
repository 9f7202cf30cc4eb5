"""VBR traffic of any period."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, curve, exhibit, judge

from .measures import RTT, WITH, in_round_trips
from .settings import RULES, chosen, once, points, vbr

HALF_PERIODS = (1, 3, 10, 30, 100)
"""Of VBR traffic, in ms."""
VIDEO = {f"{half} ms": vbr(half) for half in HALF_PERIODS}

video = once(
    "VBR traffic of any period",
    {"rule": points(RULES), "half": points(VIDEO)},
    quick_sweep={
        "rule": chosen(RULES, "ERICA", "averaged load", "ERICA+"),
        "half": chosen(VIDEO, "1 ms", "10 ms", "30 ms"),
    },
)


@exhibit(
    "video",
    "The longest queue under VBR traffic, by its period.",
    "15 sources, round trips of 30 ms. VBR traffic takes 80 % of the link for this time, and is"
    " off for the same time. If it changes faster than feedback arrives, ERICA with a target of"
    " 90 % reacts to a past load, and the queue grows to the sum of the TCP windows. At 10 ms,"
    " the feedback delay, only ERICA+ keeps the queue short.",
)
def over_periods(video: Results) -> Chart:
    curves = []
    for rule in video.values("rule"):
        found = {
            float(half.split()[0]): video.point(rule=rule, half=half)
            for half in video.values("half")
        }
        curves.append(curve(rule, found, in_round_trips(RTT)))
    return Chart(
        (Panel(tuple(curves)),),
        "on time and off time (ms)",
        "longest queue (round trips)",
        "rule",
        (0.0, None),
        {"4 RTT": WITH},
        is_logarithmic=True,
        x_ticks=tuple(map(float, HALF_PERIODS)),
    )


@claim(
    "any-period",
    "With a switch that controls its queue four round trips of buffer suffice for VBR traffic of"
    " any period.",
    rule="ERICA+: the longest queue is at most 4 RTT for each period of the figure",
    expect=Verdict.REPRODUCED,
)
def any_period(video: Results) -> Outcome:
    found = {
        half: average(in_round_trips(RTT), video.point(rule="ERICA+", half=half))
        for half in video.values("half")
    }
    return judge(
        "; ".join(f"{half} {queue:.1f} RTT" for half, queue in found.items()),
        [Check(half, queue <= WITH) for half, queue in found.items()],
        "at 10 ms, the feedback delay, this hinges on rates that are rounded down to 16 bits: with"
        " exact ones the queue grows until the windows of TCP are full",
    )
