//! Laws that hold in every run.

use crate::common::{CROSSING, SHARES, run, ten_tcp};
use models::output::discard::DiscardSpec;
use models::output::scheduler::SchedulerSpec;
use parameters::{ValueTable, understand};
use proptest::prelude::*;
use scenario::report::{Report, Scope};

const BOTTLENECK: &str = "port s1->receiver";

fn value(report: &Report, metric: &str) -> f64 {
    report.value(BOTTLENECK, metric).expect(metric)
}

/// Asserts that the shares of a port add up to one. All shares but `underway_share` are counted
/// separately at the receivers, so these bounds can fail.
fn assert_accounted(report: &Report, most_under_way: f64) {
    let sum: f64 = SHARES.iter().map(|share| value(report, share)).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    assert!((value(report, "utilization") + value(report, "idle_share") - 1.0).abs() < 1e-12);
    for share in SHARES.iter().filter(|share| **share != "underway_share") {
        assert!((0.0..=1.0).contains(&value(report, share)), "{share}");
    }
    let under_way = value(report, "underway_share");
    assert!(
        under_way.abs() < most_under_way,
        "{under_way} was under way"
    );
}

/// A discard policy with its defaults.
fn kind_of(discard: &str) -> DiscardSpec {
    let policy = ValueTable::of([(discard.to_string(), ValueTable::default().into())]);
    understand(&policy.into()).expect("defaults of a policy")
}

#[test]
fn the_capacity_of_a_port_is_accounted_for() {
    for discard in DiscardSpec::kinds() {
        let needs_cells = kind_of(discard).needs_cells();
        let carried = [("ubr", "9180 B"), ("ubr", "512 B"), ("packet", "1500 B")];
        for (over, packet) in carried
            .into_iter()
            .filter(|(over, _)| *over == "ubr" || !needs_cells)
        {
            let discard = format!("switch.s1.discard.{discard}");
            let [bulk, telnet] = ["bulk", "telnet"].map(|flow| format!("flow.{flow}.over.{over}"));
            let settings = [
                (&*discard, "{}"),
                (&*bulk, "{}"),
                (&*telnet, "{}"),
                ("flow.bulk.transport.tcp.packet", packet),
                ("duration", "0.5 s"),
                ("warm_up", "0.1 s"),
            ];
            // At most one PDU of each connection is in transit: 10 x 192 cells of 3 us in 0.4 s.
            assert_accounted(&run(&ten_tcp(), &settings, 0), 0.0144);
        }
    }
}

#[test]
fn so_it_is_where_the_transport_keeps_to_a_rate() {
    for over in ["ubr", "packet"] {
        let [bulk, telnet] = ["bulk", "telnet"].map(|flow| format!("flow.{flow}.over.{over}"));
        let xtp = "{ xtp = { packet = \"9172 B\", rate = \"30 Mbit/s\", buffer = 12 } }";
        let settings = [
            (&*bulk, "{}"),
            (&*telnet, "{}"),
            ("flow.bulk.transport", xtp),
            ("duration", "0.5 s"),
            ("warm_up", "0.1 s"),
        ];
        let report = run(&ten_tcp(), &settings, 0);
        assert_accounted(&report, 0.0144);
        // The ten flows offer twice the capacity of the link.
        let lost = report.value("flow bulk[0]", "retransmission_ratio");
        assert!(lost.expect("a ratio") > 0.1);
        let limits = [
            "rate",
            "handshake",
            "receiver_window",
            "application",
            "timeout",
            "link",
        ]
        .map(|limit| {
            let name = format!("limited_by_{limit}");
            report.value("flow bulk[0]", &name).expect("a share")
        });
        assert!(
            (limits.iter().sum::<f64>() - 1.0).abs() < 1e-9,
            "{limits:?}"
        );
        let cwnd = report.value("flow bulk[0]", "limited_by_congestion_window");
        assert_eq!(cwnd, None);
    }
}

#[test]
fn a_standing_queue_of_other_flows_is_nobody_s_dead_capacity() {
    let settings = [
        ("duration", "0.5 s"),
        ("switch.s1.buffer.per_output", "1000000 cells"),
        ("switch.s1.discard.tail_drop", "{}"),
        (
            "flow.telnet.source.telnet",
            "{ gap = \"50 us\", message = \"5000 B\" }",
        ),
        ("flow.telnet.transport.tcp.window", "64 MiB"),
    ];
    let report = run(&ten_tcp(), &settings, 0);
    assert_accounted(&report, 0.02);
    assert!(value(&report, "background_share") > 0.1);
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
        .filter(|scalar| *scalar.scope != Scope::Network)
    {
        assert_eq!(
            together.value(&scalar.scope.to_string(), scalar.metric.name),
            Some(scalar.value)
        );
    }
}

