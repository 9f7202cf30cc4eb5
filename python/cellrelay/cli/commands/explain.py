"""`cellrelay explain`: the causes of the goodput of flows, from stored results."""

from __future__ import annotations

import json as json_text
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter, Token, convert

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import Json, Stored, Where, selection
from cellrelay.cli.outputs import result_file
from cellrelay.cli.table import print_title, write_table
from cellrelay.cli.trial import ExampleSetup

if TYPE_CHECKING:
    from cellrelay.explain import Along, Explanation, Finding, MeasuredFlow
    from cellrelay.metrics.names import DropMetric
    from cellrelay.plot.draw import Figure
    from cellrelay.results import Provenance, Results


def _figure(choices: type, tokens: Sequence[Token]) -> object:
    if tokens[0].value == "held":
        raise Refusal("`held` is not a figure\n  hint: it is called `limits` now")
    return convert(choices, tokens)


Draw = Annotated[
    Literal["limits", "drops", "capacity", "goodput", "moment"] | None,
    Parameter(
        metavar="FIGURE",
        converter=_figure,
        help="Draw one figure only: the limits of flows (`limits`), the drops (`drops`), the use of"
        " links (`capacity`), the goodput (`goodput`), or the longest silence of a recorded"
        " flow (`moment`).",
    ),
]
Flow_ = Annotated[
    str | None,
    Parameter(
        name="--flow", metavar="NAME", help="Flow of the figure `moment`; by default, the slowest."
    ),
]
Figures = Annotated[
    bool,
    Parameter(name="--figures", help="Write the figures of the findings beside the results."),
]

EXAMPLES = """\
cellrelay explain results/scenario
cellrelay explain results/scenario --where 'per_output=1000 cells' --where 'packet=9180 B'
cellrelay explain results/scenario --draw limits
cellrelay explain results/scenario --json
"""
TRIAL = ExampleSetup.RESULTS

MOST = 20
"""Largest number of flows with a row each; with more flows, each group has three rows."""
WIDTH = 88
"""Width of a paragraph in columns."""


def command(
    results: Stored,
    /,
    *,
    where: Where = None,
    draw: Draw = None,
    flow: Flow_ = None,
    figures: Figures = True,
    json: Json = False,
) -> None:
    """Show the limits of each flow, the places where its cells were dropped, and up to three
    findings.

    At every instant one limit applies to a flow, so the shares of time add up to one: slow start,
    the congestion window, the receiver's window, a retransmission timer, a handshake, the rate of
    the transport, the allowed cell rate of ABR, the traffic contract, credit, the link of the host,
    or the application. At most three findings follow, each with a figure.

    For a sweep the command shows the limits at each point; `--where` chooses one point to explain.
    """
    from cellrelay.explain import along, explain
    from cellrelay.results.files.folder import read_folder

    figures = figures and not json and _can_draw(is_asked=draw is not None)
    try:
        known = read_folder(results).select(**selection(where))
        if len(known.points) > 1 and draw is None:
            _tell_sweep(results, known, along(known), figures, json)
            return
        explanation = explain(known)
        if draw is not None:
            print(_draw(results, known, explanation, draw, flow or ""))
            return
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error
    if json:
        print(json_text.dumps(explanation.to_json(), indent=1))
        return
    print_title(known.provenance.title)
    _show_flows(explanation)
    _show_drops(explanation)
    _show_findings(results, known, explanation, where or [], figures)


def _can_draw(*, is_asked: bool) -> bool:
    """True if figures can be drawn; if not, print a notice, or raise if a figure `is_asked`."""
    from cellrelay.plot import require_matplotlib

    try:
        require_matplotlib()
    except ModuleNotFoundError:
        if is_asked:
            raise
        hint = "run `pip install 'cellrelay[plot]'`"
        print(f"no figures: `matplotlib` is not installed\n  hint: {hint}", file=sys.stderr)
        return False
    return True


def _show_flows(explanation: Explanation) -> None:
    """Print a row for each flow, or three for each group: its mean, slowest and fastest."""
    from cellrelay.explain import LIMITS

    rows = list(_rows(explanation))
    reasons = [
        reason
        for reason in LIMITS
        if any(limits.get(reason, 0.0) >= 0.005 for _, _, limits in rows)
    ]
    print("\nlimits of flows, in % of the time\n")
    header = ["flow", "goodput", *(LIMITS[reason] for reason in reasons)]
    table = [
        [name, goodput, *(_per_cent(limits.get(reason)) for reason in reasons)]
        for name, goodput, limits in rows
    ]
    write_table(header, table, sys.stdout, numbers=range(1, len(header)))


def _rows(explanation: Explanation) -> Iterator[tuple[str, str, dict[str, float]]]:
    from cellrelay.explain import LIMITS

    if len(explanation.flows) <= MOST:
        yield from (_row(flow) for flow in explanation.flows)
        return
    for group in explanation.groups:
        if len(group.flows) == 1:
            yield _row(group.flows[0])
            continue
        limits = {reason: group.limited_by(reason) for reason in LIMITS}
        name = f"{group.name} (mean of {len(group.flows)})"
        yield name, _rate(group.mean("goodput")), limits
        yield _row(group.slowest, "  slowest: ")
        yield _row(group.fastest, "  fastest: ")


