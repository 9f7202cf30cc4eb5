"""TCP over credits: large windows, precise timers and time stamps."""

from __future__ import annotations

from collections.abc import Mapping

from cellrelay.results import PointResult, Results
from cellrelay.studies import (
    Check,
    Outcome,
    Standing,
    Table,
    Verdict,
    above,
    average,
    claim,
    exhibit,
    gain,
    judge,
    known,
)

from . import networks
from .measures import carried, filled, long_delay, members, resent, timeouts
from .networks import LONG, SHORT, Settings, tcp
from .schemes import CREDITS, scheme
from .variants import BRIEF, ONCE, schemes, varied

COARSE, FINE = "ticks of 10 ms", "RFC 6298, 1 ms"
UNSTAMPED, STAMPED = "none", "RFC 1323"
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
STAMPS: Mapping[str, Settings] = {
    UNSTAMPED: tcp("timestamps", "off"),
    STAMPED: tcp("timestamps", "rfc1323"),
}
EACH = 250
"""Connections of each group in the crowd."""
ALL = networks.all_connections(EACH)
EFFICIENT = 0.99
"""Share of the link capacity from which a link counts as used efficiently."""
MANY = 0.05
"""Share of retransmitted packets above which retransmissions count as very many."""
REPEATED = 2
"""Timeouts of a connection above which they count as periodic."""
expired = timeouts(LONG, *SHORT)
FROM_THE_START = {**BRIEF, "warm_up": "0 s"}

windows = varied(
    "Credits, by window, by timer and with time stamps",
    {"scheme": schemes([CREDITS]), "window": WINDOWS, "clock": CLOCKS, "stamps": STAMPS},
    FROM_THE_START,
    quick_replications=ONCE,
)
crowd = varied(
    f"Credits with {ALL} connections, with time stamps or without",
    {
        "scheme": {CREDITS: {**networks.crowd(EACH), **scheme(CREDITS, each=EACH)}},
        "stamps": STAMPS,
    },
    FROM_THE_START,
    quick_replications=ONCE,
)


def at(windows: Results, window: str, clock: str, stamps: str) -> PointResult:
    """Credits with a window, a timer, and time stamps or none."""
    return windows.point(window=window, clock=clock, stamps=stamps)


def expired_each(point: PointResult) -> list[float]:
    """Retransmission timeouts of a connection, in the mean."""
    connections = len(members(point, (LONG, *SHORT)))
    return [count / connections for count in expired(point)]


def row(name: str, clock: str, stamps: str, point: PointResult) -> list[str]:
    """The row of a setting in the table."""
    return [
        name,
        clock,
        stamps,
        f"{known(carried, point)}",
        f"{known(long_delay, point)}",
        f"{known(expired, point)}",
        f"{100 * average(resent, point):.2f}",
    ]


@exhibit(
    "windows",
    "Credits, by window, timer and time stamps.",
    "Every connection has this window; data beyond the capacity of the network wait in the"
    " sending host, and count as delay. No cell is dropped, so every retransmission is premature;"
    " here all numbers count from the start of the run. The last rows are those of"
    f" {ALL} connections, where a round trip exceeds a second and the first timeout is 200 ms.",
)
def by_window(windows: Results, crowd: Results) -> Table:
    rows = [
        row(window, clock, stamps, at(windows, window, clock, stamps))
        for clock in CLOCKS
        for window in WINDOWS
        for stamps in STAMPS
    ]
    for stamps in STAMPS:
        point = crowd.point(stamps=stamps)
        rows.append(row(f"64 KiB, {ALL} connections", COARSE, stamps, point))
    header = ["window", "timers", "time stamps", "Mbit/s over a link", "delay (ms)"]
    return Table([*header, "timeouts", "resent (%)"], rows)


@claim(
    "004-7",
    "Over credits TCP adjusts well and runs efficiently.",
    where="conclusion",
    of_paper='with the TCP of the paper: "seems to adjust well and to operate efficiently over this'
    ' scheme"',
    ours="nothing resent is what adjusting well means where nothing is lost; efficient is"
    f" {EFFICIENT:.0%} of what a link can hold",
    rule="credits with a window of 64 KB and no time stamps, whatever the timer: nothing is resent,"
    f" and more than {EFFICIENT:.0%} of what a link can hold is used",
    expect=Verdict.REPRODUCED,
)
def credits_suit_tcp(windows: Results, credits: Results) -> Outcome:
    small = next(iter(WINDOWS))
    points = {clock: at(windows, small, clock, UNSTAMPED) for clock in CLOCKS}
    checks = [
        Check(f"nothing resent, {clock}", max(resent(point)) == 0.0)
        for clock, point in points.items()
    ]
    settled = known(filled, credits.point(scheme=CREDITS))
    checks.append(above("use of links", settled, EFFICIENT))
    return judge(f"share of what a link can hold {settled}; nothing resent", checks)


@claim(
    "004-5",
    "With the extensions of RFC 1323 the timing of TCP may fall into a periodic pattern with very"
    " many premature retransmissions.",
    where="conclusion",
    of_paper='periodic, premature and very many: "can fall into a periodic behavior which'
    ' can cause unacceptably large number of early retransmissions"',
    ours=f"very many are more than {MANY:.0%} of the packets; periodic is more than {REPEATED}"
    " timeouts of a connection; the extensions are windows beyond 64 KB and time stamps; since the"
    f" paper names no place, one is enough, among large windows with either timer, and {ALL}"
    " connections, where round trips grow far beyond the first timeout",
    rule=f"with time stamps, at the place where most is resent: more than {MANY:.0%} of the packets"
    f" are, the timer of a connection expires more than {REPEATED} times, and more is resent than"
    " without them",
    standing=Standing.CONJECTURE,
    expect=Verdict.NOT_REPRODUCED,
)
def time_stamps_repeat(windows: Results, crowd: Results) -> Outcome:
    pairs = {
        f"{window}, {clock}": [at(windows, window, clock, stamps) for stamps in STAMPS]
        for window in list(WINDOWS)[1:]
        for clock in CLOCKS
    }
    pairs[f"{ALL} connections"] = [crowd.point(stamps=stamps) for stamps in STAMPS]
    place = max(pairs, key=lambda name: average(resent, pairs[name][1]))
    without, stamped = pairs[place]
    checks = [
        above(f"very many at {place}", known(resent, stamped), MANY),
        above(f"periodic at {place}", known(expired_each, stamped), REPEATED),
        above(f"more with time stamps at {place}", gain(resent, stamped, without)),
    ]
    words = (
        f"{name} {average(resent, one):.1%} without time stamps and {average(resent, other):.1%}"
        " with"
        for name, (one, other) in pairs.items()
    )
    return judge(
        f"resent {'; '.join(words)}; {known(expired_each, stamped)} timeouts of a connection with"
        f" time stamps at {place}, {known(expired_each, without)} without",
        checks,
        "acknowledgments come evenly over credits, and each starts the timer again, as in BSD;"
        " where it does expire, a time stamp gives the round-trip time of the first copy at once,"
        " and Karn's algorithm waits for a segment that was sent only once",
    )
