"""TCP over ABR: buffers, throughput and fairness under ERICA, with and without VBR traffic."""

from __future__ import annotations

from pathlib import Path

from cellrelay.studies import Study, Table

from . import (
    buffers,
    controls,
    counting,
    edge_room,
    edges,
    figures,
    hinges,
    losses,
    queue_control,
    regimes,
    sharing,
    six_links,
    spread,
    table,
)
from .experiments import EXPERIMENTS

FOLDER = Path(__file__).parent

STUDY = Study(
    name="jain-abr",
    folder=FOLDER,
    title="TCP/IP over ABR with ERICA",
    reference="R. Jain, S. Kalyanaraman, R. Goyal, S. Fahmy and S.-C. Kim, slides on TCP/IP over"
    " ABR, ATM Forum, 1996; S. Kalyanaraman, dissertation, Ohio State University, 1997; B."
    " Vandalore, S. Fahmy, R. Jain, R. Goyal and M. Goyal, ATM Forum 98-0408, 1998; B. Vandalore,"
    " R. Jain, R. Goyal and S. Fahmy, IC3N'98; S. Kalyanaraman and others, ATM Forum 96-1294,"
    " 1996.",
    summary="In a network of explicit rates a switch tells each source how fast to send. How much"
    " buffer does it need so that TCP over it never loses a cell, what throughput is left, and how"
    " fairly is it shared; with many sources, long ways, and video traffic that comes and goes"
    " above them?\n\n"
    "The slides answer with tables, a rare case of a simulation of ABR that is printed number by"
    " number: three round trips of buffer suffice, four with VBR traffic if the switch watches its"
    " queue. This report puts each number beside its own. It goes on to what the slides do not ask:"
    " more sources, and an ATM backbone between packet networks, where the queue moves to the"
    " edges.",
    experiments=EXPERIMENTS,
    figures=[
        figures.network,
        table.rows,
        hinges.rows,
        spread.rows,
        regimes.plain,
        regimes.fast,
        buffers.over_sources,
        buffers.over_periods,
        buffers.over_intervals,
        losses.over_losses,
        controls.trade_off,
        counting.counted,
        sharing.over_time,
        six_links.network,
        six_links.over_time,
        six_links.rates,
        queue_control.over_time,
        queue_control.statistics,
        queue_control.peaks,
        edges.network,
        edges.over_time,
        edges.queues,
        edges.losses,
        edges.through,
        edge_room.trade_off,
    ],
    claims=[
        table.rows_come_out,
        table.stability,
        table.shares_are_fair,
        buffers.three_round_trips,
        buffers.four_round_trips,
        buffers.any_period,
        losses.enough,
        buffers.any_number_of_sources,
        buffers.grows_with_round_trip,
        buffers.shorter_feedback,
        buffers.longer_intervals,
        regimes.cures,
        losses.says_little,
        counting.seen_of_all,
        sharing.law,
        sharing.fair_rates,
        six_links.fair_everywhere,
        queue_control.settles,
        queue_control.peaks_by_rate,
        edges.queue_moves,
        edges.nothing_lost_inside,
        edges.no_more_throughput,
        edge_room.room_for_windows,
    ],
    choices=Table.in_markdown(FOLDER / "README.md", "What the slides leave open"),
)
