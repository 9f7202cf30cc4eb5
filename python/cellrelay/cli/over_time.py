"""The options of `cellrelay plot` for time series."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import whole
from cellrelay.text import quantity

if TYPE_CHECKING:
    from cellrelay.plot import Timeline
    from cellrelay.results import Results

GROUP = Group("Series", sort_key=1)


@Parameter(name="*", group=GROUP)
@dataclass(frozen=True)
class OverTime:
    """Selection of the recorded series to draw."""

    series: Annotated[
        list[str] | None,
        Parameter(
            metavar="QUANTITIES",
            negative="",
            help="Time series to draw: `cwnd`, `ssthresh`, `srtt`, `rto`, `delivered`, `queue`, "
            "`drops`, `acr`, `source_queue`, `vc_credit` or another recorded quantity. "
            "Quantities with commas between them share a strip. Repeatable, for further strips.",
        ),
    ] = None
    flow: Annotated[
        list[str] | None,
        Parameter(
            metavar="NAME",
            negative="",
            help="Only this flow or group of flows. Repeatable.",
        ),
    ] = None
    port: Annotated[
        list[str] | None,
        Parameter(
            metavar="NAME",
            negative="",
            help="Only this port, for example `s1->b`, and its classes. Repeatable. By default, "
            "the port with the longest queue, or with the least credit.",
        ),
    ] = None
    replication: Annotated[
        int | None,
        Parameter(metavar="N", converter=whole, help="Number of the replication; the first is 0."),
    ] = None
    from_: Annotated[
        str | None, Parameter(name="--from", metavar="TIME", help="Start of the time axis.")
    ] = None
    to: Annotated[str | None, Parameter(metavar="TIME", help="End of the time axis.")] = None


def strips(
    results: Results, wanted: OverTime, by: str | None, facet: str | None
) -> tuple[str, Timeline]:
    """The chart, and a name for its file."""
    from cellrelay.plot.timeline import USUAL, Selection, timeline

    chosen = [[name.strip() for name in strip.split(",")] for strip in wanted.series or ()]
    start, end = _instant("--from", wanted.from_), _instant("--to", wanted.to)
    if start is not None and end is not None and start >= end:
        raise Refusal(f"--to: `{wanted.to}` is not after `{wanted.from_}`\n  hint: swap them")
    chart = timeline(
        results,
        Selection(
            strips=chosen or USUAL,
            flows=wanted.flow or (),
            ports=wanted.port or (),
            replication=wanted.replication or 0,
            by=by,
            facet=facet,
            start=start,
            end=end,
        ),
    )
    names = dict.fromkeys(name for strip in chosen for name in strip)
    return "-".join(names) or "series", chart


def no_strips(
    wanted: OverTime,
    drawn: str = "a metric is drawn",
    hint: str = "add for example `--series cwnd`",
) -> None:
    """Refuse options that need `--series`."""
    for field in fields(wanted):
        if getattr(wanted, field.name) is not None:
            option = field.name.rstrip("_")
            raise Refusal(f"--{option}: the option is for series, and {drawn}\n  hint: {hint}")


def _instant(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    known = quantity.parse(text)
    if known is None or known.unit != "s":
        raise Refusal(
            f"{option}: `{text}` is not a time\n  hint: write for example `1.5 s` or `20 ms`"
        )
    return known.value
