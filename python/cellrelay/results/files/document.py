"""The JSON document of a run: what `cellrelay run --json` prints."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cellrelay.metrics.scope import Scope
from cellrelay.results.files.lines import AroundMean, EstimateLines, strings
from cellrelay.results.model import Provenance, Results, Status
from cellrelay.results.point import PointResult
from cellrelay.results.samples import GroupQuantile, Incomplete
from cellrelay.simulation.labels import Label, Measures, in_columns
from cellrelay.simulation.run import Run, Warned
from cellrelay.statistics import Estimate
from cellrelay.text.quantity import finite


def document(results: Results) -> dict[str, Any]:
    """The summary as plain data; an interval or a value that does not exist is left out."""
    return _document(results, _scalars(results), map(_point, results.points))


def write_document(results: Results, path: Path) -> None:
    """Write the same JSON with a line for each number and for each point.

    There may be millions of numbers, so the text is written in parts and never is in memory as a
    whole.
    """
    around = json.dumps(_document(results, (), ()), indent=1, allow_nan=False)
    before, between = around.split(_list("scalars"), 1)
    between, after = between.split(_list("points"), 1)
    points = (BEFORE + json.dumps(_point(point), allow_nan=False) for point in results.points)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(before)
        file.writelines(_lines("scalars", _scalar_texts(results)))
        file.write(between)
        file.writelines(_lines("points", points))
        file.write(f"{after}\n")


def _list(name: str) -> str:
    """A list without items, as it stands in the text of a document."""
    return f'"{name}": []'


BEFORE = ",\n  "
"""The text before an item of a list, but for the comma of the first."""


def _lines(name: str, texts: Iterator[str]) -> Iterator[str]:
    """The same list with a line for each item; each text begins with `BEFORE`."""
    first = next(texts, "")
    if not first:
        yield _list(name)
        return
    yield f'"{name}": [{first[1:]}'
    yield from texts
    yield "\n ]"


def _document(
    results: Results, scalars: Iterable[dict[str, Any]], points: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "scenario": results.provenance.scenario,
        "version": results.provenance.version,
        "seed": results.provenance.seed,
        "status": results.status.value,
        "scalars": list(scalars),
        "units": _units(results),
        "title": results.provenance.title,
        "model": results.provenance.model,
        "commit": results.provenance.commit,
        "level": results.level,
        "points": list(points),
    }


def _units(results: Results) -> dict[str, dict[str, str]]:
    """The unit of each number, by the kind of its scope and its metric: said once, not of each."""
    kinds: dict[tuple[str, str, str], None] = {}
    for labels in {id(point.labels): point.labels for point in results.points}.values():
        for kind, measures in in_columns(labels).kinds:
            kinds.update(dict.fromkeys([(kind, metric, unit) for metric, unit in measures]))
    found: dict[str, dict[str, str]] = {}
    for kind, metric, unit in kinds:
        found.setdefault(kind, {}).setdefault(metric, unit)
    return found


def _point(point: PointResult) -> dict[str, Any]:
    """The outcome of a point; a failure is the failure of the replication after the last counted
    one."""
    return {
        "point": dict(point.values),
        "key": point.key,
        "seed": point.seed,
        "replications": len(point.runs),
        **({"batches": point.batches} if point.batches else {}),
        "digests": [run.digest for run in point.runs],
        "precise": point.is_precise,
        "failure": point.failure,
        **({"quantiles": _quantiles(point)} if point.quantiles else {}),
        "warnings": [
            {
                "replication": replication,
                "warning": str(warning),
                "code": warning.code,
                "scope": str(warning.scope),
                "says": warning.says,
            }
            for replication, run in enumerate(point.runs)
            for warning in run.warnings
        ],
    }


def _quantiles(point: PointResult) -> list[dict[str, Any]]:
    """Quantiles of the times of all flows of a group, over all samples and in each sample.

    With unfinished messages, equal replications count as one sample.
    """
    different = point.different.quantiles
    return [
        {
            "scope": str(scope),
            "metric": metric,
            "value": different[scope, metric].whole if quantile.incomplete else quantile.whole,
            "samples": [finite(value) for value in quantile.of_samples],
            **_incomplete(different[scope, metric].incomplete),
        }
        for (scope, metric), quantile in point.quantiles.items()
    ]


def _quantile_again(known: Mapping[str, Any]) -> GroupQuantile:
    samples = (math.nan if value is None else float(value) for value in known["samples"])
    value, incomplete = float(known["value"]), None
    if "unfinished" in known:
        high = math.inf if known["high"] is None else float(known["high"])
        counts = known["unfinished"], known["of"], known["n"]
        incomplete = Incomplete(value, float(known["low"]), high, known["bound"] == ">", *counts)
    return GroupQuantile(value, tuple(samples), incomplete)


def _incomplete(known: Incomplete | None) -> dict[str, Any]:
    """What is known of a quantile in spite of unfinished messages, if there are any."""
    if known is None:
        return {}
    return {
        "low": known.low,
        "high": finite(known.high),
        "bound": ">" if known.is_bound else "",
        "unfinished": known.unfinished,
        "of": known.of,
        "n": known.n,
    }


def with_document(
    table: Results, document: Mapping[str, Any], resolved: str, scopes: Mapping[str, Scope]
) -> Results:
    """The results in a table, with the provenance and the state of points from the document."""
    runs = [run for point in table.points for run in point.runs]
    if len(runs) != sum(known["replications"] for known in document["points"]):
        raise ValueError("other runs in the table than in the document")
    in_order = iter(runs)
    return Results(
        provenance=Provenance(
            scenario=document["scenario"],
            title=document["title"],
            version=document["version"],
            model=document["model"],
            seed=document["seed"],
            resolved=resolved,
            commit=document.get("commit", ""),
        ),
        axes=table.axes,
        points=tuple(_point_again(known, in_order, scopes) for known in document["points"]),
        status=Status(document["status"]),
        level=document["level"],
    )


def _point_again(
    known: Mapping[str, Any], runs: Iterator[Run], scopes: Mapping[str, Scope]
) -> PointResult:
    said: list[list[Warned]] = [[] for _ in range(known["replications"])]
    for one in known["warnings"]:
        said[one["replication"]].append(Warned(one["code"], scopes[one["scope"]], one["says"]))
    return PointResult(
        values=known["point"],
        runs=tuple(
            replace(next(runs), digest=digest, warnings=tuple(warnings))
            for digest, warnings in zip(known["digests"], said, strict=True)
        ),
        seed=known["seed"],
        failure=known["failure"],
        is_precise=known["precise"],
        known_quantiles={
            (scopes[one["scope"]], one["metric"]): _quantile_again(one)
            for one in known.get("quantiles", ())
        },
        key=known.get("key", ""),
    )


def _scalars(results: Results) -> Iterator[dict[str, Any]]:
    """The record of each number: what it lacks is left out, and what all share is said once."""
    units = _units(results)
    for place, point in enumerate(results.points):
        for summary in results.summary_of(point):
            yield {"point": place} | _scalar(summary.label, summary.estimate, units)


def _scalar(
    label: Label, known: Estimate, units: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    scope, metric, unit = label
    numbers = {"value": known.mean, "n": known.n, "ci_low": known.low, "ci_high": known.high}
    return {
        "scope": str(scope),
        "metric": metric,
        **{name: value for name, value in numbers.items() if math.isfinite(value)},
        **({"unit": unit} if units[scope.kind][metric] != unit else {}),
        **({"kinds": known.kinds} if known.kinds else {}),
        **incomplete_fields(known),
    }


def incomplete_fields(known: Estimate) -> dict[str, Any]:
    """What tells of unfinished messages, if there are any."""
    if not known.unfinished:
        return {}
    sign = ">" if known.is_bound else ""
    return {"bound": sign, "unfinished": known.unfinished, "of": known.of}


def _scalar_texts(results: Results) -> Iterator[str]:
    """Each of `_scalars` as JSON text, with what stands before an item of a list."""
    string, units = strings(), _units(results)

    def around(kind: str, measures: Measures) -> list[AroundMean]:
        return [
            (
                f', "metric": {string[metric]}',
                "",
                "}" if units[kind][metric] == unit else f', "unit": {string[unit]}}}',
            )
            for metric, unit in measures
        ]

    ends = (', "ci_low": ', ""), (', "ci_high": ', "")
    lines = EstimateLines(string, around, (False, ', "value": ', ', "n": ', *ends))
    for place, point in enumerate(results.points):
        start = f'{BEFORE}{{"point": {place}, '

        def apart(label: Label, known: Estimate, start: str = start) -> str:
            record = _scalar(label, known, units)
            return start + json.dumps(record, allow_nan=False)[1:]

        yield from lines.of(f'{start}"scope": ', point.estimates(results.level), apart)
