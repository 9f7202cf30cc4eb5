"""What share of the link do pause frames and credits take?"""

from __future__ import annotations

from cellrelay.plot import Chart, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import Estimate
from cellrelay.studies import (
    Check,
    Outcome,
    Verdict,
    above,
    along,
    claim,
    curve,
    exhibit,
    experiment,
    gain,
    judge,
    known,
    percent,
    scaled,
)

from .links import CREDITS, EXIT, FASTER, LINK, LOAD, PAUSES, configured, control, rates, sent

LOADS = (0, 10, 50, 90)
EXITS = (100, 200, 300)
"""Rates in Gbit/s of exits that are slower than the load."""
FRAMES = (256, 1500, 4096)
MOST_SPACING = 262144
"""Octets that the link could carry from one CF_Update to the next at most, as in SAI."""
SHORTEST = 200e-6 * 400e9 / 8
"""Octets that the link could carry in the shortest run of this page, after its warm-up."""

calm = experiment(
    "link.toml",
    "A link that is never congested, by load",
    {"by": configured(), "load": rates(LOADS)},
    {EXIT: FASTER},
    replications=Replications.exactly(30),
    quick_replications=Replications.exactly(10),
)
busy = experiment(
    "link.toml",
    "A link whose exit is slower, by rate of the exit and frames",
    {
        "by": configured(),
        "exit": {f"{gbits} Gbit/s": {EXIT: f"{gbits} Gbit/s"} for gbits in EXITS},
        "frame": {f"{octets} B": sent(octets) for octets in FRAMES},
    },
    {LOAD: "360 Gbit/s"},
    replications=Replications.exactly(30),
    quick_replications=Replications.exactly(10),
)


@exhibit(
    "overhead",
    "Share of the opposite direction that pause frames or messages of credits take.",
    "In per cent, by the rate of the exit of a link of 400 Gbit/s, with 95 % intervals. PFC obeys"
    " after 905 quanta, and PFC at once without any time; panels by the length of frames.",
)
def by_exit(busy: Results) -> Chart:
    panels = []
    for octets in FRAMES:
        curves = []
        for name in (*PAUSES, CREDITS):
            points = along(busy, "exit", by=name, frame=f"{octets} B")
            by_rate = {float(gbits): points[f"{gbits} Gbit/s"] for gbits in EXITS}
            curves.append(curve(name, by_rate, scaled(control, 100)))
        panels.append(Panel(tuple(curves), f"frames of {octets} octets"))
    return Chart(tuple(panels), "exit (Gbit/s)", "overhead (%)", "flow control")


@claim(
    "scale-up-1",
    "PFC sends no messages when there is nothing to control.",
    rule="on a link that is never congested, no run has a pause frame, at any load",
    where="table of section PFC/CBFC, row Overhead",
    of_paper='"no messages when no control events occur"',
    expect=Verdict.REPRODUCED,
)
def no_frames(calm: Results) -> Outcome:
    checks, runs = [], 0
    for name in PAUSES:
        for load, point in along(calm, "load", by=name).items():
            frames = point.samples("pause_frames", LINK)
            runs += len(frames)
            checks.append(Check(f"{name} at {load}", not any(frames)))
    return judge(f"no frame in {runs} runs", checks)


@claim(
    "scale-up-2",
    "CBFC sends update messages periodically, whatever happens.",
    rule="on the same link, at any load and without any, every run has as many CF_Updates as"
    " one in each 262,144 octets of the link gives",
    where="table of section PFC/CBFC, row Overhead",
    of_paper='"periodic synchronization"',
    ours="the largest spacing of SAI, its default",
    expect=Verdict.REPRODUCED,
)
def always_updates(calm: Results) -> Outcome:
    checks, words = [], []
    for load, point in along(calm, "load", by=CREDITS).items():
        updates = point.samples("cf_updates_sent", LINK)
        checks.append(Check(load, min(updates) >= SHORTEST // MOST_SPACING))
        words.append(f"at least {min(updates):.0f} at {load}")
    return judge("; ".join(words), checks)


def more(results: Results, of: str, **where: str) -> Estimate:
    """The overhead of credits less that of pauses."""
    credits, pauses = (results.select(by=name, **where).points[0] for name in (CREDITS, of))
    return gain(control, credits, pauses)


@claim(
    "scale-up-3",
    "PFC has the lower overhead on a link that is not congested.",
    rule="at each load, messages of credits take a larger share of the link than pause frames",
    where="table of section PFC/CBFC, row Overhead",
    of_paper='"low" for PFC alone',
    expect=Verdict.REPRODUCED,
)
def lower_without_congestion(calm: Results) -> Outcome:
    checks, words = [], []
    for name in PAUSES:
        for load, point in along(calm, "load", by=CREDITS).items():
            checks.append(above(f"{name} at {load}", more(calm, name, load=load)))
            words.append(f"{percent(known(control, point))} at {load}")
    return judge("CBFC: " + "; ".join(dict.fromkeys(words)), checks)


@claim(
    "scale-up-4",
    "PFC has the lower overhead on a link that is congested too.",
    rule="as without congestion, at each rate of the exit, with frames of each length, and with"
    " both responses to a pause frame",
    where="table of section PFC/CBFC, row Overhead",
    of_paper='"low" for PFC alone, without a condition',
    expect=Verdict.IN_PART,
)
def lower_with_congestion(busy: Results) -> Outcome:
    checks, words = [], []
    for name in PAUSES:
        for octets in FRAMES:
            for gbits in EXITS:
                where = {"exit": f"{gbits} Gbit/s", "frame": f"{octets} B"}
                pauses, credits = (
                    known(control, busy.select(by=each, **where).points[0])
                    for each in (name, CREDITS)
                )
                place = f"{name}, {octets} B, exit of {gbits} Gbit/s"
                checks.append(above(place, more(busy, name, **where)))
                words.append(f"{percent(pauses)} against {percent(credits)} ({place})")
    return judge("\n".join(words), checks)
