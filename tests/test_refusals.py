"""What the command line refuses: with a hint, and without a traceback."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from cellrelay import scenario as scenario_module
from cellrelay.cli.exits import BAD_INPUT, DONE
from cellrelay.scenario import Scenario, load

from . import snapshot
from .command import Command
from .double import queue
from .scenarios import PORT, SWEEP

BAD = {
    "no command of that name": "frobnicate",
    "no file": "run",
    "a file that is not there": "run missing.toml",
    "a folder": "check .",
    "no name of a file": "check ''",
    "a file that cannot be read": "check /proc/self/mem",
    "results that cannot be read": "compare /proc/self/mem",
    "a file in a file": "check binary/x.toml",
    "a binary file": "check binary",
    "a file of 5 MiB": "check large",
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
    "results in a file": "run queue.toml --out binary/results",
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
    Path("large").write_bytes(b"#" * (5 * 2**20))
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
    followed = 0
    for what, line in BAD.items():
        ended = command(*shlex.split(line))
        mended = mended_as_told(shlex.split(line), ended.err)
        if mended:
            problem = ended.err.partition("\n")[0]
            assert problem not in command(*mended).err, f"{what}: {shlex.join(mended)}"
            followed += 1
        assert ended.code == BAD_INPUT, what
        assert "\n  hint: " in ended.err, what
        assert ended.out == "", what
        report.append(f"# {what}\n$ cellrelay {line}\n{ended.err}")
    assert followed > 12, "hints are worded otherwise now"
    snapshot.check("bad-input.txt", "\n".join(report))


def mended_as_told(words: list[str], message: str) -> list[str] | None:
    """A command line after the hint of its message, which proposes an option or a value."""
    problem, _, hint = message.partition("\n  hint: ")
    told = re.search(r"(?:did you mean|for example|write at least|write one of) `([^`]+)`", hint)
    if not told:
        return None
    proposed, wrong = told[1].strip('"'), re.search(r"`([^`]+)`", problem)
    option = re.match(r"error: (--[a-z-]+): ", problem)
    if proposed.startswith("--") and " " in proposed:
        name, value = proposed.split(" ")
        if name not in words:
            return [*words, name, value]
        return [*words[: words.index(name) + 1], value, *words[words.index(name) + 2 :]]
    if option and option[1] in words:
        place = words.index(option[1]) + 1
        return [*words[:place], proposed, *words[place + 1 :]]
    if wrong and wrong[1] in words:
        place = words.index(wrong[1])
        return [*words[:place], proposed, *words[place + 1 :]]
    return None
