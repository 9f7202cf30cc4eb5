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

MessageLength: TypeAlias = str
"""For example `20 cells`."""

NumberOfCells: TypeAlias = str
"""For example `1000 cells`."""

Percentage: TypeAlias = str
"""For example `50 %`."""

PropagationDelay: TypeAlias = str
"""For example `5 ms`."""

Rate: TypeAlias = str
"""For example `155.52 Mbit/s`."""

RateOrZero: TypeAlias = str
"""For example `20 Mbit/s`."""

SizeInBytes: TypeAlias = str
"""For example `9180 B`."""


class Scenario(TypedDict, total=False):
    """A scenario: a network, the flows through it, and the number of runs."""

    title: str
    """Title of the scenario, in one line."""

    duration: Duration
    """Simulated time, warm-up included. From `1 ps` to `1000 h`."""

    warm_up: Duration
    """Time at the start that is not measured. Default: `0 s`."""

    batches: int
    """Number of batches: parts of equal length after the warm-up, each measured by itself, which
    give one long run a confidence interval; if not given, one. From `2` to `100000`.
    """

    seed: int
    """Seed of all random numbers. Default: `1`."""

    cell: CellFormat
    """Format of the cells of the network; if not given, ATM cells of 53 octets, with AAL5."""

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
    """Topology with a name, which stands for many nodes and links; if not given, none."""

    flow: dict[str, Flow]
    """Flows between hosts, by name."""

    sweep: dict[str, list[Any] | dict[str, dict[str, Any]]]
    """Parameters that vary. An axis is a path in quotes with a list of its values, or a name
    with a table of points, each a table of paths and values; `without` lists combinations to
    leave out, each a table of axes with a value or a list of values.
    """

    replications: Replications
    """Number of runs of each point. Default: `{}`."""

    record: Record
    """Recording of queues, drops and flows over time; if not given, none."""


class CellFormat(TypedDict, total=False):
    """The cells of a network, and the adaptation that cuts packets into them."""

    preset: CellPreset
    """Cells of a well-known size; a parameter beside it replaces the value of the preset."""

    payload: SizeInBytes
    """Payload of a cell. From `16 B` to `4 KiB`. Default: `48 B`."""

    header: SizeInBytes
    """Header of a cell. From `0 B` to `256 B`. Default: `5 B`."""

    adaptation: Adaptation
    """Adaptation, which adds octets to packets or to the cells that carry them. Default: `{ aal5
    = {} }`.
    """


CellPreset: TypeAlias = Literal["atm", "atm_aal34", "octets_64", "octets_96", "octets_144", "octets_192", "octets_256"]
"""Cells of a well-known size. Those that are named by their octets are all payload: their
header, if they have one, is for `header` to state.

`atm`: ATM with AAL5: ITU-T Recommendations I.361 and I.363.5. It sets `payload = "48 B"`,
`header = "5 B"`, `adaptation = { aal5 = {} }`.

`atm_aal34`: ATM with AAL3/4: each cell has 4 octets of its payload for the segment, and
each packet 8 octets more. ITU-T Recommendation I.363.3. It sets `payload = "48 B"`,
`header = "5 B"`, `adaptation = { segments = { segment = "4 B", packet = "8 B" } }`.

`octets_64`: Cells of 64 octets. It sets `payload = "64 B"`, `header = "0 B"`, `adaptation
= { none = {} }`.

`octets_96`: Cells of 96 octets. It sets `payload = "96 B"`, `header = "0 B"`, `adaptation
= { none = {} }`.

`octets_144`: Cells of 144 octets. It sets `payload = "144 B"`, `header = "0 B"`,
`adaptation = { none = {} }`.

`octets_192`: Cells of 192 octets. It sets `payload = "192 B"`, `header = "0 B"`,
`adaptation = { none = {} }`.

`octets_256`: Cells of 256 octets. It sets `payload = "256 B"`, `header = "0 B"`,
`adaptation = { none = {} }`.
"""


class Adaptation(TypedDict, total=False):
    """Adaptation of packets to cells.

    Exactly one of these.
    """

    aal5: Aal5Adaptation
    """AAL5: a trailer of 8 octets ends the last cell of each packet."""

    none: UnadaptedAdaptation
    """Nothing is added: a packet fills as many cells as it has octets for."""

    segments: FixedSegmentsAdaptation
    """Fixed segments: each cell has octets for its segment in its payload, as in AAL3/4."""


class Aal5Adaptation(TypedDict, total=False):
    """AAL5: a trailer of 8 octets ends the last cell of each packet."""


class UnadaptedAdaptation(TypedDict, total=False):
    """Nothing is added: a packet fills as many cells as it has octets for."""


class FixedSegmentsAdaptation(TypedDict, total=False):
    """Fixed segments: each cell has octets for its segment in its payload, as in AAL3/4."""

    segment: SizeInBytes
    """Octets of each payload that the header and the trailer of the segment take. From `0 B` to
    `15 B`. Default: `4 B`.
    """

    packet: SizeInBytes
    """Octets that each packet has in addition. From `0 B` to `1 KiB`. Default: `8 B`."""


class Host(TypedDict, total=False):
    """A host, or a group of equal hosts."""

    count: int
    """Size of the group; members are called `name[0]`, `name[1]` and so on. If not given, one
    host called `name`. From `1` to `100000`.
    """

    paths: Paths
    """Choice among the links of the host that begin equal paths; without it, the link that is
    written first.
    """


class Paths(TypedDict, total=False):
    """Choice of a node among the next links of equal paths.

    Exactly one of these.
    """

    single: SinglePaths
    """The link that is written first."""

    ecmp: EcmpPaths
    """A link for each connection and each VC, by a hash."""

    spray: SprayPaths
    """A link for each packet."""

    flowlet: FlowletPaths
    """A random link for each flowlet: the packets of a connection without a longer silence."""


class SinglePaths(TypedDict, total=False):
    """The link that is written first."""


class EcmpPaths(TypedDict, total=False):
    """A link for each connection and each VC, by a hash."""


class SprayPaths(TypedDict, total=False):
    """A link for each packet."""

    choice: SprayChoice
    """Choice of the link of a packet. Default: `random`."""


SprayChoice: TypeAlias = Literal["random", "in_turn"]
"""Choice of the link of a packet.

`random`: Any link, with equal probabilities.

`in_turn`: The links in turn: for each flow and direction, or in a scheduled fabric for
each input and output.
"""


class FlowletPaths(TypedDict, total=False):
    """A random link for each flowlet: the packets of a connection without a longer silence."""

    gap: Duration
    """Silence that ends a flowlet. From `1 ns` to `1 h`. Default: `500 us`."""

    entries: int
    """Number of entries of the table of connections. From `1` to `16777216`. Default: `65536`."""


class Switch(TypedDict, total=False):
    """A switch. For flows carried as whole packets it acts as a router with the same buffer and
    discard policy, and without a fabric.
    """

    fabric: Fabric
    """Fabric that moves cells from inputs to outputs. Default: `{ immediate = {} }`."""

    buffer: Buffer
    """Layout of the buffer memory."""

    discard: Discard
    """Discard policy of the outputs. Default: `{ tail_drop = {} }`."""

    scheduler: Scheduler
    """Scheduler of the outputs. Default: `{ fifo = {} }`."""

    memory: Memory
    """Cells of the memory, each of which holds octets of one packet or of one cell of the
    network; if not given, each takes its own octets.
    """

    mark: Mark
    """Rule by which outputs mark cells; if not given, none are marked."""

    rate: Allocator
    """Rate allocator of the outputs, for ABR; if not given, none."""

    paths: Paths
    """Choice among equal paths. Default: `{ single = {} }`."""

    ties: TieRule
    """Order of events at the same instant, and of inputs where the fabric leaves their order
    open. Default: `in_order`.
    """


class Fabric(TypedDict, total=False):
    """Fabric that moves cells from the inputs of a switch to its outputs.

    Exactly one of these.
    """

    immediate: ImmediateFabric
    """Cells reach the output as they arrive: the switch has no slots."""

    slotted: SlottedFabric
    """The switch moves cells at the ends of its own cell slots, in which inputs contend for
    outputs.
    """

    knockout: KnockoutFabric
    """The switch moves cells at the ends of its own cell slots, those of the fastest link. Of
    the cells that arrive in a slot for one output, at most as many enter it as it has paths;
    the others are dropped.
    """

    virtual_output_queues: VirtualOutputQueuesFabric
    """Each input keeps a queue for every output, and a matching decides in each slot which cells
    cross.
    """

    scheduled_cells: ScheduledCellsFabric
    """Each output grants credit to the inputs that ask for it, and granted packets cross in
    cells that are sprayed over the links of a fabric.
    """


class ImmediateFabric(TypedDict, total=False):
    """Cells reach the output as they arrive: the switch has no slots."""


class SlottedFabric(TypedDict, total=False):
    """The switch moves cells at the ends of its own cell slots, in which inputs contend for
    outputs.
    """

    speedup: int
    """Largest number of cells that enter one output in one slot; if not given, all that contend.
    From `1` to `65536`.
    """

    order: Order
    """Order in which contending inputs are served. Default: `round_robin`."""

    clock: Rate
    """Rate whose cell time is the slot; if not given, the rate of the fastest link."""

    input: Input
    """Memory of the inputs; if not given, it has no limit."""


Order: TypeAlias = Literal["round_robin", "random", "input"]
"""Order in which contending inputs are chosen, and in which their cells enter the output.

`round_robin`: Inputs are chosen in cyclic order, from the one after the last served;
their cells enter in random order.

`random`: Inputs are chosen, and their cells enter, in an order drawn for each slot.

`input`: Inputs are chosen, and their cells enter, by input number, lowest first.
"""


class Input(TypedDict, total=False):
    """The memory of the inputs of a switch, and the cells that are dropped there."""

    buffer: InputBuffer
    """Layout of the memory."""

    discard: Discard
    """Discard policy, which decides about a cell at the end of the slot in which it arrived.
    Default: `{ tail_drop = {} }`.
    """


class InputBuffer(TypedDict, total=False):
    """Layout of the memory at the inputs of a switch: per input, or per queue.

    Exactly one of these.
    """

    per_input: BufferSize
    """Each input has a buffer of this size, which its queues share."""

    per_queue: BufferSize
    """Each queue of an input has a buffer of this size. An input of the fabric `slotted` has one
    queue.
    """


class KnockoutFabric(TypedDict, total=False):
    """The switch moves cells at the ends of its own cell slots, those of the fastest link. Of
    the cells that arrive in a slot for one output, at most as many enter it as it has paths;
    the others are dropped.
    """

    paths: int
    """Paths to each output: the largest number of cells that enter it in a slot. From `1` to
    `1024`. Default: `8`.
    """


class VirtualOutputQueuesFabric(TypedDict, total=False):
    """Each input keeps a queue for every output, and a matching decides in each slot which cells
    cross.
    """

    matching: Matching
    """Rule that matches inputs with outputs. Default: `{ islip = { iterations = 4 } }`."""

    speedup: int
    """Matchings in a slot, each of which moves at most one cell from each input and to each
    output. From `1` to `1024`. Default: `1`.
    """

    clock: Rate
    """Rate whose cell time is the slot; if not given, the rate of the fastest link."""

    input: Input
    """Memory of the inputs; if not given, it has no limit."""

    queues: InputQueues
    """The queues that an input keeps. Default: `per_output`."""

    mode: CrossingMode
    """Unit that crosses, a cell or a packet, before a pair of an input and an output is matched
    anew. Default: `cell`.
    """


class Matching(TypedDict, total=False):
    """Rule that matches inputs with outputs in each slot.

    Exactly one of these.
    """

    pim: PimMatching
    """Parallel iterative matching: outputs grant, and inputs accept, at random."""

    islip: IslipMatching
    """iSLIP: outputs grant, and inputs accept, round robin from pointers."""

    wavefront: WavefrontMatching
    """Wrapped wave front arbiter: requests are decided diagonal by diagonal."""

    maximum_weight: MaximumWeightMatching
    """The matching with the largest sum of weights; of several, one at random."""

    maximum_size: MaximumSizeMatching
    """The matching with the most pairs; of several, one at random."""


class PimMatching(TypedDict, total=False):
    """Parallel iterative matching: outputs grant, and inputs accept, at random."""

    iterations: int
    """Iterations of a matching; one that adds no pair is the last. From `1` to `1024`. Default:
    `4`.
    """


class IslipMatching(TypedDict, total=False):
    """iSLIP: outputs grant, and inputs accept, round robin from pointers."""

    iterations: int
    """Iterations of a matching; one that adds no pair is the last. From `1` to `1024`. Default:
    `4`.
    """


class WavefrontMatching(TypedDict, total=False):
    """Wrapped wave front arbiter: requests are decided diagonal by diagonal."""


class MaximumWeightMatching(TypedDict, total=False):
    """The matching with the largest sum of weights; of several, one at random."""

    weight: Weight
    """Weight of a pair of an input and an output. Default: `queue_length`."""


Weight: TypeAlias = Literal["queue_length", "oldest_cell"]
"""Weight of a pair of an input and an output.

`queue_length`: Number of cells in the virtual output queue.

`oldest_cell`: Time since the arrival of the first cell of the virtual output queue.
"""


class MaximumSizeMatching(TypedDict, total=False):
    """The matching with the most pairs; of several, one at random."""


InputQueues: TypeAlias = Literal["per_output", "per_class"]
"""The queues that an input keeps.

`per_output`: A queue for each output.

`per_class`: A queue for each output and service class; of the cells for one output, the
first of the highest class crosses.
"""


CrossingMode: TypeAlias = Literal["cell", "packet"]
"""Unit that crosses, a cell or a packet, before a pair of an input and an output is matched
anew.

`cell`: One cell.

`packet`: All cells of a packet, which waits at its input until its last cell has come.
"""


class ScheduledCellsFabric(TypedDict, total=False):
    """Each output grants credit to the inputs that ask for it, and granted packets cross in
    cells that are sprayed over the links of a fabric.
    """

    grant: BufferSize
    """Credit of one grant; a size in cells is in those of the network."""

    egress: BufferSize
    """Buffer of an egress: the most credit that it has granted for packets that have not left."""

    speedup: float
    """Rate of the grants of an egress over the rate of its output. From `0.1` to `100`. Default:
    `1.0`.
    """

    control_delay: Duration
    """Time that a request takes to the egress, and a grant to the ingress. From `1 ns` to `1 s`."""

    links: int
    """Links from each ingress to the fabric, and from the fabric to each egress. From `1` to
    `1024`.
    """

    link_rate: Rate
    """Rate of a link of the fabric."""

    link_delay: Duration
    """Propagation delay of the first link of each ingress and egress. From `0 s` to `1 s`.
    Default: `0 s`.
    """

    skew: Duration
    """Difference between the propagation delays of a link and the next. From `0 s` to `1 s`.
    Default: `0 s`.
    """

    spray: SprayChoice
    """Choice of the link of a cell. Default: `in_turn`."""

    cell: CellFormat
    """Cells of the fabric, into which the cells of a packet are cut; if not given, each cell of
    the network crosses as it is.
    """

    outages: list[FabricOutage]
    """Times in which links are down, for each link in order; if not given, none."""

    detection: Duration
    """Time from the start, and from the end, of an outage until the inputs know of it. From `0
    s` to `1000 h`. Default: `0 s`.
    """

    reassembly_timeout: Duration
    """Time for which an egress waits for a packet that has lost a cell, from the time at which
    its input sent it into the fabric; longer than a packet takes to cross. From `1 ns` to
    `1000 h`. Default: `10 ms`.
    """


class FabricOutage(TypedDict, total=False):
    """A time in which an element of the fabric is down, and with it the links of one number, of
    all inputs and outputs.
    """

    link: int
    """Number of the links, from 1. From `1` to `1024`."""

    at: Duration
    """Start of the outage."""

    lasts: Duration
    """Length of the outage. From `1 ps` to `1000 h`."""


class Buffer(TypedDict, total=False):
    """Layout of the buffer memory: per output, per class, per VC or shared.

    Exactly one of these.
    """

    per_output: BufferSize
    """Each output has a buffer of this size. A router counts it in octets, and a cell as those
    of a cell of its memory, or else of the network. The waiting packets may be counted in its
    place, such as `"100 packets"`; levels in per cent are then those of as many of the
    longest packets that pass.
    """

    per_class: PerClassBuffer
    """Each output has a buffer for each service class. A class without a buffer must not use the
    output.
    """

    per_vc: BufferSize
    """Each virtual channel of each output has a buffer of this size. A router counts it in
    octets, and a cell as those of a cell of its memory, or else of the network.
    """

    shared: SharedBuffer
    """All outputs share one memory, and the discard policy sees the occupancy of the whole
    memory.
    """


class PerClassBuffer(TypedDict, total=False):
    """Each output has a buffer for each service class. A class without a buffer must not use the
    output.
    """

    cbr: BufferSize
    """Buffer of constant bit rate (CBR)."""

    rt_vbr: BufferSize
    """Buffer of real-time variable bit rate (rt-VBR)."""

    nrt_vbr: BufferSize
    """Buffer of non-real-time variable bit rate (nrt-VBR)."""

    abr: BufferSize
    """Buffer of available bit rate (ABR)."""

    ubr: BufferSize
    """Buffer of unspecified bit rate (UBR)."""


class SharedBuffer(TypedDict, total=False):
    """All outputs share one memory, and the discard policy sees the occupancy of the whole
    memory.
    """

    size: BufferSize
    """Capacity of the shared memory."""

    counted: Counted
    """Octets that a cell takes if the capacity is given in bytes. Default: `cells`."""


Counted: TypeAlias = Literal["cells", "payload"]
"""Octets that a cell of the network takes in a memory whose size is given in bytes.

`cells`: The whole cell: 53 octets in ATM.

`payload`: The payload of the cell: 48 octets in ATM.
"""


