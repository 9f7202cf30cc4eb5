//! Warnings of headroom below the computed one: a pause then may come too late for what is on its way.

use parameters::{BufferSize, Path};

use super::sizes::{computed_headroom, octets};
use crate::lower::build::routers;
use crate::lower::checks::warnings::{About, PlanWarning};
use crate::lower::{Hop, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// Warnings of stated headroom that is less than what may arrive until the far end has stopped, each
/// for the direction of the links of its table that lacks most.
pub(in crate::lower) fn short_headrooms(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
) -> Vec<PlanWarning> {
    let tables = spec.link.iter().enumerate();
    let tables = tables.filter_map(|(table, (name, link))| {
        let pause = link.pause.as_ref()?;
        let short = topology.hops_of_table(table).filter_map(|hop| {
            let (stated, computed) = stated_headroom(spec, topology, links, hop)?;
            (stated < computed).then_some((computed, hop))
        });
        let (computed, hop) =
            short.max_by_key(|(computed, hop)| (*computed, hop.back().number()))?;
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
fn stated_headroom(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    hop: Hop,
) -> Option<(u64, u64)> {
    let demand = links.pause(hop)?;
    let stated: BufferSize = demand.headroom?;
    if links.controlled_priorities(hop).is_empty() {
        return None;
    }
    let router = routers::of_node(spec, topology, topology.head(hop))?;
    let memory = router.memory(spec.cells());
    let computed = computed_headroom(demand, links.packet_sizes(hop)?, memory);
    Some((octets(stated, memory), computed))
}
