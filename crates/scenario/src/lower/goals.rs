//! Whether what replications are to make known well enough is there to be measured.

use parameters::{Path, Problem, Problems, suggest};

use super::Plan;
use crate::replications::Goal;

/// Reports goals that are about a flow, an output, a class or a link that does not exist.
pub fn check(plan: &Plan, problems: &mut Problems) {
    let Some(until) = &plan.spec.replications.until else {
        return;
    };
    for (key, goal) in until.goals() {
        let known = known(plan, goal);
        if goal.kind == "network" || known.iter().any(|name| name == goal.name) {
            continue;
        }
        let at = Path::root().key("replications").key("until").key(key);
        let problem = format!("there is no {} `{}`", goal.kind, goal.name);
        let hint = suggest::hint(goal.name, known.iter().map(String::as_str));
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

/// Names that a goal may be about.
fn known(plan: &Plan, goal: Goal<'_>) -> Vec<String> {
    let outputs = || {
        let nodes = 0..plan.topology.nodes.len();
        nodes.flat_map(|node| {
            plan.topology
                .outputs(node)
                .iter()
                .map(move |hop| (node, hop))
        })
    };
    let names = outputs().map(|(node, hop)| {
        let head = plan.topology.head(*hop);
        format!("{}->{}", plan.node_name(node), plan.node_name(head))
    });
    match goal.kind {
        "flow" => {
            let groups = plan.spec.flow.names().map(str::to_string);
            groups
                .chain((0..plan.flows.len()).map(|flow| plan.flow_name(flow)))
                .collect()
        }
        // A class is called `abr at s1->b`; which classes an output tells apart depends on its flows.
        "class" => {
            let class = goal.name.split_once(" at ").map_or("", |(class, _)| class);
            names.map(|name| format!("{class} at {name}")).collect()
        }
        _ => names.collect(),
    }
}
