"""What a hop costs in instructions, beside its record; what is the same in ns-2; and the tools."""

from __future__ import annotations

import csv
import platform
import re
from pathlib import Path

import numpy as np
import pytest
from benches import threads
from benches.callgrind import Around, around, build
from benches.counts import (
    RECORD,
    advice,
    compiler,
    differences,
    measure,
    recorded,
    renewed,
)
from benches.peers import NETWORKS, SCALE, Cost, Pairs, Results, compared, in_turn, on_record, told
from benches.profile import by_function, by_stage, read
from benches.scaling import AXES, COSTS, DATA, draw

from .debian import require

PAGE = RECORD.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def program() -> Path:
    return build()


@pytest.mark.slow
def test_no_hop_costs_other_than_recorded() -> None:
    if platform.machine() != "x86_64":
        pytest.skip("the record is of x86-64")
    require("valgrind", package="valgrind")
    found = [f"{name}: {text}" for name, text in differences(recorded(PAGE), measure())]
    if compiler() not in PAGE:
        # The compiler has its share in every number.
        print(f"the record is not of {compiler()}:", *found, sep="\n")
        return
    assert not found, "\n".join([*found, advice()])


AROUND = {
    "cells": (500, 1000, 2000),
    "packets": (500, 1000, 2000),
    "retry": (500, 1000, 2000),
    "pauses": (500, 1000, 2000),
    "credits": (500, 1000, 2000),
    # Hosts grow with the cube of the ports, and the links of each flow with their square.
    "fat-tree": (4, 8, 12),
    "pulls": (2000, 4000, 8000),
}
"""Sizes of networks around whose runs instructions are counted."""


@pytest.mark.slow
@pytest.mark.parametrize("network", AROUND)
def test_what_stands_around_a_run_grows_with_its_parts_and_not_with_their_square(
    program: Path, network: str
) -> None:
    require("valgrind", package="valgrind")
    few, many, more = (around(program, network, size) for size in AROUND[network])

    def each(less: Around, most: Around) -> float:
        return (most.instructions - less.instructions) / (most.parts - less.parts)

    # By the square of parts of which there are twice as many, each would take twice as much.
    assert each(many, more) < 1.4 * each(few, many)


AT_MOST = {
    # Against the same cells at the same rate without RM cells.
    ("hundred-cells-abr", "hundred-cells-paced"): 1.35,
    ("hundred-cells-erica", "hundred-cells-paced"): 1.62,
    ("one-host-cells-erica", "one-host-cells-paced"): 1.1,
    # Against full windows in trains back to back, many cells of which move in one step.
    ("hundred-cells-abr", "hundred-cells"): 1.9,
    ("hundred-cells-erica", "hundred-cells"): 2.3,
    ("one-host-cells-erica", "one-host-cells"): 3.55,
}
"""Instructions a cell-hop of one workload over those of another: see the page on benchmarks."""


WATCHED_AT_MOST = {
    (f"{name}-{look}", name): limit
    for name in ("ten-cells-9180", "hundred-cells")
    for look, limit in (("unseen", 31), ("seen", 42))
}
"""Instructions a cell-hop that a run takes more if it is watched, as fast as it goes, by nobody or
by somebody: the drops are listed, each with its time."""


@pytest.mark.parametrize(
    ("workloads", "limit"),
    WATCHED_AT_MOST.items(),
    ids=lambda value: "-over-".join(value) if isinstance(value, tuple) else None,
)
def test_watching_costs_no_more_than_is_said(workloads: tuple[str, str], limit: float) -> None:
    one, other = (recorded(PAGE)[name] for name in workloads)
    assert one - other <= limit


@pytest.mark.parametrize(
    ("workloads", "limit"),
    AT_MOST.items(),
    ids=lambda value: "-over-".join(value) if isinstance(value, tuple) else None,
)
def test_no_way_costs_more_than_is_said(workloads: tuple[str, str], limit: float) -> None:
    # The record itself is held to what is counted above.
    one, other = (recorded(PAGE)[name] for name in workloads)
    assert one / other <= limit


@pytest.mark.slow
def test_goodput_is_that_of_ns(program: Path) -> None:
    require("ns", package="ns2")
    assert not [text for network in NETWORKS for text in in_turn(program, network, 1).apart()]


def test_results_that_differ_by_more_than_a_percent_are_told() -> None:
    ours, theirs = Results(101.1, 0.999, 0.0, 0.0), Results(100.0, 0.999, 0.0, 9.0)
    assert Pairs([1.0], [2.0], (ours, theirs), 1).apart() == ["goodput is +1.10% from that of ns-2"]
    assert not Pairs([1.0], [2.0], (theirs, theirs), 1).apart()


def test_simulators_that_run_in_turn_are_compared_pair_by_pair() -> None:
    results = Results(100.0, 1.0, 0.0, 0.0)
    pairs = Pairs([1.0, 2.0, 1.0], [2.0, 8.0, 3.0], (results, results), 10**9)
    *_, ratio = told(SCALE, pairs)
    assert ratio.startswith(
        "ns-2 takes 3.00 (2.00 to 4.00) times as long, in pairs; measured now: "
    )


