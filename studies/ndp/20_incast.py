"""When has the last of many files arrived at one host?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.statistics import estimate
from cellrelay.studies import (
    Check,
    Outcome,
    Table,
    Verdict,
    above,
    claim,
    curve,
    exhibit,
    experiment,
    judge,
    known,
    of_network,
    printed,
)

from .data import SENDERS, WINDOWS
from .files import (
    FILE_TIME,
    ROUND_TRIP,
    notices_there,
    points,
    returned_there,
    stretch,
    stretch_there,
    summed,
    sweep,
)

FEW = 8
"""Senders from which one packet each fills the link."""
LARGE = (10, 23)
"""The windows with which the authors return headers."""

incast = experiment(
    "incast.toml",
    "Files of 30 packets to one host, by senders and initial window",
    sweep(SENDERS, WINDOWS),
    quick_sweep=sweep((1, 4, 16, 64, 200), WINDOWS),
    quick_replications=Replications.exactly(2),
)

dropped = experiment(
    "incast.toml",
    "The same if headers without room are dropped, and packets wait for timers",
    sweep((64, 100, 200, 400, 1000), LARGE),
    {
        "router.switch.discard.trim.no_room": "dropped",
        "flow.file.transport.pull.timeout": "1 ms",
    },
    quick_sweep=sweep((200,), LARGE),
    quick_replications=Replications.exactly(2),
)

sixteen = experiment(
    "sixteen-links.toml",
    "The same over sixteen links to the last switch, with headers that are returned",
    sweep((64, 100, 200, 400, 1000), LARGE),
    quick_sweep=sweep((64, 200), LARGE),
    quick_replications=Replications.exactly(1),
)

notices = summed("fast_retransmits")
returned = of_network("packets_returned")
"""Headers that found no room, and went back to their senders."""


def _rows(
    incast: Results, windows: Iterable[int] = WINDOWS
) -> Iterator[tuple[int, int, PointResult]]:
    """Windows, senders and their points."""
    for window in windows:
        for senders, point in points(incast, window).items():
            yield window, senders, point


@exhibit(
    "incast",
    "How many times as long as its packets take the last link is needed.",
    "From the first packet of any file to the last packet of all. Lines are measured, with 95 %"
    " intervals; crosses are the authors' single runs. Points beyond the frame are in the table:"
    " with a window of one packet a single file needs 7.5 times the time.",
)
def by_senders(incast: Results) -> Chart:
    panels = []
    for window in WINDOWS:
        found = {float(senders): point for senders, point in points(incast, window).items()}
        there = tuple(estimate([stretch_there(window, int(count))]) for count in found)
        curves = (
            curve("measured", found, stretch),
            Curve("authors", tuple(found), there, is_reference=True, is_marked=True),
        )
        panels.append(Panel(curves, f"window {window}"))
    return Chart(
        tuple(panels),
        "senders",
        "time on the last link (of its packets)",
        is_logarithmic=True,
        y_range=(0.95, 1.25),
    )


@exhibit(
    "rows",
    "The time on the last link, and packets that were sent again after a negative acknowledgment.",
    "A header that finds no room is returned to its sender, which sends its packet again for a"
    " pull, or at once if nothing else is under way.",
    is_printed=True,
)
def by_row(incast: Results) -> Table:
    rows = [
        [
            str(window),
            str(senders),
            f"{stretch_there(window, senders):.4f}",
            str(known(stretch, point)),
            str(notices_there(window, senders)),
            str(known(notices, point)),
            str(returned_there(window, senders)),
            str(known(returned, point)),
        ]
        for window, senders, point in _rows(incast)
    ]
    head = ["window", "senders", "time, authors", "time", "sent again, authors"]
    return Table([*head, "sent again", "returned, authors", "returned"], rows)


@exhibit(
    "links",
    "Headers that were returned, by the number of links to the last switch.",
    "In the fat tree of the authors sixteen links lead to the switch in front of the receiver; here"
    " a switch has a link of its own from each sender, or sixteen links from another switch.",
    is_printed=True,
)
def by_links(incast: Results, sixteen: Results) -> Table:
    rows = []
    for window, senders, point in _rows(sixteen, LARGE):
        if senders in points(incast, window):
            one = points(incast, window)[senders]
            rows.append(
                [
                    str(window),
                    str(senders),
                    str(returned_there(window, senders)),
                    str(known(returned, one)),
                    str(known(returned, point)),
                ]
            )
    return Table(["window", "senders", "authors", "a link each", "sixteen links"], rows)


@claim(
    "ndp-3",
    "The last file takes hardly longer than all packets need on the last link.",
    rule="each window and number of senders where no header is returned: the time on the last"
    " link is within one round trip of the published one",
    where="Figure 20a, and incast_scaling of the simulator",
    of_paper="the times of the last file, each of a single run",
    ours="a round trip of 55.8 us, which the last link may wait for a last packet: two runs of the"
    " authors with twenty senders differ by 45 us; from the first packet on, since the paths of the"
    " fat tree are longer",
    expect=Verdict.REPRODUCED,
)
def last_file(incast: Results) -> Outcome:
    return _beside(incast, are_returned=False)


@claim(
    "ndp-4",
    "The behaviour is not greatly different if a header that finds no room is dropped, so that its"
    " packet waits for a timer, instead of being returned to its sender.",
    rule="each window and number of senders where the authors return headers: the time on the last"
    " link is within 5 % of the published one",
    where="incast_shortflows/README.md of the simulator, and Figure 20a",
    of_paper='"not greatly different"; "there are enough headers already queued"',
    ours="5 % as a difference that is not great",
    expect=Verdict.NOT_REPRODUCED,
    expect_quick=Verdict.REPRODUCED,
)
def dropped_headers(dropped: Results) -> Outcome:
    return _beside(dropped, are_returned=True, windows=LARGE, share=0.05)


def _beside(
    incast: Results,
    *,
    are_returned: bool,
    windows: Iterable[int] = WINDOWS,
    share: float = 0,
) -> Outcome:
    """Outcome for the rows in which the authors return headers, or for the others: the times differ
    by one round trip at most, or by this `share`."""
    checks, words = [], []
    for window, senders, point in _rows(incast, windows):
        if (returned_there(window, senders) > 0) is are_returned:
            what = f"{senders} senders with windows of {window}"
            found, there = known(stretch, point), stretch_there(window, senders)
            allowed = share * there if share else ROUND_TRIP / (senders * FILE_TIME)
            checks.append(printed(what, found, there, allowed))
            words.append((abs(found.mean - there) / allowed, f"{found} for {there:.4f}, {what}"))
    return judge(f"farthest {max(words)[1]}" if words else "no rows", checks)


@claim(
    "ndp-5",
    "With fewer than eight senders a window of one packet does not fill the link, and the files"
    " take much longer; with more the window hardly matters.",
    rule="windows of one packet: more than 1.2 times the time of the packets with one to four"
    " senders; every window: within 2 % of it from eight senders to the largest number"
    " without returned headers",
    where="incast_scaling/README.md of the simulator, last paragraph",
    of_paper='"significantly larger than optimal"; in between "not greatly sensitive to IW choice"',
    ours="1.2 times and 2 %",
    expect=Verdict.REPRODUCED,
)
def one_packet_is_too_little(incast: Results) -> Outcome:
    checks: list[Check] = []
    words = []
    for window, senders, point in _rows(incast):
        what, found = f"{senders} senders with windows of {window}", known(stretch, point)
        if window == 1 and senders < FEW:
            checks.append(above(what, found, 1.2))
            words.append(f"{found} with {senders}")
        elif senders >= FEW and not returned_there(window, senders):
            checks.append(printed(what, found, 1.0, 0.02))
    return judge(f"windows of one packet: {', '.join(words)} senders", checks)


@claim(
    "ndp-6",
    "How many packets are sent again after a negative acknowledgment.",
    rule="each window and number of senders where the authors return no header, and send at least"
    " twenty packets again: within 10 % of the published number",
    where="Figure 20b, and incast_scaling of the simulator",
    of_paper="the numbers of packets, each of a single run",
    ours="10 %; twenty packets, below which one packet is 5 %",
    expect=Verdict.REPRODUCED,
)
def sent_again(incast: Results) -> Outcome:
    checks, shares = [], []
    for window, senders, point in _rows(incast):
        there = notices_there(window, senders)
        if there >= 20 and not returned_there(window, senders):
            what, found = f"{senders} senders with windows of {window}", known(notices, point)
            checks.append(printed(what, found, there, 0.1 * there))
            shares.append(found.mean / there - 1)
    same = sum(share == 0 for share in shares)
    farthest = max(shares, key=abs)
    words = f"the published number in {same} of {len(shares)} rows"
    return judge(f"{words}, farthest {100 * farthest:+.2f} %", checks)


@claim(
    "ndp-7",
    "With headers that are returned the last file takes hardly longer either.",
    rule="each window and number of senders where the authors return headers: the time on the last"
    " link is within one round trip of the published one",
    where="Figure 20a, and incast_scaling of the simulator",
    of_paper="the times of the last file, each of a single run",
    ours="one round trip, as for the rows without returned headers",
    expect=Verdict.REPRODUCED,
)
def last_file_of_many(incast: Results) -> Outcome:
    return _beside(incast, are_returned=True)


@claim(
    "ndp-8",
    "How many headers are returned to their senders.",
    rule="each window and number of senders where the authors return headers: within 10 % of the"
    " published number",
    where="Figure 20b, and incast_scaling of the simulator",
    of_paper="the numbers of packets, each of a single run",
    ours="10 %",
    expect=Verdict.NOT_REPRODUCED,
)
def returned_headers(incast: Results) -> Outcome:
    checks, words = [], []
    for window, senders, point in _rows(incast):
        there = returned_there(window, senders)
        if there > 0:
            what, found = f"{senders} senders with windows of {window}", known(returned, point)
            checks.append(printed(what, found, there, 0.1 * there))
            words.append((abs(found.mean / there - 1), f"{found} for {there}, {what}"))
    return judge(f"farthest {max(words)[1]}" if words else "no rows", checks)
