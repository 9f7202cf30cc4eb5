"""The environment of Gymnasium over a steered run."""

from __future__ import annotations

import math

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
    actions = [np.array([share, -share], np.float32) for share in (-1.0, 0.0, 0.5, 1.0, 2.0, 0.1)]
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
    for place in (-1.0, 0.0, 1.0, math.inf):
        made.step(np.array([place], np.float32))
        values.append(made.simulation.controls[PORT]["threshold"].value)
    assert values == [100, 200, 301, 301]


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
