"""The command line records series and draws them."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.cli.trace import load_recording
from cellrelay.scenario import parse

from .command import Command
from .scenarios import PORT


def test_series_are_recorded_on_request_and_drawn(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    assert command("run", "port.toml", "--json").code == DONE
    plain = json.loads(Path("results/port/results.json").read_text())
    assert not Path("results/port/series").exists()
    assert command("run", "port.toml", "--trace", "series", "--json").code == DONE
    assert json.loads(Path("results/port/results.json").read_text()) == plain
    # At most five thousand samples of fifty milliseconds.
    assert 'every = "10 us"' in Path("results/port/scenario.toml").read_text()
    files = ["replication-0.parquet", "replication-1.parquet"]
    assert sorted(path.name for path in Path("results/port/series").iterdir()) == files
    draw = ("plot", "results/port", "--series", "cwnd,ssthresh", "--series", "queue,drops")
    assert command(*draw) == (DONE, "results/port/cwnd-ssthresh-queue-drops.svg\n", "")
    ended = command(*draw, "--flow", "bulk[1]", "--replication", "1", "--out", "window.png")
    assert ended == (DONE, "window.png\n", "")
    one = command("plot", f"results/port/series/{files[0]}", "--from", "1 ms", "--to", "20 ms")
    assert one == (DONE, "results/port/series/series.svg\n", "")


def test_the_interval_between_samples_may_be_chosen(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    chosen = ("run", "port.toml", "--trace", "series", "--every", "0.25 ms")
    assert command(*chosen).code == DONE
    assert 'every = "250 us"' in Path("results/port/scenario.toml").read_text()
    Path("own.toml").write_text(PORT + '[record]\nevery = "2 ms"\n')
    assert command("run", "own.toml", "--trace", "series").code == DONE
    assert 'every = "2 ms"' in Path("results/own/scenario.toml").read_text()


def test_a_scenario_that_records_keeps_its_series(command: Command) -> None:
    Path("own.toml").write_text(PORT + '[record]\nevery = "2 ms"\n')
    assert command("run", "own.toml", "--replications", "3").code == DONE
    assert len(list(Path("results/own/series").iterdir())) == 3
    assert command("run", "own.toml", "--replications", "1").code == DONE
    assert len(list(Path("results/own/series").iterdir())) == 1


def test_many_flows_are_sampled_less_often() -> None:
    settings = {
        "host.sender.count": "3000",
        "duration": "0.1 ms",
        "flow.bulk.source": "{ greedy = {} }",
    }
    load = partial(parse, PORT, "port.toml")
    scenario = load_recording(lambda more: load({**settings, **dict(more)}), ["series"], None)
    assert scenario.point(0).record_every == pytest.approx(200e-9)


def test_a_missing_package_is_told_before_anything_is_run(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    Path("port.toml").write_text(PORT)
    ended = command("run", "port.toml", "--trace", "series")
    assert ended.code == BAD_INPUT
    assert ended.err.endswith("hint: run `pip install 'cellrelay[data]'`\n")
    assert not Path("results").exists()
    assert command("run", "port.toml").code == DONE
