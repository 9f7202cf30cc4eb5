//! Queues that manage themselves, in whole networks: how long units wait, and what is dropped.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{plan, run, value};
use models::metrics::{Cause, DropSite};
use scenario::capture::packets::PacketEnd;
use scenario::report::Report;

/// Four connections through an access line of 10 Mbit/s with a buffer of half a second, 40 ms away.
const LINE: &str = r#"
duration = "12 s"
warm_up = "4 s"
[host.sender]
count = 4
[host.home]
[switch.isp]
buffer.per_output = "600 kB"
[link.access]
between = ["sender", "isp"]
rate = "1 Gbit/s"
delay = "19 ms"
[link.line]
between = ["isp", "home"]
rate = "10 Mbit/s"
delay = "1 ms"
[flow.bulk]
from = "sender"
to = "home"
transport.tcp = { packet = "1500 B", window = "1 MiB", congestion.new_reno = {} }
"#;

const PORT: &str = "port isp->home";

fn outcome(settings: &[(&str, &str)]) -> Report {
    run(LINE, settings, 0)
}

/// Mean waiting time at the line, in milliseconds, by Little's law: the queue is counted in cells.
fn mean_wait(report: &Report) -> f64 {
    let of_cells = || value(report, PORT, "mean_queue") * 53.0;
    let octets = report
        .value(PORT, "mean_queue_octets")
        .unwrap_or_else(of_cells);
    octets * 8.0 / 10e6 * 1e3
}

const PACKETS: (&str, &str) = ("flow.bulk.over.packet", "{}");
const CODEL: (&str, &str) = ("switch.isp.discard.codel", "{}");

/// RFC 8289, section 3: a queue that empties within an interval is good, and the target keeps the line
/// busy.
#[test]
fn codel_keeps_the_wait_short_and_the_line_busy() {
    let tail = outcome(&[PACKETS]);
    assert!(mean_wait(&tail) > 200.0, "{}", mean_wait(&tail));
    let codel = outcome(&[PACKETS, CODEL]);
    let wait = mean_wait(&codel);
    assert!((2.0..20.0).contains(&wait), "{wait}");
    let throughput = value(&codel, "network", "effective_throughput");
    assert!(throughput > 0.9, "{throughput}");
}

#[test]
fn pie_holds_the_wait_near_its_target() {
    for over in [&[PACKETS][..], &[]] {
        let report = outcome(&[over, &[("switch.isp.discard.pie", "{}")]].concat());
        let wait = mean_wait(&report);
        assert!((8.0..22.0).contains(&wait), "{wait}");
        let throughput = value(&report, "network", "effective_throughput");
        assert!(throughput > 0.9, "{throughput}");
        assert!(value(&report, PORT, "packet_loss_ratio") > 0.0);
    }
}

/// Three greedy connections, and a telephone that sends 64 kbit/s.
const SPARSE: &str = r#"
[flow.phone]
from = "sender[3]"
to = "home"
transport.datagram = { packet = "200 B" }
source.constant_rate = { rate = "64 kbit/s" }
"#;

/// RFC 8290, section 1: flow queueing isolates flows that send little from those that fill a queue.
#[test]
fn fq_codel_keeps_a_sparse_flow_from_waiting_and_shares_the_line() {
    for over in ["packet", "ubr"] {
        let text = format!("{LINE}{SPARSE}");
        let [bulk, phone] = ["bulk", "phone"].map(|flow| format!("flow.{flow}.over.{over}"));
        let delay = |settings: &[(&str, &str)]| {
            let bearers = [(&*bulk, "{}"), (&*phone, "{}")];
            let report = run(&text, &[&bearers[..], settings].concat(), 0);
            (
                value(&report, "flow phone", "p99_delay"),
                value(&report, "network", "fairness_index"),
            )
        };
        let (codel, _) = delay(&[CODEL]);
        let queue = ("switch.isp.scheduler.flow_queue", "{}");
        let (fq_codel, fairness) = delay(&[("switch.isp.discard.fq_codel", "{}"), queue]);
        // The propagation takes 20 ms, and the packet under way and two other new queues up to 3.6 ms.
        assert!(codel > 0.035 && fq_codel < 0.025, "{codel} {fq_codel}");
        assert!(fairness > 0.99, "{fairness}");
    }
}

