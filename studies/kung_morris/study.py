"""One TCP connection through a slow output: why cells cost it a second and a half at a time."""

from __future__ import annotations

from pathlib import Path

from cellrelay.studies import Study, Table

from . import alternatives, figures, overflow, remedies, sketch
from .experiments import EXPERIMENTS

FOLDER = Path(__file__).parent

STUDY = Study(
    name="kung-morris",
    folder=FOLDER,
    title="Detailed behavior of TCP over ATM",
    reference="H. T. Kung and R. Morris, Detailed Behavior of TCP over ATM, the simplified version"
    " of their paper at GLOBECOM '95.",
    summary="A workstation sends with TCP from a fast link through the CreditNet switch to a slow"
    " one. Why does so little get through, unless the buffer of the switch holds nearly the whole"
    " window?\n\n"
    "When a window has grown too large, a switch of packets loses one packet and TCP repairs that"
    " at once. A switch of cells damages two, and TCP waits for its timer, a second and a half at a"
    " time. Refusing what is left of a damaged packet (partial packet discard, PPD) changes little;"
    " refusing whole packets (early packet discard, EPD) would help, the authors expect, and so"
    " would senders that repair several losses. This report shows both.",
    experiments=EXPERIMENTS,
    figures=[
        figures.network,
        figures.by_buffer,
        figures.over_time,
        figures.overflow,
        sketch.drawn,
        figures.pauses,
        figures.damage,
        figures.two_connections,
        figures.two_pauses,
        alternatives.senders_plain,
        alternatives.senders_partial,
        alternatives.clocks,
        alternatives.growth,
        alternatives.room,
        alternatives.orbits,
        alternatives.choices,
    ],
    claims=[
        overflow.cliff_below_the_window,
        overflow.pauses,
        overflow.two_are_damaged,
        overflow.partial_changes_little,
        overflow.early_concentrates,
        remedies.both_wait,
        remedies.senders_could_do_better,
        sketch.two_thirds_lost,
    ],
    choices=Table.in_markdown(FOLDER / "README.md", "What the paper leaves open"),
)
