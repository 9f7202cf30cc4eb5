//! Warnings about scenarios that can run but were probably not intended; results contain the
//! warnings.

use models::bearer::BearerSpec;
use models::switch::rate::AllocatorSpec;
use parameters::Path;

use crate::lower::{Flows, Hop, NodeKind, PlannedFlow, PlannedLinks, PlannedNode, Topology};
use crate::spec::ScenarioSpec;

/// A warning about a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanWarning {
    /// Object that the warning is about.
    pub about: About,
    /// Word that stays the same in each text of this warning.
    pub code: &'static str,
    /// Path of the parameter that causes the problem.
    pub at: Path,
    /// Description of the problem.
    pub says: String,
    /// What to write instead.
    pub hint: String,
}

/// Object that a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The flow with this number.
    Flow(usize),
    /// The link that this hop passes.
    Link(Hop),
    /// The network.
    Network,
}

/// The warnings of a plan, each for the first flow or link of its table.
pub(in crate::lower) fn warnings(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
) -> Vec<PlanWarning> {
    let of_flows = flows.paths.firsts().flat_map(|(number, flow)| {
        let written = flows.spec(number);
        let at = flows.at(number);
        let transport = at.key("transport").key(written.transport.kind());
        let of_transport = written
            .transport
            .facts()
            .doubt
            .into_iter()
            .map(move |doubt| PlanWarning {
                about: About::Flow(number),
                code: doubt.code,
                at: transport.key(doubt.parameter),
                says: doubt.says,
                hint: doubt.hint,
            });
        let unmarked = unmarked(spec, topology, flows, number, flow);
        of_transport
            .chain(unmarked)
            .chain(without_feedback(spec, topology, flows, number, flow))
    });
    let mut warnings: Vec<PlanWarning> = super::loads::overloads(spec, topology, flows, links)
        .chain(of_flows)
        .collect();
    warnings.extend(crate::lower::inputs::headroom::short_headrooms(
        spec, topology, links,
    ));
    warnings.extend(super::without_effect::without_effect(
        spec, topology, flows, links,
    ));
    warnings
}

/// The nodes that forward a flow.
fn passed(topology: &Topology, flow: &PlannedFlow) -> impl Iterator<Item = PlannedNode> {
    let nodes = flow.hops().map(|hop| topology.head(hop.back()));
    let passed = nodes.map(|node| topology.nodes[node]);
    passed.filter(|node| node.kind != NodeKind::Host)
}

/// A warning if a congestion control waits for marks and nothing on its path marks.
fn unmarked(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    number: usize,
    flow: &PlannedFlow,
) -> Option<PlanWarning> {
    let transport = &flows.spec(number).transport;
    let algorithm = transport.facts().answers_marks?;
    if passed(topology, flow).any(|node| marks(spec, node)) {
        return None;
    }
    Some(PlanWarning {
        about: About::Flow(number),
        code: "unmarked",
        at: flows.at(number).key("transport").key(transport.kind()),
        says: format!(
            "`{algorithm}` reacts to congestion marks, and no switch or router on its path marks"
        ),
        hint: "set `mark` at one of them".to_string(),
    })
}

/// A warning if the rate of an ABR flow depends on feedback and no switch on its path gives
/// any: its source then raises its rate to the peak cell rate.
fn without_feedback(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    number: usize,
    flow: &PlannedFlow,
) -> Option<PlanWarning> {
    let over = &flows.spec(number).over;
    let gives = |node| allocates(spec, node) || marks(spec, node);
    if !matches!(over, BearerSpec::Abr(_)) || passed(topology, flow).any(gives) {
        return None;
    }
    Some(PlanWarning {
        about: About::Flow(number),
        code: "no_feedback",
        at: flows.at(number).key("over").key(over.kind()),
        says: "`over.abr` adapts its rate to feedback, and no switch on its path gives any"
            .to_string(),
        hint: "set `rate` at one of them, for example `rate.erica = {}`".to_string(),
    })
}

/// True if a node computes rates for its ABR flows.
fn allocates(spec: &ScenarioSpec, node: PlannedNode) -> bool {
    let is_switch = node.kind == NodeKind::Switch;
    is_switch && spec.switch.0[node.member.spec()].1.rate.is_some()
}

fn marks(spec: &ScenarioSpec, node: PlannedNode) -> bool {
    let written = node.member.spec();
    match node.kind {
        NodeKind::Host => false,
        NodeKind::Switch => {
            let switch = &spec.switch.0[written].1;
            let by_rate = matches!(switch.rate, Some(AllocatorSpec::Efci(_)));
            switch.mark.is_some() || switch.discard.marks() || by_rate
        }
        NodeKind::Router => {
            let router = &spec.router.0[written].1;
            router.mark.is_some() || router.discard.marks()
        }
        NodeKind::Edge => spec.edge.0[written].1.mark.is_some(),
    }
}
