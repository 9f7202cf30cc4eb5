"""The JSON document of a run: what `cellrelay run --json` prints."""

from __future__ import annotations

import math
from typing import Any

from cellrelay.results.model import Results, Summary


def document(results: Results) -> dict[str, Any]:
    """The summary as plain data; an interval that does not exist is `null`, never `NaN`."""
    return {
        "scenario": results.provenance.scenario,
        "version": results.provenance.version,
        "seed": results.provenance.seed,
        "status": results.status.value,
        "scalars": [_scalar(summary) for summary in results.summary()],
    }


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
    }


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None
