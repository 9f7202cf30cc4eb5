"""Choices that the data leave open, and their effect on the results."""

from __future__ import annotations

from cellrelay.studies import alternative

from .data import RATES

FILES, FLOWS = ("incast.toml",), ("in-and-out.toml",)
SPACING = "9064 B"

longer_queues = alternative(
    "eight packets beside the one that is sent", {"router.switch.buffer.per_output": "72512 B"}
)
files_at_the_rate = alternative(
    "files pulled at the rate of packets", {"flow.file.transport.pull.spacing": SPACING}, FILES
)
flows_at_the_rate = alternative(
    "flows pulled at the rate of packets",
    {f"flow.{flow}.transport.pull.spacing": SPACING for flow in RATES},
    FLOWS,
)
apart = alternative(
    "files begin within 5 us", {"flow.file.source.files.start": {"uniform": ["0 s", "5 us"]}}, FILES
)
timed = alternative(
    "timeouts of at least 1 ms", {"flow.file.transport.pull.timeout": "1 ms"}, FILES
)
in_order = alternative(
    "simultaneous packets in the order of the inputs", {"router.switch.ties": "in_order"}
)
strict = alternative(
    "headers always before packets", {"router.switch.scheduler": {"headers_first": {}}}
)
