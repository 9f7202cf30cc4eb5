"""What samples come to: ratios of sums, shares within their bounds, and events never seen."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cellrelay
from cellrelay.experiment.plan import SweepPlan
from cellrelay.metrics.metric import every_metric, metric_of
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.results import PointResult, Provenance, Results
from cellrelay.results.files.tidy import read_csv
from cellrelay.results.samples import Samples
from cellrelay.scenario import Replications, Until
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.statistics import Estimate, contributions, estimate, most_often

FLOW = "flow bulk"
EFFICIENCY = (
    Label(Scope.flow("bulk"), "efficiency", "1"),
    Label(Scope.flow("bulk"), "octets_sent", "B"),
    Label(Scope.flow("bulk"), "octets_delivered", "B"),
)
LOSS = (
    Label(Scope.port("s1", "b"), "packet_loss_ratio", "1"),
    Label(Scope.port("s1", "b"), "packets_offered", "1"),
    Label(Scope.flow("bulk"), "timeouts", "1"),
)
SAWTOOTH = """
duration = "4 s"
warm_up = "0.5 s"
[host.a]
[host.b]
[switch.s1]
buffer.per_output = "200 cells"
[link.in]
between = ["a", "s1"]
rate = "155.52 Mbit/s"
[link.out]
between = ["s1", "b"]
rate = "25.6 Mbit/s"
delay = "5 ms"
[flow.bulk]
from = "a"
to = "b"
source.greedy = {}
transport.tcp = { packet = "1500 B", window = "256 KiB" }
"""
"""A connection that loses, and now and then waits for its timer."""


def results_of(*runs: Run) -> Results:
    point = PointResult({}, runs, seed=1)
    return Results(Provenance("test", "", "", "", 1), (), (point,))


def run(labels: tuple[Label, ...], *values: float) -> Run:
    return Run(labels, array("d", values), digest="")


def test_efficiency_over_batches_is_that_of_the_whole_run(tmp_path: Path) -> None:
    path = tmp_path / "sawtooth.toml"
    path.write_text(SAWTOOTH, encoding="utf-8")
    whole, parts = (
        cellrelay.run(path, {"batches": batches} if batches else {}, replications=1)
        for batches in ("", "20")
    )
    ratios = [metric for metric in every_metric() if metric.over and metric.scope == "flow"]
    known = {metric.name: whole.estimate(metric.name, FLOW).mean for metric in ratios}
    assert known["retransmission_ratio"] > 0.0
    assert known["mean_pause"] > 0.0
    for name, expected in known.items():
        if not math.isnan(expected):
            assert parts.estimate(name, FLOW).mean == pytest.approx(expected, rel=1e-12), name
    # The mean over batches would be another number.
    raw = [value for value in parts.point().by_sample("efficiency", FLOW) if value == value]
    assert abs(sum(raw) / len(raw) - known["efficiency"]) > 1e-3
    # And so it stays when it has been written and read.
    parts.write_csv(tmp_path / "table.csv")
    again = read_csv(tmp_path / "table.csv")
    assert again.estimate("efficiency", FLOW) == parts.estimate("efficiency", FLOW)
    assert again.point().by_replication("efficiency", FLOW) == pytest.approx([known["efficiency"]])


def test_a_group_and_its_replications_have_the_ratio_of_the_sums() -> None:
    columns = {
        ("efficiency", Scope.flow("f", 0)): [1.0, 0.5],
        ("octets_sent", Scope.flow("f", 0)): [100.0, 10.0],
        ("octets_delivered", Scope.flow("f", 0)): [100.0, 5.0],
        # Nothing was sent in the first, but some of what had been before arrived.
        ("efficiency", Scope.flow("f", 1)): [math.nan, 0.25],
        ("octets_sent", Scope.flow("f", 1)): [0.0, 40.0],
        ("octets_delivered", Scope.flow("f", 1)): [20.0, 10.0],
    }

    def rows(metric: str, scopes: Sequence[Scope]) -> list[tuple[float, ...]]:
        return list(zip(*(columns[metric, scope] for scope in scopes), strict=True))

    samples = Samples.of("efficiency", [Scope.flow("f", 0), Scope.flow("f", 1)], rows)
    assert samples.estimate().mean == pytest.approx(135 / 150)
    assert samples.estimate().n == 2


@given(
    st.lists(
        st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)), min_size=1, max_size=30
    ).filter(lambda pairs: any(whole for _, whole in pairs))
)
def test_the_mean_of_the_contributions_is_the_ratio_of_the_sums(
    pairs: list[tuple[int, int]],
) -> None:
    parts, wholes = ([float(value) for value in column] for column in zip(*pairs, strict=True))
    known = [value for value in contributions(parts, wholes) if not math.isnan(value)]
    expected = sum(parts) / sum(wholes)
    scale = max(1.0, *map(abs, known))
    assert sum(known) / len(known) == pytest.approx(expected, rel=1e-9, abs=1e-9 * scale)


def test_equal_denominators_give_the_interval_of_the_mean() -> None:
    values = [0.2, 0.5, 0.3, 0.9]
    known = estimate(contributions([7 * value for value in values], [7.0] * 4))
    assert known.half_width == pytest.approx(estimate(values).half_width)


@pytest.mark.parametrize(
    ("samples", "shape", "least"), [(10, 4.0, 0.92), (20, 4.0, 0.93), (20, 1.0, 0.90)]
)
def test_intervals_of_ratios_have_their_nominal_coverage(
    samples: int, shape: float, least: float
) -> None:
    """Batches in which much is sent are the efficient ones, as with timeouts."""
    stream = np.random.default_rng(5)

    def batches(count: int) -> tuple[np.ndarray, np.ndarray]:
        sent = stream.gamma(shape, 1000 / shape, count).astype(int) + 1
        return stream.binomial(sent, sent / (sent + 300)), sent

    arrived, sent = batches(1_000_000)
    truth = arrived.sum() / sent.sum()
    held = naive = 0
    trials = 1000
    for _ in range(trials):
        arrived, sent = batches(samples)
        known = estimate(contributions(arrived.tolist(), sent.tolist()))
        held += known.low <= truth <= known.high
        of_ratios = estimate((arrived / sent).tolist())
        naive += of_ratios.low <= truth <= of_ratios.high
    assert least <= held / trials <= 0.97
    # What was done before: the interval of the mean of the ratios.
    assert naive / trials < 0.9


def test_an_interval_of_a_share_stays_within_zero_and_one() -> None:
    few, most = run(EFFICIENCY, 1.0, 9.0, 9.0), run(EFFICIENCY, 0.9, 10.0, 9.0)
    known = results_of(few, few, most).estimate("efficiency", FLOW)
    assert known.mean + known.half_width > 1.0
    assert known.high == 1.0
    assert str(known) == "0.96 [0.81, 1.00]"
    losses = [run(LOSS, ratio, 1000.0, 0.0) for ratio in (0.0, 0.0, 0.018)]
    known = results_of(*losses).estimate("packet_loss_ratio", "port s1->b")
    assert known.low == 0.0
    assert known.mean == pytest.approx(0.006)
    assert str(known) == "0.006 [0.000, 0.032]"
    document = results_of(*losses).to_json()["scalars"][0]
    assert document["ci_low"] == 0.0


@pytest.mark.parametrize(
    "metric", [metric.name for metric in every_metric() if metric.kind == "share"]
)
def test_shares_are_bounded(metric: str) -> None:
    (known,) = {one.possible for one in every_metric() if one.name == metric}
    assert known == (0.0, 1.0)


def test_an_event_never_observed_has_an_upper_bound() -> None:
    results = results_of(*(run(LOSS, 0.0, 200_000.0 + more, 0.0) for more in range(5)))
    loss = results.estimate("packet_loss_ratio", "port s1->b")
    assert (loss.mean, loss.low) == (0.0, 0.0)
    # In a million packets, the rule of three.
    assert loss.high == pytest.approx(3e-6, rel=0.01)
    assert str(loss) == "< 3e-06"
    # Five runs, in each of which a timeout might have been.
    assert str(results.estimate("timeouts", "flow bulk")) == "< 0.6"
    assert results.to_json()["scalars"][0]["ci_high"] == loss.high


def test_one_run_has_no_bound_and_nothing_offered_none_either() -> None:
    assert (
        str(results_of(run(LOSS, 0.0, 1e6, 0.0)).estimate("packet_loss_ratio", "port s1->b")) == "0"
    )
    nothing = results_of(*(run(LOSS, 0.0, 0.0, timeouts) for timeouts in (0.0, 1.0, 2.0)))
    assert str(nothing.estimate("packet_loss_ratio", "port s1->b")) == "0"


def lost_in_clumps(stream: np.random.Generator, looked_at: int, begins: float) -> int:
    """Cells that are lost of those looked at, if twenty in a row are from where a clump begins."""
    lost = np.zeros(looked_at, dtype=bool)
    for first in stream.integers(looked_at, size=stream.binomial(looked_at, begins)):
        lost[first : first + 20] = True
    return int(lost.sum())


def test_upper_bounds_have_their_nominal_coverage() -> None:
    """At the frequency that the bound allows, nothing is seen with the probability that is left."""
    stream = np.random.default_rng(3)
    looked_at = 50_000
    bound = most_often(looked_at, 0.9)
    nothing = np.mean(stream.binomial(looked_at, bound, 20_000) == 0)
    assert nothing == pytest.approx(0.1, abs=0.01)
    # Where losses come in clumps of twenty, it is the clumps that are bounded.
    nothing_lost = np.mean([lost_in_clumps(stream, looked_at, bound) == 0 for _ in range(4000)])
    assert nothing_lost == pytest.approx(0.1, abs=0.02)


def test_a_mean_delay_of_nothing_is_not_known() -> None:
    labels = (Label(Scope.flow("bulk"), "packets_delivered", "1"),)
    assert math.isnan(
        results_of(run(labels, 0.0), run(labels, 0.0)).estimate("mean_delay", FLOW).mean
    )


def test_every_metric_is_known_with_its_scope() -> None:
    assert metric_of(Scope.flow("bulk", 3), "efficiency") is metric_of(
        Scope.flow("other"), "efficiency"
    )
    assert metric_of(NETWORK, "efficiency") is None
    for metric in every_metric():
        for name in filter(None, (metric.of, metric.over)):
            assert metric_of(Scope(metric.scope), name) is not None, (metric.name, name)


def settled(rule: Replications, runs: list[Run]) -> tuple[int, bool]:
    """After how many runs a point ends, and whether it is precise."""
    plan = SweepPlan(1, rule)
    for replication, one in enumerate(runs):
        plan.next(speculate=True)
        plan.record(0, replication, one)
        if plan.is_settled:
            break
    return plan.points[0].count, plan.points[0].is_precise


def test_until_continues_without_an_observed_event() -> None:
    quiet = [run(LOSS, 0.0, 1000.0, 0.0)] * 20
    for metric in ("port s1->b packet_loss_ratio", "flow bulk timeouts"):
        rule = Replications(5, 20, Until(metric, half_width=0.1, confidence=0.95))
        assert settled(rule, quiet) == (20, False)


def test_until_accepts_constant_samples_once_they_are_many() -> None:
    same = [run((Label(NETWORK, "goodput", "bit/s"),), 1e6)] * 100
    until = Until("goodput", half_width=0.1, confidence=0.95)
    assert settled(Replications(2, 20, until), same) == (20, False)
    assert settled(Replications(2, 100, until), same) == (39, True)


def test_a_precision_is_believed_when_it_has_lasted() -> None:
    stream = np.random.default_rng(1)
    values = [100.0, 100.1, *stream.normal(100.0, 3.0, 60)]
    runs = [run((Label(NETWORK, "goodput", "bit/s"),), value) for value in values]
    until = Until("goodput", half_width=0.02, confidence=0.95)
    count, is_precise = settled(Replications(2, 60, until), runs)
    assert is_precise
    assert count > 11
    for looked_at in range(count - 9, count + 1):
        known = estimate(values[:looked_at])
        assert known.half_width <= 0.02 * known.mean
    # Enough batches at one look need no other.
    divided = Run(
        runs[0].labels, array("d", [100.0]), "", batches=tuple(one.values for one in runs[2:30])
    )
    assert settled(Replications(1, 9, until), [divided] * 9) == (1, True)


def test_estimates_scale_with_their_bounds() -> None:
    known = Estimate(0.02, 0.03, 5, possible=(0.0, 1.0)).scaled(1e-3)
    assert known.low == 0.0
    assert known.high == pytest.approx(50.0)
    assert known.possible == (0.0, 1000.0)
