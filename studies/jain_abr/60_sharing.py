"""How rates are shared: max-min fairness, and minimum rates."""

from __future__ import annotations

from cellrelay.plot import DrawnSeries, Strip, Timeline
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Verdict, claim, exhibit, judge

from .measures import MBIT_PER_CELL
from .settings import MEASURED_RATES, MINIMUM, Settings, once, points

FLOWS = ("first", "second", "third")
LAST = 0.1
"""Time in seconds at the end of a phase over which rates are averaged."""

THREE, EQUAL, LIMITED, TRUSTED = (
    "no minimum, the second for a while",
    "minimum rates, all greedy",
    "minimum rates, the first limited to 10",
    "the same, trusting its own word",
)
FAIR: Settings = {"switch.s1.rate.erica.fairness": "mcr_plus_equal_share", **MINIMUM}
RATE_OF_FIRST: Settings = {"flow.first.source.constant_rate.rate": "9.0487 Mbit/s"}
BURST = {"on": "0.4 s", "off": "10 s", "start": "0.4 s", "rate": "48 Mbit/s"}
CASES: dict[str, Settings] = {
    THREE: {**MEASURED_RATES, "flow.second.source": {"on_off": BURST}},
    EQUAL: {**MEASURED_RATES, **FAIR},
    LIMITED: {**MEASURED_RATES, **FAIR, **RATE_OF_FIRST},
    TRUSTED: {**FAIR, **RATE_OF_FIRST},
}
"""Three sources on one link of 149.76 Mbit/s; minimum rates are 10, 30 and 50 Mbit/s."""

SHARES: dict[str, dict[float, dict[str, float]]] = {
    THREE: {
        0.4: {"first": 74.88, "third": 74.88},
        0.8: {"first": 49.92, "second": 49.92, "third": 49.92},
        1.2: {"first": 74.88, "third": 74.88},
    },
    EQUAL: {1.2: {"first": 29.92, "second": 49.92, "third": 69.92}},
    LIMITED: {1.2: {"second": 59.88, "third": 79.88}},
}
"""Rates in Mbit/s at the end of each phase, by the arithmetic of max-min fairness."""

sharing = once(
    "Rates that three sources are allowed",
    {"case": points(CASES)},
    {"record.every": "1 ms"},
    file="three-sources.toml",
)


def allowed(point: PointResult, flow: str, end: float) -> float:
    """Mean ACR of a source at the end of a phase, in Mbit/s of cells."""
    acr = point.runs[0].series[f"flow {flow}", "acr"].between(end - LAST, end)
    return float(acr.values.mean()) * MBIT_PER_CELL


@exhibit(
    "max-min",
    "Allowed rates of three sources.",
    "A link of 149.76 Mbit/s. The minimum rates are 10, 30 and 50 Mbit/s; the rest is shared"
    " equally. One source sends at most 10 Mbit/s, but its RM cells report a larger rate. A"
    " switch that measures the rate of this source gives the rest to the others; a switch that"
    " relies on the report allocates too much, and its queue grows.",
)
def over_time(sharing: Results) -> Timeline:
    columns = []
    for case in CASES:
        series = sharing.point(case=case).runs[0].series
        rates = [series[f"flow {flow}", "acr"] for flow in FLOWS]
        queue = series["port s1->s2", "queue"]
        traces = [
            DrawnSeries(flow, rate.times, rate.values * MBIT_PER_CELL, "steps", rank)
            for rank, (flow, rate) in enumerate(zip(FLOWS, rates, strict=True))
        ]
        waiting = DrawnSeries("", queue.times, queue.values / 1e3)
        columns.append(
            (Strip(tuple(traces), "ACR (Mbit/s)"), Strip((waiting,), "queue (1000 cells)"))
        )
    return Timeline(tuple(columns), "time (s)", titles=tuple(CASES), legend="source")


@claim(
    "max-min",
    "Sources get what max-min fairness gives them, with minimum rates too.",
    rule="the mean ACR of the last 0.1 s of each phase within 0.5 % of the arithmetic: 74.88 each"
    " of two and 49.92 each of three; 29.92, 49.92 and 69.92 with minimum rates of 10, 30 and 50;"
    " 59.88 and 79.88 of the others if the first is limited to 10",
    where="ATM Forum 98-0408, three sources, with a transient source and with a source bottleneck",
    of_paper="the arithmetic of max-min fairness with minimum rates",
    ours="0.5 %, because ACRs still change a little at the end of a phase",
    expect=Verdict.REPRODUCED,
)
def fair_rates(sharing: Results) -> Outcome:
    checks, furthest = [], 0.0
    for case, phases in SHARES.items():
        point = sharing.point(case=case)
        for end, rates in phases.items():
            for flow, rate in rates.items():
                off = allowed(point, flow, end) / rate - 1
                checks.append(Check(f"{flow} at {end:g} s, {case}", abs(off) <= 0.005))
                furthest = max(furthest, abs(off))
    trusted = sharing.point(case=TRUSTED)
    word = ", ".join(f"{allowed(trusted, flow, 1.2):.1f}" for flow in FLOWS[1:])
    return judge(
        f"off by {100 * furthest:.2f} % at most; trusting the word of the limited source: {word}",
        checks,
    )
