"""TCP with selective acknowledgments, which the paper leaves out."""

from __future__ import annotations

from cellrelay.plot import Panel
from cellrelay.results import Results
from cellrelay.statistics import mean
from cellrelay.studies import Measure, Outcome, Verdict, above, claim, judge

from .charts import pair, panel
from .loads import BRIEF, COARSE_LOADS, MEDIUM, bottleneck, shapings, windowed
from .measures import beyond, by_load, relative_gain, up_to
from .transports import SACK, SIZES, THIRD, TRIPLE, UNSHAPED, WINDOWS

A_LOT = 0.10
"""More goodput, as a share."""

sack_third = bottleneck(
    f"TCP with selective acknowledgments and a window for {THIRD}",
    {"size": windowed(THIRD, SACK), "shaping": shapings((UNSHAPED,))},
    MEDIUM,
    COARSE_LOADS,
)
sack_triple = bottleneck(
    f"TCP with selective acknowledgments and a window for {TRIPLE}",
    {"size": windowed(TRIPLE, SACK), "shaping": shapings((UNSHAPED,))},
    BRIEF,
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
    "Selective acknowledgments, which the authors left out, could do a lot over long paths.",
    rule=f"TCP unshaped, both windows, each segment size, from 40 to 100 Mbit/s: goodput with SACK"
    f" is more than {A_LOT:.0%} above that of Reno; undecided where the interval of the paired"
    " difference includes that",
    expect=Verdict.IN_PART,
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
            checks += [
                above(f"{size}, {window}, {load}", gain, A_LOT) for load, gain in gains.items()
            ]
            all_in_all = mean([gain.mean for gain in gains.values()])
            words.append(f"{size}, {window}: {all_in_all:+.0%} in the mean over loads")
    return judge("\n".join(words), checks)
