"""The JSON document of a run: what `cellrelay run --json` prints."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cellrelay.metrics.scope import Scope
from cellrelay.results.files.lines import strings
from cellrelay.results.model import Provenance, Results, Status, Summary
from cellrelay.results.point import PointResult
from cellrelay.results.samples import GroupQuantile, Incomplete
from cellrelay.simulation.run import Label, Run, Warned
from cellrelay.statistics import Estimate
from cellrelay.text.quantity import finite


def document(results: Results) -> dict[str, Any]:
    """The summary as plain data; an interval that does not exist is `null`, never `NaN`."""
    return _document(results, map(_scalar, results.summary()))


def write_document(results: Results, path: Path) -> None:
    """Write the same JSON with a line for each value.

    There may be millions of numbers, so the text is written in parts and never is in memory as a
    whole.
    """
    around = json.dumps(_document(results, ()), indent=1, allow_nan=False)
    before, after = around.split(_EMPTY, 1)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        texts = _scalar_texts(results)
        first = next(texts, None)
        file.write(before)
        file.write(_EMPTY if first is None else f'"scalars": [\n  {first}')
        file.writelines(f",\n  {text}" for text in texts)
        file.write(f"{after}\n" if first is None else f"\n ]{after}\n")


_EMPTY = '"scalars": []'


def _document(results: Results, scalars: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {
        "scenario": results.provenance.scenario,
        "version": results.provenance.version,
        "seed": results.provenance.seed,
        "status": results.status.value,
        "scalars": list(scalars),
        "title": results.provenance.title,
        "model": results.provenance.model,
        "commit": results.provenance.commit,
        "level": results.level,
        "points": [_point(point) for point in results.points],
    }


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


def _scalar(summary: Summary) -> dict[str, Any]:
    known = summary.estimate
    return {
        "point": dict(summary.point),
        "scope": str(summary.label.scope),
        "metric": summary.label.metric,
        "value": finite(known.mean),
        "unit": summary.label.unit,
        "n": known.n,
        "ci_low": finite(known.low),
        "ci_high": finite(known.high),
        "level": known.level,
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
    """Each `_scalar` as JSON text."""
    string = strings()
    for point in results.points:
        place = json.dumps(dict(point.values), indent=1).replace("\n", "\n   ")
        start = f'{{\n   "point": {place},\n   '
        if point.only is not None:
            end = f',\n   "ci_low": null,\n   "ci_high": null,\n   "level": {results.level!r}\n  }}'
            for (scope, metric, unit), value in zip(*point.only, strict=True):
                if (scope, metric) in point.incomplete:
                    known = Summary({}, Label(scope, metric, unit), point.incomplete[scope, metric])
                    yield f"{start}{_one_a_line(_without_point(known))[1:-1]}\n  }}"
                    continue
                number = repr(value + 0.0) if math.isfinite(value) else "null"
                yield (
                    f'{start}"scope": {string[scope]},\n   "metric": {string[metric]},\n'
                    f'   "value": {number},\n   "unit": {string[unit]},\n'
                    f'   "n": {0 if value != value else 1}{end}'
                )
            continue
        for summary in results.summary_of(point):
            yield f"{start}{_one_a_line(_without_point(summary))[1:-1]}\n  }}"


def _without_point(summary: Summary) -> dict[str, Any]:
    known = _scalar(summary)
    del known["point"]
    return known


# Without `indent` the encoder is ten times as fast.
_one_a_line = json.JSONEncoder(separators=(",\n   ", ": "), allow_nan=False).encode
