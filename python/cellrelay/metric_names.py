"""Names of metrics by kind of scope, as types that editors and type checkers know.

Generated from the table of metrics in Rust; `make generate` writes it anew.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

NetworkMetric: TypeAlias = Literal[
    "effective_throughput",
    "goodput",
    "fairness_index",
]

FlowMetric: TypeAlias = Literal[
    "goodput",
    "efficiency",
    "retransmission_ratio",
    "timeouts",
    "fast_retransmits",
    "loss_events",
    "mean_pause",
    "paused_share",
    "mean_delay",
    "median_delay",
    "p95_delay",
    "p99_delay",
    "p999_delay",
    "max_delay",
    "mean_rtt",
    "messages",
    "mean_completion_time",
    "median_completion_time",
    "p95_completion_time",
    "p99_completion_time",
    "p999_completion_time",
    "max_completion_time",
    "limited_by_slow_start",
    "limited_by_congestion_window",
    "limited_by_receiver_window",
    "limited_by_rate",
    "limited_by_handshake",
    "limited_by_application",
    "limited_by_timeout",
    "limited_by_link",
    "limited_by_acr",
    "limited_by_contract",
    "limited_by_credit",
    "packets_sent",
    "distinct_packets",
    "packets_resent",
    "octets_sent",
    "octets_delivered",
    "packets_delivered",
    "rtt_samples",
    "cells_policed",
    "cells_tagged",
    "cells_dropped",
    "packets_damaged",
    "octets_damaged",
    "mean_source_queue",
    "max_source_queue",
    "rm_cells_in_rate",
    "rm_cells_out_of_rate",
    "rm_cells_turned_around",
    "rm_cells_overwritten",
    "rm_cells_lost",
]

PortMetric: TypeAlias = Literal[
    "cell_loss_ratio",
    "packet_loss_ratio",
    "marked_share",
    "credit_share",
    "stalled_share",
    "utilization",
    "idle_share",
    "useful_share",
    "padding_share",
    "resent_share",
    "dead_cell_share",
    "background_share",
    "control_share",
    "underway_share",
    "mean_queue",
    "max_queue",
    "cells_offered",
    "packets_offered",
    "units_accepted",
    "mean_load_factor",
    "mean_active_vcs",
    "mean_fair_share",
    "abr_capacity",
    "allocation_time",
]

ClassMetric: TypeAlias = Literal[
    "utilization",
    "cell_loss_ratio",
    "mean_wait",
    "max_wait",
    "mean_queue",
    "max_queue",
    "cells_offered",
    "cells_started",
]

LinkMetric: TypeAlias = Literal[
    "packets_lost",
    "packet_loss_ratio",
    "cells_lost",
    "cell_loss_ratio",
    "fragments_lost",
    "fragment_loss_ratio",
    "packets_offered",
    "fragments_offered",
    "cells_offered",
]

DropMetric: TypeAlias = Literal[
    "overflow",
    "threshold",
    "remainder",
    "pushed_out",
    "policed",
    "lost",
]
