"""A steered run as an environment of Gymnasium, for reinforcement learning.

    environment = Environment(
        "examples/epd-threshold.toml",
        every="10 ms",
        sees=[Seen("port s1->receiver", "queue", most=1000)],
        turns=[Turned("port s1->receiver", "threshold")],
        reward=lambda before, after: -after["port s1->receiver"]["queue"],
    )

It needs the package `gymnasium`, which `make run` installs in `.venv`, and
`pip install 'cellrelay[gym]'` elsewhere. Towers et al., "Gymnasium: A Standard Interface for
Reinforcement Learning Environments", 2024, defines the interface.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cellrelay import _core
from cellrelay.errors import ScenarioError
from cellrelay.scenario import Scenario, Settings
from cellrelay.simulation.observation import Control, Observation
from cellrelay.simulation.steered import Simulation, Time, point_of

try:
    import gymnasium
except ModuleNotFoundError as error:
    hint = "run `pip install 'cellrelay[gym]'`"
    raise ModuleNotFoundError(
        f"`gymnasium` is not installed\n  hint: {hint}", name="gymnasium"
    ) from error

Reward = Callable[[Observation, Observation], float]
"""The reward of a step, from the gauges before it and after it."""

WHOLE = ("cells", "B", "bit/s")
"""Units of controls that take whole numbers only."""


@dataclass(frozen=True)
class Seen:
    """A gauge that an agent observes, as a number from 0 to 1."""

    scope: str
    """The scope of the gauge; for a group, the sum over its members."""
    gauge: str
    most: float
    """Value that the agent observes as 1; larger values are observed as 1 too."""
    growth: bool = False
    """For counters: true to observe the growth since the previous step."""


@dataclass(frozen=True)
class Turned:
    """A control that an agent sets by a number: -1 is the least value, 1 the largest."""

    scope: str
    """The scope of the control; for a group, all members are set."""
    control: str
    least: float | None = None
    """Least value in the unit of the control; by default the least of its range."""
    most: float | None = None


_Kind = TypeVar("_Kind", Seen, Turned)


class Environment(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """An episode is one run; a step sets all controls, and advances the run by `every`.

    `reset` begins a run with another seed, drawn from the seed that it gets. Without a seed, the
    first episode begins with the seed of the scenario, and each later one draws the next seed: a
    program that never gives a seed sees the same episodes each time that it is started. The end of
    the run truncates the episode; no state is terminal. `simulation` is the run underway.
    """

    def __init__(
        self,
        scenario: Scenario | str | Path,
        settings: Settings = (),
        *,
        every: Time,
        sees: Sequence[Seen],
        turns: Sequence[Turned],
        reward: Reward,
    ) -> None:
        """Prepare runs of a scenario; `settings` replaces values of a file, path by path.

        Raises:
            ScenarioError: if the scenario has mistakes, or lacks a gauge or a control.
        """
        self._scenario = point_of(scenario, settings)
        self._every = _core.picoseconds(every)
        if self._every == 0:
            raise ScenarioError('a step of no time\n  hint: write for example `every="10 ms"`')
        self._sees = _each(sees, Seen, "sees")
        self._turns = _each(turns, Turned, "turns")
        if not callable(reward):
            raise ScenarioError(
                f"reward: {reward!r} is no function"
                "\n  hint: write `lambda before, after: ...`, which returns a number"
            )
        self._reward = reward
        self.simulation = Simulation(self._scenario)
        controls = self.simulation.controls
        self._ranges = [_range(turned, controls) for turned in self._turns]
        self._before = self.simulation.observe()
        self._underway = False
        self._seen()
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (len(self._sees),), np.float32)
        self.action_space = gymnasium.spaces.Box(-1.0, 1.0, (len(self._turns),), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin another run; returns the observation and the simulated time."""
        is_first = self._np_random is None
        super().reset(seed=self._scenario.seed if is_first and seed is None else seed)
        self.simulation = Simulation(self._scenario, seed=int(self.np_random.integers(2**31)))
        self._before = self.simulation.observe()
        self._underway = True
        return self._seen(), self._info()

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Set all controls, and advance the run by a step.

        Raises:
            ScenarioError: if `action` is not in the action space.
            gymnasium.error.ResetNeeded: before the first episode, and after the end of an episode.
        """
        if not self._underway:
            state = "the episode has ended" if self.simulation.now > 0 else "no episode has begun"
            raise gymnasium.error.ResetNeeded(f"{state}\n  hint: call `reset` before `step`")
        places = _places(action, self._turns)
        for turned, limits, place in zip(self._turns, self._ranges, places, strict=True):
            self.simulation.set(turned.scope, turned.control, _value(limits, place))
        now, end = (round(time * 1e12) for time in (self.simulation.now, self.simulation.duration))
        until = min(now + self._every, end)
        self.simulation.run_until(_core.time_text(until))
        after = self.simulation.observe()
        reward = _number("reward", self._reward(self._before, after), "return a finite number")
        seen = self._seen(after)
        self._before = after
        self._underway = until < end
        return seen, reward, False, until == end, self._info()

    def _seen(self, after: Observation | None = None) -> NDArray[np.float32]:
        """The agent's observation of the gauges `after` a step, or before the first step."""
        now = self._before if after is None else after
        values = []
        for one in self._sees:
            value = now.total(one.scope, one.gauge)
            if one.growth:
                value -= self._before.total(one.scope, one.gauge)
            values.append(min(max(value / one.most, 0.0), 1.0))
        return np.array(values, np.float32)

    def _info(self) -> dict[str, Any]:
        return {"time": self.simulation.now}


