"""How does headroom grow with the cable?"""

from __future__ import annotations

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import PointResult, Results
from cellrelay.scenario import Replications
from cellrelay.statistics import Estimate
from cellrelay.studies import (
    Check,
    Outcome,
    Table,
    Verdict,
    along,
    claim,
    exhibit,
    experiment,
    gain,
    judge,
    printed,
)

from .links import FRAME, FRAMES, answered, cables, chip, needed, of_formula, used, worst
from .tables import AT_100, CABLES, CELLS, INTERFACES, RESPONSE, on_a_metre, slope

OTHERS = tuple(CELLS)[1:]
LENGTHS = [f"{octets} B" for octets in FRAMES]
first = experiment(
    "link.toml",
    "Headroom of Spectrum-1 at 100 Gbit/s, by cable and frame",
    {"cable": cables(CABLES), FRAME: LENGTHS},
    replications=Replications.exactly(200),
    quick_replications=Replications.exactly(60),
)
others = experiment(
    "link.toml",
    "Headroom of later switches at 100 Gbit/s, by cable and frame",
    {
        "chip": {
            name: {
                **chip(name),
                **answered(
                    INTERFACES + RESPONSE if name == "Spectrum-2" else of_formula(name, 100), 100
                ),
            }
            for name in OTHERS
        },
        "cable": cables(CABLES),
        FRAME: LENGTHS,
    },
    replications=Replications.exactly(200),
    quick_replications=Replications.exactly(60),
)


def at(results: Results, metres: int, **where: str) -> dict[str, PointResult]:
    """The points of a cable by their frames."""
    return along(results, FRAME, cable=f"{metres} m", **where)


def growth(results: Results, **where: str) -> Estimate:
    """Headroom for each metre of cable from the first row to the last, with the worst frames."""
    near, far = (at(results, metres, **where) for metres in (CABLES[0], CABLES[-1]))
    frame = worst(far)
    return gain(used, far[frame], near[frame]).scaled(CABLES[-1] - CABLES[0])


def growths(first: Results, others: Results) -> dict[str, Estimate]:
    """Headroom for each metre of cable, by the switch."""
    return {
        "Spectrum-1": growth(first),
        **{name: growth(others, chip=name) for name in OTHERS},
    }


def in_rows(results: Results, name: str, **where: str) -> tuple[list[str], list[Check]]:
    """What each cable needs with the worst frames, and whether its row is enough."""
    words, checks = [], []
    for metres, row in AT_100[name].items():
        points = at(results, metres, **where)
        frame = worst(points)
        found = needed(points[frame])
        words.append(f"{found.mean:.0f} octets for {frame} at {metres} m, of {row}")
        checks.append(below(f"{name} at {metres} m", found, row))
    return words, checks


def below(what: str, found: Estimate, row: float) -> Check:
    """The check that a headroom is at most that of a row."""
    is_decided = found.high <= row or found.mean > row
    return Check(what, found.mean <= row, is_decided)


@exhibit(
    "headroom",
    "The smallest headroom that loses nothing on a link of 100 Gbit/s into a Spectrum-1.",
    "Most that any run used, by the cable, with frames of the sizes in the legend; bands reach to"
    " what a further run may use, at 95 % confidence. Crosses are the rows of the table.",
)
def by_cable(first: Results) -> Chart:
    shown = ("64 B", "96 B", "97 B", "1500 B")
    curves = []
    for frame in shown:
        points = {metres: at(first, metres)[frame] for metres in CABLES}
        estimates = tuple(needed(point).scaled(1000) for point in points.values())
        curves.append(Curve(frame, tuple(map(float, points)), estimates))
    rows = tuple(Estimate(row / 1000, 0.0, 1) for row in AT_100["Spectrum-1"].values())
    curves.append(Curve("table", tuple(map(float, CABLES)), rows, True, is_marked=True))
    return Chart((Panel(tuple(curves)),), "cable (m)", "headroom (kB)", "frames")


