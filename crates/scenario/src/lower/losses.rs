//! The transmitters of links, and the losses of links.

use kernel::Seed;
use models::loss::{LossAt, LossyEnd, Way};
use models::output::transmitter::Transmitter;

use super::topology::NodeKind;
use super::{Hop, Plan};

impl Plan {
    /// Place of the losses of a hop: in the queue or at transmission. An edge queues packets and
    /// sends cells one by one, so it loses no cell before the queue.
    fn loss_at(&self, hop: Hop) -> LossAt {
        let tail = &self.topology.nodes[self.topology.head(hop.back())];
        if tail.kind == NodeKind::Edge && self.sends_cells(hop) {
            LossAt::Transmission
        } else {
            self.link_spec(hop.link()).loss_at
        }
    }

    /// The transmitter of a hop, by output number `output` of its node.
    pub(super) fn transmitter(&self, output: usize, hop: Hop, seed: Seed) -> Transmitter {
        let transmitter = Transmitter::new(output, self.loss(hop, seed));
        if self.gathers(hop) {
            transmitter.gathering(self.vcs(hop).len())
        } else {
            transmitter
        }
    }

    /// The lossy end of a hop; none if the link loses nothing.
    fn loss(&self, hop: Hop, seed: Seed) -> Option<LossyEnd> {
        let spec = self.link_spec(hop.link()).loss.as_ref()?;
        let way = Way {
            link: self.link_name(hop.link()),
            reverse: hop.reverse(),
            rate: self.link_spec(hop.link()).rate,
            seed,
        };
        let vcs = self.vcs(hop).len();
        let (loss, unit) = (spec.build(&way)?, spec.unit());
        Some(LossyEnd::new(loss, unit, self.loss_at(hop), vcs))
    }
}
