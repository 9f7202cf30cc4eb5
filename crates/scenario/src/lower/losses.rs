//! What links lose.

use kernel::Seed;
use models::loss::{LossyEnd, LossyEnds, Way};

use super::Plan;

impl Plan {
    /// What the links that leave a node lose, by output.
    pub(super) fn losses(&self, node: usize, seed: Seed) -> LossyEnds {
        let hops = self.topology.outputs(node).iter();
        let ends: LossyEnds = hops
            .map(|hop| {
                let spec = self.link_spec(hop.link()).loss.as_ref()?;
                let way = Way {
                    link: self.link_name(hop.link()),
                    reverse: hop.reverse(),
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