@exhibit(
    "growth",
    "Headroom for each metre of cable at 100 Gbit/s.",
    "In octets: the difference between the rows of 5 and 300 m over 295 m, and what runs use with"
    " the worst frames, with 95 % intervals; the last column has the octets of memory for each"
    " octet on the link.",
    is_printed=True,
)
def by_switch(first: Results, others: Results) -> Table:
    rows = []
    for name, found in growths(first, others).items():
        frame = worst(at(first, 300) if name == "Spectrum-1" else at(others, 300, chip=name))
        share = found.scaled(on_a_metre(100))
        rows.append([name, str(CELLS[name]), f"{slope(name):.1f}", str(found), frame, str(share)])
    return Table(["switch", "cell", "table", "measured", "worst frames", "per octet"], rows)


@claim(
    "sonic-1",
    "The headroom of Spectrum-1 at 100 Gbit/s grows by 249.9 octets for each metre of cable.",
    rule="from 5 to 300 m, with the frames that need the most at 300 m, the headroom that runs use"
    " grows by this within 1 %",
    where="pg_profile_lookup.ini of ACS-MSN2700: (104,448 - 30,720) / 295",
    of_paper="the rows of 5 and 300 m",
    ours="1 %, since rows are whole multiples of 1024 octets",
    expect=Verdict.REPRODUCED,
)
def grows_as_the_table(first: Results) -> Outcome:
    return _grows({"Spectrum-1": growth(first)})


@claim(
    "sonic-2",
    "That of Spectrum-2 grows by 284.6 octets, and that of Spectrum-4 by 378.4.",
    rule="as for Spectrum-1",
    where="pg_profile_lookup.ini of ACS-MSN3700 and of ACS-SN5600",
    of_paper="their rows of 5 and 300 m at 100 Gbit/s",
    ours="1 %, as for Spectrum-1",
    expect=Verdict.REPRODUCED,
)
def later_ones_grow_as_the_tables(others: Results) -> Outcome:
    return _grows({name: growth(others, chip=name) for name in ("Spectrum-2", "Spectrum-4")})


def _grows(found: dict[str, Estimate]) -> Outcome:
    words = ", ".join(f"{name} {known}" for name, known in found.items())
    checks = [
        printed(name, known, slope(name), 0.01 * slope(name)) for name, known in found.items()
    ]
    return judge(f"{words} octets a metre", checks)


@claim(
    "sonic-3",
    "A row for Spectrum-1 at 100 Gbit/s is enough: no packet is lost.",
    rule="at 5, 40 and 300 m no run uses more than the row, with frames of any of these lengths",
    where="pg_profile_lookup.ini of ACS-MSN2700",
    of_paper="the rows 30,720, 38,912 and 104,448",
    expect=Verdict.REPRODUCED,
)
def rows_are_enough(first: Results) -> Outcome:
    words, checks = in_rows(first, "Spectrum-1")
    return judge("; ".join(words), checks)


@claim(
    "sonic-4",
    "So are the rows for Spectrum-2 and Spectrum-4.",
    rule="as for Spectrum-1; a Spectrum-4 obeys after the quanta and the tile of the formula",
    where="pg_profile_lookup.ini of ACS-MSN3700 and of ACS-SN5600",
    of_paper="their rows at 100 Gbit/s",
    expect=Verdict.REPRODUCED,
)
def later_rows_are_enough(others: Results) -> Outcome:
    found = [in_rows(others, name, chip=name) for name in ("Spectrum-2", "Spectrum-4")]
    words = [word for each, _ in found for word in each]
    return judge("; ".join(words), [check for _, checks in found for check in checks])


@claim(
    "sonic-5",
    "So are those for Spectrum-6.",
    rule="as for Spectrum-4",
    where="pg_profile_lookup.ini of ACS-SN6600_LD",
    of_paper="its rows at 100 Gbit/s",
    expect=Verdict.NOT_REPRODUCED,
)
def last_rows_are_enough(others: Results) -> Outcome:
    words, checks = in_rows(others, "Spectrum-6", chip="Spectrum-6")
    return judge("; ".join(words), checks)
