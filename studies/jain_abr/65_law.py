"""The throughput that RM cells leave of a target utilization."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import Check, Outcome, Verdict, average, claim, judge

from .measures import throughput
from .printed import PEAK
from .settings import once, target

TARGETS = (90, 95)
REVERSES = {"ideal": "without RM cells of acknowledgments", "controlled": "with them"}

law = once(
    "What a target leaves to users",
    {
        "target": {f"{percent} %": dict(target(percent)) for percent in TARGETS},
        "reverse": {name: {"flow.bulk.over.abr.reverse": name} for name in REVERSES},
    },
    {
        "host.source.count": "10",
        "host.destination.count": "10",
        **{f"link.{link}.delay": "1 km" for link in ("access", "trunk", "exit")},
        "duration": "3 s",
        "warm_up": "1 s",
    },
)


@claim(
    "law",
    "Of the target utilization one cell in 32 goes to RM cells, and all else is throughput.",
    rule="ten sources in a local network, the first second left out: throughput within 0.3 % of"
    " target * 31/32 * 125.2 Mbit/s, where acknowledgments go back without rate control. With it,"
    " their RM cells come along with the data, half a percent of the link: not part of the rule",
    where="slides, on throughput and efficiency",
    of_paper="the target and one cell in 32",
    ours="0.3 %: rates are rounded down by up to 0.2 %",
    expect=Verdict.REPRODUCED,
)
def one_cell_in_32(law: Results) -> Outcome:
    checks, words = [], []
    for percent in TARGETS:
        for reverse, what in REVERSES.items():
            point = law.point(target=f"{percent} %", reverse=reverse)
            off = average(throughput, point) / (percent / 100 * 31 / 32 * PEAK) - 1
            words.append(f"{percent} % {what} {100 * off:+.2f} %")
            if reverse == "ideal":
                checks.append(Check(f"{percent} %", abs(off) <= 0.003))
    return judge("; ".join(words), checks)
