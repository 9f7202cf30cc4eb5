"""Which marking gives 23, 471 and 74 Mbit/s?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Outcome,
    Standing,
    Table,
    Verdict,
    claim,
    exhibit,
    experiment,
    judge,
    known,
    of_port,
)

from .groups import BOTTLENECKS, GROUPS, NAMES, as_printed, stated, user_data

EXAMPLE = {"s1": 23.0, "s2": 471.0, "s3": 74.0}
"""User data per sender, in Mbit/s, that the example of ns-3 states as its results."""
QUEUES = {10_000: 200e-6, 1_000: 1e-3}
"""Queueing delays in seconds that the example states, by the rate of the link in Mbit/s."""
STEP, HIGHER, RAMP, THERE = (
    "step at 65 and 20 packets",
    "step at 150 and 60 packets",
    "ramp from 50 to 150 and from 20 to 60, gentle",
    "step at 167 and 83 packets",
)


def _marks(fast: Mapping[str, Any], slow: Mapping[str, Any]) -> dict[str, Any]:
    """Marking rules of the outputs of 10 and of 1 Gbit/s."""
    return {
        "router.triumph1.mark": fast,
        "router.scorpion.mark": fast,
        "router.triumph2.mark": slow,
    }


def _ramp(minimum: int, maximum: int) -> dict[str, Any]:
    levels = {"minimum": f"{1500 * minimum} B", "maximum": f"{1500 * maximum} B"}
    return {"ramp": {**levels, "probability": "2 %", "beyond": "gentle"}}


def _step(packets: int) -> dict[str, Any]:
    return {"threshold": {"above": f"{1500 * packets} B"}}


def _packets(rate: int) -> int:
    """Mean queue of the example at a link rate, in packets of 1500 octets."""
    return round(QUEUES[rate] * rate * 1e6 / 12_000)


RULES = {
    STEP: _marks(_step(65), _step(20)),
    HIGHER: _marks(_step(150), _step(60)),
    RAMP: _marks(_ramp(50, 150), _ramp(20, 60)),
    THERE: _marks(_step(_packets(10_000)), _step(_packets(1_000))),
}
FAR, NEAR = ("from1", "from2", "from3", "to1", "to2"), ("core1", "core2")
LINKS = (
    {f"link.{link}.delay": "10 us" for link in FAR}
    | {f"link.{link}.delay": "5 us" for link in NEAR}
    | {f"flow.{group}.over.packet.framing": "2 B" for group in GROUPS}
    | {f"flow.{group}.transport.tcp.header": "52 B" for group in GROUPS}
)
"""Delays and packets of the example."""

marking = experiment(
    "three-groups.toml",
    "The network of ns-3's example, by the rule that marks",
    {"marking": RULES},
    {**LINKS, "duration": "4 s", "warm_up": "1 s"},
    quick={"duration": "1.2 s", "warm_up": "0.4 s"},
    replications=Replications.exactly(5),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "marking",
    "User data of a sender of each group, by the rule that marks.",
    "In Mbit/s, with 95 % intervals; queues in octets, 1,538 of which are a packet. The"
    " last row is what the example of ns-3 states of itself.",
    is_printed=True,
)
def by_rule(marking: Results) -> Table:
    rows = []
    for rule in marking.values("marking"):
        point = marking.point(marking=rule)
        queues = (of_port("mean_queue_octets", port) for port in BOTTLENECKS)
        got = [str(known(user_data(group), point)) for group in GROUPS]
        rows.append([rule, *got, *(str(known(queue, point)) for queue in queues)])
    rows.append(["ns-3's example", *(f"{value:g}" for value in EXAMPLE.values()), "", ""])
    names = [NAMES[group] for group in GROUPS]
    return Table(["marking", *names, "queue at 10 Gbit/s", "queue at 1 Gbit/s"], rows)


@claim(
    "dctcp-4",
    "The example of ns-3 for this figure gets 23, 471 and 74 Mbit/s, with queues of about 200 us at"
    " 10 Gbit/s and of 1 ms at 1 Gbit/s.",
    rule="a step at these queues, on the links of the example: each group gets within 10 % of that",
    where="examples/tcp/dctcp-example.cc of ns-3, comment at its head",
    of_paper="the three numbers, and the queues",
    ours="10 %, since the example states a single run of a second; a step instead of its RED",
    standing=Standing.OF_OTHERS,
    expect=Verdict.REPRODUCED,
)
def queues_explain(marking: Results) -> Outcome:
    return _beside_example(marking, THERE)


@claim(
    "dctcp-5",
    "It marks by RED, between 50 and 150 packets at 10 Gbit/s and between 20 and 60 at 1 Gbit/s.",
    rule="a ramp between these bounds, of 2 % at the upper one and gentle beyond it, on the queue"
    " of the instant, on the links of the example: each group gets within 10 % of its numbers",
    where="examples/tcp/dctcp-example.cc of ns-3",
    of_paper="the bounds; 2 % and the gentle variant are the defaults of its RED",
    ours="10 %, as before; marks are independent here, and evenly spaced in the example",
    standing=Standing.OF_OTHERS,
    expect=Verdict.NOT_REPRODUCED,
)
def ramp_explains(marking: Results) -> Outcome:
    return _beside_example(marking, RAMP)


def _beside_example(marking: Results, rule: str) -> Outcome:
    point = marking.point(marking=rule)
    return judge(stated(point, user_data), as_printed(point, EXAMPLE, 0.1, user_data))
