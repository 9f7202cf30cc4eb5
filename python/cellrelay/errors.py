"""The two ways a simulation can fail: the scenario is wrong, or the model is."""

from cellrelay._core import ScenarioError, SimulationError

__all__ = ["ScenarioError", "SimulationError"]
