"""Connections as rows: a table of a run with one row for each connection that came.

The columns, with their units in the metadata of each field:

- `flow` and `number`, from 1 in the order of arrivals, identify a connection; `source` and
  `destination` are the hosts of its flow;
- `size` (B) is its user data, and `class` is `short`, `medium` or `long`;
- `arrived` (s) is the time of its arrival;
- `outcome` is `completed`, `open` at the end of the run, or `refused`;
- `completion_time` (s) and `slowdown` are null unless it is completed;
- `packets_sent`, `packets_retransmitted` and `timeouts` are those of its sender until then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cellrelay.errors import ScenarioError
from cellrelay.metrics.scope import Name
from cellrelay.simulation.tables import table, words

if TYPE_CHECKING:
    import numpy as np
    import pyarrow
    from numpy.typing import NDArray

    from cellrelay import _core
    from cellrelay.scenario import Scenario

UNITS = {"size": "B", "arrived": "s", "completion_time": "s", "slowdown": "1"}
"""Units of the columns that have one."""

CLASSES = ["short", "medium", "long"]
"""Classes of sizes, by number."""


def require_connections(scenario: Scenario) -> None:
    """Refuse a scenario without connections that come and go, whose table would be empty.

    Raises:
        ScenarioError: with a hint.
    """
    if not scenario.has_connections:
        raise ScenarioError(
            f"{scenario.name}: no flow has connections that come and go"
            "\n  hint: give a flow the source `connections`, for example"
            ' `source.connections = { arrivals.poisson.load = "50 %", size.constant = "100 kB" }`'
        )


def table_of(
    connections: _core.Connections, labels: Mapping[str, str | int] | None = None
) -> pyarrow.Table:
    """The connections of a run in the order of their arrivals, after columns of `labels`."""
    import pyarrow

    rows = connections.rows
    flow = rows["flow"]
    source, destination = (
        _host([str(Name(*ends[end])) for ends in connections.hosts], flow) for end in range(2)
    )
    columns = {
        "flow": words(flow, [str(Name(*parts)) for parts in connections.flows]),
        "source": source,
        "destination": destination,
        "number": pyarrow.array(rows["number"]),
        "size": pyarrow.array(rows["size"]),
        "class": words(rows["class"], CLASSES),
        "arrived": pyarrow.array(rows["arrived"]),
        "outcome": words(rows["outcome"], connections.outcomes),
        "completion_time": pyarrow.array(rows["completion_time"], from_pandas=True),
        "slowdown": pyarrow.array(rows["slowdown"], from_pandas=True),
        "packets_sent": pyarrow.array(rows["packets_sent"]),
        "packets_retransmitted": pyarrow.array(rows["packets_retransmitted"]),
        "timeouts": pyarrow.array(rows["timeouts"]),
    }
    return table(columns, UNITS, labels or {})


def _host(of_flows: list[str], flow: NDArray[np.uint32]) -> pyarrow.Array:
    """The column of the host at one end, from the host of each flow and the flow of each row."""
    import numpy as np

    hosts = list(dict.fromkeys(of_flows))
    numbers = {host: number for number, host in enumerate(hosts)}
    return words(np.array([numbers[host] for host in of_flows])[flow], hosts)
