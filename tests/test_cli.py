"""The command line: what it prints, where, and how it exits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest

from cellrelay import scenario as scenario_module
from cellrelay.cli import main
from cellrelay.cli.exits import (
    BAD_INPUT,
    BROKEN_MODEL,
    DONE,
    FAILED_POINTS,
    STOPPED_EARLY,
)
from cellrelay.scenario import Scenario, load

from . import snapshot
from .double import queue
from .scenarios import PORT, SWEEP


class Ended(NamedTuple):
    code: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    """Runs the command line in an empty folder, on a terminal of eighty columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str) -> Ended:
        code = main(arguments)
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return run


@pytest.fixture
def simulate(monkeypatch: pytest.MonkeyPatch) -> Callable[[Scenario], None]:
    """Puts a scenario in the place of whatever file is named."""
    return lambda scenario: monkeypatch.setattr(
        scenario_module, "load", lambda path, settings=(): scenario
    )


@pytest.mark.parametrize("name", ["", "run", "check", "reproduce", "plot", "list", "schema"])
def test_help_shows_options_and_examples(command: Command, name: str) -> None:
    ended = command(*filter(None, [name, "--help"]))
    assert (ended.code, ended.err) == (DONE, "")
    snapshot.check(f"help-{name or 'cellrelay'}.txt", ended.out)