class Discard(TypedDict, total=False):
    """Discard policy of an output buffer: the cells or packets that it drops.

    Exactly one of these.
    """

    tail_drop: TailDropDiscard
    """Drops a cell or packet that does not fit into the buffer."""

    partial_packet: PartialPacketDiscard
    """Partial packet discard (PPD): after one dropped cell, drops the remaining cells of its PDU
    except the last.
    """

    early_packet: EarlyPacketDiscard
    """Early packet discard (EPD): drops whole PDUs once the queue has reached a threshold, or
    leaves too little headroom.
    """

    partial_buffer_sharing: PartialBufferSharingDiscard
    """Partial buffer sharing: drops cells of low priority (CLP = 1) once the queue has reached a
    threshold, and cells of high priority when the buffer is full.
    """

    push_out: PushOutDiscard
    """Drops cells that find the buffer full, but lets a cell of high priority (CLP = 0) push out
    the last cell of low priority in the buffer.
    """

    selective_drop: SelectiveDropDiscard
    """Selective drop: beyond a threshold, drops whole PDUs of VCs that hold more than a multiple
    of the mean occupancy.
    """

    fair_buffer_allocation: FairBufferAllocationDiscard
    """Fair buffer allocation (FBA): beyond a threshold, drops whole PDUs of VCs that hold more
    than a multiple of the mean occupancy; the multiple falls as the buffer fills.
    """

    random_early: RandomEarlyDiscard
    """Random early detection (RED): drops at random, with a probability that grows with the
    average queue.
    """

    codel: CodelDiscard
    """Controlled delay (CoDel): drops at departure while every packet waits longer than a
    target.
    """

    pie: PieDiscard
    """Proportional integral controller enhanced (PIE): drops at random on arrival, so that the
    waiting time approaches a target.
    """

    fq_codel: FqCodelDiscard
    """FQ-CoDel: each queue of the scheduler has a CoDel of its own, and a full buffer drops from
    the longest queue.
    """

    dual_pi2: DualPi2Discard
    """DualPI2: a coupled controller for flows that need low delay and for the others."""

    trim: TrimDiscard
    """Cuts a packet that does not fit into the buffer down to its first octets, and sends these
    on.
    """


class TailDropDiscard(TypedDict, total=False):
    """Drops a cell or packet that does not fit into the buffer."""


class PartialPacketDiscard(TypedDict, total=False):
    """Partial packet discard (PPD): after one dropped cell, drops the remaining cells of its PDU
    except the last.
    """


class EarlyPacketDiscard(TypedDict, total=False):
    """Early packet discard (EPD): drops whole PDUs once the queue has reached a threshold, or
    leaves too little headroom.
    """

    threshold: LevelInABuffer
    """Queue length from which new PDUs are dropped. If neither `threshold` nor `headroom` is
    given, `50 %`.
    """

    headroom: LevelInABuffer
    """Free buffer space that a new PDU needs to be accepted, instead of a threshold."""

    overflow: Overflow
    """Treatment of an accepted PDU when one of its cells finds the buffer full. Default:
    `partial_packet`.
    """


Overflow: TypeAlias = Literal["partial_packet", "tail_drop"]
"""Treatment of an accepted PDU when one of its cells finds the buffer full.

`partial_packet`: The rest of the PDU is dropped, except its last cell.

`tail_drop`: Each later cell is accepted if it fits.
"""


class PartialBufferSharingDiscard(TypedDict, total=False):
    """Partial buffer sharing: drops cells of low priority (CLP = 1) once the queue has reached a
    threshold, and cells of high priority when the buffer is full.
    """

    threshold: LevelInABuffer
    """Queue length from which cells of low priority are dropped. Default: `50 %`."""


class PushOutDiscard(TypedDict, total=False):
    """Drops cells that find the buffer full, but lets a cell of high priority (CLP = 0) push out
    the last cell of low priority in the buffer.
    """


class SelectiveDropDiscard(TypedDict, total=False):
    """Selective drop: beyond a threshold, drops whole PDUs of VCs that hold more than a multiple
    of the mean occupancy.
    """

    threshold: LevelInABuffer
    """Queue length beyond which the occupancies of VCs are compared. Default: `90 %`."""

    factor: float
    """Largest occupancy of a VC beyond the threshold, as a multiple of the mean over the VCs
    that have cells waiting. From `0.01` to `100`. Default: `0.8`.
    """

    overflow: Overflow
    """Treatment of an accepted PDU when one of its cells finds the buffer full. Default:
    `partial_packet`.
    """


class FairBufferAllocationDiscard(TypedDict, total=False):
    """Fair buffer allocation (FBA): beyond a threshold, drops whole PDUs of VCs that hold more
    than a multiple of the mean occupancy; the multiple falls as the buffer fills.
    """

    threshold: LevelInABuffer
    """Queue length beyond which the occupancies of VCs are compared. Default: `50 %`."""

    factor: float
    """Largest occupancy of a VC when the buffer is full, as a multiple of the mean over the VCs
    that have cells waiting. From `0.01` to `100`. Default: `0.8`.
    """

    overflow: Overflow
    """Treatment of an accepted PDU when one of its cells finds the buffer full. Default:
    `partial_packet`.
    """


class RandomEarlyDiscard(TypedDict, total=False):
    """Random early detection (RED): drops at random, with a probability that grows with the
    average queue.
    """

    minimum: LevelInABuffer
    """Average queue length from which packets are dropped at random. Default: `20 %`."""

    maximum: LevelInABuffer
    """Average queue length from which all packets are dropped. Default: `60 %`."""

    probability: Percentage
    """Drop probability just below `maximum`. From `0.01 %` to `100 %`. Default: `2 %`."""

    weight: Percentage
    """Weight of the latest sample in the average. From `0.0001 %` to `100 %`. Default: `0.2 %`."""

    unit: Judged
    """Unit that is sampled and dropped. Default: `packet`."""

    threshold: LevelInABuffer
    """Queue length from which all new packets are dropped, even if the average is low."""

    mean_packet: SizeInBytes
    """Mean size of packets, by which the average falls while the queue is empty. If it is not
    given and `unit` is `cell`, a cell. If it is not given and `unit` is `packet`, `500 B`.
    From `1 B` to `65535 B`.
    """

    overflow: Overflow
    """Treatment of an accepted packet when one of its cells finds the buffer full. Default:
    `partial_packet`.
    """


Judged: TypeAlias = Literal["packet", "cell"]
"""Unit that random early detection samples and drops. In a router both are a packet.

`packet`: A packet, decided at its first cell.

`cell`: Each cell by itself.
"""


class CodelDiscard(TypedDict, total=False):
    """Controlled delay (CoDel): drops at departure while every packet waits longer than a
    target.
    """

    target: Duration
    """Waiting time that at least one packet of an interval must not exceed. From `1 us` to `10
    s`. Default: `5 ms`.
    """

    interval: Duration
    """Time for which packets must wait longer than `target` before one is dropped: about the
    longest usual round-trip time. From `10 us` to `100 s`. Default: `100 ms`.
    """

    max_packet: SizeInBytes
    """Size of the largest packet. A queue that holds no more behind a packet loses none. From `1
    B` to `65535 B`. Default: `1500 B`.
    """

    ecn: bool
    """True if packets of ECN-capable flows are marked instead of dropped. Default: `true`."""

    overflow: Overflow
    """Treatment of an accepted packet when one of its cells finds the buffer full. Default:
    `partial_packet`.
    """


class PieDiscard(TypedDict, total=False):
    """Proportional integral controller enhanced (PIE): drops at random on arrival, so that the
    waiting time approaches a target.
    """

    target: Duration
    """Waiting time that the controller aims at (`QDELAY_REF`). From `1 us` to `10 s`. Default:
    `15 ms`.
    """

    update: Duration
    """Time between updates of the drop probability (`T_UPDATE`). From `10 us` to `10 s`.
    Default: `15 ms`.
    """

    alpha: float
    """Weight of the distance from the target, per second (`alpha`). From `0.0` to `1000.0`.
    Default: `0.125`.
    """

    beta: float
    """Weight of the growth since the last update, per second (`beta`). From `0.0` to `1000.0`.
    Default: `1.25`.
    """

    burst: Duration
    """Longest burst from which nothing is dropped at random (`MAX_BURST`). From `0 s` to `100
    s`. Default: `150 ms`.
    """

    mean_packet: SizeInBytes
    """Mean size of packets; a queue of two or fewer loses none at random (`MEAN_PKTSIZE`). From
    `1 B` to `65535 B`. Default: `1000 B`.
    """

    ecn: bool
    """True if packets of ECN-capable flows are marked instead of dropped at random. Default:
    `true`.
    """

    mark_below: Percentage
    """Drop probability from which ECN-capable packets are dropped too (`mark_ecnth`). From `0 %`
    to `100 %`. Default: `10 %`.
    """

    derandomize: bool
    """True if the gaps between drops are bounded below and above. Default: `false`."""

    cap: bool
    """True if a probability of 10 % or more grows by at most 2 % in an update. Default: `true`."""

    overflow: Overflow
    """Treatment of an accepted packet when one of its cells finds the buffer full. Default:
    `partial_packet`.
    """


class FqCodelDiscard(TypedDict, total=False):
    """FQ-CoDel: each queue of the scheduler has a CoDel of its own, and a full buffer drops from
    the longest queue.
    """

    target: Duration
    """Waiting time that at least one packet of an interval must not exceed. From `1 us` to `10
    s`. Default: `5 ms`.
    """

    interval: Duration
    """Time for which packets must wait longer than `target` before one is dropped: about the
    longest usual round-trip time. From `10 us` to `100 s`. Default: `100 ms`.
    """

    max_packet: SizeInBytes
    """Size of the largest packet. A queue that holds no more behind a packet loses none. From `1
    B` to `65535 B`. Default: `1500 B`.
    """

    ecn: bool
    """True if packets of ECN-capable flows are marked instead of dropped. Default: `true`."""

    batch: int
    """Largest number of packets that are dropped at once where the buffer is full. From `1` to
    `10000`. Default: `64`.
    """

    overflow: Overflow
    """Treatment of an accepted packet when one of its cells finds no room. Default:
    `partial_packet`.
    """


class DualPi2Discard(TypedDict, total=False):
    """DualPI2: a coupled controller for flows that need low delay and for the others."""

    target: Duration
    """Waiting time that the controller aims at for classic flows. From `1 us` to `10 s`.
    Default: `15 ms`.
    """

    update: Duration
    """Time between updates of the probability (`Tupdate`). From `10 us` to `10 s`. Default: `16
    ms`.
    """

    alpha: float
    """Weight of the distance from the target, per second (`alpha`). From `0.0` to `1000.0`.
    Default: `0.16`.
    """

    beta: float
    """Weight of the growth since the last update, per second (`beta`). From `0.0` to `1000.0`.
    Default: `3.2`.
    """

    coupling: float
    """Ratio of the marks of flows of ECT(1) to the base probability (`k`). From `1.0` to
    `100.0`. Default: `2.0`.
    """

    step: Duration
    """Waiting time from which flows of ECT(1) are marked without regard to the others (`minTh`).
    From `0 s` to `10 s`. Default: `800 us`.
    """

    ramp: Duration
    """Further waiting time over which these marks grow to all packets (`range`). From `0 s` to
    `10 s`. Default: `400 us`.
    """

    overflow: Overflow
    """Treatment of an accepted packet when one of its cells finds the buffer full. Default:
    `partial_packet`.
    """


class TrimDiscard(TypedDict, total=False):
    """Cuts a packet that does not fit into the buffer down to its first octets, and sends these
    on.
    """

    size: SizeInBytes
    """Octets that are left of a trimmed packet. From `64 B` to `16 KiB`. Default: `128 B`."""

    headers: BufferSize
    """Memory for the queue of headers of `scheduler.headers_first`; if not given, as large as
    the buffer of the other packets.
    """

    no_room: NoRoom
    """Fate of a packet that does not fit even when it is trimmed. Default: `dropped`."""


NoRoom: TypeAlias = Literal["dropped", "returned"]
"""Fate of a packet that does not fit even when it is trimmed.

`dropped`: The packet is dropped.

`returned`: The trimmed packet goes back to its sender, over the path of the answers.
"""


class Scheduler(TypedDict, total=False):
    """Scheduler: the order in which an output sends the cells or packets that wait.

    Exactly one of these.
    """

    fifo: FifoScheduler
    """Cells leave in the order in which they were accepted, across all virtual channels."""

    round_robin: RoundRobinScheduler
    """Each virtual channel has a queue of its own; those with cells waiting send one cell in
    turn.
    """

    strict_priority: StrictPriorityScheduler
    """CBR goes before rt-VBR, rt-VBR before nrt-VBR, nrt-VBR before ABR, and UBR takes the rest."""

    multiclass: MulticlassScheduler
    """Each service class is guaranteed a share of the link; the excess goes by priority and
    weight.
    """

    deficit_round_robin: DeficitRoundRobinScheduler
    """Each virtual channel has a queue of its own, and may send a quantum of octets in each
    turn.
    """

    self_clocked: SelfClockedScheduler
    """Self-clocked fair queueing: each virtual channel has a queue of its own; the unit with the
    smallest finishing tag leaves first.
    """

    flow_queue: FlowQueueScheduler
    """Virtual channels are hashed to queues, which take turns of a quantum of octets; queues
    that have just become active go first.
    """

    dual_queue: DualQueueScheduler
    """Flows whose transport answers the share of marks have a queue of their own, which goes
    first.
    """

    headers_first: HeadersFirstScheduler
    """Trimmed packets and answers of receivers have a queue of their own, which goes first."""


class FifoScheduler(TypedDict, total=False):
    """Cells leave in the order in which they were accepted, across all virtual channels."""


class RoundRobinScheduler(TypedDict, total=False):
    """Each virtual channel has a queue of its own; those with cells waiting send one cell in
    turn.
    """


class StrictPriorityScheduler(TypedDict, total=False):
    """CBR goes before rt-VBR, rt-VBR before nrt-VBR, nrt-VBR before ABR, and UBR takes the rest."""

    within: IntraClassOrder
    """Order in which the cells of one service class leave. Default: `fifo`."""


IntraClassOrder: TypeAlias = Literal["fifo", "round_robin"]
"""Order in which the cells of one service class leave.

`fifo`: First in, first out, across all virtual channels of the class.

`round_robin`: Each virtual channel has a queue of its own, and sends one cell in turn.
"""


class MulticlassScheduler(TypedDict, total=False):
    """Each service class is guaranteed a share of the link; the excess goes by priority and
    weight.
    """

    cbr: Prompt
    """Guarantee of constant bit rate (CBR). Default: `{}`."""

    rt_vbr: Prompt
    """Guarantee of real-time variable bit rate (rt-VBR). Default: `{}`."""

    nrt_vbr: Patient
    """Guarantee of non-real-time variable bit rate (nrt-VBR). Default: `{}`."""

    abr: Elastic
    """Guarantee of available bit rate (ABR). Default: `{}`."""

    ubr: Elastic
    """Guarantee of unspecified bit rate (UBR). Default: `{}`."""

    within: IntraClassOrder
    """Order in which the cells of one service class leave. Default: `fifo`."""


class Prompt(TypedDict, total=False):
    """Guarantee of a real-time class."""

    share: Percentage
    """Share of the link that the class is guaranteed while it has cells waiting. Default: `0 %`."""

    burst: NumberOfCells
    """Largest credit of guaranteed cells that the class saves up while it has none waiting. From
    `1 cell` to `1000000 cells`. Default: `1 cell`.
    """

    greedy: bool
    """True if the class shares the excess with others by weight, false if it takes the excess by
    priority. Default: `false`.
    """

    weight: int
    """Weight by which the class shares the capacity left after all guarantees, if `greedy`. From
    `1` to `1000`. Default: `1`.
    """


class Patient(TypedDict, total=False):
    """Guarantee of a class that may wait, and takes the capacity that it needs."""

    share: Percentage
    """Share of the link that the class is guaranteed while it has cells waiting. Default: `0 %`."""

    burst: NumberOfCells
    """Largest credit of guaranteed cells that the class saves up while it has none waiting. From
    `1 cell` to `1000000 cells`. Default: `8 cells`.
    """

    greedy: bool
    """True if the class shares the excess with others by weight, false if it takes the excess by
    priority. Default: `false`.
    """

    weight: int
    """Weight by which the class shares the capacity left after all guarantees, if `greedy`. From
    `1` to `1000`. Default: `1`.
    """


class Elastic(TypedDict, total=False):
    """Guarantee of a class that takes all the capacity that it can get."""

    share: Percentage
    """Share of the link that the class is guaranteed while it has cells waiting. Default: `0 %`."""

    burst: NumberOfCells
    """Largest credit of guaranteed cells that the class saves up while it has none waiting. From
    `1 cell` to `1000000 cells`. Default: `8 cells`.
    """

    greedy: bool
    """True if the class shares the excess with others by weight, false if it takes the excess by
    priority. Default: `true`.
    """

    weight: int
    """Weight by which the class shares the capacity left after all guarantees, if `greedy`. From
    `1` to `1000`. Default: `1`.
    """


class DeficitRoundRobinScheduler(TypedDict, total=False):
    """Each virtual channel has a queue of its own, and may send a quantum of octets in each
    turn.
    """

    quantum: SizeInBytes
    """Octets added to the deficit of a virtual channel in each turn. From `40 B` to `1 MB`.
    Default: `1500 B`.
    """


class SelfClockedScheduler(TypedDict, total=False):
    """Self-clocked fair queueing: each virtual channel has a queue of its own; the unit with the
    smallest finishing tag leaves first.
    """


class FlowQueueScheduler(TypedDict, total=False):
    """Virtual channels are hashed to queues, which take turns of a quantum of octets; queues
    that have just become active go first.
    """

    queues: int
    """Number of queues to which virtual channels are hashed. From `1` to `65536`. Default:
    `1024`.
    """

    quantum: SizeInBytes
    """Octets that a queue may send in each turn. From `40 B` to `1 MB`. Default: `1514 B`."""


class DualQueueScheduler(TypedDict, total=False):
    """Flows whose transport answers the share of marks have a queue of their own, which goes
    first.
    """

    classic: Percentage
    """Least share of the link for the queue of the other flows, while packets wait in it. From
    `0 %` to `100 %`. Default: `10 %`.
    """


class HeadersFirstScheduler(TypedDict, total=False):
    """Trimmed packets and answers of receivers have a queue of their own, which goes first."""

    in_a_row: int
    """Largest number of packets that the queue of headers sends in a row while another packet
    waits; if not given, there is no limit. From `1` to `1000000`.
    """