/// RFC 8290, section 4.1: the flow that fills the buffer suffers, and no other.
#[test]
fn a_full_buffer_drops_from_the_longest_queue() {
    let text = format!("{LINE}{SPARSE}");
    let settings = [
        ("flow.bulk.over.packet", "{}"),
        ("flow.phone.over.packet", "{}"),
        ("switch.isp.buffer.per_output", "15 kB"),
        ("switch.isp.scheduler.flow_queue", "{}"),
        ("switch.isp.discard.fq_codel", "{}"),
    ];
    let report = run(&text, &settings, 0);
    assert!(value(&report, PORT, "packet_loss_ratio") > 0.0);
    let pushed_out = |flow: &str| report.value(&format!("drop {flow} at isp->home"), "pushed_out");
    assert!(pushed_out("phone").unwrap_or(0.0) <= 0.0);
    assert!(pushed_out("bulk[0]").expect("drops") > 0.0);
}

/// RFC 9332, section 1: scalable flows wait for about a millisecond beside classic ones.
#[test]
fn dual_pi2_serves_flows_of_low_delay_at_once() {
    let text = LINE.replace("rate = \"10 Mbit/s\"", "rate = \"50 Mbit/s\"")
        + r#"
[flow.scalable]
from = "sender[0]"
to = "home"
over.packet = {}
transport.tcp = { packet = "1500 B", window = "1 MiB", congestion.dctcp = {}, ecn = "exact" }
"#;
    let settings = [
        PACKETS,
        ("host.sender.count", "1"),
        ("link.access.delay", "4 ms"),
        ("switch.isp.scheduler.dual_queue", "{}"),
        ("switch.isp.discard.dual_pi2", "{}"),
    ];
    let report = run(&text, &settings, 0);
    let of = |flow: &str, metric: &str| value(&report, flow, metric);
    let (low, classic) = (
        of("flow scalable", "mean_delay"),
        of("flow bulk[0]", "mean_delay"),
    );
    assert!(
        low < 0.007 && (0.012..0.030).contains(&classic),
        "{low} {classic}"
    );
    assert!(value(&report, "network", "effective_throughput") > 0.9);
}

/// RFC 9332, section 2.1: `p_L = k sqrt(p_C)`, with k = 2.
#[test]
fn the_marks_of_scalable_flows_are_coupled_to_the_drops_of_the_others() {
    let text = LINE.replace("rate = \"10 Mbit/s\"", "rate = \"50 Mbit/s\"")
        + r#"
[host.scalable]
count = 4
[link.scalable]
between = ["scalable", "isp"]
rate = "1 Gbit/s"
delay = "19 ms"
[flow.scalable]
from = "scalable"
to = "home"
over.packet = {}
transport.tcp = { packet = "1500 B", window = "1 MiB", congestion.dctcp = {}, ecn = "exact" }
"#;
    let settings = [
        PACKETS,
        ("duration", "30 s"),
        ("switch.isp.scheduler.dual_queue", "{}"),
        ("switch.isp.discard.dual_pi2", "{}"),
    ];
    let report = run(&text, &settings, 0);
    let rate = |flow: &str| -> f64 {
        let of = |number| value(&report, &format!("flow {flow}[{number}]"), "goodput");
        (0..4).map(of).sum()
    };
    let (classic, scalable) = (rate("bulk"), rate("scalable"));
    let all = classic + scalable;
    let dropped = value(&report, PORT, "packet_loss_ratio") * all / classic;
    let marked = value(&report, PORT, "marked_share") * all / scalable;
    let coupling = marked / dropped.sqrt();
    assert!((1.6..2.4).contains(&coupling), "{coupling}");
}

#[test]
fn codel_drops_whole_pdus_of_cells() {
    let report = outcome(&[CODEL]);
    assert!((2.0..20.0).contains(&mean_wait(&report)));
    assert!(value(&report, PORT, "packet_loss_ratio") > 0.0);
    assert!(value(&report, PORT, "dead_cell_share") <= 0.0);
    let cells = value(&report, PORT, "cell_loss_ratio") * value(&report, PORT, "cells_offered");
    let packets =
        value(&report, PORT, "packet_loss_ratio") * value(&report, PORT, "packets_offered");
    // A packet of 1500 octets takes 32 cells; at the borders of the measured time some are cut.
    assert!((cells - 32.0 * packets).abs() < 64.0, "{cells} {packets}");
}

#[test]
fn codel_marks_flows_that_answer_marks_and_drops_none_of_them() {
    for over in [&[PACKETS][..], &[]] {
        let ecn = ("flow.bulk.transport.tcp.ecn", "classic");
        let report = outcome(&[over, &[CODEL, ecn]].concat());
        assert!((2.0..20.0).contains(&mean_wait(&report)));
        assert!(value(&report, PORT, "packet_loss_ratio") <= 0.0);
        assert!(value(&report, PORT, "marked_share") > 0.0);
        let off = ("switch.isp.discard.codel.ecn", "false");
        let report = outcome(&[over, &[off, ecn]].concat());
        assert!(value(&report, PORT, "packet_loss_ratio") > 0.0);
    }
}

