"""TCP over plain ATM, with packet discard, and over whole packets: ten connections, one switch."""

from __future__ import annotations

from pathlib import Path

from cellrelay.studies import Study, Table

from . import accounting, figures, senders, sensitivity, throughput
from .experiments import EXPERIMENTS

FOLDER = Path(__file__).parent

STUDY = Study(
    name="romanow-floyd",
    folder=FOLDER,
    title="Dynamics of TCP traffic over ATM networks",
    reference="A. Romanow and S. Floyd, Dynamics of TCP Traffic over ATM Networks, IEEE Journal on"
    " Selected Areas in Communications 13(4), 1995.",
    summary="Ten TCP connections share one output of an ATM switch. When its buffer overflows, the"
    " switch loses cells; the rest of each damaged packet still crosses the congested link, for"
    " nothing. How much throughput does that cost, and does it help if the switch refuses what is"
    " left of a damaged packet (partial packet discard, PPD) or whole packets before its buffer"
    " is full (early packet discard, EPD)?\n\n"
    "The paper found that plain ATM can lose two thirds of the capacity, that PPD recovers some"
    " of it, and that EPD is as good as a network of whole packets.",
    experiments=EXPERIMENTS,
    figures=[
        figures.topology,
        figures.plain_throughput,
        figures.packets_and_discard,
        figures.excess_buffer,
        figures.cells_lost,
        figures.packets_resent,
        accounting.capacity,
        sensitivity.floor_by_backoff,
        sensitivity.guarded,
        sensitivity.other_choices,
        sensitivity.clock,
        sensitivity.clock_fairness,
        sensitivity.duplicates,
    ],
    claims=[
        throughput.packets_do_well,
        throughput.plain_does_badly,
        throughput.plain_falls,
        throughput.packets_do_not_care,
        throughput.hardly_idle,
        throughput.dead_cells,
        throughput.partial_between,
        throughput.early_does_well,
        throughput.excess_is_needed,
        senders.resends,
        senders.coarse_clock,
        senders.fine_clock,
        senders.one_duplicate,
        accounting.everything_counted,
    ],
    choices=Table.in_markdown(FOLDER / "README.md", "What the paper leaves open"),
    known_as={
        "figure-3": "packet",
        "figure-4": "partial",
        "figure-5": "early",
        "figure-8": "plain",
        "figure-9": "early",
        "figure-10": "packet",
    },
)
