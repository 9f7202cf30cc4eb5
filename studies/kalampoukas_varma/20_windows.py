"""Large windows, and timers that know round trips well, over credits."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.results import PointResult, Results
from cellrelay.studies import Check, Outcome, Table, Verdict, average, claim, exhibit, judge, known

from .measures import carried, long_delay, resent, timeouts
from .networks import LONG, SHORT, Settings, tcp
from .schemes import CREDITS
from .variants import BRIEF, ONCE, schemes, varied

COARSE, FINE = "ticks of 10 ms", "RFC 6298, 1 ms"
WINDOWS: Mapping[str, Settings] = {
    window: {**tcp("window", window), **tcp("initial_ssthresh", "100 %")}
    for window in ("64 KiB", "256 KiB", "1 MiB")
}
CLOCKS: Mapping[str, Settings] = {
    COARSE: {},
    FINE: tcp(
        "timers",
        {"rfc6298": {"granularity": "1 ms", "min": "1 ms", "initial": "200 ms"}},
    ),
}
MANY = 0.05
"""Share of the packets that makes very many repetitions."""
expired = timeouts(LONG, *SHORT)

windows = varied(
    "Credits, by window and by how round trips are timed",
    {"scheme": schemes([CREDITS]), "window": WINDOWS, "clock": CLOCKS},
    {**BRIEF, "warm_up": "0 s"},
    quick_replications=ONCE,
)


def at(windows: Results, window: str, clock: str) -> PointResult:
    """Credits with a window and a way to time round trips."""
    return windows.point(window=window, clock=clock)


@exhibit(
    "windows",
    "Credits, by window and timer.",
    "Every connection has this window; data beyond the capacity of the network wait in the"
    " sending host, and count as delay. No cell is dropped, so every retransmission is premature;"
    " here retransmissions count from the start of the run.",
)
def by_window(windows: Results) -> Table:
    rows = []
    for clock in CLOCKS:
        for window in WINDOWS:
            point = at(windows, window, clock)
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
    expect=Verdict.IN_PART,
)
def large_windows_repeat(windows: Results) -> Outcome:
    small, *_, large = WINDOWS
    checks = [
        Check(f"{small}, {clock}", average(resent, at(windows, small, clock)) == 0.0)
        for clock in CLOCKS
    ]
    checks += [
        Check(f"{large}, {clock}", average(resent, at(windows, large, clock)) > MANY)
        for clock in list(CLOCKS)[1:]
    ]
    words = (
        f"{window}, {clock}: {average(resent, at(windows, window, clock)):.1%}"
        for clock in CLOCKS
        for window in WINDOWS
    )
    return judge(
        f"sent again with {'; '.join(words)}",
        checks,
        "acknowledgments come evenly over credits, and each starts the timer again, so that it does"
        " not expire however large the window",
    )
