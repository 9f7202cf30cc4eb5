//! The first links of a flow: those on which its host may send. The packets of a flow are one load of
//! them all where the rule of the host divides them, and of a single one otherwise.

use kernel::Rate;

use super::paths::rule;
use crate::lower::{Hop, Plan, PlannedFlow};

/// The first links of a flow.
#[derive(Clone, Copy, Debug)]
pub struct FirstLinks {
    /// The slowest of them.
    pub slowest: Hop,
    /// Number of links that share the packets: more than one only if they are divided one by one.
    pub sharing: usize,
}

impl FirstLinks {
    /// The rate of the links that share the packets. Each of them gets as many packets, so all are
    /// as slow as the slowest.
    pub fn capacity(&self, plan: &Plan) -> Rate {
        let rate = plan.rate(self.slowest).bits_per_second();
        Rate::from_bits_per_second(rate.saturating_mul(self.sharing as u64))
    }

    /// The links in the words of a message.
    pub fn name(&self, plan: &Plan) -> String {
        let slowest = plan.link_name(self.slowest.link());
        match self.sharing {
            1 => format!("link `{slowest}`"),
            sharing => format!("the group of {sharing} links with `{slowest}`"),
        }
    }
}

impl Plan {
    /// The links on which the host of a flow may send its packets while no link is down.
    pub(in crate::lower) fn first_hops<'a>(&self, flow: &'a PlannedFlow) -> &'a [Hop] {
        let host = self.topology.head(flow.path[0].back());
        let mesh = flow.mesh.as_ref();
        let next = mesh.and_then(|mesh| mesh.next_at(host, false));
        next.map_or(&flow.path[..1], |next| &next.sets[0])
    }

    /// The first links of a flow.
    pub(in crate::lower) fn first_links(&self, flow: &PlannedFlow) -> FirstLinks {
        let hops = self.first_hops(flow);
        let slowest = hops.iter().min_by_key(|hop| self.rate(**hop));
        let host = self.topology.head(flow.path[0].back());
        let rule = rule(&self.spec, &self.topology, host);
        let is_divided = rule.is_some_and(|rule| !rule.keeps_together());
        FirstLinks {
            slowest: slowest.copied().unwrap_or(flow.path[0]),
            sharing: if is_divided { hops.len().max(1) } else { 1 },
        }
    }
}
