"""What a scenario may hold, as types that editors and type checkers know.

Generated from the statement of the parameters in Rust; `make generate` writes it anew. Quantities
are texts with a unit, and every key may be left out that has a default.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict

BufferSize: TypeAlias = str
"""For example `1000 cells`."""

Duration: TypeAlias = str
"""For example `5 ms`."""

LevelInABuffer: TypeAlias = str
"""For example `50 %`."""

Load: TypeAlias = str
"""For example `20 Mbit/s`."""

MessageLength: TypeAlias = str
"""For example `20 cells`."""

NumberOfCells: TypeAlias = str
"""For example `1000 cells`."""

Percentage: TypeAlias = str
"""For example `50 %`."""

Rate: TypeAlias = str
"""For example `155.52 Mbit/s`."""

SizeInBytes: TypeAlias = str
"""For example `9180 B`."""


class Scenario(TypedDict, total=False):
    """A scenario: a network, what flows through it, and how often it is run."""

    title: str
    """What the scenario shows, in a line."""

    duration: Duration
    """Simulated time. From `1 ps` to `1000 h`."""

    warm_up: Duration
    """Time at the start that nothing is measured in. Default: `0 s`."""

    batches: int
    """Parts of equal length, after the warm-up, that are measured each for itself, so that one
    long run has an interval; one part, if not given. From `2` to `100000`.
    """

    seed: int
    """What random numbers are derived from. Default: `1`."""

    host: dict[str, Host]
    """Hosts and groups of hosts, by name."""

    switch: dict[str, Switch]
    """Switches, by name."""

    router: dict[str, Router]
    """Routers, by name."""

    edge: dict[str, Edge]
    """Edge routers and groups of them, by name."""

    link: dict[str, Link]
    """Links between hosts, switches, routers and edges, by name."""

    topology: Topology
    """Nodes and links that make a topology with a name, if there is one."""

    flow: dict[str, Flow]
    """Flows between hosts, by name."""

    sweep: dict[str, list[Any] | dict[str, dict[str, Any]]]
    """Values that vary: an axis is a path in quotes with a list of its values, or a name with a
    table of points, each a table of the paths that it sets; `without` lists combinations that
    are left out, each a table of axes with a value or a list of values.
    """

    replications: Replications
    """How often each point is run. Default: `{}`."""

    record: Record
    """What is recorded over time, if anything is."""


class Host(TypedDict, total=False):
    """A host, or a group of like ones."""

    count: int
    """How many; members are called `name[0]`, `name[1]` and so on. One, called `name`, if not
    given. From `1` to `100000`.
    """


class Switch(TypedDict, total=False):
    """A switch; where flows are carried as whole packets it acts as a router with the same
    buffer and discard policy, and its fabric does not matter.
    """

    fabric: Fabric
    """How cells cross the switch. Default: `{ immediate = {} }`."""

    buffer: Buffer
    """How buffer memory is shared."""

    discard: Discard
    """Which cells a buffer refuses. Default: `{ tail_drop = {} }`."""

    scheduler: Scheduler
    """In what order an output sends the cells that wait. Default: `{ fifo = {} }`."""

    mark: Mark
    """Which cells an output marks, if any."""

    rate: Allocator
    """How an output controls the rates of ABR sources, if it does."""

    ties: TieRule
    """What goes first of what happens at one instant; in what order inputs reach an output,
    where the fabric leaves that open. Default: `in_order`.
    """


class Fabric(TypedDict, total=False):
    """How cells cross a switch.

    Exactly one of these.
    """

    immediate: ImmediateFabric
    """Cells reach the output as they arrive; the switch adds no clock of its own."""

    slotted: SlottedFabric
    """The switch moves cells at the ends of its own cell slots, where inputs contend for
    outputs.
    """


class ImmediateFabric(TypedDict, total=False):
    """Cells reach the output as they arrive; the switch adds no clock of its own."""


class SlottedFabric(TypedDict, total=False):
    """The switch moves cells at the ends of its own cell slots, where inputs contend for
    outputs.
    """

    speedup: int
    """Cells that may enter one output in one slot; all that come, if not given. From `1` to
    `65536`.
    """

    order: Order
    """Which inputs go first. Default: `round_robin`."""

    clock: Rate
    """Rate whose cell time is the slot; that of the fastest link, if not given."""


Order: TypeAlias = Literal["round_robin", "random", "input"]
"""Which inputs send when more want an output than it takes, and in what order they enter it.

`round_robin`: Chosen cyclically, from the one after the last served; those chosen enter
in random order.

`random`: Chosen, and entering, in a fresh random order each slot.

`input`: Chosen, and entering, by number, lowest first.
"""


class Buffer(TypedDict, total=False):
    """How buffer memory is shared among the outputs.

    Exactly one of these.
    """

    per_output: BufferSize
    """Each output has a buffer of this size to itself; a router counts it in octets, 53 to a
    cell.
    """

    per_class: PerClassBuffer
    """Each output has a buffer for each service class. A class without one must not come here."""

    per_channel: BufferSize
    """Each channel of each output has a buffer of this size to itself; a router counts it in
    octets, 53 to a cell.
    """

    shared: SharedBuffer
    """All outputs share one memory, and a discard policy sees how full that is."""


class PerClassBuffer(TypedDict, total=False):
    """Each output has a buffer for each service class. A class without one must not come here."""

    cbr: BufferSize
    """Constant bit rate."""

    rt_vbr: BufferSize
    """Variable bit rate, for what cannot wait."""

    nrt_vbr: BufferSize
    """Variable bit rate, for what can."""

    abr: BufferSize
    """Available bit rate."""

    ubr: BufferSize
    """Unspecified bit rate."""


class SharedBuffer(TypedDict, total=False):
    """All outputs share one memory, and a discard policy sees how full that is."""

    size: BufferSize
    """What fits into it."""

    counted: Counted
    """Octets that a cell counts for, where sizes are given in bytes. Default: `cells`."""


Counted: TypeAlias = Literal["cells", "payload"]
"""What a cell counts for in a memory whose size is given in bytes.

`cells`: All of the cell: 53 octets.

`payload`: Its payload: 48 octets.
"""


class Discard(TypedDict, total=False):
    """Which cells or packets an output buffer refuses.

    Exactly one of these.
    """

    tail_drop: TailDropDiscard
    """Refuses a cell or packet when there is no room for it, and thinks no further."""

    partial_packet: PartialPacketDiscard
    """After one lost cell, refuses the remaining cells of that PDU, but not its last."""

    early_packet: EarlyPacketDiscard
    """Refuses whole PDUs once the queue has reached a threshold, or leaves too little room."""

    partial_buffer_sharing: PartialBufferSharingDiscard
    """Refuses cells of low priority (CLP = 1) once the queue has reached a threshold, and others
    when there is no room.
    """

    push_out: PushOutDiscard
    """Refuses what does not fit, but lets a cell of high priority (CLP = 0) push out the last of
    low priority that waits.
    """

    selective_drop: SelectiveDropDiscard
    """Beyond a threshold, refuses whole PDUs of channels that hold more than their part of the
    queue.
    """

    fair_buffer_allocation: FairBufferAllocationDiscard
    """Beyond a threshold, refuses whole PDUs of channels that hold more than their part of the
    queue, by a measure that falls as the buffer fills.
    """

    random_early: RandomEarlyDiscard
    """Refuses at random, the likelier the longer the queue is on average."""


class TailDropDiscard(TypedDict, total=False):
    """Refuses a cell or packet when there is no room for it, and thinks no further."""


class PartialPacketDiscard(TypedDict, total=False):
    """After one lost cell, refuses the remaining cells of that PDU, but not its last."""


class EarlyPacketDiscard(TypedDict, total=False):
    """Refuses whole PDUs once the queue has reached a threshold, or leaves too little room."""

    threshold: LevelInABuffer
    """Queue length from which PDUs that have not begun are refused; half of the buffer, if
    neither this nor `room` is given.
    """

    room: LevelInABuffer
    """Room that must be left for a PDU to begin, instead of a threshold."""

    overflow: Overflow
    """What becomes of a PDU that has begun when its cells find the buffer full. Default:
    `partial_packet`.
    """


Overflow: TypeAlias = Literal["partial_packet", "tail_drop"]
"""What becomes of a PDU that has begun when its cells find the buffer full.

`partial_packet`: The rest of the damaged PDU is refused, except its last cell.

