"""Does early packet discard carry more than plain ATM?"""

from __future__ import annotations

from cellrelay.plot import Chart, chart
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Outcome,
    Verdict,
    above,
    alternative,
    claim,
    exhibit,
    experiment,
    gain,
    judge,
    of_network,
)

BUFFER = "switch.s1.buffer.per_output"
DISCARD = "switch.s1.discard"
throughput = of_network("effective_throughput")

policies = experiment(
    "ten-tcp.toml",
    "Two discard policies, by buffer",
    {
        "policy": {
            "plain ATM": {DISCARD: {"tail_drop": {}}},
            "early packet discard": {DISCARD: {"early_packet": {"threshold": "50 %"}}},
        },
        BUFFER: ("1000 cells", "4000 cells"),
    },
    quick={"duration": "1 s"},
    replications=Replications.exactly(5),
    quick_replications=Replications.exactly(3),
)

at_once = alternative("all start at once", {"flow.bulk.source.greedy.start": "0 s"})


@exhibit("figure-1", "Figure 1. Throughput by buffer.", "Means, with 95 % intervals.")
def by_buffer(policies: Results) -> Chart:
    return chart(policies, "effective_throughput")


@claim(
    "early-carries-more",
    "Early packet discard carries more than plain ATM.",
    rule="at each buffer its mean effective throughput is larger; undecided where the interval of"
    " the paired difference includes zero",
    where="section 4, Figure 1",
    of_paper='"more at every buffer": a gain above zero',
    expect=Verdict.REPRODUCED,
)
def early_carries_more(policies: Results) -> Outcome:
    gains = {}
    for buffer in policies.values("per_output"):
        plain, early = (
            policies.point(policy=policy, per_output=buffer)
            for policy in ("plain ATM", "early packet discard")
        )
        gains[buffer] = gain(throughput, early, plain)
    words = ", ".join(f"{gained} with {buffer}" for buffer, gained in gains.items())
    return judge(f"gains {words}", [above(buffer, gained) for buffer, gained in gains.items()])