#[test]
fn recording_changes_nothing() {
    let plain = run(CROSSING, &[], 0);
    let recorded = run(CROSSING, &[("record.every", "0.1 ms")], 0);
    assert_eq!(plain.scalars, recorded.scalars);
    assert!(plain.series.0.is_empty());
    let queue = &recorded.series["port west->east"]["queue"];
    assert_eq!(queue.times().len(), 301);
    let largest = queue.values().iter().copied().fold(0.0, f64::max);
    let metric = recorded
        .value("port west->east", "max_queue")
        .expect("a queue");
    assert!(0.0 < largest && largest <= metric);
}

#[test]
fn what_is_delivered_over_time_adds_up_to_the_goodput() {
    let report = run(CROSSING, &[("record.every", "1 ms")], 0);
    for flow in ["flow east[0]", "flow west[0]"] {
        let delivered = &report.series[flow]["delivered"];
        assert!(delivered.values().is_sorted());
        let last = *delivered.values().last().expect("a sample at the end");
        let span = *delivered.times().last().expect("a sample at the end");
        let goodput = report.value(flow, "goodput").expect("a goodput");
        assert!(last > 0.0 && (last * 8.0 / span - goodput).abs() < 1e-6 * goodput);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every run asserts conservation at its end; random settings try it in all kinds of runs.
    #[test]
    fn cells_and_packets_are_conserved(
        buffer in 1u32..200,
        packet in 1u32..9180,
        discard in prop::sample::select(DiscardSpec::kinds()),
        scheduler in prop::sample::select(SchedulerSpec::kinds()),
        memory in prop::sample::select(&["per_output", "shared.size", "per_vc"][..]),
        cells in any::<bool>(),
        replication in 0u64..1000,
    ) {
        let policy = kind_of(discard);
        // A policy may need a scheduler that serves its queues.
        let scheduler = match policy.schedulers() {
            Some(kinds) if !kinds.contains(&scheduler) => kinds[replication as usize % kinds.len()],
            _ => scheduler,
        };
        let order = ValueTable::of([(scheduler.to_string(), ValueTable::default().into())]);
        let order: SchedulerSpec = understand(&order.into()).expect("defaults of a scheduler");
        // Whole packets have no service class, and no cells to decide about.
        let cells = cells || order.knows_classes() || policy.needs_cells();
        let over = if cells { "ubr" } else { "packet" };
        let [east, west] = ["east", "west"].map(|flow| format!("flow.{flow}.over.{over}"));
        // The buffer of a router must hold a packet.
        let room = if cells { 1 } else { (packet + 40).max(576).div_ceil(53) };
        let buffer = buffer.max(room);
        let shares_queues = !order.has_queue_per_vc() || policy.needs_shared_queue();
        let memory = if shares_queues && memory == "per_vc" { "per_output" } else { memory };
        // Push-out needs a single queue at each output.
        let (scheduler, memory) = if policy.pushes_out() { ("fifo", "per_output") } else { (scheduler, memory) };
        let [buffer, packet] = [format!("{buffer} cells"), format!("{} B", packet + 40)];
        let [east_buffer, west_buffer] = ["east", "west"].map(|switch| {
            format!("switch.{switch}.buffer.{memory}")
        });
        let policy = format!("switch.east.discard.{discard}");
        let [east_order, west_order] =
            ["east", "west"].map(|switch| format!("switch.{switch}.scheduler.{scheduler}"));
        let settings = [
            (&*east, "{}"),
            (&*west, "{}"),
            (&*east_buffer, &*buffer),
            (&*west_buffer, &*buffer),
            (&*east_order, "{}"),
            (&*west_order, "{}"),
            ("switch.east.mark.threshold.above", "50 %"),
            ("flow.east.transport.tcp.packet", &*packet),
            (&*policy, "{}"),
        ];
        let report = run(CROSSING, &settings, replication);
        prop_assert!(report.scalars.iter().all(|scalar| scalar.value.is_finite()));
    }
}