`tail_drop`: Each cell is accepted whenever it fits.
"""


class PartialBufferSharingDiscard(TypedDict, total=False):
    """Refuses cells of low priority (CLP = 1) once the queue has reached a threshold, and others
    when there is no room.
    """

    threshold: LevelInABuffer
    """Queue length from which cells of low priority are refused. Default: `50 %`."""


class PushOutDiscard(TypedDict, total=False):
    """Refuses what does not fit, but lets a cell of high priority (CLP = 0) push out the last of
    low priority that waits.
    """


class SelectiveDropDiscard(TypedDict, total=False):
    """Beyond a threshold, refuses whole PDUs of channels that hold more than their part of the
    queue.
    """

    threshold: LevelInABuffer
    """Queue length beyond which channels are compared. Default: `90 %`."""

    factor: float
    """How many times the mean of those that have anything waiting a channel may hold, there.
    From `0.01` to `100`. Default: `0.8`.
    """

    overflow: Overflow
    """What becomes of a PDU that has begun when its cells find the buffer full. Default:
    `partial_packet`.
    """


class FairBufferAllocationDiscard(TypedDict, total=False):
    """Beyond a threshold, refuses whole PDUs of channels that hold more than their part of the
    queue, by a measure that falls as the buffer fills.
    """

    threshold: LevelInABuffer
    """Queue length beyond which channels are compared. Default: `50 %`."""

    factor: float
    """How many times the mean of those that have anything waiting a channel may hold, where the
    buffer is full. From `0.01` to `100`. Default: `0.8`.
    """

    overflow: Overflow
    """What becomes of a PDU that has begun when its cells find the buffer full. Default:
    `partial_packet`.
    """


class RandomEarlyDiscard(TypedDict, total=False):
    """Refuses at random, the likelier the longer the queue is on average."""

    minimum: LevelInABuffer
    """Average queue from which some are refused. Default: `20 %`."""

    maximum: LevelInABuffer
    """Average queue from which all are refused. Default: `60 %`."""

    probability: Percentage
    """Probability of a refusal just below `maximum`. From `0.01 %` to `100 %`. Default: `2 %`."""

    weight: Percentage
    """What the latest sample counts for in the average. From `0.0001 %` to `100 %`. Default:
    `0.2 %`.
    """

    unit: Judged
    """What is judged, and makes a sample. Default: `packet`."""

    threshold: LevelInABuffer
    """Queue length from which packets that have not begun are refused whatever the average."""

    typical: SizeInBytes
    """What arrivals are taken to be in the time in which the queue is empty; `500 B`, or a cell
    where those are judged, if not given. From `1 B` to `65535 B`.
    """

    overflow: Overflow
    """What becomes of a packet that has begun when its cells find the buffer full. Default:
    `partial_packet`.
    """


Judged: TypeAlias = Literal["packet", "cell"]
"""What random early detection judges. In a router a packet is both.

`packet`: A packet, when its first cell comes.

`cell`: Each cell by itself.
"""


class Scheduler(TypedDict, total=False):
    """In what order an output sends the cells or packets that wait.

    Exactly one of these.
    """

    fifo: FifoScheduler
    """Cells leave in the order in which they were accepted, whatever channel they are on."""

    round_robin: RoundRobinScheduler
    """Each virtual channel has a queue of its own, and each that is not empty sends one cell in
    turn.
    """

    strict_priority: StrictPriorityScheduler
    """CBR goes before rt-VBR, that before nrt-VBR, that before ABR, and UBR takes what is left."""

    multiclass: MulticlassScheduler
    """Each class is guaranteed a share of the link, and what is left goes by priority and
    weight.
    """

    deficit_round_robin: DeficitRoundRobinScheduler
    """Each channel has a queue of its own, and sends a number of octets in turn."""

    self_clocked: SelfClockedScheduler
    """Each channel has a queue of its own; of what is first there goes what would have been sent
    first if all were served at once, octet by octet.
    """


class FifoScheduler(TypedDict, total=False):
    """Cells leave in the order in which they were accepted, whatever channel they are on."""


class RoundRobinScheduler(TypedDict, total=False):
    """Each virtual channel has a queue of its own, and each that is not empty sends one cell in
    turn.
    """


class StrictPriorityScheduler(TypedDict, total=False):
    """CBR goes before rt-VBR, that before nrt-VBR, that before ABR, and UBR takes what is left."""

    within: Within
    """In what order the cells of one class leave. Default: `fifo`."""


Within: TypeAlias = Literal["fifo", "round_robin"]
"""In what order the cells of one class leave.

`fifo`: As they came, whatever virtual channel they are on.

`round_robin`: Each virtual channel has a queue of its own, and sends one cell in turn.
"""


class MulticlassScheduler(TypedDict, total=False):
    """Each class is guaranteed a share of the link, and what is left goes by priority and
    weight.
    """

    cbr: Prompt
    """Constant bit rate. Default: `{}`."""

    rt_vbr: Prompt
    """Variable bit rate, for what cannot wait. Default: `{}`."""

    nrt_vbr: Patient
    """Variable bit rate, for what can. Default: `{}`."""

    abr: Elastic
    """Available bit rate. Default: `{}`."""

    ubr: Elastic
    """Unspecified bit rate. Default: `{}`."""

    within: Within
    """In what order the cells of one class leave. Default: `fifo`."""


class Prompt(TypedDict, total=False):
    """What is promised to a class that cannot wait."""

    share: Percentage
    """Share of the link that it is guaranteed while it has cells waiting. Default: `0 %`."""

    burst: NumberOfCells
    """Cells of its share that it saves up while it has none waiting. From `1 cell` to `1000000
    cells`. Default: `1 cell`.
    """

    greedy: bool
    """Whether it takes part of what is left by weight, rather than all of it by priority.
    Default: `false`.
    """

    weight: int
    """Its part of what is left among greedy classes, if it is one. From `1` to `1000`. Default:
    `1`.
    """


class Patient(TypedDict, total=False):
    """What is promised to a class that can wait, and takes what it needs."""

    share: Percentage
    """Share of the link that it is guaranteed while it has cells waiting. Default: `0 %`."""

    burst: NumberOfCells
    """Cells of its share that it saves up while it has none waiting. From `1 cell` to `1000000
    cells`. Default: `8 cells`.
    """

    greedy: bool
    """Whether it takes part of what is left by weight, rather than all of it by priority.
    Default: `false`.
    """

    weight: int
    """Its part of what is left among greedy classes, if it is one. From `1` to `1000`. Default:
    `1`.
    """


class Elastic(TypedDict, total=False):
    """What is promised to a class that takes what it can get."""

    share: Percentage
    """Share of the link that it is guaranteed while it has cells waiting. Default: `0 %`."""

    burst: NumberOfCells
    """Cells of its share that it saves up while it has none waiting. From `1 cell` to `1000000
    cells`. Default: `8 cells`.
    """

    greedy: bool
    """Whether it takes part of what is left by weight, rather than all of it by priority.
    Default: `true`.
    """

    weight: int
    """Its part of what is left among greedy classes, if it is one. From `1` to `1000`. Default:
    `1`.
    """


class DeficitRoundRobinScheduler(TypedDict, total=False):
    """Each channel has a queue of its own, and sends a number of octets in turn."""

    quantum: SizeInBytes
    """Octets that a channel may send more with every turn. From `40 B` to `1 MB`. Default: `1500
    B`.
    """


class SelfClockedScheduler(TypedDict, total=False):
    """Each channel has a queue of its own; of what is first there goes what would have been sent
    first if all were served at once, octet by octet.
    """


class Mark(TypedDict, total=False):
    """Which cells or packets an output marks as having met congestion.

    Exactly one of these.
    """

    threshold: ThresholdMark
    """Marks what joins a queue that is longer than a threshold."""


class ThresholdMark(TypedDict, total=False):
    """Marks what joins a queue that is longer than a threshold."""

    above: LevelInABuffer
    """Queue length beyond which units are marked: they find more than this waiting."""


class Allocator(TypedDict, total=False):
    """How an output controls the rates of ABR sources.

    Exactly one of these.
    """

    efci: EfciAllocator
    """Marks the data cells of ABR channels while their queue is long."""

    binary: BinaryAllocator
    """Sets a bit of resource management cells while the queue of ABR cells is long."""

    erica: EricaAllocator
    """ERICA; with a target that follows the queue, ERICA+."""


class EfciAllocator(TypedDict, total=False):
    """Marks the data cells of ABR channels while their queue is long."""

    high: LevelInABuffer
    """Queue length beyond which marking begins."""

    low: LevelInABuffer
    """Queue length at which marking ends."""


class BinaryAllocator(TypedDict, total=False):
    """Sets a bit of resource management cells while the queue of ABR cells is long."""

    high: LevelInABuffer
    """Queue length beyond which it is set."""

    low: LevelInABuffer
    """Queue length at which that ends."""

    set: Bit
    """What is set. Default: `ci`."""

    in_cells: Direction
    """In which cells. Default: `backward`."""


Bit: TypeAlias = Literal["ci", "ni"]
"""What a switch tells a source.

`ci`: Congestion indication: slow down.

`ni`: No increase: go no faster.
"""


Direction: TypeAlias = Literal["forward", "backward"]
"""Which resource management cells a switch writes into.

`forward`: Those on their way to the destination.

`backward`: Those on their way back, which reach the source sooner.
"""


class EricaAllocator(TypedDict, total=False):
    """ERICA; with a target that follows the queue, ERICA+."""

    preset: EricaPreset
    """Parameters of a publication. Its rules hold as they are; numbers that are written beside
    it take the place of its own.
    """

    target: Target
    """How much of the capacity ABR cells are meant to fill. Default: `{ utilization = "90 %" }`."""

    interval: Duration
    """Longest averaging interval. From `10 us` to `10 s`. Default: `1 ms`."""

    cells: int
    """So many cells end an averaging interval too; time alone does if this is left out. From `1`
    to `1000000`.
    """

    count: IntervalCount
    """Which cells end it. Default: `abr_in`."""

    averaging: Averaging
    """How the load factor is averaged over intervals; each speaks for itself if this is left
    out.
    """

    fairness: Fairness
    """What channels are entitled to. Default: `maximum`."""

    max_alloc: MaxAlloc
    """While the load factor is below one or hardly above, everybody may have as much as anybody
    was given in the last interval.
    """

    fair_share_first: bool
    """A channel below the fair share is first given no more than that. Default: `false`."""

    one_feedback_per_interval: bool
    """All feedback to a channel within one interval is the same. Default: `false`."""

    bidirectional_counting: bool
    """A channel of which a resource management cell comes back is active too. Default: `false`."""

    decay_count: DecayCount
    """A channel that falls silent is counted less from interval to interval."""

    immediate_fair_share: bool
    """A channel that wakes makes the fair share smaller at once. Default: `false`."""

    per_vc_rate: bool
    """The rate of a channel is measured here, not read in its resource management cells.
    Default: `false`.
    """


EricaPreset: TypeAlias = Literal["tcp_over_abr_1996", "kalyanaraman_1997", "erica_plus"]
"""ERICA as it was published.

