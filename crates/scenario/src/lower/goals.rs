//! Whether what is to be known well, or to be shown, is there to be measured.

use parameters::{Path, Problem, Problems, suggest};

use super::Plan;
use crate::replications::Goal;

/// More names are not listed in a hint.
const MOST: usize = 12;

/// Reports goals that are about a flow, an output, a class or a link that does not exist.
pub fn check(plan: &Plan, problems: &mut Problems) {
    let Some(until) = &plan.spec.replications.until else {
        return;
    };
    for (key, goal) in until.goals() {
        if let Some((problem, hint)) = missing(plan, goal) {
            let at = Path::root().key("replications").key("until").key(key);
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// What is wrong with a metric such as `flow bulk goodput`, and how to mend it: no such thing is
/// measured, or it is measured of nothing that is in the scenario.
pub fn fault(plan: &Plan, text: &str) -> Option<(String, String)> {
    let goal = Goal::of(text);
    goal.fault().or_else(|| missing(plan, goal))
}

/// Whether no scenario can measure such a metric.
pub fn is_unknown(text: &str) -> bool {
    Goal::of(text).fault().is_some()
}

/// What of a goal is not there, and what is.
fn missing(plan: &Plan, goal: Goal<'_>) -> Option<(String, String)> {
    let known = match goal.kind {
        "network" => return None,
        "flow" => flows(plan),
        // Which classes an output tells apart depends on its flows, and what is dropped of which flow
        // is known afterwards: then it is enough that there is such an output, and such a flow.
        "class" | "drop" => match goal.name.split_once(" at ") {
            Some((class, _)) if goal.kind == "class" => at_each(class, &ports(plan)),
            Some((flow, _)) if members(plan).any(|name| name == flow) => {
                at_each(flow, &outputs(plan))
            }
            _ => flows(plan),
        },
        "link" => outputs(plan),
        _ => ports(plan),
    };
    if covers(goal.name, &known) {
        return None;
    }
    let problem = format!("there is no {} `{}`", goal.kind, goal.name);
    let names = || known.iter().map(String::as_str);
    let hint = match suggest::nearest(goal.name, names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if known.is_empty() => "the scenario has none".to_string(),
        None => {
            let more = known.len().saturating_sub(MOST);
            let more = (more > 0).then(|| format!(" and {more} more"));
            let first = suggest::listed(names().take(MOST));
            format!("expected one of {first}{}", more.unwrap_or_default())
        }
    };
    Some((problem, hint))
}

/// Whether a name is one of those that are known, or that of a group of them.
fn covers(name: &str, known: &[String]) -> bool {
    let is_member = |known: &String| {
        let rest = known.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    known.iter().any(is_member)
}

/// Groups of flows, and flows.
fn flows(plan: &Plan) -> Vec<String> {
    let groups = plan.spec.flow.names().map(str::to_string);
    groups.chain(members(plan)).collect()
}

fn members(plan: &Plan) -> impl Iterator<Item = String> + '_ {
    (0..plan.flows.len()).map(|flow| plan.flow_name(flow))
}

/// The outputs of switches, routers and edges, where queues are measured.
fn ports(plan: &Plan) -> Vec<String> {
    let nodes = plan.topology.nodes.iter().enumerate();
    let measured = nodes.filter(|(_, node)| node.kind.word() != "host");
    measured
        .flat_map(|(node, _)| outputs_of(plan, node))
        .collect()
}

/// The outputs of all nodes.
fn outputs(plan: &Plan) -> Vec<String> {
    let nodes = 0..plan.topology.nodes.len();
    nodes.flat_map(|node| outputs_of(plan, node)).collect()
}

fn outputs_of(plan: &Plan, node: usize) -> impl Iterator<Item = String> + '_ {
    let outputs = plan.topology.outputs(node).iter();
    outputs.map(move |hop| {
        let head = plan.topology.head(*hop);
        format!("{}->{}", plan.node_name(node), plan.node_name(head))
    })
}

fn at_each(what: &str, outputs: &[String]) -> Vec<String> {
    let named = outputs.iter().map(|name| format!("{what} at {name}"));
    named.collect()
}
