"""Of a network with very many gauges those are shown that tell most."""

from __future__ import annotations

from cellrelay import _core, examples
from cellrelay.live.chosen import MOST_GAUGES, chosen
from cellrelay.live.frame import Frame, Numbers
from cellrelay.live.pace import Pace
from cellrelay.live.session import Part, Session, Viewer
from cellrelay.scenario import load, parse

from ..scenarios import PORT


class Keeper(Viewer):
    """A viewer who keeps all frames."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.frames: list[Frame] = []

    def show(self, act: int, frame: Frame) -> None:
        """Keep a frame."""
        self.frames.append(frame)


def _scopes(text: str) -> list[str]:
    """Ports and flows that are shown, once each."""
    scenario = parse(text).point(0)
    return list(dict.fromkeys(str(scenario.gauges[number].scope) for number in chosen(scenario)))


def test_all_are_shown_where_there_are_few() -> None:
    scenario = parse(PORT).point(0)
    assert chosen(scenario) == list(range(len(scenario.gauges)))


def test_the_port_where_many_meet_comes_first_and_then_flows() -> None:
    scopes = _scopes(PORT.replace("count = 2", "count = 400"))
    assert {"port s1->receiver", "flow bulk[0]", "flow bulk[1]"} <= set(scopes)
    assert "flow bulk[399]" not in scopes
    assert "port s1->sender[399]" not in scopes


def test_flows_and_trunks_of_a_long_chain_are_shown_whole() -> None:
    scenario = load(examples.available()["credit-chain"]).point(0)
    shown = [scenario.gauges[number] for number in chosen(scenario)]
    assert MOST_GAUGES / 2 < len(shown) <= MOST_GAUGES
    scopes = {str(gauge.scope) for gauge in shown}
    assert {f"port s{n}->s{n + 1}" for n in range(1, 17)} <= scopes
    first = [gauge for gauge in scenario.gauges if gauge.flow == 0]
    assert [gauge for gauge in shown if gauge.flow == 0] == first
    assert "port s16->s17 of bulk[0]" in {str(gauge.scope) for gauge in first}


def test_what_is_shown_are_the_readings_of_what_was_chosen() -> None:
    text = PORT.replace("count = 2", "count = 400").replace('"50 ms"', '"5 ms"')
    scenario = parse(text).point(0)
    session = Session(1, Part(scenario, scenario.seed), Pace(scenario.duration, 1000.0))
    viewer = Keeper()
    session.join(viewer)
    session.start()
    session.wait()
    whole: list[Numbers] = []

    def watcher(glimpse: _core.Glimpse) -> tuple[float, float]:
        whole.append(glimpse.rows)
        return 1.0, 0.0

    scenario.watch(scenario.seed, 0, watcher)
    last = whole[-1][-len(scenario.gauges) :]
    assert viewer.frames[-1].rows[-1].tolist() == last[chosen(scenario)].tolist()
    assert last[chosen(scenario)].any()
