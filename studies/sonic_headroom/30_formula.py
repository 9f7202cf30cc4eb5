"""What does the formula reserve, and what do packets take?"""

from __future__ import annotations

from cellrelay.results import Results
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

from .links import FRAME, FRAMES, cables, needed, port, used, worst
from .tables import CABLES, factor, formula, on_a_metre

PORTS = {
    "Spectrum-1, 100 Gbit/s": ("Spectrum-1", 100),
    "Spectrum-2, 200 Gbit/s": ("Spectrum-2", 200),
    "Spectrum-4, 400 Gbit/s": ("Spectrum-4", 400),
    "Spectrum-6, 800 Gbit/s": ("Spectrum-6", 800),
}
"""Switches and rates in Gbit/s, by their names."""

ports = experiment(
    "link.toml",
    "Headroom with the response of the formula, by port, cable and frame",
    {
        "port": {name: port(*each) for name, each in PORTS.items()},
        "cable": cables(CABLES),
        FRAME: [f"{octets} B" for octets in FRAMES],
    },
    replications=Replications.exactly(100),
    quick_replications=Replications.exactly(30),
)


def taken(ports: Results, name: str) -> Estimate:
    """Octets of memory for each octet on the link, with the worst frames, from the difference
    between the longest cable and the shortest."""
    near, far = (along(ports, FRAME, port=name, cable=f"{m} m") for m in (CABLES[0], CABLES[-1]))
    frame = worst(far)
    _, gbits = PORTS[name]
    more = (CABLES[-1] - CABLES[0]) * on_a_metre(gbits)
    return gain(used, far[frame], near[frame]).scaled(more)


@exhibit(
    "formula",
    "What the formula reserves, and the smallest headroom that loses nothing.",
    "In octets, with 40 m of cable: by the formula if all packets are short, and with its default"
    " of half of them; the most that any run used with the worst frames, and with frames of 1500"
    " octets.",
    is_printed=True,
)
def reserved(ports: Results) -> Table:
    lines = []
    for name, (chip, gbits) in PORTS.items():
        points = along(ports, FRAME, port=name, cable="40 m")
        frame = worst(points)
        lines.append(
            [
                name,
                str(formula(chip, gbits, 40, 100)),
                str(formula(chip, gbits, 40, 50)),
                f"{needed(points[frame]).mean:.0f} ({frame})",
                f"{needed(points['1500 B']).mean:.0f}",
            ]
        )
    return Table(["port", "all short", "half short", "worst frames", "1500 B"], lines)


@claim(
    "sonic-7",
    "Packets take at most 2, 3 and 4 octets of memory for each octet on the link in cells of 96,"
    " 192 and 256 octets.",
    rule="the memory that runs use more at 300 m than at 5 m, with the worst frames, is within 2 %"
    " of this for each further octet on the cable",
    where="worst_case_factor of buffer_headroom_mellanox.lua",
    of_paper="2 = ceil(2 x 96 / 97), 3 = ceil(192 / 64) and 4 = ceil(256 / 64)",
    ours="2 %, twice what rounding 1.98 up to 2 adds",
    expect=Verdict.REPRODUCED,
)
def factors(ports: Results) -> Outcome:
    return _factors(ports, [name for name, (chip, _) in PORTS.items() if chip != "Spectrum-2"])


@claim(
    "sonic-8",
    "In cells of 144 octets they take at most 3.",
    rule="as for the other cells",
    where="worst_case_factor of buffer_headroom_mellanox.lua",
    of_paper="3 = ceil(144 / 64); until September 2024 it was 144 / 64",
    ours="2 %, as for the other cells",
    expect=Verdict.NOT_REPRODUCED,
)
def factor_of_144(ports: Results) -> Outcome:
    (name,) = (name for name, (chip, _) in PORTS.items() if chip == "Spectrum-2")
    found = taken(ports, name)
    over = factor("Spectrum-2") / found.mean - 1
    measured = f"{found}, so that 3 reserves {100 * over:.1f} % more than packets take"
    return judge(measured, [_factor(ports, name)])


def _factors(ports: Results, names: list[str]) -> Outcome:
    words = ", ".join(f"{taken(ports, name)} on {name}" for name in names)
    return judge(words, [_factor(ports, name) for name in names])


def _factor(ports: Results, name: str) -> Check:
    expected = factor(PORTS[name][0])
    return printed(name, taken(ports, name), expected, 0.02 * expected)


@claim(
    "sonic-9",
    "With all packets short, the formula reserves enough.",
    rule="no run uses more than the formula gives, at 5, 40 and 300 m, with frames of any of these"
    " lengths",
    where="buffer_headroom_mellanox.lua",
    of_paper="the formula, with a small_packet_percentage of 100",
    expect=Verdict.REPRODUCED,
)
def formula_is_enough(ports: Results) -> Outcome:
    checks, shares = _within(ports, 100)
    least, most = min(shares), max(shares)
    return judge(f"from {100 * least:.1f} to {100 * most:.1f} % of what it gives", checks)


@claim(
    "sonic-10",
    "With its default, half of the packets short, it reserves enough.",
    rule="as with all packets short",
    where="buffer_headroom_mellanox.lua, and LOSSLESS_TRAFFIC_PATTERN of buffers_config.j2",
    of_paper="the formula, with the default small_packet_percentage of 50 and mtu of 1024",
    expect=Verdict.NOT_REPRODUCED,
)
def default_is_enough(ports: Results) -> Outcome:
    checks, shares = _within(ports, 50)
    least, most = min(shares), max(shares)
    return judge(f"from {100 * least:.0f} to {100 * most:.0f} % of what it gives", checks)


def _within(ports: Results, small: float) -> tuple[list[Check], list[float]]:
    """Whether the formula is enough at each port and cable, and which share of it is used."""
    checks, shares = [], []
    for name, (chip, gbits) in PORTS.items():
        for metres in CABLES:
            points = along(ports, FRAME, port=name, cable=f"{metres} m")
            found = needed(points[worst(points)])
            given = formula(chip, gbits, metres, small)
            shares.append(found.mean / given)
            is_decided = found.high <= given or found.mean > given
            what = f"{name} at {metres} m"
            checks.append(Check(what, found.mean <= given, is_decided))
    return checks, shares
