//! Making routers, and the outputs through which packets leave.

use kernel::Seed;
use models::output::admission::{Admission, Entrance};
use models::output::scheduler::Channels;
use models::router::port::PacketPort;
use models::router::{Router, RouterSpec};
use models::vc::Route;

use super::{Hop, Plan};

impl Plan {
    /// A router at the start of a run.
    pub(super) fn router(
        &self,
        node: usize,
        spec: &RouterSpec,
        seed: Seed,
        routes: Vec<Vec<Route>>,
    ) -> Router {
        let hops = self.topology.outputs(node).iter().enumerate();
        let ports = hops.map(|(output, hop)| self.packet_port(output, *hop, spec, seed));
        let mut made = Router::new(ports.collect(), spec.buffer.is_shared(), routes);
        if let Some(chance) = self.chance(node, spec.ties, seed) {
            made.leave_ties_to(chance);
        }
        made
    }

    /// An output through which packets leave.
    pub(super) fn packet_port(
        &self,
        output: usize,
        hop: Hop,
        spec: &RouterSpec,
        seed: Seed,
    ) -> PacketPort {
        let buffer = spec.buffer.in_octets(self.channels(hop).len());
        let buffer = self.at_output(hop, buffer, "discard", seed);
        let discard = spec.discard.build(&buffer);
        let mark = spec.mark.as_ref().map(|mark| mark.build(&buffer));
        let rate = self.rate(hop);
        let transmitter = self.transmitter(output, hop, seed);
        let entrance = Entrance::new(&buffer, discard, mark);
        let admission = if spec.buffer.is_per_channel() {
            Admission::by_channel(entrance, buffer.vcs)
        } else {
            Admission::new(entrance, buffer.vcs)
        };
        let classes = self.classes(hop);
        let service = spec.scheduler.build(&Channels { classes });
        PacketPort::new(transmitter, rate, admission, service, buffer.vcs)
    }
}
