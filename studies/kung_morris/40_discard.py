"""What partial and early packet discard do about it."""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    above,
    average,
    claim,
    exhibit,
    gain,
    judge,
    known,
    said,
    within,
)

from .charts import over_buffers, panel
from .measures import (
    GOOD,
    PLACE,
    after_loss,
    before_cliff,
    cliff,
    cliffs,
    damaged,
    grid,
    share,
    throughput,
    timeouts_of_event,
)
from .one_tcp import (
    BUFFER,
    BUFFERS,
    COARSE,
    EARLY,
    FIVE_TIMES,
    FOUR_BUFFERS,
    GRID,
    LARGER_BUFFERS,
    LATE,
    LINEAR,
    PARTIAL,
    SIZES,
    one_tcp,
)

partial = one_tcp("Partial packet discard", GRID, PARTIAL)
early = one_tcp("Early packet discard", {"packet": EARLY, BUFFER: LARGER_BUFFERS})
late = one_tcp(
    f"Partial packet discard, packets {LATE}",
    COARSE,
    {**PARTIAL, "flow.bulk.jitter.uniform.high": "100 us"},
    replications=FIVE_TIMES,
    quick_buffers=FOUR_BUFFERS,
)


@exhibit(
    "orbits",
    "Partial packet discard, with an exact host and with a jittering one.",
    "If each packet leaves its host up to 0.1 ms late, at random, no connection stays in a"
    " periodic orbit for long, and the isolated high points vanish.",
)
def orbits(partial: Results, late: Results) -> Chart:
    return over_buffers(panel("on time", grid(partial)), panel(LATE, grid(late)))


@claim(
    "002-4",
    "Partial packet discard has little effect.",
    rule="each packet size: the cliff is at most 4 KB from that of plain ATM, and at every buffer"
    " below both the means of the share of the link differ by at most 0.1",
    expect=Verdict.IN_PART,
)
def partial_changes_little(plain: Results, partial: Results, late: Results) -> Outcome:
    tails, parts = grid(plain), grid(partial)
    checks, changes = [], {}
    for size in SIZES:
        moved = abs(cliff(tails, size) - cliff(parts, size))
        checks.append(Check(f"the cliff of {size}", moved <= 4))
        for buffer in before_cliff(tails, size):
            if buffer in before_cliff(parts, size):
                place = size, buffer
                changes[place] = gain(share, parts[place], tails[place])
    checks += [within(said(place), change, 0.1) for place, change in changes.items()]
    most = max(changes, key=lambda place: abs(changes[place].mean))
    return judge(
        f"good with {cliffs(parts)} on; plain ATM {cliffs(tails)}; below, the share changes by up"
        f" to {changes[most]} ({said(most)})",
        checks,
        f"good points by themselves are periodic orbits, and {without_orbits(late)}",
    )


def without_orbits(late: Results) -> str:
    """What partial packet discard gives at most where hosts are not exact, in words."""
    points = grid(late)
    below = {place: points[place] for place in points if BUFFERS[place[1]] <= 48}
    most = max(below, key=lambda place: average(share, below[place]))
    return f"where packets are {LATE} the share is at most {known(share, below[most])} up to 48 KB"


@claim(
    "002-5",
    "Early packet discard does much better, since it concentrates what is lost in one packet, which"
    " a fast retransmission repairs.",
    rule=f"{said(PLACE)}: at most 1.25 packets damaged and 0.1 timeouts for each loss; a mean share"
    f" of the link of at least 0.5, and of at least {GOOD} if windows grow linearly; each packet"
    " size, at every buffer of 16 KB or more below the cliff of plain ATM: the share grows by more"
    " than 0.1",
    expect=Verdict.IN_PART,
)
def early_concentrates(plain: Results, early: Results, growth: Results) -> Outcome:
    tail, whole = grid(plain), grid(early)
    there = whole[PLACE]
    linear = grid(growth, growth=LINEAR)[PLACE]
    checks = [
        Check("damage", average(damaged, there) <= 1.25),
        Check("timeouts", average(timeouts_of_event, there) <= 0.1),
        Check(f"the share of {said(PLACE)}", average(share, there) >= 0.5),
        Check("the same with linear growth", average(share, linear) >= GOOD),
    ]
    for size in SIZES:
        for buffer, point in before_cliff(tail, size).items():
            if BUFFERS[buffer] >= 16:
                gained = gain(share, whole[size, buffer], point)
                checks.append(above(f"{size} at {buffer}", gained, 0.1))
    return judge(
        f"{said(PLACE)}: {known(throughput, there)} MB/s against {known(throughput, tail[PLACE])},"
        f" {after_loss(there)}; with linear growth {known(throughput, linear)} MB/s",
        checks,
        "with the S/8 that 4.3BSD-Reno adds, the windows of small packets grow by several packets"
        " at a time, and several are lost",
    )
