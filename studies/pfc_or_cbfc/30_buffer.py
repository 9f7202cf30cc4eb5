"""How much memory does each need, and can ports share it?"""

from __future__ import annotations

from typing import Any

from cellrelay.plot import Chart, Panel
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.statistics import most_failures
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    along,
    claim,
    curve,
    exhibit,
    experiment,
    judge,
    not_testable,
    scaled,
)

from .links import (
    CELL,
    CREDITS,
    EVERY,
    EXIT,
    FRAME,
    LOAD,
    PAUSES,
    XOFF,
    cable,
    carried,
    credited,
    headroom,
    lost,
    paused,
)

SIZES = (8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
"""Memory in KiB for the link and its priority."""
WITH = "with headroom"
WITHOUT = "without headroom"
through = scaled(carried, 100 / 0.9)
"""What is carried, in per cent of what leaves the switch."""


def split(name: str, kib: int, metres: float) -> dict[str, Any] | None:
    """The link with this memory, or `None` if the memory does not hold the headroom."""
    octets = kib * 1024
    if name == CREDITS:
        return credited(octets)
    room = headroom(PAUSES[name], metres)
    return paused(name, octets - room, room) if octets - room >= 2 * FRAME else None


def place(name: str, kib: int) -> str:
    """The name of a point."""
    return f"{name} with {kib} KiB"


def sizes(metres: int) -> dict[str, dict[str, Any]]:
    """The link at this cable with each memory that suffices for its flow control."""
    return {
        place(name, kib): {**link, **cable(metres)}
        for name in EVERY
        for kib in SIZES
        if (link := split(name, kib, metres)) is not None
    }


short = experiment(
    "link.toml",
    "A congested link of 5 m, by memory",
    {"memory": sizes(5)},
    {EXIT: "360 Gbit/s", LOAD: "396 Gbit/s"},
    replications=Replications.exactly(20),
    quick_replications=Replications.exactly(6),
)
long = experiment(
    "link.toml",
    "A congested link of 100 m, by memory",
    {"memory": sizes(100)},
    {EXIT: "360 Gbit/s", LOAD: "396 Gbit/s"},
    replications=Replications.exactly(20),
    quick_replications=Replications.exactly(6),
)
rooms = experiment(
    "link.toml",
    "A congested link with pauses, by headroom",
    {
        "room": {
            f"{name} {label}": paused(name, XOFF, headroom(PAUSES[name]) if label == WITH else CELL)
            for name in PAUSES
            for label in (WITH, WITHOUT)
        }
    },
    {EXIT: "25 Gbit/s"},
    replications=Replications.exactly(60),
    quick_replications=Replications.exactly(20),
)


def by_size(results: Results, name: str) -> dict[int, PointResult]:
    """The points of a kind of flow control by their memory in KiB."""
    points = along(results, "memory")
    return {kib: points[at] for kib in SIZES if (at := place(name, kib)) in points}


@exhibit(
    "memory",
    "What a congested link carries over the memory that its priority has.",
    "In per cent of the 360 Gbit/s that can leave the switch, with 95 % intervals. Pauses have"
    " headroom of the computed size, and the rest is xoff; credits have all of it.",
)
def by_memory(short: Results, long: Results) -> Chart:
    panels = []
    for metres, results in ((5, short), (100, long)):
        curves = [
            curve(name, {float(kib): one for kib, one in by_size(results, name).items()}, through)
            for name in EVERY
        ]
        panels.append(Panel(tuple(curves), f"{metres} m of cable"))
    return Chart(tuple(panels), "memory (KiB)", "carried (%)", "flow control")


@claim(
    "scale-up-8",
    "PFC requires headroom for packets that are on their way.",
    rule="on a congested link every run loses packets with a cell of headroom, and none with the"
    " computed one, with both responses to a pause frame",
    where="table of section PFC/CBFC, row Buffer Usage",
    of_paper='"requires headroom buffer for in-flight packets"',
    expect=Verdict.REPRODUCED,
)
def needs_headroom(rooms: Results) -> Outcome:
    checks, words = [], []
    for name, point in along(rooms, "room").items():
        failed = sum(share > 0 for share in lost(point))
        expected = 0 if name.endswith(WITH) else len(lost(point))
        checks.append(Check(name, failed == expected))
        words.append(f"{name}: {failed} of {len(lost(point))} runs lose")
    return judge("; ".join(words), checks)


@claim(
    "scale-up-9",
    "CBFC needs no headroom.",
    rule="on a congested link no run loses a packet, whatever its credits, from two packets on",
    where="table of section PFC/CBFC, row Buffer Usage",
    of_paper='"no headroom buffer needed"',
    expect=Verdict.REPRODUCED,
)
def credits_need_none(short: Results, long: Results) -> Outcome:
    checks, runs = [], 0
    for metres, results in ((5, short), (100, long)):
        for kib, point in by_size(results, CREDITS).items():
            checks.append(Check(f"{kib} KiB at {metres} m", not any(lost(point))))
            runs += len(lost(point))
    return judge(
        f"none of {runs} runs, at most {100 * most_failures(0, runs):.2g} % of all", checks
    )


@claim(
    "scale-up-10",
    "PFC shares buffer among ports, and absorbs bursts more efficiently; CBFC cannot share it.",
    rule="none",
    where="table of section PFC/CBFC, row Buffer Usage",
    of_paper='"more sharing and efficient burst absorption buffer usage across ports"',
    expect=Verdict.NOT_TESTABLE,
)
def shares(short: Results) -> Outcome:
    del short
    return not_testable(
        "each input of this switch keeps its xoff and headroom, or what its credits allow, for"
        " itself; no run here has `buffer.shared` with `pause.pfc.dynamic`, which share memory"
    )
