"""Do NewReno, SACK and other changes of the senders help?"""

from __future__ import annotations

from typing import Any

from cellrelay.plot import Chart
from cellrelay.results import Results
from cellrelay.scenario import Replications
from cellrelay.studies import (
    Outcome,
    Verdict,
    above,
    claim,
    exhibit,
    experiment,
    gain,
    judge,
)

from .reads import COLLAPSED, MANY, TCP, below, by_servers, drawn, goodput, read, servers

SERVERS = (4, 8, 16, 32, 64, 128)
FIRST = 8
"""Servers with which Reno has collapsed."""
GROWTH = {"growth": {"at_ssthresh": "linear", "increment": "exact"}}
NS = {"flavour": "ns", "timer": "every", "exit": "ssthresh"}
"""NewReno as in ns-2."""
NEW_RENO: dict[str, Any] = {f"{TCP}.congestion": {"new_reno": {**NS, **GROWTH}}}
SENDERS: dict[str, dict[str, Any]] = {
    "Reno": {},
    "NewReno": NEW_RENO,
    "SACK": {f"{TCP}.congestion": {"sack": {"pipe": "fall_floyd", **GROWTH}}},
}
CHANGES: dict[str, dict[str, Any]] = {
    "NewReno": NEW_RENO,
    "limited transmit": {**NEW_RENO, f"{TCP}.limited_transmit": True},
    "one duplicate": {**NEW_RENO, f"{TCP}.duplicates": 1},
    "no slow start": {**NEW_RENO, f"{TCP}.initial_ssthresh": "2080 B"},
}
"""Changes of the senders in the authors' scripts."""

senders = experiment(
    "reads.toml",
    "Synchronised reads, by congestion control",
    {"sender": SENDERS, **servers(SERVERS)},
    quick={"duration": "3 s"},
    quick_sweep=servers((8, 64)),
    quick_replications=Replications.exactly(2),
)
changes = experiment(
    "reads.toml",
    "Synchronised reads, by a change of NewReno",
    {"change": CHANGES, **servers(SERVERS)},
    {"duration": "10 s"},
    quick={"duration": "1 s"},
    quick_sweep=servers((8, 32)),
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "senders",
    "Goodput over the number of servers, by congestion control.",
    "A port of 64 packets, parts of 256 kB. Means, with 95 % intervals.",
)
def by_sender(senders: Results) -> Chart:
    return drawn(senders, "sender", "congestion control", SERVERS)


@exhibit(
    "changes",
    "Goodput over the number of servers, by a change of NewReno.",
    "Changes that the authors' scripts try: limited transmit, a fast retransmit after one duplicate"
    " acknowledgment, and no slow start before the first loss. Means, with 95 % intervals.",
)
def by_change(changes: Results) -> Chart:
    return drawn(changes, "change", "sender", SERVERS)


@claim(
    "incast-6",
    "NewReno and SACK only delay the collapse to more servers.",
    rule=f"each reads more than Reno from {FIRST} servers, by the interval of the paired"
    f" difference, and less than a fifth of the link's rate from {MANY}",
    where="Krevat et al., On Application-level Approaches to Avoiding TCP Throughput Collapse,"
    " 2007, by the same authors, as summarised by A. Tam, adrian.idv.hk, 2011",
    of_paper='"it only delayed the throughput collapse to more servers"',
    ours=f"{FIRST} and {MANY} servers, and a fifth, as for the collapse",
    expect=Verdict.REPRODUCED,
)
def delay_only(senders: Results) -> Outcome:
    reno = by_servers(senders, sender="Reno")
    checks, words = [], []
    for name in ("NewReno", "SACK"):
        points, reads = by_servers(senders, sender=name), read(senders, sender=name)
        more = gain(goodput, points[FIRST], reno[FIRST])
        checks.append(above(f"{name} with {FIRST} servers", more))
        checks.append(below(f"{name} with {MANY} servers", reads[MANY], COLLAPSED))
        words.append(f"{name} {more} more with {FIRST} servers, {reads[MANY]} with {MANY}")
    return judge(f"{'; '.join(words)}, in Mbit/s", checks)
