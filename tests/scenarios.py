"""Small scenarios for the real core."""

PORT = """\
title = "Two connections through one port"
duration = "50 ms"

[host.sender]
count = 2

[host.receiver]

[switch.s1]
fabric.immediate = {}
buffer.per_output = "500 cells"
discard.early_packet = { threshold = "50 %" }

[link.access]
between = ["sender", "s1"]
rate = "100 Mbit/s"
delay = "3 us"

[link.exit]
between = ["s1", "receiver"]
rate = "100 Mbit/s"
delay = "3 us"

[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = { start = { uniform = ["0 s", "1 ms"] } }
over.ubr = {}

[flow.bulk.transport.tcp]
packet = "1500 B"
window = "64 KiB"
congestion.tahoe_gbn = {}
timers.bsd = { tick = "0.1 ms" }

[replications]
at_least = 2
"""

SWEEP = (
    PORT
    + """
[sweep]
"switch.s1.buffer.per_output" = ["200 cells", "500 cells"]
"flow.bulk.transport.tcp.packet" = ["512 B", "1500 B"]
"""
)