`tcp_over_abr_1996`: As the tables of Jain et al., "TCP/IP over ABR", 1996, come out: the
rule as it was first published, and two modifications. It fills in `target = { utilization
= "90 %" }`, `interval = "1 ms"`, `cells = 100`, `fair_share_first = true`,
`one_feedback_per_interval = true`.

`kalyanaraman_1997`: With averages, and what Kalyanaraman, dissertation, 1997, chapter 6,
adds for rates that shall be equal and for sources that come and go; delta, alpha and
decay are those of later papers. It fills in `target = { utilization = "90 %" }`,
`interval = "1 ms"`, `cells = 100`, `averaging = { cells = { alpha = "20 %" } }`,
`max_alloc = { delta = "10 %" }`, `fair_share_first = true`, `one_feedback_per_interval =
true`, `bidirectional_counting = true`, `decay_count = { decay = "90 %" }`.

`erica_plus`: ERICA+: the queue is held at 0.5 ms, with a and b of Vandalore et al., 1998.
It fills in `target = { queue = { delay = "0.5 ms", curve = { hyperbolic = { a = 1.15, b =
1.05 } } } }`, `interval = "1 ms"`, `cells = 100`, `fair_share_first = true`,
`one_feedback_per_interval = true`.
"""


class Target(TypedDict, total=False):
    """How much of the capacity ABR cells are meant to fill.

    Exactly one of these.
    """

    utilization: Percentage
    """A share of the link, from 1 % on, less what higher classes take."""

    queue: QueueTarget
    """What higher classes leave of the link, times a factor that falls as the queue grows:
    ERICA+.
    """


class QueueTarget(TypedDict, total=False):
    """What higher classes leave of the link, times a factor that falls as the queue grows:
    ERICA+.
    """

    delay: Duration
    """T0: the queue is meant to take so long to drain; `0.5 ms`, if neither this nor `cells` is
    given. From `1 us` to `10 s`.
    """

    cells: NumberOfCells
    """Q0: the queue is meant to be so long, however fast it drains. From `1 cells` to
    `1000000000 cells`.
    """

    curve: Curve
    """How the factor falls. Default: `{ hyperbolic = { a = 1.15, b = 1.05 } }`."""

    steady_until: float
    """Q1 over Q0: up to this queue the factor stays one. From `1` to `1000000`. Default: `1.0`."""

    drain_from: float
    """Q2 over Q0: from this queue on the factor is `drain_limit`; wherever the curve gets there,
    if this is left out. From `1` to `1000000`.
    """

    drain_limit: Percentage
    """The queue drain limit factor (QDLF): the factor is never less. From `1 %` to `100 %`.
    Default: `50 %`.
    """


class Curve(TypedDict, total=False):
    """A factor of the capacity that falls as the queue grows.

    Exactly one of these.
    """

    step: StepCurve
    """One factor below Q0, another beyond Q1."""

    linear: LinearCurve
    """The factor falls by so much for each Q0."""

    hyperbolic: HyperbolicCurve
    """The factor falls fast at first, and then more slowly."""

    inverse_hyperbolic: InverseHyperbolicCurve
    """Beyond Q1 the factor falls slowly at first, and then fast."""


class StepCurve(TypedDict, total=False):
    """One factor below Q0, another beyond Q1."""

    a: float
    """Factor beyond Q1. From `0` to `1`. Default: `0.95`."""

    b: float
    """Factor below Q0. From `1` to `2`. Default: `1.01`."""


class LinearCurve(TypedDict, total=False):
    """The factor falls by so much for each Q0."""

    a: float
    """Fall per Q0 beyond Q1. From `0` to `1`. Default: `0.0625`."""

    b: float
    """Fall per Q0 below Q0. From `0` to `1`. Default: `0.0625`."""


class HyperbolicCurve(TypedDict, total=False):
    """The factor falls fast at first, and then more slowly."""

    a: float
    """How fast beyond Q1. From `1` to `100`. Default: `1.15`."""

    b: float
    """Factor of an empty queue. From `1` to `2`. Default: `1.05`."""


class InverseHyperbolicCurve(TypedDict, total=False):
    """Beyond Q1 the factor falls slowly at first, and then fast."""

    a: float
    """Within `a / 3` times Q1 beyond Q1 the factor falls to one half. From `0.01` to `1000000`.
    Default: `16.5`.
    """

    b: float
    """Factor of an empty queue. From `1` to `2`. Default: `1.05`."""


IntervalCount: TypeAlias = Literal["abr_in", "all_in", "abr_out"]
"""Cells that are counted until an averaging interval ends.

`abr_in`: ABR cells that are offered to the output.

`all_in`: All cells that are offered to it.

`abr_out`: ABR cells that leave it.
"""


class Averaging(TypedDict, total=False):
    """How the load factor is averaged over intervals.

    Exactly one of these.
    """

    load: LoadAveraging
    """The load factor is averaged exponentially, anew after each interval without capacity."""

    cells: CellsAveraging
    """Cells, capacity and the length of intervals are averaged exponentially, and then divided."""


class LoadAveraging(TypedDict, total=False):
    """The load factor is averaged exponentially, anew after each interval without capacity."""

    alpha: Percentage
    """Weight of the last interval. From `0.1 %` to `100 %`. Default: `20 %`."""


class CellsAveraging(TypedDict, total=False):
    """Cells, capacity and the length of intervals are averaged exponentially, and then divided."""

    alpha: Percentage
    """Weight of the last interval. From `0.1 %` to `100 %`. Default: `20 %`."""

    share: Shared
    """Which capacity is shared out. Default: `last`."""


Shared: TypeAlias = Literal["last", "averaged"]
"""The capacity that fair shares are made of, beside a load factor that is averaged.

`last`: That of the last interval. With this the throughput of Jain et al., "TCP/IP over
ABR", 1996, comes out for a target of 70 % under bursts of 1 ms.

`averaged`: The average, so that fair shares are as steady as the load factor.
"""


Fairness: TypeAlias = Literal["maximum", "mcr_plus_equal_share"]
"""What channels are entitled to: two of the criteria of the ATM Forum's specification.

`maximum`: The larger of the minimum cell rate and an equal share of the capacity.

`mcr_plus_equal_share`: The minimum cell rate, and an equal share of what all minima
leave.
"""


class MaxAlloc(TypedDict, total=False):
    """Up to when everybody may have as much as anybody was given."""

    delta: Percentage
    """How far above one the load factor may be. Default: `10 %`."""


class DecayCount(TypedDict, total=False):
    """How a channel that fell silent is counted."""

    decay: Percentage
    """What it counts for in an interval, as a share of what it did in the one before. Default:
    `90 %`.
    """


TieRule: TypeAlias = Literal["in_order", "random"]
"""What goes first of what happens at one instant.

`in_order`: What leaves goes before what arrives, and what arrives together is taken in
the order of the inputs.

`random`: A coin says whether what leaves goes before what arrives, and what arrives
together is taken in random order.
"""


class Router(TypedDict, total=False):
    """A store-and-forward router."""

    buffer: Buffer
    """How buffer memory is shared; counted in octets."""

    discard: Discard
    """Which packets a buffer refuses. Default: `{ tail_drop = {} }`."""

    scheduler: Scheduler
    """In what order an output sends the packets that wait. Default: `{ fifo = {} }`."""

    mark: Mark
    """Which packets an output marks, if any."""

    ties: TieRule
    """What goes first of what happens at one instant. Default: `in_order`."""


class Edge(TypedDict, total=False):
    """An edge router, or a group of like ones: packets on one side, cells on the other."""

    count: int
    """How many; members are called `name[0]`, `name[1]` and so on. One, called `name`, if not
    given. From `1` to `100000`.
    """

    queue: BufferSize
    """Room of each queue: there is one for each virtual channel of a link that carries cells,
    and one for each link that carries packets. A cell counts for 53 octets.
    """

    discard: Discard
    """Which packets a queue refuses. Default: `{ tail_drop = {} }`."""

    mark: Mark
    """Which packets a queue marks, if any."""


class Link(TypedDict, total=False):
    """A link between two nodes, one in each direction; a group joins each of its members."""

    between: list[str]
    """Names of the two nodes or groups."""

    rate: Rate
    """Rate of the physical layer as far as cells or packets can use it. From `1 bit/s` to `10
    Tbit/s`.
    """

    delay: Duration
    """Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute. From `0
    s` to `1 h`. Default: `0 s`.
    """

    loss: Loss
    """What the link loses, apart from what its buffers refuse, if anything."""

    loss_at: LossAt
    """Where it loses that, if it does. Default: `transmission`."""

    credit: Credit
    """How the switch at the far end controls what is sent, in each direction, if it does."""


class Loss(TypedDict, total=False):
    """What a link loses, apart from what its buffers refuse.

    Exactly one of these.
    """

    nth: list[int]
    """Numbers of the packets that are lost from the first node of the link to the second,
    counted from zero in the order in which they are offered; a lost one counts.
    """

    nth_cell: list[int]
    """Numbers of the cells that are lost from the first node of the link to the second, counted
    from zero in the order in which they are offered; a lost one counts.
    """

    packet: Percentage
    """Probability with which each packet is lost, all its cells together, in both directions."""

    cell: Percentage
    """Probability with which each cell is lost, in both directions."""

    gilbert_elliott: GilbertElliottLoss
    """Bursts of loss, in both directions: the link is in a good state or in a bad one."""

    frame: FrameLoss
    """Frames of one length that are lost, each by itself, with every packet or cell of which
    they hold a part; in both directions.
    """


class GilbertElliottLoss(TypedDict, total=False):
    """Bursts of loss, in both directions: the link is in a good state or in a bad one."""

    unit: LossUnit
    """What meets its fate, and may change the state, by itself. Default: `packet`."""

    good_to_bad: Percentage
    """Probability of going from good to bad after a unit."""

    bad_to_good: Percentage
    """Probability of going from bad to good after a unit; its inverse is the mean number of
    units in a bad spell.
    """

    loss_in_good: Percentage
    """Probability of loss in the good state. Default: `0 %`."""

    loss_in_bad: Percentage
    """Probability of loss in the bad state. Default: `100 %`."""


LossUnit: TypeAlias = Literal["packet", "cell"]
"""What a loss is decided for.

