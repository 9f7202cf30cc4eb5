"""The JSON document of a run: what `cellrelay run --json` prints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cellrelay.results.model import PointResult, Provenance, Results, Status, Summary
from cellrelay.samples import Quantile
from cellrelay.simulate import Run


def document(results: Results) -> dict[str, Any]:
    """The summary as plain data; an interval that does not exist is `null`, never `NaN`."""
    return {
        "scenario": results.provenance.scenario,
        "version": results.provenance.version,
        "seed": results.provenance.seed,
        "status": results.status.value,
        "scalars": [_scalar(summary) for summary in results.summary()],
        "title": results.provenance.title,
        "model": results.provenance.model,
        "level": results.level,
        "points": [_point(point) for point in results.points],
    }


def _point(point: PointResult) -> dict[str, Any]:
    """How a point ended; a failure is that of the replication after the last."""
    return {
        "point": dict(point.values),
        "seed": point.seed,
        "replications": len(point.runs),
        **({"batches": point.batches} if point.batches else {}),
        "digests": [run.digest for run in point.runs],
        "precise": point.is_precise,
        "failure": point.failure,
        **({"quantiles": _quantiles(point)} if point.quantiles else {}),
        "warnings": [
            {"replication": replication, "warning": warning}
            for replication, run in enumerate(point.runs)
            for warning in run.warnings
        ],
    }


def _quantiles(point: PointResult) -> list[dict[str, Any]]:
    """Quantiles of what all flows of a group took: in all samples together, and in each."""
    return [
        {
            "scope": scope,
            "metric": metric,
            "value": quantile.whole,
            "samples": [_number(value) for value in quantile.of_samples],
        }
        for (scope, metric), quantile in point.quantiles.items()
    ]


def _quantile_again(known: Mapping[str, Any]) -> Quantile:
    samples = (math.nan if value is None else float(value) for value in known["samples"])
    return Quantile(float(known["value"]), tuple(samples))


def with_document(table: Results, document: Mapping[str, Any], resolved: str) -> Results:
    """The results of a table, with all that their document knows beyond numbers."""
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
        ),
        axes=table.axes,
        points=tuple(_point_again(known, in_order) for known in document["points"]),
        status=Status(document["status"]),
        level=document["level"],
    )


def _point_again(known: Mapping[str, Any], runs: Iterator[Run]) -> PointResult:
    said: list[list[str]] = [[] for _ in range(known["replications"])]
    for one in known["warnings"]:
        said[one["replication"]].append(one["warning"])
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
            (one["scope"], one["metric"]): _quantile_again(one)
            for one in known.get("quantiles", ())
        },
    )


def _scalar(summary: Summary) -> dict[str, Any]:
    known = summary.estimate
    return {
        "point": dict(summary.point),
        "scope": summary.label.scope,
        "metric": summary.label.metric,
        "value": _number(known.mean),
        "unit": summary.label.unit,
        "n": known.n,
        "ci_low": _number(known.low),
        "ci_high": _number(known.high),
        "level": known.level,
        **({"kinds": known.kinds} if known.kinds else {}),
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
