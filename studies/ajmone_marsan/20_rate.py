"""XTP over 1000 km, with a constant rate."""

from __future__ import annotations

from cellrelay.plot import Panel
from cellrelay.results import Results
from cellrelay.studies import (
    Check,
    Experiment,
    Measure,
    Outcome,
    Verdict,
    average,
    claim,
    judge,
    known,
)

from .charts import pair, panel
from .loads import BRIEF, LOADS, XTP_FILES, bottleneck, shapings
from .measures import (
    LOSSLESS,
    NOT_MUCH,
    PAYLOAD,
    apart,
    beyond,
    by_size,
    distance,
    efficiency,
    free,
    goodput,
    largest,
    largest_fall,
    relative,
    up_to,
    xtp_by_load,
)
from .transports import (
    GO_BACK_N,
    LARGE,
    MIDDLE,
    RETRANSMISSIONS,
    SELECTIVE,
    SHAPED,
    SHAPINGS,
    SIZES,
    SMALL,
    UNSHAPED,
    xtp,
)


def _over_1000_km(size: str) -> Experiment:
    """The experiment of XTP with one frame size."""
    return bottleneck(
        f"XTP with frames of {size}",
        {"resent": RETRANSMISSIONS, "shaping": shapings()},
        {**BRIEF, **xtp(size)},
        file=XTP_FILES[0],
    )


xtp_9140 = _over_1000_km(LARGE)
xtp_4570 = _over_1000_km(MIDDLE)
xtp_1142 = _over_1000_km(SMALL)


@pair(
    "figure-4",
    "Figure 4. XTP over 1000 km",
    "Mean of the three associations, by frame size and retransmission policy.",
    "cells",
)
def figure_4(
    measure: Measure, xtp_9140: Results, xtp_4570: Results, xtp_1142: Results
) -> list[Panel]:
    return [
        panel(
            f"{resent}, {size}",
            {shaping: xtp_by_load(results, resent, shaping) for shaping in SHAPINGS},
            measure,
        )
        for resent in RETRANSMISSIONS
        for size, results in by_size(xtp_9140, xtp_4570, xtp_1142).items()
    ]


@claim(
    "003-6",
    "At low loads XTP takes most of the capacity and loses nothing; without background traffic its"
    " goodput is below the channel rate, since the output buffer is a little smaller than the"
    " path.",
    rule=f"unshaped, each frame size, both retransmissions: up to 20 Mbit/s the efficiency is at"
    f" least {LOSSLESS}, and goodput at least 0.85 of the user data that a third of the free"
    " capacity may carry; without background traffic goodput is at most 0.99 of that",
    where="section 4.2, Figure 4",
    of_paper='an efficiency of 1, and with no background traffic a bandwidth "smaller than the raw'
    ' channel data rate"',
    ours="low loads are up to 20 Mbit/s, as light ones are in 003-1; most of the capacity is 0.85"
    " of it, and smaller 0.99, since the buffers are a twentieth smaller than the path",
    expect=Verdict.REPRODUCED,
)
def low_loads_are_carried(xtp_9140: Results, xtp_4570: Results, xtp_1142: Results) -> Outcome:
    of_size = by_size(xtp_9140, xtp_4570, xtp_1142)
    checks, words = [], []
    for size in SIZES:
        for resent in RETRANSMISSIONS:
            points = xtp_by_load(of_size[size], resent)
            for load, point in up_to(points, 20).items():
                place = f"{size}, {resent}, {load}"
                share = average(goodput, point) / free(LOADS[load], PAYLOAD)
                checks.append(Check(f"{place}, loss", average(efficiency, point) >= LOSSLESS))
                checks.append(Check(f"{place}, goodput", share >= 0.85))
            alone = points["0 Mbit/s"]
            share = average(goodput, alone) / free(0, PAYLOAD)
            checks.append(Check(f"{size}, {resent}, below the channel rate", share <= 0.99))
            if resent == SELECTIVE:
                words.append(f"{size}: {known(goodput, alone)} Mbit/s, {share:.0%}")
    return judge("\n".join(["selective, without background traffic", *words]), checks)


