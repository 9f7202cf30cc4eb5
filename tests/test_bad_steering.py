"""Wrong uses of a steered run and of its environment: each is refused with a hint, and the run goes
on as if nothing had been asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from cellrelay import ScenarioError, Simulation
from cellrelay.scenario import load
from cellrelay.simulation.gym import Environment, Seen, Turned
from cellrelay.simulation.run import Task, simulate

PORT = "port s1->receiver"
SCENARIO = load("examples/epd-threshold.toml", {"duration": "20 ms"}).point(0)
WHOLE = simulate(Task(SCENARIO, SCENARIO.seed, 0)).digest

Use = Callable[[Simulation], object]


def threshold(value: Any) -> Use:
    return lambda run: run.set(PORT, "threshold", value)


def until(time: Any) -> Use:
    return lambda run: run.run_until(time)


def replayed(**changed: Any) -> Use:
    return lambda run: Simulation.replay(run.record | changed)


def act(at: str, value: Any = 3, scope: str = PORT) -> dict[str, Any]:
    return {"at": at, "scope": scope, "control": "threshold", "value": value}


USES: dict[str, tuple[Use, str]] = {
    "not a number": (threshold(math.nan), "from 0 to 1000 cells"),
    "an infinite number": (threshold(math.inf), "`inf` is out of range"),
    "a negative infinite number": (threshold(-math.inf), "`-inf` is out of range"),
    "a negative number": (threshold(-1), "`-1` is out of range"),
    "a huge number": (threshold(1e300), "is out of range"),
    "more than a float": (threshold(10**400), "too large"),
    "a list": (threshold([1]), "[1] is neither a number nor a text"),
    "octets": (threshold(b"1"), "b'1' is neither a number nor a text"),
    "a complex number": (threshold(1j), "1j is neither a number nor a text"),
    "an array": (threshold(np.array([1.0, 2.0])), "is no number"),
    "an array of one": (threshold(np.array([100.0])), "is no number"),
    "not a number of numpy": (threshold(np.float64("nan")), "`NaN` is out of range"),
    "an empty text": (threshold(""), "an empty text is not a level"),
    "a unit alone": (threshold("%"), "`%` is not a level"),
    "more than all": (threshold("101 %"), "`101 %` exceeds `100 %`"),
    "a zero octet": (threshold("1\0"), "unknown unit"),
    "no scope": (lambda run: run.set(None, "threshold", 1), "write a scope such as"),  # type: ignore[arg-type]
    "a number as scope": (lambda run: run.set(3, "threshold", 1), "write a scope such as"),  # type: ignore[arg-type]
    "a negative member": (lambda run: run.set("flow bulk[-1]", "window", 3000), "flow NAME"),
    "no control": (lambda run: run.set(PORT, None, 1), "expected one of `rate`"),  # type: ignore[arg-type]
    "an empty control": (lambda run: run.set(PORT, "", 1), "expected one of `rate`"),
    "a negative time": (until(-1), "`-1` seconds is no time of a run"),
    "an infinite time": (until(math.inf), "is no time of a run"),
    "a huge time": (until(10**400), "is not a time"),
    "no time": (until(None), "None is not a time"),
    "an empty time": (until(""), "an empty text is not a duration"),
    "a negative time as text": (until("-1 s"), "`-1 s` is negative"),
    "a time in kilograms": (until("1 kg"), "unknown unit `kg`"),
    "an array of times": (until(np.array([1.0, 2.0])), "is not a time"),
    "a part of a seed": (lambda _: Simulation(SCENARIO, seed=1.5), "1.5 is no seed"),  # type: ignore[arg-type]
    "a text as seed": (lambda _: Simulation(SCENARIO, seed="1"), "'1' is no seed"),  # type: ignore[arg-type]
    "a huge seed": (lambda _: Simulation(SCENARIO, seed=2**64), "is no seed"),
    "a truth value as seed": (lambda _: Simulation(SCENARIO, seed=True), "True is no seed"),
    "no scenario": (lambda _: Simulation(None), "None is no scenario"),  # type: ignore[arg-type]
    "no record": (lambda _: Simulation.replay(None), "NoneType is no record"),  # type: ignore[arg-type]
    "a list as record": (lambda _: Simulation.replay("[]"), "list is no record"),
    "a record before the start": (replayed(now="-1 s"), "`-1 s` is negative"),
    "a record after the end": (replayed(now="7 s"), "after the end of the run"),
    "a record of no scenario": (replayed(scenario="title = 3"), "`duration` is missing"),
    "acts out of order": (
        replayed(now="10 ms", set=[act("9 ms"), act("5 ms")]),
        "its instants are not in order",
    ),
    "an act after the record": (replayed(now="1 ms", set=[act("9 ms")]), "not in order"),
    "an act on nothing": (
        replayed(now="10 ms", set=[act("9 ms", scope="port x")]),
        "has no control `threshold`",
    ),
    "an act that is no number": (
        replayed(now="10 ms", set=[act("9 ms", math.nan)]),
        "`NaN` is out of range",
    ),
    "a record with a negative seed": (replayed(seed=-4), "-4 is no seed"),
    "a scope that is a list": (lambda run: run.observe()[[1]], "has no `[1]`"),  # type: ignore[index]
    "a total of a list": (lambda run: run.observe().total([1], "queue"), "has no `[1]`"),  # type: ignore[arg-type]
    "a gauge that is a list": (lambda run: run.observe()[PORT][[1]], "has no `[1]`"),  # type: ignore[index]
}


@pytest.fixture(scope="module")
def underway() -> Simulation:
    simulation = Simulation(SCENARIO)
    simulation.run_until("2 ms")
    return simulation


@pytest.mark.parametrize(("use", "says"), USES.values(), ids=USES)
def test_a_use_is_refused_with_a_hint(use: Use, says: str, underway: Simulation) -> None:
    with pytest.raises((ScenarioError, KeyError)) as raised:
        use(underway)
    assert says in str(raised.value)
    assert "\n  hint: " in str(raised.value)
    assert underway.record["set"] == []


def test_after_all_of_them_the_run_is_that_without_them(underway: Simulation) -> None:
    for use, _ in USES.values():
        with pytest.raises((ScenarioError, KeyError)):
            use(underway)
    assert underway.run().digest == WHOLE


def environment(**changed: Any) -> Environment:
    given: dict[str, Any] = {
        "every": "10 ms",
        "sees": [Seen(PORT, "queue", most=1000)],
        "turns": [Turned(PORT, "threshold")],
        "reward": lambda before, after: 0.0,
    }
    return Environment(SCENARIO, **(given | changed))


def step(action: Any = (0.0,), **changed: Any) -> object:
    made = environment(**changed)
    made.reset(seed=1)
    return made.step(action)


def turned(**limits: Any) -> list[Turned]:
    return [Turned(PORT, "threshold", **limits)]


ENVIRONMENTS: dict[str, tuple[Callable[[], object], str]] = {
    "a negative step": (lambda: environment(every=-1), "is no time of a run"),
    "no step": (lambda: environment(every=None), "None is not a time"),
    "a step that is no number": (lambda: environment(every=math.nan), "is no time of a run"),
    "nothing seen": (lambda: environment(sees=[]), "write a list of `Seen(...)`"),
    "a word seen": (lambda: environment(sees=["queue"]), "write a list of `Seen(...)`"),
    "a text seen": (lambda: environment(sees="queue"), "write a list of `Seen(...)`"),
    "seen up to nothing": (lambda: environment(sees=[Seen(PORT, "queue", 0)]), "above 0"),
    "seen up to less": (lambda: environment(sees=[Seen(PORT, "queue", -3)]), "above 0"),
    "seen up to no number": (lambda: environment(sees=[Seen(PORT, "queue", math.nan)]), "`queue`"),
    "seen up to a text": (lambda: environment(sees=[Seen(PORT, "queue", "3")]), "above 0"),  # type: ignore[arg-type]
    "nothing turned": (lambda: environment(turns=[]), "write a list of `Turned(...)`"),
    "a word turned": (lambda: environment(turns=["x"]), "write a list of `Turned(...)`"),
    "more than most": (lambda: environment(turns=turned(least=300, most=100)), "smaller first"),
    "less than least": (lambda: environment(turns=turned(least=-5)), "from 0 to 1000 cells"),
    "past the most": (lambda: environment(turns=turned(most=5000)), "from 0 to 1000 cells"),
    "a text as least": (lambda: environment(turns=turned(least="1 %")), "no finite number"),
    "a least that is no number": (lambda: environment(turns=turned(least=math.nan)), "`threshold`"),
    "no reward": (lambda: environment(reward=None), "None is no function"),
    "a word as reward": (lambda: step(reward=lambda before, after: "x"), "return a finite number"),
    "nothing as reward": (lambda: step(reward=lambda before, after: None), "None is no finite"),
    "a reward that is no number": (lambda: step(reward=lambda _, after: math.nan), "nan is no"),
    "a reward of nothing there": (
        lambda: step(reward=lambda before, after: after[PORT]["quue"]),
        "did you mean `queue`?",
    ),
    "an action that is no number": (lambda: step([math.nan]), "action[0], `threshold` of"),
    "an action out of range": (lambda: step([2.0]), "2.0 is out of range"),
    "no action": (lambda: step([]), "write a list of 1 number from -1 to 1"),
    "too many actions": (lambda: step([0.0, 0.0]), "as in `action_space`"),
    "a number as action": (lambda: step(0.5), "action: 0.5"),
    "a word as action": (lambda: step("x"), "action: 'x'"),
}


@pytest.mark.parametrize(("use", "says"), ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_an_environment_refuses_it_with_a_hint(use: Callable[[], object], says: str) -> None:
    with pytest.raises((ScenarioError, KeyError)) as raised:
        use()
    assert says in str(raised.value)
    assert "\n  hint: " in str(raised.value)
