"""Kinds of executors, by their names on the command line."""

from __future__ import annotations

from cellrelay.execute.cluster import dask
from cellrelay.execute.crew import Crew
from cellrelay.execute.threads import threads

_KINDS = {"threads": threads, "dask": dask}


def open_crew(spec: str = "threads", jobs: int | None = None) -> Crew:
    """The crew that `spec` names: `threads`, `threads:N` or `dask:ADDRESS`.

    Without N, there are `jobs` threads.
    """
    kind, _, rest = spec.partition(":")
    if kind not in _KINDS:
        raise ValueError(
            f"`{spec}` is not an executor"
            "\n  hint: write `threads`, `threads:N` or `dask:ADDRESS`, and for `run` also `slurm:N`"
        )
    return _KINDS[kind](rest, jobs)
