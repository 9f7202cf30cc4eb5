"""What is lost if the cells that lose a contention are dropped?"""

from __future__ import annotations

from math import exp

from cellrelay.plot import Chart, Curve, Panel
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.statistics import Estimate, estimate, most_failures
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
    gain,
    grid,
    judge,
    known,
    printed,
)

from .measures import beyond, cells, crossing, lost, switches, throughput
from .ports import CASES, FABRIC, PATHS, large_cases
from .printed import CROSSING, LIMIT, dropped_throughput, knocked_out

PORTS = (12, 16, 24, 32)
LOADS = (0.86, 0.93, 1.0)
"""Loads on both sides of the one from which on dropping carries more, and the largest."""
TOLERANCE = 0.05

dropped = experiment(
    "large.toml",
    "Cells that lose a contention are dropped",
    {"ports": large_cases(PORTS, LOADS)},
    {FABRIC: "{ knockout = { paths = 1 } }"},
    quick={"duration": "6 ms"},
    quick_sweep={"ports": large_cases((16, 32), LOADS)},
    quick_replications=Replications.exactly(5),
)
knockout = experiment(
    "large.toml",
    "Knockout switches",
    {
        "paths": {str(paths): PATHS[paths] for paths in (1, 2, 3, 4)},
        "ports": large_cases((16, 32), [0.9]),
    },
    {"duration": "51 ms"},
    quick={"duration": "11 ms"},
    quick_sweep={
        "paths": {str(paths): PATHS[paths] for paths in (1, 2, 3)},
        "ports": large_cases((16,), [0.9]),
    },
    quick_replications=Replications.exactly(5),
)
eight = experiment(
    "large.toml",
    "A knockout switch of eight paths",
    {"ports": large_cases((32,), [0.9])},
    {FABRIC: "{ knockout = { paths = 8 } }", "duration": "101 ms"},
    quick={"duration": "41 ms"},
    quick_replications=Replications.exactly(5),
)


@exhibit(
    "dropping",
    "Throughput of a switch that drops the cells that lose a contention.",
    "Share of the slots in which an output sends, by the load of each input. The level is the"
    " throughput of infinitely many inputs where these cells wait instead. Bands are 95 %"
    " intervals; crosses are 1 - (1 - p/N)^N.",
)
def by_load(dropped: Results) -> Chart:
    points = switches(dropped)
    curves = []
    for ports in dict.fromkeys(ports for ports, _ in points):
        of_switch = {load: point for (n, load), point in points.items() if n == ports}
        curves.append(curve(f"{ports} inputs", of_switch, throughput(ports)))
        exact = tuple(estimate([dropped_throughput(ports, load)]) for load in of_switch)
        curves.append(Curve("formula", tuple(of_switch), exact, is_reference=True, is_marked=True))
    return Chart(
        (Panel(tuple(curves)),), "load", "throughput of an output", levels={"2 - √2": LIMIT}
    )


@exhibit(
    "knockout",
    "Share of cells that a knockout switch loses at a load of 0.9.",
    "By the formula, and ours with 95 % intervals.",
)
def by_paths(knockout: Results) -> Table:
    rows = [
        [str(paths), str(ports), f"{knocked_out(ports, load, paths):.3g}", str(measured)]
        for (paths, ports, load), measured in losses(knockout).items()
    ]
    return Table(["paths", "inputs", "formula", "measured"], rows)


def losses(knockout: Results) -> dict[tuple[int, int, float], Estimate]:
    """The share of cells lost, by the number of paths, the number of inputs and the load."""
    return {
        (int(paths), *CASES[case]): known(lost(CASES[case][0]), point)
        for (paths, case), point in grid(knockout, "paths", "ports").items()
    }


@claim(
    "karol-3",
    "If the outputs matter most, drop the cells that lose instead of keeping them: above a load of"
    " 0.881 a large switch then carries more, up to 1 - 1/e = 0.632.",
    rule="each number of inputs: at a load of 1 the outputs send more than in a switch with queues"
    " at its inputs; the load from which on they do, between 0.86 and 0.93, and their throughput at"
    " a load of 1, along a line over 1/N, reach 0.881 within 0.01 and 1 - 1/e within 0.003 at"
    " 1/N = 0",
    where="abstract",
    of_paper="0.881 and 1 - 1/e, both for large N",
    ours="0.003, as in the claims on the table; 0.01, the uncertainty of the load if each of the"
    " two throughputs is uncertain by 0.003",
    expect=Verdict.REPRODUCED,
)
def dropping(dropped: Results, large: Results) -> Outcome:
    queued = {ports: point for (ports, _), point in switches(large).items()}
    points = switches(dropped)
    full = {n: throughput(n)(point) for (n, load), point in points.items() if load == 1.0}
    checks = [above(f"{n} inputs", gain(throughput(n), points[n, 1.0], queued[n])) for n in full]
    from_load = {n: crossing(n, LOADS[:2], points, queued[n]) for n in full}
    load, most = beyond(from_load), beyond(full)
    checks.append(printed("the load", load, CROSSING, 0.01))
    checks.append(printed("the largest throughput", most, 1 - exp(-1), 0.003))
    return judge(f"from a load of {load} on; {most} at most, both at 1/N = 0", checks)


@claim(
    "karol-7",
    "If an output takes up to L cells in a slot, and the others are dropped, a switch of N inputs"
    " loses a share E[max(A - L, 0)]/p of its cells, where A is binomial with N trials of p/N.",
    rule="each number of inputs and of paths: the share of cells that are lost is within"
    f" {TOLERANCE:.0%} of the formula",
    where="Yeh, Hluchyj and Acampora, as Chao, Lam and Oki give it, equation 6.2",
    of_paper="the formula",
    ours=f"{TOLERANCE:.0%}: the interval with the fewest losses; one to four paths, at a load of"
    " 0.9",
    expect=Verdict.REPRODUCED,
)
def knockout_formula(knockout: Results) -> Outcome:
    checks, words = [], []
    for (paths, ports, load), measured in losses(knockout).items():
        exact = knocked_out(ports, load, paths)
        what = f"{paths} of {ports}"
        checks.append(printed(what, measured, exact, TOLERANCE * exact))
        words.append(f"{what}: {measured} for {exact:.3g}")
    return judge("paths of inputs\n" + "\n".join(words), checks)


@claim(
    "karol-8",
    "With eight paths less than one cell in a million is lost at a load of 0.9, however many inputs"
    " there are.",
    rule="32 inputs: the share of cells that are lost is below 10⁻⁶, by the upper bound of Clopper"
    " and Pearson at 95 %",
    where="Yeh, Hluchyj and Acampora, as Chao, Lam and Oki quote it, section 6.1.2",
    of_paper="10⁻⁶, and a load of 0.9",
    ours="32 inputs, the largest switch of this study; by the formula more inputs lose up to"
    " 5.8 · 10⁻⁷",
    expect=Verdict.REPRODUCED,
)
def few_are_lost(eight: Results) -> Outcome:
    (((ports, load), point),) = switches(eight).items()
    fallen, offered = cells(ports, point)
    bound = most_failures(fallen, offered)
    check = Check(f"{ports} inputs", bound < 1e-6)
    exact = knocked_out(ports, load, 8)
    words = f"{fallen} of {offered:,} cells, so less than {bound:.1e}; by the formula {exact:.1e}"
    return judge(words, [check])
