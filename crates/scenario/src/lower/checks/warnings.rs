//! Warnings about scenarios that can run but were probably not intended; results contain the
//! warnings.

use models::bearer::BearerSpec;
use models::switch::rate::AllocatorSpec;
use parameters::Path;

use crate::lower::topology::{NodeKind, PlannedNode};
use crate::lower::{Hop, Plan, PlannedFlow};

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

impl Plan {
    /// The warnings of a plan, each for the first flow or link of its table.
    pub fn warnings(&self) -> Vec<PlanWarning> {
        let of_flows = self.firsts().flat_map(|(number, flow)| {
            let spec = self.flow_spec(number);
            let at = self.path_of(flow);
            let transport = at.key("transport").key(spec.transport.kind());
            let of_transport =
                spec.transport
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
            let unmarked = self.unmarked(number, flow);
            of_transport
                .chain(unmarked)
                .chain(self.without_feedback(number, flow))
        });
        let mut warnings: Vec<PlanWarning> = self.overloads().chain(of_flows).collect();
        warnings.extend(self.short_headrooms());
        warnings.extend(self.without_effect());
        warnings
    }

    /// The path of the table of a flow.
    pub(in crate::lower) fn path_of(&self, flow: &PlannedFlow) -> Path {
        Path::root()
            .key("flow")
            .key(&self.spec.flow.0[flow.member.spec()].0)
    }

    /// The nodes that forward a flow.
    fn passed(&self, flow: &PlannedFlow) -> impl Iterator<Item = PlannedNode> {
        let nodes = flow.hops().map(|hop| self.topology.head(hop.back()));
        let passed = nodes.map(|node| self.topology.nodes[node]);
        passed.filter(|node| node.kind != NodeKind::Host)
    }

    /// A warning if a congestion control waits for marks and nothing on its path marks.
    fn unmarked(&self, number: usize, flow: &PlannedFlow) -> Option<PlanWarning> {
        let transport = &self.flow_spec(number).transport;
        let algorithm = transport.facts().answers_marks?;
        if self.passed(flow).any(|node| self.marks(node)) {
            return None;
        }
        Some(PlanWarning {
            about: About::Flow(number),
            code: "unmarked",
            at: self.path_of(flow).key("transport").key(transport.kind()),
            says: format!(
                "`{algorithm}` reacts to congestion marks, and no switch or router on its path marks"
            ),
            hint: "set `mark` at one of them".to_string(),
        })
    }

    /// A warning if the rate of an ABR flow depends on feedback and no switch on its path gives
    /// any: its source then raises its rate to the peak cell rate.
    fn without_feedback(&self, number: usize, flow: &PlannedFlow) -> Option<PlanWarning> {
        let over = &self.flow_spec(number).over;
        let gives = |node| self.allocates(node) || self.marks(node);
        if !matches!(over, BearerSpec::Abr(_)) || self.passed(flow).any(gives) {
            return None;
        }
        Some(PlanWarning {
            about: About::Flow(number),
            code: "no_feedback",
            at: self.path_of(flow).key("over").key(over.kind()),
            says: "`over.abr` adapts its rate to feedback, and no switch on its path gives any"
                .to_string(),
            hint: "set `rate` at one of them, for example `rate.erica = {}`".to_string(),
        })
    }

    /// True if a node computes rates for its ABR flows.
    fn allocates(&self, node: PlannedNode) -> bool {
        let is_switch = node.kind == NodeKind::Switch;
        is_switch && self.spec.switch.0[node.member.spec()].1.rate.is_some()
    }

    fn marks(&self, node: PlannedNode) -> bool {
        let written = node.member.spec();
        match node.kind {
            NodeKind::Host => false,
            NodeKind::Switch => {
                let spec = &self.spec.switch.0[written].1;
                let by_rate = matches!(spec.rate, Some(AllocatorSpec::Efci(_)));
                spec.mark.is_some() || spec.discard.marks() || by_rate
            }
            NodeKind::Router => {
                let spec = &self.spec.router.0[written].1;
                spec.mark.is_some() || spec.discard.marks()
            }
            NodeKind::Edge => self.spec.edge.0[written].1.mark.is_some(),
        }
    }
}