class Memory(TypedDict, total=False):
    """Memory of a node in cells of its own, each of which holds octets of one cell of the
    network or of one packet.
    """

    preset: MemoryPreset
    """Memory of a switch on the market; a parameter beside it replaces the value of the preset."""

    cell: SizeInBytes
    """Octets of a cell of the memory. From `16 B` to `64 KiB`."""

    framing: SizeInBytes
    """Octets of each packet on the link that the memory does not hold, such as the 20 octets of
    an Ethernet preamble and gap. From `0 B` to `1 KiB`. Default: `0 B`.
    """


MemoryPreset: TypeAlias = Literal["spectrum_1", "spectrum_2", "spectrum_4", "spectrum_6"]
"""Memory of a switch on the market, after `SONiC`.

`spectrum_1`: Spectrum: cells of 96 octets. It sets `cell = "96 B"`.

`spectrum_2`: Spectrum-2 and Spectrum-3: cells of 144 octets. It sets `cell = "144 B"`.

`spectrum_4`: Spectrum-4 and Spectrum-5: cells of 192 octets. It sets `cell = "192 B"`.

`spectrum_6`: Spectrum-6: cells of 256 octets. It sets `cell = "256 B"`.
"""


class Mark(TypedDict, total=False):
    """Rule by which an output sets the congestion mark of cells or packets.

    Exactly one of these.
    """

    threshold: ThresholdMark
    """Marks cells or packets that join a queue longer than a threshold."""

    ramp: RampMark
    """Marks cells or packets at random, with a probability that grows with the queue."""


class ThresholdMark(TypedDict, total=False):
    """Marks cells or packets that join a queue longer than a threshold."""

    above: LevelInABuffer
    """Queue length beyond which arriving cells or packets are marked."""


class RampMark(TypedDict, total=False):
    """Marks cells or packets at random, with a probability that grows with the queue."""

    minimum: LevelInABuffer
    """Queue length beyond which arriving cells or packets are marked at random."""

    maximum: LevelInABuffer
    """Queue length at which the probability is `probability`."""

    probability: Percentage
    """Probability of a mark at `maximum`. From `0.01 %` to `100 %`. Default: `10 %`."""

    beyond: Beyond
    """Probability beyond `maximum`. Default: `one`."""


Beyond: TypeAlias = Literal["one", "gentle"]
"""Probability of a mark beyond the end of a ramp.

`one`: One: all are marked.

`gentle`: The probability grows to one at twice `maximum`, the gentle variant of RED.
"""


class Allocator(TypedDict, total=False):
    """Rate allocator of an output, which controls the rates of ABR sources.

    Exactly one of these.
    """

    efci: EfciAllocator
    """Sets the congestion mark (EFCI) of data cells of ABR VCs while the queue of ABR cells is
    long.
    """

    binary: BinaryAllocator
    """Sets a bit of resource management cells while the queue of ABR cells is long."""

    erica: EricaAllocator
    """ERICA, or ERICA+ where the target follows the queue."""


class EfciAllocator(TypedDict, total=False):
    """Sets the congestion mark (EFCI) of data cells of ABR VCs while the queue of ABR cells is
    long.
    """

    high: LevelInABuffer
    """Queue length beyond which marking begins."""

    low: LevelInABuffer
    """Queue length down to which marking lasts."""


class BinaryAllocator(TypedDict, total=False):
    """Sets a bit of resource management cells while the queue of ABR cells is long."""

    high: LevelInABuffer
    """Queue length beyond which the bit is set."""

    low: LevelInABuffer
    """Queue length down to which the bit is set."""

    set: Bit
    """Bit that is set. Default: `ci`."""

    in_cells: Direction
    """Direction of the RM cells in which the bit is set. Default: `backward`."""


Bit: TypeAlias = Literal["ci", "ni"]
"""Bit by which a switch slows a source.

`ci`: Congestion indication (CI): the source lowers its rate.

`ni`: No increase (NI): the source does not raise its rate.
"""


Direction: TypeAlias = Literal["forward", "backward"]
"""Direction of the resource management cells that a switch changes.

`forward`: RM cells on their way to the destination.

`backward`: RM cells on their way back, which reach the source sooner.
"""


class EricaAllocator(TypedDict, total=False):
    """ERICA, or ERICA+ where the target follows the queue."""

    preset: EricaPreset
    """Parameters of a publication. Its rules cannot be changed; numbers written beside it
    replace those of the publication.
    """

    target: Target
    """Capacity that ABR cells are meant to fill. Default: `{ utilization = "90 %" }`."""

    interval: Duration
    """Longest averaging interval. From `10 us` to `10 s`. Default: `1 ms`."""

    cells: int
    """Number of cells that ends an averaging interval early; if not given, only time ends it.
    From `1` to `1000000`.
    """

    count: IntervalCount
    """Cells that are counted for the parameter `cells`, which ends an averaging interval early.
    Default: `abr_in`.
    """

    averaging: Averaging
    """Averaging of the load factor over intervals; if not given, each interval stands alone."""

    fairness: Fairness
    """Fairness criterion: the rate that a VC is entitled to. Default: `maximum`."""

    max_alloc: MaxAlloc
    """While the load factor is at most `1 + delta`, every VC may have the largest rate that was
    given to any VC in the last interval.
    """

    fair_share_first: bool
    """True if a VC below the fair share may rise to it, but not beyond it, in one step. Default:
    `false`.
    """

    one_feedback_per_interval: bool
    """True if all feedback to a VC within one interval is equal. Default: `false`."""

    bidirectional_counting: bool
    """True if a VC also counts as active when one of its backward RM cells passes the switch.
    Default: `false`.
    """

    decay_count: DecayCount
    """Rule by which the weight of an idle VC in the number of active VCs decays from interval to
    interval; if not given, a VC counts in full or not at all.
    """

    immediate_fair_share: bool
    """True if a VC that becomes active lowers the fair share at once. Default: `false`."""

    per_vc_rate: bool
    """True if the switch measures the rate of a VC, false if it reads the rate from RM cells.
    Default: `false`.
    """


EricaPreset: TypeAlias = Literal["tcp_over_abr_1996", "kalyanaraman_1997", "erica_plus"]
"""ERICA as published.

`tcp_over_abr_1996`: Reproduces the tables of Jain et al., "TCP/IP over ABR", 1996: the
rule as first published, with two modifications. It sets `target = { utilization = "90 %"
}`, `interval = "1 ms"`, `cells = 100`, `fair_share_first = true`,
`one_feedback_per_interval = true`.

`kalyanaraman_1997`: Averages, and the additions of Kalyanaraman, dissertation, 1997,
chapter 6, for equal rates and for sources that come and go; delta, alpha and decay are
from later papers. It sets `target = { utilization = "90 %" }`, `interval = "1 ms"`,
`cells = 100`, `averaging = { cells = { alpha = "20 %" } }`, `max_alloc = { delta = "10 %"
}`, `fair_share_first = true`, `one_feedback_per_interval = true`, `bidirectional_counting
= true`, `decay_count = { decay = "90 %" }`.

`erica_plus`: ERICA+: the queue is held at 0.5 ms, with a and b of Vandalore et al., 1998.
It sets `target = { queue = { delay = "0.5 ms", curve = { hyperbolic = { a = 1.15, b =
1.05 } } } }`, `interval = "1 ms"`, `cells = 100`, `fair_share_first = true`,
`one_feedback_per_interval = true`.
"""


class Target(TypedDict, total=False):
    """Capacity that ABR cells are meant to fill.

    Exactly one of these.
    """

    utilization: Percentage
    """Share of the link, at least 1 %, minus the capacity that higher classes use."""

    queue: QueueTarget
    """Capacity of the link beyond higher classes, times a factor that falls as the queue grows:
    ERICA+.
    """


class QueueTarget(TypedDict, total=False):
    """Capacity of the link beyond higher classes, times a factor that falls as the queue grows:
    ERICA+.
    """

    delay: Duration
    """T0: target delay of the queue. If neither `delay` nor `cells` is given, `500 us`. From `1
    us` to `10 s`.
    """

    cells: NumberOfCells
    """Q0: target length of the queue, however fast it drains. From `1 cells` to `1000000000
    cells`.
    """

    curve: QueueCurve
    """Curve by which the factor falls. Default: `{ hyperbolic = { a = 1.15, b = 1.05 } }`."""

    steady_until: float
    """Q1 over Q0: the factor stays one up to a queue of Q1. From `1` to `1000000`. Default:
    `1.0`.
    """

    drain_from: float
    """Queue length, in multiples of Q0 (Q2/Q0), from which the factor is `drain_limit`; if not
    given, the length at which the curve reaches `drain_limit`. From `1` to `1000000`.
    """

    drain_limit: Percentage
    """Queue drain limit factor (QDLF): lower bound of the factor. From `1 %` to `100 %`.
    Default: `50 %`.
    """


class QueueCurve(TypedDict, total=False):
    """Factor of the capacity, which falls as the queue grows.

    Exactly one of these.
    """

    step: StepQueueCurve
    """Steps: one capacity factor below the queue length Q0, another beyond Q1."""

    linear: LinearQueueCurve
    """Lines: the capacity factor falls linearly with the queue."""

    hyperbolic: HyperbolicQueueCurve
    """Hyperbolas: the capacity factor falls fast at first, and then more slowly."""

    inverse_hyperbolic: InverseHyperbolicQueueCurve
    """An inverted hyperbola: beyond the queue length Q1 the capacity factor falls slowly at
    first, and then fast.
    """


class StepQueueCurve(TypedDict, total=False):
    """Steps: one capacity factor below the queue length Q0, another beyond Q1."""

    a: float
    """Factor beyond Q1. From `0` to `1`. Default: `0.95`."""

    b: float
    """Factor below Q0. From `1` to `2`. Default: `1.01`."""


class LinearQueueCurve(TypedDict, total=False):
    """Lines: the capacity factor falls linearly with the queue."""

    a: float
    """Fall per Q0 beyond Q1. From `0` to `1`. Default: `0.0625`."""

    b: float
    """Fall per Q0 below Q0. From `0` to `1`. Default: `0.0625`."""


class HyperbolicQueueCurve(TypedDict, total=False):
    """Hyperbolas: the capacity factor falls fast at first, and then more slowly."""

    a: float
    """Steepness of the fall beyond Q1. From `1` to `100`. Default: `1.15`."""

    b: float
    """Factor of an empty queue. From `1` to `2`. Default: `1.05`."""


class InverseHyperbolicQueueCurve(TypedDict, total=False):
    """An inverted hyperbola: beyond the queue length Q1 the capacity factor falls slowly at
    first, and then fast.
    """

    a: float
    """Length of the fall: the factor is one half at a queue of `(1 + a / 3)` times Q1. From
    `0.01` to `1000000`. Default: `16.5`.
    """

    b: float
    """Factor of an empty queue. From `1` to `2`. Default: `1.05`."""


IntervalCount: TypeAlias = Literal["abr_in", "all_in", "abr_out"]
"""Cells that count towards the end of an averaging interval.

`abr_in`: ABR cells offered to the output.

`all_in`: All cells offered to the output.

`abr_out`: ABR cells that leave the output.
"""


class Averaging(TypedDict, total=False):
    """Averaging of the load factor over intervals.

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

    share: FairShareCapacity
    """Capacity from which fair shares are computed. Default: `last`."""


FairShareCapacity: TypeAlias = Literal["last", "averaged"]
"""Capacity from which fair shares are computed, beside an averaged load factor.

`last`: The capacity of the last interval. With it the throughput of Jain et al., "TCP/IP
over ABR", 1996, is reproduced for a target of 70 % under bursts of 1 ms.

`averaged`: The averaged capacity, so that fair shares are as steady as the load factor.
"""


Fairness: TypeAlias = Literal["maximum", "mcr_plus_equal_share"]
"""Fairness criterion: two of the criteria in the ATM Forum's specification.

`maximum`: The larger of the minimum cell rate and an equal share of the capacity.

`mcr_plus_equal_share`: The minimum cell rate, and an equal share of the capacity beyond
all minimum cell rates.
"""


class MaxAlloc(TypedDict, total=False):
    """Load factor up to which every VC may have the largest rate that any VC was given."""

    delta: Percentage
    """Excess of the load factor over one. Default: `10 %`."""


class DecayCount(TypedDict, total=False):
    """Rule by which the weight of an idle VC in the number of active VCs decays."""

    decay: Percentage
    """Ratio of the weight of an idle VC in an interval to its weight in the interval before.
    Default: `90 %`.
    """


TieRule: TypeAlias = Literal["in_order", "random"]
"""Order of events at the same instant.

`in_order`: Departures go before arrivals, and arrivals are taken in the order of the
inputs.

`random`: A coin decides whether departures or arrivals go first, and arrivals are taken
in random order.
"""


class Router(TypedDict, total=False):
    """A store-and-forward router."""

    buffer: Buffer
    """Layout of the buffer memory, counted in octets."""

    discard: Discard
    """Discard policy of the outputs. Default: `{ tail_drop = {} }`."""

    scheduler: Scheduler
    """Scheduler of the outputs. Default: `{ fifo = {} }`."""

    memory: Memory
    """Cells of the memory, each of which holds octets of one packet or of one cell of the
    network; if not given, each takes its own octets.
    """

    mark: Mark
    """Rule by which outputs mark packets; if not given, none are marked."""

    paths: Paths
    """Choice among equal paths. Default: `{ single = {} }`."""

    ties: TieRule
    """Order of events at the same instant. Default: `in_order`."""


class Edge(TypedDict, total=False):
    """An edge router, or a group of equal ones: packets on one side, cells on the other."""

    count: int
    """Size of the group; members are called `name[0]`, `name[1]` and so on. If not given, one
    edge router called `name`. From `1` to `100000`.
    """

    queue: BufferSize
    """Capacity of each queue; there is one for each virtual channel of a link with cells, and
    one for each link with packets. A packet counts in the cells of the network.
    """

    discard: Discard
    """Discard policy of the queues. Default: `{ tail_drop = {} }`."""

    mark: Mark
    """Rule by which queues mark packets; if not given, none are marked."""


class Link(TypedDict, total=False):
    """A link between two nodes, one in each direction; a group has one link for each member."""

    between: list[str]
    """Names of the two nodes or groups."""

    rate: Rate
    """Rate of the physical layer that is available to cells or packets. From `1 bit/s` to `10
    Tbit/s`.
    """

    rate_changes: RateChanges
    """Changes of the rate during the run, for links that carry whole packets; if not given, the
    rate stays.
    """

    rate_direction: LinkDirection
    """Directions in which the rate changes, where `rate` is that of the other; if not given,
    both.
    """

    shaper: Shaper
    """Shaper of whole packets in front of the link; if not given, none."""

    shaper_direction: LinkDirection
    """Directions with the shaper; if not given, both."""

    delay: PropagationDelay
    """Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute. From `0
    s` to `1 h`. Default: `0 s`.
    """

    loss: Loss
    """Losses on the link, apart from drops at buffers; if not given, none."""

    loss_at: LossAt
    """Place at which the link loses cells or packets. Default: `transmission`."""

    loss_direction: LinkDirection
    """Directions in which the link loses; if not given, losses that are listed happen forward,
    and all others in both directions.
    """

    outages: list[Outage]
    """Times in which the link is down in both directions, in order; if not given, none."""

    credit: Credit
    """Credit-based flow control by the far end, in each direction: by switches for cells, and by
    all nodes but edges for whole packets; if not given, none.
    """

    pause: Pause
    """Pauses by the routers at the ends of the link, which then lose no packet; if not given,
    none.
    """

    retry: Retry
    """Retry of whole packets that the link loses, by its two ends; if not given, none."""


class RateChanges(TypedDict, total=False):
    """Changes of the rate of a link during a run.

    Exactly one of these.
    """

    steps: StepsRateChanges
    """Changes of the rate at stated times."""

    table: TableRateChanges
    """Changes of the rate from a table, with a line for each change."""

    steered: SteeredRateChanges
    """Changes by the program that steers the run, through the control `rate` of the link."""


class StepsRateChanges(TypedDict, total=False):
    """Changes of the rate at stated times."""

    changes: list[RateStep]
    """The changes, in order of time."""

    repeat: Duration
    """Time after which the changes begin again, counted from the start of the run; if not given,
    the last rate stays. From `1 ns` to `1000 h`.
    """


class RateStep(TypedDict, total=False):
    """A change of the rate of a link."""

    at: Duration
    """Time of the change. From `0 s` to `1000 h`."""

    rate: RateOrZero
    """Rate from then on; at zero the link sends nothing. From `0 bit/s` to `10 Tbit/s`."""


class TableRateChanges(TypedDict, total=False):
    """Changes of the rate from a table, with a line for each change."""

    file: str
    """Path of a file with a line for each change: its time in seconds and the rate in bit/s;
    relative to the folder of the scenario and inside it.
    """

    text: str
    """Text of the table; if given, the file is not read."""

    repeat: Duration
    """Time after which the table begins again, counted from the start of the run; if not given,
    the last rate stays. From `1 ns` to `1000 h`.
    """


class SteeredRateChanges(TypedDict, total=False):
    """Changes by the program that steers the run, through the control `rate` of the link."""


LinkDirection: TypeAlias = Literal["forward", "backward", "both"]
"""Directions of a link, in which it loses, or its rate changes.

`forward`: From the first node of `between` to the second, and not back.

`backward`: From the second node of `between` to the first, and not forward.

