"""How much buffer ABR needs, and what that depends on."""

from __future__ import annotations

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult
from cellrelay.studies import Check, Measure, Outcome, average, claim, exhibit, judge, known
from cellrelay.studies.claim import Measured

from .experiments import COUNTS, HALF_PERIODS, INTERVALS, REACH
from .measures import in_round_trips, longest
from .rows import ROWS, Row
from .table import point

WITHOUT, WITH = 3.0, 4.0
"""Round trips of buffer that are said to suffice without VBR traffic, and with it."""
LONG = 30.0
"""Round-trip time in ms of the wide area."""
LOCAL_MS = 1.0
"""Rows with round trips below are about averaging intervals, not about round trips."""


def wide(row: Row) -> bool:
    """Whether round trips, and not averaging intervals, decide how long the queue of a row is."""
    return row.interval <= 100 and row.rtt >= LOCAL_MS


def of_row(measured: Measured, row: Row) -> float:
    """The longest queue of a row in cells of its round trip."""
    return average(in_round_trips(row.rtt), point(measured, row))


@claim(
    "three-round-trips",
    "Without VBR traffic, buffers for the cells of three round trips suffice.",
    rule="the longest queue is at most 3 RTT in every row of the tables of round trips and feedback"
    " delays",
)
def three_round_trips(measured: Measured) -> Outcome:
    return _suffices(measured, [row for row in ROWS.values() if not row.has_vbr], WITHOUT)


@claim(
    "four-round-trips",
    "With VBR traffic and a switch that controls its queue, those of four suffice.",
    rule="the longest queue is at most 4 RTT in every row with VBR traffic that is stable in print",
)
def four_round_trips(measured: Measured) -> Outcome:
    rows = [row for row in ROWS.values() if row.has_vbr and row.printed]
    return _suffices(measured, rows, WITH)


@claim(
    "any-period",
    "With a switch that controls its queue four round trips of buffer suffice for VBR traffic of"
    " any period.",
    rule="ERICA+: the longest queue is at most 4 RTT for each period of the figure",
)
def any_period(measured: Measured) -> Outcome:
    video = measured["video"]
    found = {
        half: average(in_round_trips(LONG), video.point(rule="ERICA+", half=half))
        for half in video.values("half")
    }
    return judge(
        "; ".join(f"{half} {queue:.1f} RTT" for half, queue in found.items()),
        [Check(half, queue <= WITH) for half, queue in found.items()],
        "at 10 ms, the feedback delay, this hinges on rates that are rounded down to 16 bits: with"
        " exact ones the queue grows until the windows of TCP are full",
    )


def _suffices(measured: Measured, rows: list[Row], bound: float) -> Outcome:
    found = {row.name: of_row(measured, row) for row in rows if wide(row)}
    checks = [Check(name, queue <= bound) for name, queue in found.items()]
    most = max(found, key=lambda name: found[name])
    return judge(f"most {found[most]:.2f} RTT ({most})", checks)


@claim(
    "any-number",
    "The buffers that suffice do not depend on the number of sources.",
    rule="the longest queue is at most 3 RTT for each number of sources, with each of the rules of"
    " the figure",
)
def any_number_of_sources(measured: Measured) -> Outcome:
    checks, words = [], []
    for rule in measured["sources"].values("rule"):
        found = _by_sources(measured, rule)
        queues = {count: average(in_round_trips(LONG), one) for count, one in found.items()}
        checks += [
            Check(f"{count:g} sources, {rule}", queue <= WITHOUT) for count, queue in queues.items()
        ]
        most = max(queues, key=lambda count: queues[count])
        words.append(f"{rule} {queues[most]:.1f} RTT ({most:g} sources)")
    return judge(
        f"most: {'; '.join(words)}",
        checks,
        "the print goes up to 15 sources; the queue of more is the bursts of their slow start, of"
        " which a switch that counts cells alone sees one source at a time",
    )


@claim(
    "round-trip",
    "The queue grows with the round-trip time.",
    rule="15 sources: the longest queue rises from each round-trip time to the next, and in round"
    " trips stays between 0.5 and 4",
)
def grows_with_round_trip(measured: Measured) -> Outcome:
    rows = sorted((ROWS[name] for name in ("a3", "b1", "b2", "b3")), key=lambda row: row.rtt)
    queues = [average(longest, point(measured, row)) for row in rows]
    checks = [
        Check(f"{row.rtt:g} ms", before < after)
        for row, before, after in zip(rows[1:], queues, queues[1:], strict=False)
    ]
    checks += [
        Check(f"{row.rtt:g} ms in round trips", 0.5 <= of_row(measured, row) <= 4) for row in rows
    ]
    words = [f"{row.rtt:g} ms {queue:.0f} cells" for row, queue in zip(rows, queues, strict=True)]
    return judge("; ".join(words), checks)


