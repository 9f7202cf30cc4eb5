"""Does a sender share its link among receivers, and does another sender get the rest?"""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Check,
    Outcome,
    Ranged,
    Table,
    Verdict,
    above,
    claim,
    curve,
    exhibit,
    experiment,
    judge,
    known,
    of_flow,
    printed,
    scaled,
)
from cellrelay.studies.measure import gain

from .data import RATES

NAMES = {flow: " to ".join(flow.upper().split("-")) for flow in RATES}
AXIS = "flow.*.transport.pull.initial_window"
FULL, ENOUGH = 23, 6
"""The window of the data, and the least with essentially the same results."""
WINDOWS = (1, 2, 3, 4, 5, 6, 8, 10, 16, 23)
QUICK = {"duration": "60 ms", "warm_up": "10 ms"}


def _windows(sizes: tuple[int, ...]) -> dict[str, dict[str, dict[str, int]]]:
    paths = [f"flow.{flow}.transport.pull.initial_window" for flow in RATES]
    return {"window": {str(size): dict.fromkeys(paths, size) for size in sizes}}


in_and_out = experiment(
    "in-and-out.toml",
    "A sends to B, C, D and E, and F to E",
    quick=QUICK,
    quick_replications=Replications.exactly(3),
)
windows = experiment(
    "in-and-out.toml",
    "A sends to B, C, D and E, and F to E, by the initial window",
    _windows(WINDOWS),
    quick=QUICK,
    quick_sweep=_windows((4, 5, 6, 23)),
    quick_replications=Replications.exactly(2),
)


def rate(flow: str) -> Ranged:
    """User data of a flow in Gbit/s."""
    return scaled(of_flow("goodput", flow), 1e-9)


def _by_window(windows: Results) -> dict[int, PointResult]:
    return {int(size): windows.point(window=size) for size in windows.values("window")}


@exhibit(
    "rates",
    "User data of each flow.",
    "In Gbit/s, means of the runs with 95 % intervals, beside the authors' single run.",
    is_printed=True,
)
def by_flow(in_and_out: Results) -> Table:
    point = in_and_out.points[0]
    rows = [
        [NAMES[flow], f"{there:.3f}", str(known(rate(flow), point))]
        for flow, there in RATES.items()
    ]
    return Table(["flow", "authors", "measured"], rows)


@exhibit(
    "windows",
    "User data of F and of A to E, by the initial window.",
    "Every flow has the same window. A packet that arrives earns one pull, so the window is also"
    " the most that a flow ever has under way.",
)
def by_window(windows: Results) -> Chart:
    points = {float(size): point for size, point in _by_window(windows).items()}
    curves = tuple(curve(NAMES[flow], points, rate(flow)) for flow in ("f-e", "a-e"))
    return Chart((Panel(curves),), "initial window (packets)", "user data (Gbit/s)")


@claim(
    "ndp-1",
    "A shares its link equally among its four receivers, and F fills the rest of the link of E.",
    rule="each of the five flows: user data within 1 % of the published number",
    where="Figure 21, and in_and_out/README.md of the simulator",
    of_paper="the five rates, of a single run",
    ours="1 %, since a single run has an error of its own",
    expect=Verdict.REPRODUCED,
)
def shares(in_and_out: Results) -> Outcome:
    point = in_and_out.points[0]
    found = {flow: known(rate(flow), point) for flow in RATES}
    words = ", ".join(f"{value} {NAMES[flow]}" for flow, value in found.items())
    checks = [
        printed(NAMES[flow], value, RATES[flow], 0.01 * RATES[flow])
        for flow, value in found.items()
    ]
    return judge(f"{words}, in Gbit/s", checks)


@claim(
    "ndp-2",
    "Initial windows down to six packets give essentially the same rates; with fewer F cannot fill"
    " the link.",
    rule="each flow: with 6, 8, 10 and 16 packets within 5 % of its rate with 23; F: with fewer"
    " than 6 more than 5 % below it",
    where="in_and_out/README.md of the simulator, last paragraph",
    of_paper='"as low as 6 give essentially the same results. Below 6" F "cannot fill the pipe"',
    ours="5 % as what is essentially the same",
    expect=Verdict.REPRODUCED,
)
def any_window_from_six(windows: Results) -> Outcome:
    points = _by_window(windows)
    full = points[FULL]
    checks: list[Check] = []
    for size, point in points.items():
        for flow in RATES if ENOUGH <= size < FULL else ():
            there = known(rate(flow), full).mean
            what = f"{NAMES[flow]} with {size} packets"
            checks.append(printed(what, known(rate(flow), point), there, 0.05 * there))
        if size < ENOUGH:
            lost = gain(rate("f-e"), full, point)
            bound = 0.05 * known(rate("f-e"), full).mean
            checks.append(above(f"F with {size} packets is slower", lost, bound))
    words = ", ".join(f"{known(rate('f-e'), points[size])} with {size}" for size in sorted(points))
    return judge(f"F to E {words} packets, in Gbit/s", checks)
