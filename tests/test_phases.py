"""Ten connections on links of one rate share as they do in ns-2, where hosts take a little time."""

from __future__ import annotations

import subprocess
from pathlib import Path
from statistics import mean

import pytest

import cellrelay

from .debian import require
from .patience import PATIENCE

SCRIPT = Path(__file__).with_name("phases.tcl")
SECONDS = 5
RATE = 141.333e6
CELL = 53
TEN = f"""\
duration = "{SECONDS} s"
[host.sender]
count = 10
[host.receiver]
[router.r]
buffer.per_output = "1000 cells"
[link.access]
between = ["sender", "r"]
rate = "141.333 Mbit/s"
delay = "3 us"
[link.exit]
between = ["r", "receiver"]
rate = "141.333 Mbit/s"
delay = "3 us"
[flow.bulk]
from = "sender"
to = "receiver"
source.greedy = {{ start = {{ uniform = ["0 s", "0.1 s"] }} }}
jitter.packet_time = {{}}
over.packet = {{}}
[flow.bulk.transport.tcp]
packet = "512 B"
window = "64 KiB"
congestion.tahoe_gbn = {{ growth = {{ at_ssthresh = "linear", increment = "exact" }} }}
repeated_fast_retransmit = "guarded"
timers.ns = {{ tick = "0.1 ms", min = "0.2 ms", initial = "0.2 s" }}
"""


def in_ns(octets: int, cells: int, seed: int) -> tuple[float, float]:
    """Goodput of all in Mbit/s, and their fairness."""
    queue = cells * CELL // octets + 1
    overhead = octets * 8 / RATE
    arguments = map(str, [SECONDS, octets, queue, overhead, seed])
    command = ["ns", str(SCRIPT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    goodput, fairness = map(float, done.stdout.split())
    return goodput, fairness


def here(folder: Path, octets: int, cells: int) -> dict[str, list[float]]:
    """The same, of three seeds each."""
    file = folder / "ten.toml"
    file.write_text(TEN)
    settings = {
        "flow.bulk.transport.tcp.packet": f"{octets} B",
        "router.r.buffer.per_output": f"{cells} cells",
    }
    results = cellrelay.run(file, settings, replications=3).to_xarray().squeeze()
    whole = results.sel(scope="network")
    return {name: whole[name].values.tolist() for name in ("goodput", "fairness_index")}


@pytest.mark.parametrize("cells", [256, 1000])
def test_ten_connections_share_as_in_ns(cells: int, tmp_path: Path) -> None:
    require("ns", package="ns2")
    theirs = [in_ns(512, cells, seed) for seed in range(1, 4)]
    ours = here(tmp_path, 512, cells)
    assert min(fairness for _, fairness in theirs) > 0.95
    assert min(ours["fairness_index"]) > 0.95
    goodputs = [goodput for goodput, _ in theirs]
    assert mean(ours["goodput"]) / 1e6 == pytest.approx(mean(goodputs), rel=0.02)
