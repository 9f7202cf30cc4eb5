//! Packet traces: their rows agree with the report, and a trace changes no result.

use crate::common::packets::{assert_counted, assert_in_order, traced};
use crate::common::{CROSSING, plan, run, ten_tcp, value};
use models::metrics::{Cause, DropSite};
use scenario::capture::packets::{PacketEnd, PacketRow, PacketTable};
use scenario::report::Report;

/// Two hosts, a node between them, and a link that may lose.
const LINE: &str = r#"
duration = "200 ms"
[host.a]
[host.b]
[switch.s]
buffer.per_output = "100 cells"
[link.in]
between = ["a", "s"]
rate = "155.52 Mbit/s"
delay = "100 us"
[link.out]
between = ["s", "b"]
rate = "50 Mbit/s"
delay = "100 us"
[flow.f]
from = "a"
to = "b"
transport.tcp = { packet = "1500 B", window = "64 KiB" }
"#;

/// Traces a run; asserts the laws of traces, and that the report equals that of an untraced run.
fn rows(text: &str, settings: &[(&str, &str)]) -> PacketTable {
    let plan = plan(text, settings);
    let (report, packets) = traced(&plan);
    let untraced = run(text, settings, 0);
    assert!(report.scalars == untraced.scalars && report.series == untraced.series);
    assert_in_order(&plan, &packets);
    assert_counted(&plan, &report, &packets);
    packets
}

fn count(packets: &PacketTable, is_meant: impl Fn(&PacketRow) -> bool) -> u64 {
    packets.rows.iter().filter(|row| is_meant(row)).count() as u64
}

/// A metric that is a whole number.
fn whole(report: &Report, scope: &str, metric: &str) -> u64 {
    value(report, scope, metric).round() as u64
}

/// Packets that a port dropped in whole or in part.
fn damaged(report: &Report, port: &str) -> u64 {
    let offered = value(report, port, "packets_offered");
    (value(report, port, "packet_loss_ratio") * offered).round() as u64
}

fn is_dropped(row: &PacketRow, by: Cause) -> bool {
    matches!(row.end, PacketEnd::Dropped { cause, .. } if cause == by)
}

#[test]
fn rows_are_counted_as_in_the_report_of_a_network_of_packets() {
    let settings = [
        ("duration", "4 s"),
        ("flow.f.over.packet", "{}"),
        ("link.out.loss.nth", "[60, 90]"),
    ];
    let packets = rows(LINE, &settings);
    let report = run(LINE, &settings, 0);
    let dropped = damaged(&report, "port s->b");
    let is_dropped_here = |row: &PacketRow| {
        matches!(
            row.end,
            PacketEnd::Dropped { cause, .. } if cause.facts().site == DropSite::Output
        )
    };
    assert!(dropped > 0);
    assert_eq!(count(&packets, is_dropped_here), dropped);
    let lost = whole(&report, "link s->b", "packets_lost");
    assert_eq!(count(&packets, |row| is_dropped(row, Cause::Lost)), lost);
    assert_eq!(lost, 2);
    // Data beyond a gap are new, and a retransmission may repeat data that have arrived.
    let delivered = |row: &PacketRow| !row.back && matches!(row.end, PacketEnd::Delivered(_));
    assert!(count(&packets, delivered) >= whole(&report, "flow f", "packets_delivered"));
}

#[test]
fn rows_are_counted_as_in_the_report_of_a_network_of_cells() {
    let packets = rows(LINE, &[]);
    let report = run(LINE, &[], 0);
    let damaged = damaged(&report, "port s->b");
    let dropped = |row: &PacketRow| {
        matches!(
            row.end,
            PacketEnd::Dropped { cause, .. } if cause.facts().site == DropSite::Output
        )
    };
    assert!(damaged > 0);
    assert_eq!(count(&packets, dropped), damaged);
    // A PDU that loses its last cell also damages the next PDU.
    assert!(count(&packets, |row| is_dropped(row, Cause::Merged)) < damaged);
}

#[test]
fn rows_agree_with_the_report_of_many_flows() {
    let packets = rows(&ten_tcp(), &[("duration", "300 ms"), ("warm_up", "0 s")]);
    assert!(
        packets.flows.len() >= 10 && packets.rows.len() > 500,
        "{} {}",
        packets.flows.len(),
        packets.rows.len()
    );
    rows(CROSSING, &[("duration", "100 ms"), ("warm_up", "0 s")]);
    rows(
        &ten_tcp(),
        &[
            ("duration", "100 ms"),
            ("warm_up", "0 s"),
            ("record.every", "1 ms"),
        ],
    );
}

#[test]
fn a_lost_last_cell_takes_the_next_packet_with_it() {
    // The first packet, of 1500 B, has 32 cells.
    let settings = [
        ("link.out.loss.nth_cell", "[31]"),
        ("flow.f.transport.tcp.initial_window", "4"),
    ];
    let packets = rows(LINE, &settings);
    let ends: Vec<&PacketRow> = packets.rows.iter().take(3).collect();
    assert!(is_dropped(ends[0], Cause::Lost), "{ends:?}");
    assert!(is_dropped(ends[1], Cause::Merged), "{ends:?}");
    assert!(matches!(ends[2].end, PacketEnd::Delivered(_)), "{ends:?}");
}
