"""Two connections that share the slow link."""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Measure,
    Outcome,
    Verdict,
    average,
    claim,
    exhibit,
    judge,
    known,
    named,
    of_flow,
)

from .charts import CARRIED, MOST, line
from .measures import by_buffer, idle, paused_of_two, throughput
from .one_tcp import BUFFER, DISCARD, DISCARDS, LARGEST, PAPER_BUFFER, one_tcp

SHARED_BUFFERS = {f"{size} KiB": float(size) for size in (16, 32, 48, 64, 80, 96, 112, 128, 144)}
"""Buffers of the experiment with two connections."""
EACH = tuple(of_flow("paused_share", f"bulk[{member}]") for member in (0, 1))
"""Measures of the share of time that each connection spends in pauses."""

two = one_tcp(
    "Two connections",
    {"policy": named(DISCARD, DISCARDS), BUFFER: tuple(SHARED_BUFFERS)},
    quick_buffers=("32 KiB", "48 KiB", "64 KiB", "96 KiB", "128 KiB"),
    file="two-tcps.toml",
)


@exhibit(
    "two",
    "Two connections that share the slow link.",
    f"Packets of {LARGEST}; throughput of both together. Bands are wide from 64 KB on, where the"
    " relative phase of the connections decides whether one continues while the other pauses.",
)
def two_connections(two: Results) -> Chart:
    return _two(two, throughput, "throughput (MB/s)", (0.0, MOST), CARRIED)


@exhibit(
    "two-pauses",
    "Two connections: time in pauses.",
    "Share of time that a connection spends in pauses before a timeout, as the mean of both.",
)
def two_pauses(two: Results) -> Chart:
    return _two(two, paused_of_two, "time in pauses", (0.0, 1.0), (0.0, 1.0))


def _two(
    two: Results,
    measure: Measure,
    y_label: str,
    y_range: tuple[float, float],
    possible: tuple[float, float],
) -> Chart:
    curves = [
        line(policy, by_buffer(two, "policy", policy), measure, SHARED_BUFFERS)
        for policy in two.values("policy")
    ]
    panel = Panel(tuple(curves))
    return Chart(
        (panel,),
        "buffer (KB)",
        y_label,
        y_range=y_range,
        x_ticks=(32, 64, 96, 128),
        possible=possible,
    )


@claim(
    "002-6",
    "Two connections hardly compete: both spend most of their time in retransmission timeouts.",
    rule=f"plain ATM, {LARGEST}, buffers of at most 48 KB: pauses take more than half of the time"
    " of each connection, and the link is idle for at least 0.75 of the time",
    where="section Two TCPs with a Bottleneck",
    of_paper='"both spend most of their time in retransmit timeouts", and "rarely compete"',
    ours="most is more than half; they hardly compete for a link that is idle for 0.75 of the time;"
    " buffers as in 002-1",
    expect=Verdict.REPRODUCED,
)
def both_wait(two: Results) -> Outcome:
    points = by_buffer(two, "policy", "plain ATM")
    checks = []
    for buffer, point in points.items():
        if SHARED_BUFFERS[buffer] <= 48:
            waiting = min(average(one, point) for one in EACH)
            checks.append(Check(f"pauses at {buffer}", waiting > 0.5))
            checks.append(Check(f"idle at {buffer}", average(idle, point) >= 0.75))
    point = points[PAPER_BUFFER]
    shares = " and ".join(str(known(one, point)) for one in EACH)
    return judge(
        f"{PAPER_BUFFER}: {shares} of the time in pauses, the link idle for {known(idle, point)},"
        f" {known(throughput, point)} MB/s together",
        checks,
        "where the buffer holds a whole window, one connection can go on while the other pauses",
    )
