//! Settings of several parts, drawn so that they fit each other.

use proptest::prelude::*;

use super::settings::{
    BUFFERS, DELAYS, RATES, Setting, TIES, TRANSPORTS, discards, fabrics, schedulers,
};

const BEARERS: &[&str] = &[
    "ubr",
    "packet",
    "codewords and frames",
    "abr",
    "abr beside vbr",
    "abr beside ubr",
    "contracts",
];

/// Discard policies that act on cells, which nodes with whole packets refuse.
const OF_CELLS: [&str; 3] = ["partial_packet", "partial_buffer_sharing", "push_out"];

/// The schedulers that serve the queues of some policies, which are refused with most others.
const QUEUES: [(&str, Setting); 2] = [
    ("fq_codel", ("switch.west.scheduler.flow_queue", "{}")),
    ("dual_pi2", ("switch.west.scheduler.dual_queue", "{}")),
];

/// The bearers of the two flows.
pub fn carried(over: &str) -> [Setting; 2] {
    match over {
        "ubr" => [("flow.east.over.ubr", "{}"), ("flow.west.over.ubr", "{}")],
        "abr" => [
            (
                "flow.east.over.abr",
                "{ nrm = 4, icr = \"20 Mbit/s\", rm_rate_quantise = true }",
            ),
            ("flow.west.over.abr", "{ nrm = 8, reverse = \"ideal\" }"),
        ],
        "abr beside vbr" => [
            ("flow.east.over.abr", "{ nrm = 4 }"),
            ("flow.west.over.vbr", "{ peak = \"20 Mbit/s\" }"),
        ],
        "contracts" => [
            (
                "flow.east.over.ubr",
                "{ peak = \"20 Mbit/s\", cdvt = \"20 us\" }",
            ),
            (
                "flow.west.over.vbr",
                "{ peak = \"20 Mbit/s\", sustained = \"5 Mbit/s\", burst = \"30 cells\" }",
            ),
        ],
        "abr beside ubr" => [
            ("flow.east.over.abr", "{ nrm = 4 }"),
            ("flow.west.over.ubr", "{}"),
        ],
        "codewords and frames" => [
            ("flow.east.over.ptm", "{}"),
            ("flow.west.over.gse", "{ frame = \"374 B\" }"),
        ],
        _ => [
            ("flow.east.over.packet", "{}"),
            ("flow.west.over.packet", "{}"),
        ],
    }
}

/// Settings that a bearer, a scheduler and a buffer need: an allocator for ABR cells, and queues
/// that can serve them.
fn that_fit(over: &str, scheduler: Setting, buffer: Setting, rate: Setting) -> Vec<Setting> {
    let by_class = buffer.0.ends_with("per_class");
    let knows_classes = ["strict_priority", "multiclass"]
        .iter()
        .any(|kind| scheduler.0.ends_with(kind));
    let mut settings = carried(over).to_vec();
    if over == "packet" || over == "codewords and frames" {
        // Whole packets pass no fabric.
        settings.push(("switch.west.fabric.immediate", "{}"));
        // Whole packets have no class.
        if knows_classes {
            settings.push(("switch.west.scheduler.fifo", "{}"));
        }
        if by_class {
            settings.push(("switch.west.buffer.per_output", "60 cells"));
        }
        return settings;
    }
    settings.push(rate);
    if over == "contracts" {
        // The trunk changes the spacing of cells, so some arrive too early at this policer.
        settings.push((
            "flow.east.police",
            "{ at = \"east\", beyond_peak = \"tag\" }",
        ));
        settings.push((
            "flow.west.police",
            "{ peak = \"6 Mbit/s\", cdvt = \"0.2 ms\" }",
        ));
    }
    if by_class && scheduler.0.ends_with("fifo") {
        settings.push(("switch.west.scheduler.strict_priority", "{}"));
    }
    settings
}

/// Draws the settings of a random scenario.
pub fn choices() -> impl Strategy<Value = Vec<Setting>> {
    let of = |settings: &[Setting]| prop::sample::select(settings.to_vec());
    let queues = (of(&schedulers()), of(BUFFERS), of(RATES));
    let others = (of(&fabrics()), of(&discards()), of(TRANSPORTS));
    let times = (of(DELAYS), of(TIES));
    (prop::sample::select(BEARERS), queues, others, times).prop_map(
        |(over, (scheduler, buffer, rate), (fabric, discard, transport), (delay, ties))| {
            let mark = ("switch.west.mark.threshold.above", "10 cells");
            // Whole packets have no cells to decide about.
            let is_whole = ["packet", "codewords and frames"].contains(&over);
            let needs_cells = OF_CELLS.iter().any(|policy| discard.0.ends_with(policy));
            let discard = if is_whole && needs_cells {
                ("switch.west.discard.tail_drop", "{}")
            } else {
                discard
            };
            let mut settings = vec![fabric, discard, transport, delay, ties, scheduler, buffer];
            settings.push(mark);
            settings.extend(that_fit(over, scheduler, buffer, rate));
            if discard.0.ends_with("push_out") {
                // Push-out needs a single queue at each output.
                settings.push(("switch.west.scheduler.fifo", "{}"));
                settings.push(("switch.west.buffer.per_output", "60 cells"));
            }
            let needed = QUEUES.iter().filter(|(kind, _)| discard.0.ends_with(kind));
            for (_, scheduler) in needed {
                settings.push(*scheduler);
                settings.push(("switch.west.buffer.per_output", "60 cells"));
            }
            settings
        },
    )
}
