"""The two errors of a simulation: one in the scenario, and one in the model."""

from cellrelay._core import ScenarioError, SimulationError

__all__ = ["ScenarioError", "SimulationError"]
