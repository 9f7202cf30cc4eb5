//! Warnings of headroom below the computed one: a pause then may come too late for what is on its way.

use parameters::{BufferSize, Path};

use super::sizes::octets;
use crate::lower::checks::warnings::{About, PlanWarning};
use crate::lower::{Hop, Plan};

impl Plan {
    /// Warnings of stated headroom that is less than what may arrive until the far end has stopped, each
    /// for the direction of the links of its table that lacks most.
    pub(in crate::lower) fn short_headrooms(&self) -> Vec<PlanWarning> {
        let tables = self.spec.link.iter().enumerate();
        let tables = tables.filter_map(|(table, (name, link))| {
            let pause = link.pause.as_ref()?;
            let short = self.hops_of_table(table).filter_map(|hop| {
                let (stated, computed) = self.stated_headroom(hop)?;
                (stated < computed).then_some((computed, hop))
            });
            let (computed, hop) = short.max_by_key(|(computed, hop)| (*computed, hop.back().number()))?;
            let at = Path::root().key("link").key(name).key("pause");
            Some(PlanWarning {
                about: About::Link(hop),
                code: "short_headroom",
                at: at.key(pause.kind()).key("headroom"),
                says: format!(
                    "up to {computed} octets may arrive after a packet has crossed the threshold, and \
                     what the headroom does not hold is dropped"
                ),
                hint: format!("write at least `\"{computed} B\"`, or leave `headroom` out"),
            })
        });
        tables.collect()
    }

    /// The headroom that is stated for the pauses of a hop, and the computed one, in octets of the memory
    /// at its far end; none if none is stated.
    fn stated_headroom(&self, hop: Hop) -> Option<(u64, u64)> {
        let demand = self.pause_demand(hop)?;
        let stated: BufferSize = demand.headroom?;
        if self.controlled_priorities(hop).is_empty() {
            return None;
        }
        let node = self.router_spec(self.topology.head(hop))?;
        let memory = node.memory(self.cells());
        let computed = self.computed_headroom(hop, demand, memory);
        Some((octets(stated, memory), computed))
    }
}