`both`: In both directions, each by itself.
"""


class Shaper(TypedDict, total=False):
    """Shaper in front of a link: packets wait until they conform to a rate.

    Exactly one of these.
    """

    token_bucket: TokenBucketShaper
    """Token bucket: packets wait for as many tokens as they have octets."""


class TokenBucketShaper(TypedDict, total=False):
    """Token bucket: packets wait for as many tokens as they have octets."""

    rate: Rate
    """Rate at which tokens come. From `1 kbit/s` to `10 Tbit/s`."""

    burst: SizeInBytes
    """Octets of tokens that the bucket holds; it is full at the start. From `64 B` to `1 TB`."""


class Loss(TypedDict, total=False):
    """Losses on a link, apart from drops at buffers.

    Exactly one of these.
    """

    nth: list[int]
    """Numbers of the packets that are lost in a direction of the link, forward unless
    `loss_direction` says otherwise, counted from zero in the order in which they are offered;
    lost packets count too.
    """

    nth_cell: list[int]
    """Numbers of the cells that are lost in a direction of the link, forward unless
    `loss_direction` says otherwise, counted from zero in the order in which they are offered;
    lost cells count too.
    """

    packet: Percentage
    """Probability with which each packet is lost, with all its cells."""

    cell: Percentage
    """Probability with which each cell is lost."""

    gilbert_elliott: GilbertElliottLoss
    """Bursts of loss: the link is in a good state or in a bad one."""

    frame: FrameLoss
    """Frames of one length are lost independently, with every packet or cell that has a part in
    them.
    """

    bit_errors: BitErrorsLoss
    """Independent bit errors: each packet or cell with an error is lost."""


class GilbertElliottLoss(TypedDict, total=False):
    """Bursts of loss: the link is in a good state or in a bad one."""

    unit: LossUnit
    """Unit of loss: the state may change once per packet, or once per cell. Default: `packet`."""

    good_to_bad: Percentage
    """Probability of a change from good to bad after a unit."""

    bad_to_good: Percentage
    """Probability of a change from bad to good after a unit; its inverse is the mean number of
    units for which the bad state lasts.
    """

    loss_in_good: Percentage
    """Probability of loss in the good state. Default: `0 %`."""

    loss_in_bad: Percentage
    """Probability of loss in the bad state. Default: `100 %`."""


LossUnit: TypeAlias = Literal["packet", "cell"]
"""Unit for which a loss is decided.

`packet`: Each packet, with all cells of its PDU.

`cell`: Each cell by itself.
"""


class FrameLoss(TypedDict, total=False):
    """Frames of one length are lost independently, with every packet or cell that has a part in
    them.
    """

    size: SizeInBytes
    """Length of a frame on the link in octets, header included: 4026 is a baseband frame of
    DVB-S2 with QPSK 1/2 and normal frames, 65 a codeword of PTM. From `1 B` to `1 MiB`.
    Default: `4026 B`.
    """

    probability: Percentage
    """Probability with which each frame is lost."""


class BitErrorsLoss(TypedDict, total=False):
    """Independent bit errors: each packet or cell with an error is lost."""

    ratio: float
    """Bit error ratio, after error correction: share of bits that arrive wrong, such as `1e-12`.
    From `0.0` to `0.1`.
    """


LossAt: TypeAlias = Literal["transmission", "queue"]
"""Place at which a link loses cells or packets.

`transmission`: On the link: a lost unit has waited in the queue and taken its
transmission time.

`queue`: Before the queue: a lost unit takes neither buffer nor time on the link, as in
scripts that name the packets to drop.
"""


class Outage(TypedDict, total=False):
    """A time in which a link loses what is sent, or is on its way."""

    at: Duration
    """Start of the outage."""

    lasts: Duration
    """Length of the outage. From `1 ps` to `1000 h`."""

    repair_delay: Duration
    """Time from the start, and from the end, until all nodes have changed their routes. From `0
    s` to `1000 h`. Default: `0 s`.
    """


class Credit(TypedDict, total=False):
    """Credit-based flow control of a link, for each virtual channel.

    Exactly one of these.
    """

    n23: N23Credit
    """Each virtual channel has a buffer of N2 + N3 cells at the far end of the link, which
    returns a credit for every N2 cells that it forwards.
    """

    adaptive: AdaptiveCredit
    """The virtual channels of a link share a pool: each has N2 cells, and a part of the rest in
    proportion to its forwarded cells.
    """

    cbfc: CbfcCredit
    """Credit-based flow control (CBFC) of whole packets, a profile after SAI 1.18: a packet is
    sent if the far end has room for it in its virtual channel, which is its priority.
    """


class N23Credit(TypedDict, total=False):
    """Each virtual channel has a buffer of N2 + N3 cells at the far end of the link, which
    returns a credit for every N2 cells that it forwards.
    """

    n2: int
    """N2: cells forwarded between one credit and the next. Each credit takes a cell of the
    opposite direction. From `1` to `1000000`. Default: `10`.
    """

    n3: int
    """N3: cells of a VC that may be sent beyond N2 before a credit returns; if not given, the
    round-trip time of the link in cells, so that one VC can fill the link. From `1` to
    `1000000000`.
    """

    check: Duration
    """Interval of the check cell that recovers credits lost on the link; if not given, none is
    sent. From `1 us` to `1 h`.
    """


class AdaptiveCredit(TypedDict, total=False):
    """The virtual channels of a link share a pool: each has N2 cells, and a part of the rest in
    proportion to its forwarded cells.
    """

    n2: int
    """N2: cells forwarded between one credit and the next, and cells that every VC keeps. Each
    credit takes a cell of the opposite direction. From `1` to `1000000`. Default: `10`.
    """

    pool: int
    """Capacity of the pool, in cells; if not given, N2 for each VC and two round trips of the
    link. From `1` to `1000000000`.
    """

    check: Duration
    """Interval of the check cell that recovers credits lost on the link; if not given, none is
    sent. From `1 us` to `1 h`.
    """


class CbfcCredit(TypedDict, total=False):
    """Credit-based flow control (CBFC) of whole packets, a profile after SAI 1.18: a packet is
    sent if the far end has room for it in its virtual channel, which is its priority.
    """

    priorities: list[int]
    """The priorities whose packets need credits, and so are never dropped; if not given, all
    eight.
    """

    limit: int
    """Credit limit of each virtual channel: credits of packets that are sent and not known to
    have left the far end. If not given, what one virtual channel needs to fill the link; with
    `shared`, the credits of the largest packet. From `1` to `1048575`.
    """

    shared: SharedCredits
    """Credits that virtual channels share beyond `limit`; if not given, none."""

    credit_size: SizeInBytes
    """Octets that a credit stands for. From `1 B` to `65535 B`. Default: `128 B`."""

    overhead: int
    """Octets that each packet counts for beside its own on the link. From `-16` to `127`.
    Default: `0`.
    """

    cost: CreditCost
    """Credits of a packet. Default: `octets`."""

    cf_min_spacing: SizeInBytes
    """Octets that the link could carry from one `CF_Update` to the next, at least. From `800 B`
    to `1 MiB`. Default: `6400 B`.
    """

    cf_max_spacing: SizeInBytes
    """Octets that the link could carry from one `CF_Update` of a virtual channel to the next, at
    most: one is sent although no credit has been freed. From `16 KiB` to `1 MiB`. Default:
    `262144 B`.
    """

    cc_timer: Duration
    """Time from one `CC_Update` to the next. From `1 us` to `250 ms`. Default: `256 us`."""


class SharedCredits(TypedDict, total=False):
    """Credits that virtual channels share, beside those that each of them has."""

    port_limit: int
    """Credit limit of all virtual channels together: what the limit of each leaves of it is
    shared. If not given, so many credits are shared that one virtual channel may fill the
    link alone, unless its `threshold` is lower. From `1` to `1048575`.
    """

    threshold: int
    """Most shared credits that a virtual channel uses. If neither this nor `power` is given, all
    of them. From `1` to `1048575`.
    """

    power: int
    """The n of 2^n, in the place of `threshold`: a virtual channel may use as many times the
    shared credits that are free. From `-8` to `7`.
    """

    priorities: list[int]
    """The priorities whose packets may use shared credits; if not given, all that need credits."""


CreditCost: TypeAlias = Literal["octets", "packet"]
"""Credits of a packet.

`octets`: As many as its octets and the overhead need.

`packet`: One, whatever its size.
"""


class Pause(TypedDict, total=False):
    """Pauses of a link, by which a router keeps its buffer from overflowing.

    Exactly one of these.
    """

    pfc: PfcPause
    """Priority-based flow control, IEEE 802.1Qbb."""


class PfcPause(TypedDict, total=False):
    """Priority-based flow control, IEEE 802.1Qbb."""

    priorities: list[int]
    """The priorities that are paused, and so lose nothing; if not given, all eight."""

    xoff: BufferSize
    """Threshold of an input and a priority: if they hold more, the far end of the link is
    paused. If not given, an equal share of what the headrooms leave of the buffer.
    """

    dynamic: DynamicThreshold
    """Threshold of an input and a priority that follows the free memory, in the place of `xoff`."""

    xon: BufferSize
    """Threshold of an input and a priority: if they hold no more, the far end is resumed. If not
    given, half of the one above which it is paused.
    """

    headroom: BufferSize
    """Most that an input and a priority hold beyond the threshold; packets beyond it are
    dropped. If not given, what the far end may send until it stops.
    """

    quanta: int
    """Length of a pause in quanta of 512 bit times; a pause that goes on is refreshed after half
    of it. From `1` to `65535`. Default: `65535`.
    """

    response: Duration
    """Time in which the far end obeys a pause frame; if not given, the worst case that SONiC
    assumes for the rate of the link. From `0 s` to `1 s`.
    """

    frame: SizeInBytes
    """Octets of a pause frame on the link: 64, and 20 of preamble and gap. From `64 B` to `1
    KiB`. Default: `84 B`.
    """


class DynamicThreshold(TypedDict, total=False):
    """A threshold that follows the memory that is free."""

    power: int
    """The exponent n: beyond its reserved memory, an input and a priority may hold 2^n times the
    shared memory that is free. From `-8` to `7`. Default: `0`.
    """

    reserved: BufferSize
    """Memory of each input and priority that no other uses, and that they take before shared
    memory; if not given, none.
    """

    xon_offset: BufferSize
    """Distance below the threshold at which the far end is resumed; a larger `xon` takes its
    place. If neither is given, it is resumed at half of the threshold.
    """


class Retry(TypedDict, total=False):
    """Retry of a link: its ends find lost packets and send them again.

    Exactly one of these.
    """

    llr: LlrRetry
    """Link Layer Retry (LLR) in both directions, a profile after SAI 1.18: acknowledgments,
    go-back-N and a replay buffer at the sender of each direction.
    """


class LlrRetry(TypedDict, total=False):
    """Link Layer Retry (LLR) in both directions, a profile after SAI 1.18: acknowledgments,
    go-back-N and a replay buffer at the sender of each direction.
    """

    frames: int
    """Frames that may be sent and not acknowledged; the default is the most with which numbers
    of 20 bits tell old frames from new ones. From `1` to `524287`. Default: `524287`.
    """

    octets: SizeInBytes
    """Octets of frames that may be sent and not acknowledged, the size of the replay buffer; if
    not given, what the link carries until the replay timer expires, and two of its largest
    packets. From `64 B` to `1 GiB`.
    """

    timer: Duration
    """Replay timer: time without an acknowledgment after which the frames of the replay buffer
    are sent again; if not given, the longest time until an acknowledgment arrives. From `1
    ns` to `1 h`.
    """

    replays: int
    """Replays without an acknowledgment between them; instead of another the sender gives up the
    frames. From `1` to `255`. Default: `1`.
    """

    spacing: SizeInBytes
    """Octets that the link could carry from one acknowledgment to the next. From `8 B` to `65535
    B`. Default: `2048 B`.
    """

    flush_action: FlushAction
    """Treatment of new packets from a flush until both ends have begun anew. Default:
    `best_effort`.
    """


FlushAction: TypeAlias = Literal["block", "best_effort"]
"""Treatment of new packets while the ends of a link begin anew after a flush.

`block`: They wait.

`best_effort`: They are sent without numbers, and the link may lose them.
"""


class Topology(TypedDict, total=False):
    """Topology with a name: many nodes and links in one table.

    Exactly one of these.
    """

    bottleneck: BottleneckTopology
    """Senders at one switch, receivers at another, and one link between the two.

    Hosts are `sender[0]` and `receiver[0]` and so on, switches `s1` and `s2`, links `access`,
    `trunk` and `exit`.
    """

    chain: ChainTopology
    """Switches in a row, with hosts at each.

    Switches are `s1`, `s2` and so on. Hosts at `s1` are `h1[0]`, `h1[1]` and so on, their
    links `access1`. The link from `s1` to `s2` is `trunk1`.
    """

    parking_lot: ParkingLotTopology
    """Switches in a row; a sender joins at each but the last, and all flows leave after the
    last.

    Switches are `s1`, `s2` and so on. Hosts are `sender[0]`, at `s1`, and so on, and
    `receiver[0]` and so on, all at the last switch. Links are `trunk1` and so on, `access1`,
    and `exit`. With `cross`, hosts `cross1[0]` and so on join at `s1` by the links `join1`,
    and hosts `sink1[0]` and so on leave at `s2` by the links `leave1`; likewise along every
    trunk.
    """

    star: StarTopology
    """Hosts around one switch.

    Hosts are `host[0]` and so on, the switch is `hub`, the links are `access`.
    """

    fat_tree: FatTreeTopology
    """Three layers of k-port switches, with k^3/4 hosts below them.

    Hosts are `host[0]` and so on, pod by pod. Switches are `edge1_1`, the first of pod 1,
    `aggregation1_1` above it, and `core1` and so on; the first k/2 cores are joined to the
    first aggregation switch of each pod. Links are `access1` and so on, `pod1` and
    `core_link1`.
    """


class BottleneckTopology(TypedDict, total=False):
    """Senders at one switch, receivers at another, and one link between the two.

    Hosts are `sender[0]` and `receiver[0]` and so on, switches `s1` and `s2`, links `access`,
    `trunk` and `exit`.
    """

    pairs: int
    """Number of senders, and of receivers. From `1` to `100000`."""

    access: Line
    """Links from senders to the first switch."""

    trunk: Line
    """Link between the switches."""

    exit: Line
    """Links from the second switch to receivers; if not given, as `access`."""

    switch: Switch
    """Parameters of both switches."""


class Line(TypedDict, total=False):
    """A link of a topology, one in each direction."""

    rate: Rate
    """Rate of the physical layer that is available to cells or packets. From `1 bit/s` to `10
    Tbit/s`.
    """

    rate_changes: RateChanges
    """Changes of the rate during the run, for links that carry whole packets; if not given, the
    rate stays.
    """

    rate_direction: LinkDirection
    """Directions in which the rate changes, where `rate` is that of the other; if not given,
    both.
    """

    shaper: Shaper
    """Shaper of whole packets in front of the link; if not given, none."""

    shaper_direction: LinkDirection
    """Directions with the shaper; if not given, both."""

    delay: PropagationDelay
    """Propagation delay, or a distance at 5 us/km: `m` is a metre, and `min` a minute. From `0
    s` to `1 h`. Default: `0 s`.
    """

    loss: Loss
    """Losses on the link, apart from drops at buffers; if not given, none."""

    loss_direction: LinkDirection
    """Directions in which the link loses; if not given, losses that are listed happen forward,
    and all others in both directions.
    """

    credit: Credit
    """Credit-based flow control by the far end, in each direction: by switches for cells, and by
    all nodes but edges for whole packets; if not given, none.
    """

    pause: Pause
    """Pauses by the routers at the ends of the link, which then lose no packet; if not given,
    none.
    """


class ChainTopology(TypedDict, total=False):
    """Switches in a row, with hosts at each.

    Switches are `s1`, `s2` and so on. Hosts at `s1` are `h1[0]`, `h1[1]` and so on, their
    links `access1`. The link from `s1` to `s2` is `trunk1`.
    """

    switches: int
    """Number of switches. From `1` to `1000`."""

    hosts: int
    """Number of hosts at each switch. From `1` to `1000`. Default: `1`."""

    access: Line
    """Links from hosts to their switch."""

    trunk: Line
    """Links between neighbours."""

    switch: Switch
    """Parameters of every switch."""


class ParkingLotTopology(TypedDict, total=False):
    """Switches in a row; a sender joins at each but the last, and all flows leave after the
    last.

    Switches are `s1`, `s2` and so on. Hosts are `sender[0]`, at `s1`, and so on, and
    `receiver[0]` and so on, all at the last switch. Links are `trunk1` and so on, `access1`,
    and `exit`. With `cross`, hosts `cross1[0]` and so on join at `s1` by the links `join1`,
    and hosts `sink1[0]` and so on leave at `s2` by the links `leave1`; likewise along every
    trunk.
    """

    switches: int
    """Number of switches. From `2` to `1000`."""

    cross: int
    """Number of host pairs beside each trunk, for traffic that passes only this trunk. From `0`
    to `1000`. Default: `0`.
    """

    access: Line
    """Links from hosts to switches, and back."""

    trunk: Line
    """Links between neighbours."""

    path_delay: PropagationDelay
    """Propagation delay, or distance, from each sender to its receiver; the link of the sender
    has the delay that remains after the other links. If not given, the link is as long as
    `access`.
    """

    switch: Switch
    """Parameters of every switch."""


class StarTopology(TypedDict, total=False):
    """Hosts around one switch.

    Hosts are `host[0]` and so on, the switch is `hub`, the links are `access`.
    """

    hosts: int
    """Number of hosts. From `2` to `100000`."""

    access: Line
    """Links from hosts to the switch."""

    switch: Switch
    """Parameters of the switch."""


class FatTreeTopology(TypedDict, total=False):
    """Three layers of k-port switches, with k^3/4 hosts below them.

    Hosts are `host[0]` and so on, pod by pod. Switches are `edge1_1`, the first of pod 1,
    `aggregation1_1` above it, and `core1` and so on; the first k/2 cores are joined to the
    first aggregation switch of each pod. Links are `access1` and so on, `pod1` and
    `core_link1`.
    """

    ports: int
    """Number of ports k of every switch, which is even. From `2` to `32`."""

    access: Line
    """Links from hosts to edge switches."""

    trunk: Line
    """Links between switches; if not given, as `access`."""

    switch: Switch
    """Parameters of every switch."""


_FlowKeywords = TypedDict("_FlowKeywords", {"from": str}, total=False)


class Flow(_FlowKeywords, total=False):
    """A flow of user data from one host to another; a group of hosts has one flow for each
    member.

    `from`: Host or group at which the flow begins.
    """

    to: str
    """Host or group at which the flow ends."""

    pairs: Pairs
    """Pairs of hosts with a flow, where both ends are groups. Default: `members`."""

    route: list[str]
    """Nodes that the flow passes between its hosts, in order; if not given, a path of fewest
    links. `NODE/LINK` also names the link to the node, and at the end the link to a host.
    """

    source: Source
    """Traffic source: the times at which the application has data to send, and the amounts.
    Default: `{ greedy = { start = "0 s" } }`.
    """

    transport: Transport
    """Transport protocol of the two ends."""

    over: Bearer
    """Bearer of the packets: ATM service class and adaptation, or packet framing. Default: `{
    ubr = { cdvt = "0 s", encapsulation = "0 B" } }`.
    """

    priority: int
    """Priority of the packets in both directions, from 0 to 7, on links that may be paused or
    have credits for packets. Default: `0`.
    """

    jitter: Jitter
    """Random time that the sending host adds to each packet; if not given, none."""

    police: Policer
    """Policer (UPC) of the flow; if not given, none."""


Pairs: TypeAlias = Literal["members", "next", "all"]
"""Pairs of hosts with a flow, where both ends are groups.

