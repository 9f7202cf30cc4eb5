"""Runs that are read from their store on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import overload

from cellrelay.simulation.run import Run
from cellrelay.simulation.series import Recording
from cellrelay.store.store import Store


class PointReader:
    """Reads the runs of a point, and keeps the runs of the latest point in memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: tuple[str, int, int] | None = None
        self._runs: list[Run] = []

    def runs(self, key: str, seed: int, count: int) -> list[Run]:
        """The first `count` replications of a point."""
        if self._known != (key, seed, count):
            self._runs = self._store.runs(key, seed, count)
            self._known = key, seed, count
            assert len(self._runs) == count, "runs that were kept are gone"
        return self._runs


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
