"""From results to charts: a metric against an axis of the sweep."""

from __future__ import annotations

import math
from dataclasses import replace

from cellrelay.metrics.metric import metric_of
from cellrelay.metrics.scope import NETWORK, Scope, ScopeLike
from cellrelay.plot.chart import AxisRange, Chart, Curve, Panel
from cellrelay.results import NotMeasured, Results, short_names
from cellrelay.results.select import one_of, resolve_axis
from cellrelay.text.quantity import parse_all, scale


def chart(
    results: Results,
    metric: str,
    x: str | None = None,
    by: str | None = None,
    facet: str | None = None,
    scope: ScopeLike = NETWORK,
) -> Chart:
    """A metric against axis `x`, with a curve for each value of `by` and a panel for each value of
    `facet`.

    Without names the axes of the sweep are taken in order. Axes that are not shown must be
    narrowed to one value first, with `Results.select`.
    """
    _require(results, metric, scope)
    x, by, facet = _axes(results, x, by, facet)
    words = results.values(x) if parse_all(results.values(x)) is None else []
    panels = [
        Panel(_curves(part, metric, x, by, scope), title) for title, part in split(results, facet)
    ]
    factor, unit = scale(_largest(panels), results.unit(metric))
    numbers = parse_all(results.values(x))
    x_factor, x_unit = scale(max(map(abs, numbers[0])), numbers[1]) if numbers else (1.0, "")
    return Chart(
        panels=tuple(_scaled(panel, x_factor, factor) for panel in panels),
        x_label=label(short_names(results.axes)[x], x_unit),
        y_label=label(metric, unit),
        legend=label(short_names(results.axes)[by], "") if by else "",
        x_words=tuple(words),
        possible=possible_range(results.scope(scope), metric, factor),
    )


def curve(
    results: Results, metric: str, x: str, label: str = "", scope: ScopeLike = NETWORK
) -> Curve:
    """A metric along axis `x`, in SI units; points at which it is not measured are left out."""
    results.require(metric, scope)
    texts = results.values(x)
    numbers = parse_all(texts)
    places = numbers[0] if numbers else [float(place) for place in range(len(texts))]
    known = [
        (place, results.estimate(metric, scope, **{x: text}))
        for place, text in zip(places, texts, strict=True)
    ]
    known = [(place, estimate) for place, estimate in known if estimate.n]
    return Curve(label, tuple(place for place, _ in known), tuple(value for _, value in known))


def possible_range(scope: Scope, metric: str, factor: float) -> AxisRange:
    """The range of a metric, in the unit of the figure."""
    known = metric_of(scope, metric)
    least, most = known.possible if known else (0.0, math.inf)
    return _finite(least / factor), _finite(most / factor)


def _finite(end: float) -> float | None:
    return end if math.isfinite(end) else None


def _require(results: Results, metric: str, scope: ScopeLike) -> None:
    results.require(metric, scope)
    known = results.metrics(scope)
    if not known:
        failed = next((point.failure for point in results.points if point.failure), None)
        why = f"; the first failure: {failed}" if failed else ""
        hint = "repeat `cellrelay run`, which continues with the runs that are missing"
        raise NotMeasured(f"nothing can be drawn, since no run has finished{why}\n  hint: {hint}")
    if metric not in known:
        raise NotMeasured(f"`{metric}` of `{scope}` was not measured\n  hint: {one_of(known)}")


def narrowed(results: Results, by: str | None, facet: str | None) -> tuple[str | None, str | None]:
    """The axes of curves and of panels, where a curve is drawn of each point; raises `LookupError`
    if more axes vary."""
    varied = [axis for axis in results.axes if len(results.values(axis)) > 1]
    named = [resolve_axis(results.axes, name) if name else None for name in (by, facet)]
    spare = iter([axis for axis in varied if axis not in named])
    chosen = [axis or next(spare, None) for axis in named]
    if left := list(spare):
        raise LookupError(f"{', '.join(left)}: not shown\n  hint: narrow it to one of its values")
    return chosen[0], chosen[1]


def _axes(
    results: Results, x: str | None, by: str | None, facet: str | None
) -> tuple[str, str | None, str | None]:
    varied = [axis for axis in results.axes if len(results.values(axis)) > 1]
    named = [resolve_axis(results.axes, name) if name else None for name in (x, by, facet)]
    spare = iter([axis for axis in varied if axis not in named])
    chosen = [axis or next(spare, None) for axis in named]
    left = list(spare)
    if left:
        raise LookupError(f"{', '.join(left)}: not shown\n  hint: narrow it to one of its values")
    if chosen[0] is None and varied:
        free = short_names(results.axes)[varied[0]]
        raise LookupError(f"no axis is left for x\n  hint: write `--x {free}`")
    if chosen[0] is None:
        raise LookupError("one point makes no line\n  hint: add a [sweep] to the scenario")
    return chosen[0], chosen[1], chosen[2]


def split(results: Results, axis: str | None) -> list[tuple[str, Results]]:
    """The results at each value of an axis; all results together without an axis."""
    if axis is None:
        return [("", results)]
    return [(value, results.select(**{axis: value})) for value in results.values(axis)]


def _curves(
    results: Results, metric: str, x: str, by: str | None, scope: ScopeLike
) -> tuple[Curve, ...]:
    return tuple(curve(part, metric, x, label, scope) for label, part in split(results, by))


def _largest(panels: list[Panel]) -> float:
    means = (abs(y.mean) for panel in panels for curve in panel.curves for y in curve.y)
    return max(means, default=0.0)


def _scaled(panel: Panel, x: float, y: float) -> Panel:
    curves = (
        replace(
            curve,
            x=tuple(place / x for place in curve.x),
            y=tuple(e.scaled(y) for e in curve.y),
        )
        for curve in panel.curves
    )
    return replace(panel, curves=tuple(curves))


def label(name: str, unit: str = "") -> str:
    """A name in words, with its unit."""
    words = name.strip('"').replace("_", " ").replace(".", " ")
    return f"{words} ({unit})" if unit else words
