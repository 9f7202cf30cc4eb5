"""Runs in batches, warm-up and comparisons, from the scenario to what the command line prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import cellrelay
from cellrelay.cli.exits import BAD_INPUT, DONE, STOPPED_EARLY
from cellrelay.results import Results, Unknown
from cellrelay.results.files.folder import read_folder, write_folder
from cellrelay.scenario import Replications
from cellrelay.statistics import estimate, is_precise

from .command import Command

EXAMPLES = Path(__file__).parent.parent / "examples"
QUEUE = EXAMPLES / "single-queue.toml"
SHORT = {"duration": "4 s", "warm_up": "0 s"}
PORT = "port r->sink"
ONCE = Replications.exactly(1)


def divided(
    batches: int, replications: Replications = ONCE, settings: Mapping[str, str] | None = None
) -> Results:
    known = {**SHORT, "batches": str(batches), **(settings or {})}
    return cellrelay.run(QUEUE, known, replications=replications)


def test_every_batch_is_a_sample() -> None:
    results = divided(10, Replications.exactly(3))
    known = results.estimate("mean_delay", "flow probe")
    assert known.n == 30
    point = results.point()
    assert len(point.by_sample("mean_queue_octets", PORT)) == 30
    assert len(point.by_replication("mean_queue_octets", PORT)) == 3
    whole = cellrelay.run(QUEUE, SHORT, replications=3)
    assert results.estimate("goodput", "flow probe").mean == pytest.approx(
        whole.estimate("goodput", "flow probe").mean
    )


def test_batches_come_back_from_store_and_folder(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    known = {**SHORT, "batches": "10"}
    first = cellrelay.run(QUEUE, known, replications=2, store=store)
    again = cellrelay.run(QUEUE, known, replications=2, store=store)
    assert again.point().runs == first.point().runs
    write_folder(first, tmp_path / "results")
    back = read_folder(tmp_path / "results")
    assert back.to_json() == first.to_json()
    assert back.estimate("mean_queue_octets", PORT) == first.estimate("mean_queue_octets", PORT)
    header = (tmp_path / "results" / "replications.csv").read_text().splitlines()[0]
    assert header == "replication,batch,seed,scope,metric,value,unit"


def test_the_number_of_batches_is_part_of_a_run(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    for batches in (10, 20):
        results = cellrelay.run(
            QUEUE, {**SHORT, "batches": str(batches)}, replications=1, store=store
        )
        assert results.point().batches == batches


def test_short_batches_are_warned_of() -> None:
    """A link at 97 % of its load remembers for longer than a hundredth of a second."""
    busy = {"flow.probe.source.telnet.gap.exponential.mean": "1.03 ms"}
    warnings = list(divided(400, settings=busy).warnings())
    (warning,) = (text for text in warnings if text.startswith("batches are not independent"))
    assert "correlation 0." in warning
    assert not divided(10).warnings()
    (test,) = divided(400, settings=busy).independence("mean_queue_octets", PORT)
    assert test.lag1 > 0.8
    assert divided(7).independence("mean_queue_octets", PORT) == []


def test_ten_batches_show_a_queue_that_grows_all_the_time() -> None:
    """Most numbers of a run never vary: they are no chances of a false alarm."""
    over = {"flow.probe.source.telnet.gap.exponential.mean": "0.8 ms"}
    (warning,) = divided(10, settings=over).warnings()
    assert warning.startswith("batches are not independent")


def test_a_warning_names_batches_too_few_to_test() -> None:
    (warning,) = divided(7).warnings()
    assert warning.startswith("7 batches are too few to tell whether they are independent")
    assert not divided(8).warnings()


def test_replications_go_on_until_the_last_metric_is_known() -> None:
    results = cellrelay.run(QUEUE, {"duration": "10 s"})
    level = 1 - 0.05 / 2
    point = results.point()
    goals = [point.samples("mean_delay", "flow probe"), point.samples("mean_queue_octets", PORT)]
    assert all(is_precise(samples, 0.05, level) for samples in goals)
    before = [samples[:-20] for samples in goals]
    assert not all(is_precise(samples, 0.05, level) for samples in before)
    assert is_precise(before[0], 0.05, level)


def test_a_group_is_known_by_the_mean_of_its_members() -> None:
    settings = {"duration": "0.3 s", "switch.s1.buffer.per_output": "2000 cells"}
    rule = Replications(3, 40, cellrelay.Until("flow bulk goodput", 0.02, 0.95))
    results = cellrelay.run(EXAMPLES / "policies.toml", settings, replications=rule)
    assert all(point.is_precise for point in results.points)
    assert any(len(point.runs) > 3 for point in results.points)


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    buffers = '["1000 cells", "2000 cells"]'
    settings = {"duration": "0.3 s", 'sweep."switch.s1.buffer.per_output"': buffers}
    results = cellrelay.run(EXAMPLES / "policies.toml", settings, replications=4)
    folder = tmp_path_factory.mktemp("policies")
    write_folder(results, folder)
    return folder


def test_policies_are_compared_with_one_of_them(policies: Path) -> None:
    results = read_folder(policies)
    found = results.compare("effective_throughput", "carried", "cells, early packet discard")
    assert len(found) == 2 * 3
    for one in found:
        assert one.difference.n == 4
        assert one.difference.level == pytest.approx(1 - 0.05 / 3)
        assert one.difference.mean == pytest.approx(one.value.mean - one.base.mean)
    plain = [one for one in found if one.point["carried"] == "cells, tail drop"]
    assert all(one.is_apart and one.difference.mean < 0 for one in plain)
    with pytest.raises(Unknown, match="`delay` is not a metric of `network`"):
        results.compare("delay", "carried")


def test_one_sample_sets_nothing_apart() -> None:
    results = cellrelay.run(EXAMPLES / "policies.toml", {"duration": "0.1 s"}, replications=1)
    found = results.compare("effective_throughput", "carried")
    assert found
    assert not any(one.is_apart for one in found)


def test_compare_prints_a_row_a_point(command: Command, policies: Path) -> None:
    ended = command("compare", str(policies), "--by", "carried")
    assert ended.code == DONE
    lines = ended.out.splitlines()
    assert lines[1].endswith("compared with carried = cells, tail drop, on common random numbers")
    assert len(lines) == 5 + 6
    assert all(line.endswith(("yes", "no")) for line in lines[5:])
    ended = command("compare", str(policies), "--by", "carried", "--json")
    document = json.loads(ended.out)
    assert [one["n"] for one in document] == [4] * 6
    assert all(one["ci_low"] < one["difference"] < one["ci_high"] for one in document)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--by", "carryed"], "`carryed` is not an axis"),
        (["--by", "carried", "--to", "pigeons"], "no point has carried = pigeons"),
        (["--by", "carried", "--scope", "flow birds"], "there is no `flow birds` in these results"),
        (["--metric", "mean_delay"], "hint: it is a metric of a `flow`: say of which"),
        (
            ["--by", "carried", "--where", "carried=whole packets"],
            "`carried` has one value",
        ),
    ],
)
def test_what_cannot_be_compared_is_said(
    command: Command, policies: Path, options: list[str], said: str
) -> None:
    ended = command("compare", str(policies), *options)
    assert ended.code == BAD_INPUT
    assert said in ended.err
    assert "hint: " in ended.err


def test_warm_up_finds_when_a_flow_begins(command: Command) -> None:
    start = ["--set", "flow.probe.source.telnet.start=0.5 s", "--set", "duration=4 s"]
    ended = command("warm-up", str(QUEUE), *start, "--metric", "flow probe goodput")
    assert (ended.code, ended.err) == (DONE, "")
    seconds = float(ended.out.splitlines()[-1].split('"')[1].removesuffix(" s"))
    assert 0.48 <= seconds <= 0.6


def test_a_group_begins_when_its_members_do(command: Command) -> None:
    group = ["--set", "host.source.count=2"]
    group += ["--set", "flow.probe.source.telnet.gap.exponential.mean=4 ms"]
    start = ["--set", "flow.probe.source.telnet.start=0.5 s", "--set", "duration=4 s"]
    ended = command("warm-up", str(QUEUE), *group, *start, "--metric", "flow probe goodput")
    assert (ended.code, ended.err) == (DONE, "")
    seconds = float(ended.out.splitlines()[-1].split('"')[1].removesuffix(" s"))
    assert 0.48 <= seconds <= 0.6


def test_what_has_no_title_begins_with_what_was_done(command: Command) -> None:
    untitled = [
        "--set",
        'title=""',
        "--metric",
        f"{PORT} mean_queue_octets",
        "--set",
        "duration=4 s",
    ]
    ended = command("warm-up", str(QUEUE), *untitled)
    assert ended.out.startswith("MSER-5 over")


def test_a_run_that_never_settles_has_no_warm_up(command: Command) -> None:
    """More comes than can leave, and the queue grows without end."""
    settings = [
        "--set",
        "flow.probe.source.telnet.gap.exponential.mean=0.8 ms",
        "--set",
        "duration=2 s",
    ]
    ended = command("warm-up", str(QUEUE), "--metric", f"{PORT} mean_queue_octets", *settings)
    assert ended.code == STOPPED_EARLY
    assert "not found" in ended.out
    assert "lengthen `duration`" in ended.err


IDLE = ["--set", "flow.probe.source.telnet.start=1 h"]
"""The flow begins after the end of the run."""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (IDLE, "no metric of the network that is measured in every interval ever changes"),
        (["--intervals", "49"], "--intervals: `49` is too small"),
        (["--metric", "flow probe speed"], "`speed` is not a metric of a flow"),
        (
            ["--intervals", "5000", "--set", "duration=1 s", "--metric", "flow probe mean_delay"],
            "is not measured in every interval",
        ),
    ],
)
def test_what_has_no_warm_up_is_said(command: Command, options: list[str], said: str) -> None:
    ended = command("warm-up", str(QUEUE), *options)
    assert ended.code == BAD_INPUT
    assert said in ended.err
    assert "hint: " in ended.err


SERVICES = {
    "M/M/1": ("geometric = { mean = '1000 B' }", 2 - 1e-3),
    "M/D/1": ("constant = '1000 B'", 1.0),
}
"""How long packets are, and the second moment of their services, of which the mean is one."""


def share_held(name: str, runs: int) -> float:
    """The share of runs whose interval, from twenty batches, holds the mean delay of theory."""
    length, second_moment = SERVICES[name]
    settings = {
        "duration": "20.5 s",
        "flow.probe.source": f"{{ poisson = {{ gap = '2 ms', length = {{ {length} }} }} }}",
        "flow.probe.transport.datagram.packet": "60000 B",
    }
    results = cellrelay.run(QUEUE, settings, replications=Replications.exactly(runs))
    delays = results.point().by_sample("mean_delay", "flow probe")
    held = 0
    for start in range(0, len(delays), 20):
        known = estimate(delays[start : start + 20])
        # A service of a millisecond, and the wait of Pollaczek and Khinchine at half the load.
        held += known.low <= 1e-3 * (1 + second_moment / 2) <= known.high
    return held / runs


@pytest.mark.parametrize("name", SERVICES)
def test_runs_of_the_simulator_hold_what_theory_says(name: str) -> None:
    # Three standard deviations of a binomial share of 100.
    assert share_held(name, 100) >= 0.95 - 0.066


@pytest.mark.slow
@pytest.mark.parametrize("name", SERVICES)
def test_nominal_95_percent_are_93_to_97_over_a_thousand_runs(name: str) -> None:
    assert 0.93 <= share_held(name, 1000) <= 0.97
