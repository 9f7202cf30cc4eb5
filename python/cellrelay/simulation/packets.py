"""Packets as rows: a table of a run with one row for each packet.

The columns, with their units in the metadata of each field:

- `flow`, `direction` (`forward` from the sending host of the flow, or `backward`) and `number`,
  from 1, identify a packet;
- `octets`, `user_data` (B) and `cells` are its sizes, `sequence` (B) is the place of its user data
  in the stream;
- `sent` (s) is the time at which the transport handed it over;
- `fate` is `delivered`, `dropped`, or `underway` at the end of the run;
- `delivered` (s) is the time of its arrival;
- `dropped` (s), `place` and `cause` describe the first drop or loss of the packet or a cell of it;
- `hops` lists the outputs that it passed whole: `output`, the time at which its last bit `arrived`
  at the node and `departed` from it, and how long it `queued` there (s).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cellrelay.metrics.scope import Name, Place, Scope
from cellrelay.simulation.tables import table, words

if TYPE_CHECKING:
    import pyarrow

    from cellrelay import _core

UNITS = {"octets": "B", "user_data": "B", "sequence": "B"} | dict.fromkeys(
    ("sent", "delivered", "dropped"), "s"
)
"""Units of the columns that have one; times within `hops` are in seconds."""

LOST = "lost"
"""The cause of a loss on a link, which is no drop at an output."""


def table_of(
    packets: _core.Packets, labels: Mapping[str, str | int] | None = None
) -> pyarrow.Table:
    """The packets of a run in order of their times of sending, after columns of `labels`."""
    import pyarrow

    rows = packets.rows
    flows = [str(Name(*parts)) for parts in packets.flows]
    ports = [Place(Name(*node), Name(*to)) for node, to in packets.outputs]
    outputs = list(map(str, ports))
    cause, output = rows["cause"], rows["output"]
    # The places of drops: the ports by number, and then the links behind them.
    places = [str(Scope(kind, None, port)) for kind in ("port", "link") for port in ports]
    is_lost = cause == packets.causes.index(LOST)
    dropped = cause >= 0
    fate = 2 - dropped - 2 * (rows["delivered"] == rows["delivered"])
    columns = {
        "flow": words(rows["flow"], flows),
        "direction": words(rows["back"], ["forward", "backward"]),
        "number": pyarrow.array(rows["number"]),
        "octets": pyarrow.array(rows["octets"]),
        "user_data": pyarrow.array(rows["data"]),
        "cells": pyarrow.array(rows["cells"]),
        "sequence": pyarrow.array(rows["sequence"]),
        "sent": pyarrow.array(rows["sent"]),
        "fate": words(fate, ["delivered", "dropped", "underway"]),
        "delivered": pyarrow.array(rows["delivered"], from_pandas=True),
        "dropped": pyarrow.array(rows["dropped"], from_pandas=True),
        "place": words(output + is_lost * len(outputs), places, unknown=output < 0),
        "cause": words(cause, packets.causes, unknown=~dropped),
        "hops": _hops(packets, outputs),
    }
    return table(columns, UNITS, labels or {})


def _hops(packets: _core.Packets, outputs: list[str]) -> pyarrow.Array:
    """A list for each packet, with a record for each output that it passed."""
    import pyarrow

    hops = packets.hops
    fields = {
        "output": words(hops["output"], outputs),
        **{name: pyarrow.array(hops[name]) for name in ("arrived", "departed", "queued")},
    }
    records = pyarrow.StructArray.from_arrays(list(fields.values()), list(fields))
    counts = packets.rows["hops"]
    offsets = pyarrow.array([0, *counts.cumsum().tolist()], pyarrow.int32())
    return pyarrow.ListArray.from_arrays(offsets, records)