def test_a_sweep_prints_a_row_a_point(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    simulate(queue())
    ended = command("run", "queue.toml")
    assert ended.code == DONE
    snapshot.check("run-sweep.txt", ended.out)
    assert ended.err == "results in results/queue\n"


def test_one_point_prints_a_row_a_metric(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    simulate(queue({}))
    ended = command("run", "queue.toml", "--replications", "4")
    assert ended.code == DONE
    snapshot.check("run-point.txt", ended.out)


def test_json_is_one_document_and_nothing_else(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    simulate(queue())
    ended = command("run", "queue.toml", "--json", "--out", "here")
    document = json.loads(ended.out)
    assert document["status"] == "done"
    assert document == json.loads(Path("here/results.json").read_text())


def test_jobs_change_nothing_in_any_file(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    for jobs in ("1", "3"):
        simulate(queue())
        command("run", "queue.toml", "--jobs", jobs, "--out", jobs)
    for name in ("replications.csv", "scalars.csv", "results.json", "scenario.toml"):
        assert Path("1", name).read_bytes() == Path("3", name).read_bytes()


def test_failed_points_and_a_broken_model_have_codes_of_their_own(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    simulate(queue(fails_at=("0.6", 2)))
    ended = command("run", "queue.toml")
    assert ended.code == FAILED_POINTS
    snapshot.check("run-failed.txt", ended.out + "\n--- standard error\n" + ended.err)
    broken = queue({"queue.load": ("0.6",)}, fails_at=("0.6", 0)).point(0)
    simulate(broken)
    assert command("run", "broken.toml").code == BROKEN_MODEL


def test_a_precision_that_was_not_reached_is_said(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    until = {"metric": "mean_wait", "half_width": 1e-6, "confidence": 0.9}
    simulate(queue({}, replications={"at_least": 2, "at_most": 3, "until": until}))
    ended = command("run", "queue.toml", "--json")
    assert ended.code == STOPPED_EARLY
    assert json.loads(ended.out)["status"] == "stopped early"
    assert "warning: 3 replications did not reach the wanted precision" in ended.err


def test_a_point_is_a_point_and_seeds_are_counted(command: Command) -> None:
    Path("port.toml").write_text(PORT + "[sweep]\nseed = [1]\n")
    assert "\n1 point, 2 replications, seed 1" in command("run", "port.toml").out
    Path("port.toml").write_text(PORT + "[sweep]\nseed = [1, 2]\n")
    assert "\n2 points, 2 replications, 2 seeds" in command("run", "port.toml").out
    assert "\n2 replications, seed 7" in command("run", "port.toml", "--seed", "7").out


def test_many_lines_of_one_kind_are_cut_short(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    until = {"metric": "mean_wait", "half_width": 1e-6, "confidence": 0.9}
    loads = tuple(f"0.{load}" for load in range(11, 31))
    rule = {"at_least": 2, "at_most": 2, "until": until}
    simulate(queue({"queue.load": loads}, replications=rule))
    *lines, last, where = command("run", "queue.toml").err.splitlines()
    assert len(lines) == 5
    assert last == "warning: and 15 more, all in results.json"
    assert where == "results in results/queue"


def test_figures_are_drawn_from_stored_results(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    simulate(queue())
    command("run", "queue.toml")
    assert command("plot", "results/queue") == (DONE, "results/queue/mean_wait.svg\n", "")
    ended = command(
        *("plot", "results/queue/replications.csv", "--metric", "utilization"),
        *("--where", "order=lifo", "--x", "load", "--out", "figure.pdf"),
    )
    assert ended == (DONE, "figure.pdf\n", "")
    assert Path("figure.pdf").read_bytes().startswith(b"%PDF")


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


def test_many_flows_are_sampled_less_often(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    many = ("--set", "host.sender.count=3000", "--set", "duration=0.1 ms")
    crowded = ("--set", "flow.bulk.source={ greedy = {} }", "--replications", "1")
    assert command("run", "port.toml", "--trace", "series", *many, *crowded).code == DONE
    assert 'every = "200 ns"' in Path("results/port/scenario.toml").read_text()


BAD = {
    "no command of that name": "frobnicate",
    "no file": "run",
    "a file that is not there": "run missing.toml",
    "a folder": "check .",
    "a binary file": "check binary",
    "a file of 17 MiB": "check large",
    "an unknown option": "run queue.toml --sed 3",
    "a setting without value": "run queue.toml --set duration",
    "a seed that is no number": "run queue.toml --seed one",
    "a seed that is not whole": "run queue.toml --seed 1.7",
    "a seed in hexadecimal": "run queue.toml --seed 0x10",
    "half a replication": "run queue.toml --replications 2.5",
    "half a job": "run queue.toml --jobs 2.5",
    "no replications": "run queue.toml --replications 0",
    "no jobs": "run queue.toml --jobs 0",
    "an unknown executor": "run queue.toml --executor slurm",
    "threads without number": "run queue.toml --executor threads:all",
    "results where a file is": "run queue.toml --out binary",
    "results where nothing may be": "run queue.toml --out /proc/results",
    "a store that is none": "run queue.toml --out damaged",
    "an unknown trace": "run queue.toml --trace movie",
    "an interval of nothing": "run queue.toml --every 1ms",
    "an interval that is none": "run port.toml --trace series --every often",
    "an interval beyond memory": "run port.toml --trace series --every 1ns",
    "a mistake beside an interval": "run port.toml --trace series --every 1ms --set duration=long",
    "an unknown list": "list numbers",
    "no results": "plot .",
    "results that are none": "plot binary",
    "an unknown metric": "plot results/queue --metric goodput",
    "an unknown scope": "plot results/queue --scope host",
    "an unknown axis": "plot results/queue --x packet",
    "a choice without value": "plot results/queue --where load",
    "a value that is not there": "plot results/queue --where load=7",
    "an unknown format": "plot results/queue --out figure.jpeg",
    "series that were not recorded": "plot results/queue --series cwnd",
    "series of several points": "plot results/sweep --series cwnd",
    "series and a metric": "plot results/port --series cwnd --metric goodput",
    "a flow of a metric": "plot results/queue --flow a[0]",
    "an unknown series": "plot results/port --series window",
    "series of two units": "plot results/port --series cwnd,srtt",
    "an unknown flow": "plot results/port --series cwnd --flow telnet",
    "an unknown port": "plot results/port --series queue --port s9",
    "an unknown replication": "plot results/port --series cwnd --replication 7",
    "a time that is none": "plot results/port --series cwnd --from early",
    "times in reverse": "plot results/port --series cwnd --from 2ms --to 1ms",
    "a time beyond the end": "plot results/port --series cwnd --from 1s",
    "a file of no series": "plot binary.parquet",
}


def test_bad_input_is_answered_with_a_hint_and_no_traceback(
    command: Command, simulate: Callable[[Scenario], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("binary").write_bytes(b"title = '\xff\xfe'\n")
    Path("large").write_bytes(b"#" * (17 * 2**20))
    Path("damaged").mkdir()
    Path("damaged/store.sqlite").write_text("not a database, but long enough to be one" * 20)
    Path("binary.parquet").write_text("not a table")
    Path("port.toml").write_text(PORT)
    assert command("run", "port.toml", "--trace", "series").code == DONE
    Path("sweep.toml").write_text(SWEEP)
    assert command("run", "sweep.toml", "--trace", "series").code == DONE
    simulate(queue())
    assert command("run", "queue.toml").code == DONE
    monkeypatch.setattr(
        scenario_module,
        "load",
        lambda path, settings=(): queue() if str(path) == "queue.toml" else load(path, settings),
    )
    report = []
    for what, line in BAD.items():
        ended = command(*line.split())
        assert ended.code == BAD_INPUT, what
        assert ended.out == "", what
        report.append(f"# {what}\n$ cellrelay {line}\n{ended.err}")
    snapshot.check("bad-input.txt", "\n".join(report))


def test_check_prints_a_scenario_that_is_its_own_resolution(command: Command) -> None:
    Path("port.toml").write_text(SWEEP)
    first = command("check", "port.toml", "--set", "duration=0.5 s")
    assert (first.code, first.err) == (DONE, "")
    assert 'duration = "500 ms"' in first.out
    Path("resolved.toml").write_text(first.out)
    assert command("check", "resolved.toml") == first


def test_check_lists_every_mistake(command: Command) -> None:
    Path("port.toml").write_text(PORT.replace("count = 2", "count = -2").replace("us", "feet"))
    ended = command("check", "port.toml")
    assert (ended.code, ended.out) == (BAD_INPUT, "")
    assert ended.err.startswith("error: port.toml:")
    assert all(
        path in ended.err for path in ("host.sender.count", "link.access.delay", "link.exit")
    )


def test_a_mistake_in_a_setting_names_the_setting(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    ended = command("check", "port.toml", "--set", "duration=fast")
    assert ended.code == BAD_INPUT
    assert "duration" in ended.err
    assert "hint: " in ended.err


def test_the_same_command_gives_the_same_bytes(command: Command) -> None:
    Path("port.toml").write_text(SWEEP)
    first = command("run", "port.toml", "--json", "--jobs", "1", "--out", "first")
    second = command("run", "port.toml", "--json", "--jobs", "2", "--out", "second")
    assert first.code == second.code == DONE
    assert first.out == second.out
    for name in ("replications.csv", "scalars.csv", "results.json", "scenario.toml"):
        assert Path("first", name).read_bytes() == Path("second", name).read_bytes()


def test_a_seed_and_replications_are_taken_from_the_command_line(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    ended = command("run", "port.toml", "--json", "--seed", "7", "--replications", "1")
    document = json.loads(ended.out)
    assert document["seed"] == 7
    assert {scalar["n"] for scalar in document["scalars"]} == {1}
    assert document["scenario"] == "port.toml"


@pytest.mark.parametrize(
    ("what", "header"),
    [("components", "family"), ("metrics", "scope"), ("studies", "study")],
)
def test_lists_what_there_is(command: Command, what: str, header: str) -> None:
    ended = command("list", what)
    assert (ended.code, ended.err) == (DONE, "")
    assert ended.out.startswith(header)


def test_the_schema_accepts_what_the_core_accepts(command: Command) -> None:
    schema = json.loads(command("schema").out)
    validator = jsonschema.Draft202012Validator(schema)
    validator.validate(tomllib.loads(SWEEP))
    assert not validator.is_valid({"duratoin": "1 s"})


def test_help_needs_no_heavy_packages() -> None:
    program = (
        "import sys; from cellrelay.cli import main; main(['--help']);"
        "print(sorted({'numpy', 'matplotlib', 'pandas', 'xarray'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.endswith("[]\n")


SLOW = """
import sys
from cellrelay import scenario
from cellrelay.cli import main
from tests.double import queue

scenario.load = lambda path, settings=(): queue(seconds=float(sys.argv[1]))
sys.exit(main(["run", "queue.toml", "--jobs", "2", "--out", sys.argv[2]]))
"""


@pytest.mark.parametrize("seconds", ["0.05", "60"])
def test_an_interrupt_is_obeyed_at_once(tmp_path: Path, seconds: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    driver = subprocess.Popen(
        [sys.executable, "-c", SLOW, seconds, str(tmp_path / "out")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 20
    while not (tmp_path / "out" / "store.sqlite").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.15)
    driver.send_signal(signal.SIGINT)
    sent = time.monotonic()
    _, err = driver.communicate(timeout=20)
    assert time.monotonic() - sent < 5
    assert driver.returncode == 130, err
    assert "Traceback" not in err
    assert "interrupted" in err
    assert (tmp_path / "out" / "results.json").exists()


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    program = "import sys; from cellrelay.cli import main; sys.exit(main(['list', 'metrics']))"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
