"""A run that is advanced, read and steered from Python."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cellrelay import ScenarioError, Simulation, members
from cellrelay.scenario import Scenario, load
from cellrelay.simulation import CONTROLS, Reading
from cellrelay.simulation.run import MODEL, Run, Task, simulate

from .snapshot import check

SCENARIOS = {
    "cells": ("epd-threshold", {"duration": "0.2 s", "warm_up": "0.02 s"}),
    "recorded cells": ("epd-threshold", {"duration": "0.1 s", "record.every": "5 ms"}),
    "packets": ("epd-threshold", {"duration": "0.2 s", "flow.bulk.over": "{ packet = {} }"}),
    "abr": ("abr", {"duration": "0.1 s"}),
    "credits": ("credit-link", {"duration": "0.2 ms"}),
    "batches": ("single-queue", {"duration": "0.2 s", "warm_up": "0.01 s", "batches": "3"}),
}

each_scenario = pytest.mark.parametrize("name", SCENARIOS)


def point(name: str) -> Scenario:
    example, changed = SCENARIOS[name]
    scenario = load(f"examples/{example}.toml", changed)
    return scenario.point(0) if scenario.axes else scenario


def undivided(scenario: Scenario) -> Run:
    return simulate(Task(scenario, scenario.seed, 0))


def series_of(run: Run) -> list[tuple[str, str, bytes, bytes]]:
    return [
        (str(one.scope), one.quantity, one.times.tobytes(), one.values.tobytes())
        for one in run.series.values()
    ]


def is_same(one: Run, other: Run) -> bool:
    return one == other and series_of(one) == series_of(other)


@each_scenario
@settings(max_examples=3)
@given(parts=st.lists(st.floats(0.05, 0.6), min_size=1, max_size=4))
def test_pauses_and_readings_change_nothing(name: str, parts: list[float]) -> None:
    scenario = point(name)
    simulation = Simulation(scenario)
    for part in cycle(parts):
        until = simulation.now + part * scenario.duration
        if until >= scenario.duration:
            break
        simulation.run_until(until)
        assert simulation.now == pytest.approx(until, abs=1e-12)
        assert simulation.observe()
        assert simulation.measure()
    assert is_same(simulation.run(), undivided(scenario))
    assert simulation.run() is simulation.run()


def steer(simulation: Simulation) -> None:
    """Set every control that the run has, at two instants."""
    for share in (0.3, 0.5):
        simulation.run_until(simulation.duration * share)
        for scope, named in simulation.controls.items():
            for name, control in named.items():
                rate = min(control.most, control.value * 2)
                value = {"loss": 0.02, "rate": rate}.get(
                    name, (control.least + control.most * share) // 2 + control.least // 2
                )
                simulation.set(scope, name, max(control.least, value))


@each_scenario
def test_a_replay_and_a_clone_equal_the_original(name: str) -> None:
    scenario = point(name)
    simulation = Simulation(scenario, seed=7, replication=2)
    steer(simulation)
    clone = simulation.clone()
    assert clone.now == simulation.now
    assert dict(clone.observe()) == dict(simulation.observe())
    replay = Simulation.replay(json.dumps(simulation.record))
    run = simulation.run()
    assert is_same(clone.run(), run)
    assert is_same(replay.run(), run)
    assert is_same(Simulation.replay(simulation.record).run(), run)
    is_changed = run.digest != simulate(Task(scenario, 7, 2)).digest
    assert is_changed == bool(simulation.record["set"])


@each_scenario
def test_a_value_that_a_control_has_already_changes_nothing(name: str) -> None:
    scenario = point(name)
    simulation = Simulation(scenario)
    for share in (0.0, 0.4):
        simulation.run_until(scenario.duration * share)
        for scope, named in simulation.controls.items():
            for control in named:
                simulation.set(scope, control, named[control].value)
    assert is_same(simulation.run(), undivided(scenario))


def test_a_clone_with_another_threshold_differs_from_then_on() -> None:
    simulation = Simulation(point("cells"))
    simulation.run_until("0.1 s")
    other = simulation.clone()
    other.set("port s1->receiver", "threshold", "90 %")
    assert dict(other.observe()) == dict(simulation.observe())
    assert other.run().digest != simulation.run().digest


def test_a_number_of_a_run_is_found_by_its_name() -> None:
    run = Simulation(point("cells")).run()
    for label, value in zip(run.labels, run.values, strict=True):
        name = label.metric if str(label.scope) == "network" else f"{label.scope} {label.metric}"
        found = run.value(name)
        assert found == value or (math.isnan(found) and math.isnan(value)), name
    for name, says in {
        "flow bulk goodput": "`flow bulk goodput` is of a group\n  hint: write for example"
        " `flow bulk[0] goodput`",
        "flow bulky[0] goodput": "the run has no `flow bulky[0] goodput`\n  hint: ",
        "trougput": "\n  hint: ",
    }.items():
        with pytest.raises(ScenarioError) as raised:
            run.value(name)
        assert says in str(raised.value)


def test_a_scenario_is_loaded_by_the_name_of_an_example() -> None:
    settings = SCENARIOS["cells"][1]
    by_name = Simulation(load("epd-threshold", settings).point(0)).run()
    assert is_same(by_name, undivided(point("cells")))
    with pytest.raises(ScenarioError, match="did you mean `epd-threshold`") as raised:
        load("epd-treshold")
    assert "`epd-treshold` is neither a file nor an example" in str(raised.value)
    with pytest.raises(FileNotFoundError):
        load("epd-threshold.tml")


POLICY = """\
from cellrelay import members


