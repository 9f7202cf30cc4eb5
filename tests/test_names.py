"""Names, values and settings from Python: what is misspelt is refused, and never `nan`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cellrelay
from cellrelay.errors import ScenarioError
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import sweep
from cellrelay.results import NotMeasured, PointResult, Results, Unknown
from cellrelay.scenario import Replications, Scenario, Until, build, parse
from cellrelay.store import Store
from cellrelay.studies.measure import of_flow, of_network, of_port

from .double import made, queue
from .scenarios import PORT, SWEEP

SPELT = (
    PORT
    + """
[sweep]
"switch.s1.buffer.per_output" = ["0.05 MB", "200 cells"]
packet.small = { "flow.bulk.transport.tcp.packet" = "512 B" }
packet.large = { "flow.bulk.transport.tcp.packet" = "1500 B" }
"""
)
WHERE = {"per_output": "200 cells", "packet": "512 B"}


@pytest.fixture(scope="module")
def results() -> Results:
    return cellrelay.run(parse(SWEEP, "sweep.toml"))


@pytest.mark.parametrize(
    ("ask", "problem", "hint"),
    [
        (lambda r: r.estimate("godput", **WHERE), "`godput` is not a metric", "`goodput`?"),
        (
            lambda r: r.estimate("goodput", "flow g", **WHERE),
            "there is no `flow g`",
            "`flow bulk[0]`",
        ),
        (
            lambda r: r.estimate("goodput", "flow bulk[7]", **WHERE),
            "no `flow bulk[7]`",
            "did you mean",
        ),
        (
            lambda r: r.estimate("godput", "flow bulk", **WHERE),
            "`godput` is not a metric of `flow bulk`",
            "`goodput`?",
        ),
        (lambda r: r.estimate("mean_queue", **WHERE), "not a metric of `network`", "of a `port`"),
        (lambda r: r.estimate("goodput", packte="512 B"), "`packte` is not an axis", "`packet`?"),
        (
            lambda r: r.estimate("goodput", packet="521 B"),
            "no point has packet = 521 B",
            "`512 B`?",
        ),
        (
            lambda r: r.estimate("goodput"),
            "4 points are in this sweep",
            "`packet` is one of `512 B`",
        ),
        (
            lambda r: r.estimate("goodput", packet="512 B"),
            "2 points have packet",
            "`per_output` is one",
        ),
        (lambda r: r.metrics("flow g"), "there is no `flow g`", "`flow bulk[0]`"),
        (lambda r: r.compare("godput", "packet"), "`godput` is not a metric", "`goodput`?"),
        (lambda r: r.compare("goodput", to="1500 kB"), "no axis has the value", "`1500 B`?"),
        (lambda r: r.independence("godput", **WHERE), "`godput` is not a metric", "`goodput`?"),
        (lambda r: r.point(**WHERE).samples("godput"), "`godput` is not a metric", "`goodput`?"),
        (lambda r: r.difference(r, "godput", **WHERE), "`godput` is not a metric", "`goodput`?"),
        (lambda r: r.series("cwnd", "flow bulk[0]"), "4 points are in this sweep", "choose one"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_was_meant(
    results: Results, ask: Callable[[Results], object], problem: str, hint: str
) -> None:
    with pytest.raises(LookupError) as refused:
        ask(results)
    told, _, hinted = str(refused.value).partition("\n  hint: ")
    assert problem in told
    assert hint in hinted


def test_what_exists_and_never_happened_is_no_error(results: Results) -> None:
    for metric, scope in (
        ("mean_completion_time", "flow bulk[0]"),
        ("pushed_out", "drop bulk[0] at s1->receiver"),
        ("overflow", "drop bulk[1] at s1->sender[0]"),
    ):
        known = results.estimate(metric, scope, **WHERE)
        assert known.n == 0
        assert math.isnan(known.mean)
    with pytest.raises(Unknown, match="there is no `drop bulk"):
        results.estimate("overflow", "drop bulk[0] at s2->receiver", **WHERE)
    with pytest.raises(NotMeasured, match="was not measured"):
        results.compare("mean_completion_time", "packet", scope="flow bulk[0]")


def test_measures_of_studies_are_refused_when_they_are_read() -> None:
    with pytest.raises(Unknown, match="did you mean `goodput`"):
        of_network("godput")  # type: ignore[arg-type]
    with pytest.raises(Unknown, match="did you mean `timeouts`"):
        of_flow("timeuots", "bulk")  # type: ignore[arg-type]
    with pytest.raises(Unknown, match="did you mean `max_queue`"):
        of_port("max_quue", "s1->receiver")  # type: ignore[arg-type]


def test_a_rule_is_refused_before_anything_runs() -> None:
    scenario = queue({})
    rule = Replications(2, 4, Until("mean_wiat", half_width=0.1, confidence=0.9))
    misspelt = pytest.raises(ScenarioError, match="`mean_wiat` is not a metric")
    with open_pool() as pool, Store() as store, misspelt:
        sweep(scenario, pool, store, replications=rule)
    assert made(scenario) == []
    rule = Replications(2, 4, Until("flow bulkk goodput", half_width=0.1, confidence=0.9))
    with pytest.raises(ScenarioError, match=r"no flow `bulkk`\n  hint: did you mean `bulk`"):
        cellrelay.run(parse(PORT), replications=rule)


def test_values_come_back_as_they_were_written(tmp_path: Path) -> None:
    results = cellrelay.run(parse(SPELT), replications=1)
    assert results.values("per_output") == ["0.05 MB", "200 cells"]
    results.write_csv(tmp_path / "table.csv")
    assert "\n0.05 MB,small,0" in (tmp_path / "table.csv").read_text()
    for spelling in ("0.05 MB", "50 kB", "50000 B", "50000B"):
        assert len(results.select(per_output=spelling).points) == 2
    buffers = cellrelay.run(parse(SPELT), where={"per_output": "50 kB"}, replications=1)
    assert buffers.values("per_output") == ["0.05 MB"]
    axis = buffers.to_xarray()["switch.s1.buffer.per_output"]
    assert (axis.values.tolist(), axis.attrs["units"]) == ([50_000.0], "B")


def test_a_spelling_is_no_other_run(tmp_path: Path) -> None:
    first, second = parse(SPELT), parse(SPELT.replace("0.05 MB", "50000 B"))
    assert [first.point(k).key for k in range(4)] == [second.point(k).key for k in range(4)]


def test_some_points_of_a_sweep_are_run(results: Results) -> None:
    chosen = cellrelay.run(parse(SWEEP), where={"packet": "0.512 kB", "per_output": "200 cells"})
    assert [point.values for point in chosen.points] == [results.points[0].values]
    assert chosen.points[0].runs[0].digest == results.points[0].runs[0].digest
    with pytest.raises(LookupError, match="`packte` is not an axis"):
        cellrelay.run(parse(SWEEP), where={"packte": "512 B"})


@pytest.mark.parametrize(
    ("settings", "key", "value"),
    [
        ({"batches": 20}, "batches", 20),
        ({"batches": np.int64(20)}, "batches", 20),
        ([("seed", 7)], "seed", 7),
        ({"duration": "20 ms"}, "duration", "20 ms"),
        ({"sweep": {"seed": [1, 2]}}, "sweep", {"seed": [1, 2]}),
    ],
)
def test_settings_may_be_what_a_file_has(
    tmp_path: Path, settings: object, key: str, value: object
) -> None:
    import tomllib

    resolved = parse(PORT, settings=settings).resolved  # type: ignore[arg-type]
    assert tomllib.loads(resolved)[key] == value
    file = tmp_path / "port.toml"
    file.write_text(PORT)
    assert cellrelay.load(file, settings).resolved == resolved  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"batches": None}, "batches: a `NoneType` cannot be a value in a scenario"),
        ({"batches": 2.5}, "batches: `2.5` is not"),
        ({"batches": True}, "batches: `true` is not"),
        ({"duration": 20}, "duration: `20` has no unit"),
        ({"sweep": {"seed": [1, object()]}}, "sweep.seed[1]: a `object` cannot be a value"),
        ({"sweep": {1: [1]}}, "sweep: the key 1 is not a text"),
        ({1: 2}, "settings: 1 is not the path of a value"),
        (["duration=5 s"], "settings: 'duration=5 s' is not a path and a value"),
    ],
)
def test_settings_that_are_none_are_refused_in_their_place(settings: object, problem: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        parse(PORT, settings=settings)  # type: ignore[arg-type]
    assert problem in str(refused.value)
    assert "hint: " in str(refused.value)
    with pytest.raises(ScenarioError):
        build({"duration": object()})


def test_objects_are_told_in_a_few_lines(results: Results) -> None:
    many = parse(
        SWEEP.replace("[sweep]", "[sweep]\nseed = [" + ",".join(map(str, range(99))) + "]")
    )
    for known in (results, results.points[0], results.points[0].runs[0], results.provenance, many):
        told = repr(known)
        assert len(told.splitlines()) <= 8
        assert len(told) <= 600, told
    assert "packet: 512 B | 1500 B" in repr(results)
    assert repr(many.topology) == "Topology(4 nodes, 3 links)"
    assert "4 points, 2 replications, seed 1" in repr(results)
    assert "396 points" in repr(many)


def test_a_notebook_shows_a_table_that_is_escaped_and_bounded() -> None:
    title = 'title = "<script>alert(1)</script>"'
    seeds = f"[sweep]\nseed = [{','.join(map(str, range(1, 31)))}]"
    text = PORT.replace('title = "Two connections through one port"', title)
    results = cellrelay.run(parse(text + seeds, settings={"duration": "5 ms"}), replications=1)
    table = results._repr_html_()
    assert "<script>" not in table
    assert "&lt;script&gt;" in table
    assert table.count("<tr>") == 1 + 20
    assert "and 10 more" in table
    long = PointResult({"a" * 999: "b" * 999}, results.points[0].runs, seed=1)
    shortened = replace(results, axes=("a" * 999,), points=(long,))
    for told in (shortened._repr_html_(), repr(shortened)):
        assert "a" * 99 not in told
        assert "b" * 99 not in told
    one = results.select(seed=3)._repr_html_()
    assert "<th>goodput</th>" in one
    alone = cellrelay.run(parse(PORT), replications=1)._repr_html_()
    assert "<td>flow bulk[0]</td>" in alone


def test_dir_lists_what_there_is() -> None:
    assert set(dir(cellrelay)) == set(cellrelay.__all__)
    assert all(hasattr(cellrelay, name) for name in dir(cellrelay))
    public = {name for name in dir(cellrelay) if not name.startswith("_")}
    assert {"run", "load", "build", "parse", "Scenario", "Results"} <= public


def test_scenarios_are_told_by_name_title_and_points() -> None:
    assert repr(parse(SWEEP, "x.toml")) == (
        "Scenario('x.toml', title='Two connections through one port', 4 points)"
    )
    assert isinstance(parse(PORT), Scenario)
