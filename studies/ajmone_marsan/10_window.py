"""TCP over 1000 km, whose window must be right."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from cellrelay import scenario
from cellrelay.plot import Panel
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Measure,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
)
from cellrelay.topology import Topology

from .charts import pair, panel
from .loads import BRIEF, LOADS, MEDIUM, bottleneck, shapings, windowed
from .measures import (
    LOSSLESS,
    MBIT,
    PAYLOAD,
    ByLoad,
    apart,
    beyond,
    by_load,
    each,
    efficiency,
    free,
    goodput,
    knee,
    refused,
    relative,
    said_knee,
    series,
    third,
    up_to,
)
from .transports import LARGE, SHAPED, SHAPINGS, SIZES, SMALL, THIRD, TRIPLE, UNSHAPED, WINDOWS

LIGHT = 20
"""Mbit/s of other traffic up to which nothing is lost."""
KNEE = (30, 55)
"""Mbit/s of other traffic between which losses begin."""
NEAR = 0.15
"""How far from the free capacity, as a share of it, is near: light load, and buffers half full."""

tcp_third = bottleneck(
    f"TCP with a window for {THIRD}", {"size": windowed(THIRD), "shaping": shapings()}, MEDIUM
)
tcp_triple = bottleneck(
    f"TCP with a window for {TRIPLE}", {"size": windowed(TRIPLE), "shaping": shapings()}, BRIEF
)


def triple(tcp_triple: Results, size: str, shaping: str = UNSHAPED) -> ByLoad:
    """TCP with a window three times as large."""
    return by_load(tcp_triple, size=size, shaping=shaping)


@exhibit(
    "figure-1",
    "Figure 1. The bottleneck.",
    "Three connections of 1000 km share the link between the switches with background traffic:"
    " Poisson messages with a mean of 20 cells, shaped to 1.2 times their rate.",
)
def bottleneck_network() -> Topology:
    return scenario.load(Path(__file__).with_name("bottleneck.toml")).topology


@pair(
    "figure-3",
    "Figure 3. TCP over 1000 km",
    "Mean of the three connections, by segment size and window. A window for a third of the link"
    " (above) causes no drops until the background traffic fills link and buffer; a window three"
    f" times as large (below) always causes drops, unless its cells are {SHAPED}.",
    "cells",
)
def figure_3(measure: Measure, tcp_third: Results, tcp_triple: Results) -> list[Panel]:
    return [
        panel(
            f"{size}, {WINDOWS[window][size]} segments",
            {shaping: by_load(results, size=size, shaping=shaping) for shaping in SHAPINGS},
            measure,
        )
        for window, results in ((THIRD, tcp_third), (TRIPLE, tcp_triple))
        for size in SIZES
    ]


@claim(
    "003-1",
    "With a window for a third of the link, TCP takes nearly all that light background traffic"
    " leaves, with an efficiency of 1; at higher loads both drop sharply.",
    rule=f"unshaped, each segment size: up to {LIGHT} Mbit/s the efficiency is at least {LOSSLESS}"
    f" and goodput within {NEAR:.0%} of the user data that a third of the free capacity may carry;"
    f" it falls below {LOSSLESS} between {KNEE[0]} and {KNEE[1]} Mbit/s; at 60 Mbit/s goodput is"
    " less than 0.8 of what the free capacity carries",
    expect=Verdict.REPRODUCED,
)
def light_load_is_carried(tcp_third: Results) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        points = third(tcp_third, size)
        for load, point in up_to(points, LIGHT).items():
            most = free(LOADS[load], PAYLOAD)
            checks.append(Check(f"{size}, {load}, loss", average(efficiency, point) >= LOSSLESS))
            is_near = abs(relative(average(goodput, point), most)) <= NEAR
            checks.append(Check(f"{size}, {load}, goodput", is_near))
        before, after = knee(points)
        is_there = before >= LIGHT and KNEE[0] <= after <= KNEE[1]
        checks.append(Check(f"knee of {size}", is_there))
        loaded = points["60 Mbit/s"]
        is_low = average(goodput, loaded) < 0.8 * free(60, PAYLOAD)
        checks.append(Check(f"{size}, the drop", is_low))
        words.append(f"{size}: loss begins {said_knee(points)} Mbit/s")
    shown = up_to(third(tcp_third, LARGE), 60)
    return judge(
        "\n".join(
            [*words, f"goodput with {LARGE} at {', '.join(shown)}: {series(goodput, shown)}"]
        ),
        checks,
    )


@claim(
    "003-2",
    "Each connection is within 1 or 2 % of the mean of the three.",
    rule="TCP with a window for a third of the link, unshaped, each segment size and load: no"
    " goodput of a connection over the whole run is more than 2 % from the mean",
    expect=Verdict.IN_PART,
)
def connections_are_alike(tcp_third: Results) -> Outcome:
    checks: list[Check] = []
    light = heavy = 0.0
    for size in SIZES:
        for load, point in third(tcp_third, size).items():
            values = each("goodput", point, MBIT)
            mean = sum(values) / len(values)
            off = max(abs(relative(value, mean)) for value in values)
            checks.append(Check(f"{size}, {load}", off <= 0.02))
            if LOADS[load] <= LIGHT:
                light = max(light, off)
            else:
                heavy = max(heavy, off)
    return judge(
        f"up to {LIGHT} Mbit/s {light:.1%} from the mean at most, beyond {heavy:.0%}",
        checks,
        "where connections lose, how far they are from their mean depends on how long one looks",
    )


@claim(
    "003-3",
    "A window three times as large does much worse, and loses even without background traffic.",
    rule="unshaped, each segment size: without background traffic the bottleneck refuses packets;"
    " up to 30 Mbit/s goodput is less than 0.85 of that with the smaller window",
    expect=Verdict.IN_PART,
    # Of the loads up to 30 Mbit/s a quick look has only 0 and 20 Mbit/s.
    expect_quick=Verdict.REPRODUCED,
)
def large_windows_do_badly(tcp_third: Results, tcp_triple: Results) -> Outcome:
    checks, words = [], []
    for size in SIZES:
        small, large = third(tcp_third, size), triple(tcp_triple, size)
        alone = large["0 Mbit/s"]
        checks.append(Check(f"{size}, loss", average(refused, alone) > 0))
        losses = apart(up_to(large, 30), small, goodput, relative)
        checks += [Check(f"{size}, {load}", loss < -0.15) for load, loss in losses.items()]
        words.append(
            f"{size} alone: {known(goodput, alone)} Mbit/s instead of"
            f" {known(goodput, small['0 Mbit/s'])}, efficiency {known(efficiency, alone)}"
        )
    return judge("\n".join(words), checks)


@claim(
    "003-4",
    "The segment size hardly changes goodput; the smaller it is, the better the efficiency in"
    " overload.",
    rule="window for a third, unshaped: from 60 to 100 Mbit/s goodputs of any two sizes differ by"
    " at most 15 % of the larger size's, and the efficiency grows with each smaller size",
    expect=Verdict.REPRODUCED,
)
def segment_size(tcp_third: Results) -> Outcome:
    curves = {size: beyond(up_to(third(tcp_third, size), 100), 60) for size in SIZES}
    checks = []
    for larger, smaller in ((LARGE, SIZES[1]), (SIZES[1], SMALL), (LARGE, SMALL)):
        changes = apart(curves[smaller], curves[larger], goodput, relative)
        checks += [
            Check(f"goodput of {smaller} against {larger}, {load}", abs(change) <= 0.15)
            for load, change in changes.items()
        ]
    for larger, smaller in pairwise(SIZES):
        for load, point in curves[smaller].items():
            gain = average(efficiency, point) - average(efficiency, curves[larger][load])
            checks.append(Check(f"efficiency of {smaller} against {larger}, {load}", gain > 0))
    words = (
        f"{size}: {known(goodput, points['80 Mbit/s'])} Mbit/s,"
        f" efficiency {known(efficiency, points['80 Mbit/s'])}"
        for size, points in curves.items()
    )
    return judge("\n".join(["at 80 Mbit/s", *words]), checks)


@claim(
    "003-5",
    "Shaping does not make TCP better in the bottleneck; it may be slightly worse.",
    rule="window for a third, each segment size and load: goodput shaped is at most 5 % above"
    " goodput unshaped",
    expect=Verdict.IN_PART,
)
def shaping_does_not_help(tcp_third: Results) -> Outcome:
    checks: list[Check] = []
    changes: dict[tuple[str, str], float] = {}
    for size in SIZES:
        found = apart(third(tcp_third, size, SHAPED), third(tcp_third, size), goodput, relative)
        changes |= {(size, load): change for load, change in found.items()}
        checks += [Check(f"{size}, {load}", change <= 0.05) for load, change in found.items()]
    best, worst = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
    return judge(
        f"from {changes[worst]:+.0%} ({', '.join(worst)}) to {changes[best]:+.0%}"
        f" ({', '.join(best)})",
        checks,
        "where a window just fills the buffer, three bursts at once overflow it and evenly spaced"
        " cells do not; with three times the window and no other traffic, shaped sources just fill"
        " the link and lose nothing",
    )
