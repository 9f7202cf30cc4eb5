"""Settings to compare with, which remove the cause of a finding."""

from __future__ import annotations

from collections.abc import Sequence

from cellrelay.explain.flows import Drop, MeasuredGroup
from cellrelay.explain.settings import Settings
from cellrelay.text import quantity

COARSE = 0.1
"""Tick in seconds from which a timer is coarse."""
LEAST_TIMEOUT = 1.0
"""The least retransmission timeout of RFC 6298, section 2.4, in seconds."""


def discard_whole_packets(settings: Settings, lost: Sequence[Drop]) -> tuple[str, ...]:
    """Early packet discard, if most drops are at a switch that decides about each cell."""
    if not lost or lost[0].cause not in ("overflow", "remainder"):
        return ()
    place = lost[0].place
    if not settings.drops_cells(place):
        return ()
    return (f"switch.{place.node.group}.discard={{ early_packet = {{}} }}",)


def shorter_timer(settings: Settings, group: str) -> tuple[str, ...]:
    """The timer of RFC 6298, if the timer of the group is coarse or has a longer minimum."""
    kind, tcp = settings.transport(group)
    for timer in tcp.get("timers", {}).values() if kind == "tcp" else ():
        tick, least = (quantity.parse(str(timer.get(name, "0 s"))) for name in ("tick", "min"))
        is_coarse = tick is not None and tick.value >= COARSE
        if is_coarse or (least is not None and least.value > LEAST_TIMEOUT):
            return (f"flow.{group}.transport.tcp.timers={{ rfc6298 = {{}} }}",)
    return ()


def larger_window(settings: Settings, group: MeasuredGroup, reason: str) -> tuple[str, ...]:
    """Twice the parameter that limited the group, if it is a number."""
    kind, transport = settings.transport(group.name)
    path = f"flow.{group.name}.transport.{kind}"
    if reason == "receiver_window" and kind == "xtp":
        return (f"{path}.buffer={2 * int(transport['buffer'])}",)
    if reason == "slow_start" and kind == "tcp" and not group.mean("loss_events"):
        return (f"{path}.initial_window={2 * int(transport['initial_window'])}",)
    name = {"receiver_window": "window", "rate": "rate"}.get(reason, "")
    known = quantity.parse(str(transport.get(name, "")))
    if not name or known is None:
        return ()
    factor, unit = quantity.scale(2 * known.value, known.unit, binary=name == "window")
    return (f"{path}.{name}={2 * known.value / factor:g} {unit}",)
