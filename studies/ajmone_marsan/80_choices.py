"""Other answers to what the paper leaves open."""

from __future__ import annotations

from cellrelay.studies import alternative

from .loads import START, TCP_FILES, XTP_FILES
from .transports import TCP, XTP

at_once = alternative("starts within 50 ms", {START: '{ uniform = ["0 s", "50 ms"] }'}, XTP_FILES)
believed = alternative("repeated NAKs believed", {f"{XTP}.repeated_nak": "believed"}, XTP_FILES)
late = alternative("WTIMER 500 ms at first", {f"{XTP}.wtimer.initial": "500 ms"}, XTP_FILES)
early = alternative("WTIMER 1 ms at first", {f"{XTP}.wtimer.initial": "1 ms"}, XTP_FILES)
at_their_word = alternative(
    "every answer believed and measured",
    {f"{XTP}.repeated_nak": "believed", f"{XTP}.wtimer.round_trips": "all"},
    XTP_FILES,
)
coarse = alternative(
    "TCP's ticks of 10 ms",
    {f"{TCP}.timers": '{ bsd = { tick = "10 ms", deviations = 4 } }'},
    TCP_FILES,
)
