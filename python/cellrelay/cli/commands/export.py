"""`cellrelay export`: results as a table for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.options import Stored, Where, selection
from cellrelay.cli.outputs import result_file
from cellrelay.cli.trial import ExampleSetup

EXAMPLES = """\
cellrelay export results/scenario goodput.parquet
cellrelay export results/scenario table.csv --where 'packet=1500 B'
"""
TRIAL = ExampleSetup.RESULTS


def command(
    results: Stored,
    file: Annotated[Path, Parameter(name="FILE", help="File to write: .csv or .parquet.")],
    /,
    *,
    where: Where = None,
) -> None:
    """Write results as a table with a row for every metric of every replication.

    The columns are the axes of the sweep, then replication, seed, scope, metric, value and unit.
    A Parquet file also has the provenance of the results.
    """
    from cellrelay.files import replacing
    from cellrelay.results.files.folder import read_folder

    kinds = (".csv", ".parquet")
    if file.suffix not in kinds:
        raise Refusal(
            f"FILE: `{file}` is not a table\n  hint: choose a name that ends with .csv or .parquet"
        )
    try:
        wanted = read_folder(results).select(**selection(where))
    except LookupError as error:
        raise Refusal(f"--where: {error.args[0]}") from error
    result_file(file, "FILE")
    if file.suffix == ".csv":
        wanted.write_csv(file)
    else:
        with replacing(file) as path:
            wanted.write_parquet(path)
    print(file)
