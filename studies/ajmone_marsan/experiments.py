"""What is run: two topologies, each with TCP and with XTP, over the load of other traffic.

Points that experiments have in common are run once: the store knows them by what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.studies import Experiment
from cellrelay.studies.study import Sweep

from .transports import (
    LARGE,
    RETRANSMISSIONS,
    SACK,
    SHAPED,
    SHAPINGS,
    SIZES,
    SMALL,
    THIRD,
    TRIPLE,
    UNSHAPED,
    WINDOWS,
    tcp,
    xtp,
)

LOADS = {f"{load} Mbit/s": float(load) for load in range(0, 131, 10)}
"""Of the other traffic on each link between switches, in cells."""
QUICK_LOADS = tuple(f"{load} Mbit/s" for load in (0, 20, 40, 60, 80, 100))
COARSE_LOADS = tuple(f"{load} Mbit/s" for load in (0, 10, 20, 30, 40, 50, 60, 80, 100, 120))
FEW_LOADS = tuple(f"{load} Mbit/s" for load in (0, 20, 40, 60, 100))
LINK = 150.0
"""Mbit/s of cells, on every link."""
BURSTINESS = 1.2
"""Rate that the other traffic is shaped to, over its mean."""
INTERVALS = (1, 4, 8, 16)
"""Frames from one request for an acknowledgment to the next."""
SHORT = {f"link.{link}.delay": "16.667 us" for link in ("in", "trunk", "out")}
"""10 km."""
STOP_AND_WAIT, LARGE_WINDOW = "1142 B, 2 segments", "9140 B, 6 segments"
AS_CHOSEN, LATE, BELIEVED = "as chosen", "500 ms at first", "repeated NAKs believed"
"""XTP: with what is chosen; with a long WTIMER before the first round trip; without the guard."""

Points = Mapping[str, Mapping[str, Any]]


def loads(chosen: Sequence[str], sources: Mapping[str, int]) -> Points:
    """Loads of the other traffic on a link, which so many sources of each flow make together."""
    return {name: _load(LOADS[name], sources) for name in chosen}


def _load(load: float, sources: Mapping[str, int]) -> dict[str, str]:
    settings = {}
    for flow, count in sources.items():
        of_each = load / count
        settings[f"flow.{flow}.source.poisson.load"] = f"{1e6 * of_each:.0f} bit/s"
        if load:
            # From 125 Mbit/s on the link of a single source is what shapes it.
            peak = min(BURSTINESS * of_each, LINK)
            settings[f"flow.{flow}.over.ubr.peak"] = f"{1e6 * peak:.0f} bit/s"
    return settings


ONE_LINK = {"background": 1}
THREE_LINKS = {f"background{link}": 3 for link in (1, 2, 3)}
FILES, PARKED = ("file",), ("file1", "file2", "file3")


def for_each(flows: Sequence[str], key: str, value: Mapping[str, Any]) -> dict[str, Any]:
    """The same value of a parameter of several flows."""
    return {f"flow.{flow}.{key}": value for flow in flows}


def transports(flows: Sequence[str], values: Points) -> Points:
    """Points of an axis that set the transport."""
    return {name: for_each(flows, "transport", value) for name, value in values.items()}


def shapings(flows: Sequence[str], names: Sequence[str] = tuple(SHAPINGS)) -> Points:
    """Points of an axis that shape the cells of flows, or do not."""
    return {name: for_each(flows, "over", SHAPINGS[name]) for name in names}


def windowed(window: str, congestion: Mapping[str, Any] | None = None) -> Points:
    """TCP with a window by segment size."""
    extra = (congestion,) if congestion else ()
    return transports(
        FILES, {size: tcp(size, count, *extra) for size, count in WINDOWS[window].items()}
    )


WINDOWED = {"tcp-third": THIRD, "tcp-triple": TRIPLE}
"""Experiments with TCP, and the windows that they have."""


def repeating(size: str) -> Points:
    """XTP by what it sends again, with the output buffer that goes with a size."""
    buffer = WINDOWS[THIRD][size]
    return {name: xtp(size, buffer, name) for name in RETRANSMISSIONS}


def otherwise() -> Points:
    """XTP with short frames, one other choice changed at a time."""
    buffer = WINDOWS[THIRD][SMALL]
    points = {}
    for resent in RETRANSMISSIONS:
        points[f"{resent}, {AS_CHOSEN}"] = xtp(SMALL, buffer, resent)
        points[f"{resent}, {LATE}"] = xtp(SMALL, buffer, resent, initial="500 ms")
        points[f"{resent}, {BELIEVED}"] = xtp(SMALL, buffer, resent, repeated_nak="believed")
    return points


QUICK = {"duration": "4 s", "warm_up": "1 s", "batches": "3"}
"""Of a quick look: batches of a second."""
MEDIUM = {"duration": "22 s", "batches": "10"}
BRIEF = {"duration": "8 s", "batches": "5"}
"""Of what no claim compares to a few per cent."""


def bottleneck(
    name: str,
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str] | None = None,
    chosen: Sequence[str] = tuple(LOADS),
    quick_loads: Sequence[str] = QUICK_LOADS,
) -> Experiment:
    """Three connections through one link, over the load of other traffic."""
    return Experiment(
        name=name,
        file="bottleneck.toml",
        sweep={**sweep, "load": loads(chosen, ONE_LINK)},
        settings={**(settings or {}), "title": title},
        quick=QUICK,
        quick_sweep={"load": loads([one for one in chosen if one in quick_loads], ONE_LINK)},
    )


def parking_lot(
    name: str, title: str, sweep: Sweep, settings: Mapping[str, str] | None = None
) -> Experiment:
    """Three connections that enter one after another, over the load on each link."""
    return Experiment(
        name=name,
        file="parking-lot.toml",
        sweep={**sweep, "load": loads(tuple(LOADS), THREE_LINKS)},
        settings={**(settings or {}), "title": title},
        quick=QUICK,
        quick_sweep={"load": loads(QUICK_LOADS, THREE_LINKS)},
    )


EXPERIMENTS = [
    *(
        bottleneck(
            name,
            f"TCP with a window for {window}",
            {"size": windowed(window), "shaping": shapings(FILES)},
            MEDIUM if window == THIRD else BRIEF,
        )
        for name, window in WINDOWED.items()
    ),
    *(
        bottleneck(
            f"sack-{name}",
            f"TCP with selective acknowledgments and a window for {window}",
            {"size": windowed(window, SACK), "shaping": shapings(FILES, (UNSHAPED,))},
            BRIEF,
            COARSE_LOADS,
        )
        for name, window in (("third", THIRD), ("triple", TRIPLE))
    ),
    *(
        bottleneck(
            f"xtp-{size.split()[0]}",
            f"XTP with frames of {size}",
            {"resent": transports(FILES, repeating(size)), "shaping": shapings(FILES)},
            BRIEF,
        )
        for size in SIZES
    ),
    bottleneck(
        "intervals",
        f"XTP with frames of {SMALL}, by the interval of requests",
        {
            "resent": transports(FILES, repeating(SMALL)),
            "flow.file.transport.xtp.request_interval": INTERVALS,
        },
        BRIEF,
        COARSE_LOADS,
    ),
    bottleneck(
        "short",
        f"XTP over 10 km with frames of {LARGE}",
        {"resent": transports(FILES, repeating(LARGE)), "shaping": shapings(FILES)},
        BRIEF | SHORT,
        quick_loads=(*QUICK_LOADS, "50 Mbit/s"),
    ),
    bottleneck(
        "short-frames",
        f"XTP over 10 km with frames of {SMALL}",
        {"resent": transports(FILES, repeating(SMALL))},
        BRIEF | SHORT,
        FEW_LOADS,
    ),
    bottleneck(
        "short-tcp",
        "TCP over 10 km",
        {"window": transports(FILES, {STOP_AND_WAIT: tcp(SMALL, 2), LARGE_WINDOW: tcp(LARGE, 6)})},
        BRIEF | SHORT,
        FEW_LOADS,
    ),
    bottleneck(
        "tcp-like-parked",
        f"TCP as in the parking lot, segments of {SMALL}",
        {"size": {SMALL: windowed(THIRD)[SMALL]}, "shaping": shapings(FILES, (SHAPED,))},
    ),
    parking_lot(
        "parking-tcp",
        f"TCP in a parking lot, segments of {SMALL}",
        {
            "shaping": shapings(PARKED),
            "transport": transports(PARKED, {"TCP": tcp(SMALL, WINDOWS[THIRD][SMALL])}),
        },
    ),
    parking_lot(
        "parking-xtp",
        f"XTP in a parking lot, frames of {SMALL}",
        {"resent": transports(PARKED, repeating(SMALL)), "shaping": shapings(PARKED)},
        BRIEF,
    ),
    bottleneck(
        "choices",
        f"XTP with frames of {SMALL}, one other choice changed at a time",
        {"choice": transports(FILES, otherwise())},
        BRIEF,
        FEW_LOADS,
    ),
]
