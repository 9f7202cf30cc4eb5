"""Numbers that the authors published with their simulator, each from a single run.

Folder `sim/EXAMPLES` of https://github.com/nets-cs-pub-ro/NDP, commit 3d452cee0af9: README.md
in `in_and_out`, and in `incast_scaling` the files `incast_ndp_completion_times_*` and `bounces*`.
"""

from __future__ import annotations

from collections.abc import Mapping

RATES: Mapping[str, float] = {
    "a-b": 2.50992,
    "a-c": 2.51352,
    "a-d": 2.50056,
    "a-e": 2.37672,
    "f-e": 7.55208,
}
"""User data in Gbit/s of each flow, by its hosts."""
SENDERS = (1, 2, 4, 8, 16, 32, 64, 100, 200, 400, 1000)
WINDOWS = (1, 10, 23)
LAST: Mapping[int, tuple[float, ...]] = {
    1: (
        *(0.001668125, 0.001675376, 0.001689878, 0.001782544, 0.003523242, 0.007004739),
        *(0.013967888, 0.021801437, 0.043561283, 0.087080976, 0.217674218),
    ),
    10: (
        *(0.000259792, 0.000477686, 0.000913834, 0.001811773, 0.003554122, 0.007019587),
        *(0.014044522, 0.021856522, 0.043620112, 0.087132739, 0.217689002),
    ),
    23: (
        *(0.000259792, 0.000479018, 0.000940624, 0.001791402, 0.003575722, 0.007074922),
        *(0.014051722, 0.021870915, 0.043626307, 0.087140573, 0.217694326),
    ),
}
"""Seconds until the last file has arrived, by the initial window, for each of `SENDERS`."""
NOTICES: Mapping[int, tuple[int, ...]] = {
    1: (0, 0, 0, 0, 8, 26, 65, 109, 231, 475, 1209),
    10: (0, 7, 28, 69, 151, 316, 645, 1015, 1380, 1486, 2152),
    23: (0, 33, 80, 173, 361, 735, 1455, 1466, 1501, 1639, 2262),
}
"""Packets sent again after a negative acknowledgment, in the same order."""
RETURNED: Mapping[int, tuple[int, ...]] = {
    1: (0,) * 11,
    10: (0, 0, 0, 0, 0, 0, 0, 0, 673, 2633, 9993),
    23: (0, 0, 0, 0, 0, 0, 29, 868, 3154, 7673, 22300),
}
"""Headers that found no room and were returned to their senders, in the same order."""
