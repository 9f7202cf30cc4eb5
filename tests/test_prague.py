"""Prague with DualPI2: low delay, and a fair share beside CUBIC, whatever the round-trip time.

De Schepper, Tilmans, Briscoe and Goel, "Prague Congestion Control",
draft-briscoe-iccrg-prague-congestion-control; RFC 9332 for DualPI2.
"""

from __future__ import annotations

import pytest

import cellrelay
from cellrelay.results import Results

NETWORK = """\
title = "Two flows through a DualPI2 queue"
duration = "40 s"
warm_up = "10 s"

[host.receiver]
[router.r]
buffer.per_output = "1 MB"
discard.dual_pi2 = {}
scheduler.dual_queue = {}

[link.path]
between = ["r", "receiver"]
rate = "40 Mbit/s"

[replications]
at_least = 4
"""

FLOW = """
[host.{name}]
[link.{name}]
between = ["{name}", "r"]
rate = "1 Gbit/s"
delay = "{delay} ms"

[flow.{name}]
from = "{name}"
to = "receiver"
over.packet = {{}}
source.greedy.start = {{ uniform = ["0 s", "1 s"] }}
transport.tcp = {{ packet = "1500 B", window = "8 MiB", initial_window = 10, \
acknowledge.every = {{}}, congestion.{control} = {{}} }}
"""


def run(**flows: tuple[str, float]) -> Results:
    """Flows by name, each with its congestion control and its round-trip time in milliseconds."""
    text = NETWORK + "".join(
        FLOW.format(name=name, control=control, delay=round_trip / 2)
        for name, (control, round_trip) in flows.items()
    )
    return cellrelay.run(cellrelay.parse(text, "prague.toml"))


def goodputs(results: Results, *names: str) -> list[float]:
    return [results.estimate("goodput", f"flow {name}").mean for name in names]


@pytest.mark.parametrize("round_trip", [10, 40])
def test_prague_shares_a_link_with_cubic_and_keeps_its_own_queue_short(round_trip: int) -> None:
    results = run(scalable=("prague", round_trip), classic=("cubic", round_trip))
    mine, other = goodputs(results, "scalable", "classic")
    # RFC 9332 couples the marks of one to the drops of the other: rates within a factor of two.
    assert 0.5 < mine / other < 2
    assert mine + other > 0.9 * 40e6 * 1460 / 1500
    # Its packets wait less than a millisecond, at 95 % confidence, and those of CUBIC ten times as
    # long: the target of DualPI2 is 15 ms.
    waits = {}
    for name in ("scalable", "classic"):
        delay = results.estimate("mean_delay", f"flow {name}")
        waits[name] = delay.mean + delay.half_width - round_trip / 2 * 1e-3
    assert waits["scalable"] < 1.5e-3
    assert waits["classic"] > 5 * waits["scalable"]


def test_the_rate_of_prague_does_not_depend_on_a_short_round_trip_time() -> None:
    def ratio(control: str, *round_trips: float) -> float:
        one, other = ((control, round_trip) for round_trip in round_trips)
        short, long = goodputs(run(short=one, long=other), "short", "long")
        return short / long

    assert 0.65 < ratio("prague", 5, 25) < 1.5
    assert ratio("dctcp", 5, 25) > 4
    # A round trip of 10 ms counts as 25 ms, and one of 50 ms as it is.
    assert ratio("prague", 10, 50) == pytest.approx(50 / 25, rel=0.25)