@claim(
    "003-7",
    "With go-back-N goodput and efficiency collapse; with selective retransmission they fall more"
    " smoothly.",
    rule="unshaped, each frame size: from 50 to 100 Mbit/s both are lower with go-back-N; the"
    " largest fall of each from one load to the next is larger, too",
    where="section 4.2, Figure 4, left against right column",
    of_paper='go-back-N has a "sharp drop of goodput and efficiency"; with selective retransmission'
    ' their decrease is "smoother"',
    ours="sharper is a larger fall between two loads, and a lower curve beyond it; neighbouring"
    " loads are 10 Mbit/s apart, in a quick look 20",
    expect=Verdict.REPRODUCED,
)
def go_back_n_collapses(xtp_9140: Results, xtp_4570: Results, xtp_1142: Results) -> Outcome:
    of_size = by_size(xtp_9140, xtp_4570, xtp_1142)
    checks, words = [], []
    for size in SIZES:
        collapsing, smooth = (
            xtp_by_load(of_size[size], resent) for resent in (GO_BACK_N, SELECTIVE)
        )
        for name, measure in (("goodput", goodput), ("efficiency", efficiency)):
            chosen = beyond(up_to(collapsing, 100), 50)
            found = apart(chosen, smooth, measure, lambda first, second: first - second)
            checks += [Check(f"{size}, {name} at {load}", d < 0) for load, d in found.items()]
            falls = [largest_fall(measure, points) for points in (collapsing, smooth)]
            checks.append(Check(f"{size}, the fall of {name}", falls[0] > falls[1]))
        words.append(
            f"{size} at 60 Mbit/s: {known(efficiency, collapsing['60 Mbit/s'])} against"
            f" {known(efficiency, smooth['60 Mbit/s'])}"
        )
    return judge(
        "\n".join(["efficiency of go-back-N and selective", *words]),
        checks,
        "selective retransmission is better only because the sender ignores a report of losses that"
        " was sent before the retransmitted data arrived; if it obeys, both collapse alike",
    )


@claim(
    "003-8",
    "Over 1000 km shaping changes the performance of XTP little.",
    rule="each frame size, both retransmissions: in the mean over the loads up to 100 Mbit/s"
    f" goodput shaped and unshaped differ by at most {NOT_MUCH:.0%}, whatever the sign at each"
    " load",
    where="section 4.2, Figure 4",
    of_paper='"numerical results show that in these cases shaping does not significantly modify the'
    ' performance"',
    ours=f"not significantly is {NOT_MUCH:.0%}, as in the other claims; these cases are"
    " whole curves",
    expect=Verdict.REPRODUCED,
)
def shaping_changes_little(xtp_9140: Results, xtp_4570: Results, xtp_1142: Results) -> Outcome:
    of_size = by_size(xtp_9140, xtp_4570, xtp_1142)
    curves: dict[str, float] = {}
    single: dict[str, float] = {}
    for size in SIZES:
        for resent in RETRANSMISSIONS:
            shaped, plain = (xtp_by_load(of_size[size], resent, s) for s in (SHAPED, UNSHAPED))
            found = apart(up_to(shaped, 100), plain, goodput, relative)
            curves[f"{size}, {resent}"] = distance(found)
            single |= {f"{size}, {resent}, {load}": change for load, change in found.items()}
    (curve, apart_by), (place, change) = largest(curves), largest(single)
    much = [where for where, one in single.items() if abs(one) > NOT_MUCH]
    return judge(
        f"in the mean over loads {apart_by:.0%} at most ({curve}); at a single load {change:+.0%}"
        f" at most ({place})",
        [Check(where, one <= NOT_MUCH) for where, one in curves.items()],
        f"single loads that differ by more than {NOT_MUCH:.0%}: {'; '.join(much) or 'none'}; large"
        " frames are bursts of 192 cells, which next to the knee decide whether the buffer holds"
        " what three of them send",
    )
