"""Choices that the paper leaves open, and their effect on the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import Table, alternative, exhibit, named, stated

from .charts import over_buffers, panel, percent
from .measures import grid, lowest, resent, shown, spread, throughput
from .ten_tcp import FEW_BUFFERS, FIVE_TIMES, GRID, PLAIN, TCP, WHERE_IT_IS_LOW, ten_tcp

GUARDS = {"guarded": "guarded", "not guarded": "allowed"}
TIMERS = f"{TCP}.timers"
BACKOFF = f"{TCP}.backoff"
CONGESTION = f"{TCP}.congestion"
GUARD = f"{TCP}.repeated_fast_retransmit"
DELAY = "flow.bulk.jitter.packet_time.at_most"
BSD_2, BSD_4 = (
    {"bsd": {"tick": "0.1 ms", "deviations": count, "initial": "0.2 s"}} for count in (2, 4)
)

OTHERS = (
    alternative("full Karn backoff", {BACKOFF: {"karn": {}}}),
    alternative("backoff until new data arrive", {BACKOFF: {"reset_on_new_ack": {}}}),
    alternative("no backoff", {BACKOFF: {"constant": {}}}),
    alternative("BSD timers, four deviations", {TIMERS: BSD_4}),
    alternative("BSD timers, two deviations", {TIMERS: BSD_2}),
    alternative("no random delay", {DELAY: 0.0}),
    alternative("random delay up to a packet time", {DELAY: 1.0}),
    alternative("fast retransmit without guard", {GUARD: "allowed"}),
    alternative(
        "Karn, BSD timers, two deviations, packet time",
        {BACKOFF: {"karn": {}}, TIMERS: BSD_2, DELAY: 1.0},
    ),
)
CHOICES: Mapping[str, Mapping[str, Any]] = (
    {"as chosen": {CONGESTION: {"tahoe_gbn": {}}}}
    | {other.name: other.settings for other in OTHERS}
    | {
        "Tahoe of 4.3BSD": {CONGESTION: {"tahoe_bsd": {}}},
        "all start at once": {"flow.bulk.source.greedy.start": "0 s"},
    }
)
"""The choices of the study, the alternatives of the map, and choices that change little."""

guard = ten_tcp(
    "Plain ATM with and without a guard of fast retransmits",
    {"guard": named(GUARD, GUARDS), **GRID},
    PLAIN,
    FIVE_TIMES,
    FEW_BUFFERS,
)
choices = ten_tcp(
    "Plain ATM under other choices",
    {"choice": CHOICES, **WHERE_IT_IS_LOW},
    PLAIN,
    FIVE_TIMES,
)


@exhibit(
    "guard",
    "A sender without a guard on fast retransmits resends data that have arrived.",
    "Share of the congested link used by packets without new data, plain ATM. Going back N"
    " repeats packets that had arrived; their duplicate acknowledgments trigger the next fast"
    " retransmit, unless the sender remembers its highest sequence number.",
)
def guarded(guard: Results) -> Chart:
    panels = [
        panel(name, grid(guard, guard=name), percent(resent), shows_segregated=True)
        for name in GUARDS
    ]
    return over_buffers(*panels, y_label="capacity spent again (%)", y_range=(0, None))


@exhibit(
    "choices",
    "Other choices that the paper leaves open.",
    "Plain ATM, ten connections, 64 kB windows, small buffers: the lowest effective throughput at"
    " the places of Figure 2, and the largest share of capacity that carries data again."
    " All but the last change one choice. Connections"
    " that start at the same instant, with the largest packets and the smallest buffer, lose"
    " their first packets together, and again at every timeout: no packet arrives. The paper"
    " staggers the starts to avoid that.",
)
def other_choices(choices: Results) -> Table:
    rows = []
    for choice in CHOICES:
        points = shown(grid(choices, choice=choice))
        most = spread(resent, points)[1]
        rows.append(
            [choice, stated(throughput, points, lowest(points)), stated(resent, points, most)]
        )
    return Table(["choice", "lowest effective throughput", "most capacity spent again"], rows)
