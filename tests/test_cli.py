"""The command line: what it prints, where, and how it exits."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import jsonschema
import pytest

from cellrelay.cli import exits
from cellrelay.cli.dispatch import COMMANDS
from cellrelay.cli.exits import (
    BAD_INPUT,
    BROKEN_MODEL,
    DONE,
    FAILED_POINTS,
    STOPPED_EARLY,
)
from cellrelay.results import origin
from cellrelay.results.files.folder import read_folder
from cellrelay.scenario import Scenario, parse

from . import snapshot
from .command import Command
from .double import queue
from .patience import PATIENCE, wait_until
from .scenarios import PORT, SWEEP


def test_the_folder_of_commands_holds_the_listed_commands_only() -> None:
    modules = (Path(exits.__file__).parent / "commands").glob("*.py")
    names = [path.stem.replace("_", "-") for path in modules if path.stem != "__init__"]
    assert sorted(names) == sorted(COMMANDS), "cli/dispatch.py lists the commands"


@pytest.mark.parametrize("name", ["", *COMMANDS])
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
    until = {"metric": "mean_wait", "half_width": 1e-5, "confidence": 0.9}
    simulate(queue({}, replications={"at_least": 2, "at_most": 3, "until": until}))
    ended = command("run", "queue.toml", "--json")
    assert ended.code == STOPPED_EARLY
    assert json.loads(ended.out)["status"] == "stopped early"
    assert "warning: 3 replications did not reach the requested precision" in ended.err


def test_a_point_is_a_point_and_seeds_are_counted(command: Command) -> None:
    Path("port.toml").write_text(PORT + "[sweep]\nseed = [1]\n")
    assert "\n1 point, 2 replications, seed 1" in command("run", "port.toml").out
    Path("port.toml").write_text(PORT + "[sweep]\nseed = [1, 2]\n")
    assert "\n2 points, 2 replications, 2 seeds" in command("run", "port.toml").out
    assert "\n2 replications, seed 7" in command("run", "port.toml", "--seed", "7").out


def test_what_is_shown_may_be_chosen(command: Command) -> None:
    Path("port.toml").write_text(SWEEP)
    chosen = ("--metric", "port s1->receiver max_queue", "--metric", "flow bulk goodput")
    header, *rows = command("run", "port.toml", *chosen).out.splitlines()[3:]
    assert re.split(" {2,}", header)[2:] == ["max_queue (cells)", "goodput (Mbit/s)", "n"]
    document = json.loads(command("run", "port.toml", "--json").out)
    for row in rows:
        buffer, packet, _, goodput, _ = re.split(" {2,}", row)
        members = [
            one["value"]
            for one in document["scalars"]
            if (one["metric"], one["scope"][:-3]) == ("goodput", "flow bulk")
            and list(document["points"][one["point"]]["point"].values()) == [buffer, packet]
        ]
        assert len(members) == 2
        shown = float(goodput.partition(" ")[0])
        assert shown == pytest.approx(sum(members) / len(members) / 1e6, rel=1e-2)


def test_metrics_of_one_name_are_told_apart(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    chosen = ("--metric", "port s1->receiver max_queue", "--metric", "port s1->sender[0] max_queue")
    table = command("run", "port.toml", *chosen).out.splitlines()[3:]
    assert [row.split("  ")[0] for row in table] == ["metric", *chosen[1::2]]


def test_many_lines_of_one_kind_are_cut_short(
    command: Command, simulate: Callable[[Scenario], None]
) -> None:
    until = {"metric": "mean_wait", "half_width": 1e-5, "confidence": 0.9}
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
    told = origin(read_folder(Path("results/queue")).provenance)
    assert "; seed 1; " in told
    assert told in Path("results/queue/mean_wait.svg").read_text(encoding="utf-8")
    ended = command(
        *("plot", "results/queue/replications.csv", "--metric", "utilization"),
        *("--where", "order=lifo", "--x", "load", "--out", "figure.pdf"),
    )
    assert ended == (DONE, "figure.pdf\n", "")
    assert Path("figure.pdf").read_bytes().startswith(b"%PDF")


def test_the_keys_of_the_store_and_the_settings_of_a_figure_follow_from_the_scenario(
    command: Command,
) -> None:
    """A figure, the document and the store of one folder tell of the same scenario."""
    Path("port.toml").write_text(SWEEP)
    folder = Path("results/port")
    assert command("run", "port.toml", "--replications", "2").code == DONE
    assert command("plot", str(folder), "--out", "port.svg").code == DONE
    resolved = (folder / "scenario.toml").read_bytes()
    settings = hashlib.sha256(resolved).hexdigest()[:8]
    assert f"; settings {settings}; " in Path("port.svg").read_text(encoding="utf-8")
    scenario = parse(resolved.decode())
    points = json.loads((folder / "results.json").read_text(encoding="utf-8"))["points"]
    assert len(points) > 1
    assert [point["key"] for point in points] == [
        scenario.point(number).key for number in range(len(scenario.points))
    ]
    with closing(sqlite3.connect(folder / "store.sqlite")) as store:
        of_runs = store.execute(
            "SELECT key, seed, replication, digest FROM run"
            " JOIN scenario ON scenario.id = run.scenario"
        ).fetchall()
    assert sorted(of_runs) == sorted(
        (point["key"], str(point["seed"]), replication, digest)
        for point in points
        for replication, digest in enumerate(point["digests"])
    )


def test_check_prints_a_scenario_that_is_its_own_resolution(command: Command) -> None:
    Path("port.toml").write_text(SWEEP)
    first = command("check", "port.toml", "--set", "duration=0.5 s")
    assert (first.code, first.err) == (DONE, "")
    assert 'duration = "500 ms"' in first.out
    Path("resolved.toml").write_text(first.out)
    assert command("check", "resolved.toml") == first


def test_check_warns_of_what_is_hardly_meant(command: Command) -> None:
    Path("port.toml").write_text(PORT)
    ended = command("check", "port.toml", "--set", "link.exit.delay=1000 s")
    assert ended.code == DONE
    assert ended.err.startswith(
        "warning: --set:1:17: link.exit.delay: nothing sent over this link arrives"
    )
    assert 'delay = "1000 s"' in ended.out


def test_check_tells_what_credits_come_to(command: Command) -> None:
    # There and back 100 m are 1 us, 943.4 cells of 1.06 ns; the cell, the one that its credit waits
    # for, and the credit are sent.
    ended = command("check", "credit-link", "--set", "link.in.delay=100 m")
    assert ended.code == DONE
    assert ended.out.splitlines()[-1] == "# link.in.credit.n23.n3 = 947"
    Path("resolved.toml").write_text(ended.out)
    assert command("check", "resolved.toml").out == ended.out


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
    [
        ("components", "family"),
        ("examples", "example"),
        ("metrics", "scope"),
        ("studies", "study"),
    ],
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
import signal
import sys
from pathlib import Path
from cellrelay import scenario
from cellrelay.cli import main
from tests.double import Core, queue

def note(word):
    with Path(sys.argv[2]).open("a") as notes:
        print(word, file=notes)

def run(self, *given):
    note("begun")
    ended = begin(self, *given)
    note("finished")
    return ended

def interrupt(*given):
    note("interrupted")
    signal.default_int_handler(*given)

begin, Core.run = Core.run, run
signal.signal(signal.SIGINT, interrupt)
replications = {"at_least": 1000, "at_most": 1000, "until": None}
made = queue(seconds=float(sys.argv[1]), replications=replications)
scenario.load = lambda path, settings=(): made
sys.exit(main(["run", "queue.toml", "--jobs", "2", "--out", sys.argv[3]]))
"""
"""A driver that notes when runs begin and finish, and when the signal arrives."""