`members`: Each member and the member with the same number; the groups have equal sizes.

`next`: Each member and the next one, and the last and the first: a ring. The groups have
equal sizes.

`all`: Each member of one group and each of the other, except a host and itself.
"""


class Source(TypedDict, total=False):
    """Traffic source: the times at which an application has data to send, and their amounts.

    Exactly one of these.
    """

    greedy: GreedySource
    """Always has data to send, from the start on."""

    telnet: TelnetSource
    """Short messages separated by random gaps."""

    constant_rate: ConstantRateSource
    """Writes a full packet of data at even intervals, from the start on."""

    on_off: OnOffSource
    """Writes a full packet of data at even intervals during on times, and nothing during off
    times.
    """

    poisson: PoissonSource
    """Messages with exponential gaps, which are independent of each other."""

    bernoulli: BernoulliSource
    """Messages in slots of time, each with the same probability."""

    files: FilesSource
    """Sends files, each after the file before it has been acknowledged completely."""

    request_response: RequestResponseSource
    """Sends responses; each is requested some time after the response before it has arrived."""

    trace: TraceSource
    """Sends the messages of a text file, which has a line for each message with its time in
    seconds and its length in octets.
    """

    connections: ConnectionsSource
    """Opens a connection at each arrival, which sends its data and is closed."""

    steps: StepsSource
    """Writes the data of a step when other flows have delivered that of the step before."""

    pcap: PcapSource
    """Replays the IP packets of a capture file (pcap or pcapng), with their times and lengths."""


class GreedySource(TypedDict, total=False):
    """Always has data to send, from the start on."""

    start: Duration | RandomTime
    """Time of the first data; drawn for each member of a group. Default: `0 s`."""


class RandomTime(TypedDict, total=False):
    """A random time, drawn anew at each use.

    Exactly one of these.
    """

    uniform: list[Duration]
    """Uniform between two times, both included."""

    exponential: ExponentialRandomTime
    """Exponential with a given mean."""


class ExponentialRandomTime(TypedDict, total=False):
    """An exponential random time."""

    mean: Duration
    """Mean of the times."""


class TelnetSource(TypedDict, total=False):
    """Short messages separated by random gaps."""

    start: Duration | RandomTime
    """Start of the first gap, after which the first message comes. Default: `0 s`."""

    gap: Duration | RandomTime
    """Time from one message to the next. Default: `{ exponential = { mean = "100 ms" } }`."""

    message: SizeInBytes
    """Length of a message in octets. From `1 B` to `1 GiB`. Default: `1 B`."""


class ConstantRateSource(TypedDict, total=False):
    """Writes a full packet of data at even intervals, from the start on."""

    rate: Rate
    """User data per second; if not given, as much as `over.cbr` or `over.vbr` carries."""

    start: Duration | RandomTime
    """Time of the first write; drawn for each member of a group. Default: `0 s`."""


class OnOffSource(TypedDict, total=False):
    """Writes a full packet of data at even intervals during on times, and nothing during off
    times.
    """

    on: Duration | RandomTime
    """Length of an on time."""

    off: Duration | RandomTime
    """Length of the off time after each on time."""

    rate: Rate
    """User data per second during on times; if not given, as much as `over.cbr` or `over.vbr`
    carries.
    """

    start: Duration | RandomTime
    """Start of the first on time; drawn for each member of a group. Default: `0 s`."""


class PoissonSource(TypedDict, total=False):
    """Messages with exponential gaps, which are independent of each other."""

    length: Length
    """Length of messages."""

    load: RateOrZero
    """Mean load of the messages on the link of the host, headers, padding and cell headers
    included; may be zero.
    """

    rate: Rate
    """Mean user data per second, if `load` is not given."""

    gap: Duration
    """Mean time from one message to the next, if neither `load` nor `rate` is given."""

    start: Duration | RandomTime
    """Start of the process; drawn for each member of a group. Default: `0 s`."""


class Length(TypedDict, total=False):
    """Length of messages, in user data or in the cells that carry them.

    Exactly one of these.
    """

    constant: MessageLength
    """All messages have this length."""

    geometric: GeometricLength
    """Geometric distribution: after each cell, or octet, a message ends with the same
    probability.
    """

    listed: list[MessageLength]
    """Lengths from a list, in order; after the last, the list begins again."""

    exponential: ExponentialLength
    """Exponential distribution."""

    pareto: ParetoLength
    """Pareto distribution, which may be bounded."""

    lognormal: LognormalLength
    """Lognormal distribution."""

    weibull: WeibullLength
    """Weibull distribution."""

    empirical: EmpiricalLength
    """Measured distribution, from a table of its cumulative probabilities."""


class GeometricLength(TypedDict, total=False):
    """Geometric distribution: after each cell, or octet, a message ends with the same
    probability.
    """

    mean: MessageLength
    """Mean length, of the truncated distribution where `max` is given."""

    max: MessageLength
    """Largest length, at which the distribution is truncated; if not given, lengths are
    unbounded.
    """


class ExponentialLength(TypedDict, total=False):
    """Exponential distribution."""

    mean: SizeInBytes
    """Mean length. From `1 B` to `1 TiB`."""


class ParetoLength(TypedDict, total=False):
    """Pareto distribution, which may be bounded."""

    mean: SizeInBytes
    """Mean length, of the bounded distribution where `max` is given. From `1 B` to `1 TiB`."""

    shape: float
    """Exponent of the tail: the smaller, the longer are the longest. The variance is infinite up
    to 2 without `max`. From `1.01` to `100`. Default: `1.5`.
    """

    max: SizeInBytes
    """Largest length, at which the distribution is bounded; if not given, there is none."""


class LognormalLength(TypedDict, total=False):
    """Lognormal distribution."""

    mean: SizeInBytes
    """Mean length. From `1 B` to `1 TiB`."""

    sigma: float
    """Standard deviation of the natural logarithm of the length. From `0` to `10`. Default:
    `1.0`.
    """


class WeibullLength(TypedDict, total=False):
    """Weibull distribution."""

    mean: SizeInBytes
    """Mean length. From `1 B` to `1 TiB`."""

    shape: float
    """Shape: 1 is the exponential distribution, and less a heavier tail. From `0.1` to `100`.
    Default: `0.5`.
    """


class EmpiricalLength(TypedDict, total=False):
    """Measured distribution, from a table of its cumulative probabilities."""

    preset: Workload
    """A published distribution."""

    file: str
    """Path of a file with a line for each point: a length in octets and its cumulative
    probability; relative to the folder of the scenario and inside it.
    """

    text: str
    """Text of the table; if given, the file is not read."""


Workload: TypeAlias = Literal["web_search", "data_mining"]
"""A published distribution of the sizes of flows.

`web_search`: Flows of a cluster for web search, 1.7 MB in the mean: Alizadeh et al.,
"Data Center TCP (DCTCP)", SIGCOMM 2010, section 2.2, Figure 4. It sets `text = "0
0\\n10000 0.15\\n20000 0.2\\n30000 0.3\\n50000 0.4\\n80000 0.53\\n200000 0.6\\n1000000
0.7\\n2000000 0.8\\n5000000 0.9\\n10000000 0.97\\n30000000 1\\n"`.

`data_mining`: Flows of a cluster for data mining, 12.7 MB in the mean, of which half are
of up to 1.1 kB: Greenberg et al., "VL2: A Scalable and Flexible Data Center Network",
SIGCOMM 2009, section 3.2, Figure 2. It sets `text = "0 0\\n180 0.1\\n216 0.2\\n560
0.3\\n900 0.4\\n1100 0.5\\n1870 0.6\\n3160 0.7\\n10000 0.8\\n400000 0.9\\n3160000
0.95\\n100000000 0.98\\n1000000000 1\\n"`.
"""


_BernoulliSourceKeywords = TypedDict("_BernoulliSourceKeywords", {"from": Percentage}, total=False)


class BernoulliSource(_BernoulliSourceKeywords, total=False):
    """Messages in slots of time, each with the same probability.

    `from`: Lower end of the flow's range of random numbers, where all flows of the host with
    `from` share one number for each slot: the flow sends if the number is at least `from` and
    less than `from` plus `probability`, so flows with disjoint ranges never send in the same
    slot. If not given, the flow draws a number of its own.
    """

    length: Length
    """Length of messages."""

    slot: Duration
    """Length of a slot; a message comes at its beginning. From `1 ns` to `1 h`."""

    probability: Percentage
    """Probability of a message in a slot: zero, or at least `0.001 %`."""

    start: Duration | RandomTime
    """Start of the first slot; drawn for each member of a group. Default: `0 s`."""


class FilesSource(TypedDict, total=False):
    """Sends files, each after the file before it has been acknowledged completely."""

    length: Length
    """Length of files, in bytes."""

    count: int
    """Number of files; if not given, without end. From `1` to `1000000000`."""

    gap: Duration | RandomTime
    """Time from the last acknowledgment of a file to the beginning of the next. Default: `0 s`."""

    start: Duration | RandomTime
    """Time of the first file; drawn for each member of a group. Default: `0 s`."""


class RequestResponseSource(TypedDict, total=False):
    """Sends responses; each is requested some time after the response before it has arrived."""

    response: Length
    """Length of responses, in bytes."""

    think: Duration | RandomTime
    """Think time, from the acknowledgment of a response to the next response; the next request
    falls into this time. Default: `{ exponential = { mean = "1 s" } }`.
    """

    start: Duration | RandomTime
    """Time of the first response; drawn for each member of a group. Default: `0 s`."""


class TraceSource(TypedDict, total=False):
    """Sends the messages of a text file, which has a line for each message with its time in
    seconds and its length in octets.
    """

    file: str
    """Path of the trace file, relative to the folder of the scenario and inside it."""

    text: str
    """Text of the trace; if given, the file is not read."""

    period: Duration
    """Time after which the trace is played again; if not given, it is played once."""

    start: Duration | RandomTime
    """Start of the trace; drawn for each member of a group. Default: `0 s`."""


class ConnectionsSource(TypedDict, total=False):
    """Opens a connection at each arrival, which sends its data and is closed."""

    arrivals: Arrivals
    """Arrivals of connections."""

    size: Length
    """User data of a connection, in bytes; left out if the arrivals state it."""

    most: int
    """Largest number of connections at once; further arrivals are refused. From `1` to `65536`.
    Default: `65536`.
    """

    short: SizeInBytes
    """Largest size of a short connection, for metrics by size. Default: `100 kB`."""

    medium: SizeInBytes
    """Largest size of a medium connection, for metrics by size; larger ones are long. Default:
    `10 MB`.
    """

    start: Duration | RandomTime
    """Time before which nothing arrives; drawn for each member of a group. Default: `0 s`."""


class Arrivals(TypedDict, total=False):
    """Arrivals of connections.

    Exactly one of these.
    """

    poisson: PoissonArrivals
    """Connections with exponential gaps, independent of each other. With `pairs = "all"` the
    rate is that of all flows from one host together.
    """

    trace: TraceSource
    """Connections at the times and with the sizes of a text file, which has a line for each."""

    closed: ClosedArrivals
    """Users who each wait for the completion of a connection, and think before the next."""


class PoissonArrivals(TypedDict, total=False):
    """Connections with exponential gaps, independent of each other. With `pairs = "all"` the
    rate is that of all flows from one host together.
    """

    load: Percentage
    """Mean load of the data of all connections on the slowest link of the path, headers, padding
    and cell headers of full packets included, as a share of the rate of the link.
    """

    rate: Rate
    """Mean user data per second of all connections, if `load` is not given."""

    gap: Duration
    """Mean time from one arrival to the next, if neither `load` nor `rate` is given."""


class ClosedArrivals(TypedDict, total=False):
    """Users who each wait for the completion of a connection, and think before the next."""

    users: int
    """Number of users. From `1` to `65536`."""

    think: Duration | RandomTime
    """Time from the completion of a connection to the next of the same user; also the time
    before the first. Default: `{ exponential = { mean = "1 s" } }`.
    """


class StepsSource(TypedDict, total=False):
    """Writes the data of a step when other flows have delivered that of the step before."""

    awaits: list[str]
    """Flows, or groups of flows; those of them that end at the host of this flow must have
    delivered the data of a step before the next step begins.
    """

    each: SizeInBytes
    """User data that each of these flows delivers in a step. From `1 B` to `1 TiB`."""

    write: SizeInBytes
    """User data that this flow writes in a step. From `1 B` to `1 TiB`."""

    first: bool
    """True if the first step waits for no flow; false for a flow that only answers. Default:
    `true`.
    """

    count: int
    """Number of steps; if not given, without end. From `1` to `1000000000`."""

    gap: Duration | RandomTime
    """Time from the end of a step to the next write. Default: `0 s`."""

    start: Duration | RandomTime
    """Time of the first write, if it waits for no flow; drawn for each member of a group.
    Default: `0 s`.
    """


class PcapSource(TypedDict, total=False):
    """Replays the IP packets of a capture file (pcap or pcapng), with their times and lengths."""

    file: str
    """Path of the capture, relative to the folder of the scenario and inside it."""

    filter: PacketFilter
    """The packets to replay; if not given, all IP packets."""

    length: CapturedLength
    """The length that a replayed packet has in common with the captured one. Default: `packet`."""

    text: str
    """Selected packets, a line for each with its time in seconds and its length in octets; if
    given, the file is not read.
    """

    time_scale: float
    """Factor by which times are multiplied: 0.5 replays twice as fast. From `0.001` to `1000`.
    Default: `1`.
    """

    period: Duration
    """Time after which the replay begins again; if not given, it ends with the last packet."""

    start: Duration | RandomTime
    """Time of the first packet of the capture, selected or not; drawn for each member of a
    group. Default: `0 s`.
    """


_PacketFilterKeywords = TypedDict("_PacketFilterKeywords", {"from": str}, total=False)


class PacketFilter(_PacketFilterKeywords, total=False):
    """Packets of a capture: those that agree with all that is given.

    `from`: Source address, or a range of them such as `10.0.0.0/8`.
    """

    to: str
    """Destination address, or a range of them."""

    from_port: int
    """Source port. From `0` to `65535`."""

    to_port: int
    """Destination port. From `0` to `65535`."""

    protocol: Protocol
    """Protocol over IP."""


Protocol: TypeAlias = Literal["tcp", "udp", "icmp"]
"""A protocol over IP.

`tcp`: TCP.

`udp`: UDP.

`icmp`: ICMP, of either version of IP.
"""


CapturedLength: TypeAlias = Literal["packet", "data"]
"""The length that a replayed packet has in common with the captured one.

`packet`: The length of the IP packet; the headers of the flow's transport are part of it.

`data`: The user data within TCP, UDP or another protocol over IP; packets without are
left out.
"""


class Transport(TypedDict, total=False):
    """Transport protocol of a flow.

    Exactly one of these.
    """

    tcp: TcpTransport
    """TCP between the two ends of a flow."""

    xtp: XtpTransport
    """XTP between the two ends of a flow."""

    datagram: DatagramTransport
    """Datagrams, sent once and never retransmitted."""

    pull: PullTransport
    """A receiver-driven transport: after an initial window the receiver pulls each packet."""


class TcpTransport(TypedDict, total=False):
    """TCP between the two ends of a flow."""

    preset: TcpPreset
    """Parameters of the hosts of one time; those written beside it replace their values."""

    packet: SizeInBytes
    """Size of a full packet, headers included. From `1 B` to `16 MiB`. Default: `1500 B`."""

    header: SizeInBytes
    """Octets of each packet that are not user data, without those of time stamps. Default: `40
    B`.
    """

    acknowledgment: SizeInBytes
    """Size of a pure acknowledgment, without its SACK blocks and time stamps. From `1 B` to `64
    KiB`. Default: `40 B`.
    """

    window: SizeInBytes | TunedWindow
    """Window that the receiver advertises, rounded down to whole segments, at least one; or a
    window that grows, such as `window.autotuned = {}`. From `1 B` to `1 GiB`. Default: `64
    KiB`.
    """

    window_counts: WindowCounts
    """Octets that count towards `window`. Default: `packets`."""

    window_scaling: bool
    """True if the window may exceed 65535 octets: RFC 7323, section 2. Default: `true`."""

    read_rate: Rate
    """Rate at which the receiving application reads the data that has arrived in order; its
    window then closes and opens. Without it, data is read at once. From `1 bit/s` to `10
    Tbit/s`.
    """

    initial_ssthresh: LevelInABuffer
    """Slow-start threshold at the start, as an amount or as a share of the window. Default: `100
    %`.
    """

    initial_window: int
    """Congestion window at the start, in packets. From `1` to `1000`. Default: `1`."""

    handshake: bool
    """True if the connection is opened by a SYN and its answer before data is sent. Default:
    `false`.
    """

    congestion: Congestion
    """Congestion control: the change of the congestion window after acknowledgments, losses and
    marks. Default: `{ tahoe_bsd = { growth = { at_ssthresh = "slow_start", linea...`.
    """

    slow_start_counts: SlowStartCounts
    """Unit that opens the window in slow start; for `auto`, that of the source of the congestion
    control: `delivered` for CUBIC, DCTCP and Prague, and `acks` for the others. BBR does not
    use it. Default: `auto`.
    """

    duplicates: int
    """Number of duplicate acknowledgments that trigger a fast retransmit. From `1` to `1000`.
    Default: `3`.
    """

    repeated_fast_retransmit: Repeated
    """Rule for a fast retransmit before the data outstanding at the last fast retransmit is
    acknowledged. Default: `allowed`.
    """

    limited_transmit: bool
    """Limited transmit: true if each of the first two duplicate acknowledgments lets a new
    segment leave (RFC 3042). Default: `false`.
    """

    reduction_bound: ReductionBound
    """Data that leaves in a recovery with proportional rate reduction once less is in flight
    than the window holds. Default: `slow_start`.
    """

    acknowledge: Acknowledge
    """Acknowledgment policy of the receiver for data that arrives in order. Default: `{ every =
    {} }`.
    """

    ecn: Ecn
    """Feedback of congestion marks to the sender (ECN). Default: `auto`."""

    mark_reduction: MarkReduction
    """Course of the reduction of the congestion window after a mark; of no effect under BBR and
    Prague, which cut otherwise. Default: `at_once`.
    """

    mark_at_one_segment: MarkAtOneSegment
    """Reaction of a sender with classic feedback to a mark that finds a window of one segment.
    Default: `wait`.
    """

    unused_window: UnusedWindow
    """Effect of acknowledgments on a congestion window that neither the application nor the
    receiver lets the sender use. BBR keeps to its model. Default: `kept`.
    """

    idle_restart: Idle
    """Effect of an idle time on the congestion window. Default: `never`."""

    timers: Timers
    """Estimator of the retransmission timeout. Default: `{ rfc6298 = { granularity = "1 ms", min
    = "1 s", max = "60 s...`.
    """

    backoff: Backoff
    """Backoff of the retransmission timeout. Default: `{ karn = {} }`."""

    give_up: GiveUp
    """The point at which the sender gives up a receiver that no longer answers. Default: `{}`."""

    timestamps: Timestamps
    """Time stamps in every segment, 12 octets of each packet that are not user data, and the
    weight of the round-trip times that they give. Default: `off`.
    """

    spurious: Spurious
    """Detection of retransmissions that were needless, and what the sender then undoes. Default:
    `{}`.
    """

    pacing: Pacing
    """Pacing by the host; segments leave as the windows allow if it is left out, unless the
    congestion control states a rate.
    """

    nagle: NagleRule | bool
    """Nagle's algorithm: rule by which a segment that is not full waits for more data. Default:
    `off`.
    """


TcpPreset: TypeAlias = Literal["linux", "bsd_1990"]
"""TCP as in the hosts of one time.

