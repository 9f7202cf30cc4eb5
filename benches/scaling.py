"""`make bench-scaling`: how the cost of a cell-hop grows with flows, with hops, and with time.

Times and counts go to `scaling.csv`, and from there to a figure.
"""

from __future__ import annotations

import csv
import hashlib
import io
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benches.callgrind import build, per_hop_of_all
from cellrelay import __version__ as VERSION
from cellrelay import plot
from cellrelay.plot.style import COLOURS, HEIGHT, PANEL_WIDTH, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DATA = Path(__file__).with_name("scaling.csv")
TITLE = "Instructions and nanoseconds a cell-hop"
FIGURE = Path(__file__).parent.parent / "docs" / "images" / "scaling.svg"

AXES = {
    "flows": "flows through one port",
    "hops": "switches on the way",
    "seconds": "simulated seconds",
}
COSTS = {"instructions": "instructions a cell-hop", "ns": "ns a cell-hop"}

COUNTED = {"flows": 0.5, "hops": 0.05}
"""Simulated seconds over which instructions are counted; along the axis of time, half of each."""

Row = dict[str, str]


def measure() -> list[Row]:
    """All workloads, timed and counted."""
    program = build()
    printed = subprocess.run([program, "scaling"], stdout=subprocess.PIPE, text=True, check=True)
    rows = list(csv.DictReader(printed.stdout.splitlines()))
    seconds = [COUNTED.get(row["axis"], float(row["number"]) / 2) for row in rows]
    counts = per_hop_of_all(program, zip((row["workload"] for row in rows), seconds, strict=True))
    return [row | {"instructions": f"{n:.1f}"} for row, n in zip(rows, counts, strict=True)]


def draw(rows: list[Row]) -> Figure:
    """A column for each axis, a row for each cost."""
    from matplotlib.figure import Figure

    with style():
        size = (PANEL_WIDTH * len(AXES), 0.75 * HEIGHT * len(COSTS))
        figure = Figure(figsize=size, layout="constrained")
        grid = figure.subplots(len(COSTS), len(AXES), sharex="col", sharey="row")
        for across, (axis, x_label) in enumerate(AXES.items()):
            chosen = [row for row in rows if row["axis"] == axis]
            x = [float(row["number"]) for row in chosen]
            for down, cost in enumerate(COSTS):
                _draw_curve(grid[down, across], x, [float(row[cost]) for row in chosen], down)
            grid[-1, across].set_xlabel(x_label)
        for axes, y_label in zip(grid[:, 0], COSTS.values(), strict=True):
            axes.set_ylabel(y_label)
            axes.set_ylim(bottom=0)
    return figure


def _draw_curve(axes: Axes, x: list[float], y: list[float], rank: int) -> None:
    axes.plot(x, y, color=COLOURS[rank], marker="o", clip_on=False)
    axes.locator_params(axis="y", nbins=5)
    axes.set_xscale("log")
    # A mark for each number where they double, for every power of ten where they do not.
    marks = x if len(x) < 8 else [number for number in x if f"{number:g}".strip("0") == "1"]
    axes.set_xticks(marks, [f"{number:,.0f}" for number in marks])
    axes.minorticks_off()


def main() -> None:
    """Measure, unless only the figure is asked for, and draw."""
    if sys.argv[1:] != ["draw"]:
        rows = measure()
        with DATA.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    with DATA.open(encoding="utf-8") as file:
        text = file.read()
    rows = list(csv.DictReader(io.StringIO(text)))
    plot.save(draw(rows), FIGURE, TITLE, origin_of(text))


def origin_of(text: str) -> str:
    """The origin of a figure of measured costs: the table that it shows, by its hash."""
    numbers = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"numbers benches/scaling.csv; hash {numbers}; cellrelay {VERSION}"


if __name__ == "__main__":
    main()
