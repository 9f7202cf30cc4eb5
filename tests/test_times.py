"""How long packets and messages took, over all members of a group, batches and replications."""

from __future__ import annotations

import json
from array import array
from fractions import Fraction
from pathlib import Path

import pytest

import cellrelay
from cellrelay.metrics.metric import metric_of
from cellrelay.metrics.scope import Scope
from cellrelay.results import Results
from cellrelay.results.files.folder import read_folder, write_folder
from cellrelay.scenario import Goal, Replications, Until
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.statistics import Distribution, merged
from cellrelay.store import Store
from cellrelay.store.packing import packed, unpacked

ASK = """
duration = "2 s"
warm_up = "0.1 s"
[host.client]
count = 3
[host.server]
[switch.s1]
buffer.per_output = "3000 cells"
[link.in]
between = ["client", "s1"]
rate = "155.52 Mbit/s"
[link.out]
between = ["s1", "server"]
rate = "20 Mbit/s"
delay = "1 ms"
[flow.web]
from = "client"
to = "server"
transport.tcp = { packet = "1500 B", window = "64 KiB" }
source.files = { length.geometric = { mean = "20 kB" }, gap = { exponential = { mean = "20 ms" } } }
"""


@pytest.fixture(scope="module")
def results() -> Results:
    return cellrelay.run(cellrelay.parse(ASK, "ask"), replications=4)


def test_a_quantile_of_a_group_is_that_of_all_its_messages(results: Results) -> None:
    point = results.point()
    together = point.distribution("completion_time", "flow web")
    assert together is not None
    members = [f"flow web[{member}]" for member in range(3)]
    assert together.count == sum(sum(point.by_replication("messages", one)) for one in members)
    known = point.sampled("p95_completion_time", *members).estimate()
    assert known.mean == together.quantile(Fraction(95, 100))
    assert known.n == 4
    assert known.half_width > 0.0
    longest = max(max(point.by_replication("max_completion_time", one)) for one in members)
    assert known.mean <= together.most == longest
    # The mean of the members' is not it.
    of_members = [value for one in members for value in point.samples("p95_completion_time", one)]
    assert abs(sum(of_members) / len(of_members) / known.mean - 1) > 0.001
    # Part of a group is the mean over its members.
    assert point.sampled("p95_completion_time", members[0]).centre is None


def test_delays_of_packets_have_quantiles_as_well(results: Results) -> None:
    point = results.point()
    members = [f"flow web[{member}]" for member in range(3)]
    delays = point.distribution("delay", "flow web")
    assert delays is not None
    assert delays.count == sum(
        sum(point.by_replication("packets_delivered", one)) for one in members
    )
    middle, tail = (
        point.sampled(f"{name}_delay", *members).estimate().mean for name in ("median", "p999")
    )
    assert delays.least <= middle < tail <= delays.most
    mean = sum(t * n for t, n in zip(delays.times, delays.counts, strict=True)) / delays.count
    assert mean == pytest.approx(point.sampled("mean_delay", *members).estimate().mean, rel=4e-3)


def test_batches_merge_to_the_whole_run() -> None:
    whole, parts = (
        cellrelay.run(cellrelay.parse(ASK, "ask", settings), replications=1).point()
        for settings in ({}, {"batches": "10"})
    )
    first, second = (point.distribution("delay", "flow web") for point in (whole, parts))
    assert first == second
    assert len(parts.runs[0].distributions) == 10
    members = [f"flow web[{member}]" for member in range(3)]
    assert (
        parts.sampled("p99_delay", *members).estimate().mean
        == whole.sampled("p99_delay", *members).estimate().mean
    )


def test_quantiles_survive_the_store_and_the_folder(tmp_path: Path) -> None:
    scenario = cellrelay.parse(ASK, "ask")
    kept = cellrelay.run(scenario, replications=3, store=tmp_path / "store.sqlite")
    again = cellrelay.run(scenario, replications=3, store=tmp_path / "store.sqlite")
    assert again.point().quantiles == kept.point().quantiles
    write_folder(kept, tmp_path / "folder")
    read = read_folder(tmp_path / "folder")
    members = [f"flow web[{member}]" for member in range(3)]
    for metric in ("p99_completion_time", "median_delay"):
        expected = kept.point().sampled(metric, *members).estimate()
        assert read.point().sampled(metric, *members).estimate() == expected
    document = json.loads((tmp_path / "folder" / "results.json").read_text())
    assert {one["scope"] for one in document["points"][0]["quantiles"]} == {"flow web"}


def test_until_may_ask_for_a_quantile_of_a_group() -> None:
    rule = Replications(3, 30, Until("flow web median_delay", half_width=0.2, confidence=0.9))
    results = cellrelay.run(cellrelay.parse(ASK, "ask"), replications=rule)
    assert results.point().is_precise
    assert 12 <= len(results.point().runs) < 30


def test_packed_numbers_are_what_was_packed() -> None:
    waits = Distribution(0.5, 4.0, array("d", [0.5, 4.0]), array("Q", [3, 2**40]))
    run = Run(
        (Label(Scope.flow("ü"), "mean_delay", "s"),),
        array("d", [1.5]),
        "abc",
        batches=(array("d", [1.0]), array("d", [2.0])),
        distributions=({(Scope.flow("ü"), "delay"): waits}, {}),
    )
    numbers = unpacked(packed(run))
    assert numbers == (run.values, run.batches, run.distributions)
    assert unpacked(packed(Run((), array("d"), ""))) == (array("d"), (), ())


def test_merged_quantiles_are_those_of_all() -> None:
    parts = [
        Distribution(1.0, 1.0, array("d", [1.0]), array("Q", [99])),
        Distribution(7.0, 7.2, array("d", [7.1]), array("Q", [1])),
    ]
    both = merged(parts)
    assert [both.quantile(Fraction(share, 100)) for share in (50, 99, 100)] == [1.0, 1.0, 7.1]
    assert (both.least, both.most, both.count) == (1.0, 7.2, 100)
    # A single message took its own time, and not the middle of its class.
    alone = Distribution(3.01, 3.01, array("d", [3.0]), array("Q", [1]))
    assert alone.quantile(Fraction(1, 2)) == 3.01


def test_names_of_quantiles_are_read_once() -> None:
    found = metric_of(Scope.flow("web"), "p999_delay")
    assert found is not None
    assert (found.times, found.quantile) == ("delay", Fraction(999, 1000))
    mean = metric_of(Scope.flow("web"), "mean_delay")
    assert mean is not None
    assert mean.quantile is None
    assert Goal.read("flow web p99_delay").covers(Scope.flow("web", 2))
    with Store() as store:
        assert store.contents().runs == 0
