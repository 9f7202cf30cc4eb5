//! The conservation laws of a run. The check is our own: a wrong count then stops the run instead
//! of becoming a result.

use kernel::Network;
use models::link::gate::PacketGateRule;
use models::node::AnyNode;
use models::output::Port;
use models::wire::unit::Unit;

/// Asserts that cells and packets are conserved: each unit sent has arrived, was dropped by an
/// output or a policer, was lost on a link, or is still in the network. The whole run is checked,
/// warm-up included, and so are each output and the connections of each flow by themselves.
pub(crate) fn assert_conservation(network: &Network<AnyNode>) {
    let (mut sent, mut gone) = (Count::default(), Count::default());
    // Frames on links with retry have contents beside those of the packets that are kept.
    let mut copies = 0;
    // Messages about credits that are frames of such links, and have not arrived.
    let mut updates = 0;
    for node in &network.nodes {
        for port in node.ports() {
            port.assert_conservation();
            gone.add_dropped(port);
            // For the output a packet that goes back is dropped; it is sent anew from there.
            sent.packets += port.meter().returned_ever();
        }
        for end in node.losses().into_iter().flatten() {
            let lost = end.meter.lost_ever();
            gone.cells += lost.units;
            gone.packets += lost.packets;
            gone.rm_cells += end.meter.rm_lost_ever();
            gone.control += end.meter.control_lost_ever;
        }
        for retry in node.retries().into_iter().flatten() {
            copies += retry.meter.extra_copies();
            updates += retry.meter.updates_ever();
        }
        count_control(node, &mut sent, &mut gone);
        count(node, &mut sent, &mut gone);
    }
    for link in network.links() {
        gone.cells += link.units().map(Unit::cells).sum::<u64>();
        let control = link.units().filter(|unit| unit.is_control());
        gone.control += control.count() as u64;
        // The host has recalled these cells, but its amendment has not yet reached the switch.
        sent.cells += link.units().map(Unit::recalled).sum::<u64>();
    }
    for cargo in network.cargos() {
        gone.packets += cargo.live();
        gone.rm_cells += cargo.live_rm();
    }
    gone.packets = gone.packets.wrapping_sub_signed(copies);
    gone.control = gone.control.wrapping_add_signed(updates);
    assert_eq!(
        sent, gone,
        "units sent = units that arrived, were dropped, were lost or are in transit"
    );
}

/// Adds the control frames that the ends of links at a node sent and received, but for the pause frames
/// sent.
fn count_control(node: &AnyNode, sent: &mut Count, gone: &mut Count) {
    for gate in node.packet_gates().into_iter().flatten() {
        match &gate.rule {
            PacketGateRule::Pause(gate) => gone.control += gate.arrived_ever,
            PacketGateRule::Credit(sender) => {
                sender.assert_within_limits();
                sent.control += sender.sent_ever;
                gone.control += sender.received_ever;
            }
        }
    }
    for receiver in node.credit_receivers().into_iter().flatten() {
        sent.control += receiver.sent_ever;
        gone.control += receiver.received_ever;
    }
}

/// Adds the units that a node sent, and the units that arrived or wait there.
fn count(node: &AnyNode, sent: &mut Count, gone: &mut Count) {
    match node {
        AnyNode::Host(host) => {
            for sender in &host.senders {
                sender
                    .connections()
                    .inspect(|counts| counts.assert_conservation());
            }
            for nic in host.nics.all() {
                sent.cells += nic.cells_sent;
                sent.packets += nic.packets_sent;
                gone.cells += nic.transmitter.pending();
                if let Some(paced) = &nic.paced {
                    sent.rm_cells += paced.rm_sent;
                    gone.rm_cells += paced.rm_arrived;
                }
            }
            gone.cells += host.arrived.cells;
            gone.packets += host.arrived.packets;
        }
        AnyNode::Switch(switch) => {
            gone.cells += switch.uncommitted();
            for policer in switch.policers() {
                let dropped = policer.meter.dropped_ever();
                gone.cells += dropped.units;
                gone.packets += dropped.packets;
            }
            if let Some(credits) = &switch.outputs.credits {
                sent.cells += credits.made;
                gone.cells += credits.arrived;
            }
        }
        AnyNode::Router(router) => {
            router.assert_inputs();
            let pauses = router
                .inputs()
                .iter()
                .filter_map(|input| input.pause.as_ref());
            sent.control += pauses.map(|pause| pause.sent_ever).sum::<u64>();
            gone.control += router.tied_control();
        }
        AnyNode::Edge(edge) => {
            for (_, port) in edge.cell_ports() {
                // An edge drops packets before they are segmented.
                sent.cells += port.cells_sent + port.meter().dropped_ever().units;
                sent.rm_cells += port.rm_sent;
                gone.cells += port.transmitter.pending();
            }
            gone.cells += edge.arrived.cells;
            gone.rm_cells += edge.arrived.rm_cells;
            gone.packets += edge.arrived.damaged;
        }
    }
}

/// The conserved quantities.
#[derive(Debug, Default, PartialEq)]
struct Count {
    cells: u64,
    packets: u64,
    rm_cells: u64,
    /// Control frames of links.
    control: u64,
}

impl Count {
    fn add_dropped(&mut self, port: &dyn Port) {
        let dropped = port.meter().dropped_ever();
        if port.unit().is_cells() {
            self.cells += dropped.units;
        }
        self.packets += dropped.packets;
        self.rm_cells += port.meter().rm_dropped_ever();
    }
}
