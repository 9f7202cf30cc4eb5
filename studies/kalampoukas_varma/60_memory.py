"""Credits with less memory."""

from __future__ import annotations

from collections.abc import Sequence

from cellrelay.results import PointResult, Results
from cellrelay.studies import Table, average, exhibit, known

from .measures import carried, fairness, ratio, resent, with_credits
from .schemes import adaptive, buffered, credit, pool_in, trunk_room
from .variants import BRIEF, BUFFERS, ONCE, Points, varied


def with_memory(names: Sequence[str] = tuple(BUFFERS)) -> Points:
    """Credits that promise no more cells than a buffer can hold."""
    return {
        name: {**credit(n3=trunk_room(BUFFERS[name])), **buffered(BUFFERS[name])} for name in names
    }


memory = varied(
    "Credits with no more memory than the other schemes have",
    {"buffer": with_memory()},
    BRIEF,
    quick_replications=ONCE,
)
pool = varied(
    "Credits out of a pool with no more memory than the other schemes have",
    {"buffer": {name: adaptive(cells) for name, cells in BUFFERS.items()}},
    BRIEF,
    quick_replications=ONCE,
)


SHORT_HEADER = ("over a link (Mbit/s)", "long/short", "Jain", "resent (%)")


@exhibit(
    "memory",
    "Credits with less memory.",
    "On the links between switches, N3 equals the buffer, or all VCs share a pool of that size."
    " Six backlogged VCs need a sixth of a round trip each.",
)
def less_memory(memory: Results, pool: Results, credits: Results) -> Table:
    rows = []
    for buffer in memory.values("buffer"):
        point = memory.point(buffer=buffer)
        rows.append(_short_row(buffer, str(trunk_room(BUFFERS[buffer])), point))
    for buffer in pool.values("buffer"):
        point = pool.point(buffer=buffer)
        rows.append(_short_row(buffer, f"a pool of {pool_in(BUFFERS[buffer])}", point))
    rows.append(_short_row("as promised", "a round trip", with_credits(credits)))
    return Table(["memory", "N3 (cells)", *SHORT_HEADER], rows)


def _short_row(first: str, second: str, point: PointResult) -> list[str]:
    return [
        first,
        second,
        str(known(carried, point)),
        f"{average(ratio, point):.3f}",
        f"{average(fairness, point):.3f}",
        f"{100 * average(resent, point):.2f}",
    ]
