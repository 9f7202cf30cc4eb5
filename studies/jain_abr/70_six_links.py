"""Max-min fairness with several bottlenecks, one for each group of sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cellrelay.plot import Box, Diagram, DrawnSeries, Strip, Timeline
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Table, Verdict, claim, exhibit, judge

from .measures import MBIT_PER_CELL
from .settings import Settings, once

LAST = 0.5
"""Time in seconds at the end of a run over which rates are averaged."""
TOLERANCE = 0.005
"""Relative tolerance of a rate around its max-min fair share."""


@dataclass(frozen=True)
class Group:
    """Sources that have the same bottleneck."""

    name: str
    flows: tuple[str, ...]
    rate: float
    """Max-min fair share of each source of the group, in Mbit/s."""
    trunk: int
    """Number of the link between switches that is the bottleneck of the group."""


GROUPS = (
    Group("A", ("a1", "a2", "a3"), 10.0, 3),
    Group("B", ("b1", "b2", "b3"), 5.0, 6),
    Group("C", ("c[0]", "c[1]", "c[2]"), 35.0, 5),
    Group("D", ("d",), 35.0, 1),
    Group("E", ("e[0]", "e[1]"), 35.0, 2),
    Group("F", ("f",), 10.0, 3),
    Group("G", tuple(f"g[{member}]" for member in range(7)), 5.0, 6),
    Group("H", ("h[0]", "h[1]"), 52.5, 4),
)
RATES = {1: 50, 2: 100, 3: 50, 4: 150, 5: 150, 6: 50}
"""Rates of the links between switches, in Mbit/s."""

STEADY: Settings = {
    "interval": "5 ms",
    "fair_share_first": True,
    "one_feedback_per_interval": True,
}
MAX_ALLOC: Settings = {"max_alloc": {"delta": "0 %"}}


def _rule(kind: str, a: float, b: float, more: Settings) -> dict[str, Any]:
    """ERICA+ at all switches, with a queue control function that is one from Q0 to 4 Q0."""
    queue = {"curve": {kind: {"a": a, "b": b}}, "steady_until": 4.0, "drain_from": 26.0}
    erica = {"target": {"queue": queue}, **STEADY, **more}
    return {f"switch.s{trunk}.rate.erica": erica for trunk in RATES}


CONTINUOUS = ("linear", "hyperbolic", "inverse hyperbolic")
STEP, UNLIFTED = "step", "linear, without the largest allocation"
RULES: Mapping[str, dict[str, Any]] = {
    "linear": _rule("linear", 1 / 16, 1 / 16, MAX_ALLOC),
    "hyperbolic": _rule("hyperbolic", 1.15, 1.05, MAX_ALLOC),
    "inverse hyperbolic": _rule("inverse_hyperbolic", 16.5, 1.05, MAX_ALLOC),
    STEP: _rule("step", 0.90, 1.01, MAX_ALLOC),
    UNLIFTED: _rule("linear", 1 / 16, 1 / 16, {}),
}
"""Functions that control the queue, and one without `max_alloc`, to show its effect."""

six_links = once(
    "Six congested links in a row",
    {"rule": RULES},
    {"record.every": "1 ms"},
    file="six-links.toml",
)


def allowed(point: PointResult, group: Group) -> tuple[float, float]:
    """ACRs of the sources of a group at the end, in Mbit/s: their mean, and the one furthest from
    max-min fairness."""
    series = point.runs[0].series
    end = float(series["flow d", "acr"].times[-1])
    rates = [
        float(series[f"flow {flow}", "acr"].between(end - LAST, end).values.mean()) * MBIT_PER_CELL
        for flow in group.flows
    ]
    return sum(rates) / len(rates), max(rates, key=lambda rate: abs(rate - group.rate))


def deviation(point: PointResult) -> float:
    """Standard deviation of the ACR of the first source of H at the end of a run, in Mbit/s."""
    acr = point.runs[0].series["flow h[0]", "acr"]
    end = float(acr.times[-1])
    return float(acr.between(end - LAST, end).values.std()) * MBIT_PER_CELL


def of(six_links: Results, rule: str) -> PointResult:
    """The run with a rule."""
    return six_links.point(rule=rule)


@exhibit(
    "six-links",
    "Six congested links in a row.",
    "The second generic fairness configuration of the ATM Forum: 20 sources in eight groups, with"
    " the number of sources that enter or leave at each switch. Each group has its bottleneck at"
    " one of the six links.",
)
def network() -> Diagram:
    entering = ("A, B, D", "A, B, 2 E", "A, F", "B, 2 H", "3 C", "7 G", "")
    leaving = ("", "D", "2 E", "F", "2 H", "3 A, 3 C", "3 B, 7 G")
    boxes, links = [], []
    for place, (below, above) in enumerate(zip(entering, leaving, strict=True)):
        switch = f"s{place + 1}"
        boxes.append(Box(switch, 2.0 * place, 0.0))
        for height, name in ((-1.0, below), (1.0, above)):
            if name:
                boxes.append(Box(name, 2.0 * place, height))
                links.append((name, switch, ""))
        if place:
            links.append((f"s{place}", switch, f"{RATES[place]}"))
    return Diagram(tuple(boxes), tuple(links))


@exhibit(
    "six-links-time",
    "Allowed rates of the sources of eight groups.",
    "The first source of each group, with ERICA+ and a linear function of the queue. On the"
    " right, the switch allocates the larger of the fair share and the source's share of the"
    " load, without the largest rate of the last interval: the rates stay where they are, and are"
    " not fair.",
)
def over_time(six_links: Results) -> Timeline:
    columns = []
    for rule in ("linear", UNLIFTED):
        series = of(six_links, rule).runs[0].series
        traces = []
        for rank, group in enumerate(GROUPS):
            acr = series[f"flow {group.flows[0]}", "acr"]
            traces.append(
                DrawnSeries(group.name, acr.times, acr.values * MBIT_PER_CELL, "steps", rank)
            )
        queue = series["port s5->s6", "queue"]
        waiting = DrawnSeries("", queue.times, queue.values / 1e3)
        columns.append(
            (Strip(tuple(traces), "ACR (Mbit/s)"), Strip((waiting,), "queue at s5 (1000 cells)"))
        )
    titles = ("with the largest allocation", "without it")
    return Timeline(tuple(columns), "time (s)", titles=titles, legend="group")


@exhibit(
    "six-links-rates",
    "Rates of eight groups, and the exact max-min shares.",
    f"Mbit/s of cells over the last {LAST:g} s, of the source in each group with the largest"
    " deviation. Printed for H: 52.46 with the linear function, 52.77 with the hyperbolic and"
    " 52.38 with the inverse hyperbolic one; 72.81 with the step, whose levels are not known.",
)
def rates(six_links: Results) -> Table:
    header = ["group", "sources", "bottleneck", "max-min", *RULES]
    rows = []
    for group in GROUPS:
        found = [f"{allowed(of(six_links, rule), group)[1]:.2f}" for rule in RULES]
        rows.append(
            [
                group.name,
                str(len(group.flows)),
                f"s{group.trunk}, {RATES[group.trunk]} Mbit/s",
                f"{group.rate:g}",
                *found,
            ]
        )
    return Table(header, rows)


@claim(
    "six-links",
    "With six bottlenecks in a row, too, sources get what max-min fairness gives them.",
    rule=f"with each continuous function the mean ACR of the last {LAST:g} s of each of 20 sources"
    f" within {100 * TOLERANCE:g} % of the arithmetic; with the step it swings more than with any"
    " of them",
    where="IC3N'98, section on the GFC-2 configuration, table 2 and figures 6 and 7",
    of_paper="the expected rates with the continuous functions, more oscillation with the step",
    ours=f"{100 * TOLERANCE:g} %: the printed mean of H is 52.38 to 52.77 Mbit/s for 52.5",
    expect=Verdict.REPRODUCED,
)
def fair_everywhere(six_links: Results) -> Outcome:
    checks, furthest = [], {}
    for rule in RULES:
        point = of(six_links, rule)
        off = {one.name: abs(allowed(point, one)[1] / one.rate - 1) for one in GROUPS}
        furthest[rule] = max(off.values())
        if rule in CONTINUOUS:
            checks += [Check(f"{name}, {rule}", off[name] <= TOLERANCE) for name in off]
    swings = {rule: deviation(of(six_links, rule)) for rule in (*CONTINUOUS, STEP)}
    checks.append(Check("swings, step", swings[STEP] == max(swings.values())))
    words = "; ".join(f"{rule} {100 * off:.1f} %" for rule, off in furthest.items())
    return judge(f"furthest off: {words}", checks)
