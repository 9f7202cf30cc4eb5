"""What surrounds a run costs in proportion to what it measures, and next to nothing for a point.

What is counted here are calls, octets and objects, which are the same on every machine, but for one
ratio of two times; `make bench-sweeps` has seconds.
"""

from __future__ import annotations

import csv
import gc
import json
import math
import subprocess
import sys
import time
import tracemalloc
from array import array
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from cellrelay.cli.exits import DONE
from cellrelay.cli.show import show
from cellrelay.execute import open_pool
from cellrelay.experiment.sweep import POINTS, sweep
from cellrelay.metrics.scope import NETWORK, Scope
from cellrelay.results import PointResult, Provenance, Results
from cellrelay.results.files.cells import as_cell
from cellrelay.results.files.document import write_document
from cellrelay.results.files.folder import write_folder, write_summary
from cellrelay.results.files.tidy import header, rows
from cellrelay.scenario import Replications, Scenario, parse
from cellrelay.simulation.labels import Label
from cellrelay.simulation.run import Run, Task, Warned, simulate
from cellrelay.store import Store
from cellrelay.store.labels import read_labels, write_labels

from .command import Command
from .double import queue
from .scenarios import SWEEP


def run_of(flows: int, *values: float) -> Run:
    """A run with two metrics of each flow."""
    labels = tuple(
        Label(Scope.flow("f", flow), metric, unit)
        for flow in range(flows)
        for metric, unit in (("goodput", "bit/s"), ("timeouts", ""))
    )
    return Run(labels, array("d", values or range(len(labels))), "abc", (), seconds=0.1)


def results_of(*points: PointResult, axes: tuple[str, ...] = ()) -> Results:
    return Results(
        Provenance("many.toml", 'All "scalars": [], "points": []', "1", "model", 1), axes, points
    )


def calls_of(work: Callable[[], object]) -> int:
    """Functions called, those of C included."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def most_octets_of(work: Callable[[], object]) -> int:
    """The most memory of Python that was taken at a time."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def recorded(run: Run, path: Path) -> None:
    with Store(path) as store:
        store.record(Task(queue().point(0), 1, 0), run)


def written(run: Run, folder: Path) -> None:
    write_folder(results_of(PointResult({}, (run,), 1)), folder)


def shown(run: Run, _folder: Path) -> None:
    show(results_of(PointResult({}, (run,), 1)), StringIO())


@pytest.mark.parametrize(("work", "each"), [(recorded, 5), (written, 12), (shown, 7)])
def test_calls_are_few_for_a_number_and_grow_with_numbers(
    tmp_path: Path, work: Callable[[Run, Path], None], each: int
) -> None:
    def calls(flows: int) -> int:
        run = run_of(flows)
        return calls_of(lambda: work(run, tmp_path / str(flows)))

    calls(10)
    few, many = calls(1000), calls(4000)
    # Two numbers of each of three thousand flows more.
    assert (many - few) / 6000 < each


def seldom(flows: int) -> PointResult:
    """A point at which one of many flows has completion times."""
    run = run_of(flows)
    of_first = Label(run.labels[0].scope, "p99_completion_time", "s")
    known = Run((*run.labels, of_first), array("d", [*run.values, 1.0]), "")
    return PointResult({}, (known, known), 1)


def test_a_metric_that_one_member_has_takes_calls_in_proportion_to_the_group() -> None:
    def calls(flows: int) -> int:
        point = seldom(flows)
        scopes = list(dict.fromkeys(label.scope for label in point.labels))
        return calls_of(lambda: point.estimate("p99_completion_time", *scopes))

    calls(10)
    few, many = calls(1000), calls(4000)
    assert (many - few) / 3000 < 40


def test_the_table_of_a_point_takes_calls_in_proportion_to_what_was_measured(
    tmp_path: Path,
) -> None:
    def calls(flows: int) -> int:
        results = results_of(seldom(flows))
        return calls_of(lambda: show(results, StringIO()))

    calls(10)
    few, many = calls(1000), calls(4000)
    assert (many - few) / 6000 < 80


def test_a_number_is_found_by_its_name_without_a_look_at_the_others() -> None:
    def calls(flows: int) -> int:
        run = run_of(flows)
        run.value("flow f[0] goodput")
        return calls_of(lambda: run.value(f"flow f[{flows - 1}] goodput"))

    assert calls(4000) == calls(10) < 100


