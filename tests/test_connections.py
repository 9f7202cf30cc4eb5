"""Tables of connections: what is in them, and where they are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
import pytest

import cellrelay
from cellrelay.cli import main
from cellrelay.cli.exits import BAD_INPUT, DONE

from .patience import PATIENCE
from .scenarios import PORT

ROOT = Path(__file__).parent.parent

WEB = """\
title = "Connections over a slow link"
duration = "2 s"
[host.server]
count = 2
[host.client]
[router.r1]
buffer.per_output = "20 kB"
[link.near]
between = ["server", "r1"]
rate = "100 Mbit/s"
delay = "1 ms"
[link.far]
between = ["r1", "client"]
rate = "10 Mbit/s"
delay = "1 ms"
[flow.web]
from = "server"
to = "client"
source.connections = { arrivals.poisson.load = "45 %", size.geometric.mean = "20 kB", most = 8 }
transport.tcp = { packet = "1500 B", window = "64 KiB", handshake = true, congestion.sack = {} }
over.packet = {}
"""
SWEEP = f"""{WEB}
[sweep]
"flow.web.source.connections.most" = [4, 8]
"""


def test_rows_agree_with_the_report_of_each_flow() -> None:
    scenario = cellrelay.parse(WEB, "web.toml")
    rows = cellrelay.trace_connections(scenario).to_pandas()
    results = cellrelay.run(scenario, replications=1)
    assert rows.arrived.is_monotonic_increasing
    assert set(rows.outcome) == {"completed", "open", "refused"}
    for number in range(2):
        of_flow = rows[rows.flow == f"web[{number}]"]
        assert list(of_flow.number) == list(range(1, len(of_flow) + 1))
        assert set(of_flow.source) == {f"server[{number}]"}
        assert set(of_flow.destination) == {"client"}
        completed = of_flow[of_flow.outcome == "completed"]
        rest = of_flow[of_flow.outcome != "completed"]
        assert rest[["completion_time", "slowdown"]].isna().all(axis=None)

        def metric(name: str, scope: str = f"flow web[{number}]") -> float:
            return results.estimate(name, scope).mean

        assert len(of_flow) == metric("arrivals")
        assert len(completed) == metric("messages")
        assert sum(of_flow.outcome == "refused") == metric("refused_arrivals")
        # What is open at the end counts with its age.
        ages = 2 - of_flow[of_flow.outcome == "open"].arrived
        assert len(ages) == metric("unfinished_messages") > 0
        longest = max(completed.completion_time.max(), ages.max())
        assert longest == pytest.approx(metric("max_completion_time"))
        assert completed.slowdown.mean() < metric("mean_slowdown")
        assert of_flow.packets_retransmitted.sum() == metric("packets_retransmitted") > 0
        assert of_flow.timeouts.sum() == metric("timeouts")
        refused = of_flow[of_flow.outcome == "refused"]
        assert refused.packets_sent.sum() == 0


def test_columns_have_units() -> None:
    table = cellrelay.trace_connections(cellrelay.parse(WEB, "web.toml", {"duration": "0.1 s"}))
    units = {field.name: (field.metadata or {}).get(b"unit") for field in table.schema}
    assert units["size"] == b"B"
    assert units["arrived"] == units["completion_time"] == b"s"
    assert units["flow"] is None


def test_a_simulation_lists_what_has_arrived_so_far() -> None:
    scenario = cellrelay.parse(WEB, "web.toml")
    simulation = cellrelay.Simulation(scenario, connections=True)
    simulation.run_until("1 s")
    early = simulation.connections().to_pandas()
    assert 0 < early.arrived.max() < 1
    done = early[early.outcome == "completed"]
    assert (done.arrived + done.completion_time).max() <= 1
    simulation.run()
    assert simulation.connections().equals(cellrelay.trace_connections(scenario))
    again = cellrelay.Simulation.replay(simulation.record, connections=True)
    assert again.connections().equals(simulation.connections())
    with pytest.raises(cellrelay.ScenarioError, match="are not listed"):
        cellrelay.Simulation(scenario).connections()


def test_the_command_writes_a_table_for_each_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("web.toml").write_text(SWEEP, encoding="utf-8")
    plain = cellrelay.run("web.toml", replications=1)
    run = ["run", "web.toml", "--replications", "1", "--out", "out"]
    assert main([*run, "--trace", "connections"]) == DONE
    assert "connections in out/connections\n" in capsys.readouterr().err
    files = sorted(Path("out/connections").iterdir())
    names = [f"point-{point}-replication-0.parquet" for point in range(2)]
    assert [file.name for file in files] == names
    for file, point in zip(files, plain.points, strict=True):
        table = pyarrow.parquet.read_table(file)
        assert table.column_names[:4] == [
            "flow.web.source.connections.most",
            "replication",
            "seed",
            "flow",
        ]
        assert table.schema.metadata[b"cellrelay.title"] == b"Connections over a slow link"
        arrivals = [point.runs[0].value(f"flow web[{number}] arrivals") for number in range(2)]
        assert table.num_rows == sum(arrivals)
    assert main([*run, "--trace", "connections=there", "--trace", "packets"]) == DONE
    assert sorted(path.name for path in Path("there").iterdir()) == names
    assert sorted(path.name for path in Path("out/packets").iterdir()) == names


def test_a_scenario_without_connections_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("port.toml").write_text(PORT, encoding="utf-8")
    assert main(["run", "port.toml", "--trace", "connections"]) == BAD_INPUT
    said = capsys.readouterr().err
    assert "port.toml: no flow has connections that come and go\n  hint: give a flow" in said
    assert not Path("results").exists()
    for refused in (
        lambda: cellrelay.trace_connections("port.toml"),
        lambda: cellrelay.run("port.toml", connections="folder"),
        lambda: cellrelay.Simulation("port.toml", connections=True),
    ):
        with pytest.raises(cellrelay.ScenarioError, match="no flow has connections"):
            refused()


def test_a_table_is_of_one_point() -> None:
    with pytest.raises(cellrelay.ScenarioError, match="the sweep has 2 points"):
        cellrelay.trace_connections(cellrelay.parse(SWEEP, "web.toml"))


MILLION = """\
import resource, sys
import cellrelay

seconds = sys.argv[1]
scenario = cellrelay.load("examples/completion-times.toml", {"duration": f"{seconds} s"})
point = scenario.narrowed("queue", ["one for all"]).narrowed("load", ["60 %"]).point(0)
run = point.run(scenario.seed, 0)
completed = sum(value for _, metric, value, _ in run.scalars if metric == "messages")
most = max(value for _, metric, value, _ in run.scalars if metric == "max_connections")
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(int(completed), int(most), run.events["packet_hops"], peak)
"""
"""A run in a process of its own, whose largest memory in KiB it prints behind its counts."""


@pytest.mark.slow
def test_a_million_connections_take_the_memory_of_ten_thousand() -> None:
    rows, peaks = [], []
    for seconds in (4, 40, 420):
        command = [sys.executable, "-c", MILLION, str(seconds)]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE
        )
        completed, most, hops, peak = map(int, done.stdout.split())
        rows.append(f"| {seconds} s | {completed:,} | {most} | {hops:,} |")
        peaks.append(peak)
    assert completed > 1_000_000
    assert max(peaks) - min(peaks) < 1024
    page = (ROOT / "docs/concepts/connections.md").read_text(encoding="utf-8")
    assert "\n".join(rows) in page
