//! Laws that hold in every run.

mod common;

use common::{CROSSING, run, ten_tcp};
use proptest::prelude::*;
use scenario::report::Report;

const BOTTLENECK: &str = "port s1->receiver";

/// The parts into which the capacity of a port is shared out.
const SHARES: [&str; 7] = [
    "useful_share",
    "padding_share",
    "resent_share",
    "dead_cell_share",
    "background_share",
    "control_share",
    "idle_share",
];

fn value(report: &Report, metric: &str) -> f64 {
    report.value(BOTTLENECK, metric).expect(metric)
}

#[test]
fn the_capacity_of_a_port_is_accounted_for() {
    for discard in ["tail_drop", "partial_packet", "early_packet"] {
        let discard = format!("switch.s1.discard.{discard}");
        let settings = [
            (&*discard, "{}"),
            ("duration", "0.3 s"),
            ("warm_up", "0.05 s"),
        ];
        let report = run(&ten_tcp(), &settings, 0);
        let sum: f64 = SHARES.iter().map(|share| value(&report, share)).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert!((value(&report, "utilization") + value(&report, "idle_share") - 1.0).abs() < 1e-12);
        for share in SHARES {
            // What was under way at the end of the warm-up may arrive without having been sent.
            assert!(value(&report, share) > -0.005, "{share} of {discard}");
        }
    }
}

/// Dead capacity is worked out from what did not arrive; the damaged PDUs that did arrive must
/// account for it, but for those that had not ended.
#[test]
fn what_is_dead_arrives_damaged() {
    let settings = [("switch.s1.discard.tail_drop", "{}"), ("duration", "1 s")];
    let report = run(&ten_tcp(), &settings, 0);
    let damaged: f64 = (0..10)
        .map(|flow| {
            report
                .value(&format!("flow bulk[{flow}]"), "octets_damaged")
                .expect("a count")
        })
        .sum();
    let share = damaged * 8.0 / 141.333e6;
    let unfinished = 10.0 * 192.0 * 424.0 / 141.333e6;
    let dead = value(&report, "dead_cell_share");
    assert!(
        dead > 0.1,
        "the scenario must damage something, and damaged {dead}"
    );
    assert!((dead - share).abs() < unfinished, "{dead} against {share}");
}

#[test]
fn a_bystander_changes_nothing() {
    let alone = run(CROSSING, &[], 0);
    let with_bystanders = format!(
        "{CROSSING}
[host.c]
[host.d]
[link.c]
between = [\"c\", \"d\"]
rate = \"1 Gbit/s\"
[flow.aside]
from = \"c\"
to = \"d\"
transport.tcp = {{}}
"
    );
    let together = run(&with_bystanders, &[], 0);
    for scalar in alone
        .scalars
        .iter()
        .filter(|scalar| scalar.scope != "network")
    {
        assert_eq!(
            together.value(&scalar.scope, scalar.metric),
            Some(scalar.value)
        );
    }
}

#[test]
fn recording_changes_nothing() {
    let plain = run(CROSSING, &[], 0);
    let recorded = run(CROSSING, &[("record.every", "0.1 ms")], 0);
    assert_eq!(plain.scalars, recorded.scalars);
    assert!(plain.series.is_empty());
    let queue = &recorded.series["port west->east queue"];
    assert_eq!(queue.times.len(), 301);
    let largest = queue.values.iter().copied().fold(0.0, f64::max);
    let metric = recorded
        .value("port west->east", "max_queue")
        .expect("a queue");
    assert!(0.0 < largest && largest <= metric);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Conservation is asserted at the end of every run; here it meets all kinds of them.
    #[test]
    fn cells_and_frames_are_conserved(
        buffer in 1u32..200,
        packet in 1u32..9180,
        discard in prop_oneof!["tail_drop", "partial_packet", "early_packet"],
        cells in any::<bool>(),
        replication in 0u64..1000,
    ) {
        let over = if cells { "ubr" } else { "packet" };
        let [east, west] = ["east", "west"].map(|flow| format!("flow.{flow}.over.{over}"));
        let [buffer, packet] = [format!("{buffer} cells"), format!("{} B", packet + 40)];
        let policy = format!("switch.east.discard.{discard}");
        let settings = [
            (&*east, "{}"),
            (&*west, "{}"),
            ("switch.east.buffer.per_output", &*buffer),
            ("flow.east.transport.tcp.packet", &*packet),
            (&*policy, "{}"),
        ];
        let report = run(CROSSING, &settings, replication);
        prop_assert!(report.scalars.iter().all(|scalar| scalar.value.is_finite()));
    }
}
