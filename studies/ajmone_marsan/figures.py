"""The figures of the paper: goodput and efficiency over the load of other traffic."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.statistics import Estimate
from cellrelay.studies import Exhibit, Measure, exhibit, known
from cellrelay.studies.claim import Measured

from . import measures, networks
from .experiments import INTERVALS, LINK, LOADS
from .measures import CONNECTIONS, MBIT, curve, efficiency, goodput, of_connection, without_loss
from .transports import (
    GO_BACK_N,
    LARGE,
    RETRANSMISSIONS,
    SELECTIVE,
    SHAPED,
    SHAPINGS,
    SIZES,
    SMALL,
    THIRD,
    TRIPLE,
    UNSHAPED,
    WINDOWS,
)

FREE = "a third of what is left"
CLEAN = f"{LARGE}, {UNSHAPED}, runs without loss"
Panels = Callable[[Measured, Measure], Sequence[Panel]]


def line(label: str, points: measures.Curve, measure: Measure) -> Curve:
    """A measure over the load; what never happened is left out."""
    found = {LOADS[load]: known(measure, point) for load, point in points.items()}
    found = {load: estimate for load, estimate in found.items() if estimate.n}
    return Curve(label, tuple(found), tuple(found.values()))


def panel(title: str, curves: Mapping[str, measures.Curve], measure: Measure) -> Panel:
    """Curves by their names; with goodputs stands what the other traffic leaves."""
    lines = [line(label, points, measure) for label, points in curves.items()]
    if measure is not efficiency:
        lines.append(_free())
    return Panel(tuple(lines), title)


def _free() -> Curve:
    ends = min(LOADS.values()), max(LOADS.values())
    free = tuple(Estimate((LINK - load) / 3, math.nan, 1) for load in ends)
    return Curve(FREE, ends, free, is_reference=True)


def chart(panels: Sequence[Panel], y_label: str, legend: str) -> Chart:
    """Panels over the load."""
    is_share = y_label == "efficiency"
    return Chart(
        tuple(panels),
        "background load (Mbit/s)",
        y_label,
        legend,
        (0.0, 1.02 if is_share else 50.0),
        # In a batch more may arrive than was sent, but not in the long run.
        possible=(0.0, 1.0 if is_share else None),
        x_ticks=(0.0, 40.0, 80.0, 120.0),
    )


def pair(id: str, title: str, caption: str, legend: str, panels: Panels) -> list[Exhibit]:
    """Two exhibits, goodput and efficiency, of the same panels."""

    def made(measure: Measure, name: str, y_label: str, text: str) -> Exhibit:
        make = exhibit(f"{id}-{name}", f"{title}: {name}.", text)
        return make(lambda measured: chart(panels(measured, measure), y_label, legend))

    note = (
        " Dot-dashed, as in the paper, is a third of what the other traffic leaves of the link: it"
    )
    note += " counts cells, of whose bits at most nine tenths are user data."
    return [
        made(goodput, "goodput", "goodput (Mbit/s)", caption + note),
        made(efficiency, "efficiency", "efficiency", "User data that arrived over what was sent."),
    ]


EXPERIMENTS_BY_WINDOW = {THIRD: "third", TRIPLE: "triple"}


def _window(window: str, size: str) -> str:
    return f"{size}, {WINDOWS[window][size]} segments"


def _tcp(measured: Measured, measure: Measure) -> list[Panel]:
    return [
        panel(
            _window(window, size),
            {
                shaping: curve(measured[f"tcp-{name}"], size=size, shaping=shaping)
                for shaping in SHAPINGS
            },
            measure,
        )
        for window, name in EXPERIMENTS_BY_WINDOW.items()
        for size in SIZES
    ]


def _sack(measured: Measured, measure: Measure) -> list[Panel]:
    return [
        panel(
            _window(window, size),
            {
                sender: curve(measured[f"{experiment}-{name}"], size=size, shaping=UNSHAPED)
                for sender, experiment in (("Reno", "tcp"), ("SACK", "sack"))
            },
            measure,
        )
        for window, name in EXPERIMENTS_BY_WINDOW.items()
        for size in SIZES
    ]


def _xtp(measured: Measured, measure: Measure) -> list[Panel]:
    return [
        panel(
            f"{resent}, {size}",
            {
                shaping: curve(measured[f"xtp-{size.split()[0]}"], resent=resent, shaping=shaping)
                for shaping in SHAPINGS
            },
            measure,
        )
        for resent in RETRANSMISSIONS
        for size in SIZES
    ]


def _intervals(measured: Measured, measure: Measure) -> list[Panel]:
    return [
        panel(
            resent,
            {
                f"{interval}": curve(
                    measured["intervals"], resent=resent, request_interval=f"{interval}"
                )
                for interval in INTERVALS
            },
            measure,
        )
        for resent in RETRANSMISSIONS
    ]


def _short(measured: Measured, measure: Measure) -> list[Panel]:
    frames = {f"{LARGE}, {shaping}": ("short", {"shaping": shaping}) for shaping in SHAPINGS} | {
        f"{SMALL}, {UNSHAPED}": ("short-frames", {})
    }
    panels = []
    for resent in RETRANSMISSIONS:
        curves = {
            name: curve(measured[experiment], resent=resent, **where)
            for name, (experiment, where) in frames.items()
        }
        shown = panel(resent, curves, measure)
        clean = line(CLEAN, curves[f"{LARGE}, {UNSHAPED}"], without_loss(measure))
        lines = sorted((*shown.curves, clean), key=lambda one: one.is_reference)
        panels.append(Panel(tuple(lines), resent))
    return panels


def _parked(title: str, points: measures.Curve, measure: Measure) -> Panel:
    """A curve for each connection."""
    metric, unit = ("goodput", MBIT) if measure is goodput else ("efficiency", 1.0)
    lines = [
        line(f"{number}", points, of_connection(metric, flow, unit))
        for number, flow in enumerate(CONNECTIONS, 1)
    ]
    return Panel((*lines, *([_free()] if measure is goodput else [])), title)


def _parking_tcp(measured: Measured, measure: Measure) -> list[Panel]:
    return [
        _parked(shaping, curve(measured["parking-tcp"], shaping=shaping), measure)
        for shaping in SHAPINGS
    ]


def _parking_xtp(resent: str) -> Panels:
    return lambda measured, measure: [
        _parked(
            f"{resent}, {shaping}",
            curve(measured["parking-xtp"], resent=resent, shaping=shaping),
            measure,
        )
        for shaping in SHAPINGS
    ]


def _choices(measured: Measured, measure: Measure) -> list[Panel]:
    names = measured["choices"].values("choice")
    return [
        panel(
            resent,
            {
                name.removeprefix(f"{resent}, "): curve(measured["choices"], choice=name)
                for name in names
                if name.startswith(resent)
            },
            measure,
        )
        for resent in RETRANSMISSIONS
    ]


FIGURES = [
    networks.bottleneck,
    networks.parking_lot,
    *pair(
        "figure-3",
        "Figure 3. TCP over 1000 km",
        "Mean of the three connections, by segment size and window: a window that suffices for a"
        " third of the link (above) loses nothing until the other traffic fills link and buffer;"
        f" one three times as large (below) always loses, unless its cells are {SHAPED}.",
        "cells",
        _tcp,
    ),
    *pair(
        "sack",
        "Not in the paper: TCP with selective acknowledgments",
        "The authors leave the option out, and expect that it could do a lot over long paths.",
        "sender",
        _sack,
    ),
    *pair(
        "figure-4",
        "Figure 4. XTP over 1000 km",
        "Mean of the three associations, by frame size and by what is sent again.",
        "cells",
        _xtp,
    ),
    *pair(
        "figure-5",
        "Figure 5. XTP by the interval of requests",
        f"Frames of {SMALL}, unshaped: with fewer requests the output buffer waits longer for"
        " answers, and the load on the network is lower.",
        "frames from a request to the next",
        _intervals,
    ),
    *pair(
        "figure-6",
        "Figure 6. XTP over 10 km",
        f"Frames of {LARGE}, six in the buffer. Unshaped, a frame that waits at the switch is late,"
        " and the handshake that follows keeps the load down; but some runs never get there, and"
        " the mean is over both. Shaped, WTIMER outlasts RTIMER, and"
        f" no handshake begins; nor does one with frames of {SMALL}, which the paper only"
        " tells of.",
        "frames",
        _short,
    ),
    *pair(
        "figure-7",
        "Figure 7. TCP in the parking lot",
        f"Segments of {SMALL}, 48 in a window. The third connection enters where the others already"
        " share one input.",
        "connection",
        _parking_tcp,
    ),
    *(
        one
        for resent, caption in (
            (
                GO_BACK_N,
                f"Frames of {SMALL}, 48 in the buffer, a request with each; what goes again"
                " is everything from the first missing octet on.",
            ),
            (SELECTIVE, "The same with only what is missing sent again."),
        )
        for one in pair(
            f"figure-8-{resent.lower()}",
            f"Figure 8. XTP with {resent} retransmission in the parking lot",
            caption,
            "connection",
            _parking_xtp(resent),
        )
    ),
    *pair(
        "choices",
        "What XTP hinges on",
        f"Bottleneck, frames of {SMALL}, unshaped: as chosen; with a WTIMER of half a second until"
        " the first round trip is measured; and with every report of missing data believed, even if"
        " it was on its way when the data was sent again.",
        "choice",
        _choices,
    ),
]