@pytest.mark.parametrize("seconds", [0.05, 3600.0])
def test_an_interrupt_is_obeyed_at_once(tmp_path: Path, seconds: float) -> None:
    notes, out = tmp_path / "notes", tmp_path / "out"
    driver = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(seconds), str(notes), str(out)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(notes.exists)
        driver.send_signal(signal.SIGINT)
        _, err = driver.communicate(timeout=PATIENCE)
    finally:
        driver.kill()
    assert driver.returncode == 130, err
    assert "Traceback" not in err
    assert "interrupted" in err
    assert (out / "results.json").exists()
    words = notes.read_text().split()
    since = words[words.index("interrupted") :]
    # The two workers have at most two runs each, and get no others.
    assert since.count("begun") <= 4
    assert since.count("finished") <= 4
    # A run that lasts longer than the test is stopped on its way.
    assert seconds < PATIENCE or "finished" not in words


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    program = "import sys; from cellrelay.cli import main; sys.exit(main(['list', 'metrics']))"
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_check_warns_of_what_can_hardly_be_meant(command: Command) -> None:
    text = PORT.replace("congestion.tahoe_gbn = {}", "congestion.dctcp = {}")
    Path("scenario.toml").write_text(text.replace('"64 KiB"', '"1 B"'))
    ended = command("check", "scenario.toml")
    assert ended.code == DONE
    assert ended.err.splitlines() == [
        "warning: scenario.toml:30:1: flow.bulk.transport.tcp: `dctcp` reacts to congestion marks,"
        " and no switch or router on its path marks",
        "  hint: set `mark` at one of them",
        "warning: scenario.toml:32:10: flow.bulk.transport.tcp.window: `transport.tcp.window` of"
        " `1 B` is smaller than a packet of `1500 B`, so packets leave one at a time",
        "  hint: make it at least `1500 B`",
    ]


def test_every_problem_of_a_scenario_is_called_an_error(command: Command) -> None:
    ended = command("check", "policies", "--set", "durration=1 s", "--set", "link.exit.rate=141")
    problems = [line for line in ended.err.splitlines() if not line.startswith("  hint: ")]
    assert len(problems) == 2
    assert all(line.startswith("error: --set:1:") for line in problems)