def test_tables_are_written_without_being_in_memory(tmp_path: Path) -> None:
    run = run_of(5000)
    written(run, tmp_path / "first")
    octets = sum(path.stat().st_size for path in (tmp_path / "first").iterdir())
    assert most_octets_of(lambda: written(run, tmp_path / "again")) < octets / 2


def test_what_is_measured_takes_few_octets_of_a_store(tmp_path: Path) -> None:
    run = run_of(10_000)
    text = write_labels(run.labels)
    assert len(text) < 20 * 10_000
    assert read_labels(text) == run.labels
    assert read_labels(text) is read_labels(text)
    recorded(run, tmp_path / "store.sqlite")
    # Eight octets per number, plus the rows of each flow and their index.
    assert (tmp_path / "store.sqlite").stat().st_size < (16 + 2 * 20) * 10_000 + 100_000


def swept(points: int, folder: Path, look: Callable[[], int] = lambda: 0) -> int:
    """Run a sweep, write its folder, show it, and look while it is all there."""
    delays = ", ".join(f'"{number} us"' for number in range(1, points + 1))
    text = SWEEP.partition("[sweep]")[0].replace("50 ms", "0.1 ms")
    scenario = parse(f'{text}\n[sweep]\n"link.exit.delay" = [{delays}]')
    with open_pool("threads:1") as pool, Store(folder / f"{points}.sqlite") as store:
        rule = Replications.exactly(1)
        results = sweep(scenario, pool, store, replications=rule, is_loaded=False)
        assert len(results.points) == points
        write_folder(results, folder)
        show(results, StringIO())
        return look()


def scenarios_alive() -> int:
    gc.collect()
    return sum(isinstance(one, Scenario) for one in gc.get_objects())


def test_a_sweep_keeps_the_scenarios_of_few_points(tmp_path: Path) -> None:
    before = scenarios_alive()
    assert swept(2 * POINTS, tmp_path, scenarios_alive) - before < POINTS + 10


def test_a_point_of_a_sweep_takes_few_octets(tmp_path: Path) -> None:
    few, many = 2 * POINTS, 4 * POINTS
    octets = [most_octets_of(partial(swept, count, tmp_path)) for count in (few, many)]
    assert (octets[1] - octets[0]) / (many - few) < 8_000


def flows(count: int) -> str:
    """So many senders behind as many outputs of one switch."""
    return f"""
duration = "0.1 ms"
host.a.count = {count}
host.b = {{}}
switch.s.buffer.per_output = "1000 cells"
link.in = {{ between = ["a", "s"], rate = "155.52 Mbit/s", delay = "3 us" }}
link.out = {{ between = ["s", "b"], rate = "2.4 Gbit/s", delay = "3 us" }}
[flow.f]
from = "a"
to = "b"
source.greedy = {{}}
over.ubr = {{}}
transport.tcp = {{}}
"""


def test_a_run_and_its_report_take_time_in_proportion_to_flows() -> None:
    few, many = (Task(parse(flows(count)).point(0), 1, 0) for count in (1000, 8000))

    def seconds(task: Task) -> float:
        began = time.thread_time()
        simulate(task)
        return time.thread_time() - began

    def best(task: Task, known: float = math.inf) -> float:
        # The first times fill the caches of the processor.
        return min(known, *(seconds(task) for _ in range(4)))

    short, long = best(few), best(many)
    for _ in range(3):
        # In proportion it is 8, and up to three times that as caches overflow that others use too;
        # in proportion to the square it is 64. The best of more runs is closer.
        if long < 32 * short:
            break
        long = best(many, long)
    assert long < 32 * short


ODD = (0.1, -0.0, math.nan, 1e100, 1e-300, 5e-324)
NAMES = ({"a": 'say "this", or\nthat', "b": "1 s"}, {"a": "", "b": "2 é"})


