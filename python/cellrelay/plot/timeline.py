"""From recorded series to strips over time: windows, timers, queues and drops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.plot.chart import DrawnSeries, Look, Strip, Timeline
from cellrelay.plot.recorded import DROPS, SelectedSeries
from cellrelay.plot.select import label, split
from cellrelay.plot.thin import Array, changes, envelope, instants
from cellrelay.results import NotMeasured, PointResult, Results, short_names
from cellrelay.results.over_time import EVENTS, missing
from cellrelay.results.select import resolve_axis
from cellrelay.simulation.series import Recording, Series
from cellrelay.text.quantity import scale

USUAL = (("cwnd", "ssthresh"), ("srtt", "rto"), ("queue", DROPS))
"""The strips of a figure if none are named."""
STEPS = ("cwnd", "ssthresh", "srtt", "rto", "delivered")
"""Quantities that are constant between events."""
MOST = 8
"""Largest number of curves in a strip."""


@dataclass(frozen=True)
class Selection:
    """A choice of recorded series for a figure."""

    strips: Sequence[Sequence[str]] = USUAL
    """Quantities, strip by strip; those of a strip have one unit, `drops` apart."""
    flows: Sequence[str] = ()
    """Names of flows or of groups of flows; empty for all flows."""
    ports: Sequence[str] = ()
    """Names of ports, shown with their classes; empty for the port with the longest queue."""
    replication: int = 0
    by: str | None = None
    """Axis with a curve for each value."""
    facet: str | None = None
    """Axis with a column for each value."""
    start: float | None = None
    """Start of the shown time, in seconds."""
    end: float | None = None


@dataclass(frozen=True, eq=False)
class _Curve:
    """A series with its labels."""

    value: str
    """Value of the axis that has a curve for each value."""
    series: Series
    look: Look

    @property
    def owner(self) -> tuple[str, Scope]:
        return self.value, self.series.scope


def timeline(results: Results, shown: Selection | None = None) -> Timeline:
    """The strips of a selection; raises `LookupError` for what was not recorded."""
    shown = shown or Selection()
    by, facet = (
        resolve_axis(results.axes, axis) if axis else None for axis in (shown.by, shown.facet)
    )
    _require_one_run(results, by, facet)
    columns = [(value, _recorded(part, by, shown)) for value, part in split(results, facet)]
    rows = [
        [_strip(recorded, quantities, shown.flows) for _, recorded in columns]
        for quantities in shown.strips
    ]
    last = _last_instant(rows)
    if shown.start is not None and shown.start >= last > 0:
        raise NotMeasured(f"nothing is recorded after {last:g} s\n  hint: begin before")
    factor, unit = scale(shown.end or last, "s")
    scaled = [_scaled(row, factor) for row in rows]
    start = (shown.start or 0.0) / factor
    end = None if shown.end is None else shown.end / factor
    return Timeline(
        columns=tuple(zip(*scaled, strict=True)),
        titles=tuple(value for value, _ in columns) if facet else (),
        x_label=f"time ({unit})",
        x_range=(start, end),
        legend=label(short_names(results.axes)[by]) if by else "",
    )


def _require_one_run(results: Results, by: str | None, facet: str | None) -> None:
    if not any(run.series for point in results.points for run in point.runs):
        raise NotMeasured(missing([], ""))
    names = short_names(results.axes)
    left = [
        names[axis]
        for axis in results.axes
        if axis not in (by, facet) and len(results.values(axis)) > 1
    ]
    if left:
        several = ", ".join(f"`{name}`" for name in left)
        raise LookupError(
            f"series are of one run, and there are several values of {several}"
            "\n  hint: narrow to one with `--where`, or spread one with `--by` or `--facet`"
        )


def _recorded(
    results: Results, by: str | None, shown: Selection
) -> list[tuple[str, SelectedSeries]]:
    """The runs of a column, by the value in which they differ."""
    return [
        (
            value,
            SelectedSeries(
                _run(part.point(), shown.replication),
                shown.flows,
                shown.ports,
                0.0 if shown.start is None else shown.start,
                np.inf if shown.end is None else shown.end,
            ),
        )
        for value, part in split(results, by)
    ]


def _strip(
    recorded: list[tuple[str, SelectedSeries]], quantities: Sequence[str], flows: Sequence[str]
) -> Strip:
    sampled = [quantity for quantity in quantities if quantity != DROPS]
    curves = [
        _Curve(value, one.series(scope, quantity), _look(quantity))
        for quantity in sampled
        for value, one in recorded
        for scope in one.scopes(quantity)
    ]
    units = {curve.series.quantity: curve.series.unit for curve in curves}
    if len(set(units.values())) > 1:
        listed = ", ".join(f"`{quantity}` in {unit}" for quantity, unit in units.items())
        raise LookupError(f"{listed}: a strip has one unit\n  hint: give each a strip of its own")
    marks = list(_marks(recorded, curves)) if DROPS in quantities else []
    owners = list(dict.fromkeys(curve.owner for curve in curves or marks))
    if len(owners) > MOST:
        raise LookupError(
            f"{len(owners)} curves in one strip: more than {MOST} cannot be told apart"
            "\n  hint: name some of the flows, for example `bulk[0]`, or of the ports"
        )
    scopes = {scope for _, scope in owners}
    return Strip(
        traces=tuple(
            _trace(curve, owners, sampled, _dropped(curve, flows)) for curve in [*curves, *marks]
        ),
        y_label=", ".join(sampled) or DROPS,
        unit=next(iter(units.values()), ""),
        title=_titled(scopes.pop()) if len(scopes) == 1 else "",
        y_words=() if curves else tuple(recorded[0][1].flows),
    )


def _look(quantity: str) -> Look:
    if quantity in EVENTS:
        return "marks"
    return "steps" if quantity in STEPS else "line"


def _dropped(curve: _Curve, flows: Sequence[str]) -> str:
    """The label of drops at a port, which names the flows unless all flows are shown."""
    if curve.look != "rug" or not flows or curve.series.scope.kind not in ("port", "vc"):
        return curve.series.quantity
    return f"{DROPS} of {', '.join(flows) if len(flows) < 3 else f'{len(flows)} flows'}"


def _marks(recorded: list[tuple[str, SelectedSeries]], curves: list[_Curve]) -> Iterator[_Curve]:
    """The drops of the flows or ports of a strip, drawn above the strip; without such a strip, the
    drops flow by flow."""
    if not curves:
        yield from (_Curve(value, one.drops(), "marks") for value, one in recorded)
        return
    of = dict(recorded)
    for value, scope in dict.fromkeys(curve.owner for curve in curves):
        one = of[value]
        place = Scope("port", None, scope.place) if scope.kind == "vc" else scope
        if scope.kind == "flow":
            yield _Curve(value, replace(one.drops(flow=scope.name), scope=scope), "rug")
        elif one.has_drops(place):
            # Classes have no drops of their own: the drops of a port are drawn above its queue.
            flow = scope.name if scope.kind == "vc" else None
            yield _Curve(value, replace(one.drops([place], flow), scope=scope), "rug")


def _titled(scope: Scope) -> str:
    """The title of a strip of one scope; a strip with the drops of all places has no title."""
    return "" if scope == NETWORK else str(scope)


def _trace(
    curve: _Curve, owners: list[tuple[str, Scope]], sampled: list[str], quantity: str
) -> DrawnSeries:
    series = curve.series
    is_alone = len(owners) == 1
    is_sampled = series.quantity in sampled
    place = sampled.index(series.quantity) if is_sampled else len(sampled)
    name = series.scope.member
    words = [
        curve.value,
        name if len({scope for _, scope in owners}) > 1 else "",
        quantity if len(sampled) > 1 or curve.look == "rug" else "",
    ]
    thin = {"steps": _stepped, "line": envelope, "rug": instants, "marks": instants}[curve.look]
    times, values = thin(series.times, series.values)
    return DrawnSeries(
        label=" ".join(filter(None, words)),
        times=times,
        values=values,
        look=curve.look,
        rank=place if is_alone else owners.index(curve.owner),
        dash=place if is_sampled else 0,
    )


def _stepped(times: Array, values: Array) -> tuple[Array, Array]:
    return envelope(*changes(times, values))


def _run(point: PointResult, replication: int) -> Recording:
    if not 0 <= replication < len(point.runs):
        raise NotMeasured(
            f"there is no replication {replication}\n  hint: there are 0 to {len(point.runs) - 1}"
        )
    return point.runs[replication].series


def _last_instant(rows: list[list[Strip]]) -> float:
    traces = (trace for row in rows for strip in row for trace in strip.traces)
    return max((float(trace.times[-1]) for trace in traces if len(trace.times)), default=0.0)


def _scaled(row: list[Strip], time: float) -> list[Strip]:
    """The strips of a row in one unit, with a prefix that keeps numbers short."""
    traces = [trace for strip in row for trace in strip.traces if trace.look in ("line", "steps")]
    sizes = [float(np.nanmax(trace.values)) for trace in traces if not np.isnan(trace.values).all()]
    factor, unit = scale(max(sizes, default=0.0), row[0].unit, binary=True)
    return [
        replace(
            strip,
            y_label=f"{strip.y_label} ({unit})" if unit else strip.y_label,
            traces=tuple(
                replace(
                    trace,
                    times=trace.times / time,
                    values=trace.values / factor if trace in traces else trace.values,
                )
                for trace in strip.traces
            ),
        )
        for strip in row
    ]
