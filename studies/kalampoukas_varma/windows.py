"""Claim 004-5: large windows, and timers that know round trips well, over credits."""

from __future__ import annotations

from cellrelay.results import PointResult
from cellrelay.studies import Check, Outcome, Table, average, claim, exhibit, judge, known
from cellrelay.studies.claim import Measured

from .experiments import CLOCKS, WINDOWS
from .measures import carried, long_delay, resent, timeouts
from .networks import LONG, SHORT

MANY = 0.05
"""Share of the packets that makes very many repetitions."""
expired = timeouts(LONG, *SHORT)


def at(measured: Measured, window: str, clock: str) -> PointResult:
    """Credits with a window and a way to time round trips."""
    return measured["windows"].point(window=window, clock=clock)


@exhibit(
    "windows",
    "Credits, by window and by how round trips are timed.",
    "Every connection has the window; what does not fit into the network waits in the sending host,"
    " and counts as delay. Nothing is lost, so that each repetition would be premature; here they"
    " are counted from the start.",
)
def windows(measured: Measured) -> Table:
    rows = []
    for clock in CLOCKS:
        for window in WINDOWS:
            point = at(measured, window, clock)
            rows.append(
                [
                    clock,
                    window,
                    f"{known(carried, point)}",
                    f"{known(long_delay, point)}",
                    f"{known(expired, point)}",
                    f"{100 * average(resent, point):.2f}",
                ]
            )
    header = ["timers", "window", "Mbit/s over a link", "delay (ms)", "timeouts", "resent (%)"]
    return Table(header, rows)


@claim(
    "004-5",
    "Over credits TCP adjusts well; with the extensions for large windows, and their timing of"
    " round trips, it may fall into a periodic pattern with very many premature retransmissions.",
    rule="with a window of 64 KB nothing is sent again, whatever the timers; with the largest"
    f" window and fine timers more than {MANY:.0%} of the packets are",
)
def large_windows_repeat(measured: Measured) -> Outcome:
    small, *_, large = WINDOWS
    checks = [
        Check(f"{small}, {clock}", average(resent, at(measured, small, clock)) == 0.0)
        for clock in CLOCKS
    ]
    checks += [
        Check(f"{large}, {clock}", average(resent, at(measured, large, clock)) > MANY)
        for clock in list(CLOCKS)[1:]
    ]
    words = (
        f"{window}, {clock}: {average(resent, at(measured, window, clock)):.1%}"
        for clock in CLOCKS
        for window in WINDOWS
    )
    return judge(
        f"sent again with {'; '.join(words)}",
        checks,
        "acknowledgments come evenly over credits, and each starts the timer again, so that it does"
        " not expire however large the window",
    )
