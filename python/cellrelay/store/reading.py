"""Runs that are read from their store on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import overload

from cellrelay.simulation.run import Run
from cellrelay.simulation.series import Recording
from cellrelay.store.store import Store


class PointReader:
    """Reads the runs of points, and keeps those of the latest point in memory.

    The runs of the first points are kept too, while they have few numbers: every table goes through
    all points, and unpacking a short run takes as long as making it.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: tuple[str, int, int] | None = None
        self._runs: list[Run] = []
        self._kept: dict[tuple[str, int, int], list[Run]] = {}
        self._room = KEPT

    def runs(self, key: str, seed: int, count: int) -> list[Run]:
        """The first `count` replications of a point."""
        wanted = key, seed, count
        if self._known != wanted:
            self._runs = self._kept.get(wanted) or self._read(wanted)
            self._known = wanted
        return self._runs

    def _read(self, wanted: tuple[str, int, int]) -> list[Run]:
        runs = self._store.runs(*wanted)
        assert len(runs) == wanted[2], "runs that were kept are gone"
        self._room -= sum(map(_size, runs))
        if self._room >= 0:
            self._kept[wanted] = runs
        return runs


KEPT = 1 << 20
"""Numbers of runs that are kept in memory, 8 octets each."""

AROUND = 100
"""Numbers that take as much memory as a run does beside its own."""


def _size(run: Run) -> int:
    """The memory that a run takes, in numbers."""
    times = (2 * len(one.times) for known in run.distributions for one in known.values())
    return AROUND + len(run.values) * (1 + len(run.batches)) + sum(times)


class StoredRuns(Sequence[Run]):
    """The first replications of a point, which can be read while their store is open."""

    def __init__(
        self, latest: PointReader, key: str, seed: int, count: int, series: Mapping[int, Recording]
    ) -> None:
        self._latest = latest
        self._key = key
        self._seed = seed
        self._count = count
        self._series = series

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> list[Run]: ...
    def __getitem__(self, place: int | slice) -> Run | list[Run]:
        return self._read()[place]

    def __iter__(self) -> Iterator[Run]:
        return iter(self._read())

    def _read(self) -> list[Run]:
        runs = self._latest.runs(self._key, self._seed, self._count)
        if not self._series:
            return runs
        return [replace(run, series=self._series.get(k, Recording())) for k, run in enumerate(runs)]
