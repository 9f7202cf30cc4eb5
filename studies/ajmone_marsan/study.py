"""TCP and XTP over ATM: a window against a rate, with other traffic on the way."""

from __future__ import annotations

from pathlib import Path

from cellrelay.studies import Study, Table

from . import parking, rate, window
from .experiments import EXPERIMENTS
from .figures import FIGURES

FOLDER = Path(__file__).parent

STUDY = Study(
    name="ajmone-marsan",
    folder=FOLDER,
    title="On the performance of transport protocols over ATM networks",
    reference="M. Ajmone Marsan, A. Bianco, R. Lo Cigno, M. Munafò and M. Baldi, On the Performance"
    " of Transport Protocols over ATM Networks.",
    summary="Three file transfers over 1000 km share links of 150 Mbit/s with other traffic, which"
    " is varied. TCP keeps to a window, and makes it smaller when something is lost; XTP keeps to a"
    " rate of 50 Mbit/s, come what may. Which of them gets more through, and how much of what they"
    " send is for nothing?\n\n"
    "The authors find that the two do not differ strikingly, that the window of TCP must be neither"
    " too small nor too large, that XTP knows no answer to congestion but the handshakes that it"
    " falls into, and that shaping the cells helps neither, but makes a parking lot fair. They left"
    " out selective acknowledgments, which this report adds.",
    experiments=EXPERIMENTS,
    figures=FIGURES,
    claims=[
        window.light_load_is_carried,
        window.connections_are_alike,
        window.large_windows_do_badly,
        window.segment_size,
        window.shaping_does_not_help,
        rate.low_loads_are_carried,
        rate.go_back_n_collapses,
        rate.shaping_changes_little,
        rate.fewer_requests,
        rate.handshakes_help,
        rate.shaping_spoils,
        window.stop_and_wait,
        parking.third_is_worst,
        parking.only_one_link_counts,
        parking.window_wastes_less,
        parking.little_difference,
        parking.protocols_are_alike,
        window.selective_acknowledgments,
    ],
    choices=Table.in_markdown(FOLDER / "README.md", "What the paper leaves open"),
)
