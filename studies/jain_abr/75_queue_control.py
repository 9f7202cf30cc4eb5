"""Functions that control the queue of ERICA+: the step oscillates, the continuous ones settle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cellrelay.plot import DrawnSeries, Strip, Timeline
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Table, Verdict, average, claim, exhibit, judge

from .measures import longest, queue
from .settings import ERICA, Settings, once

TARGET = "switch.s1.rate.erica.target"


@dataclass(frozen=True)
class Function:
    """A queue control function with its parameters and its printed queue."""

    kind: str
    a: float
    b: float
    steady: int
    """Queue length up to which the function is one, as a multiple of Q0."""
    mean: float
    """Printed mean queue, in cells."""
    deviation: float
    """Printed standard deviation after the first second."""

    @property
    def name(self) -> str:
        """Name of the function in figures."""
        words = self.kind.replace("_", " ")
        return f"{words} {self.a:g}, {self.b:g}, {self.steady}"

    @property
    def settings(self) -> Settings:
        """Settings that choose the function."""
        curve = {self.kind: {"a": float(self.a), "b": float(self.b)}}
        queue = {
            "delay": "0.5 ms",
            "curve": curve,
            "steady_until": float(self.steady),
            "drain_from": 26.0,
        }
        return {TARGET: {"queue": queue}}


FUNCTIONS = [
    Function("step", 0.75, 1.01, 4, 252.93, 501.60),
    Function("step", 0.90, 1.01, 4, 98.04, 241.43),
    Function("step", 0.90, 1.05, 4, 663.63, 840.36),
    Function("step", 0.95, 1.01, 4, 251.51, 393.26),
    Function("step", 0.95, 1.05, 4, 124.11, 240.04),
    Function("step", 0.95, 1.01, 2, 896.90, 1036.66),
    Function("step", 0.95, 1.01, 8, 483.20, 644.73),
    Function("linear", 1 / 16, 1 / 16, 2, 311.85, 0.69),
    Function("linear", 1 / 16, 1 / 16, 4, 403.52, 0.69),
    Function("linear", 1 / 16, 1 / 16, 8, 402.85, 0.69),
    Function("hyperbolic", 1.15, 1.05, 2, 509.94, 205.65),
    Function("hyperbolic", 1.15, 1.05, 4, 214.19, 0.86),
    Function("hyperbolic", 1.15, 1.05, 8, 220.96, 0.63),
    Function("inverse_hyperbolic", 36, 1.05, 2, 313.17, 0.69),
    Function("inverse_hyperbolic", 16.5, 1.05, 4, 209.50, 0.50),
    Function("inverse_hyperbolic", 6.75, 1.05, 8, 202.27, 16.98),
]
SHOWN = [one for one in FUNCTIONS if (one.steady == 4 and one.b != 1.01) or one.a == 0.75]
PEAKED = [one for one in SHOWN if one.kind != "step" or (one.a, one.b) == (0.95, 1.05)]
"""One function of each kind."""
WITHOUT_EXCESS = ("2 Mbit/s", "10 Mbit/s", "20 Mbit/s", "40 Mbit/s")
WITH_EXCESS = ("60 Mbit/s", "80 Mbit/s", "100 Mbit/s", "140 Mbit/s")
"""Initial rates whose sum exceeds the link: the queue peaks before the first feedback arrives."""
INITIAL = (*WITHOUT_EXCESS, *WITH_EXCESS)
"""Initial rates of the three sources."""
SAME = 0.01
"""Largest relative difference between queues that count as equal."""
STEADY = 10.0
"""Largest standard deviation, in cells, of a queue that has settled."""


def initial(rate: str) -> Settings:
    """All sources begin with this rate."""
    return {f"flow.{flow}.over.abr.icr": rate for flow in ("first", "second", "third")}


queue_control = once(
    "Functions that control the queue",
    {"function": {one.name: dict(one.settings) for one in FUNCTIONS}},
    {"record.every": "1 ms", "duration": "2 s", f"{ERICA}.interval": "1 ms"},
    file="three-sources.toml",
)
queue_peak = once(
    "Functions that control the queue, and initial rates",
    {
        "function": {one.name: dict(one.settings) for one in PEAKED},
        "initial": {rate: dict(initial(rate)) for rate in INITIAL},
    },
    {"duration": "1 s", f"{ERICA}.interval": "1 ms"},
    file="three-sources.toml",
)


def late(point: PointResult) -> tuple[float, float]:
    """Mean and standard deviation of the queue after the first second, in cells."""
    values = queue(point).between(1.0, np.inf).values
    return float(values.mean()), float(values.std())


def early(point: PointResult) -> float:
    """Standard deviation within the first second, in cells."""
    return float(queue(point).between(0.0, 1.0).values.std())


def of(queue_control: Results, function: Function) -> PointResult:
    """The run with a function."""
    return queue_control.point(function=function.name)


@exhibit(
    "queue-control",
    "The queue under functions of ERICA+.",
    "Three sources, links of 1000 km; the parameters are a, b, and the multiple of Q0 up to which"
    " the factor is one. Q0 drains in 0.5 ms. The step oscillates without end; the other"
    " functions settle between Q0 and that multiple.",
)
def over_time(queue_control: Results) -> Timeline:
    traces = []
    for rank, function in enumerate(SHOWN):
        series = queue(of(queue_control, function))
        traces.append(DrawnSeries(function.name, series.times, series.values, "line", rank))
    return Timeline(((Strip(tuple(traces), "queue (cells)"),),), "time (s)", legend="function")


@exhibit(
    "queue-statistics",
    "The queue under functions of ERICA+, in numbers.",
    "Cells; the mean and the last deviation leave out the first second. The printed link lengths,"
    " Q0 and averaging interval are not known, so only the settled values can be compared.",
)
def statistics(queue_control: Results) -> Table:
    rows = []
    for function in FUNCTIONS:
        point = of(queue_control, function)
        mean, deviation = late(point)
        rows.append(
            [
                function.name,
                f"{mean:.1f}",
                f"{function.mean:.1f}",
                f"{early(point):.1f}",
                f"{deviation:.2f}",
                f"{function.deviation:.2f}",
            ]
        )
    header = ["function", "mean", "printed", "deviation, first second", "after", "printed"]
    return Table(header, rows)


@claim(
    "queue-control",
    "A step makes the queue oscillate; linear, hyperbolic and inverse hyperbolic functions settle.",
    rule=f"the standard deviation after the first second is above {STEADY:g} cells with each step,"
    f" and at most {STEADY:g} with each of the others; two of those are printed with more, 206 and"
    " 17 cells, and are left out",
    where="IC3N'98, section on the simple configuration, table 1 and figures 4 and 5",
    of_paper="which functions oscillate and which settle: printed deviations of 240 to 1037 cells"
    " with steps, and of 0.5 to 0.9 with the others",
    ours=f"{STEADY:g} cells, a bound between the printed deviations, as the averaging interval and"
    " Q0 are not known",
    expect=Verdict.REPRODUCED,
)
def settles(queue_control: Results) -> Outcome:
    compared = [one for one in FUNCTIONS if one.kind == "step" or one.deviation < STEADY]
    found = {one.name: late(of(queue_control, one))[1] for one in compared}
    steps = [found[one.name] for one in compared if one.kind == "step"]
    smooth = [found[one.name] for one in compared if one.kind != "step"]
    checks = [
        Check(one.name, (found[one.name] > STEADY) is (one.kind == "step")) for one in compared
    ]
    return judge(
        f"deviation: steps {min(steps):.0f} to {max(steps):.0f},"
        f" others {min(smooth):.1f} to {max(smooth):.1f} cells",
        checks,
    )


def peak(queue_peak: Results, function: Function, rate: str) -> float:
    """The longest queue with a function and an initial rate, in cells."""
    return average(longest, queue_peak.point(function=function.name, initial=rate))


@exhibit(
    "queue-peak",
    "The longest queue, by initial rate and function.",
    "Cells; three sources. Above 49.92 Mbit/s the peak is the excess before the first feedback, and"
    " the function has no part in it; below, it is that of the first rise of the rates.",
)
def peaks(queue_peak: Results) -> Table:
    rows = [
        [function.name, *(f"{peak(queue_peak, function, rate):.0f}" for rate in INITIAL)]
        for function in PEAKED
    ]
    return Table(["function", *INITIAL], rows)


@claim(
    "queue-peak",
    "How long the queue grows at first depends on the initial rate, and not on the function.",
    rule="with each of four initial rates above the fair share of 49.92 Mbit/s the longest queues"
    f" under the four functions are less than {100 * SAME:g} % apart, and under each function the"
    " longest queue rises with the initial rate",
    where="IC3N'98, section on graphs of the GFC-2 configuration: the maximum is that of the"
    " initial overload, before the first round trip is over",
    of_paper="the same queue for all functions, by the initial rate alone, given an overload",
    ours=f"{100 * SAME:g} % for the same; three sources, whose initial rates are told apart more"
    " easily than those of twenty",
    expect=Verdict.REPRODUCED,
)
def peaks_by_rate(queue_peak: Results) -> Outcome:
    checks, words = [], []
    for rate in WITH_EXCESS:
        found = [peak(queue_peak, function, rate) for function in PEAKED]
        checks.append(Check(rate, max(found) < (1 + SAME) * min(found)))
        words.append(f"{rate} {min(found):.0f} to {max(found):.0f}")
    for function in PEAKED:
        rising = [peak(queue_peak, function, rate) for rate in WITH_EXCESS]
        checks.append(Check(function.name, rising == sorted(set(rising))))
    return judge("; ".join(words), checks)
