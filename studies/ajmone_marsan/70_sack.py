"""TCP with selective acknowledgments, which the paper leaves out."""

from __future__ import annotations

from cellrelay.plot import Panel
from cellrelay.results import Results
from cellrelay.statistics import mean
from cellrelay.studies import Measure, Outcome, Standing, Verdict, above, claim, gain, judge

from .charts import pair, panel
from .loads import BRIEF, COARSE_LOADS, LONG, Settings, bottleneck, shapings, windowed
from .measures import beyond, by_load, efficiency, relative_gain, up_to
from .transports import SIZES, TCP, THIRD, TRIPLE, UNSHAPED, WINDOWS

SACK: Settings = {f"{TCP}.congestion": "{ sack = {} }"}
SIGNIFICANT = 0.05
"""Difference of efficiency that counts as significant."""

sack_third = bottleneck(
    f"TCP with selective acknowledgments and a window for {THIRD}",
    {"size": windowed(THIRD), "shaping": shapings((UNSHAPED,))},
    {**LONG, **SACK},
    COARSE_LOADS,
)
sack_triple = bottleneck(
    f"TCP with selective acknowledgments and a window for {TRIPLE}",
    {"size": windowed(TRIPLE), "shaping": shapings((UNSHAPED,))},
    {**BRIEF, **SACK},
    COARSE_LOADS,
)


@pair(
    "sack",
    "Not in the paper: TCP with selective acknowledgments",
    "The authors leave the option out, and expect that it could do a lot over long paths.",
    "sender",
)
def sack(
    measure: Measure,
    tcp_third: Results,
    tcp_triple: Results,
    sack_third: Results,
    sack_triple: Results,
) -> list[Panel]:
    return [
        panel(
            f"{size}, {WINDOWS[window][size]} segments",
            {
                "Reno": by_load(plain, size=size, shaping=UNSHAPED),
                "SACK": by_load(selective, size=size, shaping=UNSHAPED),
            },
            measure,
        )
        for window, plain, selective in (
            (THIRD, tcp_third, sack_third),
            (TRIPLE, tcp_triple, sack_triple),
        )
        for size in SIZES
    ]


@claim(
    "003-18",
    "Selective acknowledgments, which the authors left out, could significantly modify the"
    " efficiency of TCP over long paths.",
    rule="TCP unshaped, both windows, each segment size: at some load from 40 to 100 Mbit/s the"
    f" efficiency with SACK is at least {SIGNIFICANT} from that of Reno; undecided where the"
    " interval of the paired difference includes that",
    where="section 2.1",
    of_paper='the option "could significantly modify the efficiency of TCP, specially for'
    ' long-distance connections"',
    ours=f"significantly is by {SIGNIFICANT}; the loads are those at which something is lost",
    standing=Standing.CONJECTURE,
    expect=Verdict.NOT_REPRODUCED,
)
def selective_acknowledgments(
    tcp_third: Results, tcp_triple: Results, sack_third: Results, sack_triple: Results
) -> Outcome:
    checks, words = [], []
    cases = ((THIRD, tcp_third, sack_third), (TRIPLE, tcp_triple, sack_triple))
    for window, plain, selective in cases:
        for size in SIZES:
            reno, sack = (
                beyond(up_to(by_load(results, size=size, shaping=UNSHAPED), 100), 40)
                for results in (plain, selective)
            )
            gains = {load: relative_gain(point, reno[load]) for load, point in sack.items()}
            changes = [gain(efficiency, point, reno[load]) for load, point in sack.items()]
            most = max(changes, key=lambda change: abs(change.mean))
            size_of_it = most if most.mean > 0 else most.scaled(-1)
            checks.append(above(f"{size}, {window}", size_of_it, SIGNIFICANT))
            all_in_all = mean([change.mean for change in gains.values()])
            words.append(
                f"{size}, {window}: efficiency by up to {most.mean:+.2f}, goodput"
                f" {all_in_all:+.0%} in the mean over loads"
            )
    return judge(
        "\n".join(words),
        checks,
        "SACK changes goodput more than efficiency: a Reno sender that waits for its timer sends"
        " nothing, so it retransmits little",
    )
