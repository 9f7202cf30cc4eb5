//! What links lose.

use kernel::Seed;
use models::loss::{LossAt, LossyEnd, LossyEnds, Way};

use super::topology::Kind;
use super::{Hop, Plan};

impl Plan {
    /// Whether a hop loses what is sent, and not what is offered. An edge sends cells one by one and
    /// queues packets, so it knows of no cell that is lost before it is sent.
    fn loses_when_sent(&self, hop: Hop) -> bool {
        let tail = &self.topology.nodes[self.topology.head(hop.back())];
        let sends_from_edge = tail.kind == Kind::Edge && self.sends_cells(hop);
        self.link_spec(hop.link()).loss_at == LossAt::Transmission || sends_from_edge
    }

    /// What the links that leave a node lose, by output.
    pub(super) fn losses(&self, node: usize, seed: Seed) -> LossyEnds {
        let hops = self.topology.outputs(node).iter();
        let ends: LossyEnds = hops
            .map(|hop| {
                let spec = self.link_spec(hop.link()).loss.as_ref()?;
                let way = Way {
                    link: self.link_name(hop.link()),
                    reverse: hop.reverse(),
                    rate: self.link_spec(hop.link()).rate,
                    seed,
                };
                let vcs = self.channels(*hop).len();
                let mut end = LossyEnd::new(spec.build(&way)?, spec.unit(), vcs);
                end.when_sent = self.loses_when_sent(*hop);
                Some(end)
            })
            .collect();
        // So that a node without lossy links finds an empty table, and looks no further.
        if ends.iter().all(Option::is_none) {
            return LossyEnds::default();
        }
        ends
    }
}

/// Takes out what the link beyond an output loses, if it loses what is sent.
pub(super) fn lost_when_sent(losses: &mut LossyEnds, output: usize) -> Option<LossyEnd> {
    losses.get_mut(output)?.take_if(|end| end.when_sent)
}
