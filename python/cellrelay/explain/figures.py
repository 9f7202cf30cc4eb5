"""The figures that show findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from cellrelay.explain.explanation import Explanation
from cellrelay.explain.flows import CAUSES, LIMITS, MeasuredFlow
from cellrelay.explain.longest_silence import longest_silence
from cellrelay.plot import Bar, Bars, Selection, Timeline, timeline
from cellrelay.results import NotMeasured, Results
from cellrelay.text.quantity import scale

MOST = 16
"""Most flows with a bar each; of more flows, each group shows the slowest, the median and the
fastest."""
PORTS = 8
"""Number of ports that are drawn, the busiest first."""


def figure(name: str, results: Results, known: Explanation, about: str = "") -> Bars | Timeline:
    """The figure with this name; `about` is the flow that a figure of one flow shows."""
    return _moment(results, known, about) if name == "moment" else FIGURES[name](known)


def shown(flows: Sequence[MeasuredFlow]) -> list[MeasuredFlow]:
    """The flows that have a bar."""
    if len(flows) <= MOST:
        return list(flows)
    by_group: dict[str, list[MeasuredFlow]] = {}
    for flow in flows:
        by_group.setdefault(flow.group, []).append(flow)
    ends: list[str] = []
    for group in by_group.values():
        ranked = sorted(group, key=lambda flow: flow.get("goodput"))
        ends += dict.fromkeys([ranked[0].name, ranked[len(ranked) // 2].name, ranked[-1].name])
    return [flow for flow in flows if flow.name in ends]


def limit_parts(limited_by: Callable[[str], float]) -> dict[str, float]:
    """Shares of the limits in per cent, by their names in words; the application comes last."""
    return {word: 100.0 * limited_by(reason) for reason, word in LIMITS.items()}


def without_nothing(bars: list[Bar]) -> tuple[Bar, ...]:
    """The bars without the parts that are zero in every bar."""
    words = dict.fromkeys(word for bar in bars for word, part in bar.parts.items() if part >= 0.05)
    kept = [word for bar in bars for word in bar.parts if word in words]
    order = dict.fromkeys(kept)
    return tuple(
        Bar(bar.label, {word: bar.parts.get(word, 0.0) for word in order}, bar.group)
        for bar in bars
    )


def _limits(known: Explanation) -> Bars:
    bars = [
        Bar(_number(flow), limit_parts(partial(_share, flow)), flow.group)
        for flow in shown(known.flows)
    ]
    return Bars(without_nothing(bars), "limited (% of time)", (0.0, 100.0), LIMITS["application"])


def _share(flow: MeasuredFlow, reason: str) -> float:
    return flow.limits.get(reason, 0.0)


def _number(flow: MeasuredFlow) -> str:
    """The label of a flow among others of its group: its number."""
    return " " if flow.of.number is None else f"[{flow.of.number}]"


def _drops(known: Explanation) -> Bars:
    ports = dict.fromkeys(drop.port for drop in known.drops)
    if not ports:
        raise NotMeasured("nothing was dropped\n  hint: draw `limits`")
    bars = []
    for port in list(ports)[:PORTS]:
        parts = {cause.short: 0.0 for cause in CAUSES.values()}
        for drop in known.drops:
            if drop.port == port:
                parts[CAUSES[drop.cause].short] += drop.cells
        bars.append(Bar(port, parts))
    return Bars(without_nothing(bars), "dropped (cells)")


def _capacity(known: Explanation) -> Bars:
    ports = sorted(known.ports, key=lambda port: -port.get("utilization"))[:PORTS]
    used = [port for port in ports if port.get("utilization") >= 0.01] or ports
    bars = [
        Bar(port.name, {word: 100.0 * part for word, part in port.parts.items()}) for port in used
    ]
    return Bars(without_nothing(bars), "capacity (%)", (0.0, 100.0), "idle")


def _goodput(known: Explanation) -> Bars:
    flows = shown(known.flows)
    factor, unit = scale(max(flow.get("goodput") for flow in flows), "bit/s")
    bars = [
        Bar(_number(flow), {"goodput": flow.get("goodput") / factor}, flow.group) for flow in flows
    ]
    return Bars(tuple(bars), f"goodput ({unit})")


def _moment(results: Results, known: Explanation, flow: str) -> Timeline:
    flow = flow or min(known.flows, key=lambda flow: flow.get("goodput")).name
    moment = longest_silence(known.point, flow)
    if moment is None:
        raise NotMeasured(
            "no series were recorded"
            "\n  hint: repeat the run with `--trace series`, or draw `limits`"
        )
    strips = [["cwnd", "ssthresh"], ["delivered"], ["queue", "drops"]]
    return timeline(results, Selection(strips, flows=[flow], start=moment.start, end=moment.end))


FIGURES: dict[str, Callable[[Explanation], Bars]] = {
    "limits": _limits,
    "drops": _drops,
    "capacity": _capacity,
    "goodput": _goodput,
}
"""Figures by name; the figure `moment` needs a recorded flow."""
