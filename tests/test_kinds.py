"""Runs that fall into two kinds are shown as runs."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from cellrelay.cli.commands.compare import _document
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.plot import draw
from cellrelay.plot.select import chart
from cellrelay.results import PointResult, Provenance, Results
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.statistics import estimate, two_kinds
from cellrelay.studies import known, of_network, scaled

GOODPUT = (Label(NETWORK, "goodput", "bit/s"),)
BISTABLE = [45.6e6, 0.31e6, 45.5e6, 45.6e6, 0.29e6, 45.7e6, 0.3e6, 45.6e6]
"""Of 45.7 Mbit/s nearly all, or nearly nothing."""
STABLE = [45.6e6, 45.1e6, 45.5e6, 44.8e6, 45.2e6, 45.7e6, 45.3e6, 45.6e6]

Draw = Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]]


def point(axis: str, values: list[float], labels: tuple[Label, ...] = GOODPUT) -> PointResult:
    runs = tuple(Run(labels, array("d", [value]), digest="") for value in values)
    return PointResult({"buffer": axis}, runs, seed=1)


def results(*points: PointResult) -> Results:
    return Results(Provenance("test", "", "", "", 1), ("buffer",), points)


def test_kinds_are_shown_with_their_numbers_and_not_as_a_mean() -> None:
    known = results(point("1 kB", BISTABLE))
    assert str(known.estimate("goodput").scaled(1e6)) == "0.3 (3 runs) or 45.6 (5 runs)"
    (warning,) = known.warnings()
    assert warning.startswith("runs fall into two kinds, and means tell little of either (goodput")
    scalar = known.to_json()["scalars"][0]
    assert [len(kind) for kind in scalar["kinds"]] == [3, 5]


def test_a_notebook_and_a_comparison_show_kinds() -> None:
    known = results(point("1 kB", BISTABLE), point("2 kB", STABLE))
    assert "<td>0.3 (3 runs) or 45.6 (5 runs) Mbit/s</td>" in known._repr_html_()
    (one,) = known.compare("goodput", to="2 kB")
    assert str(one.value.scaled(1e6)) == "0.3 (3 runs) or 45.6 (5 runs)"
    assert not one.base.kinds
    (record,) = _document([one], known, "goodput", "network")
    assert [len(kind) for kind in record["kinds"]] == [3, 5]
    assert "base_kinds" not in record


def test_a_measure_of_a_study_shows_kinds_of_whole_runs_only() -> None:
    goodput = scaled(of_network("goodput"), 1e-6)
    assert str(known(goodput, point("1 kB", BISTABLE))) == "0.3 (3 runs) or 45.6 (5 runs)"
    assert not known(goodput, point("2 kB", STABLE)).kinds
    rare = scaled(of_network("goodput"), 1e-6)
    assert not known(rare, point("3 kB", [0.0, 0.0, 0.0, 3.0e6, 3.1e6])).kinds
    batches = tuple(array("d", [value]) for value in BISTABLE)
    run = Run(GOODPUT, array("d", [25e6]), digest="", batches=batches)
    assert not known(goodput, PointResult({}, (run,), seed=1)).kinds


def test_a_notebook_shows_what_was_never_seen_as_a_bound() -> None:
    lost = Label(Scope.port("s1", "b"), "packet_loss_ratio", "1")
    offered = Label(Scope.port("s1", "b"), "packets_offered", "1")
    runs = tuple(
        Run((lost, offered), array("d", [0.0, 200_000.0 + more]), digest="") for more in range(5)
    )
    alone = Results(Provenance("test", "", "", "", 1), (), (PointResult({}, runs, seed=1),))
    assert "<td>&lt; 3e-06</td>" in alone._repr_html_()


def test_runs_of_one_kind_have_a_mean_and_an_interval() -> None:
    known = results(point("1 kB", STABLE))
    assert " ± " in str(known.estimate("goodput"))
    assert not known.warnings()
    assert "kinds" not in known.to_json()["scalars"][0]


def test_runs_are_drawn_as_dots_where_there_are_two_kinds() -> None:
    figure = draw(chart(results(point("1 kB", BISTABLE), point("2 kB", STABLE)), "goodput"))
    line, dots = figure.axes[0].get_lines()
    means, runs = (np.asarray(drawn.get_ydata(), dtype=float) for drawn in (line, dots))
    assert np.isnan(means).tolist() == [True, False]
    assert sorted(runs) == pytest.approx(sorted(value / 1e6 for value in BISTABLE))


@pytest.mark.parametrize(
    "metric",
    [
        Label(Scope.port("s1", "b"), "cell_loss_ratio", "1"),
        Label(Scope.flow("bulk"), "timeouts", "1"),
    ],
)
def test_rare_events_are_no_second_kind(metric: Label) -> None:
    values = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    known = point("1 kB", values, (metric,)).estimate(metric.metric, metric.scope)
    assert known.kinds == ()


@pytest.mark.parametrize("runs", [5, 6, 8, 10, 15, 20, 30, 50])
@pytest.mark.parametrize(
    "sample",
    [
        lambda stream, shape: stream.normal(10.0, 3.0, shape),
        lambda stream, shape: stream.exponential(1.0, shape),
        lambda stream, shape: stream.random(shape),
        lambda stream, shape: np.exp(stream.normal(size=shape)),
    ],
)
def test_two_modes_are_found_by_mistake_in_two_of_a_thousand_at_most(
    runs: int, sample: Draw
) -> None:
    found = [bool(two_kinds(values)) for values in sample(np.random.default_rng(8), (3000, runs))]
    # Three standard deviations more than two in a thousand.
    assert sum(found) <= 6 + 3 * 6**0.5


@pytest.mark.parametrize("runs", [6, 10, 30])
def test_two_modes_far_apart_are_found(runs: int) -> None:
    stream = np.random.default_rng(9)
    low = stream.random((1000, runs)) < 0.4
    values = np.where(low, 0.3, 5.6) + stream.normal(0.0, 0.05, (1000, runs))
    has_both = (low.sum(axis=1) >= 2) & ((~low).sum(axis=1) >= 2)
    assert all(two_kinds(of_point) for of_point in values[has_both])


def test_next_to_nothing_apart_is_one_kind() -> None:
    assert two_kinds([97.30, 97.30, 97.30, 97.33, 97.33, 97.33]) == ()
    assert two_kinds([0.0] * 8) == ()
    assert two_kinds([1.0, 1.0, 9.0, 9.0]) == ()
    assert estimate([1.0, 1.0, 9.0, 9.0, 9.0]).kinds == ()
    assert two_kinds([1.0, float("nan"), 1.0, 9.0, 9.0, 9.0]) == ()
