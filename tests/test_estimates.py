"""The estimates of all numbers of a point together are those of each by itself."""

from __future__ import annotations

import csv
import json
import math
from array import array
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import cellrelay
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.results import PointResult
from cellrelay.results.estimates import Estimates
from cellrelay.results.files.folder import write_folder
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.statistics import LEVEL, Estimate

EXAMPLES = Path(__file__).parent.parent / "examples"
CASES: list[tuple[str, Mapping[str, str], int]] = [
    # Some flows lose or time out in some of the runs, or get nothing through.
    ("policies.toml", {"duration": "200 ms"}, 5),
    ("policies.toml", {"duration": "200 ms"}, 1),
    # Messages that had not ended, quantiles of a group with one member, and events.
    ("completion-times.toml", {"duration": "100 ms", "warm_up": "0 s"}, 5),
    ("completion-times.toml", {"duration": "100 ms", "warm_up": "0 s"}, 1),
    # Batches.
    ("single-queue.toml", {"duration": "4 s", "warm_up": "0 s", "batches": "10"}, 2),
]


def ends(known: Estimate) -> tuple[float, ...]:
    """What columns have of an estimate."""
    return known.n, known.mean, known.low, known.high


def in_columns(known: Estimates, column: int) -> tuple[float, ...]:
    mean = known.means[column] + 0.0
    if not known.counts:
        return int(not math.isnan(mean)), mean, math.nan, math.nan
    return known.counts[column], mean, known.lows[column], known.highs[column]


def assert_alike(point: PointResult, level: float = LEVEL) -> set[str]:
    """Compare all estimates of a point; returns the ways in which they were made."""
    known = point.estimates(level)
    ways = set()
    for column, label in enumerate(known.labels):
        each = point.estimate(label.metric, label.scope, level=level)
        found = in_columns(known, column)
        if column in known.apart:
            ways.add("by itself")
            assert repr(known.apart[column]) == repr(each), label
            assert not known.counts or np.array_equal(found, ends(each), equal_nan=True), label
            continue
        assert np.array_equal(found, ends(each), equal_nan=True), (label, found, each)
        assert not each.kinds, label
        assert not each.unfinished, label
        ways.add("never seen" if each.is_unseen else f"{min(each.n, 2)} samples")
    return ways


@pytest.mark.parametrize(("name", "settings", "replications"), CASES)
def test_columns_have_the_estimates_of_each_number(
    name: str, settings: Mapping[str, str], replications: int
) -> None:
    results = cellrelay.run(EXAMPLES / name, settings, replications=replications)
    for point in results.points[:2]:
        assert_alike(point)
        assert_alike(point, 0.99)


def random_point(seed: int) -> PointResult:
    """A point of several runs with flows that have not all the same metrics."""
    draw = np.random.default_rng(seed)
    metrics = [
        *(("goodput", "bit/s"), ("timeouts", ""), ("fast_retransmits", ""), ("mean_rtt", "s")),
        *(("retransmission_ratio", ""), ("packets_sent", ""), ("efficiency", ""), ("mine", "")),
    ]
    runs = []
    for _ in range(int(draw.integers(2, 9))):
        labels, values = [Label(NETWORK, "goodput", "bit/s")], [float(draw.exponential())]
        for flow in range(12):
            for metric, unit in metrics:
                if draw.random() < 0.95:
                    labels.append(Label(Scope.flow("f", flow), metric, unit))
                    is_high = draw.random() < 0.5
                    sizes = [0.0, float(draw.normal(9.0 if is_high else 1.0, 0.01)), 1.0, math.nan]
                    values.append(sizes[draw.choice(4, p=[0.3, 0.5, 0.15, 0.05])])
        runs.append(Run(tuple(labels), array("d", values), digest=""))
    return PointResult({}, tuple(runs), seed)


def test_columns_have_the_estimates_of_random_numbers() -> None:
    points = [random_point(seed) for seed in range(40)]
    ways = set().union(*(assert_alike(point) for point in points))
    assert set().union(*(assert_alike(point, 0.8) for point in points)) == ways
    assert ways == {"by itself", "never seen", "0 samples", "1 samples", "2 samples"}


def test_columns_of_equal_runs_are_those_of_one() -> None:
    point = random_point(1)
    five = PointResult({}, tuple(point.runs[:1]) * 5, seed=1)
    assert five.is_repetition
    assert assert_alike(five) <= {"0 samples", "1 samples"}
    assert not five.estimates().counts


def test_the_files_of_a_folder_have_these_estimates(tmp_path: Path) -> None:
    results = cellrelay.run(
        EXAMPLES / "completion-times.toml", {"duration": "100 ms", "warm_up": "0 s"}, replications=5
    )
    write_folder(results, tmp_path)
    rows = list(csv.DictReader((tmp_path / "scalars.csv").open()))
    document = json.loads((tmp_path / "results.json").read_text())
    assert document == json.loads(json.dumps(results.to_json()))
    for row, summary in zip(rows, results.summary(), strict=True):
        label, known = summary.label, summary.estimate
        assert (row["scope"], row["metric"]) == (str(label.scope), label.metric)
        assert float(row["value"]) == known.mean or math.isnan(known.mean)
        assert int(row["n"]) == known.n
        has_ends = (known.n > 1 or known.ends is not None) and not known.is_bound
        assert bool(row["ci_low"]) == has_ends, row
        assert not has_ends or float(row["ci_low"]) == known.low
        assert not has_ends or float(row["ci_high"]) == known.high
