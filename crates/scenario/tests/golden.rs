//! Small scenarios, one for each feature, whose results are kept as text.
//!
//! `UPDATE_GOLDEN=1 cargo test -p cellrelay-scenario --test all golden::` writes them again; a
//! change of results is then a diff that a reviewer can read, and once a version is released also
//! a line in the changelog.

use std::fmt::Write;

use crate::common::{CROSSING, check, run, ten_tcp};
use crate::connections::{LOSSY, WEB};
use models::output::discard::DiscardSpec;
use scenario::report::Report;

/// The numbers of a report, with six digits after the point.
fn scalars(report: &Report) -> String {
    let mut text = String::new();
    for scalar in &report.scalars {
        writeln!(
            text,
            "{:24} {:24} {:.6e} {}",
            scalar.scope.to_string(),
            scalar.metric.name,
            scalar.value,
            scalar.metric.unit
        )
        .expect("a string can be written to");
    }
    text
}

/// Series side by side in whole numbers, with a line for each instant.
fn series(report: &Report, names: &[(&str, &str)]) -> String {
    let columns: Vec<_> = names
        .iter()
        .map(|(scope, quantity)| report.series[*scope][quantity].values())
        .collect();
    let (scope, quantity) = names[0];
    let times = report.series[scope][quantity].times();
    let mut text = format!("{:>10}", "us");
    for (scope, quantity) in names {
        let name = format!("{scope} {quantity}");
        write!(text, "  {name:>24}").expect("a string can be written to");
    }
    text.push('\n');
    for (row, time) in times.iter().enumerate() {
        write!(text, "{:>10.0}", time * 1e6).expect("a string can be written to");
        for column in &columns {
            write!(text, "  {:>24.0}", column[row]).expect("a string can be written to");
        }
        text.push('\n');
    }
    text
}

#[test]
fn crossing_traffic_in_cells() {
    check("crossing-cells.txt", &scalars(&run(CROSSING, &[], 0)));
}

#[test]
fn crossing_traffic_in_packets() {
    let settings = [
        ("flow.east.over.packet", "{}"),
        ("flow.west.over.packet", "{}"),
    ];
    check(
        "crossing-packets.txt",
        &scalars(&run(CROSSING, &settings, 0)),
    );
}

#[test]
fn connections_that_come_and_go() {
    let settings = [LOSSY, &[("duration", "5 s"), ("warm_up", "0.5 s")]].concat();
    check("connections.txt", &scalars(&run(WEB, &settings, 0)));
}

/// One connection through a shared memory: its goodput, and the PDUs hit by the first overflow.
#[test]
fn one_connection_through_a_shared_memory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/creditnet.toml");
    let scenario = std::fs::read_to_string(path).expect("the example is part of the repository");
    let policies = [
        ("tail_drop", "{}"),
        ("partial_packet", "{}"),
        ("early_packet", "{ headroom = \"192 cells\" }"),
    ];
    let mut text =
        String::from("policy            buffer  goodput Mbit/s  timeouts  first drops\n");
    for (policy, parameters) in policies {
        for buffer in ["16 KiB", "32 KiB", "48 KiB", "64 KiB"] {
            let discard = format!("switch.creditnet.discard.{policy}");
            let settings = [
                (&*discard, parameters),
                ("switch.creditnet.buffer.shared.size", buffer),
                ("warm_up", "0 s"),
                ("duration", "5 s"),
                ("record.every", "10 ms"),
            ];
            let report = run(&scenario, &settings, 0);
            let value = |metric| report.value("flow bulk", metric).expect(metric);
            let (goodput, timeouts) = (value("goodput") / 1e6, value("timeouts"));
            let dropped = &report.series["port creditnet->receiver"]["dropped_pdus"];
            write!(
                text,
                "{policy:16} {buffer:>7} {goodput:>15.2} {timeouts:>9}  "
            )
            .expect("a string can be written to");
            let (times, pdus) = (dropped.times(), dropped.values());
            let mut first = times.iter().zip(&pdus).peekable();
            while let Some((time, pdu)) = first.next() {
                // Drops within a few milliseconds belong to the same overflow.
                if *time > times[0] + 5e-3 {
                    break;
                }
                if first.peek().is_none_or(|(_, next)| **next > *pdu) {
                    write!(text, "PDU {pdu} until {:.0} us; ", time * 1e6)
                        .expect("a string can be written to");
                }
            }
            text.truncate(text.trim_end_matches([' ', ';']).len());
            text.push('\n');
        }
    }
    check("creditnet.txt", &text);
}