def several() -> dict[str, Results]:
    one, other = run_of(3, *ODD), run_of(3, *reversed(ODD))
    less = Run(
        one.labels[1:5], array("d", [1.0, 2.0, 3.0, 4.0]), "", (Warned("odd", NETWORK, "odd"),)
    )
    batched = Run(one.labels, one.values, "", (), (one.values, other.values))
    in_words = run_of(1)
    points: dict[str, list[tuple[Run, ...]]] = {
        "one run": [(one,)],
        "what is endless": [(run_of(1, math.inf, -math.inf),)],
        "two runs": [(one, other)],
        "other labels": [(less, one)],
        "batches": [(batched, batched)],
        "no run": [()],
        "no number": [(Run((), array("d"), ""),)],
        "several points": [(one,), (in_words, in_words), (), (less,)],
    }
    return {
        name: results_of(
            *(
                PointResult(NAMES[number % 2] if name.startswith("several") else {}, runs, 1)
                for number, runs in enumerate(of_points)
            ),
            axes=("a", "b") if name.startswith("several") else (),
        )
        for name, of_points in points.items()
    }


def by_csv(lines: list[Any]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


@pytest.mark.parametrize("name", several())
def test_tables_written_number_by_number_are_those_written_at_once(
    tmp_path: Path, name: str
) -> None:
    results = several()[name]
    path = tmp_path / "written"
    write_document(results, path)
    text = path.read_text(encoding="utf-8")
    at_once = results.to_json()
    assert json.loads(text) == at_once
    lines = [line for line in text.splitlines() if line.startswith('  {"point":')]
    known = [json.loads(line.rstrip(",")) for line in lines]
    assert known == at_once["scalars"] + at_once["points"]
    results.write_csv(path)
    width = len(results.axes)
    table = ([*map(as_cell, row[:width]), *row[width:]] for row in rows(results))
    assert path.read_bytes().decode() == by_csv([header(results), *table])
    write_summary(path, {"": results})
    summary = [
        [
            *(as_cell(known.point.get(axis, "")) for axis in results.axes),
            known.label.scope,
            known.label.metric,
            known.estimate.mean,
            known.label.unit,
            known.estimate.n,
            *([known.estimate.low, known.estimate.high] if known.estimate.n > 1 else ["", ""]),
            known.estimate.level,
            *("", "", ""),
        ]
        for known in results.summary()
    ]
    _, *lines = path.read_bytes().decode().split("\n", 1)
    assert lines == [by_csv(summary)]


def test_each_point_of_a_sweep_is_read_once_from_the_scenario_and_each_run_once_from_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    read: list[int] = []
    unpacked: list[str] = []
    point, runs = Scenario.point, Store.runs

    def noted_point(scenario: Scenario, index: int) -> Scenario:
        read.append(index)
        return point(scenario, index)

    def noted_runs(store: Store, key: str, seed: int, count: int) -> list[Run]:
        unpacked.append(key)
        return runs(store, key, seed, count)

    monkeypatch.setattr(Scenario, "point", noted_point)
    monkeypatch.setattr(Store, "runs", noted_runs)
    delays = ", ".join(f'"{number} us"' for number in range(1, 2 * POINTS + 1))
    text = SWEEP.partition("[sweep]")[0].replace("50 ms", "0.1 ms")
    file = tmp_path / "many.toml"
    file.write_text(f'{text}\n[sweep]\n"link.exit.delay" = [{delays}]', encoding="utf-8")
    out = str(tmp_path / "out")
    for _ in range(2):
        # The second time, nothing is left to run.
        assert command("run", str(file), "--replications", "1", "--out", out).code == DONE
        assert sorted(read) == list(range(2 * POINTS))
        assert len(set(unpacked)) == len(unpacked) == 2 * POINTS
        read.clear()
        unpacked.clear()


def test_a_plain_run_does_not_wait_for_heavy_packages(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(SWEEP.partition("[sweep]")[0], encoding="utf-8")
    program = (
        "import sys; from cellrelay.cli import main;"
        f"main(['run', {str(file)!r}, '--replications', '1', '--out', {str(tmp_path / 'out')!r}]);"
        "print(sorted({'numpy', 'matplotlib', 'pandas', 'xarray'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.endswith("[]\n"), done.stderr


def test_a_command_does_not_wait_for_the_others(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(SWEEP, encoding="utf-8")
    program = (
        f"import sys; from cellrelay.cli import main; main(['check', {str(file)!r}]);"
        "commands = [name for name in sys.modules if name.startswith('cellrelay.cli.commands.')];"
        "print(); print(commands)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.endswith("\n['cellrelay.cli.commands.check']\n"), done.stderr
