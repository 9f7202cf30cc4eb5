//! Flows and their paths: the fewest links, and among equals the links written first.

use std::collections::VecDeque;

use parameters::{Path, Problem, Problems};

use super::topology::{Group, Kind, Topology, pairs};
use super::{Hop, PlannedFlow};
use crate::spec::ScenarioSpec;

/// The flows of a scenario, one for each member of a group.
pub fn flows(
    spec: &ScenarioSpec,
    topology: &Topology,
    problems: &mut Problems,
) -> Vec<PlannedFlow> {
    let mut flows = Vec::new();
    for (index, (name, flow)) in spec.flow.iter().enumerate() {
        let at = Path::root().key("flow").key(name);
        let ends = [("from", &flow.from), ("to", &flow.to)]
            .map(|(key, end)| host(topology, end, &at.key(key), problems));
        let [Some(from), Some(to)] = ends else {
            continue;
        };
        if from.count() > 1 && to.count() > 1 && from.count() != to.count() {
            let problem = format!(
                "a group of {} sends to a group of {}",
                from.count(),
                to.count()
            );
            let hint = "flows lead from member to member, or from or to a single host";
            problems.add(Problem::new(&at.key("to"), None, problem).hint(hint));
            continue;
        }
        let numbered = from.count().max(to.count()) > 1;
        for (member, [from, to]) in pairs(from, to).enumerate() {
            let Some(path) = shortest(topology, from, to) else {
                problems.add(unreachable(topology, from, to, &at));
                break;
            };
            let name = if numbered {
                format!("{name}[{member}]")
            } else {
                name.to_string()
            };
            flows.push(PlannedFlow {
                name,
                spec: index,
                from,
                to,
                path,
                vcs: Vec::new(),
            });
        }
    }
    flows
}

/// The host or group of hosts that a flow begins or ends at.
fn host(topology: &Topology, name: &str, at: &Path, problems: &mut Problems) -> Option<Group> {
    let group = topology.group(name, at, problems)?;
    let first = group.members().next()?;
    if topology.nodes[first].kind != Kind::Host {
        let problem = format!("`{name}` is not a host");
        problems.add(Problem::new(at, None, problem).hint("flows begin and end at hosts"));
        return None;
    }
    Some(group)
}

fn unreachable(topology: &Topology, from: usize, to: usize, at: &Path) -> Problem {
    let [first, second] = [from, to].map(|node| &topology.nodes[node].name);
    if from == to {
        let problem = format!("the flow ends where it begins, at `{first}`");
        return Problem::new(&at.key("to"), None, problem).hint("name two different hosts");
    }
    let problem = format!("there is no path from `{first}` to `{second}`");
    let hint = "join them by `[link.NAME]` tables; hosts do not forward";
    Problem::new(&at.key("to"), None, problem).hint(hint)
}

fn shortest(topology: &Topology, from: usize, to: usize) -> Option<Vec<Hop>> {
    if from == to {
        return None;
    }
    // By which hop each node was reached first, and from where.
    let mut reached: Vec<Option<(Hop, usize)>> = vec![None; topology.nodes.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node != from && topology.nodes[node].kind == Kind::Host {
            continue;
        }
        for hop in topology.outputs(node) {
            let next = topology.head(*hop);
            if next != from && reached[next].is_none() {
                reached[next] = Some((*hop, node));
                queue.push_back(next);
            }
        }
    }
    let mut path = Vec::new();
    let mut node = to;
    while node != from {
        let (hop, before) = reached[node]?;
        path.push(hop);
        node = before;
    }
    path.reverse();
    Some(path)
}
