"""`cellrelay merge`: joins stores that were filled separately."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cellrelay.cli.exits import Refusal
from cellrelay.cli.trial import ExampleSetup

EXAMPLES = """\
cellrelay merge results/scenario
cellrelay merge results/scenario other/store.sqlite results/third
"""
TRIAL = ExampleSetup.RESULTS


def command(
    results: Annotated[
        Path, Parameter(name="RESULTS", help="Folder of results whose store gets the runs.")
    ],
    /,
    *stores: Annotated[
        Path,
        Parameter(
            name="STORES",
            help="Stores, or folders of results; by default, those in RESULTS/shards.",
        ),
    ],
) -> None:
    """Copy finished runs from other stores, such as those of `run --shard`.

    Known runs are not copied again, and the other stores are not changed. Afterwards, `run`
    without `--shard` makes the missing runs, if there are any, and writes the tables.
    """
    from cellrelay.cli.outcome import tell_rescue
    from cellrelay.cli.table import write_table
    from cellrelay.experiment.jobs import SHARDS, parts_in
    from cellrelay.results.files.folder import STORE
    from cellrelay.store import Store, is_aside

    paths = [_store_of(path) for path in stores] or parts_in(results)
    paths = [path for path in paths if not is_aside(path)]
    if not paths:
        raise Refusal(
            f"{results / SHARDS}: no stores\n  hint: fill some by `cellrelay run FILE --shard I/N`"
        )
    rows = []
    with Store(results / STORE) as store:
        tell_rescue(store)
        for path in paths:
            with Store(path) as other:
                tell_rescue(other)
                runs, failures, _ = other.contents()
                rows.append([str(path), str(runs), str(failures), str(store.take(other.rows()))])
    write_table(["store", "runs", "failures", "new"], rows, sys.stdout, numbers=(1, 2, 3))


def _store_of(path: Path) -> Path:
    from cellrelay.results.files.folder import STORE

    store = path / STORE if path.is_dir() else path
    if not store.exists():
        raise Refusal(
            f"{store}: the store does not exist\n  hint: name a store, or a folder of results"
        )
    return store
