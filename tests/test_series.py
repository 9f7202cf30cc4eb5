"""Series are kept beside the numbers of a run, and are of that run and no other."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import cellrelay
from cellrelay.cli.trace import rounded
from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import Scope
from cellrelay.plot.recorded import SelectedSeries
from cellrelay.results import NotMeasured, Recordings, Results, RunLabel
from cellrelay.results.files.folder import read_folder, write_folder
from cellrelay.results.files.recordings import read_series
from cellrelay.scenario import parse
from cellrelay.simulation.run import Run, Task, simulate
from cellrelay.simulation.series import Recording

from .scenarios import PORT, SWEEP

EVERY = {"record.every": "0.1 ms"}
WHERE: dict[str, Any] = {"per_output": "200 cells", "packet": "1500 B"}
FLOW = "flow bulk[0]"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("recorded")
    return cellrelay.run(parse(SWEEP, settings=EVERY), series=folder / "series")


def test_recording_changes_neither_numbers_nor_their_key() -> None:
    plain, recording = parse(PORT), parse(PORT, settings=EVERY)
    assert plain.key == recording.key
    assert (plain.record_every, recording.record_every) == (None, 0.0001)
    runs = [simulate(Task(scenario, seed=3, replication=1)) for scenario in (plain, recording)]
    assert runs[0] == runs[1]
    assert runs[0].digest == runs[1].digest
    assert not runs[0].series
    assert len(runs[1].series) == 2 * 5 + 3 * 3


def test_a_series_holds_what_the_sender_did() -> None:
    run = simulate(Task(parse(PORT, settings=EVERY), seed=1, replication=0))
    window = run.series[FLOW, "cwnd"]
    assert (window.unit, len(window.times), window.times[-1]) == ("B", 501, 0.05)
    # Tahoe opens the window segment by segment, from one.
    payload = 1500 - 40
    assert window.values[0] == payload
    assert set(np.unique(window.values)) > {payload, 2 * payload, 3 * payload}
    smoothed = run.series[FLOW, "srtt"]
    assert math.isnan(smoothed.values[0])
    assert 0 < np.nanmax(smoothed.values) < 0.05


def test_a_file_holds_the_series_of_a_run(recorded: Results, tmp_path: Path) -> None:
    place = RunLabel({"buffer": "200 cells", "discard": "epd"}, 3, 2**63 + 1, 7)
    run = simulate(Task(parse(PORT, settings=EVERY), place.seed, place.replication))
    kept = Recordings(tmp_path).keep(place, run, 0.0001)
    assert kept == run
    assert list(kept.series) == list(run.series)
    for name, series in run.series.items():
        again = kept.series[name]
        assert (again.scope, again.quantity, again.unit) == (*name, series.unit)
        np.testing.assert_array_equal(again.times, series.times)
        np.testing.assert_array_equal(again.values, series.values)
    table = pandas.read_parquet(tmp_path / "point-3-replication-7.parquet")
    assert [*table.columns] == [
        *("buffer", "discard", "replication", "seed"),
        *("scope", "quantity", "time", "value", "unit"),
    ]
    assert len(table) == sum(len(series.times) for series in run.series.values())
    row = table[(table.scope == FLOW) & (table.quantity == "cwnd")].iloc[-1]
    assert (row.buffer, row.seed, row.replication) == ("200 cells", 2**63 + 1, 7)
    assert (row.time, row.value, row.unit) == (0.05, run.series[FLOW, "cwnd"].values[-1], "B")


def test_results_give_a_series_and_say_what_there_is(recorded: Results) -> None:
    assert recorded.recorded[FLOW] == ["cwnd", "delivered", "rto", "srtt", "ssthresh"]
    assert recorded.recorded["port s1->receiver"] == ["dropped_pdus", "drops", "queue"]
    queue = recorded.series("queue", "port s1->receiver", replication=1, **WHERE)
    # Between two samples a queue may be longer than at either.
    longest = recorded.point(**WHERE).by_replication("max_queue", "port s1->receiver")[1]
    assert queue.unit == "cells"
    assert 0.9 * longest < queue.values.max() <= longest
    part = queue.between(0.01, 0.02)
    assert (part.times[0], part.times[-1], len(part.values)) == (0.01, 0.02, 101)
    assert queue.to_pandas().index.name == "time"
    assert queue.to_pandas().attrs == {"units": "cells", "scope": "port s1->receiver"}
    assert queue.to_xarray().time.attrs == {"units": "s"}


def test_the_classes_of_a_port_are_shown_where_it_is_named() -> None:
    settings = {**EVERY, "switch.s1.scheduler.strict_priority": "{}"}
    run = simulate(Task(parse(PORT, settings=settings), seed=1, replication=0))
    port, of_class = "port s1->receiver", "class ubr at s1->receiver"
    assert run.series[of_class, "queue"].values.max() == run.series[port, "queue"].values.max() > 0
    assert SelectedSeries(run.series).scopes("queue") == [Scope.port("s1", "receiver")]
    shown = SelectedSeries(run.series, ports=["s1->receiver"]).scopes("queue")
    assert list(map(str, shown)) == [port, of_class]


def test_drops_name_the_flow_that_loses(recorded: Results) -> None:
    drops = recorded.series("drops", "port s1->receiver", **WHERE)
    assert drops.unit == "flow"
    assert set(drops.values) == {0.0, 1.0}
    for number in (0, 1):
        lost = drops.times[drops.values == number]
        window = recorded.series("cwnd", f"flow bulk[{number}]", **WHERE)
        closed = window.times[1:][np.diff(window.values) < 0]
        # Tahoe closes its window after each loss that it notices, a round trip later or more.
        assert len(closed) > 0
        assert lost[0] < closed[0]
    point = recorded.point(**WHERE)
    assert point.by_replication("cell_loss_ratio", "port s1->receiver")[0] > 0


@pytest.mark.parametrize(
    ("quantity", "scope", "replication", "message"),
    [
        (
            "window",
            FLOW,
            0,
            r"`window` was not recorded for `flow bulk\[0\]`\n  hint: one of `cwnd`",
        ),
        (
            "cwnd",
            "flow x",
            0,
            r"nothing was recorded for `flow x`\n  hint: one of `flow bulk\[0\]`",
        ),
        ("cwnd", FLOW, 9, r"there is no replication 9\n  hint: there are 0 to 1"),
    ],
)
def test_what_was_not_recorded_is_refused_by_name(
    recorded: Results, quantity: str, scope: str, replication: int, message: str
) -> None:
    with pytest.raises(NotMeasured, match=message):
        recorded.series(quantity, scope, replication, **WHERE)


def test_without_recording_the_remedy_is_told() -> None:
    plain = cellrelay.run(parse(PORT), replications=1)
    for ask in (
        lambda: plain.series("cwnd", FLOW),
        lambda: plain.series_to_pandas(),
        lambda: plain.series_to_xarray(),
    ):
        with pytest.raises(NotMeasured, match=r"hint: `cellrelay run FILE --trace series`"):
            ask()


def test_a_queue_of_each_vc_is_beside_that_of_its_port() -> None:
    queues = {"switch.s1.scheduler": "{ round_robin = {} }"}
    results = cellrelay.run(parse(PORT, settings=EVERY | queues), replications=1)
    port = results.series("queue", "port s1->receiver")
    flows = [results.series("queue", f"port s1->receiver of bulk[{k}]") for k in range(2)]
    np.testing.assert_allclose(flows[0].values + flows[1].values, port.values)
    assert "s1->receiver of bulk[1]" in results.series_to_xarray().port


def test_what_was_delivered_is_the_goodput() -> None:
    results = cellrelay.run(parse(PORT, settings=EVERY), replications=1)
    delivered = results.series("delivered", FLOW)
    goodput = results.estimate("goodput", FLOW).mean
    assert delivered.values[-1] * 8 / delivered.times[-1] == pytest.approx(goodput)


def test_tables_and_arrays_agree_with_the_series(recorded: Results) -> None:
    table = recorded.series_to_pandas("cwnd", FLOW)
    assert set(table.scope) == {FLOW}
    assert len(table) == 4 * 2 * 501
    data = recorded.series_to_xarray()
    assert data.cwnd.dims == (*recorded.axes, "replication", "flow", "time")
    assert data.queue.dims == (*recorded.axes, "replication", "port", "time")
    assert data.cwnd.attrs == {"units": "B"}
    assert "drops" not in data
    one = data.cwnd.sel({recorded.axes[0]: 500, recorded.axes[1]: 512, "flow": "bulk[1]"})
    series = recorded.series("cwnd", "flow bulk[1]", 1, per_output="500 cells", packet="512 B")
    np.testing.assert_array_equal(one.sel(replication=1).values, series.values)


def test_arrays_of_runs_of_unequal_length_end_in_nan() -> None:
    text = PORT + '[sweep]\nduration = ["10 ms", "20 ms"]\n'
    data = cellrelay.run(parse(text, settings=EVERY), replications=1).series_to_xarray()
    short = data.cwnd.sel(duration=0.01, replication=0, flow="bulk[0]")
    assert int(short.notnull().sum()) == 101
    assert len(short) == 201


def test_what_is_kept_is_not_recorded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Task] = []

    def counted(task: Task, *rest: object) -> Run:
        made.append(task)
        return simulate(task)

    monkeypatch.setattr("cellrelay.execute.pool.simulate", counted)

    def run(settings: dict[str, str], replications: int = 2) -> int:
        made.clear()
        cellrelay.run(
            parse(PORT, settings=settings),
            replications=replications,
            store=tmp_path / "store.sqlite",
            series=tmp_path / "series" if settings else None,
        )
        return len(made)

    assert run({}) == 2
    assert run(EVERY) == 2, "numbers are known, series are not"
    assert run(EVERY) == 0
    assert run(EVERY, replications=3) == 1
    assert run({"record.every": "0.2 ms"}) == 2
    assert run({}) == 0


def test_series_of_another_run_are_not_taken_for_those_of_this_one(tmp_path: Path) -> None:
    first = cellrelay.run(parse(PORT, settings=EVERY), seed=1, series=tmp_path / "series")
    write_folder(first, tmp_path)
    assert read_folder(tmp_path).series("cwnd", FLOW).values.max() > 0
    write_folder(cellrelay.run(parse(PORT), seed=2), tmp_path)
    with pytest.raises(ScenarioError, match="recorded in another run"):
        read_folder(tmp_path).series("cwnd", FLOW)


def test_a_file_stands_for_itself(tmp_path: Path) -> None:
    cellrelay.run(parse(SWEEP, settings=EVERY), replications=1, series=tmp_path)
    alone = read_series(tmp_path / "point-1-replication-0.parquet")
    assert alone.values("per_output") == ["200 cells"]
    assert alone.values("packet") == ["1500 B"]
    assert alone.series("cwnd", FLOW).unit == "B"
    (tmp_path / "other.parquet").write_bytes(b"PAR1 no more")
    pandas.DataFrame({"a": [1]}).to_parquet(tmp_path / "foreign.parquet")
    for name in ("other.parquet", "foreign.parquet"):
        with pytest.raises(ScenarioError, match=f"{name}: not a file of series"):
            read_series(tmp_path / name)


def test_series_of_other_experiments_are_removed(tmp_path: Path) -> None:
    keeper = Recordings(tmp_path)
    run = simulate(Task(parse(PORT, settings=EVERY), 1, 0))
    for replication in range(3):
        keeper.keep(RunLabel({}, 0, 1, replication), run, 0.0001)
    keeper.keep(RunLabel({"a": "b"}, 4, 1, 0), run, 0.0001)
    (tmp_path / "mine.parquet").write_text("not ours to remove")
    keeper.prune(RunLabel({}, 0, 1, replication) for replication in range(2))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("mine.parquet", "replication-0.parquet", "replication-1.parquet")
    ]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.003, "5000000 ns"), (0.0003, "500000 ns"), (1e-12, "1 ns")]
)
def test_intervals_are_rounded_up(seconds: float, text: str) -> None:
    assert rounded(seconds) == text


def test_a_run_that_is_compared_leaves_its_series_out(recorded: Results) -> None:
    (run, *_) = recorded.points[0].runs
    assert replace(run, series=Recording()) == run