/// RFC 3168, section 6.1.5: a retransmission is dropped where new data is marked, unless the control
/// answers the share of marks.
#[test]
fn codel_drops_retransmissions_of_flows_that_answer_marks() {
    for (control, ecn, drops) in [
        ("{ sack = {} }", "classic", true),
        ("{ dctcp = {} }", "exact", false),
    ] {
        let report = outcome(&[
            PACKETS,
            CODEL,
            ("flow.bulk.transport.tcp.congestion", control),
            ("flow.bulk.transport.tcp.ecn", ecn),
            ("link.access.loss.packet", "2 %"),
            ("link.access.delay", "1 ms"),
        ]);
        assert!(value(&report, PORT, "marked_share") > 0.0, "{control}");
        let lost = value(&report, PORT, "packet_loss_ratio");
        assert_eq!(lost > 0.0, drops, "{control} {lost}");
    }
}

/// A drop at departure is in the trace, the series and the counts of each flow, by its cause.
#[test]
fn drops_at_departure_are_traced_and_counted_by_their_cause() {
    for over in [&[PACKETS][..], &[]] {
        let settings = [over, &[CODEL, ("duration", "2 s"), ("warm_up", "0 s")]].concat();
        let plan = plan(LINE, &settings);
        let (report, packets) = traced(&plan);
        let untraced = run(LINE, &settings, 0);
        assert!(report.scalars == untraced.scalars);
        assert_in_order(&plan, &packets);
        assert_counted(&plan, &report, &packets);
        let mut dropped = packets.rows.iter().filter(|row| {
            matches!(
                row.end,
                PacketEnd::Dropped { cause, .. } if cause.facts().site == DropSite::Output
            )
        });
        assert!(dropped.next().is_some());
    }
}

/// A dropped cell returns its credit, or the connections would come to a halt.
#[test]
fn codel_behind_a_link_with_credits_returns_the_credit_of_what_it_drops() {
    let settings = [
        CODEL,
        ("switch.isp.scheduler.round_robin", "{}"),
        ("link.access.credit.n23", "{ n2 = 4, n3 = 4000 }"),
        ("switch.isp.buffer.per_output", "100000 cells"),
        ("link.access.delay", "1 ms"),
    ];
    let report = outcome(&settings);
    assert!(value(&report, PORT, "packet_loss_ratio") > 0.0);
    let throughput = value(&report, "network", "effective_throughput");
    assert!(throughput > 0.8, "{throughput}");
}

/// A burst of 100 packets into a buffer for 20, of which one is sent and the others wait.
const BURST: &str = r#"
duration = "1 s"
[host.a]
[host.b]
[router.r]
buffer.per_output = "20 kB"
discard.fq_codel = {}
scheduler.flow_queue = {}
[link.in]
between = ["a", "r"]
rate = "1 Gbit/s"
delay = "1 us"
[link.out]
between = ["r", "b"]
rate = "1 Mbit/s"
delay = "1 us"
[flow.f]
from = "a"
to = "b"
transport.datagram = { packet = "1000 B" }
source.trace = { text = "0 97200\n" }
over.packet = {}
"#;

/// RFC 8290, section 4.1: up to half of the longest queue is dropped at once, and at most a batch.
#[test]
fn room_is_made_by_a_batch_of_at_most_half_of_the_longest_queue() {
    for (batch, expected) in [("64", 10), ("4", 4), ("1", 1)] {
        let settings = [("router.r.discard.fq_codel.batch", batch)];
        let (_, packets) = traced(&plan(BURST, &settings));
        let mut pushed: Vec<(u64, u32)> = Vec::new();
        for row in &packets.rows {
            if let PacketEnd::Dropped {
                at: Some(at),
                cause: Cause::PushedOut,
                ..
            } = row.end
            {
                pushed.push((at.ps(), row.number));
            }
        }
        let first = pushed.iter().map(|(at, _)| *at).min().expect("drops");
        let together: Vec<u32> = pushed
            .iter()
            .filter(|(at, _)| *at == first)
            .map(|(_, number)| *number)
            .collect();
        // The oldest that wait, behind the packet that is being sent.
        let oldest: Vec<u32> = (2..2 + expected).collect();
        assert_eq!(together, oldest, "batch {batch}");
    }
}
