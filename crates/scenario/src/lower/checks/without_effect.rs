//! Settings that nothing of what passes can use, which would silently have no effect.
//!
//! Our own rule: a node refuses a policy that acts on what its units do not have, such as the cells of a
//! packet, as it refuses a scheduler of service classes. A setting that another point of a sweep may use,
//! such as the fabric of a switch which acts as a router for whole packets, is told by a warning.
//! `crates/scenario/tests/effects` changes each parameter under each carrier.

use models::output::discard::DiscardSpec;
use models::switch::fabric::FabricSpec;
use models::wire::priority::Priority;
use parameters::quantity::Amount;
use parameters::{Parameter, Path, Problem, Problems};

use super::hints;
use super::warnings::{About, PlanWarning};
use crate::lower::build::routers;
use crate::lower::topology::NodeKind;
use crate::lower::{Hop, Plan, PlannedFlow, PlannedVc};
use crate::scope::Name;

/// Reports discard policies that act on cells at nodes through which packets pass whole.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (family, name, spec) in routers::all(&plan.spec) {
        if !spec.discard.needs_cells() || !plan.forwards_whole_packets(family, name) {
            continue;
        }
        let at = Path::root().key(family).key(name).key("discard");
        let policy = spec.discard.kind();
        let problem = format!("packets pass `{name}` whole, and `{policy}` acts on their cells");
        let others = hints::kinds(|one: &DiscardSpec| !one.needs_cells());
        let hint = format!("choose {others}, or carry the flows in cells");
        problems.add(Problem::new(&at.key(policy), None, problem).hint(hint));
    }
}

impl Plan {
    /// True if packets pass whole through a node with this table: a router, or a switch that acts as one.
    fn forwards_whole_packets(&self, family: &str, name: &str) -> bool {
        let mut members = self.members(family, name);
        members.any(|node| match self.topology.nodes[node].kind {
            NodeKind::Switch | NodeKind::Router => !self.carries_cells(node),
            NodeKind::Host | NodeKind::Edge => false,
        })
    }

    /// The nodes of one table.
    fn members(&self, family: &str, name: &str) -> impl Iterator<Item = usize> {
        let nodes = self.topology.nodes.iter().enumerate();
        let members = nodes.filter(move |(node, planned)| {
            planned.kind.word() == family && Name::of_node(self, *node).group == name
        });
        members.map(|(node, _)| node)
    }

    /// Warnings of settings that nothing uses at this point.
    pub(in crate::lower) fn without_effect(&self) -> Vec<PlanWarning> {
        let mut warnings = Vec::new();
        self.unused_fabrics(&mut warnings);
        self.unused_allocators(&mut warnings);
        self.unused_policies(&mut warnings);
        self.unused_memories(&mut warnings);
        self.unused_priorities(&mut warnings);
        self.unused_controls(&mut warnings);
        warnings
    }

    /// Switches with a fabric that act as routers.
    fn unused_fabrics(&self, warnings: &mut Vec<PlanWarning>) {
        for (name, switch) in self.spec.switch.iter() {
            let is_immediate = matches!(switch.fabric, FabricSpec::Immediate(_));
            if is_immediate || !self.forwards_whole_packets("switch", name) {
                continue;
            }
            let at = Path::root().key("switch").key(name).key("fabric");
            let fabric = switch.fabric.kind();
            warnings.push(PlanWarning {
                about: About::Network,
                code: "no_effect",
                at: at.key(fabric),
                says: format!(
                    "packets pass `{name}` whole, as they pass a router, and its fabric `{fabric}` has \
                     no effect"
                ),
                hint: "carry the flows in cells, or leave the fabric out".to_string(),
            });
        }
    }

    /// Rate allocators of switches that no ABR flow passes.
    fn unused_allocators(&self, warnings: &mut Vec<PlanWarning>) {
        for (name, switch) in self.spec.switch.iter() {
            let Some(rate) = &switch.rate else {
                continue;
            };
            let is_abr = |planned: PlannedVc| self.flow_spec(planned.flow).over.is_abr();
            let mut members = self.members("switch", name);
            if members.any(|node| self.leaving(node).any(is_abr)) {
                continue;
            }
            let at = Path::root().key("switch").key(name).key("rate");
            warnings.push(PlanWarning {
                about: About::Network,
                code: "no_effect",
                at: at.key(rate.kind()),
                says: format!("no flow `over.abr` passes `{name}`, and its `rate` has no effect"),
                hint: "carry a flow `over.abr`, or leave `rate` out".to_string(),
            });
        }
    }

