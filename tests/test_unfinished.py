"""Times of messages of which some had not ended: estimates, intervals and bounds."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import cellrelay
from cellrelay.errors import ScenarioError
from cellrelay.results import Results
from cellrelay.results.compare import Comparison
from cellrelay.results.files.folder import read_folder
from cellrelay.scenario import Replications, Until
from cellrelay.statistics import Bins, Distribution, Estimate, Followed, merged
from cellrelay.statistics.unfinished import (
    curve_of,
    interval,
    max_bound,
    mean_bound,
    quantile_of,
    slowing,
)
from tests.command import Command, command

__all__ = ["command"]

HALF, P75, P90, P95, P99 = (Fraction(percent, 100) for percent in (50, 75, 90, 95, 99))


def messages(
    ended: Sequence[float],
    open_: Sequence[float] = (),
    *,
    late: tuple[Sequence[float], Sequence[float]] = ((), ()),
    starved: Sequence[float] = (),
) -> Distribution:
    """The distribution of times and ages, first of messages that began early, then of `late`."""
    times = sorted({*ended, *late[0]})
    return Distribution(
        min(times, default=0.0),
        max(times, default=0.0),
        array("d", times),
        array("Q", [[*ended, *late[0]].count(time) for time in times]),
        Followed(
            [list(late[0]).count(time) for time in times],
            1,
            Bins(sorted(open_), [1] * len(open_)),
            Bins(sorted(late[1]), [1] * len(late[1])),
            Bins(sorted(starved), [1] * len(starved)),
        ),
    )


A = messages([1.0, 1.2, 2.0, 2.5, 3.5], [1.5, 3.0, 4.0, 4.0, 4.0])


def direct(known: Distribution, time: float) -> tuple[float, float]:
    """The share of longer times and its standard error, message by message from the definition."""
    assert known.messages is not None
    ended = [at for at, count in zip(known.times, known.counts, strict=True) for _ in range(count)]
    ages, counts = known.messages.ages
    open_ = [age for age, count in zip(ages, counts, strict=True) for _ in range(count)]
    beyond, hazard = 1.0, 0.0
    for at in sorted(set(ended)):
        if at > time:
            break
        at_risk = sum(one >= at for one in ended + open_)
        gone = ended.count(at)
        beyond *= 1 - gone / at_risk
        hazard += gone / (at_risk * (at_risk - gone)) if at_risk > gone else math.inf
    return beyond, beyond * math.sqrt(hazard) if beyond else 0.0


def test_the_curve_of_ten_messages_is_that_of_the_definition() -> None:
    curve = curve_of(A)
    assert curve.times.tolist() == [1.0, 1.2, 2.0, 2.5, 3.5]
    assert np.allclose(curve.beyond, [0.9, 0.8, 0.6857, 0.5714, 0.4286], atol=5e-5)
    errors = np.sqrt(curve.variance_at(curve.times))
    assert np.allclose(errors, [0.0949, 0.1265, 0.1515, 0.1638, 0.1743], atol=5e-5)
    for time in (0.5, 1.0, 1.1, 1.5, 2.0, 3.0, 3.5, 9.0):
        beyond, error = direct(A, time)
        assert math.isclose(float(curve.beyond_at(time)), beyond, rel_tol=1e-12)
        assert math.isclose(math.sqrt(float(curve.variance_at(time))), error, rel_tol=1e-9)


def test_ten_messages_have_a_median_on_the_curve_and_only_a_bound_in_the_table() -> None:
    curve = curve_of(A)
    assert curve.quantile(HALF) == 3.5
    assert math.isinf(curve.quantile(P90))
    assert A.quantile(HALF) == 3.5
    # The interval is open: it begins at 1.0, and no time is known to be beyond the median.
    assert interval(curve, [curve], HALF) == (1.0, math.inf)
    assert quantile_of(A, [A], HALF)[::3] == (1.0, True)
    # Three messages are known to take longer than 4.0, and two are needed.
    assert quantile_of(A, [A], P90)[::3] == (4.0, True)


def test_without_unfinished_messages_a_quantile_is_an_order_statistic() -> None:
    known = messages([1.0, 2.0, 3.0, 4.0])
    found = [curve_of(known).quantile(share) for share in (HALF, P75, P99)]
    assert found == [2.0, 3.0, 4.0]
    assert [known.quantile(share) for share in (HALF, P75, P99)] == found


def test_a_flow_that_finishes_nothing_leaves_only_bounds() -> None:
    served = [29e-6] * 40
    known = messages(served, [10e-3] * 15, starved=[10e-3] * 15)
    for share in (HALF, P75, P90, P99):
        found = quantile_of(known, [known], share)
        assert found.is_bound
        # At 29 us 27 % of the messages are left, which may be a quarter of all.
        assert found.value == (29e-6 if share in (HALF, P75) else 10e-3)
    assert math.isclose(mean_bound(known), (40 * 29e-6 + 15 * 10e-3) / 55)
    assert max_bound(known) == 10e-3


def test_messages_of_several_runs_are_pooled() -> None:
    parts = [messages([1.0, 2.0], [3.0]), messages([], [4.0], starved=[4.0]), messages([2.0])]
    whole = merged(parts)
    assert (whole.count, whole.unfinished) == (3, 2)
    assert (whole.least, whole.most) == (1.0, 2.0)
    assert whole.messages is not None
    assert whole.messages.starved == Bins([4.0], [1])
    assert whole.messages.flows == 3


def test_a_run_that_becomes_slower_has_only_bounds() -> None:
    slow = [float(time) for time in range(20, 60)]
    fast = [float(time) for time in range(1, 41)]
    known = messages(fast, late=(slow, [60.0]))
    assert slowing(known, [known]) > 3.0
    assert quantile_of(known, [known], HALF).is_bound
    steady = messages(fast, late=(fast, [41.0]))
    assert abs(slowing(steady, [steady])) < 1.0
    assert not quantile_of(steady, [steady], HALF).is_bound


def draw(random: np.random.Generator, messages_: int, length: float) -> Distribution:
    """A run of lognormal times with a factor of its own, and starts spread over its length."""
    factor = math.exp(random.normal(0.0, 0.2))
    times = factor * np.exp(random.normal(0.0, 1.0, messages_))
    starts = random.uniform(0.0, length, messages_)
    ends, is_late = times <= length - starts, starts >= length / 2
    return messages_of(times, length - starts, ends, is_late)


def messages_of(
    times: np.ndarray, ages: np.ndarray, ends: np.ndarray, is_late: np.ndarray
) -> Distribution:
    ended, of_ended = np.sort(times[ends]), is_late[ends][np.argsort(times[ends])]
    early, late = (np.sort(ages[~ends & half]).tolist() for half in (~is_late, is_late))
    return Distribution(
        float(ended[0]),
        float(ended[-1]),
        array("d", ended.tolist()),
        array("Q", [1] * len(ended)),
        Followed(
            of_ended.astype(int).tolist(),
            1,
            Bins(early, [1] * len(early)),
            Bins(late, [1] * len(late)),
            Bins([], []),
        ),
    )


def covered(share: Fraction, truth: float, *, experiments: int, runs: int, size: int) -> list[bool]:
    """For each experiment that has an estimate, whether its interval covers the truth."""
    random = np.random.default_rng(7)
    found = []
    for _ in range(experiments):
        parts = [draw(random, size, 20.0) for _ in range(runs)]
        known = quantile_of(merged(parts), parts, share)
        if not known.is_bound:
            found.append(known.low <= truth <= known.high)
    return found


# The quantiles of all messages of all runs: the factors add 0.2^2 to the variance of the logarithm.
SIGMA = math.sqrt(1.0 + 0.2**2)
TRUTH = {HALF: 1.0, P90: math.exp(1.2816 * SIGMA)}


@pytest.mark.parametrize("share", [HALF, P90])
def test_an_interval_covers_the_quantile_of_all_messages(share: Fraction) -> None:
    found = covered(share, TRUTH[share], experiments=60, runs=5, size=200)
    # Nominally 57 of 60; 52 or fewer have a probability below 2 %.
    assert len(found) >= 57
    assert sum(found) >= 0.87 * len(found)


@pytest.mark.slow
@pytest.mark.parametrize(("share", "runs"), [(HALF, 5), (P90, 5), (HALF, 10), (P90, 10)])
def test_intervals_cover_in_many_experiments(share: Fraction, runs: int) -> None:
    found = covered(share, TRUTH[share], experiments=600, runs=runs, size=200)
    assert len(found) >= 570
    assert 0.92 <= sum(found) / len(found) <= 0.995


INCAST = """
duration = "2 ms"
[host.w]
count = 16
[host.sink]
[router.s]
buffer.per_output = "256 KiB"
[link.up]
between = ["w", "s"]
rate = "400 Gbit/s"
delay = "5 m"
[link.down]
between = ["s", "sink"]
rate = "400 Gbit/s"
delay = "5 m"
[flow.f]
from = "w"
to = "sink"
source.connections = { arrivals.closed = { users = 1, think = "0 s" }, size.constant = "1 MB" }
over.packet.framing = "ethernet"
[flow.f.transport.tcp]
packet = "9000 B"
window = "1 MiB"
initial_window = 10
timers.rfc6298 = { min = "10 ms", initial = "10 ms" }
"""
STARVED = "15 of 16 flows finished no message; percentiles are bounds (metric unfinished_messages)"


@pytest.fixture(scope="module")
def incast() -> Results:
    return cellrelay.run(cellrelay.parse(INCAST, "incast"), replications=3)


def test_an_incast_that_starves_fifteen_hosts_has_bounds(incast: Results) -> None:
    point = incast.point()
    members = [f"flow f[{member}]" for member in range(16)]
    assert sum(not any(point.by_replication("messages", one)) for one in members) == 15
    for metric in ("p99_completion_time", "p999_completion_time", "max_completion_time"):
        known = point.estimate(metric, *members)
        assert known.is_bound
        assert known.mean > 1.9e-3
        # Nothing is left to chance: all replications are one sample.
        assert known.unfinished == 16
        assert str(known.scaled(1e-3)) == f"> 2 (16 of {known.of} unfinished)"
    assert point.estimate("mean_completion_time", *members).is_bound
    assert STARVED in incast.warnings()


def test_the_table_and_the_files_of_an_incast_tell_of_the_unfinished(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "incast.toml").write_text(INCAST)
    out = tmp_path / "results"
    wanted = ["--metric", "flow f p99_completion_time", "--metric", "flow f mean_completion_time"]
    done = command("run", "incast.toml", "--replications", "2", "--out", str(out), *wanted)
    p99 = next(line for line in done.out.splitlines() if "p99" in line)
    assert "> 2  " in p99
    assert "unfinished)" in p99
    assert f"warning: {STARVED}" in done.err
    head, *rows = (out / "scalars.csv").read_text().splitlines()
    assert head.endswith(",level,bound,unfinished,of")
    alone = next(row for row in rows if row.startswith("flow f[3],p99_completion_time"))
    assert alone.split(",")[-3:] == [">", "1", "1"]
    again = read_folder(out)
    known = again.points[0].estimate(
        "p99_completion_time", *(f"flow f[{member}]" for member in range(16))
    )
    assert known.is_bound
    assert known.unfinished == 16
    quantiles = json.loads((out / "results.json").read_text())["points"][0]["quantiles"]
    (told,) = (one for one in quantiles if one["metric"] == "p99_completion_time")
    assert told["bound"] == ">"


def test_no_buffer_is_sized_by_the_times_of_survivors(tmp_path: Path) -> None:
    file = tmp_path / "incast.toml"
    file.write_text(INCAST)

    def sized(goal: str) -> list[cellrelay.Sized]:
        within = "256000 B .. 300000 B"
        return cellrelay.size(file, "router.s.buffer.per_output", within, goal, replications=2)

    # The bound is above the goal, so the goal is missed.
    (found,) = sized("flow f p99_completion_time <= 100 us")
    assert found.answer is None
    # The bound is below the goal, so nothing is known.
    with pytest.raises(ScenarioError, match=r"cannot size by .*: \d+ of \d+ messages are unfin"):
        sized("flow f p99_completion_time <= 5 ms")


def test_until_refuses_a_bound() -> None:
    rule = Replications(2, 4, Until("flow f p99_completion_time", 0.1, 0.95))
    results = cellrelay.run(cellrelay.parse(INCAST, "incast"), replications=rule)
    (point,) = results.points
    assert point.failure is not None
    assert point.failure.startswith(
        "until cannot use flow f p99_completion_time: it is a bound in replication 0 ("
    )
    assert point.failure.endswith("unfinished); use a longer duration")


(CONNECTIONS,) = [line for line in INCAST.splitlines() if line.startswith("source.connections")]


def compared(value: Estimate, base: Estimate) -> Comparison:
    return Comparison({}, value, base, Estimate(0.0, math.nan, 0), of=2)


def test_a_bound_is_compared_only_where_it_lies_beyond_the_other_interval() -> None:
    bound, known = Estimate(5.0, math.nan, 2, is_bound=True), Estimate(3.0, 1.0, 2)
    larger, smaller = compared(bound, known), compared(known, bound)
    assert (larger.is_larger, smaller.is_larger) == (True, False)
    assert all((one.is_bound, one.is_decidable, one.is_apart) for one in (larger, smaller))
    for value in (Estimate(4.5, 1.0, 2), bound):
        unknown = compared(bound, value)
        assert unknown.is_larger is None
        assert not unknown.is_decidable
        assert not unknown.is_apart
    # Without an interval the value itself is what is known.
    assert compared(bound, Estimate(4.9, math.nan, 1)).is_larger


def test_a_comparison_of_two_bounds_decides_nothing() -> None:
    swept = f'{INCAST}[sweep]\n"duration" = ["2 ms", "3 ms"]\n'
    results = cellrelay.run(cellrelay.parse(swept, "incast"), replications=2)
    (one,) = results.compare("max_completion_time", scope="flow f")
    assert one.is_bound
    assert not one.is_decidable
    assert not one.is_apart
    assert "> 3" in repr(results.compare("max_completion_time", scope="flow f"))


@pytest.mark.parametrize(("transport", "starved"), [("tcp", 15), ("pull", 16)])
def test_files_that_starve_are_told_of_too(transport: str, starved: int) -> None:
    text = INCAST.replace(CONNECTIONS, 'source.files = { length.constant = "10 MB" }')
    if transport == "pull":
        text = text.partition("[flow.f.transport.tcp]")[0]
        text += '[flow.f.transport.pull]\npacket = "9000 B"\n'
    results = cellrelay.run(cellrelay.parse(text, "incast"), replications=2)
    assert STARVED.replace("15 of", f"{starved} of") in results.warnings()
    assert results.estimate("p99_completion_time", "flow f").is_bound


def test_a_plot_tells_which_points_are_left_out(command: Command, tmp_path: Path) -> None:
    swept = f'{INCAST}[sweep]\n"duration" = ["100 ns", "2 ms"]\n'
    (tmp_path / "swept.toml").write_text(swept)
    assert command("run", "swept.toml", "--replications", "2").code == 0
    chosen = ("--metric", "mean_rtt", "--scope", "flow f[0]")
    drawn = command("plot", "results/swept", *chosen, "--out", "rtt.svg")
    told = "warning: `mean_rtt` of `flow f[0]` was not measured, and is left out"
    assert f"{told} (duration = 100 ns)" in drawn.err, drawn.err
