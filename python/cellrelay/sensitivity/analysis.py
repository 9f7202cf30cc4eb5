"""A sensitivity analysis of a scenario: its sample as a sweep, and the indices of its metrics."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cellrelay.errors import ScenarioError
from cellrelay.results import Results
from cellrelay.scenario import Goal, Scenario
from cellrelay.scenario.factors import Factor, combined
from cellrelay.sensitivity.methods import Array, Method
from cellrelay.statistics import Estimate

AXIS = "sample"
"""Name of the sweep axis whose points are the samples."""

Load = Callable[[Mapping[str, Any]], Scenario]
"""Reads a scenario with settings in place of those of its file."""
Run = Callable[[Scenario], Results]
"""Runs a scenario."""


@dataclass(frozen=True)
class Sensitivity:
    """Indices of one metric."""

    goal: Goal
    unit: str
    """SI unit of the metric."""
    indices: Mapping[str, Mapping[str, Estimate]]
    """Indices by the name of the factor, then by the name of the index; the largest come first."""
    mean: float
    """Mean of the metric over the sample."""
    deviation: float
    """Standard deviation of the metric over the sample."""
    noise: float | None
    """Share of the variance that is noise between replications; `None` with one replication for
    each point."""


@dataclass(frozen=True)
class Design:
    """The sample of a method, as an axis of a sweep."""

    factors: Sequence[Factor]
    method: Method
    places: Array
    """Points of the unit cube, in the order of the method."""
    labels: Sequence[str]
    """Label on the axis of each point; points with the same settings share a label."""
    rows: Mapping[str, Mapping[str, Any]]
    """The settings of each label."""

    @classmethod
    def of(cls, factors: Sequence[Factor], method: Method) -> Design:
        """The design of a method over some factors."""
        places = method.sample(len(factors))
        known: dict[str, str] = {}
        rows: dict[str, Mapping[str, Any]] = {}
        labels = []
        for place in places:
            settings = combined(factors, [float(coordinate) for coordinate in place])
            # Rounding can make two samples equal; equal samples are run once.
            label = known.setdefault(json.dumps(settings, sort_keys=True), str(len(known) + 1))
            rows[label] = settings
            labels.append(label)
        return cls(factors, method, places, labels, rows)

    def values(self, results: Results, goal: Goal) -> tuple[Array, float | None]:
        """The mean of a metric at each sample, and the share of its variance that is noise.

        Raises:
            ScenarioError: if a sample failed or did not measure the metric.
        """
        means: dict[str, float] = {}
        noises = []
        for point in results.points:
            label = point.values[AXIS]
            scopes = point.measured.covered(goal)
            known = point.sampled(goal.metric, *scopes) if scopes else None
            mean = known.estimate(results.level).mean if known else math.nan
            if known is None or math.isnan(mean):
                place = ", ".join(f"{path}={value}" for path, value in self.rows[label].items())
                raise ScenarioError(
                    f"`{goal}` was not measured at sample {label} ({place})"
                    "\n  hint: choose ranges in which every run measures the metric"
                )
            means[label] = mean
            if len(known.known) > 1:
                noises.append(float(np.var(known.known, ddof=1)) / len(known.known))
        found = np.array([means[label] for label in self.labels])
        variance = float(np.var(found))
        noise = float(np.mean(noises)) / variance if noises and variance else None
        return found, noise


def analyse(
    load: Load, factors: Sequence[Factor], method: Method, metrics: Sequence[str], run: Run
) -> tuple[Results, list[Sensitivity]]:
    """Run the sample of a method, and compute the indices of each metric.

    `load` reads the scenario with more settings, and `run` makes its runs: every sample is a point
    of a sweep, so a store keeps it and no run is made twice. Replication k draws on the same random
    streams at every sample, so that differences between samples are due to the factors.

    Raises:
        ScenarioError: if there are two points without the factors, a path or a value is wrong at
            any sample, or a metric does not exist. All of this is checked before anything runs.
    """
    if len({one.name for one in factors}) < len(factors):
        raise ScenarioError("a parameter is varied twice\n  hint: name each parameter once")
    _require_one_point(load({}), factors)
    design = Design.of(factors, method)
    scenario = load({f"sweep.{AXIS}": dict(design.rows)})
    for metric in metrics:
        scenario.require(metric)
    results = run(scenario)
    goals = map(Goal.read, metrics or results.metrics()[:1])
    return results, [_sensitivity(design, results, goal) for goal in goals]


def _require_one_point(scenario: Scenario, factors: Sequence[Factor]) -> None:
    for one in factors:
        if one.name in scenario.axes:
            raise ScenarioError(
                f"{one.name}: the sweep of the scenario varies it as well"
                "\n  hint: remove the axis, or do not vary the parameter"
            )
    if AXIS in scenario.axes:
        raise ScenarioError(
            f"sweep.{AXIS}: the analysis needs this name for its own axis"
            "\n  hint: rename the axis of the scenario"
        )
    if len(scenario.points) > 1:
        raise ScenarioError(
            f"the scenario has {len(scenario.points)} points, and an analysis is of one"
            "\n  hint: choose a value of each axis with `--where AXIS=VALUE`"
        )


def _sensitivity(design: Design, results: Results, goal: Goal) -> Sensitivity:
    values, noise = design.values(results, goal)
    method = design.method
    found = method.indices(len(design.factors), design.places, values)
    named = {one.name: known for one, known in zip(design.factors, found, strict=True)}
    ranked = sorted(named.items(), key=lambda pair: -pair[1][method.order_by].mean)
    return Sensitivity(
        goal,
        results.unit(goal.metric),
        dict(ranked),
        float(np.mean(values)),
        float(np.std(values)),
        noise,
    )