`packet`: Each packet, and with a PDU all its cells.

`cell`: Each cell by itself.
"""


class FrameLoss(TypedDict, total=False):
    """Frames of one length that are lost, each by itself, with every packet or cell of which
    they hold a part; in both directions.
    """

    size: SizeInBytes
    """Octets of a frame on the link, with its header: 4026 is a baseband frame of DVB-S2 with
    QPSK 1/2 and normal frames, 65 a codeword of PTM. From `1 B` to `1 MiB`. Default: `4026
    B`.
    """

    probability: Percentage
    """Probability with which each frame is lost."""


LossAt: TypeAlias = Literal["transmission", "queue"]
"""Where a link loses what it loses.

`transmission`: On the link: what is lost has waited like all else, and has taken its time
to be sent.

`queue`: Before the queue: what is lost takes no room in the buffer and no time on the
link, as in scripts that tell which packets are dropped.
"""


class Credit(TypedDict, total=False):
    """How the far end of a link controls, for each virtual channel, what is sent over it.

    Exactly one of these.
    """

    n23: N23Credit
    """Each virtual channel has room for N2 + N3 cells, and a credit returns when N2 were
    forwarded.
    """

    adaptive: AdaptiveCredit
    """The virtual channels of a link share a pool, in which each has N2 cells and its part of
    the rest; parts follow what has been forwarded of each.
    """


class N23Credit(TypedDict, total=False):
    """Each virtual channel has room for N2 + N3 cells, and a credit returns when N2 were
    forwarded.
    """

    n2: int
    """Cells forwarded between one credit and the next; each credit takes a cell of the other
    direction. From `1` to `1000000`. Default: `10`.
    """

    n3: int
    """Cells that may be on their way beyond those; what the link carries in a round trip, so
    that a channel alone can use all of it, if not given. From `1` to `1000000000`.
    """

    check: Duration
    """How often the near end tells what it has sent of each channel of which not all is known to
    have been forwarded, so that room is found again that a loss has taken; never if not
    given. From `1 us` to `1 h`.
    """


class AdaptiveCredit(TypedDict, total=False):
    """The virtual channels of a link share a pool, in which each has N2 cells and its part of
    the rest; parts follow what has been forwarded of each.
    """

    n2: int
    """Cells forwarded between one credit and the next; each credit takes a cell of the other
    direction. So much room every channel keeps. From `1` to `1000000`. Default: `10`.
    """

    pool: int
    """Cells of all channels together; N2 for each and two round trips of the link, if not given.
    From `1` to `1000000000`.
    """

    check: Duration
    """How often the near end tells what it has sent of each channel of which not all is known to
    have been forwarded, so that room is found again that a loss has taken; never if not
    given. From `1 us` to `1 h`.
    """


class Topology(TypedDict, total=False):
    """Many nodes and links in one table.

    Exactly one of these.
    """

    bottleneck: BottleneckTopology
    """Senders at one switch, receivers at another, and one link between the two.

    Hosts are `sender[0]` and `receiver[0]` and so on, switches `s1` and `s2`, links `access`,
    `trunk` and `exit`.
    """

    chain: ChainTopology
    """Switches in a row, with hosts at each.

    Switches are `s1`, `s2` and so on, hosts at them `h1[0]`, `h2[0]`, and the links `access1`
    and `trunk1`, the latter from `s1` to `s2`.
    """

    parking_lot: ParkingLotTopology
    """Switches in a row; a sender joins at each but the last, and all leave after that.

    Switches are `s1`, `s2` and so on, hosts `sender[0]`, at `s1`, and `receiver[0]` and so
    on, the latter all at the last switch; links are `trunk1` and so on, `access1`, and
    `exit`. With `cross` there are so many hosts `cross1[0]` that join at `s1`, and `sink1[0]`
    at `s2`, and likewise along every trunk, by the links `join1` and `leave1`.
    """

    star: StarTopology
    """Hosts around one switch.

    Hosts are `host[0]` and so on, the switch is `hub`, the links are `access`.
    """

    fat_tree: FatTreeTopology
    """Three layers of switches with equally many ports, and k^3/4 hosts below them.

    Hosts are `host[0]` and so on, pod by pod. Switches are `edge1_1`, the first of pod 1,
    `aggregation1_1` above it, and `core1` and so on; the first k/2 cores are joined to the
    first upper switch of each pod. Links are `access1` and so on, `pod1` and `core_link1`.
    """


class BottleneckTopology(TypedDict, total=False):
    """Senders at one switch, receivers at another, and one link between the two.

    Hosts are `sender[0]` and `receiver[0]` and so on, switches `s1` and `s2`, links `access`,
    `trunk` and `exit`.
    """

    pairs: int
    """How many senders, and receivers. From `1` to `100000`."""

    access: Line
    """Links from senders to the first switch."""

    trunk: Line
    """The link between the switches."""

    exit: Line
    """Links from the second switch to receivers; as those of senders, if not given."""

    switch: Switch
    """Both switches."""


class Line(TypedDict, total=False):
    """A link of a topology, one in each direction."""

    rate: Rate
    """Rate of the physical layer as far as cells or packets can use it. From `1 bit/s` to `10
    Tbit/s`.
    """

    delay: Duration
    """Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute. From `0
    s` to `1 h`. Default: `0 s`.
    """

    loss: Loss
    """What the link loses, apart from what buffers refuse, if anything."""

    credit: Credit
    """How the switch at the far end controls what is sent, in each direction, if it does."""


class ChainTopology(TypedDict, total=False):
    """Switches in a row, with hosts at each.

    Switches are `s1`, `s2` and so on, hosts at them `h1[0]`, `h2[0]`, and the links `access1`
    and `trunk1`, the latter from `s1` to `s2`.
    """

    switches: int
    """How many switches. From `1` to `1000`."""

    hosts: int
    """Hosts at each switch. From `1` to `1000`. Default: `1`."""

    access: Line
    """Links from hosts to their switch."""

    trunk: Line
    """Links between neighbours."""

    switch: Switch
    """Every switch."""


class ParkingLotTopology(TypedDict, total=False):
    """Switches in a row; a sender joins at each but the last, and all leave after that.

    Switches are `s1`, `s2` and so on, hosts `sender[0]`, at `s1`, and `receiver[0]` and so
    on, the latter all at the last switch; links are `trunk1` and so on, `access1`, and
    `exit`. With `cross` there are so many hosts `cross1[0]` that join at `s1`, and `sink1[0]`
    at `s2`, and likewise along every trunk, by the links `join1` and `leave1`.
    """

    switches: int
    """How many switches. From `2` to `1000`."""

    cross: int
    """Hosts beside each trunk, for traffic that passes it alone. From `0` to `1000`. Default:
    `0`.
    """

    access: Line
    """Links from hosts to switches, and back."""

    trunk: Line
    """Links between neighbours."""

    total: Duration
    """Propagation delay, or distance, from each sender to its receiver: the link of the sender
    is as long as the rest leaves it. If not given, it is as long as `access`.
    """

    switch: Switch
    """Every switch."""


class StarTopology(TypedDict, total=False):
    """Hosts around one switch.

    Hosts are `host[0]` and so on, the switch is `hub`, the links are `access`.
    """

    hosts: int
    """How many hosts. From `2` to `100000`."""

    access: Line
    """Links from hosts to the switch."""

    switch: Switch
    """The switch."""


class FatTreeTopology(TypedDict, total=False):
    """Three layers of switches with equally many ports, and k^3/4 hosts below them.

    Hosts are `host[0]` and so on, pod by pod. Switches are `edge1_1`, the first of pod 1,
    `aggregation1_1` above it, and `core1` and so on; the first k/2 cores are joined to the
    first upper switch of each pod. Links are `access1` and so on, `pod1` and `core_link1`.
    """

    ports: int
    """Ports of every switch, an even number. From `2` to `32`."""

    access: Line
    """Links from hosts to the lowest switches."""

    trunk: Line
    """Links between switches; as those of hosts, if not given."""

    switch: Switch
    """Every switch."""


_FlowKeywords = TypedDict("_FlowKeywords", {"from": str}, total=False)


class Flow(_FlowKeywords, total=False):
    """A flow of user data from one host to another; from a group, one flow for each member.

    `from`: Host or group at which it begins.
    """

    to: str
    """Host or group at which it ends; a group of the same size pairs its members."""

    route: list[str]
    """Nodes that it passes between its hosts, in order; those of the fewest links, if not given."""

    source: Source
    """When there is data to send, and how much. Default: `{ greedy = { start = "0 s" } }`."""

    transport: Transport
    """How the two ends make sure that it arrives."""

    over: Carriage
    """How packets are carried. Default: `{ ubr = { cdvt = "0 s", encapsulation = "0 B" } }`."""

    jitter: Jitter
    """Random time that the sending host adds to each packet, if any."""

    police: Policer
    """What holds its cells against what was agreed, if anything does."""


class Source(TypedDict, total=False):
    """When an application has data to send, and how much.

    Exactly one of these.
    """

    greedy: GreedySource
    """Sends as much as it can, from the start on."""

    telnet: TelnetSource
    """Short messages separated by random gaps."""

    constant_rate: ConstantRateSource
    """Writes a full packet's worth of data evenly spaced, from the start on."""

    on_off: OnOffSource
    """Writes a full packet's worth of data evenly spaced while it is on, and nothing while it is
    off.
    """

    poisson: PoissonSource
    """Messages at exponential gaps, each regardless of the others."""

    files: FilesSource
    """Sends files, each after the one before it has been acknowledged to its end."""

    request_response: RequestResponseSource
    """Sends responses, each asked for a while after the one before it has arrived."""

    trace: TraceSource
    """Sends the messages of a text file: a line for each, with its time in seconds and its
    length in octets.
    """


