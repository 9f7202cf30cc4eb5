"""`cellrelay compare`: differences between the values of an axis, from stored results."""

from __future__ import annotations

import json as json_text
import sys
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import Json, Metric, Scope, Stored, Where, metric_and_scope, selection
from cellrelay.cli.table import print_title, write_table
from cellrelay.cli.trial import ExampleSetup
from cellrelay.text.quantity import finite

if TYPE_CHECKING:
    from cellrelay.results import Comparison, Results
    from cellrelay.statistics import Estimate

EXAMPLES = """\
cellrelay compare results/scenario --by discard
cellrelay compare results/scenario --to tail_drop --metric goodput
cellrelay compare results/scenario --by packet --where 'per_output=1000 cells' --json
"""
TRIAL = ExampleSetup.RESULTS


def command(
    results: Stored,
    /,
    *,
    by: Annotated[
        str | None,
        Parameter(
            metavar="AXIS",
            help="Axis whose values are compared; by default, the axis that has the value of --to,"
            " or the first.",
        ),
    ] = None,
    to: Annotated[
        str | None,
        Parameter(
            metavar="VALUE", help="Value to compare with; by default, the first of the axis."
        ),
    ] = None,
    metric: Metric = None,
    scope: Scope = None,
    where: Where = None,
    json: Json = False,
) -> None:
    """Compare the values of an axis on common random numbers.

    Differences are computed replication by replication, or batch by batch, so the effect of
    common random numbers cancels. All intervals of differences from one point hold together at the
    stated confidence level (Bonferroni). A difference whose interval contains zero is not
    significant.
    """
    from cellrelay.results.compare import axis_of, base_of
    from cellrelay.results.files.folder import read_folder

    try:
        known = read_folder(results).select(**selection(where))
        axis = axis_of(known, by, to)
        base = base_of(known, axis, to)
        named, of = metric_and_scope(metric, scope)
        metric = named or next(iter(known.metrics(of)), "")
        found = known.compare(metric, axis, base, of)
    except LookupError as error:
        raise Refusal(str(error.args[0])) from error
    if not found:
        raise Refusal(f"{results}: `{axis}` has one value\n  hint: compare another axis with --by")
    if json:
        print(json_text.dumps(_document(found, known, metric, of), allow_nan=False))
    else:
        _show(found, known, axis, base, metric, of)


def _show(
    found: list[Comparison], results: Results, axis: str, base: str, metric: str, scope: str
) -> None:
    from cellrelay.results import short_names
    from cellrelay.results.select import place_of

    names = short_names(results.axes)
    unit = results.unit(metric)
    what = metric if scope == "network" else f"{metric} of {scope}"
    print_title(results.provenance.title)
    place = place_of({names[axis]: base})
    print(f"{what} compared with {place}, on common random numbers")
    level = f"{results.level * 100:g} %"
    print(f"the intervals of all differences from one point hold together at {level}\n")
    of_value = f"{metric} ({unit})" if unit not in ("", "1") else metric
    header = [*(names[name] for name in results.axes), of_value, "difference", "n", "apart"]
    rows = [
        [
            *(one.point[name] for name in results.axes),
            str(one.value),
            _told(one),
            _pairs(one),
            _apart(one),
        ]
        for one in found
    ]
    count = len(results.axes)
    write_table(header, rows, sys.stdout, numbers=range(count, count + 3))
    if not all(one.is_decidable or one.is_bound for one in found):
        print("\nwith fewer than two pairs of samples, significance is unknown")


def _pairs(one: Comparison) -> str:
    """The number of samples with the metric at both points, and the total if it is larger."""
    n = one.difference.n
    if one.is_bound:
        return str(one.of)
    return str(n) if n == one.of else f"{n} of {one.of}"


def _apart(one: Comparison) -> str:
    if not one.is_decidable:
        return "cannot tell" if one.is_bound else "unknown"
    return "yes" if one.is_apart else "no"


def _told(one: Comparison) -> str:
    """The difference, or which of both is larger if one is only a bound."""
    if not one.is_bound:
        return _signed(one.difference)
    if one.is_larger is None:
        return "cannot tell"
    return "larger" if one.is_larger else "smaller"


def _signed(difference: Estimate) -> str:
    if not difference.n:
        return "-"
    text = str(difference)
    return text if text.startswith("-") else f"+{text}"


def _document(
    found: list[Comparison], results: Results, metric: str, scope: str
) -> list[dict[str, Any]]:
    return [
        {
            "point": dict(one.point),
            "scope": scope,
            "metric": metric,
            "unit": results.unit(metric),
            "value": finite(one.value.mean),
            "base": finite(one.base.mean),
            "difference": finite(one.difference.mean),
            "n": one.difference.n,
            "of": one.of,
            "ci_low": finite(one.difference.low),
            "ci_high": finite(one.difference.high),
            "level": one.difference.level,
            **({"bound": _bound(one)} if one.is_bound else {}),
            **_kinds("kinds", one.value),
            **_kinds("base_kinds", one.base),
        }
        for one in found
    ]


def _bound(one: Comparison) -> dict[str, bool | None]:
    """Which of both is only a bound, and whether the value is larger, if that can be told."""
    return {"value": one.value.is_bound, "base": one.base.is_bound, "is_larger": one.is_larger}


def _kinds(name: str, known: Estimate) -> dict[str, Any]:
    """The runs of each kind, if runs fall into two kinds."""
    return {name: known.kinds} if known.kinds else {}
