"""A network with many gauges shows those of the most important ports and flows."""

from __future__ import annotations

import numpy as np

from cellrelay import _core
from cellrelay.live.pace import Pace
from cellrelay.live.session import RunRequest, Session, Viewer
from cellrelay.scenario import Scenario, examples, load, parse

from ..scenarios import PORT

MOST_GAUGES = 600


def shown_gauges(scenario: Scenario) -> list[int]:
    """The numbers of the shown gauges."""
    return _core.History(scenario._core).columns


class Keeper(Viewer):
    """A viewer who keeps all snapshots."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.snapshots: list[_core.Shown] = []

    def show(self, epoch: int, snapshot: _core.Shown) -> None:
        """Keep a snapshot."""
        self.snapshots.append(snapshot)


def _scopes(text: str) -> list[str]:
    """Ports and flows that are shown, once each."""
    scenario = parse(text).point(0)
    return list(
        dict.fromkeys(str(scenario.gauges[number].scope) for number in shown_gauges(scenario))
    )


def test_few_gauges_are_all_shown() -> None:
    scenario = parse(PORT).point(0)
    assert shown_gauges(scenario) == list(range(len(scenario.gauges)))


def test_ports_at_which_flows_meet_come_first_and_then_flows() -> None:
    scopes = _scopes(PORT.replace("count = 2", "count = 400"))
    assert {"port s1->receiver", "flow bulk[0]", "flow bulk[1]"} <= set(scopes)
    assert "flow bulk[399]" not in scopes
    assert "port s1->sender[399]" not in scopes


def test_flows_and_trunks_of_a_long_chain_have_all_their_gauges() -> None:
    scenario = load(examples.available()["credit-chain"]).point(0)
    shown = [scenario.gauges[number] for number in shown_gauges(scenario)]
    assert MOST_GAUGES / 2 < len(shown) <= MOST_GAUGES
    scopes = {str(gauge.scope) for gauge in shown}
    assert {f"port s{n}->s{n + 1}" for n in range(1, 17)} <= scopes
    first = [gauge for gauge in scenario.gauges if gauge.flow == 0]
    assert [gauge for gauge in shown if gauge.flow == 0] == first
    assert "port s16->s17 of bulk[0]" in {str(gauge.scope) for gauge in first}


def test_a_snapshot_has_the_readings_of_the_shown_gauges() -> None:
    text = PORT.replace("count = 2", "count = 400").replace('"50 ms"', '"5 ms"')
    scenario = parse(text).point(0)
    session = Session(1, RunRequest(scenario, scenario.seed), Pace(scenario.duration, 1000.0))
    viewer = Keeper()
    session.join(viewer)
    session.start()
    session.wait()
    whole: list[np.ndarray] = []

    def watcher(seen: _core.Snapshot) -> tuple[float, float]:
        whole.append(seen.rows)
        return 1.0, 0.0

    scenario.watch(scenario.seed, 0, watcher)
    last = whole[-1][-len(scenario.gauges) :]
    shown = shown_gauges(scenario)
    assert viewer.snapshots[-1].rows[-len(shown) :].tolist() == last[shown].tolist()
    assert last[shown].any()
