//! The settings of each part of a network, from which a scenario is drawn.

use models::output::discard::DiscardSpec;
use models::output::scheduler::SchedulerSpec;
use models::switch::fabric::FabricSpec;

/// A setting: a path and a value.
pub type Setting = (&'static str, &'static str);

/// Members of families with parameters that change the order of events; [`all`] adds the others.
const FABRICS: &[Setting] = &[
    ("switch.west.fabric.slotted", "{ speedup = 2 }"),
    ("switch.west.fabric.slotted", "{ order = \"random\" }"),
    (
        "switch.west.fabric.slotted",
        "{ speedup = 1, order = \"input\" }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.islip.iterations = 1 }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.pim = {}, speedup = 2 }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.wavefront = {} }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.maximum_size = {} }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.maximum_weight.weight = \"oldest_cell\", clock = \"80 Mbit/s\" }",
    ),
    (
        "switch.west.fabric.slotted",
        "{ speedup = 1, clock = \"40 Mbit/s\", input.buffer.per_input = \"20 cells\" }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ clock = \"40 Mbit/s\", queues = \"per_class\", \
         input = { buffer.per_input = \"30 cells\", discard.partial_packet = {} } }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ mode = \"packet\", queues = \"per_class\", clock = \"60 Mbit/s\" }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ mode = \"packet\", matching.pim = {}, clock = \"30 Mbit/s\", speedup = 2, \
         input = { buffer.per_input = \"40 cells\", discard.early_packet = {} } }",
    ),
    (
        "switch.west.fabric.virtual_output_queues",
        "{ matching.pim = {}, clock = \"30 Mbit/s\", \
         input = { buffer.per_queue = \"20 cells\", discard.early_packet = {} } }",
    ),
    (
        "switch.west.fabric.scheduled_cells",
        "{ grant = \"5 cells\", egress = \"60 cells\", control_delay = \"2 us\", links = 3, \
         link_rate = \"60 Mbit/s\", skew = \"3 us\" }",
    ),
    (
        "switch.west.fabric.scheduled_cells",
        "{ grant = \"300 B\", egress = \"40 cells\", control_delay = \"20 us\", links = 2, \
         link_rate = \"100 Mbit/s\", spray = \"random\", speedup = 1.1, \
         cell = { payload = \"256 B\", header = \"16 B\", adaptation.none = {} } }",
    ),
    (
        "switch.west.fabric.scheduled_cells",
        "{ grant = \"2 cells\", egress = \"50 cells\", control_delay = \"5 us\", links = 2, \
         link_rate = \"80 Mbit/s\", outages = [{ link = 1, at = \"6 ms\", lasts = \"4 ms\" }], \
         detection = \"1 ms\", reassembly_timeout = \"2 ms\" }",
    ),
    ("switch.west.fabric.knockout", "{ paths = 1 }"),
    ("switch.west.fabric.knockout", "{ paths = 2 }"),
    ("switch.west.fabric.knockout", "{ paths = 3 }"),
];

const DISCARDS: &[Setting] = &[
    (
        "switch.west.discard.early_packet",
        "{ threshold = \"20 cells\" }",
    ),
    (
        "switch.west.discard.partial_buffer_sharing",
        "{ threshold = \"20 cells\" }",
    ),
    (
        "switch.west.discard.selective_drop",
        "{ threshold = \"30 %\" }",
    ),
    (
        "switch.west.discard.fair_buffer_allocation",
        "{ threshold = \"30 %\" }",
    ),
    (
        "switch.west.discard.random_early",
        "{ minimum = \"5 %\", maximum = \"50 %\", weight = \"2 %\", probability = \"10 %\" }",
    ),
    (
        "switch.west.discard.random_early",
        "{ minimum = \"5 %\", maximum = \"90 %\", unit = \"cell\", weight = \"5 %\" }",
    ),
];

pub const TRANSPORTS: &[Setting] = &[
    ("flow.east.transport.tcp.congestion.tahoe_bsd", "{}"),
    (
        "flow.east.transport.tcp.congestion.tahoe_gbn",
        "{ growth = { at_ssthresh = \"linear\" } }",
    ),
    ("flow.east.transport.tcp.timestamps", "rfc1323"),
    (
        "flow.east.transport",
        "{ xtp = { rate = \"40 Mbit/s\", buffer = 10, wtimer.initial = \"2 ms\" } }",
    ),
    (
        "flow.east.transport",
        "{ xtp = { rate = \"20 Mbit/s\", burst = 3, retransmission.go_back_n = {} } }",
    ),
];

pub const DELAYS: &[Setting] = &[("link.trunk.delay", "0 s"), ("link.trunk.delay", "10 us")];

pub const TIES: &[Setting] = &[
    ("switch.west.ties", "in_order"),
    ("switch.west.ties", "random"),
    ("switch.east.ties", "random"),
];

const SCHEDULERS: &[Setting] = &[
    (
        "switch.west.scheduler.deficit_round_robin",
        "{ quantum = \"600 B\" }",
    ),
    (
        "switch.west.scheduler.multiclass",
        "{ rt_vbr.share = \"10 %\", abr.share = \"50 %\", within = \"round_robin\" }",
    ),
];

pub const BUFFERS: &[Setting] = &[
    ("switch.west.buffer.per_output", "60 cells"),
    ("switch.west.buffer.shared", "{ size = \"80 cells\" }"),
    (
        "switch.west.buffer.per_class",
        "{ rt_vbr = \"20 cells\", abr = \"60 cells\", ubr = \"60 cells\" }",
    ),
];

pub const RATES: &[Setting] = &[
    (
        "switch.east.rate.efci",
        "{ high = \"8 cells\", low = \"4 cells\" }",
    ),
    (
        "switch.west.rate.binary",
        "{ high = \"8 cells\", low = \"4 cells\" }",
    ),
    (
        "switch.west.rate.erica",
        "{ interval = \"0.3 ms\", target.queue.cells = \"8 cells\", per_vc_rate = true }",
    ),
    (
        "switch.west.rate.erica",
        "{ interval = \"1 ms\", cells = 20, count = \"abr_out\", immediate_fair_share = true }",
    ),
    (
        "switch.west.rate.erica",
        "{ preset = \"kalyanaraman_1997\" }",
    ),
];

/// The `listed` members of the family at `path`, and each other of its `kinds` with its defaults.
fn all(path: &str, listed: &[Setting], kinds: &[&str]) -> Vec<Setting> {
    let names = kinds.iter().map(|kind| format!("{path}.{kind}"));
    let others = names.filter(|name| listed.iter().all(|(known, _)| known != name));
    // Settings live as long as the test.
    let others = others.map(|name| (&*name.leak(), "{}"));
    listed.iter().copied().chain(others).collect()
}

pub fn fabrics() -> Vec<Setting> {
    all("switch.west.fabric", FABRICS, FabricSpec::kinds())
}

pub fn discards() -> Vec<Setting> {
    all("switch.west.discard", DISCARDS, DiscardSpec::kinds())
}

pub fn schedulers() -> Vec<Setting> {
    all("switch.west.scheduler", SCHEDULERS, SchedulerSpec::kinds())
}
