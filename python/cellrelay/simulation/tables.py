"""Tables of Arrow with a row for each packet or connection of a run, and their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cellrelay.files import replacing

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True)
class TableFile:
    """The Parquet file of the packets or connections of one run."""

    path: Path
    labels: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    """Columns with the same value in each row, such as the axes of a sweep and the replication."""
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Provenance of the run, for the file as a whole."""

    def __post_init__(self) -> None:
        # A missing package is reported before the run.
        import pyarrow.parquet  # noqa: F401

    def prepare(self) -> None:
        """Create the folder, and remove the file of an earlier run."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)

    def write(self, table: pyarrow.Table) -> None:
        """Write the file."""
        import pyarrow.parquet

        known = {f"cellrelay.{name}": text for name, text in self.metadata.items()}
        with replacing(self.path) as temporary:
            pyarrow.parquet.write_table(
                table.replace_schema_metadata(known), temporary, compression="zstd"
            )


def table(
    columns: Mapping[str, Any], units: Mapping[str, str], labels: Mapping[str, str | int]
) -> pyarrow.Table:
    """The columns after those of `labels`, each with its unit in the metadata of its field."""
    import pyarrow

    count = len(next(iter(columns.values())))
    repeated = {
        name: pyarrow.repeat(pyarrow.scalar(value), count) for name, value in labels.items()
    }
    every = {**repeated, **columns}
    fields = [
        pyarrow.field(name, column.type, metadata={"unit": units[name]} if name in units else None)
        for name, column in every.items()
    ]
    return pyarrow.Table.from_arrays(list(every.values()), schema=pyarrow.schema(fields))


def words(numbers: Any, words: list[str], unknown: Any = None) -> pyarrow.Array:
    """A column of text: for each row the word at the index in `numbers`, or null where `unknown` is
    true.
    """
    import pyarrow

    indices = pyarrow.array(numbers.astype("int32"), mask=unknown)
    return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(words, pyarrow.string()))
