"""Out-of-phase effect and flocking: why a switch counts too few active sources."""

from __future__ import annotations

from cellrelay.plot import DrawnSeries, Strip, Timeline
from cellrelay.results import Results
from cellrelay.simulation.series import Series
from cellrelay.studies import Check, Outcome, Verdict, average, claim, exhibit, judge

from .measures import TRUNK, longest
from .settings import COUNTED_AND_DECAYING, COUNTED_BOTH_WAYS, DECAYING, Settings, once, points

SOURCES = 15
COUNTS: dict[str, Settings] = {
    "cells on the way there": {},
    "RM cells on the way back too": COUNTED_BOTH_WAYS,
    "decaying": DECAYING,
    "both": COUNTED_AND_DECAYING,
}
"""Ways of counting active sources."""
PLAIN, BACK, DECAY, BOTH = COUNTS
BEGINNING = 0.3
"""Time in seconds during which windows are small and sources send in bursts."""

counting = once(
    "How many sources a switch sees",
    {"count": points(COUNTS)},
    {"record.every": "1 ms", "duration": "1.5 s"},
)


def active(counting: Results, count: str) -> Series:
    """The number of sources that the switch counts as active, over time."""
    series = counting.point(count=count).runs[0].series
    return series[f"port {TRUNK}", "active_channels"]


def seen(counting: Results, count: str) -> float:
    """Mean number of counted sources at the beginning of the run."""
    return float(active(counting, count).between(0.0, BEGINNING).values.mean())


def longest_queue(counting: Results, count: str) -> float:
    """The longest queue, in cells."""
    return average(longest, counting.point(count=count))


@exhibit(
    "counting",
    "The number of sources that a switch counts.",
    "15 sources that always have data to send, in the first half second. While windows are small,"
    " each source sends one clump of cells per round trip. An averaging interval contains the"
    " clumps of one or two sources only (flocking), and when the RM cells of a source return, its"
    " own clump has passed (out of phase). Each source thus gets a rate of up to half the link,"
    " and uses it later. Counting the VCs of returning RM cells, and letting counts decay, finds"
    " more sources; both together keep the queue short.",
)
def counted(counting: Results) -> Timeline:
    columns = []
    for count in COUNTS:
        series = active(counting, count)
        queue = counting.point(count=count).runs[0].series[f"port {TRUNK}", "queue"]
        columns.append(
            (
                Strip((DrawnSeries("", series.times, series.values, "steps"),), "active sources"),
                Strip((DrawnSeries("", queue.times, queue.values / 1e3),), "queue (1000 cells)"),
            )
        )
    return Timeline(tuple(columns), "time (s)", (0.0, 0.5), titles=tuple(COUNTS))


@claim(
    "counting",
    "Counting in both directions cures the out-of-phase effect, and letting counts decay cures"
    " flocking.",
    rule=f"mean number of active sources in the first {BEGINNING:g} s, of 15: below 7.5 counting"
    " cells alone, more with either cure, most with both; and the longest queue shortest with both",
    where="dissertation, on modified ERICA for TCP",
    of_paper="the two effects, and the cure of each",
    ours="too few active sources are fewer than half; the first 0.3 s, while windows are small",
    expect=Verdict.REPRODUCED,
)
def seen_of_all(counting: Results) -> Outcome:
    found = {count: seen(counting, count) for count in COUNTS}
    queues = {count: longest_queue(counting, count) for count in COUNTS}
    checks = [
        Check(f"below half, {PLAIN}", found[PLAIN] < SOURCES / 2),
        Check(f"more, {BACK}", found[BACK] > found[PLAIN]),
        Check(f"more, {DECAY}", found[DECAY] > found[PLAIN]),
        Check("most, both", found[BOTH] == max(found.values())),
        Check("queue, both", queues[BOTH] == min(queues.values())),
    ]
    words = [f"{count}: {found[count]:.1f}, queue {queues[count]:.0f}" for count in COUNTS]
    return judge(f"of {SOURCES} {'; '.join(words)}", checks)
