"""Whatever a scenario records is in the arrays and in the figures, as it was recorded."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import cellrelay
from cellrelay.plot.timeline import Selection, timeline
from cellrelay.results import NotMeasured, Results
from cellrelay.results.over_time import EVENTS, dimension, every
from cellrelay.scenario import load, parse
from cellrelay.scenario.examples import available
from cellrelay.simulation.series import Series

from .scenarios import PORT

ROOT = Path(__file__).parent.parent
SCENARIOS = {
    **{name: path for name, path in available().items()},
    **{
        f"{path.parent.name}/{path.stem}": path
        for path in (ROOT / "studies").glob("*/*.toml")
        if path.name not in ("study.toml", "calibration.toml")
    },
}
SHORT = {"duration": "20 ms", "warm_up": "0 s", "record.every": "0.5 ms"}
"""Long enough for queues and windows to change; few enough samples to be drawn one by one."""
FEWER = {"credit-chain": {"host.sender.count": "3", "host.receiver.count": "3"}}
"""What would have tens of thousands of series."""


@cache
def recorded(name: str) -> tuple[Results, ...]:
    """The first and the last point of a scenario, each by itself."""
    settings = SHORT | FEWER.get(name, {})
    scenario = load(SCENARIOS[name], settings)
    points = dict.fromkeys((0, len(scenario.points) - 1))
    return tuple(cellrelay.run(scenario.point(point), replications=1) for point in points)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_sampled_series_is_in_the_arrays(name: str) -> None:
    for results in recorded(name):
        data = results.series_to_xarray()
        found = 0
        for _, _, series in every(results, None, None):
            if series.quantity in EVENTS:
                continue
            kind, member = dimension(series.scope), series.scope.member
            name = series.quantity
            if name == "queue" and series.unit == "B":
                name = "queue_octets"
            if kind == "class" and name in ("queue", "queue_octets") and f"class_{name}" in data:
                name = f"class_{name}"
            variable = data[name]
            assert kind in variable.dims
            assert variable.attrs["units"] == series.unit
            values = variable.sel({kind: member, "replication": 0})
            np.testing.assert_array_equal(values.values, series.values)
            np.testing.assert_array_equal(values.time.values, series.times)
            found += 1
        assert sum(int(data[name].notnull().any("time").sum()) for name in data) <= found


def drawn(results: Results, series: Series) -> np.ndarray:
    """What a figure shows of one series, in the unit in which it was recorded."""
    kind, member = dimension(series.scope), series.scope.member
    chosen = Selection(
        strips=[[series.quantity]],
        flows=[member] if kind == "flow" else (),
        ports=[str(series.scope.place) if kind == "class" else member]
        if kind in ("port", "class")
        else (),
    )
    ((strip,),) = timeline(results, chosen).columns
    if len(strip.traces) == 1:
        (trace,) = strip.traces
    else:
        (trace,) = [trace for trace in strip.traces if trace.label.startswith(member)]
    times, values = trace.times, trace.values
    if trace.look == "steps":
        # Where a step is drawn, it stays until the next.
        at = np.linspace(0.0, 1.0, len(series.times)) * times[-1]
        values = values[np.searchsorted(times, at + times[-1] / 1e6, "right") - 1]
    return values


def in_proportion(values: np.ndarray, recorded: np.ndarray) -> bool:
    """Whether values are the same but for the unit, which is chosen to read well."""
    largest = np.nanmax(np.abs(recorded), initial=0.0)
    if not largest:
        return bool(np.allclose(np.nan_to_num(values), 0.0))
    factor = np.nanmax(np.abs(values)) / largest
    return np.allclose(values, recorded * factor, equal_nan=True)


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_series_is_drawn(name: str) -> None:
    for results in recorded(name):
        seen = set()
        for _, _, series in every(results, None, None):
            # One of each kind of scope, and of VCs at a port beside the port itself.
            like = (series.scope.kind, series.quantity)
            if like in seen and len(results.recorded) > 30:
                continue
            seen.add(like)
            if series.quantity not in EVENTS:
                values = drawn(results, series)
                assert in_proportion(values, series.values), f"{series.scope} {series.quantity}"


def test_all_kinds_of_series_are_met() -> None:
    """ABR, service classes, links that lose, credits of links and of XTP."""
    met = {
        (dimension(series.scope), series.quantity)
        for name in SCENARIOS
        for results in recorded(name)
        for _, _, series in every(results, None, None)
    }
    assert {
        ("flow", "acr"),
        ("flow", "source_queue"),
        ("flow", "credit"),
        ("port", "fair_share"),
        ("port", "vc_credit"),
        ("class", "queue"),
        ("link", "drops"),
    } <= met


def test_what_pages_call_a_series_is_one() -> None:
    met: dict[str, set[str]] = {}
    for name in SCENARIOS:
        for results in recorded(name):
            for scope, quantities in results.recorded.items():
                met.setdefault(scope.partition(" ")[0], set()).update(quantities)
    told = 0
    for page in (ROOT / "docs").rglob("*.md"):
        for line in page.read_text().splitlines():
            if "series" not in line:
                continue
            for kind, quantity in re.findall(r"`(flow|port|class|link) [^`]* (\w+)`", line):
                assert quantity in met[kind], f"{page.name}: {line}"
                told += 1
    assert told >= 5


CREDITS = {
    "switch.s1.scheduler.round_robin": "{}",
    "link.access.credit.n23": "{ n2 = 2, n3 = 20 }",
    "record.every": "0.5 ms",
}


def test_the_credit_of_a_port_is_shown_vc_by_vc() -> None:
    results = cellrelay.run(parse(PORT, settings=CREDITS), replications=1)
    credit = results.series("vc_credit", "port sender[1]->s1 of bulk[1]")
    assert credit.unit == "cells"
    # So much may be sent before the first answer: N2 + N3.
    assert credit.values[0] == 22
    assert credit.values.min() < 5

    def shown(ports: list[str], flows: list[str]) -> str:
        chosen = Selection(strips=[["vc_credit"]], ports=ports, flows=flows)
        ((strip,),) = timeline(results, chosen).columns
        return strip.title

    alone = "port sender[1]->s1 of bulk[1]"
    assert shown(["sender[1]->s1"], []) == alone
    assert shown([], ["bulk[1]"]) == alone
    assert shown([], []).startswith("port sender[")
    with pytest.raises(NotMeasured, match="`vc_credit` was not recorded for this choice\n  hint"):
        shown(["s1->receiver"], [])


def test_drops_are_drawn_beside_the_queues_of_classes_and_a_name_of_an_axis_is_kept() -> None:
    settings = {"switch.s1.scheduler.strict_priority": "{}", "record.every": "1 ms"}
    text = PORT + "[sweep.queue.one]\nseed = 1\n"
    results = cellrelay.run(parse(text, settings=settings), replications=1)
    chosen = Selection(strips=[["queue", "drops"]], ports=["s1->receiver"])
    ((strip,),) = timeline(results, chosen).columns
    assert [trace.label for trace in strip.traces] == [
        *("s1->receiver", "ubr at s1->receiver", "s1->receiver drops")
    ]
    data = results.series_to_xarray()
    assert data.port_queue.dims == ("queue", "replication", "port", "time")
    assert data.class_queue.sel({"class": "ubr at s1->receiver"}).max() > 0
