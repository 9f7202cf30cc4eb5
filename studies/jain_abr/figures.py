"""The network of the tables."""

from __future__ import annotations

from cellrelay.plot import Box, Diagram
from cellrelay.studies import exhibit
from cellrelay.studies.claim import Measured


@exhibit(
    "network",
    "n sources, and VBR traffic.",
    "Each source has a link to the first switch, each destination one from the second; all carry"
    " 155.52 Mbit/s and are equally long, but where the table says otherwise. The output of the"
    " first switch to the second is congested. VBR traffic has priority there.",
)
def network(_: Measured) -> Diagram:
    names = ("source 1", "source n", "camera")
    ends = ("destination 1", "destination n", "screen")
    heights = (1.4, 0.0, -1.2)
    boxes = [Box("switch 1", 2.6, 0.0), Box("switch 2", 5.2, 0.0)]
    links = [("switch 1", "switch 2", "")]
    for name, end, height in zip(names, ends, heights, strict=True):
        boxes += [Box(name, 0.0, height), Box(end, 7.8, height)]
        links += [(name, "switch 1", ""), ("switch 2", end, "")]
    return Diagram(tuple(boxes), tuple(links), ((0.0, 0.7), (7.8, 0.7)))
