"""Traces of packets: their tables, and where they are."""

from __future__ import annotations

from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

import cellrelay
from cellrelay.cli import main
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.results import Results

from .scenarios import PORT, SWEEP
from .test_captures import LINE


def rows(results: Results, scope: str) -> int:
    """Packets that a report counts as dropped at a port."""
    ratio = results.estimate("packet_loss_ratio", scope).mean
    return round(ratio * results.estimate("packets_offered", scope).mean)


def words(table: pyarrow.Table, column: str) -> list[str | None]:
    return [value.as_py() for value in table[column]]


@pytest.mark.parametrize("over", ["ubr", "packet"])
def test_rows_agree_with_the_counts_of_the_report(over: str) -> None:
    settings = {
        "switch.s.buffer.per_output": "100 cells",
        "link.out.loss.nth": "[40, 70]",
        f"flow.f.over.{over}": "{}",
    }
    scenario = cellrelay.parse(LINE, "line.toml", settings)
    table = cellrelay.trace_packets(scenario)
    results = cellrelay.run(scenario, replications=1)
    data = [
        (direction, size)
        for direction, size in zip(
            words(table, "direction"), words(table, "user_data"), strict=True
        )
        if direction == "forward" and size
    ]
    assert len(data) == results.estimate("packets_sent", "flow f").mean
    places = [place for place in words(table, "place") if place]
    assert places.count("port s->b") == rows(results, "port s->b") > 0
    # In cells, a packet may have lost a cell at the port before.
    assert places.count("link s->b") in ([2] if over == "packet" else [1, 2])
    causes = zip(words(table, "cause"), words(table, "place"), strict=True)
    assert {cause for cause, place in causes if place == "link s->b"} == {"lost"}


def test_a_row_tells_when_and_where() -> None:
    table = cellrelay.trace_packets(cellrelay.parse(LINE, "line.toml"))
    first = table.slice(0, 1).to_pylist()[0]
    cell, slow = 424 / 155.52e6, 424 / 100e6
    assert (first["flow"], first["direction"], first["number"]) == ("f", "forward", 1)
    assert (first["octets"], first["user_data"], first["cells"]) == (1500, 1460, 32)
    assert (first["fate"], first["dropped"], first["place"], first["cause"]) == (
        "delivered",
        None,
        None,
        None,
    )
    access, port = first["hops"]
    assert (access["output"], port["output"]) == ("a->s", "s->b")
    assert access["arrived"] == first["sent"] == 0
    assert access["departed"] == pytest.approx(32 * cell, rel=1e-6)
    assert access["queued"] == 0
    assert port["arrived"] == pytest.approx(access["departed"] + 1e-3)
    # The cells arrive faster than they leave, so the last of them waits.
    waits = 31 * (slow - cell)
    assert port["queued"] == pytest.approx(waits, rel=1e-5)
    assert port["departed"] == pytest.approx(port["arrived"] + waits + slow)
    assert first["delivered"] == pytest.approx(port["departed"] + 1e-3)
    assert table.schema.field("sent").metadata == {b"unit": b"s"}


def test_a_trace_changes_nothing_and_does_not_depend_on_workers(tmp_path: Path) -> None:
    scenario = cellrelay.parse(SWEEP, "sweep.toml")
    plain = cellrelay.run(scenario, replications=1, store=tmp_path / "store.sqlite")
    for jobs in (1, 3):
        traced = cellrelay.run(
            scenario,
            replications=1,
            store=tmp_path / "store.sqlite",
            packets=tmp_path / f"{jobs}",
            jobs=jobs,
        )
        digests = [[run.digest for run in point.runs] for point in traced.points]
        assert digests == [[run.digest for run in point.runs] for point in plain.points]
    ones, threes = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "13"
    )
    assert ones == threes
    assert set(ones) == {f"point-{point}-replication-0.parquet" for point in range(4)}
    table = pyarrow.parquet.read_table(tmp_path / "1" / "point-2-replication-0.parquet")
    assert table.schema.metadata[b"cellrelay.title"] == b"Two connections through one port"
    assert table.column_names[0] == "switch.s1.buffer.per_output"
    assert set(words(table, "switch.s1.buffer.per_output")) == {"500 cells"}


def test_the_command_writes_tables_beside_the_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("port.toml").write_text(PORT, encoding="utf-8")
    arguments = ["run", "port.toml", "--out", "out", "--trace"]
    assert main([*arguments, "packets", "--trace", "pcap"]) == DONE
    said = capsys.readouterr().err
    assert "packets in out/packets\n" in said
    assert "captures in out/captures\n" in said
    tables = {"replication-0.parquet", "replication-1.parquet"}
    assert {path.name for path in Path("out/packets").iterdir()} == tables
    # What is no longer a part of the results goes; what is not ours stays.
    Path("out/packets/notes.txt").touch()
    assert main([*arguments, "packets", "--replications", "1"]) == DONE
    kept = {path.name for path in Path("out/packets").iterdir()}
    assert kept == {"replication-0.parquet", "notes.txt"}
    assert main([*arguments, "packets=elsewhere", "--replications", "1"]) == DONE
    assert {path.name for path in Path("elsewhere").iterdir()} == {"replication-0.parquet"}


@pytest.mark.parametrize("what", ["packets=", "pcap=there", "packet"])
def test_an_unknown_trace_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    what: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("port.toml").write_text(PORT, encoding="utf-8")
    assert main(["run", "port.toml", "--trace", what]) == BAD_INPUT
    said = capsys.readouterr().err
    assert f"--trace: `{what}` is not one of the choices" in said
    assert not Path("results").exists()


def test_a_trace_is_of_one_point() -> None:
    with pytest.raises(cellrelay.ScenarioError, match="the sweep has 4 points"):
        cellrelay.trace_packets(cellrelay.parse(SWEEP, "sweep.toml"))
