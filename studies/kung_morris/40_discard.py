"""The effect of partial and early packet discard on the collapse."""

from __future__ import annotations

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Outcome,
    Standing,
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
    PLACE,
    after_loss,
    along,
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
    JITTER,
    LARGER_BUFFERS,
    ON_TIME,
    PARTIAL,
    SIZES,
    one_tcp,
)

MOVED = 4
"""Largest move of a cliff, in KB, that counts as little: a step of the axis."""

partial = one_tcp("Partial packet discard", GRID, PARTIAL)
early = one_tcp("Early packet discard", {"packet": EARLY, BUFFER: LARGER_BUFFERS})
exact = one_tcp(
    f"Partial packet discard, {ON_TIME}",
    COARSE,
    {**PARTIAL, JITTER: "0 s"},
    replications=FIVE_TIMES,
    quick_buffers=FOUR_BUFFERS,
)

less = one_tcp(
    "Partial packet discard, packets up to 20 us late",
    COARSE,
    {**PARTIAL, JITTER: "20 us"},
    replications=FIVE_TIMES,
    quick_buffers=FOUR_BUFFERS,
)


@exhibit(
    "orbits",
    "Partial packet discard, with hosts that are more and less exact.",
    "If each packet leaves its host on time a connection may stay in a periodic orbit, in which it"
    " can repair every loss: these are the isolated high points. Where only some phases lead to an"
    " orbit runs fall into two kinds, which are dots. With packets up to 20 us late one orbit"
    " is left; as chosen, with up to 40 us, none is.",
)
def orbits(exact: Results, less: Results, partial: Results) -> Chart:
    return over_buffers(
        panel(ON_TIME, grid(exact)),
        panel("up to 20 us late", grid(less)),
        panel("as chosen", grid(partial)),
    )


@claim(
    "002-4",
    "Partial packet discard has little effect.",
    rule=f"each packet size: the cliff is at most {MOVED} KB from that of plain ATM, and at every"
    f" buffer at least {MOVED} KB below both cliffs the means of the share of the link differ by at"
    " most 0.1",
    where="section Discard Policies, last graph",
    of_paper='PPD "has little effect"; its graph is "almost identical to the previous"',
    ours=f"little is {MOVED} KB of buffer, a step of the axis, and a tenth of the slow link;"
    " buffers less than this below a cliff are left out, where a moved cliff changes the share",
    expect=Verdict.REPRODUCED,
)
def partial_changes_little(plain: Results, partial: Results) -> Outcome:
    tails, parts = grid(plain), grid(partial)
    checks, changes = [], {}
    for size in SIZES:
        moved = abs(cliff(tails, size) - cliff(parts, size))
        checks.append(Check(f"the cliff of {size}", moved <= MOVED))
        lowest = min(cliff(tails, size), cliff(parts, size))
        for buffer, point in along(tails, size).items():
            if BUFFERS[buffer] <= lowest - MOVED:
                changes[size, buffer] = gain(share, parts[size, buffer], point)
    checks += [within(said(place), change, 0.1) for place, change in changes.items()]
    most = max(changes, key=lambda place: abs(changes[place].mean))
    return judge(
        f"good with {cliffs(parts)} on; plain ATM {cliffs(tails)}; below, the share changes by up"
        f" to {changes[most]} ({said(most)})",
        checks,
    )


@claim(
    "002-5",
    "Perhaps early packet discard works better than partial packet discard because it concentrates"
    " what is lost in one packet, which a fast retransmission repairs.",
    rule=f"{said(PLACE)}: the mean number of packets damaged for each loss is at most 1.25 with"
    " early and at least 1.5 with partial packet discard; with early packet discard there are fewer"
    " timeouts for each loss, and the share of the link is larger",
    where="section Discard Policies, end",
    of_paper='"perhaps" the reason is that it "concentrates all the dropped cells into a single'
    ' packet"',
    ours="one packet is a mean of at most 1.25, and more than one at least 1.5, as in 002-3; the"
    " place is that of the authors' graph over time",
    standing=Standing.CONJECTURE,
    expect=Verdict.REPRODUCED,
)
def early_concentrates(partial: Results, early: Results) -> Outcome:
    before, after = grid(partial)[PLACE], grid(early)[PLACE]
    fewer = gain(timeouts_of_event, before, after)
    checks = [
        Check("damage by early packet discard", average(damaged, after) <= 1.25),
        Check("damage by partial packet discard", average(damaged, before) >= 1.5),
        above("fewer timeouts", fewer),
        above("a larger share", gain(share, after, before)),
    ]
    return judge(
        f"early packet discard {known(throughput, after)} MB/s, {after_loss(after)}; partial"
        f" {known(throughput, before)} MB/s, {after_loss(before)}",
        checks,
    )
