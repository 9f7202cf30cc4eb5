"""Figures over the load of background traffic: goodput and efficiency side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.statistics import Estimate
from cellrelay.studies import Exhibit, Measure, curve, exhibit

from .loads import LINK, LOADS
from .measures import ByLoad, efficiency, goodput

FREE = "a third of what is left"
Panels = Callable[..., Sequence[Panel]]
"""A function that draws panels, from a measure and from results by the names of experiments."""


def line(label: str, points: ByLoad, measure: Measure) -> Curve:
    """A curve of a measure over the load; points without samples are left out."""
    return curve(label, {LOADS[load]: point for load, point in points.items()}, measure)


def panel(title: str, curves: Mapping[str, ByLoad], measure: Measure) -> Panel:
    """Curves with names; panels of goodput also have the free capacity."""
    lines = [line(label, points, measure) for label, points in curves.items()]
    if measure is not efficiency:
        lines.append(free_capacity())
    return Panel(tuple(lines), title)


def free_capacity() -> Curve:
    """A third of the capacity that background traffic leaves, over all loads."""
    ends = min(LOADS.values()), max(LOADS.values())
    free = tuple(Estimate((LINK - load) / 3, math.nan, 1) for load in ends)
    return Curve(FREE, ends, free, is_reference=True)


def chart(
    panels: Sequence[Panel], y_label: str, legend: str, printed: Mapping[str, float]
) -> Chart:
    """Panels over the load; panels of efficiency also have printed values as horizontal lines."""
    is_share = y_label == "efficiency"
    return Chart(
        tuple(panels),
        "background load (Mbit/s)",
        y_label,
        legend,
        (0.0, 1.02 if is_share else 50.0),
        # In a batch more data may arrive than were sent, but not in the long run.
        possible=(0.0, 1.0 if is_share else None),
        x_ticks=(0.0, 40.0, 80.0, 120.0),
        levels=printed if is_share else {},
    )


def pair(
    id: str, title: str, caption: str, legend: str, printed: Mapping[str, float] | None = None
) -> Callable[[Panels], tuple[Exhibit, Exhibit]]:
    """Make two exhibits, goodput and efficiency, from a function that draws panels of a measure.

    `printed` has the efficiencies that the paper prints, by their labels.
    """
    note = (
        " Dot-dashed, as in the paper, is a third of what the other traffic leaves of the link: it"
        " counts cells, of whose bits at most nine tenths are user data."
    )

    def made(panels: Panels, measure: Measure, name: str, y_label: str, text: str) -> Exhibit:
        measured = partial(panels, measure)

        # `wraps` keeps the signature, whose parameters name the experiments.
        @wraps(measured)
        def make(**results: Results) -> Chart:
            return chart(measured(**results), y_label, legend, printed or {})

        return exhibit(f"{id}-{name}", f"{title}: {name}.", text)(make)

    def both(panels: Panels) -> tuple[Exhibit, Exhibit]:
        said = "User data that arrived over what was sent." + " Dashed: printed." * bool(printed)
        return (
            made(panels, goodput, "goodput", "goodput (Mbit/s)", caption + note),
            made(panels, efficiency, "efficiency", "efficiency", said),
        )

    return both