    /// Schedulers, and parameters of policies, that act on units which do not come.
    fn unused_policies(&self, warnings: &mut Vec<PlanWarning>) {
        for (family, name, spec) in routers::all(&self.spec).filter(|one| one.0 != "edge") {
            let at = Path::root().key(family).key(name);
            let is_whole = self.forwards_whole_packets(family, name);
            let policy = spec.discard.kind();
            let of_cells = spec.discard.parameter_of_cells().filter(|_| is_whole);
            let mut tell = |at: Path, says: String, hint: &str| {
                warnings.push(PlanWarning {
                    about: About::Network,
                    code: "no_effect",
                    at,
                    says,
                    hint: hint.to_string(),
                });
            };
            if let Some(parameter) = of_cells {
                let says =
                    format!("packets pass `{name}` whole, and `{parameter}` is about their cells");
                let hint = "carry the flows in cells, or leave the parameter out";
                tell(at.key("discard").key(policy).key(parameter), says, hint);
            }
            if spec.discard.trimming().is_some() && !is_whole {
                let says = format!("cells pass `{name}`, and cells are not trimmed but dropped");
                let hint = "carry the flows `over.packet`, or choose another policy";
                tell(at.key("discard").key(policy), says, hint);
            }
            if spec.scheduler.queue_of_headers().is_some()
                && (self.smallest_trimmed().is_none() || !is_whole)
            {
                let scheduler = spec.scheduler.kind();
                let says =
                    format!("no trimmed packets pass `{name}`, and `{scheduler}` serves all alike");
                let hint = "write `discard.trim = {}`, or choose another scheduler";
                tell(at.key("scheduler").key(scheduler), says, hint);
            }
        }
    }

    /// Memories whose cells no size and no level counts, since each is a number of cells.
    fn unused_memories(&self, warnings: &mut Vec<PlanWarning>) {
        for (name, switch) in self.spec.switch.iter() {
            if self.forwards_whole_packets("switch", name) {
                continue;
            }
            let mut levels = Vec::new();
            let at = Path::root().key("switch").key(name);
            switch.discard.levels(&at, &mut levels);
            switch.mark.levels(&at, &mut levels);
            switch.rate.levels(&at, &mut levels);
            let in_bytes = |amount: &Amount| matches!(amount, Amount::Bytes(_));
            if switch.buffer.has_size_in_bytes() || levels.iter().any(|(_, one)| in_bytes(one)) {
                continue;
            }
            let buffer = at.key("buffer");
            let unused = [
                switch.memory.as_ref().map(|_| at.key("memory")),
                switch.buffer.counted_parameter(&buffer),
            ];
            warnings.extend(unused.into_iter().flatten().map(|at| PlanWarning {
                about: About::Network,
                code: "no_effect",
                at,
                says: format!("cells pass `{name}`, and all sizes there are numbers of cells"),
                hint: "write the size of the buffer in bytes, or leave this out".to_string(),
            }));
        }
    }

    /// Flows with a priority that no link on their paths distinguishes.
    fn unused_priorities(&self, warnings: &mut Vec<PlanWarning>) {
        let lowest = Priority::default();
        for (number, first) in self.firsts() {
            let spec = self.flow_spec(number);
            if spec.priority == lowest {
                continue;
            }
            let table = first.member.spec();
            let of_table = self.flows[number..].iter();
            let of_table = of_table.take_while(|flow| flow.member.spec() == table);
            let mut hops = of_table.flat_map(PlannedFlow::hops);
            if hops.any(|hop| {
                [hop, hop.back()]
                    .iter()
                    .any(|hop| self.has_priorities(*hop))
            }) {
                continue;
            }
            warnings.push(PlanWarning {
                about: About::Flow(number),
                code: "no_effect",
                at: self.path_of(first).key("priority"),
                says: "no link on its path may be paused or has credits for packets, and its priority \
                       has no effect"
                    .to_string(),
                hint: "set `pause` or `credit` on such a link, or leave `priority` out".to_string(),
            });
        }
    }

    /// Links whose pauses or credits are for priorities that no flow has.
    fn unused_controls(&self, warnings: &mut Vec<PlanWarning>) {
        for (table, (name, link)) in self.spec.link.iter().enumerate() {
            let hops = || self.hops_of_table(table);
            let Some(hop) = hops().find(|hop| self.has_priorities(*hop)) else {
                continue;
            };
            if hops().any(|hop| !self.controlled_priorities(hop).is_empty()) {
                continue;
            }
            let at = Path::root().key("link").key(name);
            let at = match (&link.pause, &link.credit) {
                (Some(pause), _) => at.key("pause").key(pause.kind()),
                (None, Some(credit)) => at.key("credit").key(credit.kind()),
                (None, None) => continue,
            };
            warnings.push(PlanWarning {
                about: About::Link(hop),
                code: "no_effect",
                at: at.key("priorities"),
                says:
                    "no flow over the link has one of these priorities, so none is paused or needs \
                       credits"
                        .to_string(),
                hint: "write the `priority` of a flow, or leave `priorities` out for all"
                    .to_string(),
            });
        }
    }

    /// True if a hop distinguishes priorities: it may be paused, or has credits for packets.
    fn has_priorities(&self, hop: Hop) -> bool {
        self.pause_demand(hop).is_some() || self.packet_credit(hop).is_some()
    }
}
