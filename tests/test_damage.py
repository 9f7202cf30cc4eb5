"""Whatever a disk or a hand does to a store, the next start makes the same tables as if it had not.

What is damaged is found when the store is opened, and put aside; what is whole is kept.
"""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from itertools import combinations
from pathlib import Path

import pytest

from cellrelay.execute import open_pool
from cellrelay.experiment.survey import survey
from cellrelay.experiment.sweep import sweep
from cellrelay.results import Results
from cellrelay.scenario import Replications, Scenario
from cellrelay.store import Store

from .double import queue

PAGE = 4096

FLIPS = 500
"""Stores of which one bit each is flipped."""

RULE = Replications.exactly(4)
LOADS = ("0.3", "0.6", "0.95")
"""With the last there are warnings."""


def scenario() -> Scenario:
    return queue({"queue.load": LOADS, "queue.order": ("fifo", "lifo")}, fails_at=("0.6", 3))


def tables(results: Results, folder: Path) -> tuple[bytes, str]:
    """What the folder of results would hold."""
    results.write_csv(folder / "replications.csv")
    return (folder / "replications.csv").read_bytes(), json.dumps(results.to_json())


def run(store: Store) -> Results:
    with open_pool("threads:1") as pool:
        return sweep(scenario(), pool, store, replications=RULE)


class Calm:
    """A store that nothing has happened to, and its tables."""

    def __init__(self, folder: Path) -> None:
        path = folder / "store.sqlite"
        with Store(path) as store:
            self.tables = tables(run(store), folder)
            self.runs = sum(store.contents()[:2])
        self.content = path.read_bytes()


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Calm:
    return Calm(tmp_path_factory.mktemp("calm"))


def finished(calm: Calm, content: bytes, folder: Path) -> int:
    """Runs that were kept of a store with this content, after the next start has finished it."""
    path = folder / "store.sqlite"
    for old in folder.iterdir():
        old.unlink()
    path.write_bytes(content)
    with Store(path) as store:
        kept = sum(store.contents()[:2])
        assert (store.rescue is None) or store.rescue.aside.read_bytes() == content
        assert tables(run(store), folder) == calm.tables
    with Store(path) as store:
        # One start is enough.
        assert store.rescue is None
        assert sum(store.contents()[:2]) == calm.runs
    return kept


def test_one_flipped_bit_changes_no_table(calm: Calm, tmp_path: Path) -> None:
    places = random.Random(16)
    lost = []
    for _ in range(FLIPS):
        damaged = bytearray(calm.content)
        damaged[places.randrange(len(damaged))] ^= 1 << places.randrange(8)
        lost.append(calm.runs - finished(calm, bytes(damaged), tmp_path))
    # Mostly it is a run that is lost, or none; in what all runs share it is more.
    assert sum(lost) < 0.2 * FLIPS * calm.runs


def test_no_bit_of_the_head_of_a_store_changes_a_table(calm: Calm, tmp_path: Path) -> None:
    for place in range(100):
        damaged = bytearray(calm.content)
        damaged[place] ^= 1 << place % 8
        finished(calm, bytes(damaged), tmp_path)


