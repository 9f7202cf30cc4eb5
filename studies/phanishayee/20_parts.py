"""Do larger parts of a block avoid the collapse?"""

from __future__ import annotations

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

from .reads import by_servers, drawn, goodput, parts, servers

SIZES = ("10 kB", "100 kB", "256 kB", "1 MB")
SERVERS = (4, 8, 16, 32, 64)
COMPARED = (8, 16, 32, 64)

sizes = experiment(
    "reads.toml",
    "Synchronised reads, by the size of the parts",
    {"size": {size: parts(size) for size in SIZES}, **servers(SERVERS)},
    quick={"duration": "3 s"},
    quick_sweep={"size": {size: parts(size) for size in ("256 kB", "1 MB")}, **servers((8, 64))},
    replications=Replications.exactly(3),
    quick_replications=Replications.exactly(2),
)


@exhibit(
    "sizes",
    "Goodput over the number of servers, by the size of a server's part.",
    "A port of 64 packets. Means, with 95 % intervals. The authors' scripts have the same sizes,"
    " and call them server request units (SRU).",
)
def by_size(sizes: Results) -> Chart:
    return drawn(sizes, "size", "part of a server", SERVERS)


@claim(
    "incast-5",
    "Larger parts mitigate the collapse.",
    rule="at each number of servers from 8 on, the mean goodput with parts of 1 MB exceeds that"
    " with 256 kB; undecided where the interval of the paired difference includes zero",
    where="Krevat et al., On Application-level Approaches to Avoiding TCP Throughput Collapse,"
    " 2007, by the same authors, as summarised by A. Tam, adrian.idv.hk, 2011",
    of_paper='"Increase the SRU size", in the list of remedies',
    ours="the sizes, two of those in the authors' scripts",
    expect=Verdict.REPRODUCED,
)
def larger_parts(sizes: Results) -> Outcome:
    small, large = (by_servers(sizes, size=size) for size in ("256 kB", "1 MB"))
    gains = {f"{n:g} servers": gain(goodput, large[n], small[n]) for n in small if n in COMPARED}
    words = ", ".join(f"{more} with {name}" for name, more in gains.items())
    return judge(
        f"gains of {words}, in Mbit/s", [above(name, more) for name, more in gains.items()]
    )
