"""The EPD threshold, which decides how close EPD comes to routers that forward whole packets
(`gateways`)."""

from __future__ import annotations

from cellrelay.results import Results
from cellrelay.studies import Table, exhibit, known

from .measures import by_buffer, fairness, filled, ratio
from .schemes import DATAGRAM, EPD, PLAIN, THRESHOLDS
from .variants import AMPLE, MIDDLE, sized, varied

thresholds = varied(
    "Early packet discard, by threshold",
    {"scheme": THRESHOLDS, "buffer": sized(AMPLE)},
    quick_sweep={"scheme": THRESHOLDS, "buffer": sized((MIDDLE,))},
    replications=None,
)


@exhibit(
    "thresholds",
    "Early packet discard, by threshold.",
    "The abstract does not give the threshold. With half of the buffer, as Romanow and Floyd have"
    " it, links carry less than with gateways; with a higher one they carry more, until too little"
    " room is left for packets on their way. As chosen, it is a packet below the buffer.",
)
def by_threshold(buffers: Results, thresholds: Results) -> Table:
    curves = {
        PLAIN: by_buffer(buffers, PLAIN),
        f"{EPD}, a packet below the buffer": by_buffer(buffers, EPD),
        **{f"{EPD}, {name}": by_buffer(thresholds, name) for name in THRESHOLDS},
        DATAGRAM: by_buffer(buffers, DATAGRAM),
    }
    measures = (ratio, fairness, filled)
    rows = [
        [name, buffer, *(str(known(measure, points[buffer])) for measure in measures)]
        for buffer in AMPLE
        for name, points in curves.items()
        if buffer in points
    ]
    return Table(["scheme", "buffer", "long/short", "Jain", "share of what a link can hold"], rows)
