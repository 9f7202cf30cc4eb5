"""The capacity and the thresholds of a queue, as the page marks them."""

from __future__ import annotations

import pytest

from cellrelay.scenario import BufferLevels, Scenario, parse

from ..scenarios import PORT


@pytest.mark.parametrize(
    ("of", "capacity", "levels"),
    [
        ("", 500, {"early packet: threshold": 250}),
        ("discard.early_packet = {}", 500, {"early packet: threshold": 250}),
        ('discard.early_packet = { headroom = "90 cells" }', 500, {"early packet: headroom": 411}),
        (
            'discard.random_early = { minimum = "10 %", maximum = "50 %" }',
            500,
            {"random early: minimum": 50, "random early: maximum": 250},
        ),
        ('mark.threshold = { above = "40 cells" }', 500, {"threshold: above": 40}),
        ('buffer.per_output = "5.3 kB"', 100, {"early packet: threshold": 50}),
        ('buffer.shared = { size = "300 cells" }', 300, {"early packet: threshold": 150}),
        (
            'buffer.shared = { size = "4.8 kB", counted = "payload" }',
            100,
            {"early packet: threshold": 50},
        ),
    ],
)
def test_a_queue_is_marked_with_its_capacity_and_its_thresholds(
    of: str, capacity: float, levels: dict[str, float]
) -> None:
    found = marks(parse(_with(of)).point(0))
    assert set(found) == {1, 3, 4}
    for mark in found.values():
        assert mark.capacity == pytest.approx(capacity)
        known = {
            f"{one.policy}: {one.parameter}".replace("_", " "): one.length for one in mark.levels
        }
        assert {name: known.pop(name) for name in levels} == pytest.approx(levels)
        assert not {name for name in known if not name.startswith("early")}


def test_a_queue_with_a_buffer_for_each_vc_has_no_mark() -> None:
    scenario = _with('buffer.per_vc = "10 cells"\nscheduler.round_robin = {}')
    assert (
        marks(parse(scenario.replace('discard.early_packet = { threshold = "50 %" }', "")).point(0))
        == {}
    )


def test_switches_of_a_topology_are_marked() -> None:
    scenario = parse(
        """
        duration = "1 ms"
        [topology.parking_lot]
        switches = 2
        cross = 1
        access = { rate = "10 Mbit/s" }
        trunk = { rate = "10 Mbit/s" }
        switch = { buffer.per_output = "70 cells" }
        [flow.tcp]
        from = "sender"
        to = "receiver"
        transport.tcp = {}
        """
    )
    found = marks(scenario)
    assert found
    assert {mark.capacity for mark in found.values()} == {70}


def marks(scenario: Scenario) -> dict[int, BufferLevels]:
    """The buffers of outputs by their hops."""
    return {buffer.hop: buffer for buffer in scenario.buffer_levels}


def _with(of: str) -> str:
    """The scenario with a line that replaces those with the same first key."""
    if not of:
        return PORT
    key = of.partition(".")[0]
    lines = [line for line in PORT.splitlines() if not line.startswith(f"{key}.") or not of]
    place = lines.index("fabric.immediate = {}") + 1
    return "\n".join([*lines[:place], of, *lines[place:]])
