"""What the results hinge on, which the paper leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import Table, exhibit, named, stated

from .charts import over_buffers, panel, percent
from .measures import grid, lowest, resent, spread, throughput
from .ten_tcp import FIVE_TIMES, GRID, PLAIN, TCP, WHERE_IT_IS_LOW, ten_tcp

GUARDS = {"guarded": "guarded", "not guarded": "allowed"}
CHOICES: Mapping[str, Mapping[str, Any]] = {
    "as chosen": {f"{TCP}.congestion": {"tahoe_gbn": {}}},
    "Tahoe of 4.3BSD": {f"{TCP}.congestion": {"tahoe_bsd": {}}},
    "timeout of four deviations": {f"{TCP}.timers.bsd.deviations": 4},
    "all start at once": {"flow.bulk.source.greedy.start": "0 s"},
    "no random delay": {"flow.bulk.jitter.packet_time.at_most": 0.0},
}
"""Other choices that the paper leaves open, one changed at a time."""

guard = ten_tcp(
    "Plain ATM with and without a guard of fast retransmits",
    {"guard": named(f"{TCP}.repeated_fast_retransmit", GUARDS), **GRID},
    PLAIN,
    FIVE_TIMES,
)
choices = ten_tcp(
    "Plain ATM, one other choice changed at a time",
    {"choice": CHOICES, **GRID},
    PLAIN,
    FIVE_TIMES,
    WHERE_IT_IS_LOW,
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
    "Other choices that the paper leaves open, one changed at a time.",
    "Plain ATM, ten connections, 64 kB windows: the lowest effective throughput, without"
    " segregated points, and the largest share of capacity that carries data again. Connections"
    " that start at the same instant, with the largest packets and the smallest buffer, lose"
    " their first packets together, and again at every timeout: no packet arrives. The paper"
    " staggers the starts to avoid that.",
)
def other_choices(choices: Results) -> Table:
    rows = []
    for choice in CHOICES:
        points = grid(choices, choice=choice)
        most = spread(resent, points)[1]
        rows.append(
            [choice, stated(throughput, points, lowest(points)), stated(resent, points, most)]
        )
    return Table(["choice", "lowest effective throughput", "most capacity spent again"], rows)