@claim(
    "feedback",
    "A short way from the bottleneck to the sources makes the queue shorter, at the same round-trip"
    " time.",
    rule="the longest queue is longer with the long link before the bottleneck than with it behind,"
    " at 30 and at 10 ms",
)
def shorter_feedback(measured: Measured) -> Outcome:
    checks, words = [], []
    for far, near in (("d1", "d2"), ("d3", "d4")):
        queues = [average(longest, point(measured, ROWS[name])) for name in (far, near)]
        checks.append(Check(f"{ROWS[far].rtt:g} ms", queues[0] > queues[1]))
        words.append(f"{ROWS[far].rtt:g} ms: {queues[0]:.0f} and {queues[1]:.0f} cells")
    return judge("; ".join(words), checks)


@claim(
    "interval",
    "In a local network it is the averaging interval that decides.",
    rule="with a round trip of 0.03 ms the longest queue rises from each averaging interval of the"
    " figure to the next",
)
def longer_intervals(measured: Measured) -> Outcome:
    found = {cells: average(longest, one) for cells, one in _by_interval(measured, "0.03 ms")}
    pairs = zip(found, list(found)[1:], strict=False)
    checks = [
        Check(f"{less:g} and {more:g} cells", found[less] < found[more]) for less, more in pairs
    ]
    return judge(
        "; ".join(f"{cells:g} cells: {queue:.0f}" for cells, queue in found.items()),
        checks,
        "with short intervals the bursts of slow start decide, as in the wide area",
    )


@exhibit(
    "sources",
    "The longest queue over the number of sources.",
    "Round trips of 30 ms. Up to 15 sources, as far as the print goes, three round trips are enough"
    " with any of these rules. Each source begins at 10 Mbit/s, and what many send until the switch"
    " has told them adds up.",
)
def over_sources(measured: Measured) -> Chart:
    curves = [
        _curve(rule, _by_sources(measured, rule), in_round_trips(LONG))
        for rule in measured["sources"].values("rule")
    ]
    return Chart(
        (Panel(tuple(curves)),),
        "sources",
        "longest queue (round trips)",
        "rule",
        (0.0, None),
        {"3 RTT": WITHOUT},
        is_logarithmic=True,
        x_ticks=tuple(map(float, COUNTS)),
    )


@exhibit(
    "video",
    "The longest queue under VBR traffic, by its period.",
    "15 sources, round trips of 30 ms. VBR traffic is on for so long with 80 % of the link, and off"
    " for as long. When it comes and goes faster than feedback does, ERICA with a target of 90 %"
    " acts on what was, and the queue grows to all that the windows of TCP allow. At 10 ms, which"
    " is the feedback delay, ERICA+ alone keeps the queue short.",
)
def over_periods(measured: Measured) -> Chart:
    video = measured["video"]
    curves = []
    for rule in video.values("rule"):
        found = {
            float(half.split()[0]): video.point(rule=rule, half=half)
            for half in video.values("half")
        }
        curves.append(_curve(rule, found, in_round_trips(LONG)))
    return Chart(
        (Panel(tuple(curves)),),
        "on, and off, for (ms)",
        "longest queue (round trips)",
        "rule",
        (0.0, None),
        {"4 RTT": WITH},
        is_logarithmic=True,
        x_ticks=tuple(map(float, HALF_PERIODS)),
    )


@exhibit(
    "interval",
    "The longest queue over the averaging interval, in local networks.",
    "15 sources. What comes too much in an interval is known only at its end.",
)
def over_intervals(measured: Measured) -> Chart:
    curves = [_curve(reach, dict(_by_interval(measured, reach)), longest) for reach in REACH]
    return Chart(
        (Panel(tuple(curves)),),
        "averaging interval (cells)",
        "longest queue (cells)",
        "round trip",
        (0.0, None),
        is_logarithmic=True,
        x_ticks=tuple(map(float, INTERVALS)),
    )


def _by_sources(measured: Measured, rule: str) -> dict[float, PointResult]:
    found = measured["sources"]
    return {float(n): found.point(rule=rule, sources=n) for n in found.values("sources")}


def _by_interval(measured: Measured, reach: str) -> list[tuple[float, PointResult]]:
    found = measured["interval"]
    return [
        (float(cells), found.point(reach=reach, interval=cells))
        for cells in found.values("interval")
    ]


def _curve(label: str, found: dict[float, PointResult], measure: Measure) -> Curve:
    return Curve(label, tuple(found), tuple(known(measure, one) for one in found.values()))
