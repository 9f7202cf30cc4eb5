//! Laws of the packet traces of every run.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kernel::Time;
use models::metrics::Cause;
use models::transport::Headers;
use scenario::capture::packets::{PacketEnd, PacketHop, PacketRow, PacketTable};
use scenario::lower::{Hop, Plan};
use scenario::report::{Place, Report};
use scenario::run::Simulation;

use super::seed;

/// One run, and its packets.
pub fn traced(plan: &Plan) -> (Report, PacketTable) {
    let found = RefCell::new(PacketTable::default());
    let mut simulation = Simulation::new(plan, seed(0));
    simulation.trace(Box::new(|packets| *found.borrow_mut() = packets));
    let report = simulation.run(|_| true).expect("nobody stops it");
    (report, found.into_inner())
}

/// The hops that a row passed, in order, and the rest of its path if it has only one.
fn way(plan: &Plan, row: &PacketRow, hops: &[PacketHop], outputs: &[Place]) -> Vec<Hop> {
    let flow = &plan.paths.flows[row.flow as usize];
    let turned = |hop: Hop| if row.back { hop.back() } else { hop };
    if flow.has_several_paths() {
        let all: Vec<Hop> = flow.hops().map(turned).collect();
        let passed = hops.iter().map(|passed| {
            let place = &outputs[passed.output as usize];
            let found = all.iter().find(|hop| Place::before(plan, **hop) == *place);
            *found.expect("a hop of the flow")
        });
        return passed.collect();
    }
    let mut way: Vec<Hop> = flow.path.iter().map(|hop| turned(*hop)).collect();
    if row.back {
        way.reverse();
    }
    way
}

/// Asserts that each packet passes the outputs of a path in order, and that its time of arrival
/// follows from the last link.
pub fn assert_in_order(plan: &Plan, packets: &PacketTable) {
    let mut last = None;
    for (row, hops) in packets.iter() {
        let key = (row.sent, row.flow, row.back, row.number);
        assert!(last < Some(key), "{row:?} comes after {last:?}");
        last = Some(key);
        assert!(row.sent < Time::NEVER && row.octets > 0, "{row:?}");
        let way = way(plan, row, hops, &packets.outputs);
        let mut arrived = row.sent;
        for (PacketHop { output, .. }, hop) in hops.iter().zip(&way) {
            let place = Place::before(plan, *hop);
            assert_eq!(packets.outputs[*output as usize], place, "{row:?}");
        }
        for pair in way.windows(2) {
            let node = plan.topology.head(pair[0]);
            assert_eq!(node, plan.topology.head(pair[1].back()), "{row:?}");
        }
        for (passed, hop) in hops.iter().zip(&way) {
            assert_eq!(passed.arrived, arrived, "{row:?} {hops:?}");
            assert!(
                arrived + passed.queued < passed.departed,
                "{row:?} {hops:?}"
            );
            arrived = passed.departed + plan.link_spec(hop.link()).delay.0;
        }
        let ends = plan.hosts(row.flow as usize);
        let several = plan.paths.flows[row.flow as usize].has_several_paths();
        if let PacketEnd::Delivered(at) = row.end {
            assert_eq!(hops.len(), way.len(), "{row:?} {hops:?}");
            assert_eq!(at, arrived, "{row:?} {hops:?}");
            let last = way[way.len() - 1];
            assert_eq!(plan.topology.head(last), ends[usize::from(!row.back)]);
        } else if let PacketEnd::Dropped {
            at: Some(at),
            output: Some(output),
            ..
        } = row.end
        {
            assert!(at >= row.sent && (several || hops.len() < way.len()));
            // A PDU merged with the previous PDU is damaged, and later nodes may drop its cells.
            let mut later = way[hops.len()..].iter();
            let place = &packets.outputs[output as usize];
            let is_at = |hop: &Hop| Place::before(plan, *hop) == *place;
            assert!(several || later.any(is_at), "{row:?}");
        }
    }
}

/// True if the last cell of a packet reached the node of the output at which the packet was dropped
/// or lost. If a node before has dropped it, the output counts this PDU and the next as one.
fn last_cell_came(plan: &Plan, row: &PacketRow, hops: &[PacketHop], packets: &PacketTable) -> bool {
    let PacketEnd::Dropped {
        output: Some(output),
        ..
    } = row.end
    else {
        return false;
    };
    let place = &packets.outputs[output as usize];
    let reached = match way(plan, row, hops, &packets.outputs).get(..hops.len()) {
        Some([.., last]) => plan.topology.head(*last),
        _ => plan.hosts(row.flow as usize)[usize::from(row.back)],
    };
    let leaves = |hop: &Hop| Place::before(plan, *hop) == *place;
    plan.topology.outputs(reached).iter().any(leaves)
}

/// Asserts that trace rows agree with a report whose counts begin at the start of the run.
pub fn assert_counted(plan: &Plan, report: &Report, packets: &PacketTable) {
    let mut sent = vec![0_u64; plan.paths.flows.len()];
    let mut dropped: BTreeMap<(String, &str), u64> = BTreeMap::new();
    for (row, hops) in packets.iter() {
        let is_data = !row.back && row.data > 0;
        sent[row.flow as usize] += u64::from(is_data);
        if let PacketEnd::Dropped {
            output: Some(output),
            cause,
            ..
        } = row.end
            && last_cell_came(plan, row, hops, packets)
        {
            let output = packets.outputs[output as usize].to_string();
            let place = match cause {
                Cause::Lost => format!("link {output}"),
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
        let opens = matches!(spec.transport.facts().headers, Headers::Tcp(tcp) if tcp.handshake);
        let closes = spec.source.connections().is_some();
        let is_less = spec.jitter.is_some() || opens || closes;
        assert!(
            *sent == counted || *sent < counted && is_less,
            "{scope}: {sent}, not {counted}"
        );
    }
    // Where a policer drops last cells, a port counts several packets as one damaged PDU.
    let is_policed = (0..plan.paths.flows.len()).any(|flow| plan.flow_spec(flow).police.is_some());
    for ((place, cause), rows) in &dropped {
        let damaged = if *cause == Cause::Lost.word() {
            report.value(place, "packets_lost").expect("a count")
        } else if *cause == Cause::Policed.word() {
            continue;
        } else {
            let of = |metric| report.value(place, metric).unwrap_or_default();
            (of("packet_loss_ratio") * of("packets_offered")).round()
        };
        let open = plan.paths.flows.len() as f64 * 2.0;
        assert!(
            is_policed || *rows as f64 <= damaged + open,
            "{rows} {cause} at {place}, not {damaged}"
        );
    }
}
