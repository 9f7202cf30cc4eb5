"""Finite buffers: sufficient sizes, and the cost of smaller ones."""

from __future__ import annotations

from fractions import Fraction

from cellrelay.plot import Dot, Scatter
from cellrelay.results import PointResult, Results
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    of_port,
    scaled,
)

from .measures import RTT, TRUNK, throughput
from .printed import CELLS_PER_MS
from .settings import MEMORY, Settings, chosen, once, points, queue_target, vbr

CASES: dict[str, Settings] = {
    "without VBR": {},
    "VBR, 1 ms, ERICA+": {**vbr(1), **queue_target()},
}
PLAIN, WITH_VBR = CASES
ENOUGH = {PLAIN: "3", WITH_VBR: "4"}
"""Buffers that suffice according to the slides, in round trips."""
SIZES = ("1/32", "1/16", "1/10", "1/8", "1/4", "1/2", "1", "2", "3", "4")
"""Buffer sizes in round trips."""
QUICK_SIZES = ("1/10", "1/4", "1/2", "1", "3", "4")


lost = scaled(of_port("cell_loss_ratio", TRUNK), 100)
"""Cells that the bottleneck drops, in % of the offered cells."""


def cells(size: str) -> str:
    """A buffer of `size` round trips."""
    return f"{round(Fraction(size) * round(RTT * CELLS_PER_MS))} cells"


BUFFERS = {size: {MEMORY: cells(size)} for size in SIZES}

losses = once(
    "Buffers that end somewhere",
    {"case": points(CASES), "buffer": points(BUFFERS)},
    quick_sweep={"buffer": chosen(BUFFERS, *QUICK_SIZES)},
)


def point(losses: Results, case: str, size: str) -> PointResult:
    """The run with a buffer."""
    return losses.point(case=case, buffer=size)


def left(losses: Results, case: str, size: str) -> float:
    """Throughput in % of the throughput with the largest buffer."""
    most = average(throughput, point(losses, case, SIZES[-1]))
    return 100 * average(throughput, point(losses, case, size)) / most


@exhibit(
    "losses",
    "Throughput over the share of cells dropped, with small buffers.",
    "15 sources, round trips of 30 ms, the first 4 s; the label of a dot is the buffer in round"
    " trips. All drops happen in a few bursts during slow start: every TCP then waits for its"
    " timer, and restarts with a window of one segment. The number of dropped cells hardly"
    " matters. The smallest buffers drop fewer cells at a time, but repeatedly.",
)
def over_losses(losses: Results) -> Scatter:
    dots = []
    for case in CASES:
        for size in losses.values("buffer"):
            found = point(losses, case, size)
            if average(lost, found) > 0:
                place = average(lost, found), left(losses, case, size)
                dots.append(Dot(size, *place, group=case))
    return Scatter(
        tuple(dots),
        "cells dropped (%)",
        "throughput (% of that without loss)",
        x_range=(0.0, None),
        y_range=(0.0, 105.0),
        legend="case",
        is_joined=False,
    )


@claim(
    "no-loss",
    "Nothing is lost with buffers of three round trips without VBR traffic, and of four with it.",
    rule="with a buffer that ends there the bottleneck refuses no cell, without VBR traffic and"
    " with VBR traffic of 1 ms under ERICA+; throughput is that of the row with unlimited buffers"
    " within 0.1 %",
    where="slides, conclusions",
    of_paper="three and four round trips, and no loss",
    ours="0.1 %, as throughput must not change where nothing is lost",
    expect=Verdict.REPRODUCED,
)
def enough(rows: Results, losses: Results) -> Outcome:
    checks, words = [], []
    unlimited = {PLAIN: "a3", WITH_VBR: "f1"}
    for case, size in ENOUGH.items():
        found = point(losses, case, size)
        whole = average(throughput, rows.point(row=unlimited[case]))
        off = average(throughput, found) / whole - 1
        checks += [
            Check(f"loss, {case}", average(lost, found) == 0),
            Check(f"throughput, {case}", abs(off) <= 0.001),
        ]
        words.append(f"{case}, {size} RTT: {average(lost, found):g} %")
    return judge(f"cells lost: {'; '.join(words)}", checks)


@claim(
    "loss-and-throughput",
    "How many cells are lost says little about throughput: one in a hundred may halve it, and more"
    " may cost less.",
    rule="without VBR traffic some buffer loses at most 1 % of the cells and half of the throughput"
    " or more, and another loses at least twice as many cells and less throughput",
    where="dissertation, on TCP over ABR with limited buffers",
    of_paper="one cell in a hundred, half of the throughput",
    ours="twice as many cells",
    expect=Verdict.REPRODUCED,
)
def says_little(losses: Results) -> Outcome:
    found = {
        size: (average(lost, point(losses, PLAIN, size)), left(losses, PLAIN, size))
        for size in losses.values("buffer")
    }
    halved = [size for size, (gone, kept) in found.items() if 0 < gone <= 1 and kept <= 50]
    milder = [
        size
        for size, (gone, kept) in found.items()
        if any(gone >= 2 * found[worse][0] and kept > found[worse][1] for worse in halved)
    ]
    words = [
        f"{size} RTT: {gone:.2f} % of the cells, throughput {kept:.0f} %"
        for size, (gone, kept) in found.items()
        if gone > 0
    ]
    return judge("; ".join(words), [Check("halved", bool(halved)), Check("milder", bool(milder))])
