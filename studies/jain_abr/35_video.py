"""VBR traffic of any period."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, claim, curve, exhibit, judge
from cellrelay.text.quantity import number

from .measures import RTT, WITH, in_round_trips
from .printed import CELLS_PER_MS
from .settings import RULES, chosen, lasting, once, points, queue_target, vbr
from .trend import is_growing, longest_of_all, said

HALF_PERIODS = (1, 3, 10, 30, 100)
"""On times of VBR traffic, equal to its off times, in ms."""
VIDEO = {f"{half} ms": vbr(half) for half in HALF_PERIODS}
CONTROLLED = {half: {**paths, **queue_target()} for half, paths in VIDEO.items()}

video = once(
    "VBR traffic of any period",
    {"rule": points(RULES), "half": points(VIDEO)},
    quick_sweep={
        "rule": chosen(RULES, "ERICA", "averaged load", "ERICA+"),
        "half": chosen(VIDEO, "1 ms", "10 ms", "30 ms"),
    },
)
long_video = lasting(
    "VBR traffic of any period under ERICA+, for 24 s",
    {"half": points(CONTROLLED)},
    {"half": chosen(CONTROLLED, "1 ms", "10 ms")},
)


@exhibit(
    "video",
    "The longest queue under VBR traffic, by its period.",
    "15 sources, round trips of 30 ms. VBR traffic takes 80 % of the link for this time, and is"
    " off for the same time; runs of 4 s. If it changes faster than feedback arrives, ERICA with"
    " a target of 90 % reacts to a past load, and the queue grows to the sum of the TCP windows,"
    " about 15 round trips here. At 10 ms, the feedback delay, only ERICA+ keeps the queue short.",
)
def over_periods(video: Results) -> Chart:
    curves = []
    for rule in video.values("rule"):
        found = {
            number(half, "ms"): video.point(rule=rule, half=half) for half in video.values("half")
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
    rule="ERICA+, each period of the figure, 24 s: the longest queue after the first 4 s is at most"
    " 4 RTT, and the queue does not grow, by the test for trend of the claim on stability",
    where="slides, conclusions; row f1",
    of_paper="four round trips, any period",
    ours="the periods, the duration of 24 s and the test for a trend",
    expect=Verdict.REPRODUCED,
)
def any_period(long_video: Results) -> Outcome:
    found = {half: long_video.point(half=half) for half in long_video.values("half")}
    queues = {half: longest_of_all(point) / (RTT * CELLS_PER_MS) for half, point in found.items()}
    checks = [Check(f"{half}, 4 RTT", queue <= WITH) for half, queue in queues.items()]
    checks += [Check(f"{half}, growth", not is_growing(point)) for half, point in found.items()]
    words = [f"{half} {queues[half]:.1f} RTT, growth {said(found[half])}" for half in found]
    return judge(
        "; ".join(words),
        checks,
        "at 10 ms, the feedback delay, this depends on the rounding of rates to 16 bits: with"
        " exact rates the queue grows until the windows of TCP are full",
    )
