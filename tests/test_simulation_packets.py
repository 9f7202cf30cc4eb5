"""The packets of a run that Python steers, at its pauses and at its end."""

from __future__ import annotations

import pytest

import cellrelay
from cellrelay import ScenarioError, Simulation

from .test_captures import LINE
from .test_simulation import is_same, point, undivided


@pytest.mark.parametrize("name", ["cells", "packets", "abr"])
def test_packets_so_far_are_those_of_the_whole_run_as_far_as_it_has_come(name: str) -> None:
    scenario = point(name)
    whole = cellrelay.trace_packets(scenario)
    simulation = Simulation(scenario, packets=True)
    assert simulation.packets().num_rows == 0
    for share in (0.1, 0.35, 0.7):
        now = share * simulation.duration
        simulation.run_until(now)
        part = simulation.packets()
        rows = part.to_pylist()
        wanted = [row for row in whole.to_pylist() if row["sent"] < now]
        assert len(rows) == len(wanted) > 0
        for row, end in zip(rows, wanted, strict=True):
            for known in ("flow", "direction", "number", "octets", "sequence", "sent"):
                assert row[known] == end[known]
            arrived = end["delivered"] is not None and end["delivered"] < now
            dropped = end["dropped"] is not None and end["dropped"] < now
            if row["fate"] == "underway":
                assert not arrived
                assert not dropped
            else:
                assert (row["fate"], row["place"], row["cause"]) == tuple(
                    end[name] for name in ("fate", "place", "cause")
                )
            assert row["hops"] == end["hops"][: len(row["hops"])]
    run = simulation.run()
    assert simulation.packets().equals(whole)
    assert is_same(run, undivided(scenario))


def test_packets_of_a_run_that_is_steered_show_what_was_set() -> None:
    scenario = cellrelay.parse(
        LINE, "line.toml", {"link.out.loss.packet": "0 %", "flow.f.over.packet": "{}"}
    )
    simulation = Simulation(scenario, packets=True)
    simulation.run_until("0.1 s")
    before = simulation.packets()
    assert "lost" not in before["cause"].to_pylist()
    simulation.set("link s->b", "loss", "20 %")
    other = simulation.clone()
    simulation.run_until("0.2 s")
    other.run_until("0.2 s")
    after = simulation.packets()
    assert "lost" in after["cause"].to_pylist()
    assert other.packets().equals(after)
    assert Simulation.replay(simulation.record, packets=True).packets().equals(after)


def test_packets_that_were_not_noted_are_refused_with_a_hint() -> None:
    simulation = Simulation(point("packets"))
    simulation.run_until("0.01 s")
    with pytest.raises(ScenarioError, match="not noted\n  hint: write `Simulation"):
        simulation.packets()
