"""Are the rows for other rates enough too?"""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Check,
    Outcome,
    Table,
    Verdict,
    along,
    claim,
    exhibit,
    experiment,
    judge,
)

from .links import FRAME, needed, row, worst
from .tables import TABLE_1

rows = experiment(
    "link.toml",
    "Headroom of Spectrum-1, by row and frame",
    {
        "row": {f"{gbits} Gbit/s, {metres} m": row(gbits, metres) for gbits, metres in TABLE_1},
        FRAME: ["64 B", "97 B", "1500 B", "9100 B"],
    },
    replications=Replications.exactly(200),
    quick_replications=Replications.exactly(60),
)


@exhibit(
    "rows",
    "The table for Spectrum-1, and the smallest headroom that loses nothing.",
    "Octets: of the row, the most that any run used, and the frames that used it.",
    is_printed=True,
)
def all_rows(rows: Results) -> Table:
    lines = []
    for (gbits, metres), octets in TABLE_1.items():
        points = along(rows, FRAME, row=f"{gbits} Gbit/s, {metres} m")
        frame = worst(points)
        most = f"{needed(points[frame]).mean:.0f}"
        lines.append([f"{gbits} Gbit/s", f"{metres} m", str(octets), most, frame])
    return Table(["rate", "cable", "table", "needed", "worst frames"], lines)


@claim(
    "sonic-6",
    "Each of the fifteen rows for Spectrum-1, from 10 to 100 Gbit/s, is enough.",
    rule="no run uses more than its row, with frames of 64, 97, 1500 or 9100 octets",
    where="pg_profile_lookup.ini of ACS-MSN2700",
    of_paper="the fifteen rows",
    expect=Verdict.REPRODUCED,
)
def every_row_is_enough(rows: Results) -> Outcome:
    checks, shares = [], []
    for (gbits, metres), octets in TABLE_1.items():
        place = f"{gbits} Gbit/s, {metres} m"
        points = along(rows, FRAME, row=place)
        found = needed(points[worst(points)])
        shares.append(found.mean / octets)
        is_decided = found.high <= octets or found.mean > octets
        checks.append(Check(place, found.mean <= octets, is_decided))
    least, most = min(shares), max(shares)
    return judge(f"from {100 * least:.1f} to {100 * most:.1f} % of the rows", checks)
