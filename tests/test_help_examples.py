"""The examples that `--help` shows: each is a valid command, and those that end soon are run."""

from __future__ import annotations

import shlex
import shutil
from importlib import import_module
from pathlib import Path

import pytest

from cellrelay.cli.dispatch import COMMANDS, EXAMPLES, app
from cellrelay.cli.exits import DONE
from cellrelay.cli.trial import ExampleSetup

from .command import Command

SCENARIO = """\
title = "A flow before a slow link"
duration = "20 ms"
[host.sender]
count = 2
[host.receiver]
[switch.s1]
buffer.per_output = "1000 cells"
[link.access]
between = ["sender", "s1"]
rate = "10 Mbit/s"
delay = "3 us"
[link.slow]
between = ["s1", "receiver"]
rate = "2 Mbit/s"
delay = "3 us"
[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = { start = { uniform = ["0 s", "1 ms"] } }
transport.tcp.packet = "1500 B"
[replications]
at_least = 2
"""
"""A scenario with the names in the examples."""

SWEEP = """\
[sweep]
"switch.s1.buffer.per_output" = ["500 cells", "1000 cells"]
"flow.bulk.transport.tcp.packet" = ["512 B", "1500 B", "9180 B"]
[sweep.discard]
tail_drop = { "switch.s1.discard.tail_drop" = {} }
early_packet = { "switch.s1.discard.early_packet" = {} }
"""

OF_ONE_POINT = ("--draw", "--series")
"""Options that need results without a sweep."""


def examples(*trials: ExampleSetup) -> list[str]:
    """The examples of the commands with these trials, without the files that the shell writes."""
    modules = [
        import_module(f"cellrelay.cli.commands.{name.replace('-', '_')}") for name in COMMANDS
    ]
    tried = [module for module in modules if module.TRIAL in trials]
    lines = [line for module in tried for line in module.EXAMPLES.splitlines()]
    return [line.partition(" > ")[0] for line in lines]


@pytest.mark.parametrize("line", [*EXAMPLES.splitlines(), *examples(*ExampleSetup)])
def test_every_example_is_a_command_with_its_options(line: str) -> None:
    program, *words = shlex.split(line)
    assert program == "cellrelay"
    app().parse_args(words, exit_on_error=False, print_error=False)


def test_examples_of_stored_results_work(command: Command) -> None:
    _simulate(command, SCENARIO + SWEEP)
    command("run", "scenario.toml", "--shard", "2/8")
    shutil.copytree("results/scenario", "results/third")
    shutil.copytree("results/scenario", "other")
    _check(command, [line for line in examples(ExampleSetup.RESULTS) if not _is_of_one_point(line)])


def test_examples_of_one_point_work(command: Command) -> None:
    _simulate(command, SCENARIO, "--set", "duration=1.3 s", "--trace", "series")
    _check(command, [line for line in examples(ExampleSetup.RESULTS) if _is_of_one_point(line)])


def test_examples_of_runs_work(command: Command) -> None:
    Path("scenario.toml").write_text(SCENARIO + SWEEP)
    long = ("credit-link", "duration=5 s")
    _check(
        command,
        [line for line in examples(ExampleSetup.SCENARIO) if not any(one in line for one in long)],
    )


def _is_of_one_point(line: str) -> bool:
    return any(option in line for option in OF_ONE_POINT)


def _simulate(command: Command, scenario: str, *options: str) -> None:
    Path("scenario.toml").write_text(scenario)
    ended = command("run", "scenario.toml", *options)
    assert ended.code == DONE, ended.err


def _check(command: Command, lines: list[str]) -> None:
    assert lines
    for line in lines:
        ended = command(*shlex.split(line)[1:])
        assert ended.code == DONE, f"{line}\n{ended.err}"