class GreedySource(TypedDict, total=False):
    """Sends as much as it can, from the start on."""

    start: Duration | RandomTime
    """When it begins; drawn anew for each member of a group. Default: `0 s`."""


class RandomTime(TypedDict, total=False):
    """A time that is drawn anew each time it is asked for.

    Exactly one of these.
    """

    uniform: list[Duration]
    """Evenly between two times, both included."""

    exponential: ExponentialRandomTime
    """Exponential."""


class ExponentialRandomTime(TypedDict, total=False):
    """An exponential time."""

    mean: Duration
    """The mean."""


class TelnetSource(TypedDict, total=False):
    """Short messages separated by random gaps."""

    start: Duration | RandomTime
    """When it begins. Default: `0 s`."""

    gap: Duration | RandomTime
    """Time from one message to the next. Default: `{ exponential = { mean = "100 ms" } }`."""

    message: SizeInBytes
    """Octets of a message. From `1 B` to `1 GiB`. Default: `1 B`."""


class ConstantRateSource(TypedDict, total=False):
    """Writes a full packet's worth of data evenly spaced, from the start on."""

    rate: Rate
    """User data a second; as much as `over.cbr` or `over.vbr` carries, if not given."""

    start: Duration | RandomTime
    """When it begins; drawn anew for each member of a group. Default: `0 s`."""


class OnOffSource(TypedDict, total=False):
    """Writes a full packet's worth of data evenly spaced while it is on, and nothing while it is
    off.
    """

    on: Duration | RandomTime
    """How long it is on."""

    off: Duration | RandomTime
    """How long it is off after that."""

    rate: Rate
    """User data a second while on; as much as `over.cbr` or `over.vbr` carries, if not given."""

    start: Duration | RandomTime
    """When it is first on; drawn anew for each member of a group. Default: `0 s`."""


class PoissonSource(TypedDict, total=False):
    """Messages at exponential gaps, each regardless of the others."""

    length: Length
    """How long messages are."""

    load: Load
    """Load that they make on a link in the mean, headers and padding included; may be zero."""

    rate: Rate
    """User data a second in the mean, if no load is given."""

    gap: Duration
    """Mean time from one message to the next, if neither is given."""

    start: Duration | RandomTime
    """When it begins; drawn anew for each member of a group. Default: `0 s`."""


class Length(TypedDict, total=False):
    """How long messages are: in user data, or in the cells that they make.

    Exactly one of these.
    """

    constant: MessageLength
    """Every message is as long."""

    geometric: GeometricLength
    """After each cell, or octet, a message ends with the same probability."""

    listed: list[MessageLength]
    """The lengths that are listed, in order, again and again."""


class GeometricLength(TypedDict, total=False):
    """After each cell, or octet, a message ends with the same probability."""

    mean: MessageLength
    """Mean length, that of the law as it is cut off."""

    most: MessageLength
    """No message is longer; the law is cut off here, and scaled up below."""


class FilesSource(TypedDict, total=False):
    """Sends files, each after the one before it has been acknowledged to its end."""

    length: Length
    """How long files are, in bytes."""

    count: int
    """How many there are; without end, if not given. From `1` to `1000000000`."""

    gap: Duration | RandomTime
    """From the last acknowledgment of a file to the beginning of the next. Default: `0 s`."""

    start: Duration | RandomTime
    """When the first begins; drawn anew for each member of a group. Default: `0 s`."""


class RequestResponseSource(TypedDict, total=False):
    """Sends responses, each asked for a while after the one before it has arrived."""

    response: Length
    """How long responses are, in bytes."""

    think: Duration | RandomTime
    """From the acknowledgment of a response to the next, which is asked for in this time.
    Default: `{ exponential = { mean = "1 s" } }`.
    """

    start: Duration | RandomTime
    """When the first begins; drawn anew for each member of a group. Default: `0 s`."""


class TraceSource(TypedDict, total=False):
    """Sends the messages of a text file: a line for each, with its time in seconds and its
    length in octets.
    """

    file: str
    """Path of a file in the folder of the scenario, from there."""

    writes: str
    """What is written in it; the file is not read if this is given."""

    period: Duration
    """Time after which it begins again; it ends with its last message, if not given."""

    start: Duration | RandomTime
    """When it begins; drawn anew for each member of a group. Default: `0 s`."""


class Transport(TypedDict, total=False):
    """Transport protocol of a flow.

    Exactly one of these.
    """

    tcp: TcpTransport
    """TCP between the two ends of a flow."""

    xtp: XtpTransport
    """XTP between the two ends of a flow."""

    datagram: DatagramTransport
    """Packets that are sent once, and forgotten."""


class TcpTransport(TypedDict, total=False):
    """TCP between the two ends of a flow."""

    packet: SizeInBytes
    """Size of a full packet, headers included. From `1 B` to `16 MiB`. Default: `1500 B`."""

    header: SizeInBytes
    """Octets of each packet that are not user data. Default: `40 B`."""

    acknowledgment: SizeInBytes
    """Size of a pure acknowledgment. From `1 B` to `64 KiB`. Default: `40 B`."""

    window: SizeInBytes
    """Window that the receiver advertises, taken in whole segments and never less than one. From
    `1 B` to `1 GiB`. Default: `64 KiB`.
    """

    window_counts: WindowCounts
    """What the octets of the window are. Default: `packets`."""

    window_scaling: bool
    """Whether a window may exceed 65535 octets: RFC 7323, section 2. Default: `true`."""

    initial_ssthresh: LevelInABuffer
    """Slow-start threshold at the start, as an amount or as a share of the window. Default: `100
    %`.
    """

    initial_window: int
    """Congestion window at the start, in packets. From `1` to `1000`. Default: `1`."""

    handshake: bool
    """Whether a SYN and its answer come before data. Default: `false`."""

    congestion: Congestion
    """How the congestion window answers acknowledgments, losses and marks. Default: `{ tahoe_bsd
    = { growth = { at_ssthresh = "slow_start", linea...`.
    """

    duplicates: int
    """Identical acknowledgments after the first that make a fast retransmit. From `1` to `1000`.
    Default: `3`.
    """

    repeated_fast_retransmit: Repeated
    """Whether a fast retransmit may follow another before the data of the first is acknowledged.
    Default: `allowed`.
    """

    limited_transmit: bool
    """Whether the first two duplicates let a new segment go each: RFC 3042. Default: `false`."""

    acknowledge: Acknowledge
    """When the receiver acknowledges what came in order. Default: `{ every = {} }`."""

    ecn: Ecn
    """Whether marks of the network are echoed to the sender, and how. Default: `auto`."""

    idle_restart: Idle
    """What an idle time does to the congestion window. Default: `never`."""

    timers: Timers
    """How the retransmission timeout is estimated. Default: `{ rfc6298 = { granularity = "1 ms",
    min = "1 s", max = "60 s...`.
    """

    backoff: Backoff
    """How the timeout grows when it expires again, and when it shrinks. Default: `{ karn = {}
    }`.
    """

    nagle: bool
    """Whether small packets wait while data is outstanding. Default: `false`."""


WindowCounts: TypeAlias = Literal["packets", "data"]
"""What the octets of a window are.

`packets`: Whole packets, headers included, as where studies count packets.

`data`: User data, as on the wire.
"""


class Congestion(TypedDict, total=False):
    """How the congestion window answers acknowledgments, losses and marks.

    Exactly one of these.
    """

    tahoe_gbn: TahoeGbnCongestion
    """Tahoe with go-back-N after a fast retransmit, as in REAL and ns."""

    tahoe_bsd: TahoeBsdCongestion
    """Tahoe with a fast retransmit of one segment, as in 4.3BSD."""

    reno: RenoCongestion
    """Reno: fast retransmit and fast recovery, which any new acknowledgment ends."""

    new_reno: NewRenoCongestion
    """NewReno: each partial acknowledgment in a fast recovery resends one more segment."""

    sack: SackCongestion
    """Selective acknowledgments, with an estimate of what is on its way."""

    cubic: CubicCongestion
    """CUBIC, the congestion control of most hosts today."""

    dctcp: DctcpCongestion
    """DCTCP; needs `ecn = "exact"`, and queues that mark."""


class TahoeGbnCongestion(TypedDict, total=False):
    """Tahoe with go-back-N after a fast retransmit, as in REAL and ns."""

    growth: Growth
    """How the window grows. Default: `{}`."""