@members.discard
class Recorded:
    \"\"\"Drops what finds as many cells.\"\"\"

    def admit(self, offer):
        return offer.fits and offer.queued < 300
"""


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[tuple[Path, dict[str, Any], str]]:
    """The file of a policy, the record of a run with it, and the digest of the run."""
    known = dict(members._registered)
    file = tmp_path / "recorded.py"
    file.write_text(POLICY)
    members.load(str(file))
    settings = {"duration": "0.1 s", "sweep": {}, "switch.s1.discard.recorded": {}}
    simulation = Simulation("policies", settings)
    simulation.run_until("50 ms")
    yield file, simulation.record, simulation.run().digest
    members._registered.clear()
    members._registered.update(known)


def test_a_record_is_replayed_with_the_same_members(
    recorded: tuple[Path, dict[str, Any], str],
) -> None:
    file, record, digest = recorded
    members.load(str(file))
    assert Simulation.replay(json.dumps(record)).run().digest == digest


def test_a_record_is_refused_once_a_member_has_changed(
    recorded: tuple[Path, dict[str, Any], str],
) -> None:
    file, record, _ = recorded
    file.write_text(POLICY.replace("300", "200"))
    members.load(str(file))
    with pytest.raises(ScenarioError, match="`recorded` is not that of the recorded run") as raised:
        Simulation.replay(record)
    assert "\n  hint: load the file as it was" in str(raised.value)


def test_a_record_is_refused_without_its_members(
    recorded: tuple[Path, dict[str, Any], str],
) -> None:
    _, record, _ = recorded
    del members._registered["discard", "recorded"]
    with pytest.raises(
        ScenarioError, match="the member `recorded` of the family `discard`"
    ) as raised:
        Simulation.replay(record)
    assert '`cellrelay.members.load("FILE")`' in str(raised.value)


def test_a_clone_has_the_members_of_its_original(
    recorded: tuple[Path, dict[str, Any], str],
) -> None:
    file, _, digest = recorded
    members.load(str(file))
    settings = {"duration": "0.1 s", "sweep": {}, "switch.s1.discard.recorded": {}}
    simulation = Simulation("policies", settings)
    file.write_text(POLICY.replace("300", "200"))
    members.load(str(file))
    clone = simulation.clone()
    assert clone.run().digest == digest
    assert clone.record["members"] == simulation.record["members"]


def test_observations_have_units_and_totals() -> None:
    simulation = Simulation(point("cells"))
    assert not simulation.measure()
    simulation.run_until("0.1 s")
    seen = simulation.observe()
    queue = seen["port s1->receiver"]["queue"]
    assert (queue.unit, repr(queue)) == ("cells", f"{float(queue)} cells")
    assert pickle.loads(pickle.dumps(queue)).unit == "cells"
    assert seen["flow bulk[0]"]["timeouts"].unit == "1"
    assert repr(Reading(2.0, "1")) == "2.0"
    acknowledged = [seen[f"flow bulk[{flow}]"]["acknowledged"] for flow in range(10)]
    assert seen.total("flow bulk", "acknowledged") == sum(acknowledged) > 0
    goodput = simulation.measure()["network"]["goodput"]
    assert goodput.unit == "bit/s"
    assert 0 < goodput < 141.333e6


def test_every_control_is_in_the_reference() -> None:
    names = {(one.scope, one.name) for one in CONTROLS}
    assert names == {
        ("flow", "rate"),
        ("flow", "window"),
        ("flow", "acr"),
        ("port", "threshold"),
        ("link", "loss"),
        ("link", "rate"),
    }


MISTAKES: dict[str, Callable[[Simulation], object]] = {
    "a time in the past": lambda run: run.run_until("1 ms"),
    "a time after the end": lambda run: run.run_until(7),
    "no number": lambda run: run.run_until(float("nan")),
    "no time": lambda run: run.run_until([]),  # type: ignore[arg-type]
    "a truth value as time": lambda run: run.run_until(True),
    "a word as time": lambda run: run.run_until("soon"),
    "an unknown control": lambda run: run.set("flow bulk", "windo", 3000),
    "no control": lambda run: run.set("flow bulk", 3, 3000),  # type: ignore[arg-type]
    "an unknown flow": lambda run: run.set("flow bulky", "window", 3000),
    "a member that is not there": lambda run: run.set("flow bulk[10]", "window", 3000),
    "a scope of another kind": lambda run: run.set("port s1->receiver", "window", 3000),
    "no scope": lambda run: run.set("", "window", 3000),
    "a control that the run lacks": lambda run: run.set("link s1->receiver", "loss", 0.5),
    "too little": lambda run: run.set("flow bulk", "window", 1),
    "too much": lambda run: run.set("port s1->receiver", "threshold", "2000 cells"),
    "a part of a cell": lambda run: run.set("port s1->receiver", "threshold", 0.5),
    "another unit": lambda run: run.set("port s1->receiver", "threshold", "9 kB"),
    "no value": lambda run: run.set("flow bulk", "window", None),  # type: ignore[arg-type]
    "a truth value": lambda run: run.set("flow bulk", "window", True),
    "a scope that is not observed": lambda run: run.observe()["flow bluk[0]"],
    "a gauge that is not there": lambda run: run.observe()["flow bulk[0]"]["cwind"],
    "a total of nothing": lambda run: run.observe().total("flow bulk", "queue"),
    "a sweep": lambda _: Simulation("examples/epd-threshold.toml"),
    "no scenario": lambda _: Simulation(3),  # type: ignore[arg-type]
    "settings of a scenario": lambda run: Simulation(run.scenario, {"duration": "1 s"}),
    "no seed": lambda run: Simulation(run.scenario, seed=-1),
    "no replication": lambda run: Simulation(run.scenario, replication=1.5),  # type: ignore[arg-type]
    "no JSON": lambda _: Simulation.replay("{"),
    "no record": lambda _: Simulation.replay({"seed": 1}),
    "a record without members": lambda run: Simulation.replay(run.record | {"members": None}),
    "a record of a member that is not there": lambda run: Simulation.replay(
        run.record | {"members": {"discard mine": "0"}}
    ),
    "a record of another model": lambda run: Simulation.replay(run.record | {"model": "0.0.1+a"}),
    "a record that sets nonsense": lambda run: Simulation.replay(run.record | {"set": [1]}),
    "a record without a value": lambda run: Simulation.replay(
        run.record | {"set": [{"at": "1 s", "scope": "flow bulk", "control": "window"}]}
    ),
}


def test_mistakes_are_refused_with_a_hint_and_leave_the_run_whole() -> None:
    scenario = point("cells")
    simulation = Simulation(scenario)
    simulation.run_until("50 ms")
    told = ""
    for name, mistake in MISTAKES.items():
        with pytest.raises((ScenarioError, KeyError)) as error:
            mistake(simulation)
        assert "\n  hint: " in str(error.value), name
        told += f"{name}\n  {error.value}\n".replace(MODEL, "MODEL")
    check("simulation.txt", told)
    assert is_same(simulation.run(), undivided(scenario))


def test_a_run_that_has_ended_is_refused() -> None:
    simulation = Simulation(point("cells"))
    simulation.run()
    for use in (simulation.observe, simulation.measure, lambda: simulation.controls):
        with pytest.raises(ScenarioError, match="has ended\n  hint: "):
            use()
    assert simulation.now == simulation.duration
    assert "at 200 ms of 200 ms" in repr(simulation)


def test_ctrl_c_pauses_a_run_that_can_go_on() -> None:
    scenario = load("examples/epd-threshold.toml", {"duration": "1000 s"}).point(0)
    simulation = Simulation(scenario)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        simulation.run()
    assert time.monotonic() - begun < 30
    paused = simulation.now
    assert 0 < paused < 1000
    replay = Simulation.replay(simulation.record)
    assert dict(replay.observe()) == dict(simulation.observe())
    for run in (simulation, replay):
        run.run_until(paused + 0.01)
    assert dict(replay.observe()) == dict(simulation.observe())


def test_other_threads_go_on_and_may_not_use_a_run_underway() -> None:
    scenario = load("examples/epd-threshold.toml", {"duration": "1000 s"}).point(0)
    simulation = Simulation(scenario)
    told = []

    def look() -> None:
        # The run is underway once its time has passed a second.
        while simulation.now < 1:
            time.sleep(0.001)
        try:
            simulation.observe()
        except ScenarioError as error:
            told.append(str(error))
        assert "epd-threshold" in repr(simulation)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=look)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.run()
    thread.join()
    assert told
    assert told[0].startswith("another thread advances this simulation\n  hint: ")