/// The congestion window of each Tahoe over time, after three losses in one window.
#[test]
fn windows_of_the_two_tahoes() {
    let [mut last, mut now] = [String::new(), String::new()];
    for tahoe in ["tahoe_bsd", "tahoe_gbn"] {
        let congestion = format!("flow.east.transport.tcp.congestion.{tahoe}");
        let settings = [
            (&*congestion, "{}"),
            ("switch.west.buffer.per_output", "1000 cells"),
            ("switch.east.buffer.per_output", "1000 cells"),
            ("link.left.loss.nth", "[14, 15, 17]"),
            ("record.every", "0.25 ms"),
        ];
        let report = run(CROSSING, &settings, 0);
        let names = [
            ("flow east[0]", "cwnd"),
            ("flow east[0]", "ssthresh"),
            ("port east->right[0]", "queue"),
        ];
        last = std::mem::replace(&mut now, series(&report, &names));
        check(&format!("{tahoe}.txt"), &now);
    }
    assert_ne!(last, now);
}

/// Effective throughput by discard policy, packet size and buffer, as an aligned table.
#[test]
fn effective_throughput_by_policy_packet_and_buffer() {
    let buffers = ["256 cells", "1000 cells", "4000 cells"];
    let mut text = format!("{:22} {:>7}", "policy", "packet");
    for buffer in buffers {
        write!(text, " {buffer:>11}").expect("a string can be written to");
    }
    text.push('\n');
    for policy in DiscardSpec::kinds() {
        for packet in ["512 B", "1500 B", "9180 B"] {
            write!(text, "{policy:22} {packet:>7}").expect("a string can be written to");
            for buffer in buffers {
                let share = throughput_through(policy, packet, buffer, &[]);
                write!(text, " {share:>11.4}").expect("a string can be written to");
            }
            text.push('\n');
        }
    }
    check("discard.txt", &text);
}

/// The same for policies that distinguish tagged cells: a policer tags the cells beyond a contract.
#[test]
fn effective_throughput_with_tagged_cells_by_policy_packet_and_buffer() {
    let contract = [
        ("flow.bulk.police.peak", "141.333 Mbit/s"),
        ("flow.bulk.police.sustained", "10 Mbit/s"),
        ("flow.bulk.police.burst", "200 cells"),
        ("flow.bulk.police.beyond_sustained", "\"tag\""),
    ];
    let mut text = format!("{:22} {:>7}   256 cells  1000 cells\n", "policy", "packet");
    for policy in ["tail_drop", "partial_buffer_sharing", "push_out"] {
        for packet in ["512 B", "9180 B"] {
            write!(text, "{policy:22} {packet:>7}").expect("a string can be written to");
            for buffer in ["256 cells", "1000 cells"] {
                let share = throughput_through(policy, packet, buffer, &contract);
                write!(text, " {share:>11.4}").expect("a string can be written to");
            }
            text.push('\n');
        }
    }
    check("discard-tagged.txt", &text);
}

/// The effective throughput of ten connections through one output with this policy.
fn throughput_through(policy: &str, packet: &str, buffer: &str, others: &[(&str, &str)]) -> f64 {
    let discard = format!("switch.s1.discard.{policy}");
    let mut settings = vec![
        (&*discard, "{}"),
        ("flow.bulk.transport.tcp.packet", packet),
        ("switch.s1.buffer.per_output", buffer),
        ("duration", "0.5 s"),
        ("warm_up", "0.1 s"),
    ];
    settings.extend(others);
    let report = run(&ten_tcp(), &settings, 0);
    let share = report.value("network", "effective_throughput");
    share.expect("a share")
}
