//! Links that may be paused: see `models::pause`.

pub(in crate::lower) mod checks;

use models::pause::{PauseDemand, PauseGate, PausedLink};
use parameters::Path;

use crate::lower::{Hop, Plan};

impl Plan {
    /// The pauses of a hop by the router at its far end; none if nothing is paused there.
    pub fn pause_demand(&self, hop: Hop) -> Option<PauseDemand> {
        let link = self.link_spec(hop.link());
        let pause = link.pause.as_ref()?;
        self.router_spec(self.topology.head(hop))?;
        let (smallest, largest) = self.packet_sizes(hop)?;
        Some(pause.build(&PausedLink {
            rate: link.rate,
            propagation: link.delay.0,
            largest,
            smallest,
            against: largest,
        }))
    }

    /// Bits of the pause frames that pass a hop, if any do.
    pub(in crate::lower) fn pause_frame_bits(&self, hop: Hop) -> Option<u64> {
        let demand = self.pause_demand(hop.back())?;
        Some(u64::from(demand.frames.octets) * 8)
    }

    /// The gate at the near end of a hop; none if the hop is never paused.
    pub(in crate::lower) fn pause_gate(&self, hop: Hop) -> Option<PauseGate> {
        let demand = self.pause_demand(hop)?;
        Some(PauseGate::new(self.rate(hop), demand.frames.response))
    }

    /// Values of the parameters of pauses that the scenario leaves out: thresholds in octets of
    /// memory, and response times.
    pub(in crate::lower) fn pause_parameters(&self) -> Vec<(String, String)> {
        let links = self.spec.link.iter().enumerate();
        let of_links = links.filter_map(|(index, (name, link))| {
            let pause = link.pause.as_ref()?;
            let at = Path::root().key("link").key(name).key("pause");
            Some(self.told_of_pauses(index, &at.key(pause.kind())))
        });
        of_links.flatten().collect()
    }
}
