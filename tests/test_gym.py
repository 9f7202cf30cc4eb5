"""The environment of Gymnasium over a steered run."""

from __future__ import annotations

import math

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from cellrelay import ScenarioError
from cellrelay.scenario import Settings, load
from cellrelay.simulation import Observation
from cellrelay.simulation.gym import Environment, Seen, Turned

PORT = "port s1->receiver"


def delivered(before: Observation, after: Observation) -> float:
    return after.total("flow bulk", "acknowledged") - before.total("flow bulk", "acknowledged")


def environment(
    every: str = "10 ms",
    sees: tuple[Seen, ...] = (
        Seen(PORT, "queue", most=1000),
        Seen("flow bulk", "acknowledged", most=200_000, growth=True),
    ),
    turns: tuple[Turned, ...] = (Turned(PORT, "threshold"), Turned("flow bulk", "window")),
    settings: Settings = (("duration", "55 ms"),),
) -> Environment:
    scenario = load("examples/epd-threshold.toml", settings).point(0)
    return Environment(scenario, every=every, sees=sees, turns=turns, reward=delivered)


def test_the_checker_of_gymnasium_accepts_it() -> None:
    check_env(environment(), skip_render_check=True)


def test_an_episode_is_a_run_that_its_seed_determines() -> None:
    one, other = environment(), environment()
    actions = [np.array([share, -share], np.float32) for share in (-1.0, 0.0, 0.5, 1.0, -0.2, 0.1)]
    episodes = []
    for made in (one, other, one):
        seen, told = made.reset(seed=3)
        steps = [(seen.tobytes(), 0.0, told["time"])]
        for action in actions:
            seen, reward, ended, truncated, told = made.step(action)
            assert seen in made.observation_space
            assert not ended
            assert truncated == (action is actions[-1])
            steps.append((seen.tobytes(), reward, told["time"]))
        episodes.append((steps, made.simulation.run().digest))
    assert episodes[0] == episodes[1] == episodes[2]
    times = [time for _, _, time in episodes[0][0]]
    assert times == pytest.approx([0.0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.055])
    assert sum(reward for _, reward, _ in episodes[0][0]) > 0
    one.reset(seed=4)
    assert one.simulation.record["seed"] != other.simulation.record["seed"]


def test_an_action_is_a_place_in_the_range_of_its_control() -> None:
    made = environment(turns=(Turned(PORT, "threshold", least=100, most=301),))
    made.reset(seed=1)
    values = []
    for place in (-1.0, 0.0, 1.0):
        made.step(np.array([place], np.float32))
        values.append(made.simulation.controls[PORT]["threshold"].value)
    assert values == [100, 200, 301]


@pytest.mark.parametrize("place", [1.01, -1.01, math.inf, -math.inf, math.nan])
def test_an_action_out_of_range_is_refused_at_its_place(place: float) -> None:
    made = environment()
    made.reset(seed=1)
    with pytest.raises(ScenarioError) as error:
        made.step(np.array([0.0, place]))
    assert str(error.value) == (
        f"action[1], `window` of `flow bulk`: {place!r} is out of range\n"
        "  hint: write a number from -1 to 1, or clip the action to `action_space`"
    )
    # The step has set nothing, and another may follow.
    assert made.simulation.now == 0
    assert not made.simulation.record["set"]
    made.step(np.array([0.0, 1.0]))


@pytest.mark.parametrize("action", [[], [0.0], [0.0, 0.0, 0.0], 0.5, None, ["a", "b"]])
def test_an_action_of_another_shape_is_refused(action: object) -> None:
    made = environment()
    made.reset(seed=1)
    with pytest.raises(ScenarioError, match="write a list of 2 numbers from -1 to 1"):
        made.step(action)  # type: ignore[arg-type]


def seeds(made: Environment, episodes: int, first: int | None = None) -> list[int]:
    found = []
    for episode in range(episodes):
        made.reset(seed=first if episode == 0 else None)
        found.append(made.simulation.record["seed"])
    return found


def test_episodes_without_a_seed_are_the_same_each_time() -> None:
    without = seeds(environment(), 3)
    assert len(set(without)) == 3
    assert seeds(environment(), 3) == without
    of_scenario = load("examples/epd-threshold.toml").seed
    assert seeds(environment(), 3, first=of_scenario) == without
    assert seeds(environment(settings=(("seed", "7"), ("duration", "55 ms"))), 3) != without


def test_a_step_outside_an_episode_is_refused() -> None:
    made, action = environment(every="50 ms"), np.zeros(2, np.float32)
    with pytest.raises(gymnasium.error.ResetNeeded, match="no episode has begun"):
        made.step(action)
    made.reset(seed=1)
    assert [made.step(action)[3] for _ in range(2)] == [False, True]
    with pytest.raises(gymnasium.error.ResetNeeded, match="the episode has ended"):
        made.step(action)
    made.reset()
    assert not made.step(action)[3]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"every": "0 s"}, "a step of no time"),
        ({"every": "soon"}, "`soon` is not a duration"),
        ({"sees": (Seen(PORT, "quue", 10),)}, "did you mean `queue`?"),
        ({"sees": (Seen("flow blk", "cwnd", 10),)}, "did you mean `flow bulk`?"),
        ({"sees": (Seen("bulk", "cwnd", 10),)}, "hint: "),
        ({"turns": (Turned(PORT, "treshold"),)}, "did you mean `threshold`?"),
        ({"turns": (Turned("link s1->receiver", "loss"),)}, "hint: "),
    ],
)
def test_mistakes_are_refused_with_a_hint(wrong: dict[str, object], told: str) -> None:
    with pytest.raises((ScenarioError, KeyError)) as error:
        environment(**wrong)  # type: ignore[arg-type]
    assert told in str(error.value)
