//! Policers: at which switch each stands, and what it holds cells against.

use models::flow::FlowSpec;
use models::police::{Policer, Policers};
use parameters::{Path, Problem, Problems};

use super::{Kind, Plan};

impl Plan {
    /// The policers of a switch, if it has any.
    pub(super) fn policers(&self, node: usize) -> Option<Policers> {
        let mut any = false;
        let outputs = self.topology.outputs(node).iter().map(|hop| {
            let channels = self.channels(*hop).map(|channel| {
                let spec = self.flow_spec(channel.flow);
                let stands_here = !channel.back && self.policed_at(channel.flow) == Some(node);
                let police = spec.police.as_ref().filter(|_| stands_here)?;
                any = true;
                Some(Box::new(Policer::new(police, &spec.policed()?)))
            });
            channels.collect()
        });
        let policers = outputs.collect();
        any.then_some(policers)
    }

    /// The switch at whose input the cells of a flow are policed, if they are and it is on the path.
    pub fn policed_at(&self, flow: usize) -> Option<usize> {
        let at = self.flow_spec(flow).police.as_ref()?.at.as_ref();
        let planned = &self.flows[flow];
        // Into the last node of what is carried in cells, they are put together.
        let inner = planned.in_cells().skip(1);
        let mut nodes = inner.map(|hop| self.topology.head(planned.path[hop].back()));
        nodes.find(|node| {
            self.topology.nodes[*node].kind == Kind::Switch
                && at.is_none_or(|name| self.node_name(*node) == *name)
        })
    }
}

/// Reports policers that have nothing to hold cells against, or no place to stand.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (index, (name, flow)) in plan.spec.flow.iter().enumerate() {
        let Some(police) = &flow.police else {
            continue;
        };
        let at = Path::root().key("flow").key(name).key("police");
        if let Some((problem, hint)) = refusal(flow) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
            continue;
        }
        let mut members =
            (0..plan.flows.len()).filter(|number| plan.flows[*number].member.spec() == index);
        if members.all(|number| plan.policed_at(number).is_some()) {
            continue;
        }
        let (at, problem) = match &police.at {
            Some(switch) => (
                at.key("at"),
                format!("`{switch}` is no switch that the flow passes in cells"),
            ),
            None => (at, "the flow passes no switch in cells".to_string()),
        };
        let hint = "a policer stands at the input of a switch on the path";
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

/// Why the cells of a flow cannot be policed, and what to do.
fn refusal(flow: &FlowSpec) -> Option<(String, &'static str)> {
    let kind = flow.over.kind();
    if !flow.over.is_cells() {
        let problem = format!("`over.{kind}` has no cells to police");
        return Some((problem, "carry the flow in cells, for example `over.ubr`"));
    }
    if flow.over.is_abr() {
        let problem = "what ABR may send changes all the time, and is not agreed before";
        return Some((
            problem.to_string(),
            "police flows over `cbr`, `vbr` or `ubr`",
        ));
    }
    if flow.policed().is_none() {
        let problem = format!("`peak` is missing, and `over.{kind}` has none");
        return Some((problem, "write for example `peak = \"50 Mbit/s\"`"));
    }
    None
}
