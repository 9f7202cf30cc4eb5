"""What XTP hinges on, which the paper leaves open."""

from __future__ import annotations

from cellrelay.plot import Panel
from cellrelay.results import Results
from cellrelay.studies import Measure

from .charts import pair, panel
from .loads import BRIEF, FEW_LOADS, Points, bottleneck, transports
from .measures import by_load
from .transports import RETRANSMISSIONS, SMALL, THIRD, WINDOWS, xtp

AS_CHOSEN, LATE, BELIEVED = "as chosen", "500 ms at first", "repeated NAKs believed"
"""XTP: with what is chosen; with a long WTIMER before the first round trip; without the guard."""


def otherwise() -> Points:
    """XTP with short frames, one other choice changed at a time."""
    buffer = WINDOWS[THIRD][SMALL]
    points = {}
    for resent in RETRANSMISSIONS:
        points[f"{resent}, {AS_CHOSEN}"] = xtp(SMALL, buffer, resent)
        points[f"{resent}, {LATE}"] = xtp(SMALL, buffer, resent, initial="500 ms")
        points[f"{resent}, {BELIEVED}"] = xtp(SMALL, buffer, resent, repeated_nak="believed")
    return points


choices = bottleneck(
    f"XTP with frames of {SMALL}, one other choice changed at a time",
    {"choice": transports(otherwise())},
    BRIEF,
    FEW_LOADS,
)


@pair(
    "choices",
    "Choices that determine the results of XTP",
    f"Bottleneck, frames of {SMALL}, unshaped: with the choices of this report; with a WTIMER of"
    " half a second until the first measurement of the round trip; and with every report of"
    " missing data accepted, even if the report was sent before the retransmission arrived.",
    "choice",
)
def one_changed(measure: Measure, choices: Results) -> list[Panel]:
    names = choices.values("choice")
    return [
        panel(
            resent,
            {
                name.removeprefix(f"{resent}, "): by_load(choices, choice=name)
                for name in names
                if name.startswith(resent)
            },
            measure,
        )
        for resent in RETRANSMISSIONS
    ]