def _row(flow: MeasuredFlow, before: str = "") -> tuple[str, str, dict[str, float]]:
    return f"{before}{flow.name}", _rate(flow.get("goodput")), dict(flow.limits)


def _rate(goodput: float) -> str:
    from cellrelay.explain.number_text import amount

    return amount(goodput, "bit/s")


def _per_cent(share: float | None) -> str:
    if share is None:
        return "-"
    return f"{100.0 * share:.0f}" if share >= 0.005 or share == 0 else "< 1"


def _show_drops(explanation: Explanation) -> None:
    """Print the drops: a row for each place and cause."""
    from cellrelay.explain.flows import CAUSES

    places: dict[tuple[str, DropMetric], list[tuple[str, float]]] = {}
    for drop in explanation.drops:
        places.setdefault((drop.port, drop.cause), []).append((drop.flow, drop.cells))
    if not places:
        print("\nno drops")
        return
    print("\ndrops\n")
    total = sum(drop.cells for drop in explanation.drops)
    rows = []
    for (port, cause), flows in sorted(places.items(), key=lambda item: -_cells(item[1])):
        most, cells = max(flows, key=lambda one: one[1])
        of_most = f"{most} ({100.0 * cells / _cells(flows):.0f} %)"
        share = f"{100.0 * _cells(flows) / total:.0f}"
        rows.append(
            [port, CAUSES[cause].short, f"{_cells(flows):.0f}", share, str(len(flows)), of_most]
        )
    header = ["at", "cause", "cells", "%", "flows", "most of"]
    write_table(header, rows[:MOST], sys.stdout, numbers=(2, 3, 4))


def _cells(flows: Sequence[tuple[str, float]]) -> float:
    return sum(cells for _, cells in flows)


def _show_findings(
    path: Path, known: Results, explanation: Explanation, where: list[str], figures: bool
) -> None:
    found = [*explanation.findings, *explanation.notes]
    print("\nfindings\n" if explanation.findings else "\nno findings\n")
    for number, finding in enumerate(found, 1):
        lines = [finding.text]
        if finding.settings:
            settings = " ".join(f"--set {shlex.quote(setting)}" for setting in finding.settings)
            lines.append(f"Compare with {settings}")
        for line, text in enumerate(lines):
            first = f"{number}. " if line == 0 else "   "
            print(
                fill(
                    text,
                    WIDTH,
                    initial_indent=first,
                    subsequent_indent="   ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
        if figures:
            drawn = _draw(path, known, explanation, finding.figure, finding.about)
            print(f"   {drawn}: {_command(path, finding, where)}")


def _command(path: Path, finding: Finding, where: list[str]) -> str:
    """The command that draws a figure."""
    words = ["cellrelay", "explain", str(path)]
    for one in where:
        words += ["--where", one]
    words += ["--draw", finding.figure]
    if finding.figure == "moment":
        words += ["--flow", finding.about]
    return shlex.join(words)


def _draw(path: Path, known: Results, explanation: Explanation, name: str, about: str) -> Path:
    from cellrelay.explain import figure
    from cellrelay.plot import draw

    return _save(path, draw(figure(name, known, explanation, about)), name, known.provenance)


def _save(path: Path, drawn: Figure, name: str, source: Provenance) -> Path:
    from cellrelay.plot import save
    from cellrelay.results import origin

    folder = path if path.is_dir() else path.parent
    target = folder / f"explain-{name}.svg"
    save(drawn, result_file(target, "--draw"), source.title, origin(source))
    return target


def _tell_sweep(path: Path, known: Results, found: list[Along], figures: bool, json: bool) -> None:
    """Print the limits of flows at each point."""
    from cellrelay.explain import LIMITS
    from cellrelay.explain.sweep import bars, told
    from cellrelay.plot import draw
    from cellrelay.results import short_names

    if json:
        print(json_text.dumps([one.to_json() for one in found], indent=1))
        return
    print_title(known.provenance.title)
    print("\nlimits of flows, in % of the time, mean of each group\n")
    names = short_names(known.axes)
    reasons = [
        reason for reason in LIMITS if any(one.group.limited_by(reason) >= 0.005 for one in found)
    ]
    header = [
        *(names[axis] for axis in known.axes),
        "flows",
        "goodput",
        *(LIMITS[r] for r in reasons),
    ]
    rows = [
        [
            *(one.point.values[axis] for axis in known.axes),
            one.group.name,
            _rate(one.group.mean("goodput")),
            *(_per_cent(one.group.limited_by(reason)) for reason in reasons),
        ]
        for one in found
    ]
    write_table(header, rows, sys.stdout, numbers=range(len(known.axes) + 1, len(header)))
    print()
    for line in told(known, found):
        print(fill(line, WIDTH, subsequent_indent="  "))
    if figures:
        print(_save(path, draw(bars(known, found)), "limits", known.provenance))
    point = " ".join(
        f"--where {shlex.quote(f'{names[axis]}={found[0].point.values[axis]}')}"
        for axis in known.axes
    )
    print(f"\none point: cellrelay explain {shlex.quote(str(path))} {point}")
