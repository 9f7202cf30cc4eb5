//! Laws of the packet traces of every run.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kernel::Time;
use models::transport::Headers;
use scenario::capture::packets::{DropCause, PacketEnd, PacketHop, PacketRow, Packets};
use scenario::lower::{Hop, Plan};
use scenario::report::{Place, Report};
use scenario::simulation::Simulation;

use super::seed;

/// One run, and its packets.
pub fn traced(plan: &Plan) -> (Report, Packets) {
    let found = RefCell::new(Packets::default());
    let mut simulation = Simulation::new(plan, seed(0));
    simulation.trace(Box::new(|packets| *found.borrow_mut() = packets));
    let report = simulation.run(|_| true).expect("nobody stops it");
    (report, found.into_inner())
}

/// The hops of a row, in order.
fn way(plan: &Plan, row: &PacketRow) -> Vec<Hop> {
    let path = plan.flows[row.flow as usize].path.iter();
    if row.back {
        path.rev().map(|hop| hop.back()).collect()
    } else {
        path.copied().collect()
    }
}

/// Asserts that each packet passes the outputs of its path in order, and that its time of arrival
/// follows from the last link.
pub fn assert_in_order(plan: &Plan, packets: &Packets) {
    let mut last = None;
    for (row, hops) in packets.iter() {
        let key = (row.sent, row.flow, row.back, row.number);
        assert!(last < Some(key), "{row:?} comes after {last:?}");
        last = Some(key);
        assert!(row.sent < Time::NEVER && row.octets > 0, "{row:?}");
        let way = way(plan, row);
        let mut arrived = row.sent;
        for (PacketHop { output, .. }, hop) in hops.iter().zip(&way) {
            let place = Place::before(plan, *hop);
            assert_eq!(packets.outputs[*output as usize], place, "{row:?}");
        }
        for (passed, hop) in hops.iter().zip(&way) {
            assert_eq!(passed.arrived, arrived, "{row:?} {hops:?}");
            assert!(
                arrived + passed.queued < passed.departed,
                "{row:?} {hops:?}"
            );
            arrived = passed.departed + plan.link_spec(hop.link()).delay;
        }
        if let PacketEnd::Delivered(at) = row.end {
            assert_eq!(hops.len(), way.len(), "{row:?} {hops:?}");
            assert_eq!(at, arrived, "{row:?} {hops:?}");
        } else if let PacketEnd::Dropped {
            at: Some(at),
            output: Some(output),
            ..
        } = row.end
        {
            assert!(hops.len() < way.len() && at >= row.sent, "{row:?}");
            // A PDU merged with the previous PDU is damaged, and later nodes may drop its cells.
            let mut later = way[hops.len()..].iter();
            let place = &packets.outputs[output as usize];
            let is_at = |hop: &Hop| Place::before(plan, *hop) == *place;
            assert!(later.any(is_at), "{row:?}");
        }
    }
}

/// Asserts that trace rows agree with a report whose counts begin at the start of the run.
pub fn assert_counted(plan: &Plan, report: &Report, packets: &Packets) {
    let mut sent = vec![0_u64; plan.flows.len()];
    let mut dropped: BTreeMap<(String, &str), u64> = BTreeMap::new();
    for row in &packets.rows {
        let is_data = !row.back && row.data > 0;
        sent[row.flow as usize] += u64::from(is_data);
        if let PacketEnd::Dropped {
            output: Some(output),
            cause,
            ..
        } = row.end
        {
            let output = packets.outputs[output as usize].to_string();
            let place = match cause {
                DropCause::Lost => format!("link {output}"),
                _ => format!("port {output}"),
            };
            *dropped.entry((place, cause.word())).or_default() += 1;
        }
    }
    for (flow, sent) in sent.iter().enumerate() {
        let scope = format!("flow {}", packets.flows[flow]);
        let counted = report.value(&scope, "packets_sent").expect("a count") as u64;
        // A packet whose jitter has not ended counts in the trace, but not at the interface. A
        // retransmitted SYN or FIN counts at the interface, without user data.
        let spec = plan.flow_spec(flow);
        let opens = matches!(spec.transport.headers(), Headers::Tcp(tcp) if tcp.handshake);
        let closes = spec.source.connections().is_some();
        let is_less = spec.jitter.is_some() || opens || closes;
        assert!(
            *sent == counted || *sent < counted && is_less,
            "{scope}: {sent}, not {counted}"
        );
    }
    // Where a policer drops last cells, a port counts several packets as one damaged PDU.
    let is_policed = (0..plan.flows.len()).any(|flow| plan.flow_spec(flow).police.is_some());
    for ((place, cause), rows) in &dropped {
        let damaged = if *cause == DropCause::Lost.word() {
            report.value(place, "packets_lost").expect("a count")
        } else if *cause == DropCause::Policed.word() {
            continue;
        } else {
            let of = |metric| report.value(place, metric).unwrap_or_default();
            (of("packet_loss_ratio") * of("packets_offered")).round()
        };
        // A damaged PDU is counted when its last cell arrives.
        let open = plan.flows.len() as f64 * 2.0;
        assert!(
            is_policed || *rows as f64 <= damaged + open,
            "{rows} {cause} at {place}, not {damaged}"
        );
    }
}
