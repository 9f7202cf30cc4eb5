"""TCP over several hops: plain ATM, early packet discard, credits, and gateways of packets."""

from __future__ import annotations

from pathlib import Path

from cellrelay.studies import Study, Table

from . import beyond, comparison, figures, networks, windows
from .experiments import EXPERIMENTS

FOLDER = Path(__file__).parent

STUDY = Study(
    name="kalampoukas-varma",
    folder=FOLDER,
    title="Performance of TCP over multi-hop ATM networks",
    reference="L. Kalampoukas and A. Varma, Performance of TCP over Multi-Hop ATM Networks: A"
    " Comparative Study of ATM-Layer Congestion Control Schemes, ICC '95, and UCSC-CRL-95-13.",
    summary="TCP connections over several switches share each link with others that pass it alone."
    " How much do the long ones get with plain ATM, with early packet discard (EPD), with credits"
    " from link to link, and over gateways of whole packets?\n\n"
    "The authors find that plain ATM is unfair, that EPD helps and comes close to gateways but not"
    " with small buffers, and that credits are best. The text of the paper is not to be had: the"
    " network is ours, and what is compared is which scheme is better than which.",
    experiments=EXPERIMENTS,
    figures=[
        networks.network,
        figures.atm_or_packets,
        figures.throughput,
        figures.shares,
        figures.repetitions,
        figures.delays,
        windows.windows,
        beyond.looking,
        beyond.looking_throughput,
        beyond.memory,
        beyond.senders,
        beyond.senders_fairness,
        beyond.links,
        beyond.connections,
        beyond.connections_fairness,
        beyond.choices,
    ],
    claims=[
        comparison.plain_is_unfair,
        comparison.early_is_fairer,
        comparison.small_buffers_are_unacceptable,
        comparison.credits_are_best,
        windows.large_windows_repeat,
        comparison.cells_waste_more,
    ],
    choices=Table.in_markdown(FOLDER / "README.md", "What the paper leaves open"),
)
