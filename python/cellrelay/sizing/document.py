"""The trials of a search as a JSON document, and as a table with a row for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cellrelay.sizing.question import SizingQuestion
from cellrelay.sizing.search import Sized
from cellrelay.sizing.trial import Trial
from cellrelay.text.quantity import finite


def document(question: SizingQuestion, found: Sequence[Sized]) -> dict[str, Any]:
    """The question, and the trials of every point; metrics are in SI units, and an unknown number
    is `None`."""
    return {
        "parameter": question.range.name,
        "range": str(question.range),
        "extreme": "largest" if question.is_largest else "smallest",
        "requirements": [one.text for one in question.requirements],
        "across": list(question.across),
        "risk": question.risk,
        "confidence": found[0].level,
        "points": [
            {
                "point": dict(one.point),
                "value": one.answer.label if one.answer else None,
                "limits": [dict(point) for point in one.limits],
                "trials": [_trial(trial) for trial in one.trials],
            }
            for one in found
        ],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "value": trial.label,
        "is_met": trial.is_met,
        "runs": trial.runs,
        "failed": trial.failed,
        "risk": finite(trial.risk),
        "metrics": [
            {
                "requirement": text,
                "mean": estimate.mean,
                "half_width": finite(estimate.half_width),
                "is_unseen": estimate.is_unseen,
                "bound": ">" if estimate.is_bound else "",
                "unfinished": estimate.unfinished,
                "of": estimate.of,
            }
            for text, estimate in trial.found.items()
        ],
    }


def rows(question: SizingQuestion, found: Sequence[Sized]) -> Iterator[list[Any]]:
    """A header, and a row for each trial; metrics are in SI units, and an unknown number is
    `None`."""
    bounds = [one.text for one in question.requirements]
    metrics = [name for text in bounds for name in (text, *_about(text))]
    counts = ["is_answer", "is_met", "runs", "failed", "risk"]
    yield [*found[0].point, question.range.name, *counts, *metrics]
    for one in found:
        for trial in one.trials:
            known = [trial.found[text] for text in bounds]
            numbers = [
                number
                for each in known
                for number in (each.mean, finite(each.half_width), ">" if each.is_bound else "")
            ]
            yield [
                *one.point.values(),
                trial.label,
                trial is one.answer,
                trial.is_met,
                trial.runs,
                trial.failed,
                finite(trial.risk),
                *numbers,
            ]


def _about(text: str) -> tuple[str, str]:
    """The columns beside that of a requirement."""
    return f"half_width of {text}", f"bound of {text}"