def _each(given: Any, kind: type[_Kind], name: str) -> tuple[_Kind, ...]:
    """The observations and controls of an agent; the numbers among them are checked."""
    all_ = tuple(given) if isinstance(given, Sequence) and not isinstance(given, str) else ()
    if not all_ or not all(isinstance(one, kind) for one in all_):
        hint = f"write a list of `{kind.__name__}(...)`"
        raise ScenarioError(f"{name}: {given!r} is no list of them\n  hint: {hint}")
    for one in all_:
        if isinstance(one, Seen):
            of = f"most of `{one.gauge}`"
            if _number(of, one.most, "write a number above 0") <= 0:
                raise ScenarioError(f"{of}: {one.most!r}\n  hint: write a number above 0")
    return all_


def _number(name: str, value: Any, hint: str) -> float:
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        number = math.nan
    if isinstance(value, str) or not math.isfinite(number):
        raise ScenarioError(f"{name}: {value!r} is no finite number\n  hint: {hint}")
    return number


def _places(action: Any, turns: Sequence[Turned]) -> list[float]:
    """The numbers of an action."""
    try:
        places = [float(place) for place in action]
    except (TypeError, ValueError):
        places = []
    count = len(turns)
    if len(places) != count:
        numbers = "1 number" if count == 1 else f"{count} numbers"
        hint = f"write a list of {numbers} from -1 to 1, as in `action_space`"
        raise ScenarioError(f"action: {action!r}\n  hint: {hint}")
    for index, (turned, place) in enumerate(zip(turns, places, strict=True)):
        # No number is from -1 to 1 if it is not a number.
        if not -1.0 <= place <= 1.0:
            at = f"action[{index}], `{turned.control}` of `{turned.scope}`"
            hint = "write a number from -1 to 1, or clip the action to `action_space`"
            raise ScenarioError(f"{at}: {place!r} is out of range\n  hint: {hint}")
    return places


def _range(turned: Turned, controls: Observation) -> Control:
    """The range of a control, within that of every member of its scope."""
    members = controls.members(turned.scope, turned.control)
    least, most = max(one.least for one in members), min(one.most for one in members)
    hint = f"write numbers from {least:g} to {most:g} {members[0].unit}, the smaller first"
    of = f"range of `{turned.control}`"
    low = least if turned.least is None else _number(of, turned.least, hint)
    high = most if turned.most is None else _number(of, turned.most, hint)
    if not least <= low <= high <= most:
        raise ScenarioError(f"{of}: from {low:g} to {high:g}\n  hint: {hint}")
    return Control(members[0].value, low, high, members[0].unit)


def _value(limits: Control, place: float) -> float:
    share = (place + 1.0) / 2.0
    value = limits.least + share * (limits.most - limits.least)
    return float(round(value)) if limits.unit in WHOLE else value
