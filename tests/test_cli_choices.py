"""What is chosen on the command line: metrics, points and axes; and what has to be installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.cli.show import show
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import sweep
from cellrelay.results import Status
from cellrelay.store import Store

from .command import Command, Ended
from .double import queue
from .scenarios import PORT, SWEEP


@pytest.mark.parametrize(
    ("metric", "problem", "hint"),
    [
        ("goodputt", "`goodputt` is not a metric of the network", "did you mean `goodput`?"),
        ("flow bulkk goodput", "there is no flow `bulkk`", "did you mean `bulk`?"),
        ("flow bulk[7] goodput", "there is no flow `bulk[7]`", "did you mean `bulk"),
        ("port s1->receiver goodput", "`goodput` is not a metric of an output", "expected one of "),
        ("port s1 goodput", "`goodput` is not a metric of an output", "expected one of "),
        ("port s1 mean_queue", "there is no port `s1`", "write for example `port s1->NODE`"),
        ("port sender[0]->s1 mean_queue", "there is no port `sender[0]->s1`", "expected one of "),
        ("host receiver goodput", "there are no metrics of a `host`", "write for example"),
    ],
)
def test_a_metric_that_does_not_exist_is_refused_before_anything_runs(
    command: Command, metric: str, problem: str, hint: str
) -> None:
    Path("port.toml").write_text(PORT)
    for name in ("run", "warm-up"):
        ended = command(name, "port.toml", "--metric", metric)
        assert (ended.code, ended.out) == (BAD_INPUT, "")
        assert ended.err.startswith(f"error: --metric: {problem}\n  hint: {hint}")
    assert not Path("results").exists()


def test_a_metric_that_only_some_points_have_is_known(command: Command) -> None:
    sizes = '[sweep]\n"host.sender.count" = [1, 3]\n'
    Path("groups.toml").write_text(PORT.replace("count = 2\n", "") + sizes)
    few = ("--replications", "1")
    ended = command("run", "groups.toml", "--metric", "flow bulk[2] goodput", *few)
    assert ended.code == DONE
    shown = {row.split()[0]: row.split()[1] for row in ended.out.splitlines()[-2:]}
    assert shown["1"] == "-"
    assert float(shown["3"]) > 0.0
    assert command("run", "groups.toml", "--metric", "flow bulk[3] goodput", *few).code == BAD_INPUT


def test_what_was_not_measured_has_a_dash_and_a_reason(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    chosen = ("--metric", "flow bulk mean_completion_time", "--metric", "goodput")
    ended = command("run", "port.toml", *chosen)
    assert ended.code == DONE
    rows = ended.out.splitlines()[4:]
    assert rows[0].split()[-2] == "-"
    assert rows[1].startswith("goodput")
    assert "`mean_completion_time` of `flow bulk` was not measured\n  hint: only mess" in ended.err


@pytest.mark.parametrize(
    ("start", "warm_up"),
    [("60 ms", "0 s"), ("0 ms", "49 ms")],
    ids=["begins after the run", "began before the measured time"],
)
def test_a_file_that_did_not_begin_in_the_measured_time_says_so(
    command: Command, start: str, warm_up: str
) -> None:
    ended = _completion(command, start, warm_up)
    hint = "no message was completed, or had begun in the measured time"
    assert f"`mean_completion_time` of `flow bulk` was not measured\n  hint: {hint}" in ended.err
    assert "only messages that are waited for" not in ended.err
    assert ended.out.splitlines()[-1].split()[-2] == "-"


def test_a_file_that_began_in_the_measured_time_has_a_bound(command: Command) -> None:
    ended = _completion(command, "10 ms", "5 ms")
    assert "was not measured" not in ended.err
    assert "> 40  ms    (2 of 2 unfinished)" in ended.out


def _completion(command: Command, start: str, warm_up: str) -> Ended:
    """A run of two files that do not end in it, and their completion time."""
    Path("port.toml").write_text(PORT)
    file = f'flow.bulk.source={{ files = {{ length.constant = "1 MB", start = "{start}" }} }}'
    chosen = ("--set", file, "--set", f"warm_up={warm_up}")
    ended = command("run", "port.toml", *chosen, "--metric", "flow bulk mean_completion_time")
    assert ended.code == DONE
    return ended


def test_some_points_are_run_and_are_the_same_runs(command: Command) -> None:
    Path("sweep.toml").write_text(SWEEP)
    ended = command("run", "sweep.toml", "--where", "packet=0.512 kB", "--metric", "goodput")
    assert ended.code == DONE
    some = ended.out.splitlines()[3:]
    assert [row.split()[0] for row in some] == ["per_output", "200", "500"]
    assert "note: the tables have only the points of `--where`" in ended.err
    everything = command("run", "sweep.toml", "--progress", "json", "--metric", "goodput")
    assert '"found": 4' in everything.err.splitlines()[-2]
    rows = everything.out.splitlines()[3:]
    assert [row for row in rows if "512 B" in row] == some[1:]


@pytest.mark.parametrize(
    ("where", "problem"),
    [
        (["packte=512 B"], "--where: `packte` is not an axis of this sweep\n  hint: did you mean"),
        (["packet=513 B"], "--where: no point has packet = 513 B\n  hint: did you mean `512 B`?"),
        (["packet=512 B", "packet=1500 B"], "--where: `packet` is given twice"),
    ],
)
def test_points_that_do_not_exist_are_refused(
    command: Command, where: list[str], problem: str
) -> None:
    Path("sweep.toml").write_text(SWEEP)
    options = [part for one in where for part in ("--where", one)]
    ended = command("run", "sweep.toml", *options)
    assert ended.code == BAD_INPUT
    assert ended.err.startswith(f"error: {problem}")
    assert not Path("results").exists()


def test_compare_finds_the_axis_that_has_the_value(command: Command) -> None:
    sizes = '"flow.bulk.transport.tcp.window" = ["64 KiB", "1500 B"]'
    Path("sweep.toml").write_text(SWEEP)
    Path("twice.toml").write_text(f"{SWEEP}{sizes}\n")
    for name in ("sweep", "twice"):
        assert command("run", f"{name}.toml", "--replications", "1").code == DONE
    ended = command("compare", "results/sweep", "--to", "1.5 kB")
    assert ended.code == DONE
    assert "compared with packet = 1500 B" in ended.out
    ended = command("compare", "results/twice", "--to", "1500 B")
    assert ended.code == BAD_INPUT
    assert "several axes\n  hint: say which: `--by packet` or `--by window`" in ended.err
    ended = command("compare", "results/twice", "--to", "1500 B", "--by", "window")
    assert "compared with window = 1500 B" in ended.out
    ended = command("compare", "results/sweep", "--to", "501 cells")
    assert ended.code == BAD_INPUT
    assert "no axis has the value `501 cells`\n  hint: did you mean `500 cells`?" in ended.err


def test_a_metric_may_say_what_it_is_of(command: Command) -> None:
    Path("sweep.toml").write_text(SWEEP)
    assert command("run", "sweep.toml", "--replications", "1").code == DONE
    told = command("compare", "results/sweep", "--metric", "flow bulk[0] goodput")
    apart = command("compare", "results/sweep", "--metric", "goodput", "--scope", "flow bulk[0]")
    assert told == apart
    drawn = command("plot", "results/sweep", "--metric", "port s1->receiver mean_queue")
    assert drawn == (DONE, "results/sweep/mean_queue.svg\n", "")
    for name in ("compare", "plot"):
        ended = command(name, "results/sweep", "--metric", "flow bulk[0] godput")
        assert ended.code == BAD_INPUT
        assert ended.err.endswith("`flow bulk[0]`\n  hint: did you mean `goodput`?\n")


def test_a_table_of_an_interrupted_sweep_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    from dataclasses import replace

    with open_pool() as pool, Store() as store:
        results = sweep(queue(), pool, store)
    show(replace(results, status=Status.INTERRUPTED), sys.stdout)
    assert (
        "\npartial, interrupted after 12 runs: 4 points, 3 replications" in capsys.readouterr().out
    )


LINES = {
    "matplotlib": [
        "reproduce romanow-floyd --quick --allow-dirty",
        "plot --topology port.toml",
        "explain results/port --draw limits",
    ],
    "pyarrow": ["run port.toml --trace series --out other", "export results/port table.parquet"],
    "uvicorn": ["watch port.toml"],
    "distributed": ["run port.toml --executor dask:tcp://127.0.0.1:1 --out other"],
}


@pytest.mark.parametrize("package", LINES)
def test_what_is_not_installed_is_told_before_anything_runs(
    command: Command, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cellrelay.scenario import Scenario

    Path("port.toml").write_text(PORT)
    assert command("run", "port.toml", "--replications", "1").code == DONE
    for name in list(sys.modules):
        is_ours = name.startswith("cellrelay.live")
        if name == package or name.startswith(f"{package}.") or is_ours:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    made: list[int] = []
    monkeypatch.setattr(Scenario, "run", lambda *_: made.append(1))
    for line in LINES[package]:
        ended = command(*line.split())
        assert ended.code == BAD_INPUT, line
        assert ended.out == "", line
        assert f"error: `{package}` is not installed\n  hint: run `pip install" in ended.err
        assert not made, line


def test_an_explanation_needs_no_figures(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("port.toml").write_text(PORT)
    assert command("run", "port.toml", "--replications", "1").code == DONE
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "matplotlib.figure", raising=False)
    ended = command("explain", "results/port")
    assert ended.code == DONE
    assert "limits of flows" in ended.out
    assert ended.err.startswith("no figures: `matplotlib` is not installed")
    assert not list(Path("results/port").glob("*.svg"))
