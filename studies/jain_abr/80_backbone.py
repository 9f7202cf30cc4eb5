"""An ATM backbone between packet networks: the place of the queue, and its effect.

Not in the slides, where cells begin and end at the hosts."""

from __future__ import annotations

import numpy as np

from cellrelay.plot import Box, Chart, Curve, Diagram, DrawnSeries, Panel, Strip, Timeline
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Measure,
    Table,
    average,
    exhibit,
    experiment,
    known,
    of_port,
)

from .backbone import (
    BEARERS,
    CLIENTS,
    EDGES,
    MEMORIES,
    USUAL,
    by_memory,
    cases,
    mean_at_edges,
    refused_at_edges,
    share,
)
from .measures import TRUNK, fairness, mean_queue
from .settings import once

refused_inside = of_port("packet_loss_ratio", TRUNK)
"""Share of packets that lose at least one cell in the backbone."""

backbone = experiment(
    "backbone.toml",
    "TCP over an ATM backbone",
    {"case": cases()},
    quick={"duration": "4 s"},
    quick_replications=Replications.exactly(3),
)
backbone_time = once(
    "TCP over an ATM backbone, over time",
    {"case": cases((USUAL,))},
    {"record.every": "2 ms", "duration": "3 s", "warm_up": "0 s"},
    file="backbone.toml",
)


@exhibit(
    "backbone",
    "An ATM backbone between packet networks.",
    "One edge router segments packets into cells, and the other reassembles them. All links have"
    " a rate of 155.52 Mbit/s, and a round trip takes 14 ms.",
)
def network() -> Diagram:
    rows = {"": 0.9, " ": -0.9}
    ends = {"client": 0.0, "ingress": 2.0, "egress": 8.0, "server": 10.0}
    boxes = [
        Box(name + mark, x, height) for mark, height in rows.items() for name, x in ends.items()
    ]
    links = [("s1", "s2", "1000 km")]
    for mark in rows:
        links += [
            (f"client{mark}", f"ingress{mark}", "packets"),
            (f"ingress{mark}", "s1", "cells"),
            ("s2", f"egress{mark}", "cells"),
            (f"egress{mark}", f"server{mark}", "packets"),
        ]
    boxes += [Box("s1", 4.0, 0.0), Box("s2", 6.0, 0.0)]
    return Diagram(tuple(boxes), tuple(links), tuple((x, 0.0) for x in ends.values()))


@exhibit(
    "backbone-time",
    "Queues of the ATM backbone over time.",
    f"One run each with memories of {USUAL}: the queue at the switch, and the queues at all edges.",
)
def over_time(backbone_time: Results) -> Timeline:
    columns = []
    for bearer in BEARERS:
        series = backbone_time.point(case=f"{bearer}, {USUAL}").runs[0].series
        inside = series[f"port {TRUNK}", "queue"]
        outside = [series[f"port {edge}", "queue"] for edge in EDGES]
        total = np.sum([one.values for one in outside], axis=0)
        columns.append(
            (
                Strip((DrawnSeries("", inside.times, inside.values),), "at the switch (cells)"),
                Strip((DrawnSeries("", outside[0].times, total),), "at the edges (cells)"),
            )
        )
    return Timeline(tuple(columns), "time (s)", titles=tuple(BEARERS))


@exhibit(
    "backbone-queues",
    "Where packets wait.",
    f"{CLIENTS} connections, by the memory of the switch and of each queue at an edge: mean queues"
    " in cells. With UBR and early packet discard, packets wait at the switch; with ABR they wait"
    " at the edges, which send at the rate that the switch allows. With credits they wait at"
    " both; the switch needs a buffer of one round trip for each VC, whatever the size of the"
    " other memories.",
)
def queues(backbone: Results) -> Table:
    places: dict[str, Measure] = {"switch": mean_queue, "edges": mean_at_edges}
    header = ["memory", *(f"{one}, {place}" for one in BEARERS for place in places)]
    found = {bearer: by_memory(backbone, bearer) for bearer in BEARERS}
    rows = [
        [
            size,
            *(
                f"{average(measure, found[bearer][size]):.0f}"
                for bearer in BEARERS
                for measure in places.values()
            ),
        ]
        for size in MEMORIES
    ]
    return Table(header, rows)


@exhibit(
    "backbone-losses",
    "Where packets are dropped.",
    "A packet dropped at the switch has already used a part of the backbone; a packet dropped at"
    " an edge has not, and is dropped whole.",
)
def losses(backbone: Results) -> Chart:
    return _over_memories(
        backbone,
        {"at the switch": refused_inside, "at the edges": refused_at_edges},
        "packets lost",
    )


@exhibit(
    "backbone-throughput",
    "Throughput and fairness of the ATM backbone.",
    "Share of the bottleneck used by packets that arrive for the first time, and Jain's index of"
    " the goodputs. With ABR the target leaves a tenth of the link unused, and RM cells are three"
    " of each hundred cells.",
)
def through(backbone: Results) -> Chart:
    return _over_memories(
        backbone, {"effective throughput": share, "fairness": fairness}, "", (0.0, 1.02)
    )


def _over_memories(
    backbone: Results,
    panels: dict[str, Measure],
    y_label: str,
    y_range: tuple[float, float | None] = (0.0, None),
) -> Chart:
    drawn = []
    for title, measure in panels.items():
        curves = []
        for bearer in BEARERS:
            points = by_memory(backbone, bearer)
            sizes = tuple(MEMORIES[size] for size in points)
            curves.append(
                Curve(bearer, sizes, tuple(known(measure, one) for one in points.values()))
            )
        drawn.append(Panel(tuple(curves), title))
    return Chart(
        tuple(drawn),
        "memory (cells)",
        y_label,
        "backbone",
        y_range,
        is_logarithmic=True,
        x_ticks=tuple(MEMORIES.values()),
    )
