//! Links that may be paused: see `models::pause`.

pub(in crate::lower) mod checks;

use std::collections::BTreeSet;

use models::pause::{PauseDemand, PauseGate, PauseLevel, PauseSpec, PausedLink};
use parameters::Path;

use crate::lower::computed::told;
use crate::lower::inputs::share::PausedInput;
use crate::lower::{Hop, Plan};

impl Plan {
    /// The pauses of a hop, as users write them; none if nothing is paused at its far end.
    fn pause_spec(&self, hop: Hop) -> Option<&PauseSpec> {
        let pause = self.link_spec(hop.link()).pause.as_ref()?;
        self.router_spec(self.topology.head(hop))?;
        self.vcs(hop).next().map(|_| pause)
    }

    /// The pauses of a hop by the router at its far end; none if nothing is paused there.
    pub fn pause_demand(&self, hop: Hop) -> Option<PauseDemand> {
        let pause = self.pause_spec(hop)?;
        let link = self.link_spec(hop.link());
        let (smallest, largest) = self.packet_sizes(hop)?;
        Some(pause.build(&PausedLink {
            rate: link.rate,
            propagation: link.delay.0,
            largest,
            smallest,
            against: largest,
            replay: self.retry_limits(hop).map(|limits| limits.octets),
        }))
    }

    /// Octets of the pause frames that pass a hop, if any do.
    fn pause_frame(&self, hop: Hop) -> Option<u64> {
        let PauseSpec::Pfc(pfc) = self.pause_spec(hop.back())?;
        Some(pfc.frame.0)
    }

    /// Octets of the control frames of each kind that pass a hop.
    pub(in crate::lower) fn control_frames(&self, hop: Hop) -> impl Iterator<Item = u64> {
        self.credit_messages(hop).chain(self.pause_frame(hop))
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

    /// The values of the parameters that a table of links leaves out; `at` is the path of its pauses.
    fn told_of_pauses(&self, table: usize, at: &Path) -> Vec<(String, String)> {
        let mut found: [BTreeSet<u64>; 3] = Default::default();
        let mut dynamic: [BTreeSet<u64>; 2] = Default::default();
        let mut responses = BTreeSet::new();
        let mut given = [true; 4];
        for input in self.paused_inputs(self.hops_of_table(table)) {
            let PausedInput {
                demand, thresholds, ..
            } = input;
            if let PauseLevel::Static { xoff, xon } = thresholds.level {
                found[0].insert(xoff);
                found[1].insert(xon);
            } else {
                dynamic[0].insert(input.alone);
                dynamic[1].insert(input.shared);
            }
            found[2].insert(thresholds.headroom);
            responses.insert(demand.frames.response);
            let sizes = [demand.xoff, demand.xon, demand.headroom];
            given[..3].copy_from_slice(&sizes.map(|size| size.is_some()));
        }
        let of_sizes = found.iter().map(|values| Some(told(values)? + " octets"));
        let values = of_sizes.chain([told(&responses)]);
        let names = ["xoff", "xon", "headroom", "response"];
        let all = names.iter().zip(values).zip(given);
        let missing = all.filter(|(_, is_given)| !is_given);
        let missing = missing.filter_map(|((name, value), _)| Some((*name, value?)));
        let [alone, shared] = dynamic.each_ref().map(told);
        let of_shared = alone.zip(shared).map(|(alone, shared)| {
            let most = format!("up to {alone} octets, of {shared} that inputs share");
            ("dynamic", most)
        });
        let all = missing.chain(of_shared);
        all.map(|(name, value)| (at.key(name).to_string(), value))
            .collect()
    }
}
