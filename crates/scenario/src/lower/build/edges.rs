//! Edges, and the outputs through which their cells leave.

use models::edge::{CellPort, Edge, EdgeOutput, EdgeSpec};
use models::output::admission::BufferGate;
use models::output::memory::Memory;
use models::paced::{Paced, Pacer};
use models::router::RouterSpec;
use models::wire::vc::Route;

use super::Builder;
use crate::lower::Hop;

impl Builder<'_> {
    /// An edge at the start of a run.
    pub(super) fn edge(&self, node: usize, spec: &EdgeSpec, routes: Vec<Vec<Route>>) -> Edge {
        let hops = self.topology.outputs(node).iter().enumerate();
        let counts = self.inputs.of(node).is_some();
        let outputs = hops.map(|(output, hop)| {
            if self.flows.paths.sends_cells(self.topology, *hop) {
                return EdgeOutput::Cells(self.cell_port(output, *hop, spec));
            }
            let sender = RouterSpec::from(spec);
            let memory = sender.memory(self.flows.cells);
            EdgeOutput::Packets(self.packet_port(output, *hop, &sender, memory, counts))
        });
        Edge::new(outputs.collect(), routes, self.flows.cells)
    }

    fn cell_port(&self, output: usize, hop: Hop, spec: &EdgeSpec) -> CellPort {
        let rate = self.links.rate(hop);
        let vcs = self.flows.paths.vcs(hop).len();
        let RouterSpec {
            buffer,
            discard,
            mark,
            ..
        } = spec.into();
        let queue = buffer.in_cells(vcs, Memory::new(None, self.flows.cells));
        let gate = BufferGate::new(&queue, &discard, mark.as_ref());
        let transmitter = self.transmitter(output, hop);
        let cell_time = self.links.cell_time(hop);
        let pacers = self.flows.paths.vcs(hop).map(|planned| {
            // VCs without a rate of their own take turns on the link.
            let pacer = self.flows.pacer(self.links, planned, rate);
            Some(pacer.unwrap_or_else(|| Pacer::at_most(cell_time)))
        });
        let mut paced = Paced::new(pacers.collect()).expect("there is a VC");
        if let Some(buffer) = self.links.cell_credit(hop) {
            paced.wait_for_credit(buffer);
        }
        let bearers = self.flows.paths.vcs(hop);
        let bearers = bearers.map(|planned| self.flows.bearer(planned).wrapping(self.flows.cells));
        let bearers = bearers.collect();
        let mut port = CellPort::new(transmitter, (rate, self.flows.cells), gate, bearers, paced);
        if self.links.sends_credits(hop) {
            port.meter.send_credits();
        }
        port
    }
}
