"""Replications of a scenario without chance are one sample: no table gives them an interval."""

from __future__ import annotations

import csv
import json
from array import array
from pathlib import Path

import pytest

from cellrelay.cli.exits import DONE
from cellrelay.metrics.scope import NETWORK
from cellrelay.results import PointResult, Provenance, Results
from cellrelay.results.files.folder import read_folder
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run

from .command import Command, Ended

SCENARIO = """
duration = "2 s"
warm_up = "0.5 s"
[host.a]
[host.b]
[switch.s1]
buffer.per_output = "2000 cells"
[link.in]
between = ["a", "s1"]
rate = "100 Mbit/s"
[link.out]
between = ["s1", "b"]
rate = "10 Mbit/s"
[flow.bulk]
from = "a"
to = "b"
source.greedy = {}
transport.tcp = { packet = "1500 B", window = "64 KiB" }
[sweep]
"link.out.delay" = ["1 ms", "50 ms"]
"""


@pytest.fixture
def run(command: Command, tmp_path: Path) -> Ended:
    (tmp_path / "fixed.toml").write_text(SCENARIO)
    ended = command("run", "fixed.toml", "--replications", "3", "--out", "out")
    assert ended.code == DONE
    return ended


def test_a_table_says_it_in_place_of_intervals(run: Ended, command: Command) -> None:
    assert run.out.startswith("2 points, seed 1, the same in all 3 replications\n")
    assert "±" not in run.out
    assert all(
        line.endswith(" 1") for line in run.out.splitlines() if line.startswith(("1 ", "50 "))
    )
    point = command(
        "run", "fixed.toml", "--replications", "3", "--out", "point", "--where", "delay=1 ms"
    )
    assert "±" not in point.out
    assert "3 replications are one sample" in point.err


def test_one_point_is_shown_as_after_one_replication(run: Ended, command: Command) -> None:
    single = SCENARIO.partition("[sweep]")[0]
    Path("single.toml").write_text(single)
    thrice = command("run", "single.toml", "--replications", "3", "--out", "thrice").out
    once = command("run", "single.toml", "--replications", "1", "--out", "once").out
    assert thrice.partition("\n")[0] == "seed 1, the same in all 3 replications"
    assert thrice.partition("\n")[2] == once.partition("\n")[2]


def test_files_keep_their_columns_and_leave_the_interval_empty(run: Ended) -> None:
    with Path("out", "scalars.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["n"], row["ci_low"], row["ci_high"]) for row in rows} <= {
        ("1", "", ""),
        ("0", "", ""),
    }
    with Path("out", "replications.csv").open(newline="") as file:
        assert {row["replication"] for row in csv.DictReader(file)} == {"0", "1", "2"}
    document = json.loads(Path("out", "results.json").read_text())
    assert {known["replications"] for known in document["points"]} == {3}
    assert not any("ci_low" in known for known in document["scalars"])


def test_results_from_a_folder_say_the_same(run: Ended) -> None:
    results = read_folder(Path("out"))
    assert [point.is_repetition for point in results.points] == [True, True]
    assert results.estimate("goodput", delay="1 ms").n == 1


def test_a_comparison_without_chance_is_exact(run: Ended, command: Command) -> None:
    ended = command("compare", "out", "--metric", "goodput")
    row = ended.out.splitlines()[-1]
    assert "±" not in row
    assert row.split()[-2:] == ["1", "yes"]
    assert "significance" not in ended.out
    same = command("compare", "out", "--metric", "fairness_index").out.splitlines()[-1]
    assert same.split()[-2:] == ["1", "no"]


def replicated(*goodputs: float, batches: int = 0) -> PointResult:
    labels = (Label(NETWORK, "goodput", "b/s"),)
    runs = tuple(
        Run(
            labels,
            array("d", [value]),
            digest="",
            batches=tuple(array("d", [value + number]) for number in range(batches)),
        )
        for value in goodputs
    )
    return PointResult({"rate": f"{goodputs[0]} b/s"}, runs, seed=1)


def results_of(*points: PointResult) -> Results:
    return Results(Provenance("test", "", "", "", 1), ("rate",), points)


def test_one_different_replication_makes_samples_of_all() -> None:
    assert replicated(5.0, 5.0, 5.0).estimate("goodput").n == 1
    known = replicated(5.0, 5.0, 5.5).estimate("goodput")
    assert known.n == 3
    assert known.half_width > 0.0


def test_batches_of_a_repeated_run_count_once() -> None:
    once, thrice = (replicated(*[5.0] * runs, batches=10).estimate("goodput") for runs in (1, 3))
    assert thrice == once
    assert thrice.n == 10


def test_a_point_without_chance_has_a_pair_for_each_replication_of_another() -> None:
    results = results_of(replicated(5.0, 5.0, 5.0), replicated(6.0, 6.1, 6.2))
    (one,) = results.compare("goodput")
    assert (one.base.n, one.value.n, one.difference.n, one.of) == (1, 3, 3, 3)
    assert one.is_apart
    difference = results.difference(results, "goodput", rate="6.0 b/s")
    assert difference.n == 3
    fixed = results.select(rate="5.0 b/s")
    assert fixed.difference(fixed, "goodput").n == 1
    (exact,) = results_of(replicated(5.0, 5.0), replicated(6.0, 6.0)).compare("goodput")
    assert (exact.is_exact, exact.is_decidable, exact.is_apart, exact.of) == (True, True, True, 1)