class Growth(TypedDict, total=False):
    """How a window grows."""

    at_ssthresh: AtSsthresh
    """Whether a window equal to ssthresh still grows as in slow start. Default: `slow_start`."""

    linear: Linear
    """How much a window beyond ssthresh grows with each acknowledgment. Default: `standard`."""

    increment: Increment
    """What becomes of fractions of an octet. Default: `octets`."""


AtSsthresh: TypeAlias = Literal["slow_start", "linear"]
"""How a window exactly as large as ssthresh grows.

`slow_start`: By one segment: BSD.

`linear`: Linearly: ns.
"""


Linear: TypeAlias = Literal["standard", "plus_eighth"]
"""Growth in congestion avoidance.

`standard`: A segment per window: RFC 5681, section 3.1.

`plus_eighth`: An eighth of a segment more with each acknowledgment: 4.3BSD-Reno (1990) to
4.4BSD, taken out in October 1994 (`tcp_input.c` 8.7).
"""


Increment: TypeAlias = Literal["octets", "exact"]
"""Whether increments are rounded.

`octets`: Rounded down to whole octets, and never less than one: BSD.

`exact`: Kept: ns, which counts in segments and fractions of them.
"""


class TahoeBsdCongestion(TypedDict, total=False):
    """Tahoe with a fast retransmit of one segment, as in 4.3BSD."""

    growth: Growth
    """How the window grows. Default: `{}`."""


class RenoCongestion(TypedDict, total=False):
    """Reno: fast retransmit and fast recovery, which any new acknowledgment ends."""

    deflation: Deflation
    """What becomes of the inflated window at the end of a fast recovery. Default: `clean`."""

    growth: Growth
    """How the window grows. Default: `{}`."""


Deflation: TypeAlias = Literal["clean", "bsd"]
"""What becomes of an inflated window.

`clean`: It returns to ssthresh.

`bsd`: It returns to ssthresh only if there were more duplicates than make a loss; with
exactly as many it stays inflated, as in 4.3BSD-Reno.
"""


class NewRenoCongestion(TypedDict, total=False):
    """NewReno: each partial acknowledgment in a fast recovery resends one more segment."""

    flavour: Flavour
    """Whose arithmetic is followed. Default: `rfc6582`."""

    timer: PartialTimer
    """Which partial acknowledgments restart the retransmission timer; every one, in ns. Default:
    `first`.
    """

    exit: Exit
    """Window with which a recovery ends; ssthresh, in ns. Default: `flight`."""

    growth: Growth
    """How the window grows. Default: `{}`."""


Flavour: TypeAlias = Literal["rfc6582", "ns"]
"""Whose arithmetic of partial acknowledgments is followed.

`rfc6582`: The window shrinks by what is acknowledged and regains a segment: RFC 6582.

`ns`: All inflation is dropped, and at most two packets go at once: ns before 2002.
"""


PartialTimer: TypeAlias = Literal["first", "every"]
"""Which partial acknowledgments restart the retransmission timer: RFC 6582, section 4.

`first`: The first of a recovery only ("impatient"): after many losses a timeout comes
instead.

`every`: Each ("slow but steady").
"""


Exit: TypeAlias = Literal["flight", "ssthresh"]
"""Window with which a recovery ends: RFC 6582, section 3.2, step 3.

`flight`: What is then outstanding and a segment more, at most ssthresh: no burst follows.

`ssthresh`: ssthresh.
"""


class SackCongestion(TypedDict, total=False):
    """Selective acknowledgments, with an estimate of what is on its way."""

    pipe: Pipe
    """How that is estimated. Default: `rfc6675`."""

    growth: Growth
    """How the window grows. Default: `{}`."""


Pipe: TypeAlias = Literal["rfc6675", "proportional", "fall_floyd"]
"""How a sender estimates what is on its way during a recovery.

`rfc6675`: From the blocks reported: RFC 6675.

`proportional`: Likewise, while the window shrinks in proportion to what arrives: RFC
6937.

`fall_floyd`: By counting acknowledgments: Fall and Floyd, and ns.
"""


class CubicCongestion(TypedDict, total=False):
    """CUBIC, the congestion control of most hosts today."""

    c: float
    """Steepness of the curve, in segments per cubed second: section 5.1. From `0.001` to
    `1000.0`. Default: `0.4`.
    """

    beta: Percentage
    """Share of the window that a loss leaves: section 4.6. Default: `70 %`."""

    fast_convergence: bool
    """Whether a flow that lost below its last maximum gives way: section 4.7. Default: `true`."""

    slow_start: SlowStart
    """How the first slow start opens the window, and what ends it: section 4.10. Default: `{
    hystart_plus_plus = { rounds = 5, divisor = 4, most = 8 } ...`.
    """

    repair: Repair
    """How losses are repaired. Default: `sack`."""


class SlowStart(TypedDict, total=False):
    """How the first slow start opens the window, and what ends it besides a loss.

    Exactly one of these.
    """

    standard: StandardSlowStart
    """A segment for each acknowledgment, until something is lost."""

    hystart: HystartSlowStart
    """HyStart, as in Linux: ends when acknowledgments come for half a round trip, or come later."""

    hystart_plus_plus: HystartPlusPlusSlowStart
    """HyStart++, the slow start that RFC 9438 recommends: slower once the round trip grows."""


class StandardSlowStart(TypedDict, total=False):
    """A segment for each acknowledgment, until something is lost."""


class HystartSlowStart(TypedDict, total=False):
    """HyStart, as in Linux: ends when acknowledgments come for half a round trip, or come later."""

    low_window: int
    """Smallest window that it may end with, in segments. From `1` to `1000000`. Default: `16`."""

    spacing: Duration
    """Longest gap between acknowledgments that follow one another closely. From `1 us` to `1 s`.
    Default: `2 ms`.
    """


class HystartPlusPlusSlowStart(TypedDict, total=False):
    """HyStart++, the slow start that RFC 9438 recommends: slower once the round trip grows."""

    rounds: int
    """Rounds of conservative slow start: `CSS_ROUNDS`. From `1` to `100`. Default: `5`."""

    divisor: int
    """How much slower that is: `CSS_GROWTH_DIVISOR`. From `2` to `100`. Default: `4`."""

    most: int
    """Most segments by which one acknowledgment opens the window: `L`. From `1` to `1000`.
    Default: `8`.
    """


Repair: TypeAlias = Literal["sack", "sack_proportional", "new_reno"]
"""How an algorithm that leaves it open repairs losses.

`sack`: With selective acknowledgments: RFC 6675.

`sack_proportional`: Likewise, while the window shrinks in proportion to what arrives: RFC
6937.

`new_reno`: Without: RFC 6582.
"""


class DctcpCongestion(TypedDict, total=False):
    """DCTCP; needs `ecn = "exact"`, and queues that mark."""

    gain: float
    """Weight of the latest window in the estimated share of marks: `g`. From `0.0001` to `1.0`.
    Default: `0.0625`.
    """

    repair: Repair
    """How losses are repaired. Default: `sack`."""

    growth: Growth
    """How the window grows. Default: `{}`."""


Repeated: TypeAlias = Literal["allowed", "guarded"]
"""Whether duplicates caused by a sender's own retransmissions may trigger it again.

`allowed`: Nothing is remembered: BSD, and the simulators of 1994.

`guarded`: Only once more than all data sent before the last loss is acknowledged:
`bugFix_` of ns.
"""


class Acknowledge(TypedDict, total=False):
    """When a receiver acknowledges what came in order.

    Exactly one of these.
    """

    every: EveryAcknowledge
    """Each packet is acknowledged at once."""

    bsd: BsdAcknowledge
    """One acknowledgment for two segments, or at a tick of a clock: BSD."""

    rfc5681: Rfc5681Acknowledge
    """At least every second full segment is acknowledged, and each within a time of its own."""


class EveryAcknowledge(TypedDict, total=False):
    """Each packet is acknowledged at once."""


class BsdAcknowledge(TypedDict, total=False):
    """One acknowledgment for two segments, or at a tick of a clock: BSD."""

    tick: Duration
    """Time between ticks. From `1 us` to `10 s`. Default: `200 ms`."""

    share: Percentage
    """Share of the receive buffer that is acknowledged at once; 35 % in 4.3BSD-Tahoe. Default:
    `50 %`.
    """


class Rfc5681Acknowledge(TypedDict, total=False):
    """At least every second full segment is acknowledged, and each within a time of its own."""

    delay: Duration
    """Longest time that an acknowledgment is held back; the standard allows 500 ms. From `1 us`
    to `10 s`. Default: `500 ms`.
    """


Ecn: TypeAlias = Literal["auto", "off", "classic", "exact"]
"""Explicit congestion notification: marks of routers (CE) and of ATM switches (EFCI).

`auto`: As the congestion control needs it: exact for `dctcp`, else off.

`off`: Marks are ignored.

`classic`: Echoed until the sender tells that it has reduced its window: RFC 3168.

`exact`: Echoed exactly, packet by packet, which DCTCP needs: RFC 8257, section 3.2.
"""


Idle: TypeAlias = Literal["never", "bsd", "rfc5681"]
"""What becomes of the congestion window when nothing was sent for a retransmission timeout.

`never`: Nothing.

`bsd`: One segment: 4.3BSD-Reno.

`rfc5681`: No more than the initial window: RFC 5681, section 4.1.
"""


class Timers(TypedDict, total=False):
    """How the retransmission timeout is estimated.

    Exactly one of these.
    """

    bsd: BsdTimers
    """BSD's integer estimator on a global clock of coarse ticks."""

    ns: NsTimers
    """The estimator of ns-2: integer in ticks, with exact deadlines."""

    rfc6298: Rfc6298Timers
    """The standard estimator: SRTT + max(G, 4 RTTVAR), at least one second."""