def test_a_time_on_record_is_scaled_to_the_machine_and_every_number_says_where_it_is_from() -> None:
    ours = Cost("cellrelay", 10.0, 100.0, "measured now: 2001-01-01, this")
    theirs = Cost("YATS", 20.0, 300.0, "on record: 2000-01-01, that")
    _, *costs, ratio = compared("ten-cells-512", ours, [theirs], 0.5)
    assert [line.endswith(cost.source) for line, cost in zip(costs, (ours, theirs), strict=True)]
    assert ratio.startswith("YATS takes 3.00 times as many instructions: its record over our count")
    assert "and 1.00 times as long: its record, times 0.50 as ns-2 takes now" in ratio
    # Without ns-2 nothing makes the times of two machines comparable.
    *_, ratio = compared("ten-cells-512", ours, [theirs], None)
    assert "as long" not in ratio


def test_the_record_has_each_fastest_peer_beside_us_and_the_scale() -> None:
    record = on_record()
    assert {costs[0].simulator for costs in record.values()} == {"htsim", "YATS"}
    assert all(costs[-1].simulator == "cellrelay" for costs in record.values())
    assert "ns-2" in [cost.simulator for cost in record[SCALE]]
    # Two switches, the hardest comparison of all.
    assert "long-cells-1182" in record
    assert set(record) <= set(recorded(PAGE))


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({"a": 104.0, "b": 10.0}, ["a: 104.0 instructions a hop: 4.0% more than its record"]),
        ({"a": 96.0, "b": 10.0}, ["a: 96.0 instructions a hop: 4.0% less than its record"]),
        ({"a": 102.9, "b": 9.8}, []),
        ({"a": 100.0, "c": 1.0}, ["c: has no record", "b: is recorded, but no longer counted"]),
    ],
)
def test_a_count_may_move_by_three_percent(now: dict[str, float], said: list[str]) -> None:
    found = differences({"a": 100.0, "b": 10.0}, now)
    assert [f"{name}: {text}" for name, text in found] == said


def test_the_page_on_benchmarks_has_the_counts_of_the_record() -> None:
    """The page once compared others with the count of a network that no peer had run."""
    page = (RECORD.parents[1] / "docs/reference/benchmarks.md").read_text(encoding="utf-8")
    table = r"^(\S+) +instructions/hop ns/hop\ncellrelay +([\d.]+) "
    printed = {name: float(count) for name, count in re.findall(table, page, re.MULTILINE)}
    known = recorded(PAGE)
    assert printed.keys() == on_record().keys()
    assert not differences({name: known[name] for name in printed}, printed)


def test_a_renewed_record_says_when_and_why() -> None:
    counts = {name: count + 1 for name, count in recorded(PAGE).items()}
    page = renewed(PAGE, counts, "Count one more", "2000-01-01")
    assert recorded(page) == pytest.approx(counts)
    lines = page.splitlines()
    newest = next(line for line in lines if line.startswith("| 2"))
    assert newest.startswith("| 2000-01-01 | Count one more | ")
    assert len(lines) == len(PAGE.splitlines()) + 1


CALLGRIND = """\
positions: line
events: Ir

ob=(1) speed
fl=(1) /x/crates/models/src/output/port.rs
fn=(1) Output::offer
10 30
fi=(2) /rustc/library/core/src/slice/index.rs
+3 8
fe=(3) /x/crates/models/src/metrics/port.rs
20 10
cfi=(4) /x/crates/models/src/output/discard/early_packet.rs
cfn=(2) State::admit
calls=7 50
20 1000
* 2

fl=(4)
fn=(2)
5 700
ob=(2) libc.so
fl=(5) ???
fn=(3) malloc
0 4
"""


def test_a_profile_counts_what_was_inlined_and_not_what_was_called() -> None:
    costs = read(CALLGRIND.splitlines())
    assert by_function(costs) == {"Output::offer": 50, "State::admit": 700, "malloc": 4}
    # The 8 instructions of slice code are charged to ports (30) and meters (12) in proportion.
    assert by_stage(costs) == {"ports": 736, "meters": 14, "libraries": 4}


def test_the_figure_shows_every_cost_along_every_axis() -> None:
    rows = list(csv.DictReader(DATA.read_text(encoding="utf-8").splitlines()))
    panels = [(axis, cost) for cost in COSTS for axis in AXES]
    for (axis, cost), axes in zip(panels, draw(rows).axes, strict=True):
        (line,) = axes.get_lines()
        shown = [[float(row["number"]), float(row[cost])] for row in rows if row["axis"] == axis]
        assert np.asarray(line.get_xydata()).tolist() == shown


def test_the_page_on_threads_shows_what_was_measured() -> None:
    page, rows = threads.PAGE.read_text(encoding="utf-8"), threads.recorded()
    assert [row["workload"] for row in rows] == list(threads.WORKLOADS)
    assert threads.table(rows) + "\n" in page
    assert threads.source(rows) in page
