"""Comparisons say how many pairs they rest on."""

from __future__ import annotations

import json
import math
from array import array
from pathlib import Path

import pytest

from cellrelay.cli.commands import compare as command
from cellrelay.metrics.scope import Scope
from cellrelay.results import PointResult, Provenance, Results
from cellrelay.results.files.folder import write_folder
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run

LABELS = (Label(Scope.flow("bulk"), "timeouts", "1"), Label(Scope.flow("bulk"), "mean_pause", "s"))


def paused(pause: float | None) -> Run:
    if pause is None:
        return Run(LABELS[:1], array("d", [0.0]), digest="")
    return Run(LABELS, array("d", [1.0, pause]), digest="")


def sweep(first: list[float | None], second: list[float | None]) -> Results:
    points = tuple(
        PointResult({"discard": name}, tuple(map(paused, pauses)), seed=1)
        for name, pauses in (("epd", first), ("ppd", second))
    )
    return Results(Provenance("test", "", "", "", 1), ("discard",), points)


def shown(
    results: Results, folder: Path, capsys: pytest.CaptureFixture[str], as_json: bool = False
) -> str:
    write_folder(results, folder)
    command.command(folder, metric="mean_pause", scope="flow bulk", json=as_json)
    return capsys.readouterr().out


def test_a_comparison_of_one_pair_states_its_number_and_no_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Only in the last does either have to wait for its timer.
    results = sweep([None] * 29 + [0.5], [*[None] * 29, 0.5])
    (one,) = results.compare("mean_pause", "discard", scope="flow bulk")
    assert (one.difference.n, one.of, one.is_decidable, one.is_apart) == (1, 30, False, False)
    text = shown(results, tmp_path, capsys)
    assert "1 of 30  unknown" in text
    assert "with fewer than two pairs of samples, significance is unknown" in text
    (document,) = json.loads(shown(results, tmp_path, capsys, as_json=True))
    assert (document["n"], document["of"], document["ci_low"]) == (1, 30, None)


def test_no_pair_at_all_has_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = sweep([0.5, 0.7, None, None], [None, None, 0.6, 0.4])
    (one,) = results.compare("mean_pause", "discard", scope="flow bulk")
    assert one.difference.n == 0
    assert math.isnan(one.difference.mean)
    assert "-  0 of 4  unknown" in shown(results, tmp_path, capsys)


def test_pairs_that_are_all_there_are_a_plain_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(sweep([0.5, 0.6, 0.7], [0.9, 1.0, 1.2]), tmp_path, capsys)
    assert "3  yes" in text
    assert " of " not in text.partition("\n\n")[2]