class BsdTimers(TypedDict, total=False):
    """BSD's integer estimator on a global clock of coarse ticks."""

    tick: Duration
    """Time between ticks of the clock, whose phase is drawn for each sender. From `1 us` to `10
    s`. Default: `500 ms`.
    """

    deviations: int
    """Mean deviations in the timeout: two in 4.3BSD-Tahoe, four in 4.3BSD-Reno. From `1` to
    `16`. Default: `4`.
    """

    min_ticks: int
    """Shortest timeout, in ticks. From `1` to `1000000`. Default: `2`."""

    max: Duration
    """Longest timeout. From `1 us` to `1 h`. Default: `64 s`."""

    initial: Duration
    """Timeout before the first round-trip time is known. From `1 us` to `1 h`. Default: `6 s`."""


class NsTimers(TypedDict, total=False):
    """The estimator of ns-2: integer in ticks, with exact deadlines."""

    tick: Duration
    """Granularity of measured round-trip times. From `1 us` to `10 s`. Default: `10 ms`."""

    min: Duration
    """Shortest timeout; never less than two ticks, backed off or not. From `1 us` to `1 h`.
    Default: `1 s`.
    """

    floor: Floor
    """Whether the shortest timeout is stretched by the backoff as well. Default:
    `before_backoff`.
    """

    max: Duration
    """Longest timeout. From `1 us` to `1 h`. Default: `64 s`."""

    initial: Duration
    """Timeout before the first round-trip time is known. From `1 us` to `1 h`. Default: `6 s`."""


Floor: TypeAlias = Literal["before_backoff", "after_backoff"]
"""When a timeout is raised to the shortest one.

`before_backoff`: Before it is backed off, as RFC 6298 has it: ns-2 with `rfc2988_`, its
default since 2002.

`after_backoff`: Afterwards, so that the first backoff of a short timeout changes nothing:
ns-2 without it.
"""


class Rfc6298Timers(TypedDict, total=False):
    """The standard estimator: SRTT + max(G, 4 RTTVAR), at least one second."""

    granularity: Duration
    """Granularity G of the clock, below which the deviation term does not fall. From `1 us` to
    `1 h`. Default: `1 ms`.
    """

    min: Duration
    """Shortest timeout, section 2.4. From `1 us` to `1 h`. Default: `1 s`."""

    max: Duration
    """Longest timeout, section 2.5. From `1 us` to `1 h`. Default: `60 s`."""

    initial: Duration
    """Timeout before the first round-trip time is known, section 2.1. From `1 us` to `1 h`.
    Default: `1 s`.
    """


class Backoff(TypedDict, total=False):
    """How a timeout that expires again grows, and what resets it.

    Exactly one of these.
    """

    karn: KarnBackoff
    """Doubled at each timeout, up to 64, and kept until a segment sent only once is
    acknowledged.
    """

    reset_on_new_ack: ResetOnNewAckBackoff
    """Doubled at each timeout, up to 64, and cleared by any acknowledgment of new data."""

    capped: CappedBackoff
    """As `karn`, but doubled only up to a limit of your choice."""

    constant: ConstantBackoff
    """The timeout is always the estimate, however often it has expired."""


class KarnBackoff(TypedDict, total=False):
    """Doubled at each timeout, up to 64, and kept until a segment sent only once is
    acknowledged.
    """


class ResetOnNewAckBackoff(TypedDict, total=False):
    """Doubled at each timeout, up to 64, and cleared by any acknowledgment of new data."""


class CappedBackoff(TypedDict, total=False):
    """As `karn`, but doubled only up to a limit of your choice."""

    factor: int
    """Largest factor. From `1` to `64`. Default: `2`."""


class ConstantBackoff(TypedDict, total=False):
    """The timeout is always the estimate, however often it has expired."""


class XtpTransport(TypedDict, total=False):
    """XTP between the two ends of a flow."""

    packet: SizeInBytes
    """Size of a full packet, with its header of 32 octets. From `33 B` to `16 MiB`. Default:
    `1500 B`.
    """

    rate: Rate
    """Rate that the sender keeps to. From `1 bit/s` to `10 Tbit/s`."""

    burst: int
    """Full packets that may go at once; as many go in each RTIMER. From `1` to `65536`. Default:
    `1`.
    """

    rate_counts: RateCounts
    """What the octets of rate and burst are. Default: `wire`."""

    buffer: int
    """Packets that the output buffer holds, each until everything up to its end has arrived.
    From `1` to `65536`. Default: `48`.
    """

    request_interval: int
    """Data packets from one request for an answer (SREQ) to the next. From `1` to `65536`.
    Default: `1`.
    """

    fast_nak: bool
    """Whether data packets ask to be told at once of what is missing before them (FASTNAK).
    Default: `true`.
    """

    retransmission: Retransmission
    """What is sent again when something is missing. Default: `{ selective = { beyond_spans =
    "everything" } }`.
    """

    repeated_nak: RepeatedNak
    """What is made of a report that was on its way when the missing data was sent again.
    Default: `guarded`.
    """

    wtimer: WTimer
    """The timer that guards requests. Default: `{}`."""


RateCounts: TypeAlias = Literal["wire", "packets"]
"""What the octets of a rate are.

`wire`: What a packet takes on the wire: cells with their headers and padding, if there
are cells.

`packets`: Packets, headers included.
"""


class Retransmission(TypedDict, total=False):
    """What is sent again when something is missing.

    Exactly one of these.
    """

    go_back_n: GoBackNRetransmission
    """Everything from the first missing octet on; the receiver keeps nothing beyond it."""

    selective: SelectiveRetransmission
    """What the receiver's spans leave out."""


class GoBackNRetransmission(TypedDict, total=False):
    """Everything from the first missing octet on; the receiver keeps nothing beyond it."""


class SelectiveRetransmission(TypedDict, total=False):
    """What the receiver's spans leave out."""

    beyond_spans: BeyondSpans
    """What is sent again of data beyond the last span, when it is known to be lost. Default:
    `everything`.
    """


BeyondSpans: TypeAlias = Literal["everything", "first"]
"""What is sent again of the data beyond the last span.

`everything`: All that was sent before the request.

`first`: Its first packet, whose answer then decides on the next.
"""


RepeatedNak: TypeAlias = Literal["guarded", "believed"]
"""What is made of a report of missing data that has been sent again meanwhile.

`guarded`: It tells of what was sent before the request that it answers; data sent again
since then is still on its way.

`believed`: The data is missing, and sent once more.
"""


class WTimer(TypedDict, total=False):
    """How long a sender waits for the answer to a request."""

    initial: Duration
    """Time before the first round-trip time is known. From `1 us` to `1 h`. Default: `500 ms`."""

    granularity: Duration
    """Least time by which it exceeds the smoothed round-trip time. From `1 us` to `1 h`.
    Default: `100 us`.
    """

    max: Duration
    """Longest time. From `1 us` to `1 h`. Default: `60 s`."""

    round_trips: RoundTrips
    """Which answers give a round-trip time. Default: `data`."""


RoundTrips: TypeAlias = Literal["data", "all"]
"""Which answers give a round-trip time.

`data`: Those to requests that went with data.

`all`: Those that end a handshake too.
"""


class DatagramTransport(TypedDict, total=False):
    """Packets that are sent once, and forgotten."""

    packet: SizeInBytes
    """Size of a full packet, headers included; more data than fits is sent in several. From `1
    B` to `16 MiB`. Default: `1500 B`.
    """

    header: SizeInBytes
    """Octets of each packet that are not user data: IPv4 and UDP take 28. Default: `28 B`."""


class Carriage(TypedDict, total=False):
    """How the packets of a flow are carried.

    Exactly one of these.
    """

    ubr: UbrCarriage
    """AAL5 over an unspecified-bit-rate ATM virtual channel."""

    cbr: CbrCarriage
    """AAL5 over a constant-bit-rate ATM virtual channel."""

    vbr: VbrCarriage
    """AAL5 over a variable-bit-rate ATM virtual channel."""

    abr: AbrCarriage
    """AAL5 over an available-bit-rate ATM virtual channel. Rates are in bits of cells, headers
    included, or in `cells/s`.
    """

    packet: PacketCarriage
    """Packets stay whole from host to host."""

    ptm: PtmCarriage
    """Packets in Ethernet frames and codewords of 64 octets and one more (PTM, on VDSL2)."""

    gse: GseCarriage
    """Packets in the baseband frames of DVB-S2, cut where a frame ends (GSE)."""


class UbrCarriage(TypedDict, total=False):
    """AAL5 over an unspecified-bit-rate ATM virtual channel."""

    peak: Rate
    """Peak cell rate (PCR) to which hosts shape what they send, in bits of cells, headers
    included; not shaped, if not given.
    """

    cdvt: Duration
    """How much too early a cell may then leave (CDVT). From `0 s` to `1 s`. Default: `0 s`."""

    encapsulation: SizeInBytes
    """Octets added to each packet before AAL5; LLC/SNAP takes 8. From `0 B` to `1 KiB`. Default:
    `0 B`.
    """


class CbrCarriage(TypedDict, total=False):
    """AAL5 over a constant-bit-rate ATM virtual channel."""

    rate: Rate
    """Peak cell rate, in bits of cells, headers included: cells leave a host so far apart."""

    cdvt: Duration
    """How much too early a cell may leave (CDVT): where cells have been held up, that many
    follow back to back. From `0 s` to `1 s`. Default: `0 s`.
    """

    encapsulation: SizeInBytes
    """Octets added to each packet before AAL5; LLC/SNAP takes 8. From `0 B` to `1 KiB`. Default:
    `0 B`.
    """


