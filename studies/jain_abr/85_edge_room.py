"""Buffers of edge routers, and the delay and throughput of several bearers.

S. Kalyanaraman, R. Jain, S. Fahmy, R. Goyal, J. Jiang and S.-C. Kim, ATM Forum 96-1294, 1996, say
that an edge router needs a buffer for the receivers' windows of all connections through it."""

from __future__ import annotations

from cellrelay.plot import Dot, Scatter
from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge

from .backbone import ABR, BEARERS, CLIENTS, EDGES, MEMORIES, UBR, by_memory, mean_at_edges, share
from .measures import TRUNK, fairness, mean_queue
from .settings import MEMORY, once

UNLIMITED = "10000000 cells"
WINDOW = 1024 * 1024 / 1460 * 32
"""Window of a receiver in cells: 1 MiB in packets of 1460 bytes, with 32 cells each."""

edge_room = once(
    "TCP over an ATM backbone, with memories that never fill",
    {"bearer": {name: dict(BEARERS[name]) for name in (ABR, UBR)}},
    {"edge.ingress.queue": UNLIMITED, MEMORY: UNLIMITED, "warm_up": "0 s"},
    file="backbone.toml",
)


def longest_at_edges(point: PointResult) -> list[float]:
    """The longest queue of each edge, as a share of a receiver's window."""
    return [point.samples("max_queue", f"port {edge}")[0] / WINDOW for edge in EDGES]


@exhibit(
    "backbone-trade-off",
    "Delay, throughput and fairness of an ATM backbone.",
    f"{CLIENTS} connections. Horizontal: the mean queue at the switch and all edges together;"
    " vertical: throughput; shade: fairness. The label of a dot is the memory of the switch and"
    " of each queue at an edge, in cells. The upper left is better.",
)
def trade_off(backbone: Results) -> Scatter:
    dots = []
    for bearer in BEARERS:
        for size, point in by_memory(backbone, bearer).items():
            waiting = average(mean_queue, point) + average(mean_at_edges, point)
            dots.append(
                Dot(
                    f"{MEMORIES[size]:g}",
                    waiting,
                    100 * average(share, point),
                    average(fairness, point),
                    bearer,
                )
            )
    return Scatter(
        tuple(dots),
        "mean queue (cells)",
        "effective throughput (%)",
        "fairness",
        y_range=(None, 102.0),
        shade_range=(None, 1.0),
        is_logarithmic=True,
        legend="backbone",
    )


@claim(
    "edge-queue",
    "With ABR the queue of TCP is at the edges and not inside the backbone; with UBR it is inside.",
    rule="with memories that never fill, the mean queue of all edges together is longer than that"
    " of the switch with ABR, and shorter with UBR",
    where="ATM Forum 96-1294, abstract",
    of_paper="where the queue is",
    ours="means of queues from the start of a run; early packet discard never acts here",
    expect=Verdict.REPRODUCED,
)
def queue_moves(edge_room: Results) -> Outcome:
    checks, words = [], []
    for name, is_outside in ((ABR, True), (UBR, False)):
        point = edge_room.point(bearer=name)
        outside, inside = average(mean_at_edges, point), average(mean_queue, point)
        checks.append(Check(name, (outside > inside) is is_outside))
        words.append(f"{name}: switch {inside:.0f}, edges {outside:.0f} cells")
    return judge("; ".join(words), checks)


@claim(
    "edge-room",
    "With ABR an edge needs room for the receivers' windows of its connections, the backbone does"
    " not; with UBR it is the other way round.",
    rule="with memories that never fill, the longest queue of each edge is"
    " between 0.9 and 1 of the window of its connection with ABR and at most 0.1 with UBR; the"
    " longest queue of the switch is at most one window of all 15 with ABR and more with UBR",
    where="ATM Forum 96-1294, abstract",
    of_paper="the sum of the receivers' windows at the edge router",
    ours="0.9 of a window, as some of it is on the way; 0.1 for none; one window for little",
    expect=Verdict.REPRODUCED,
)
def room_for_windows(edge_room: Results) -> Outcome:
    found = {name: edge_room.point(bearer=name) for name in (ABR, UBR)}
    edges = {name: longest_at_edges(point) for name, point in found.items()}
    inside = {
        name: point.samples("max_queue", f"port {TRUNK}")[0] / WINDOW
        for name, point in found.items()
    }
    checks = [
        Check("edges, ABR", min(edges[ABR]) >= 0.9 and max(edges[ABR]) <= 1),
        Check("edges, UBR", max(edges[UBR]) <= 0.1),
        Check("switch, ABR", inside[ABR] <= 1),
        Check("switch, UBR", inside[UBR] > 1),
    ]
    words = [
        f"{name}: edges {min(edges[name]):.2f} to {max(edges[name]):.2f} windows,"
        f" switch {inside[name]:.2f}"
        for name in found
    ]
    return judge("; ".join(words), checks)
