"""The numbers of a run as octets."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cellrelay.metrics.scope import Scope
from cellrelay.simulation.run import Distributions, Run

if TYPE_CHECKING:
    from cellrelay.statistics import Distribution, Followed


class Numbers(NamedTuple):
    """The measurements of a run."""

    values: array[float]
    batches: tuple[array[float], ...]
    distributions: tuple[Distributions, ...]


def packed(run: Run) -> bytes:
    """The values of a run and of its batches, and the delays of packets and the completion times of
    messages."""
    rows = (run.values, *run.batches)
    head = struct.pack("<II", len(rows), len(run.values))
    numbers = map(_octets, rows)
    return b"".join((head, *numbers, *_packed(run.distributions)))


def _octets(values: array[float]) -> bytes:
    """The octets of numbers, in the order of the file."""
    if sys.byteorder != "little":
        values = values[:]
        values.byteswap()
    return values.tobytes()


def _packed(distributions: Iterable[Distributions]) -> Iterable[bytes]:
    for of_sample in distributions:
        yield struct.pack("<I", len(of_sample))
        for key, known in of_sample.items():
            name, n = json.dumps(key, ensure_ascii=False).encode(), len(known.times)
            yield struct.pack("<II2d", len(name), n, known.least, known.most)
            yield name
            yield struct.pack(f"<{n}d{n}Q", *known.times, *known.counts)
            yield from _packed_messages(known.messages, n)


def _packed_messages(known: Followed | None, n: int) -> Iterable[bytes]:
    """The unfinished messages, after one if there are any, else zero."""
    yield struct.pack("<I", known is not None)
    if known is not None:
        yield struct.pack(f"<{n}QQ", *known.late, known.flows)
        for bins in (known.early_ages, known.late_ages, known.starved):
            count = len(bins.times)
            yield struct.pack(f"<I{count}d{count}Q", count, *bins.times, *bins.counts)


def unpacked(octets: bytes) -> Numbers:
    """Unpack the measurements that `packed` has packed."""
    reader = _Reader(octets)
    count, width = reader.whole("<II")
    rows = [reader.floats(width) for _ in range(count)]
    distributions = []
    while reader.place < len(octets):
        (groups,) = reader.whole("<I")
        distributions.append(dict(_group(reader) for _ in range(groups)))
    return Numbers(rows[0], tuple(rows[1:]), tuple(distributions))


def _group(reader: _Reader) -> tuple[tuple[Scope, str], Distribution]:
    # Imported here, because `--help` must not wait for numpy.
    from cellrelay.statistics import Distribution

    length, n = reader.whole("<II")
    least, most = reader.floats(2)
    name = _name(reader.text(length))
    times, counts = reader.floats(n), array("Q", reader.whole(f"<{n}Q"))
    return name, Distribution(least, most, times, counts, _messages(reader, n))


def _messages(reader: _Reader, n: int) -> Followed | None:
    from cellrelay.statistics import Bins, Followed

    if reader.whole("<I") == (0,):
        return None
    *late, flows = reader.whole(f"<{n}QQ")
    ages = []
    for _ in range(3):
        (count,) = reader.whole("<I")
        ages.append(Bins(reader.floats(count).tolist(), reader.whole(f"<{count}Q")))
    return Followed(late, flows, *ages)


@lru_cache(maxsize=1024)
def _name(text: str) -> tuple[Scope, str]:
    """The scope and the quantity of times, which thousands of runs share."""
    scope, quantity = json.loads(text)
    return Scope.of(scope), quantity


class _Reader:
    """Reads octets in order."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self.place = 0

    def whole(self, form: str) -> tuple[int, ...]:
        """Whole numbers in the layout `form`."""
        self.place += struct.calcsize(form)
        return struct.unpack_from(form, self._octets, self.place - struct.calcsize(form))

    def floats(self, count: int) -> array[float]:
        """The next `count` floats."""
        self.place += 8 * count
        values = array("d", self._octets[self.place - 8 * count : self.place])
        if sys.byteorder != "little":
            values.byteswap()
        return values

    def text(self, length: int) -> str:
        """The next text, of `length` octets."""
        self.place += length
        return self._octets[self.place - length : self.place].decode()