`linux`: Linux 6.6 to 6.15, the kernels of 2023 to 2025: CUBIC with HyStart, RACK-TLP with
proportional rate reduction, a slow start that counts what is delivered, a large first
window, time stamps, the timeouts and acknowledgments of Linux, and Nagle's algorithm as
Minshall modified it. Spurious losses are detected by F-RTO, D-SACK and time stamps, and
undone. The receiver's window grows from 64 KB on, to at most 5.4 MB. It sets `window = {
autotuned = {} }`, `window_counts = "data"`, `initial_window = 10`, `handshake = true`,
`congestion = { cubic = { cut_of = "window", slow_start = { hystart = {} }, recovery =
"rack_proportional" } }`, `slow_start_counts = "delivered"`, `limited_transmit = true`,
`reduction_bound = "when_safe"`, `acknowledge = { linux = {} }`, `mark_reduction =
"proportional"`, `mark_at_one_segment = "send"`, `idle_restart = "linux"`, `timers = {
linux = {} }`, `backoff = { capped = { factor = 1024 } }`, `timestamps = "rfc1323"`,
`spurious = { eifel = "linux", f_rto = "sack", d_sack = true, response = "full" }`, `nagle
= "minshall"`.

`bsd_1990`: 4.3BSD-Reno, 1990: fast recovery as first published, an eighth of a segment
more with each acknowledgment, timers of half a second, and windows of at most 65535
octets. It sets `window_counts = "data"`, `window_scaling = false`, `initial_window = 1`,
`handshake = true`, `congestion = { reno = { deflation = "bsd", growth = { linear =
"plus_eighth" } } }`, `acknowledge = { bsd = {} }`, `unused_window = "grows"`,
`idle_restart = "bsd"`, `timers = { bsd = {} }`, `backoff = { karn = {} }`, `nagle =
true`.
"""


class TunedWindow(TypedDict, total=False):
    """Window of a receiver that tunes it to the rate of the flow.

    Exactly one of these.
    """

    autotuned: AutotunedTunedWindow
    """The window starts small, makes room for two segments more with each segment that arrives,
    and then for twice as much as the application reads in a round trip, and more while that
    grows: the receivers of Linux, 6.6 to 6.15.
    """


class AutotunedTunedWindow(TypedDict, total=False):
    """The window starts small, makes room for two segments more with each segment that arrives,
    and then for twice as much as the application reads in a round trip, and more while that
    grows: the receivers of Linux, 6.6 to 6.15.
    """

    first: SizeInBytes
    """Window at the start, of which a receiver offers at most 65535 octets: half of the first
    buffer, `tcp_rmem[1]`. From `1 B` to `1 GiB`. Default: `64 KiB`.
    """

    max: SizeInBytes
    """Largest window: 219/256, about 0.855, of the largest buffer, `tcp_rmem[2]`, which has 6
    MiB until Linux 6.15. From 6.16 on it has 32 MiB, and the window up to 29 MB. From `1 B`
    to `1 GiB`. Default: `5.4 MB`.
    """


WindowCounts: TypeAlias = Literal["packets", "data"]
"""Octets that count towards a window.

`packets`: Whole packets, headers included, as in studies that count packets.

`data`: User data, as in the header of a TCP segment.
"""


class Congestion(TypedDict, total=False):
    """Congestion control: the change of the congestion window after acknowledgments, losses and
    marks.

    Exactly one of these.
    """

    tahoe_gbn: TahoeGbnCongestion
    """Tahoe with go-back-N after a fast retransmit, as in REAL and ns."""

    tahoe_bsd: TahoeBsdCongestion
    """Tahoe with a fast retransmit of one segment, as in 4.3BSD."""

    reno: RenoCongestion
    """Reno: fast retransmit and fast recovery, which any acknowledgment of new data ends."""

    new_reno: NewRenoCongestion
    """NewReno: in a fast recovery, each partial acknowledgment retransmits one more segment."""

    sack: SackCongestion
    """Selective acknowledgments (SACK), with an estimate of the data in flight."""

    cubic: CubicCongestion
    """CUBIC, the congestion control of most hosts today: RFC 9438."""

    dctcp: DctcpCongestion
    """DCTCP: RFC 8257. It needs `ecn = "exact"`, and queues that mark."""

    prague: PragueCongestion
    """Prague, for L4S. It needs `ecn = "exact"`, and queues that mark, such as `dual_pi2`."""

    bbr: BbrCongestion
    """BBR, version 1: paces at the bottleneck bandwidth, with two bandwidth-delay products
    outstanding at most.
    """


class TahoeGbnCongestion(TypedDict, total=False):
    """Tahoe with go-back-N after a fast retransmit, as in REAL and ns."""

    growth: Growth
    """Growth of the window. Default: `{}`."""


class Growth(TypedDict, total=False):
    """Growth of the congestion window."""

    at_ssthresh: AtSsthresh
    """Growth of a window equal to ssthresh. Default: `slow_start`."""

    linear: LinearGrowth
    """Growth of a window beyond ssthresh. Default: `standard`."""

    increment: Increment
    """Rounding of increments. Default: `octets`."""


AtSsthresh: TypeAlias = Literal["slow_start", "linear"]
"""Growth of a window equal to ssthresh.

`slow_start`: One segment per acknowledgment, as in slow start: BSD.

`linear`: Linear, as beyond ssthresh: ns-2.
"""


LinearGrowth: TypeAlias = Literal["standard", "plus_eighth"]
"""Growth in congestion avoidance.

`standard`: One segment per window: RFC 5681, section 3.1.

`plus_eighth`: One segment per window, and an eighth of a segment more with each
acknowledgment: 4.3BSD-Reno (1990) to 4.4BSD, removed in October 1994 (`tcp_input.c` 8.7).
"""


Increment: TypeAlias = Literal["octets", "exact", "counted"]
"""Rounding of increments.

`octets`: Increments are rounded down to whole octets, and at least one: BSD.

`exact`: Increments are not rounded, as in ns-2, which keeps the window in fractions of a
segment and adds such a fraction for each acknowledgment.

`counted`: Octets acknowledged are counted, and each window of them adds one segment,
however large the window is and however many segments an acknowledgment covers: RFC 5681,
section 3.1; Linux (`tcp_cong_avoid_ai`).
"""


class TahoeBsdCongestion(TypedDict, total=False):
    """Tahoe with a fast retransmit of one segment, as in 4.3BSD."""

    growth: Growth
    """Growth of the window. Default: `{}`."""


class RenoCongestion(TypedDict, total=False):
    """Reno: fast retransmit and fast recovery, which any acknowledgment of new data ends."""

    deflation: Deflation
    """Window at the end of a fast recovery. Default: `clean`."""

    growth: Growth
    """Growth of the window. Default: `{}`."""


Deflation: TypeAlias = Literal["clean", "bsd"]
"""Window at the end of a fast recovery.

`clean`: The window returns to ssthresh.

`bsd`: The window returns to ssthresh only if there were more duplicates than the
threshold; with exactly as many, the window stays inflated, as in 4.3BSD-Reno.
"""


class NewRenoCongestion(TypedDict, total=False):
    """NewReno: in a fast recovery, each partial acknowledgment retransmits one more segment."""

    flavour: Flavour
    """Arithmetic of the window at partial acknowledgments. Default: `rfc6582`."""

    timer: PartialTimer
    """Partial acknowledgments that restart the retransmission timer; in ns-2, all of them.
    Default: `first`.
    """

    exit: Exit
    """Window at the end of a recovery; in ns-2, ssthresh. Default: `flight`."""

    late_duplicates: LateDuplicates
    """Effect of duplicates after a recovery that may not begin another one. Default: `ignored`."""

    growth: CountedGrowth
    """Growth of the window. Default: `{}`."""


Flavour: TypeAlias = Literal["rfc6582", "ns"]
"""Arithmetic of the window at partial acknowledgments.

`rfc6582`: The window shrinks by the octets acknowledged and regains one segment: RFC
6582.

`ns`: All inflation is removed, and at most two packets leave at once: ns-2 before 2002.
"""


PartialTimer: TypeAlias = Literal["first", "every"]
"""Partial acknowledgments that restart the retransmission timer: RFC 3782, section 4; RFC
6582, section 3.2, step 3, has the first only.

`first`: Only the first partial acknowledgment of a recovery ("impatient"): after many
losses in one window the timer expires.

`every`: Every partial acknowledgment ("slow but steady").
"""


Exit: TypeAlias = Literal["flight", "ssthresh"]
"""Window at the end of a recovery: RFC 6582, section 3.2, step 3.

`flight`: The outstanding data and one segment more, at most ssthresh, so that no burst
follows.

`ssthresh`: The slow-start threshold.
"""


LateDuplicates: TypeAlias = Literal["ignored", "inflate"]
"""Effect of duplicates after a recovery that may not begin another one: RFC 6582, section 6.

`ignored`: None: only the duplicates of a recovery inflate the window (RFC 5681, section
3.2, step 4).

`inflate`: From the fourth on, each inflates the window by a segment, if no duplicate
followed the last partial acknowledgment of the recovery: ns-2, which notes the end of a
recovery only while the window is inflated. Without effect unless `flavour` is `ns`.
"""


class CountedGrowth(TypedDict, total=False):
    """Growth of the congestion window, by a segment for each window of data acknowledged."""

    at_ssthresh: AtSsthresh
    """Growth of a window equal to ssthresh. Default: `slow_start`."""

    linear: LinearGrowth
    """Growth of a window beyond ssthresh. Default: `standard`."""

    increment: Increment
    """Rounding of increments. Default: `counted`."""


class SackCongestion(TypedDict, total=False):
    """Selective acknowledgments (SACK), with an estimate of the data in flight."""

    pipe: Pipe
    """Estimate of the data in flight during a recovery (pipe). Default: `rfc6675`."""

    growth: CountedGrowth
    """Growth of the window. Default: `{}`."""


Pipe: TypeAlias = Literal["rfc6675", "proportional", "rack", "rack_proportional", "fall_floyd"]
"""Estimate of the data in flight during a recovery.

`rfc6675`: From the SACK blocks: RFC 6675.

`proportional`: From the SACK blocks, while the window shrinks in proportion to the data
that arrives: RFC 6937.

`rack`: As `rfc6675`, with losses found by time, and loss probes: RFC 8985.

`rack_proportional`: As `rack`, while the window shrinks in proportion to the data that
arrives: RFC 6937.

`fall_floyd`: By counting acknowledgments: Fall and Floyd, and ns-2.
"""


class CubicCongestion(TypedDict, total=False):
    """CUBIC, the congestion control of most hosts today: RFC 9438."""

    c: float
    """Steepness of the curve, in segments per cubed second: section 5.1. From `0.001` to
    `1000.0`. Default: `0.4`.
    """

    beta: Percentage
    """Ratio of the window after a loss to the window before it: section 4.6. Default: `70 %`."""

    cut_of: CutOf
    """Amount of data that a loss reduces: section 4.6 has the flight size. Default: `flight`."""

    fast_convergence: bool
    """True if a flow that loses before it regains its last maximum window lowers that maximum:
    section 4.7. Default: `true`.
    """

    slow_start: SlowStart
    """Rule by which the first slow start opens the window, and ends before a loss: section 4.10.
    Default: `{ hystart_plus_plus = { rounds = 5, divisor = 4, limit = 8 }...`.
    """

    recovery: LossRecovery
    """Loss recovery. Default: `sack`."""


CutOf: TypeAlias = Literal["flight", "window"]
"""Amount of data that a loss reduces.

`flight`: The flight size, if it is less than the window: RFC 9438.

`window`: The window, which an application may not have filled: Linux
(`cubictcp_recalc_ssthresh`).
"""


class SlowStart(TypedDict, total=False):
    """Rule by which the first slow start opens the window, and ends before a loss.

    Exactly one of these.
    """

    standard: StandardSlowStart
    """One segment of growth for each segment delivered, or for each acknowledgment, until a
    loss.
    """

    hystart: HystartSlowStart
    """HyStart, as in Linux: it ends slow start when acknowledgments come close together for half
    a round trip, or when the round trip grows.
    """

    hystart_plus_plus: HystartPlusPlusSlowStart
    """HyStart++, the slow start that RFC 9438 recommends: slower once the round trip grows."""


class StandardSlowStart(TypedDict, total=False):
    """One segment of growth for each segment delivered, or for each acknowledgment, until a
    loss.
    """


class HystartSlowStart(TypedDict, total=False):
    """HyStart, as in Linux: it ends slow start when acknowledgments come close together for half
    a round trip, or when the round trip grows.
    """

    low_window: int
    """Smallest window at which HyStart may end slow start, in segments. From `1` to `1000000`.
    Default: `16`.
    """

    spacing: Duration
    """Longest gap between two acknowledgments that count as close together. From `1 us` to `1
    s`. Default: `2 ms`.
    """


class HystartPlusPlusSlowStart(TypedDict, total=False):
    """HyStart++, the slow start that RFC 9438 recommends: slower once the round trip grows."""

    rounds: int
    """Rounds of conservative slow start: `CSS_ROUNDS`. From `1` to `100`. Default: `5`."""

    divisor: int
    """Divisor of the growth in conservative slow start: `CSS_GROWTH_DIVISOR`. From `2` to `100`.
    Default: `4`.
    """

    limit: int
    """Largest number of segments by which one acknowledgment opens the window: `L`. From `1` to
    `1000`. Default: `8`.
    """


LossRecovery: TypeAlias = Literal["sack", "sack_proportional", "rack", "rack_proportional", "new_reno"]
"""Loss recovery of an algorithm that does not prescribe one.

`sack`: With selective acknowledgments: RFC 6675.

`sack_proportional`: With selective acknowledgments, while the window shrinks in
proportion to the data that arrives: RFC 6937.

`rack`: With selective acknowledgments, losses found by time, and loss probes: RFC 8985.

`rack_proportional`: As `rack`, while the window shrinks in proportion to the data that
arrives: RFC 6937.

`new_reno`: Without selective acknowledgments, as in NewReno: RFC 6582.
"""


class DctcpCongestion(TypedDict, total=False):
    """DCTCP: RFC 8257. It needs `ecn = "exact"`, and queues that mark."""

    gain: float
    """Weight of the latest window in the estimated share of marks: `g`. From `0.0001` to `1.0`.
    Default: `0.0625`.
    """

    recovery: LossRecovery
    """Loss recovery. Default: `sack`."""

    growth: CountedGrowth
    """Growth of the window. Default: `{}`."""


class PragueCongestion(TypedDict, total=False):
    """Prague, for L4S. It needs `ecn = "exact"`, and queues that mark, such as `dual_pi2`."""

    gain: float
    """Weight of the latest round in the estimated share of marks. From `0.0001` to `1.0`.
    Default: `0.0625`.
    """

    virtual_rtt: Duration
    """Round-trip time for which shorter ones count. From `1 us` to `1 s`. Default: `25 ms`."""

    recovery: LossRecovery
    """Loss recovery. Default: `sack`."""


class BbrCongestion(TypedDict, total=False):
    """BBR, version 1: paces at the bottleneck bandwidth, with two bandwidth-delay products
    outstanding at most.
    """

    recovery: LossRecovery
    """Loss recovery; by default the one with which hosts run BBR. Default: `rack`."""

    long_term: bool
    """True if the flow looks for policers, which drop what exceeds their tokens. It keeps to a
    rate for 48 rounds, as in Linux, if two intervals of at least four rounds have that rate
    in common and lose at least 50 octets for 256 delivered, 16 % of what is sent. Default:
    `true`.
    """


SlowStartCounts: TypeAlias = Literal["auto", "acks", "delivered"]
"""Unit that opens the congestion window in slow start.

`auto`: As in the source of the congestion control.

`acks`: Acknowledgments, each for at most one segment: RFC 5681, section 3.1.

`delivered`: The octets that are delivered, however few acknowledgments report them:
Linux.
"""


Repeated: TypeAlias = Literal["allowed", "guarded"]
"""Rule for a fast retransmit before the data outstanding at the last fast retransmit is
acknowledged: the duplicates may then come from the sender's own retransmissions.

`allowed`: Allowed: BSD, and the simulators of 1994.

`guarded`: Not allowed until an acknowledgment covers more than the data sent before the
last loss: `bugFix_` of ns-2.
"""


ReductionBound: TypeAlias = Literal["slow_start", "when_safe"]
"""Data that leaves in a recovery with proportional rate reduction once less is in flight
than the window holds.

`slow_start`: As much as arrives, and a segment more for each acknowledgment: RFC 6937,
section 3 (PRR-SSRB).

`when_safe`: As much as arrives, and a segment more for an acknowledgment of new data that
shows no further loss: RFC 9937, section 6.2 (SafeACK), and Linux from 4.3 on.
"""


class Acknowledge(TypedDict, total=False):
    """Acknowledgment policy of the receiver for data that arrives in order.

    Exactly one of these.
    """

    every: EveryAcknowledge
    """Each packet is acknowledged at once."""

    bsd: BsdAcknowledge
    """BSD: one acknowledgment for two segments, or at a tick of a clock."""

    rfc5681: Rfc5681Acknowledge
    """RFC 5681: at least every second full segment is acknowledged at once, and each segment
    within a delay.
    """

    linux: LinuxAcknowledge
    """Linux: acknowledgments at once at first and after a pause, then for every second full
    segment or after a delay; SACK blocks in bundles.
    """


class EveryAcknowledge(TypedDict, total=False):
    """Each packet is acknowledged at once."""


class BsdAcknowledge(TypedDict, total=False):
    """BSD: one acknowledgment for two segments, or at a tick of a clock."""

    tick: Duration
    """Time between ticks of the clock. From `1 us` to `10 s`. Default: `200 ms`."""

    share: Percentage
    """Share of the receive buffer that is acknowledged at once; 35 % in 4.3BSD-Tahoe. Default:
    `50 %`.
    """


class Rfc5681Acknowledge(TypedDict, total=False):
    """RFC 5681: at least every second full segment is acknowledged at once, and each segment
    within a delay.
    """

    delay: Duration
    """Longest delay of an acknowledgment; the standard allows 500 ms. From `1 us` to `10 s`.
    Default: `500 ms`.
    """


class LinuxAcknowledge(TypedDict, total=False):
    """Linux: acknowledgments at once at first and after a pause, then for every second full
    segment or after a delay; SACK blocks in bundles.
    """

    quick: int
    """Acknowledgments at once at the start and after a pause of a timeout, at most
    (`TCP_MAX_QUICKACKS`). From `0` to `1000`. Default: `16`.
    """

    delay: Duration
    """Delay of an acknowledgment (`TCP_ATO_MIN`). From `1 us` to `10 s`. Default: `40 ms`."""

    compress: Compress
    """Bundles of acknowledgments while data is missing. Default: `{}`."""


class Compress(TypedDict, total=False):
    """Bundles of acknowledgments beyond a hole, after the third of them."""

    share: Percentage
    """Longest time that such an acknowledgment waits, as a share of the round-trip time; 0 %
    turns bundles off. Default: `5 %`.
    """

    most: Duration
    """Longest time that it waits (`tcp_comp_sack_delay_ns`). From `1 us` to `1 s`. Default: `1
    ms`.
    """

    count: int
    """Largest number of acknowledgments in a bundle (`tcp_comp_sack_nr`). From `1` to `255`.
    Default: `44`.
    """


Ecn: TypeAlias = Literal["auto", "off", "classic", "exact"]
"""Explicit congestion notification: marks of routers (CE) and of ATM switches (EFCI).

`auto`: The feedback that the congestion control needs: exact for `dctcp`, else off.

`off`: Marks are ignored.

`classic`: Classic feedback: marks are echoed until the sender reports a reduction of its
window: RFC 3168.

`exact`: Exact feedback: the mark of each packet is echoed, as DCTCP needs: RFC 8257,
section 3.2.
"""


MarkReduction: TypeAlias = Literal["at_once", "proportional"]
"""Course of the reduction of the congestion window after a mark.

`at_once`: The window has its new size at once: RFC 3168, section 6.1.2.

`proportional`: The window shrinks in a round trip, in proportion to the data that
arrives, as in a recovery with proportional rate reduction: Linux (`tcp_enter_cwr`).
"""


MarkAtOneSegment: TypeAlias = Literal["wait", "send"]
"""Reaction of a sender with classic feedback to a mark that finds a window of one segment.

`wait`: The retransmission timer is restarted, and the next segment leaves when it
expires: RFC 3168, section 6.1.2.

`send`: The next segment leaves at once, as in Linux.
"""


UnusedWindow: TypeAlias = Literal["kept", "grows"]
"""Effect of acknowledgments on a congestion window that does not limit the sender.

`kept`: None: such a window says nothing about the path. In slow start, half of the window
is use enough: Linux; RFC 9438, section 5.8, and RFC 7661 ask for it too.

`grows`: The window grows all the same: 4.3BSD, and ns-2 by default.
"""


Idle: TypeAlias = Literal["never", "bsd", "rfc5681", "linux"]
"""Effect of an idle time on the congestion window, if the sender has not sent for a
retransmission timeout.

`never`: No effect.

`bsd`: The window becomes one segment: 4.3BSD-Reno.

`rfc5681`: The window is at most the initial window: RFC 5681, section 4.1.

`linux`: The window is halved for each timeout of idleness, down to the initial window,
and a window that is not used for a timeout shrinks towards what is used; ssthresh becomes
at least three quarters of it: Linux, after RFC 2861. BBR keeps its window.
"""


class Timers(TypedDict, total=False):
    """Estimator of the retransmission timeout.

    Exactly one of these.
    """

    bsd: BsdTimers
    """BSD's integer estimator on a global clock of coarse ticks."""

    ns: NsTimers
    """The estimator of ns-2: integer in ticks, with exact deadlines."""

    rfc6298: Rfc6298Timers
    """The standard estimator: SRTT + max(G, 4 RTTVAR), at least one second."""

    linux: LinuxTimers
    """The estimator of Linux: the mean and the largest deviation of a window, at least `min`."""


class BsdTimers(TypedDict, total=False):
    """BSD's integer estimator on a global clock of coarse ticks."""

    tick: Duration
    """Time between ticks of the clock, whose phase is drawn for each sender. From `1 us` to `10
    s`. Default: `500 ms`.
    """

    deviations: int
    """Number of mean deviations in the timeout: two in 4.3BSD-Tahoe, four in 4.3BSD-Reno. From
    `1` to `16`. Default: `4`.
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
    """Shortest timeout; it is never less than two ticks, with or without backoff. From `1 us` to
    `1 h`. Default: `1 s`.
    """

    floor: Floor
    """Order of the lower bound and the backoff. Default: `before_backoff`."""

    max: Duration
    """Longest timeout. From `1 us` to `1 h`. Default: `64 s`."""

    initial: Duration
    """Timeout before the first round-trip time is known. From `1 us` to `1 h`. Default: `6 s`."""


Floor: TypeAlias = Literal["before_backoff", "after_backoff"]
"""Order of the lower bound of the timeout and its backoff.

`before_backoff`: The bound applies before the backoff, as in RFC 6298: ns-2 with
`rfc2988_`, its default since 2002.

`after_backoff`: The bound applies after the backoff, so the first backoff of a short
timeout changes nothing: ns-2 without `rfc2988_`.
"""


class Rfc6298Timers(TypedDict, total=False):
    """The standard estimator: SRTT + max(G, 4 RTTVAR), at least one second."""

    granularity: Duration
    """Granularity G of the clock, the lower bound of the deviation term. From `1 us` to `1 h`.
    Default: `1 ms`.
    """

    min: Duration
    """Shortest timeout, section 2.4. From `1 us` to `1 h`. Default: `1 s`."""

    max: Duration
    """Longest timeout, section 2.5. From `1 us` to `1 h`. Default: `60 s`."""

    initial: Duration
    """Timeout before the first round-trip time is known, section 2.1. From `1 us` to `1 h`.
    Default: `1 s`.
    """


class LinuxTimers(TypedDict, total=False):
    """The estimator of Linux: the mean and the largest deviation of a window, at least `min`."""

    min: Duration
    """Least deviation term, which is added to the mean (`TCP_RTO_MIN`). From `1 us` to `1 h`.
    Default: `200 ms`.
    """

    max: Duration
    """Longest timeout (`TCP_RTO_MAX`). From `1 us` to `1 h`. Default: `120 s`."""

    initial: Duration
    """Timeout before the first round-trip time is known (`TCP_TIMEOUT_INIT`). From `1 us` to `1
    h`. Default: `1 s`.
    """


class Backoff(TypedDict, total=False):
    """Backoff of the retransmission timeout: its growth when it expires again, and its reset.

    Exactly one of these.
    """

    karn: KarnBackoff
    """The timeout is doubled at each expiry, up to a factor of 64; the factor lasts until a
    segment sent only once is acknowledged.
    """

    reset_on_new_ack: ResetOnNewAckBackoff
    """The timeout is doubled at each expiry, up to a factor of 64; any acknowledgment of new
    data resets the factor.
    """

    capped: CappedBackoff
    """As `karn`, but with another largest factor."""

    constant: ConstantBackoff
    """The timeout stays at its estimate, however often the timer has expired."""


class KarnBackoff(TypedDict, total=False):
    """The timeout is doubled at each expiry, up to a factor of 64; the factor lasts until a
    segment sent only once is acknowledged.
    """


class ResetOnNewAckBackoff(TypedDict, total=False):
    """The timeout is doubled at each expiry, up to a factor of 64; any acknowledgment of new
    data resets the factor.
    """


class CappedBackoff(TypedDict, total=False):
    """As `karn`, but with another largest factor."""

    factor: int
    """Largest factor by which the timeout is multiplied. From `1` to `65536`. Default: `2`."""


class ConstantBackoff(TypedDict, total=False):
    """The timeout stays at its estimate, however often the timer has expired."""


class GiveUp(TypedDict, total=False):
    """The point at which a sender gives up a connection whose receiver no longer answers; it
    never does unless one of these is set, and the first that is reached counts.
    """

    retries: int
    """R2, as a number of retransmissions or probes of the same data without an answer: the
    sender gives up when the timer expires once more. Linux has 15. From `1` to `1000`.
    """

    after: Duration
    """The user timeout: the time from the first unanswered retransmission or probe, as Linux
    counts it.
    """


Timestamps: TypeAlias = Literal["off", "rfc1323", "rfc7323"]
"""Time stamps in every segment, and the weight of the round-trip times that they give.

`off`: No time stamps: one segment is timed at a time.

`rfc1323`: Each round-trip time has full weight, however many a round trip gives: RFC
1323.

`rfc7323`: Each round-trip time has a smaller weight, so that the estimate averages over
as many round trips as with one sample in each: RFC 7323, appendix G.
"""


class Spurious(TypedDict, total=False):
    """Detection of spurious retransmissions, and the reaction of the sender."""

    eifel: EifelRule | bool
    """Detection by time stamps (Eifel): an acknowledgment of new data after a retransmission
    echoes a time before it. Without effect unless segments carry time stamps. Default: `off`.
    """

    f_rto: ForwardRto
    """Detection of spurious timeouts by new data that is sent after the first acknowledgment
    (F-RTO). Default: `off`.
    """

    d_sack: bool
    """True if the receiver reports data that arrives again (D-SACK, RFC 2883), and the sender
    concludes from it that all retransmissions of a recovery were needless (RFC 3708); without
    effect unless acknowledgments carry SACK blocks. Default: `false`.
    """

    response: Response
    """State that is restored once a loss proves spurious. Default: `rfc4015`."""


EifelRule: TypeAlias = Literal["off", "rfc3522", "linux"]
"""Acknowledgments of new data after a retransmission whose time stamps may show that it was
needless.

`off`: None. `false` means this word, and `true` means `rfc3522`.

`rfc3522`: The first: RFC 3522, section 3.2.

`linux`: Each until all data outstanding at the loss is acknowledged, but one of a part of
it in a fast recovery only if no retransmission is on its way: Linux
(`tcp_try_undo_partial`, `tcp_try_undo_loss`, `tcp_try_undo_recovery`).
"""


ForwardRto: TypeAlias = Literal["off", "basic", "sack"]
"""Detection of spurious timeouts by new data that is sent after the first acknowledgment.

`off`: None.

`basic`: By cumulative acknowledgments: RFC 5682, section 2.1.

`sack`: By SACK blocks too: RFC 5682, section 3.1. Without SACK blocks it is as `basic`.
"""


Response: TypeAlias = Literal["rfc4015", "full"]
"""State that is restored once a loss proves spurious. Both end the recovery, and the backoff
of the timeout.

`rfc4015`: `ssthresh` becomes the flight size or `ssthresh` before the loss, whichever is
larger; the window becomes the flight size and what was just acknowledged, at most the
initial window, so that no burst follows; after a timeout the estimate of the round-trip
time becomes at least the next sample. RFC 4015, section 3.1.

`full`: The window and `ssthresh` before the loss, where these are larger: Linux, and RFC
9438, section 4.9.
"""


class Pacing(TypedDict, total=False):
    """Pacing by the host, for congestion controls that do not pace.

    Exactly one of these.
    """

    linux: LinuxPacing
    """Linux under `fq`: a multiple of the window in each round trip."""


class LinuxPacing(TypedDict, total=False):
    """Linux under `fq`: a multiple of the window in each round trip."""

    slow_start: float
    """Windows in a round trip below half of ssthresh (`tcp_pacing_ss_ratio`). From `0.1` to
    `10.0`. Default: `2.0`.
    """

    avoidance: float
    """Windows in a round trip otherwise (`tcp_pacing_ca_ratio`). From `0.1` to `10.0`. Default:
    `1.2`.
    """


NagleRule: TypeAlias = Literal["off", "rfc896", "minshall"]
"""Rule by which a segment that is not full waits for more data.

`off`: It never waits.

`rfc896`: It waits while any data is outstanding: RFC 896. `true` means this rule, and
`false` means `off`.

`minshall`: It waits while a segment that was not full is outstanding, so the end of a
long message leaves at once: Linux.
"""


class XtpTransport(TypedDict, total=False):
    """XTP between the two ends of a flow."""

    packet: SizeInBytes
    """Size of a full packet, with its header of 32 octets. From `33 B` to `16 MiB`. Default:
    `1500 B`.
    """

    rate: Rate
    """Rate of the sender's rate control. From `1 bit/s` to `10 Tbit/s`."""

    burst: int
    """Number of full packets that may leave at once, once per RTIMER. From `1` to `65536`.
    Default: `1`.
    """

    rate_counts: RateCounts
    """Octets that count towards rate and burst. Default: `wire`."""

    buffer: int
    """Capacity of the output buffer in packets; a packet leaves the buffer when all data up to
    its end has arrived. From `1` to `65536`. Default: `48`.
    """

    request_interval: int
    """Number of data packets from one request for an answer (SREQ) to the next. From `1` to
    `65536`. Default: `1`.
    """

    fast_nak: bool
    """True if data packets request an immediate report of data missing before them (FASTNAK).
    Default: `true`.
    """

    retransmission: Retransmission
    """Retransmission policy: the data that is sent again when data is missing. Default: `{
    selective = { beyond_spans = "everything" } }`.
    """

    repeated_nak: RepeatedNak
    """Meaning of a report that was sent before the retransmission of the missing data arrived.
    Default: `guarded`.
    """

    wtimer: WTimer
    """Timer for the answer to a request. Default: `{}`."""


RateCounts: TypeAlias = Literal["wire", "packets"]
"""Octets that count towards a rate.

`wire`: Octets on the wire: cells with headers and padding, if there are cells.

`packets`: Octets of packets, headers included.
"""


class Retransmission(TypedDict, total=False):
    """Retransmission policy: the data that is sent again when data is missing.

    Exactly one of these.
    """

    go_back_n: GoBackNRetransmission
    """Go-back-N: everything from the first missing octet on; the receiver keeps nothing beyond
    it.
    """

    selective: SelectiveRetransmission
    """Selective retransmission: the data that the receiver's spans do not report."""


class GoBackNRetransmission(TypedDict, total=False):
    """Go-back-N: everything from the first missing octet on; the receiver keeps nothing beyond
    it.
    """


class SelectiveRetransmission(TypedDict, total=False):
    """Selective retransmission: the data that the receiver's spans do not report."""

    beyond_spans: BeyondSpans
    """Retransmission of data beyond the last span, when it is known to be lost. Default:
    `everything`.
    """


BeyondSpans: TypeAlias = Literal["everything", "first"]
"""Retransmission of data beyond the last span.

`everything`: All data that was sent before the request.

`first`: The first packet beyond the last span; the answer to this packet then decides
whether the next one was lost.
"""


RepeatedNak: TypeAlias = Literal["guarded", "believed"]
"""Meaning of a report of missing data that has been sent again meanwhile.

`guarded`: The report covers only data sent before the request that it answers; data sent
again since that request is still in flight.

`believed`: Every report counts: the missing data is sent once more.
"""


class WTimer(TypedDict, total=False):
    """WTIMER: the time a sender waits for the answer to a request."""

    initial: Duration
    """Time before the first round-trip time is known. From `1 us` to `1 h`. Default: `500 ms`."""

    granularity: Duration
    """Smallest time by which WTIMER exceeds the smoothed round-trip time. From `1 us` to `1 h`.
    Default: `100 us`.
    """

    max: Duration
    """Upper bound of WTIMER. From `1 us` to `1 h`. Default: `60 s`."""

    round_trips: RoundTrips
    """Answers that give a round-trip time. Default: `data`."""


RoundTrips: TypeAlias = Literal["data", "all"]
"""Answers that give a round-trip time.

`data`: Answers to requests in data packets.

`all`: Answers to requests in data packets, and answers that end a handshake.
"""


class DatagramTransport(TypedDict, total=False):
    """Datagrams, sent once and never retransmitted."""

    packet: SizeInBytes
    """Size of a full packet, headers included; larger writes are sent in several packets. From
    `1 B` to `16 MiB`. Default: `1500 B`.
    """

    header: SizeInBytes
    """Octets of each packet that are not user data: IPv4 and UDP take 28. Default: `28 B`."""


class PullTransport(TypedDict, total=False):
    """A receiver-driven transport: after an initial window the receiver pulls each packet."""

    packet: SizeInBytes
    """Size of a full packet, headers included. From `41 B` to `16 MiB`. Default: `9000 B`."""

    header: SizeInBytes
    """Octets of each packet that are not user data; an acknowledgment, a negative acknowledgment
    or a pull is as long. From `40 B` to `1 KiB`. Default: `64 B`.
    """

    initial_window: int
    """Packets that a sender sends before the first pull. From `1` to `65536`. Default: `23`."""

    spacing: SizeInBytes
    """Size of the packet whose time on the last link separates two pulls; if not given, a full
    packet. A larger one leaves a part of the link free, and with a smaller one more is pulled
    than the link can carry. From `40 B` to `16 MiB`.
    """

    timeout: Duration
    """Least time after which a packet that was not answered is sent again. From `1 us` to `1000
    s`. Default: `1 ms`.
    """

    pull_timeout: Duration
    """Least time after which a sender with nothing in flight sends a packet without a pull:
    longer than the turns of all flows to a host take, since a pull waits for them. From `1
    us` to `1000 s`. Default: `100 ms`.
    """


class Bearer(TypedDict, total=False):
    """Bearer of the packets of a flow.

    Exactly one of these.
    """

    ubr: UbrBearer
    """AAL5 over an unspecified-bit-rate (UBR) ATM virtual channel."""

    cbr: CbrBearer
    """AAL5 over a constant-bit-rate (CBR) ATM virtual channel."""

    vbr: VbrBearer
    """AAL5 over a variable-bit-rate (VBR) ATM virtual channel."""

    abr: AbrBearer
    """AAL5 over an available-bit-rate (ABR) ATM virtual channel. Rates are in bits of cells,
    headers included, or in `cells/s`.
    """

    packet: PacketBearer
    """Whole packets from host to host."""

    ptm: PtmBearer
    """Ethernet frames in codewords of 65 octets, 64 of them for frames (PTM, on VDSL2)."""

    gse: GseBearer
    """Packets in the baseband frames of DVB-S2, cut where a frame ends (GSE)."""


class UbrBearer(TypedDict, total=False):
    """AAL5 over an unspecified-bit-rate (UBR) ATM virtual channel."""

    peak: Rate
    """Peak cell rate (PCR) to which hosts shape their cells, in bits of cells, headers included;
    if not given, cells are not shaped.
    """

    cdvt: Duration
    """Cell delay variation tolerance (CDVT): how early a cell may leave at `peak`. From `0 s` to
    `1 s`. Default: `0 s`.
    """

    encapsulation: SizeInBytes | OverAal5
    """Encapsulation before AAL5, or the octets that it adds to each packet. From `0 B` to `1
    KiB`. Default: `0 B`.
    """

    reassembly_timeout: Duration
    """Longest time from the arrival of the first cell of a PDU to that of its last, at a
    receiver, which discards the cells of a PDU that takes as long or longer; if not given,
    there is no limit. K. Tesink, RFC 2515, section 9, `aal5VccSarTimeOuts`. From `1 us` to `1
    h`.
    """


OverAal5: TypeAlias = Literal["vc_mux", "llc_snap", "ppp_vc_mux", "ppp_llc", "ethernet_vc_mux", "ethernet_llc", "pppoe_vc_mux", "pppoe_llc"]
"""The headers between a packet and its segmentation.

`vc_mux`: IP by itself on its VC, RFC 2684, section 6: no octet.

`llc_snap`: IP after LLC/SNAP, RFC 2684, section 5: LLC 3 + OUI 3 + EtherType 2 = 8
octets.

`ppp_vc_mux`: PPP by itself on its VC, RFC 2364: PPP 2 octets.

`ppp_llc`: PPP after LLC, RFC 2364: LLC 3 + NLPID 1 + PPP 2 = 6 octets.

`ethernet_vc_mux`: Bridged Ethernet by itself on its VC, RFC 2684, section 6: padding 2 +
Ethernet 14 = 16 octets.

`ethernet_llc`: Bridged Ethernet after LLC/SNAP, RFC 2684, section 5: LLC 3 + OUI 3 + PID
2 + padding 2 + Ethernet 14 = 24 octets.

`pppoe_vc_mux`: PPPoE in bridged Ethernet by itself on its VC, RFC 2516: padding 2 +
Ethernet 14 + PPPoE 6 + PPP 2 = 24 octets.

`pppoe_llc`: PPPoE in bridged Ethernet after LLC/SNAP, RFC 2516: LLC 3 + OUI 3 + PID 2 +
padding 2 + Ethernet 14 + PPPoE 6 + PPP 2 = 32 octets.
"""


class CbrBearer(TypedDict, total=False):
    """AAL5 over a constant-bit-rate (CBR) ATM virtual channel."""

    rate: Rate
    """Peak cell rate (PCR), in bits of cells, headers included, at which a host spaces its
    cells.
    """

    cdvt: Duration
    """Cell delay variation tolerance (CDVT): how early a cell may leave; delayed cells may catch
    up by this much. From `0 s` to `1 s`. Default: `0 s`.
    """

    encapsulation: SizeInBytes | OverAal5
    """Encapsulation before AAL5, or the octets that it adds to each packet. From `0 B` to `1
    KiB`. Default: `0 B`.
    """

    reassembly_timeout: Duration
    """Longest time from the arrival of the first cell of a PDU to that of its last, at a
    receiver, which discards the cells of a PDU that takes as long or longer; if not given,
    there is no limit. K. Tesink, RFC 2515, section 9, `aal5VccSarTimeOuts`. From `1 us` to `1
    h`.
    """


class VbrBearer(TypedDict, total=False):
    """AAL5 over a variable-bit-rate (VBR) ATM virtual channel."""

    peak: Rate
    """Peak cell rate (PCR), in bits of cells, headers included, to which hosts shape their
    cells.
    """

    cdvt: Duration
    """Cell delay variation tolerance (CDVT): how early a cell may leave at `peak`. From `0 s` to
    `1 s`. Default: `0 s`.
    """

    sustained: Rate
    """Sustainable cell rate (SCR), in bits of cells: upper bound of the rate in the long run."""

    burst: NumberOfCells
    """Maximum burst size (MBS): cells that may leave at the peak rate before the sustainable
    rate applies. From `1 cell` to `1000000 cells`.
    """

    realtime: bool
    """True for real-time VBR (rt-VBR), false for non-real-time VBR (nrt-VBR). Default: `true`."""

    encapsulation: SizeInBytes | OverAal5
    """Encapsulation before AAL5, or the octets that it adds to each packet. From `0 B` to `1
    KiB`. Default: `0 B`.
    """

    reassembly_timeout: Duration
    """Longest time from the arrival of the first cell of a PDU to that of its last, at a
    receiver, which discards the cells of a PDU that takes as long or longer; if not given,
    there is no limit. K. Tesink, RFC 2515, section 9, `aal5VccSarTimeOuts`. From `1 us` to `1
    h`.
    """


class AbrBearer(TypedDict, total=False):
    """AAL5 over an available-bit-rate (ABR) ATM virtual channel. Rates are in bits of cells,
    headers included, or in `cells/s`.
    """

    preset: AbrPreset
    """Parameters of a publication; values written beside it replace those of the publication."""

    encapsulation: SizeInBytes | OverAal5
    """Encapsulation before AAL5, or the octets that it adds to each packet. From `0 B` to `1
    KiB`. Default: `0 B`.
    """

    reassembly_timeout: Duration
    """Longest time from the arrival of the first cell of a PDU to that of its last, at a
    receiver, which discards the cells of a PDU that takes as long or longer; if not given,
    there is no limit. K. Tesink, RFC 2515, section 9, `aal5VccSarTimeOuts`. From `1 us` to `1
    h`.
    """

    pcr: Rate
    """Peak cell rate (PCR): largest rate of the source; if not given, the rate of its host's
    link.
    """

    mcr: RateOrZero
    """Minimum cell rate (MCR): a rate that the source is always allowed. Default: `0 Mbit/s`."""

    icr: Rate
    """Initial cell rate (ICR): allowed rate at the start, and after a silence; if not given, the
    peak.
    """

    icr_cap: IcrCap
    """Cap of the initial rate, which protects the network from a flood. Default: `tbe_frtt`."""

    tcr: Rate
    """Tagged cell rate (TCR): rate of out-of-rate forward RM cells, which a source sends while
    its allowed rate is below this. Default: `10 cells/s`.
    """

    nrm: int
    """Number of cells from one forward RM cell to the next: a power of two. From `2` to `256`.
    Default: `32`.
    """

    mrm: int
    """Smallest number of cells between forward RM cells, when `trm` has passed. From `1` to
    `256`. Default: `2`.
    """

    trm: Duration
    """Time after which a forward RM cell is sent even if fewer than `nrm` cells were. From
    `0.78125 ms` to `100 ms`. Default: `100 ms`.
    """

    rif: Percentage
    """Rate increase factor (RIF): largest increase of the rate per RM cell, as a share of the
    peak. Default: `6.25 %`.
    """

    rdf: Percentage
    """Rate decrease factor (RDF): decrease of the rate per RM cell with a congestion indication,
    as a share of the rate. Default: `6.25 %`.
    """

    tbe: int
    """Transient buffer exposure (TBE): cells that may be sent before the first RM cell comes
    back. From `1` to `16777215`. Default: `16777215`.
    """

    frtt: Duration
    """Fixed round-trip time (FRTT); if not given, the round-trip time of one cell on an idle
    path. From `0 s` to `16.7 s`.
    """

    crm: int
    """Number of unanswered forward RM cells (CRM) from which the rate is lowered; if not given,
    `tbe` over `nrm`, rounded up. From `1` to `16777215`.
    """

    cdf: Percentage
    """Cutoff decrease factor (CDF): decrease of the rate for missing answers, as a share of the
    rate; `0 %` for none. Default: `6.25 %`.
    """

    adtf: Duration
    """Time without a forward RM cell after which the rate is at most the initial rate (ADTF).
    The last RM cell may follow the last data cell by up to `trm`. From `10 ms` to `10.23 s`.
    Default: `500 ms`.
    """

    rm_rate_quantise: bool
    """True if rates in RM cells are rounded down to the 16-bit format of Traffic Management 4.0.
    Default: `true`.
    """

    reverse: Reverse
    """Rate control of the direction in which acknowledgments travel. Default: `controlled`."""


AbrPreset: TypeAlias = Literal["tcp_over_abr_1996"]
"""ABR sources as in a publication.

`tcp_over_abr_1996`: As in Jain et al., "TCP/IP over ABR", 1996: a source adopts the
explicit rate at once. The initial rate is not capped, which is our choice: the paper's
initial rate exceeds the cap of its own TBE. It sets `encapsulation = "8 B"`, `icr = "10
Mbit/s"`, `icr_cap = "off"`, `rif = "100 %"`, `rdf = "0.1953125 %"`, `tbe = 512`, `cdf =
"50 %"`.
"""


IcrCap: TypeAlias = Literal["tbe_frtt", "off"]
"""Cap of the initial cell rate.

`tbe_frtt`: At most `tbe` cells in each `frtt`, as a network grants at connection set-up.

`off`: No cap: the rate is `icr`.
"""


Reverse: TypeAlias = Literal["controlled", "ideal"]
"""Rate control of the direction from the end of a flow to its beginning.

`controlled`: As for data: at an allowed rate, with RM cells of its own.

`ideal`: Packets and turned-around RM cells leave at once, as over UBR.
"""


class PacketBearer(TypedDict, total=False):
    """Whole packets from host to host."""

    framing: SizeInBytes | OverLinks
    """Framing, or the octets that it adds to each packet on the wire. From `0 B` to `1 KiB`.
    Default: `0 B`.
    """

    minimum: SizeInBytes
    """Least octets of a packet with its framing: a shorter packet is padded to it. If not given,
    that of a framing with a name, and none of any other. From `1 B` to `16 KiB`.
    """


OverLinks: TypeAlias = Literal["ethernet", "vlan", "pppoe", "docsis"]
"""The headers between a packet and its segmentation.

`ethernet`: An Ethernet frame with its preamble and gap: preamble 8 + Ethernet 14 +
checksum 4 + gap 12 = 38 octets, and at least 84 with the packet.

`vlan`: An Ethernet frame with a VLAN tag: preamble 8 + Ethernet 14 + VLAN 4 + checksum 4
+ gap 12 = 42 octets, and at least 84 with the packet.

`pppoe`: PPPoE in an Ethernet frame, RFC 2516: preamble 8 + Ethernet 14 + PPPoE 6 + PPP 2
+ checksum 4 + gap 12 = 46 octets, and at least 84 with the packet.

`docsis`: An Ethernet frame as the rate limits of DOCSIS count it, without preamble and
gap: Ethernet 14 + checksum 4 = 18 octets, and at least 64 with the packet.
"""


class PtmBearer(TypedDict, total=False):
    """Ethernet frames in codewords of 65 octets, 64 of them for frames (PTM, on VDSL2)."""

    encapsulation: SizeInBytes | OverPtm
    """Encapsulation before the codewords, or the octets that it adds to each packet: 18 for
    Ethernet with its checksum. An encapsulation with a name pads a frame to 64 octets. From
    `0 B` to `1 KiB`. Default: `ethernet`.
    """


OverPtm: TypeAlias = Literal["ethernet", "vlan", "pppoe", "pppoe_vlan"]
"""The headers between a packet and its segmentation.

`ethernet`: An Ethernet frame: Ethernet 14 + checksum 4 = 18 octets, and at least 64 with
the packet.

`vlan`: An Ethernet frame with a VLAN tag: Ethernet 14 + VLAN 4 + checksum 4 = 22 octets,
and at least 64 with the packet.

`pppoe`: PPPoE in an Ethernet frame, RFC 2516: Ethernet 14 + PPPoE 6 + PPP 2 + checksum 4
= 26 octets, and at least 64 with the packet.

`pppoe_vlan`: PPPoE in an Ethernet frame with a VLAN tag: Ethernet 14 + VLAN 4 + PPPoE 6 +
PPP 2 + checksum 4 = 30 octets, and at least 64 with the packet.
"""


class GseBearer(TypedDict, total=False):
    """Packets in the baseband frames of DVB-S2, cut where a frame ends (GSE)."""

    encapsulation: SizeInBytes | OverGse
    """Encapsulation, or the octets that it adds to each packet: 10 with a label of 6. From `4 B`
    to `1 KiB`. Default: `10 B`.
    """

    frame: SizeInBytes
    """Octets of a frame after its header: 4016 with QPSK 1/2 and normal frames. From `64 B` to
    `8 KiB`. Default: `4016 B`.
    """


OverGse: TypeAlias = Literal["label_6", "label_3", "no_label"]
"""The headers between a packet and its segmentation.

`label_6`: IP with a label of six octets: length 2 + protocol 2 + label 6 = 10 octets.

`label_3`: IP with a label of three octets: length 2 + protocol 2 + label 3 = 7 octets.

`no_label`: IP without a label, as for all receivers: length 2 + protocol 2 = 4 octets.
"""


class Jitter(TypedDict, total=False):
    """Random processing time of the sending host for each packet. It begins when the packet is
    handed over and the packet before it has left, and it ends when the packet leaves.

    Exactly one of these.
    """

    uniform: UniformJitter
    """Uniform between two times."""

    packet_time: PacketTimeJitter
    """Uniform from zero to a number of packet times of the slowest link on the path."""


class UniformJitter(TypedDict, total=False):
    """Uniform between two times."""

    low: Duration
    """Smallest jitter. Default: `0 s`."""

    high: Duration
    """Largest jitter."""


class PacketTimeJitter(TypedDict, total=False):
    """Uniform from zero to a number of packet times of the slowest link on the path."""

    at_most: float
    """Largest jitter, in packet times. From `0.0` to `1000.0`. Default: `1.0`."""


class Policer(TypedDict, total=False):
    """A policer (UPC) at a switch on the path of a flow, for cells from the beginning of the
    flow to its end.
    """

    at: str
    """Switch at whose input the policer stands; if not given, the first on the path."""

    peak: Rate
    """Peak cell rate (PCR), in bits of cells, headers included; if not given, as in `over`."""

    cdvt: Duration
    """Cell delay variation tolerance (CDVT): how early a cell may come with respect to the peak
    rate; if not given, as in `over`. From `0 s` to `1 s`.
    """

    sustained: Rate
    """Sustainable cell rate (SCR), in bits of cells; if not given, as in `over`."""

    burst: NumberOfCells
    """Maximum burst size (MBS): cells that may come at the peak rate; if not given, as in
    `over`. From `1 cell` to `1000000 cells`.
    """

    beyond_peak: ExcessAction
    """Treatment of a cell that exceeds the peak rate. Default: `drop`."""

    beyond_sustained: ExcessAction
    """Treatment of a cell that conforms to the peak rate and exceeds the sustainable rate.
    Default: `tag`.
    """


ExcessAction: TypeAlias = Literal["drop", "tag"]
"""Treatment of a cell that does not conform.

`drop`: The cell is dropped.

`tag`: The cell is tagged: it is forwarded with CLP = 1. A cell that already has CLP = 1
is not changed, and does not count towards the sustainable rate.
"""


class Replications(TypedDict, total=False):
    """Number of runs of each point, each with fresh random numbers."""

    at_least: int
    """Smallest number of runs of each point. From `1` to `1000000`. Default: `5`."""

    at_most: int
    """Largest number of runs of each point; if not given, ten times `at_least`. From `1` to
    `1000000`.
    """

    until: Until
    """Precision at which to stop before `at_most`; if not given, `at_least` runs are made."""


class Until(TypedDict, total=False):
    """Stops a point when the confidence interval of each metric is narrow enough, and was at
    every test over the last ten samples.
    """

    metric: str
    """Metric: one of the network, or one such as `flow bulk goodput` or `port s1->b mean_queue`;
    for a group of flows, all members together.
    """

    also: list[str]
    """Further metrics that must be known as precisely. Default: `[]`."""

    half_width: Percentage
    """Largest half-width of the confidence interval, relative to the mean. From `0.001 %` to
    `100 %`. Default: `5 %`.
    """

    confidence: Percentage
    """Confidence level of the interval; with several metrics, the level at which all intervals
    hold at once. From `50 %` to `99.99 %`. Default: `95 %`.
    """


class Record(TypedDict, total=False):
    """Records the queue and the drops of every port, the state of every sender, and the data
    delivered by every flow, over time.
    """

    every: Duration
    """Time between samples. From `1 ns` to `1 h`. Default: `1 ms`."""
