"""Results keep their labels, units and provenance in every form they take."""

from __future__ import annotations

import json
import math
from array import array
from pathlib import Path

import numpy as np
import pytest

from cellrelay.errors import ScenarioError
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import sweep
from cellrelay.metrics.scope import Scope
from cellrelay.results import PointResult, Provenance, Results, Status, read_csv
from cellrelay.results.files.folder import read_folder, write_folder
from cellrelay.results.files.tidy import columns
from cellrelay.scenario import Replications, Until
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run
from cellrelay.store import Store

from .double import queue

CELLS: dict[str, tuple[str, ...]] = {
    "switch.s1.buffer.per_output": ("256 cells", "1000 cells"),
    "discard": ("plain", "epd"),
}


@pytest.fixture(scope="module")
def results() -> Results:
    with open_pool("threads:2") as pool, Store() as store:
        return sweep(queue(), pool, store)


@pytest.fixture(scope="module")
def cells() -> Results:
    with open_pool("threads:2") as pool, Store() as store:
        return sweep(queue(CELLS), pool, store, replications=Replications.exactly(2))


def test_axes_answer_to_the_ends_of_their_paths(cells: Results) -> None:
    by_end = cells.estimate("mean_wait", per_output="256 cells", discard="epd")
    by_path = cells.estimate(
        "mean_wait", **{"switch.s1.buffer.per_output": "256 cells", "discard": "epd"}
    )
    assert by_end == by_path
    assert cells.values("buffer.per_output") == ["256 cells", "1000 cells"]


def test_what_is_not_there_is_refused_by_name(cells: Results) -> None:
    with pytest.raises(LookupError, match="`packet` is not an axis"):
        cells.estimate("mean_wait", packet="512 B")
    with pytest.raises(LookupError, match="2 points have discard = epd"):
        cells.estimate("mean_wait", discard="epd")
    with pytest.raises(LookupError, match="no point has per_output = 7 cells"):
        cells.estimate("mean_wait", per_output="7 cells", discard="epd")


def test_differences_pair_replications(results: Results) -> None:
    difference = results.difference(results, "mean_wait", load="0.3", order="fifo")
    assert (difference.mean, difference.half_width) == (0.0, 0.0)


def test_the_document_is_what_the_command_line_promises(results: Results) -> None:
    document = results.to_json()
    assert list(document) == [
        *("scenario", "version", "seed", "status", "scalars", "units"),
        *("title", "model", "commit", "level", "points"),
    ]
    assert (document["seed"], document["status"]) == (1, "done")
    first = document["scalars"][0]
    assert list(first) == ["point", "scope", "metric", "value", "n", "ci_low", "ci_high"]
    point = document["points"][first["point"]]
    assert point["point"] == {"queue.load": "0.3", "queue.order": "fifo"}
    assert (first["scope"], first["metric"]) == ("network", "mean_wait")
    assert document["units"]["network"]["mean_wait"] == "s"
    assert first["ci_low"] < first["value"] < first["ci_high"]
    assert (first["n"], document["level"]) == (3, 0.95)
    json.dumps(document, allow_nan=False)


def test_an_interval_that_does_not_exist_is_left_out() -> None:
    with open_pool() as pool, Store() as store:
        once = sweep(queue(), pool, store, replications=Replications.exactly(1))
    first = once.to_json()["scalars"][0]
    assert first["n"] == 1
    assert not {"ci_low", "ci_high"} & set(first)


def test_a_unit_that_differs_from_that_of_its_kind_is_said_by_the_number() -> None:
    labels = (
        Label(Scope.port("a", "b"), "queue", "cells"),
        Label(Scope.port("b", "c"), "queue", "B"),
    )
    run = Run(labels, array("d", [1.0, math.nan]), "")
    results = Results(Provenance("x", "", "1", "m", 1), (), (PointResult({}, (run,), 1),))
    document = results.to_json()
    assert document["units"] == {"port": {"queue": "cells"}}
    assert document["scalars"] == [
        {"point": 0, "scope": "port a->b", "metric": "queue", "value": 1.0, "n": 1},
        {"point": 0, "scope": "port b->c", "metric": "queue", "n": 0, "unit": "B"},
    ]


def test_tidy_tables_come_back_from_their_files(results: Results, tmp_path: Path) -> None:
    results.write_csv(tmp_path / "table.csv")
    again = read_csv(tmp_path / "table.csv")
    assert columns(again) == columns(results)
    again.write_csv(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "table.csv").read_bytes()


