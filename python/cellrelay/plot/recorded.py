"""The series of one run that a figure shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cellrelay.metrics.scope import NETWORK, Name, Scope, find_any
from cellrelay.results import NotMeasured
from cellrelay.results.over_time import missing
from cellrelay.results.select import one_of
from cellrelay.simulation.series import Recording, Series

DROPS = "drops"
CREDIT = "vc_credit"


class SelectedSeries:
    """The recorded series of a run, for chosen flows, ports and times."""

    def __init__(
        self,
        recording: Recording,
        flows: Sequence[str] = (),
        ports: Sequence[str] = (),
        start: float = 0.0,
        end: float = np.inf,
    ) -> None:
        self._recording = recording
        self._start, self._end = start, end
        all_flows, all_ports = self._members("flow"), self._members("port", "vc")
        self._ports = _wanted(all_ports, ports, "port")
        self._chosen = {
            "flow": _covered(all_flows, _wanted(all_flows, flows, "flow")),
            "port": _covered(all_ports, self._ports),
            "link": self._members("link"),
        }
        self._chosen["vc"] = [scope for scope in self._chosen["port"] if scope.kind == "vc"]
        # The classes of a port are shown with it if the port is chosen by name.
        of_ports = self._chosen["port"] if ports else []
        places = {scope.place for scope in of_ports if scope.kind == "port"}
        self._chosen["class"] = [scope for scope in self._members("class") if scope.place in places]

    def scopes(self, quantity: str) -> list[Scope]:
        """The scopes whose quantity is shown: the chosen scopes, or the port with the largest
        values.

        For credit, it is the virtual channel with the smallest values.
        """
        known = [scope for scope, name in self._recording if name == quantity]
        if not known:
            raise NotMeasured(missing(list(self._recording), quantity))
        chosen = [scope for scope in known if self._is_chosen(scope)]
        if not chosen:
            # Credit belongs to the virtual channels of a port, not to the port.
            chosen = [scope for scope in known if self._is_at_chosen_port(scope)]
        if not chosen:
            hint = one_of([str(scope) for scope in known])
            raise NotMeasured(f"`{quantity}` was not recorded for this choice\n  hint: {hint}")
        if chosen[0].kind in ("port", "vc") and not self._ports:
            return [max(chosen, key=lambda scope: self._rank(scope, quantity))]
        return chosen

    def series(self, scope: Scope, quantity: str) -> Series:
        """A series in the shown part of time, with one sample before and one after it."""
        series = self._recording[scope, quantity]
        first = int(series.times.searchsorted(self._start, "right")) - 1
        last = int(series.times.searchsorted(self._end, "left"))
        before = series.times[max(first, 0)] if len(series.times) else 0.0
        after = series.times[min(last, len(series.times) - 1)] if len(series.times) else 0.0
        return series.between(float(before), float(after))

    def drops(self, places: Sequence[Scope] = (), flow: Name | None = None) -> Series:
        """Times of the drops, and for each drop the index of its flow in `flows`.

        `places` restricts the drops to some outputs and links; without it, the drops of all chosen
        ones count. `flow` restricts them to one flow; without it, those of all chosen flows count.
        """
        places = places or [
            scope
            for scope, name in self._recording
            if name == DROPS and (scope.kind != "port" or self._is_chosen(scope))
        ]
        found = [
            self._recording[place, DROPS].between(self._start, self._end)
            for place in places
            if self.has_drops(place)
        ]
        if not found:
            raise NotMeasured(missing(list(self._recording), DROPS))
        times = np.concatenate([series.times for series in found])
        values = np.concatenate([series.values for series in found])
        # Recorded drops name their flow by its index among all recorded flows.
        numbers = np.array([self._members("flow").index(scope) for scope in self._flows])
        wanted = numbers[[flow in (None, scope.name) for scope in self._flows]]
        is_wanted = np.isin(values, wanted)
        times, values = times[is_wanted], numbers.searchsorted(values[is_wanted]).astype(float)
        order = np.argsort(times, kind="stable")
        return Series(NETWORK, DROPS, "flow", times[order], values[order])

    def has_drops(self, place: Scope) -> bool:
        """True if the drops at a place were recorded."""
        return (place, DROPS) in self._recording

    @property
    def flows(self) -> list[str]:
        """Names of the chosen flows."""
        return [scope.member for scope in self._flows]

    @property
    def _flows(self) -> list[Scope]:
        return self._chosen["flow"]

    def _members(self, *kinds: str) -> list[Scope]:
        scopes = dict.fromkeys(scope for scope, _ in self._recording)
        return [scope for scope in scopes if scope.kind in kinds]

    def _is_chosen(self, scope: Scope) -> bool:
        return scope in self._chosen[scope.kind] and self._is_of_chosen_flow(scope)

    def _is_at_chosen_port(self, scope: Scope) -> bool:
        port = Scope("port", None, scope.place)
        at_port = scope.kind == "vc" and any(one.covers(port) for one in self._ports)
        return at_port and self._is_of_chosen_flow(scope)

    def _is_of_chosen_flow(self, scope: Scope) -> bool:
        return scope.kind != "vc" or any(flow.name == scope.name for flow in self._flows)

    def _rank(self, scope: Scope, quantity: str) -> float:
        values: NDArray[np.float64] = self._recording[scope, quantity].values
        return -float(values.mean()) if quantity == CREDIT else float(values.max(initial=0.0))


def _wanted(known: Sequence[Scope], names: Sequence[str], kind: str) -> list[Scope]:
    """The scopes with these names: members, or groups of members."""
    # A port may have series of its virtual channels and none of its own.
    ports = [Scope("port", None, scope.place) for scope in known if scope.kind == "vc"]
    wanted = []
    for name in names:
        scope = find_any([*known, *ports], f"{kind} {name}")
        if scope is None:
            hint = f"\n  hint: {one_of([scope.member for scope in known])}" if known else ""
            raise NotMeasured(f"nothing was recorded for {kind} `{name}`{hint}")
        wanted.append(scope)
    return wanted


def _covered(known: Sequence[Scope], wanted: Sequence[Scope]) -> list[Scope]:
    """The known scopes that a wanted scope covers; all known scopes if `wanted` is empty."""
    return [scope for scope in known if not wanted or any(group.covers(scope) for group in wanted)]
