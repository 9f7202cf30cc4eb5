//! Checks of goals: the flows, outputs, classes, links and priorities that the metrics of a stopping
//! rule name must exist.

use models::metrics::ScopeKind;
use parameters::{Path, Problem, Problems, suggest};

use crate::goal::{Goal, ProblemAndHint, Scopes};
use crate::lower::{NodeKind, PlannedLinks, PlannedPaths, Topology};
use crate::scope::{Name, Place, Scope};
use crate::spec::ScenarioSpec;

/// Largest number of names that a hint lists.
const MOST: usize = 12;

/// Reports goals about a flow, an output, a class or a link that does not exist. Flows and outputs
/// that seem to be absent because a flow or a link was refused are no mistake of their own.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    paths: &PlannedPaths,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    let Some(until) = &spec.replications.until else {
        return;
    };
    let at = Path::root().key("replications");
    if spec.replications.most() < 2 && spec.batches.is_none() {
        let problem = "one run without batches has no confidence interval, which `until` needs";
        let hint = "write at least `2`, or leave `until` out";
        problems.add(Problem::new(&at.key("at_most"), None, problem).hint(hint));
    }
    let at = at.key("until");
    for (at, goal) in until.goals(&at) {
        if !may_be_refused(spec, topology, paths, goal)
            && let Some((problem, hint)) = missing(spec, topology, paths, links, goal)
        {
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// True if the flow or the output of a goal may be one that was refused, or a refused flow may have its
/// priority.
fn may_be_refused(
    spec: &ScenarioSpec,
    topology: &Topology,
    paths: &PlannedPaths,
    Goal { scopes, .. }: &Goal,
) -> bool {
    let flow = scopes.name.as_ref();
    flow.is_some_and(|flow| paths.lacks(&spec.flow, &flow.group))
        || (scopes.place.is_some() && topology.lacks_links())
        || (scopes.kind == ScopeKind::Priority && paths.lacks_flows())
}

/// The problem with a goal whose scope the scenario lacks, and a hint that lists similar scopes.
/// The classes that an output distinguishes depend on its flows, and the flows that lose cells are
/// known only after a run. For drops and classes the check therefore requires only that the output
/// and the flow exist.
pub fn missing(
    spec: &ScenarioSpec,
    topology: &Topology,
    paths: &PlannedPaths,
    links: &PlannedLinks,
    goal: &Goal,
) -> Option<ProblemAndHint> {
    let scopes = &goal.scopes;
    let is_of_flows = matches!(scopes.kind, ScopeKind::Flow | ScopeKind::Drop);
    if let Some(flow) = scopes.name.as_ref().filter(|_| is_of_flows)
        && !flows(spec, paths).any(|one| flow.covers(&one))
    {
        let groups = spec.flow.names().map(str::to_string);
        let members = flows(spec, paths).map(|flow| flow.to_string());
        return Some(refusal(scopes, &groups.chain(members).collect::<Vec<_>>()));
    }
    if scopes.kind == ScopeKind::Priority {
        return missing_priority(spec, topology, links, scopes);
    }
    let place = scopes.place.as_ref()?;
    let places: Vec<Place> = match scopes.kind {
        ScopeKind::Port | ScopeKind::Class => ports(spec, topology).collect(),
        _ => outputs(spec, topology).collect(),
    };
    if places.iter().any(|one| place.covers(one)) {
        return None;
    }
    let known = places.into_iter().map(|place| {
        let known = Scopes {
            place: Some(place),
            ..scopes.clone()
        };
        known.member()
    });
    Some(refusal(scopes, &known.collect::<Vec<_>>()))
}

/// The problem with priorities that no link may pause, and whose packets need no credits; none if there
/// are such priorities.
fn missing_priority(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    scopes: &Scopes,
) -> Option<ProblemAndHint> {
    let nodes = 0..topology.nodes.len();
    let hops = nodes.flat_map(|node| topology.outputs(node));
    let known = hops.flat_map(|hop| {
        let priorities = links.controlled_priorities(*hop).iter();
        priorities.map(|priority| Scope::Priority(priority, topology.place(spec, *hop)))
    });
    let known: Vec<Scope> = known.collect();
    if known.iter().any(|one| scopes.covers(one)) {
        return None;
    }
    let members = known.iter().map(|one| {
        let known = Scopes {
            kind: scopes.kind,
            name: one.name(),
            place: one.place().cloned(),
        };
        known.member()
    });
    Some(refusal(scopes, &members.collect::<Vec<_>>()))
}

/// The problem of a scope that does not exist, and a hint with the nearest of the `known` names.
fn refusal(scopes: &Scopes, known: &[String]) -> ProblemAndHint {
    let member = scopes.member();
    let problem = format!("there is no {} `{member}`", scopes.kind.word());
    let names = || known.iter().map(String::as_str);
    let hint = match suggest::nearest(&member, names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if known.is_empty() => "the scenario has none".to_string(),
        None => {
            let more = known.len().saturating_sub(MOST);
            let more = (more > 0).then(|| format!(" and {more} more"));
            suggest::expected(names().take(MOST)) + &more.unwrap_or_default()
        }
    };
    (problem, hint)
}

fn flows(spec: &ScenarioSpec, paths: &PlannedPaths) -> impl Iterator<Item = Name> {
    let flows = paths.flows.iter();
    flows.map(|flow| Name::of(flow.member, &spec.flow))
}

/// The outputs of switches, routers and edges, where queues are measured.
fn ports(spec: &ScenarioSpec, topology: &Topology) -> impl Iterator<Item = Place> {
    let nodes = topology.nodes.iter().enumerate();
    let measured = nodes.filter(|(_, node)| node.kind != NodeKind::Host);
    measured.flat_map(|(node, _)| outputs_of(spec, topology, node))
}

/// The outputs of all nodes.
fn outputs(spec: &ScenarioSpec, topology: &Topology) -> impl Iterator<Item = Place> {
    let nodes = 0..topology.nodes.len();
    nodes.flat_map(|node| outputs_of(spec, topology, node))
}

fn outputs_of(
    spec: &ScenarioSpec,
    topology: &Topology,
    node: usize,
) -> impl Iterator<Item = Place> {
    let outputs = topology.outputs(node).iter();
    outputs.map(|hop| topology.place(spec, *hop))
}