class VbrCarriage(TypedDict, total=False):
    """AAL5 over a variable-bit-rate ATM virtual channel."""

    peak: Rate
    """Peak cell rate, in bits of cells, headers included: cells leave a host no closer."""

    cdvt: Duration
    """How much too early for the peak a cell may leave (CDVT). From `0 s` to `1 s`. Default: `0
    s`.
    """

    sustained: Rate
    """Sustainable cell rate (SCR), in bits of cells: no more leave in the long run."""

    burst: NumberOfCells
    """Cells that may leave at the peak (MBS), before the sustained rate holds them back. From `1
    cell` to `1000000 cells`.
    """

    realtime: bool
    """Whether it is for what cannot wait (rt-VBR), or for what can (nrt-VBR). Default: `true`."""

    encapsulation: SizeInBytes
    """Octets added to each packet before AAL5; LLC/SNAP takes 8. From `0 B` to `1 KiB`. Default:
    `0 B`.
    """


class AbrCarriage(TypedDict, total=False):
    """AAL5 over an available-bit-rate ATM virtual channel. Rates are in bits of cells, headers
    included, or in `cells/s`.
    """

    preset: AbrPreset
    """Parameters of a publication; what is written beside it takes the place of its own."""

    encapsulation: SizeInBytes
    """Octets added to each packet before AAL5; LLC/SNAP takes 8. From `0 B` to `1 KiB`. Default:
    `0 B`.
    """

    pcr: Rate
    """Peak cell rate: what a source is never allowed to exceed; the rate of the link of its
    host, if not given.
    """

    mcr: Load
    """Minimum cell rate: what a source is always allowed. Default: `0 Mbit/s`."""

    icr: Rate
    """Initial cell rate: what a source is allowed at first, and after a silence; the peak, if
    not given.
    """

    icr_cap: IcrCap
    """Whether the initial rate is lowered so that the network is not flooded. Default:
    `tbe_frtt`.
    """

    tcr: Rate
    """Tagged cell rate: how many forward RM cells a source sends out of rate, which does so
    where it is allowed less than this. Default: `10 cells/s`.
    """

    nrm: int
    """One in so many cells is a forward RM cell: a power of two. From `2` to `256`. Default:
    `32`.
    """

    mrm: int
    """After so many cells the next may be a forward RM cell, if `trm` has passed. From `1` to
    `256`. Default: `2`.
    """

    trm: Duration
    """Time after which a forward RM cell is sent although few cells were. From `0.78125 ms` to
    `100 ms`. Default: `100 ms`.
    """

    rif: Percentage
    """Rate increase factor: how much an RM cell may raise the rate, as a share of the peak.
    Default: `6.25 %`.
    """

    rdf: Percentage
    """Rate decrease factor: how much an RM cell that tells of congestion lowers it, as a share
    of what it was. Default: `6.25 %`.
    """

    tbe: int
    """Transient buffer exposure: cells that may be sent before the first answer comes back. From
    `1` to `16777215`. Default: `16777215`.
    """

    frtt: Duration
    """Fixed round-trip time; that of one cell on an idle path, if not given. From `0 s` to `16.7
    s`.
    """

    crm: int
    """Forward RM cells without an answer from which on the rate is lowered; `tbe` over `nrm`,
    rounded up, if not given. From `1` to `16777215`.
    """

    cdf: Percentage
    """Cutoff decrease factor: by which share of what it was; `0 %` to leave it alone. Default:
    `6.25 %`.
    """

    adtf: Duration
    """Time without a forward RM cell after which the initial rate is the most. The last RM cell
    may follow the last data cell by up to `trm`. From `10 ms` to `10.23 s`. Default: `500
    ms`.
    """

    rm_rate_quantise: bool
    """Whether rates in RM cells are rounded down to the 16-bit format of Traffic Management 4.0.
    Default: `true`.
    """

    reverse: Reverse
    """What becomes of the direction in which acknowledgments travel. Default: `controlled`."""


AbrPreset: TypeAlias = Literal["tcp_over_abr_1996"]
"""Sources as in a publication.

`tcp_over_abr_1996`: As in Jain et al., "TCP/IP over ABR", 1996: a source goes where it is
told at once. That the initial rate is not capped is ours; as stated, it is more than the
exposed cells allow. It fills in `encapsulation = "8 B"`, `icr = "10 Mbit/s"`, `icr_cap =
"off"`, `rif = "100 %"`, `rdf = "0.1953125 %"`, `tbe = 512`, `cdf = "50 %"`.
"""


IcrCap: TypeAlias = Literal["tbe_frtt", "off"]
"""Whether the initial cell rate is lowered.

`tbe_frtt`: To `tbe` cells in each `frtt`, as a network does when it sets up a connection.

`off`: It is what was asked for.
"""


Reverse: TypeAlias = Literal["controlled", "ideal"]
"""How the way from the end of a flow to its beginning is used.

`controlled`: As the way there is: at an allowed rate, with RM cells of its own.

`ideal`: Packets and the RM cells that are turned around leave at once, as over UBR.
"""


class PacketCarriage(TypedDict, total=False):
    """Packets stay whole from host to host."""

    framing: SizeInBytes
    """Octets that framing adds to each packet on the wire. From `0 B` to `1 KiB`. Default: `0
    B`.
    """


class PtmCarriage(TypedDict, total=False):
    """Packets in Ethernet frames and codewords of 64 octets and one more (PTM, on VDSL2)."""

    encapsulation: SizeInBytes
    """Octets added to each packet before that: 18 of Ethernet, with its checksum; PPPoE takes 8
    more, a VLAN tag 4. From `0 B` to `1 KiB`. Default: `18 B`.
    """


class GseCarriage(TypedDict, total=False):
    """Packets in the baseband frames of DVB-S2, cut where a frame ends (GSE)."""

    encapsulation: SizeInBytes
    """Octets added to each packet: 4 for length and protocol, and a label of 6, 3 or none. From
    `4 B` to `1 KiB`. Default: `10 B`.
    """

    frame: SizeInBytes
    """Octets of a frame after its header: 4016 with QPSK 1/2 and normal frames. From `64 B` to
    `8 KiB`. Default: `4016 B`.
    """


class Jitter(TypedDict, total=False):
    """Random time that the sending host takes for each packet: after it is handed over and the
    one before it has left, and before it leaves itself.

    Exactly one of these.
    """

    uniform: UniformJitter
    """Uniform between two spans."""

    packet_time: PacketTimeJitter
    """Uniform from zero to some packet times of the slowest link on the path."""


class UniformJitter(TypedDict, total=False):
    """Uniform between two spans."""

    low: Duration
    """Least. Default: `0 s`."""

    high: Duration
    """Most."""


class PacketTimeJitter(TypedDict, total=False):
    """Uniform from zero to some packet times of the slowest link on the path."""

    at_most: float
    """Packet times at most. From `0.0` to `1000.0`. Default: `1.0`."""


class Policer(TypedDict, total=False):
    """A policer at a switch on the path of a flow, for what goes from its beginning to its end."""

    at: str
    """Switch at whose input it stands; the first on the path, if not given."""

    peak: Rate
    """Peak cell rate (PCR), in bits of cells, headers included; that of the carriage, if not
    given.
    """

    cdvt: Duration
    """How much too early a cell may come at the peak (CDVT); that of the carriage, if not given.
    From `0 s` to `1 s`.
    """

    sustained: Rate
    """Sustainable cell rate (SCR), in bits of cells; that of the carriage, if not given."""

    burst: NumberOfCells
    """Cells that may come at the peak (MBS); that of the carriage, if not given. From `1 cell`
    to `1000000 cells`.
    """

    beyond_peak: Excess
    """What becomes of a cell that comes too early for the peak. Default: `drop`."""

    beyond_sustained: Excess
    """What becomes of one that keeps to the peak and exceeds what is sustained. Default: `tag`."""


Excess: TypeAlias = Literal["drop", "tag"]
"""What becomes of a cell that does not conform.

`drop`: It goes no further.

`tag`: It goes on with CLP = 1. One that has that already is left as it is, and counts for
nothing in what is sustained.
"""


class Replications(TypedDict, total=False):
    """How often each point is run, each time with fresh random numbers."""

    at_least: int
    """Runs of each point before anything is concluded. From `1` to `1000000`. Default: `5`."""

    at_most: int
    """Runs of each point after which it is left at that; ten times `at_least`, if not given.
    From `1` to `1000000`.
    """

    until: Until
    """When enough is known to stop before `at_most`; `at_least` runs are made, if not given."""


class Until(TypedDict, total=False):
    """When enough is known: the confidence interval of a metric, or of each of several, is
    narrow enough, and has been at every look at the last seven samples.
    """

    metric: str
    """The metric: of the network, or such as `flow bulk goodput` or `port s1->b mean_queue`; of
    a group of flows it is that of all members together.
    """

    also: list[str]
    """Further metrics that must be known as well. Default: `[]`."""

    half_width: Percentage
    """Half the width of the interval, relative to the mean. From `0.001 %` to `100 %`. Default:
    `5 %`.
    """

    confidence: Percentage
    """Probability with which such an interval holds the true mean; with several metrics, with
    which all of them do. From `50 %` to `99.99 %`. Default: `95 %`.
    """


class Record(TypedDict, total=False):
    """Records the queue and the drops of every port, the state of every sender, and what every
    flow has delivered, over time.
    """

    every: Duration
    """Time between samples. From `1 ns` to `1 h`. Default: `1 ms`."""
