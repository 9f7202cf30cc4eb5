"""What is run: two topologies, each with TCP and with XTP, over the load of other traffic.

Points that experiments have in common are run once: the store knows them by what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.scenario import Replications
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
SHORT = {f"topology.bottleneck.{link}.delay": "3.333333 km" for link in ("access", "trunk")}
"""10 km in all."""
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


def transports(values: Points) -> Points:
    """Points of an axis that set the transport."""
    return {name: {"flow.file.transport": value} for name, value in values.items()}


def shapings(names: Sequence[str] = tuple(SHAPINGS)) -> Points:
    """Points of an axis that shape the cells of connections, or do not."""
    return {name: {"flow.file.over": SHAPINGS[name]} for name in names}


def windowed(window: str, congestion: Mapping[str, Any] | None = None) -> Points:
    """TCP with a window by segment size."""
    extra = (congestion,) if congestion else ()
    return transports({size: tcp(size, count, *extra) for size, count in WINDOWS[window].items()})


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


Settings = Mapping[str, str]
LONG: Settings = {"duration": "62 s", "batches": "30"}
"""Of what is compared to a few per cent."""
MEDIUM: Settings = {"duration": "22 s", "batches": "10"}
BRIEF: Settings = {"duration": "10 s", "batches": "8"}
"""Of what no claim compares to a few per cent. Fewer batches could not be tested."""
QUICK: Settings = {"duration": "5 s", "warm_up": "1 s", "batches": "8"}
STARTED: Settings = {"duration": "5 s", "warm_up": "1 s"}
"""Of what depends on how it began: short runs, and several."""
STARTS = Replications.exactly(6)
QUICK_STARTS = Replications.exactly(3)
ONCE = Replications.exactly(1)
"""Runs that are divided into batches."""


def bottleneck(
    name: str,
    title: str,
    sweep: Sweep,
    settings: Settings = LONG,
    chosen: Sequence[str] = tuple(LOADS),
    quick_loads: Sequence[str] = QUICK_LOADS,
) -> Experiment:
    """Three connections through one link, over the load of other traffic."""
    is_divided = "batches" in settings
    return Experiment(
        name=name,
        file="bottleneck.toml",
        sweep={**sweep, "load": loads(chosen, ONE_LINK)},
        settings={**settings, "title": title},
        quick=QUICK if is_divided else {},
        quick_sweep={"load": loads([one for one in chosen if one in quick_loads], ONE_LINK)},
        replications=ONCE if is_divided else STARTS,
        quick_replications=ONCE if is_divided else QUICK_STARTS,
    )


def parking_lot(name: str, title: str, sweep: Sweep, settings: Settings = LONG) -> Experiment:
    """Three connections that enter one after another, over the load on each link."""
    return Experiment(
        name=name,
        file="parking-lot.toml",
        sweep={**sweep, "load": loads(tuple(LOADS), THREE_LINKS)},
        settings={**settings, "title": title},
        quick=QUICK,
        quick_sweep={"load": loads(QUICK_LOADS, THREE_LINKS)},
        replications=ONCE,
    )


EXPERIMENTS = [
    *(
        bottleneck(
            name,
            f"TCP with a window for {window}",
            {"size": windowed(window), "shaping": shapings()},
            MEDIUM if window == THIRD else BRIEF,
        )
        for name, window in WINDOWED.items()
    ),
    *(
        bottleneck(
            f"sack-{name}",
            f"TCP with selective acknowledgments and a window for {window}",
            {"size": windowed(window, SACK), "shaping": shapings((UNSHAPED,))},
            MEDIUM if window == THIRD else BRIEF,
            COARSE_LOADS,
        )
        for name, window in (("third", THIRD), ("triple", TRIPLE))
    ),
    *(
        bottleneck(
            f"xtp-{size.split()[0]}",
            f"XTP with frames of {size}",
            {"resent": transports(repeating(size)), "shaping": shapings()},
            BRIEF,
        )
        for size in SIZES
    ),
    bottleneck(
        "intervals",
        f"XTP with frames of {SMALL}, by the interval of requests",
        {
            "resent": transports(repeating(SMALL)),
            "flow.file.transport.xtp.request_interval": INTERVALS,
        },
        BRIEF,
        COARSE_LOADS,
    ),
    bottleneck(
        "short",
        f"XTP over 10 km with frames of {LARGE}",
        {"resent": transports(repeating(LARGE)), "shaping": shapings()},
        {**STARTED, **SHORT},
        COARSE_LOADS,
        quick_loads=(*QUICK_LOADS, "50 Mbit/s"),
    ),
    bottleneck(
        "short-frames",
        f"XTP over 10 km with frames of {SMALL}",
        {"resent": transports(repeating(SMALL))},
        {**BRIEF, **SHORT},
        FEW_LOADS,
    ),
    bottleneck(
        "short-tcp",
        "TCP over 10 km",
        {"window": transports({STOP_AND_WAIT: tcp(SMALL, 2), LARGE_WINDOW: tcp(LARGE, 6)})},
        {**BRIEF, **SHORT},
        FEW_LOADS,
    ),
    bottleneck(
        "tcp-like-parked",
        f"TCP as in the parking lot, segments of {SMALL}",
        {"size": {SMALL: windowed(THIRD)[SMALL]}, "shaping": shapings((SHAPED,))},
    ),
    parking_lot(
        "parking-tcp",
        f"TCP in a parking lot, segments of {SMALL}",
        {
            "shaping": shapings(),
            "transport": transports({"TCP": tcp(SMALL, WINDOWS[THIRD][SMALL])}),
        },
    ),
    parking_lot(
        "parking-xtp",
        f"XTP in a parking lot, frames of {SMALL}",
        {"resent": transports(repeating(SMALL)), "shaping": shapings()},
        BRIEF,
    ),
    bottleneck(
        "choices",
        f"XTP with frames of {SMALL}, one other choice changed at a time",
        {"choice": transports(otherwise())},
        BRIEF,
        FEW_LOADS,
    ),
]
