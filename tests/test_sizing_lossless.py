"""Headroom and credits that are found equal those of arithmetic."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import cellrelay

PAUSED = """
duration = "300 us"
[host.a]
[host.b]
[router.r]
buffer.shared.size = "4 MB"
[link.in]
between = ["a", "r"]
rate = "100 Gbit/s"
delay = "200 ns"
pause.pfc = { priorities = [0], xoff = "100 kB", response = "500 ns" }
[link.out]
between = ["r", "b"]
rate = "64 kbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "100 Gbit/s" }
transport.datagram = { packet = "1000 B", header = "0 B" }
over.packet = {}
"""
FRAME = 84
"""Octets of a pause frame with its preamble and gap: IEEE 802.3."""


@pytest.mark.parametrize(("gbits", "delay_ns", "octets"), [
    (100, 200, 1000), (100, 1500, 1000), (100, 200, 250), (400, 202, 4096), (800, 25, 9000),
])  # fmt: skip
def test_headroom_is_what_arrives_until_the_pause_holds(
    tmp_path: Path, gbits: int, delay_ns: int, octets: int
) -> None:
    """The far end sends back to back until the frame has been sent, has passed the cable and the
    response time is over, and ends the packet that it has begun. The packet that crosses xoff is
    held beyond it too; nothing leaves the memory meanwhile."""
    file = tmp_path / "paused.toml"
    file.write_text(PAUSED, encoding="utf-8")
    packet_ns = octets * 8 / gbits
    until_ns = FRAME * 8 / gbits + 2 * delay_ns + 500
    begun = math.ceil(until_ns / packet_ns)
    xoff = 100 * octets
    settings = {
        "link.in.rate": f"{gbits} Gbit/s",
        "link.in.delay": f"{delay_ns} ns",
        "link.in.pause.pfc.xoff": f"{xoff} B",
        "flow.f.source.constant_rate.rate": f"{gbits} Gbit/s",
        "flow.f.transport.datagram.packet": f"{octets} B",
    }
    (found,) = cellrelay.size(
        *(file, "link.in.pause.pfc.headroom", "1 B .. 500000 B"),
        *("link a->r headroom_drops <= 0", settings),
        replications=1,
    )
    assert found.answer is not None
    # The first packet leaves the memory of the router only when its transmission ends, and that
    # takes longer than the run.
    assert found.answer.value == (begun + 1) * octets
    assert found.exceptions == []


CREDITS = """
duration = "300 us"
[host.a]
[host.b]
[switch.near]
scheduler.round_robin = {}
buffer.per_output = "4000 cells"
[switch.far]
scheduler.round_robin = {}
buffer.per_output = "4000 cells"
[link.in]
between = ["a", "near"]
rate = "400 Gbit/s"
[link.cable]
between = ["near", "far"]
rate = "400 Gbit/s"
delay = "15 ns"
credit.n23 = { n2 = 1, n3 = 1 }
[link.out]
between = ["far", "b"]
rate = "400 Gbit/s"
[flow.f]
from = "a"
to = "b"
source.constant_rate = { rate = "359.748427 Gbit/s" }
transport.datagram = { packet = "9180 B" }
over.ubr = {}
"""


@pytest.mark.parametrize("delay_ns", [15, 101, 500])
@pytest.mark.parametrize("n2", [1, 4])
def test_credits_that_fill_a_link_are_those_of_the_law(
    tmp_path: Path, delay_ns: int, n2: int
) -> None:
    """A VC alone uses a share (N2 + N3) / (R + N2 - 1) of the link: Kung, Blackwell and Chapman,
    "Credit-Based Flow Control for ATM Networks", SIGCOMM 1994, with R from the start of a cell."""
    file = tmp_path / "credits.toml"
    file.write_text(CREDITS, encoding="utf-8")
    cell_ns = 424 / 400
    round_trip = 2 * delay_ns / cell_ns + 2
    settings = {"link.cable.delay": f"{delay_ns} ns", "link.cable.credit.n23.n2": n2}
    (found,) = cellrelay.size(
        *(file, "link.cable.credit.n23.n3", "1 .. 3000"),
        *("port near->far stalled_share <= 0", settings),
        replications=1,
    )
    assert found.answer is not None
    assert found.answer.value == math.ceil(round_trip - 1)
