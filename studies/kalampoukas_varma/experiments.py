"""What is run: four schemes by five buffers, and what the paper did not have.

Points that experiments have in common are run once: the store knows them by what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cellrelay.scenario import Replications
from cellrelay.studies import Experiment
from cellrelay.studies.study import Sweep

from . import networks
from .networks import LONG, SHORT, Settings, at_each, tcp
from .schemes import (
    CREDITS,
    DATAGRAM,
    EPD,
    LATER,
    PLAIN,
    adaptive,
    buffers,
    credit,
    scheme,
    trunk_room,
)

BUFFERS = {f"{cells} cells": cells for cells in (256, 512, 1000, 2000, 4000)}
SMALLEST, MIDDLE, LARGEST = "256 cells", "1000 cells", "4000 cells"
BUFFERED = (PLAIN, EPD, DATAGRAM)
"""Schemes of the paper that the buffer size makes a difference to."""
SCHEMES = (*BUFFERED, CREDITS)
LINKS = (1, 2, 3, 5, 10)
EACH = (3, 10, 30, 100, 250)
"""Connections of each group."""
PACKETS = ("9180 B", "1500 B", "512 B")
NO_JITTER, DELAYED = "no random component", "one acknowledgment for two"
CHOICES: Mapping[str, Settings] = {
    "as chosen": {},
    **{f"packets of {packet}": tcp("packet", packet) for packet in PACKETS[1:]},
    NO_JITTER: at_each("flow", (LONG, *SHORT), "jitter", {"uniform": {"high": "0 s"}}),
    DELAYED: tcp("acknowledge", {"bsd": {}}),
    "clock of 500 ms": tcp("timers", {"bsd": {"tick": "500 ms"}}),
    "Tahoe": tcp("congestion", {"tahoe_bsd": {}}),
}
"""What the paper leaves open, one choice changed at a time."""

COARSE, FINE = "ticks of 10 ms", "RFC 6298, 1 ms"
WINDOWS: Mapping[str, Settings] = {
    window: {**tcp("window", window), **tcp("initial_ssthresh", "100 %")}
    for window in ("64 KiB", "256 KiB", "1 MiB")
}
CLOCKS: Mapping[str, Settings] = {
    COARSE: {},
    FINE: tcp(
        "timers",
        {"rfc6298": {"granularity": "1 ms", "min": "1 ms", "initial": "200 ms"}},
    ),
}

Points = Mapping[str, Mapping[str, Any]]


def sized(names: Sequence[str] = tuple(BUFFERS)) -> Points:
    """Points of an axis that set all buffers."""
    return {name: buffers(BUFFERS[name]) for name in names}


def schemes(names: Sequence[str]) -> Points:
    """Points of an axis that set the scheme."""
    return {name: scheme(name) for name in names}


def with_memory(names: Sequence[str] = tuple(BUFFERS)) -> Points:
    """Credits that promise no more room than a buffer has."""
    return {
        name: {**credit(n3=trunk_room(BUFFERS[name])), **buffers(BUFFERS[name])} for name in names
    }


def case(name: str, number: int) -> str:
    """The name of a scheme in a network of so many links or connections."""
    return f"{name}, {number}"


def by_links(numbers: Sequence[int] = LINKS) -> Points:
    """Schemes by the links that long connections pass."""
    return {
        case(name, links): {**networks.chain(links), **scheme(name, links)}
        for name in SCHEMES
        for links in numbers
    }


def by_connections(numbers: Sequence[int] = EACH) -> Points:
    """Schemes by the connections of each group."""
    return {
        case(name, each): {**networks.crowd(each), **scheme(name, each=each)}
        for name in SCHEMES
        for each in numbers
    }


THREE_TIMES = Replications.exactly(3)
BRIEF = {"duration": "5.5 s"}
QUICK = {"duration": "2.5 s"}


def experiment(
    name: str,
    title: str,
    sweep: Sweep,
    settings: Mapping[str, str] | None = None,
    *,
    quick_sweep: Sweep | None = None,
    replications: Replications | None = THREE_TIMES,
    quick_replications: Replications = THREE_TIMES,
) -> Experiment:
    """The chain, varied; in a quick look it is shorter."""
    return Experiment(
        name=name,
        file="chain.toml",
        sweep=sweep,
        settings={**(settings or {}), "title": title},
        quick=QUICK,
        quick_sweep=quick_sweep or {},
        replications=replications,
        quick_replications=quick_replications,
    )


TWICE, ONCE = Replications.exactly(2), Replications.exactly(1)

EXPERIMENTS = [
    experiment(
        "buffers",
        "Plain ATM, early packet discard and gateways, by buffer",
        {"scheme": schemes(BUFFERED), "buffer": sized()},
        replications=None,
    ),
    experiment("credits", "Credits", {"scheme": schemes([CREDITS])}, replications=None),
    experiment(
        "memory",
        "Credits with no more memory than the other schemes have",
        {"buffer": with_memory()},
        BRIEF,
        quick_replications=ONCE,
    ),
    experiment(
        "pool",
        "Credits out of a pool with no more memory than the other schemes have",
        {"buffer": {name: adaptive(cells) for name, cells in BUFFERS.items()}},
        BRIEF,
        quick_replications=ONCE,
    ),
    experiment(
        "later",
        "What the paper did not have, by buffer",
        {"scheme": LATER, "buffer": sized()},
        BRIEF,
        replications=Replications.exactly(5),
        quick_sweep={"buffer": sized((SMALLEST, MIDDLE, LARGEST))},
        quick_replications=TWICE,
    ),
    experiment(
        "sack",
        "Senders with selective acknowledgments",
        {
            "scheme": {
                name: {**scheme(name), **tcp("congestion", {"sack": {}})} for name in BUFFERED
            },
            "buffer": sized(),
        },
        BRIEF,
        replications=Replications.exactly(5),
        quick_sweep={"buffer": sized((SMALLEST, MIDDLE, LARGEST))},
        quick_replications=TWICE,
    ),
    experiment(
        "links",
        "By the links that long connections pass",
        {"case": by_links()},
        BRIEF,
        quick_sweep={"case": by_links((1, 3, 5))},
        quick_replications=ONCE,
    ),
    experiment(
        "connections",
        "By the number of connections",
        {"case": by_connections()},
        BRIEF,
        quick_sweep={"case": by_connections((3, 30))},
        quick_replications=ONCE,
    ),
    experiment(
        "choices",
        "What the paper leaves open, one choice changed at a time",
        {"choice": CHOICES, "scheme": schemes(SCHEMES)},
        BRIEF,
        quick_sweep={"choice": {name: CHOICES[name] for name in ("as chosen", NO_JITTER)}},
        quick_replications=ONCE,
    ),
    experiment(
        "windows",
        "Credits, by window and by how round trips are timed",
        {
            "scheme": schemes([CREDITS]),
            "window": WINDOWS,
            "clock": CLOCKS,
        },
        {**BRIEF, "warm_up": "0 s"},
        quick_replications=ONCE,
    ),
]
