"""One run: made in one call, or advanced, read and steered by a program.

simulation = cellrelay.Simulation("scenario.toml")
simulation.run_until("2 s")
simulation.observe()["port s1->receiver"]["queue"]
simulation.set("link s1->receiver", "loss", "1 %")
simulation.run().digest
"""

from cellrelay.simulation.observation import Control, Observation, Reading
from cellrelay.simulation.record import ControlChange, RunRecord
from cellrelay.simulation.steered import CONTROLS, ControlKind, Simulation, Time

__all__ = [
    "CONTROLS",
    "Control",
    "ControlChange",
    "ControlKind",
    "Observation",
    "Reading",
    "RunRecord",
    "Simulation",
    "Time",
]