SWAPPED = """
UPDATE run SET scenario = -1 WHERE scenario = 1;
UPDATE run SET scenario = 1 WHERE scenario = 2;
UPDATE run SET scenario = 2 WHERE scenario = -1;
"""
BY_HAND = {
    "points exchanged": SWAPPED,
    "replications exchanged": SWAPPED.replace("scenario", "replication"),
    "numbers exchanged": "UPDATE run SET (scalars, checksum) ="
    " (SELECT scalars, checksum FROM run AS other WHERE other.id = 9 - run.id)"
    " WHERE id IN (4, 5)",
    "another seed": "UPDATE run SET seed = '2' WHERE id = 7",
    "the seed as a number": "UPDATE run SET seed = CAST(seed AS BLOB)",
    "another model": "UPDATE model SET model = 'other'",
    "another key": "UPDATE scenario SET key = 'other' WHERE id = 3",
    "another scenario": "UPDATE scenario SET resolved = 'other' WHERE id = 3",
    "no scenarios": "DELETE FROM scenario",
    "a scenario less": "DELETE FROM scenario WHERE id = 2",
    "no models": "DELETE FROM model",
    "no labels": "DELETE FROM labels",
    "no runs": "DELETE FROM run",
    "a run less": "DELETE FROM run WHERE id = 5",
    "other labels": "UPDATE labels SET labels = replace(labels, 'mean_wait', 'mean_wast')",
    "labels that are no JSON": "UPDATE labels SET labels = '['",
    "labels that are no text": "UPDATE labels SET labels = x'80ff'",
    "labels of bad UTF-8": "UPDATE labels SET labels = CAST(x'80ff' AS TEXT)",
    "labels elsewhere": "UPDATE run SET labels = 77",
    "no numbers": "UPDATE run SET scalars = NULL WHERE id = 3",
    "numbers as text": "UPDATE run SET scalars = 'zzz' WHERE id = 3",
    "warnings that are no JSON": "UPDATE run SET warnings = 'zzz'",
    "warnings of bad UTF-8": "UPDATE run SET warnings = CAST(x'80ff' AS TEXT)",
    "another digest": "UPDATE run SET digest = 'zzz' WHERE id = 8",
    "another failure": "UPDATE run SET error = 'zzz' WHERE error IS NOT NULL",
    "a failure more": "UPDATE run SET error = 'zzz' WHERE id = 2",
    "no checksum": "UPDATE run SET checksum = 0 WHERE id = 1",
    "other tables": "ALTER TABLE run RENAME COLUMN digest TO hash",
    "a table less": "DROP TABLE labels",
    "another format": "PRAGMA user_version = 77",
    "another program": "PRAGMA application_id = 77",
}


@pytest.mark.parametrize("what", BY_HAND)
def test_rows_changed_by_hand_change_no_table(calm: Calm, tmp_path: Path, what: str) -> None:
    changed = tmp_path / "changed.sqlite"
    changed.write_bytes(calm.content)
    with closing(sqlite3.connect(changed)) as database:
        database.executescript(BY_HAND[what])
    kept = finished(calm, changed.read_bytes(), tmp_path)
    assert (kept < calm.runs) or "another" in what


def swapped(content: bytes, first: int, second: int) -> bytes:
    """With two pages exchanged."""
    pages = [content[start : start + PAGE] for start in range(0, len(content), PAGE)]
    pages[first], pages[second] = pages[second], pages[first]
    return b"".join(pages)


def test_pages_out_of_place_change_no_table(calm: Calm, tmp_path: Path) -> None:
    count = len(calm.content) // PAGE
    # Without its first page nothing says that a file is a store.
    for first, second in combinations(range(1, count), 2):
        finished(calm, swapped(calm.content, first, second), tmp_path)


def test_pages_of_zeros_change_no_table(calm: Calm, tmp_path: Path) -> None:
    for start in range(PAGE, len(calm.content), PAGE):
        zeros = calm.content[:start] + bytes(PAGE) + calm.content[start + PAGE :]
        finished(calm, zeros, tmp_path)


def test_a_store_that_changes_while_it_is_open_is_not_read(calm: Calm, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(calm.content)
    with Store(path) as store:
        store._database.execute("UPDATE run SET digest = 'zzz'")
        with pytest.raises(OSError, match="damaged\n  hint: start again"):
            run(store)
    with Store(path) as store:
        assert tables(run(store), tmp_path) == calm.tables


def test_what_others_take_from_a_damaged_store_is_whole(calm: Calm, tmp_path: Path) -> None:
    path = tmp_path / "part.sqlite"
    path.write_bytes(calm.content)
    with closing(sqlite3.connect(path)) as database:
        database.executescript("UPDATE run SET warnings = 'zzz' WHERE id < 5")
    rule = Replications.exactly(4)
    with Store(path) as part:
        assert part.rescue is not None
        missing = sum(point.missing for point in survey(scenario(), rule, part))
        with Store() as store:
            assert store.take(part.rows()) == calm.runs - 4 == part.rescue.runs
            assert tables(run(store), tmp_path) == calm.tables
    assert 1 <= missing <= 4
