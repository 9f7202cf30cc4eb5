"""The errors of a simulation: in the scenario, in the model, and in a member written in Python."""

from cellrelay._core import MemberError, ScenarioError, SimulationError

__all__ = ["MemberError", "ScenarioError", "SimulationError"]