def test_a_folder_holds_tables_document_and_scenario(results: Results, tmp_path: Path) -> None:
    write_folder(results, tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [
        "SHA256SUMS",
        "replications.csv",
        "replications.scopes.json",
        "results.json",
        "scalars.csv",
        "scenario.toml",
    ]
    again = read_folder(tmp_path / "out")
    assert again.provenance.scenario == "queue.toml"
    assert columns(again) == columns(results)
    assert json.loads((tmp_path / "out" / "results.json").read_text()) == results.to_json()


UNTIL = Replications(2, 3, Until("mean_wait", half_width=1e-5, confidence=0.9))


@pytest.mark.parametrize("fails_at", [None, ("0.95", 0), ("0.95", 2)])
def test_a_folder_forgets_nothing(tmp_path: Path, fails_at: tuple[str, int] | None) -> None:
    scenario = queue({"queue.load": ("0.95", "0.6")}, fails_at=fails_at)
    with open_pool() as pool, Store() as store:
        results = sweep(scenario, pool, store, replications=UNTIL)
    write_folder(results, tmp_path)
    again = read_folder(tmp_path)
    assert again.provenance == results.provenance
    assert again.provenance.resolved
    assert (again.status, again.level) == (results.status, 0.9)
    assert again.warnings() == results.warnings()
    assert [(p.values, p.key, p.failure, p.is_precise) for p in again.points] == [
        (p.values, p.key, p.failure, p.is_precise) for p in results.points
    ]
    assert all(p.key for p in again.points)
    assert again.to_json() == results.to_json()
    assert again.attributes == results.attributes


def test_a_folder_of_mixed_files_is_refused(results: Results, tmp_path: Path) -> None:
    write_folder(results, tmp_path)
    table = (tmp_path / "replications.csv").read_text().splitlines()
    (tmp_path / "replications.csv").write_text("\n".join(table[:-5]) + "\n")
    with pytest.raises(ScenarioError, match="has changed since"):
        read_folder(tmp_path)
    (tmp_path / "SHA256SUMS").unlink()
    with pytest.raises(ScenarioError, match="does not belong to"):
        read_folder(tmp_path)
    (tmp_path / "results.json").write_text("{}")
    with pytest.raises(ScenarioError, match="does not belong to"):
        read_folder(tmp_path)


@pytest.mark.parametrize("content", ["", "a,b\n1,2\n", "replication,seed,scope,metric\n", "\0"])
def test_what_is_no_table_of_results_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "replications.csv"
    path.write_text(content)
    with pytest.raises(ScenarioError, match="not a table of results"):
        read_csv(path)


def test_pandas_gets_the_tidy_table(results: Results) -> None:
    frame = results.to_pandas()
    assert list(frame.columns) == [
        *("queue.load", "queue.order"),
        *("replication", "seed", "scope", "metric", "value", "unit"),
    ]
    network = frame[(frame.scope == "network") & (frame.metric == "mean_wait")]
    assert len(network) == 4 * 3
    assert frame.attrs["scenario"] == "queue.toml"


def test_parquet_carries_the_same_table_and_where_it_comes_from(
    results: Results, tmp_path: Path
) -> None:
    import pyarrow.parquet

    results.write_parquet(tmp_path / "table.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "table.parquet")
    assert table.to_pydict() == columns(results)
    assert table.schema.metadata[b"cellrelay.scenario"] == b"queue.toml"


def test_xarray_has_the_axes_as_dimensions(cells: Results) -> None:
    dataset = cells.to_xarray()
    buffer = "switch.s1.buffer.per_output"
    assert dict(dataset.sizes) == {buffer: 2, "discard": 2, "replication": 2, "scope": 3}
    assert dataset[buffer].values.tolist() == [256.0, 1000.0]
    assert dataset[buffer].attrs["units"] == "cells"
    assert dataset.mean_wait.attrs["units"] == "s"
    assert dataset.attrs["seed"] == 1
    chosen = dataset.mean_wait.sel({buffer: 1000, "discard": "epd", "scope": "network"})
    expected = cells.point(per_output="1000 cells", discard="epd").samples("mean_wait")
    assert chosen.values.tolist() == expected
    assert np.isnan(dataset.utilization.sel(scope="flow a[0]").values).all()


def test_warnings_are_said_once() -> None:
    with open_pool() as pool, Store() as store:
        full = sweep(queue({"queue.load": ("0.95",)}), pool, store)
    places = [f"load = 0.95, replication {k}" for k in range(3)]
    assert full.warnings() == {"network: the queue is nearly full": places}
    assert full.status is Status.DONE


def test_replications_that_are_all_the_same_are_one_sample() -> None:
    with open_pool() as pool, Store() as store:
        same = sweep(queue(is_random=False), pool, store)
        once = sweep(queue(is_random=False), pool, store, replications=Replications.exactly(1))
    (warning, places), *others = same.warnings().items()
    assert "3 replications are one sample" in warning
    assert len(places) == 4
    assert not others
    assert not once.warnings()
