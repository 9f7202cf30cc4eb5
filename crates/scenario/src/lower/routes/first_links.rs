//! The first links of a flow: those on which its host may send. The packets of a flow are one load of
//! them all where the rule of the host divides them, and of a single one otherwise.

use kernel::Rate;

use super::paths::rule;
use crate::lower::{Hop, PlannedFlow, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// The first links of a flow.
#[derive(Clone, Copy, Debug)]
pub struct FirstLinks {
    /// The slowest of them.
    pub slowest: Hop,
    /// Number of links that share the packets: more than one only if they are divided one by one.
    pub sharing: usize,
    /// The rate of the links that share the packets. Each of them gets as many packets, so all are
    /// as slow as the slowest.
    pub capacity: Rate,
}

impl FirstLinks {
    /// The first links of a flow.
    pub fn new(
        spec: &ScenarioSpec,
        topology: &Topology,
        links: &PlannedLinks,
        flow: &PlannedFlow,
    ) -> FirstLinks {
        let hops = flow.first_hops(topology);
        let slowest = hops.iter().min_by_key(|hop| links.rate(**hop));
        let rule = rule(spec, topology, flow.hosts(topology)[0]);
        let is_divided = rule.is_some_and(|rule| !rule.keeps_together());
        let slowest = slowest.copied().unwrap_or(flow.path[0]);
        FirstLinks::sharing(
            links,
            slowest,
            if is_divided { hops.len().max(1) } else { 1 },
        )
    }

    /// So many links that share the packets.
    pub fn sharing(links: &PlannedLinks, slowest: Hop, sharing: usize) -> FirstLinks {
        let rate = links.rate(slowest).bits_per_second();
        FirstLinks {
            slowest,
            sharing,
            capacity: Rate::from_bits_per_second(rate.saturating_mul(sharing as u64)),
        }
    }

    /// The links in the words of a message.
    pub fn name(&self, spec: &ScenarioSpec, topology: &Topology) -> String {
        let slowest = topology.link_name(spec, self.slowest.link());
        match self.sharing {
            1 => format!("link `{slowest}`"),
            sharing => format!("the group of {sharing} links with `{slowest}`"),
        }
    }
}
