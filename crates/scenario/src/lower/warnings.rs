//! Warnings about scenarios that can run but were probably not intended; results contain the
//! warnings.

use models::switch::rate::AllocatorSpec;

use super::topology::{NodeKind, PlannedNode};
use super::{Plan, PlannedFlow};

/// A warning about a flow of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowWarning {
    /// Number of the flow.
    pub flow: usize,
    /// Word that stays the same in each text of this warning.
    pub code: &'static str,
    /// Description of the problem.
    pub says: String,
}

impl Plan {
    /// The warnings of a plan, each for the first flow of its table.
    pub fn warnings(&self) -> Vec<FlowWarning> {
        let of_flows = self.firsts().flat_map(|(number, flow)| {
            let transport = &self.flow_spec(number).transport;
            let unmarked = transport
                .answers_marks()
                .and_then(|algorithm| self.unmarked(flow, algorithm))
                .map(|says| ("unmarked", says));
            let warnings = transport.doubts().into_iter().chain(unmarked);
            warnings.map(move |(code, says)| (number, code, says))
        });
        let overloads = self.overloads();
        overloads
            .map(|(number, says)| (number, "overload", says))
            .chain(of_flows)
            .map(|(flow, code, says)| FlowWarning { flow, code, says })
            .collect()
    }

    /// A warning if an algorithm waits for marks and nothing on its path marks.
    fn unmarked(&self, flow: &PlannedFlow, algorithm: &str) -> Option<String> {
        let mut passed = flow.hops().filter(|hop| *hop != flow.path[0]).map(|hop| {
            let node = self.topology.head(hop.back());
            self.marks(self.topology.nodes[node])
        });
        if passed.any(|marks| marks) {
            return None;
        }
        Some(format!(
            "`{algorithm}` reacts to congestion marks, and no switch or router on its path marks; set \
             `mark` at one of them"
        ))
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
