//! Policers: the switch and the contract of each. The first switch on the path polices, as at the
//! user-network interface of ITU-T Recommendation I.371, unless the scenario names another.

use models::flow::FlowSpec;
use models::police::{Policer, PolicerSpec, Policers};
use parameters::{Path, Problem, Problems};

use crate::lower::{Flows, Hop, NodeKind, PlannedLinks, Topology};
use crate::spec::ScenarioSpec;

/// The policers of a switch; none if no flow is policed there.
pub(in crate::lower) fn policers(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    node: usize,
) -> Option<Policers> {
    let mut any = false;
    let outputs = topology.outputs(node).iter().map(|hop| {
        let vcs = flows.paths.vcs(*hop).map(|planned| {
            let flow = flows.spec(planned.flow);
            let stands_here =
                !planned.back && is_policed_at(spec, topology, flows, planned.flow, node);
            let police = flow.police.as_ref().filter(|_| stands_here)?;
            any = true;
            Some(Box::new(Policer::new(
                police,
                &flow.policed()?,
                flows.cells,
            )))
        });
        vcs.collect()
    });
    let policers = outputs.collect();
    any.then_some(policers)
}

/// True if a flow is policed at the input of a switch, if its VC is set up through it: a flow may
/// have several first switches.
fn is_policed_at(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    flow: usize,
    node: usize,
) -> bool {
    let before = policed_on(spec, topology, flows, flow);
    before.into_iter().any(|hop| topology.head(hop) == node)
}

/// The links before the policers of a flow, one for each first link that its VC may take; none
/// without a policer, or if its switch is not on the path.
fn policed_on(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, flow: usize) -> Vec<Hop> {
    let Some(police) = &flows.spec(flow).police else {
        return Vec::new();
    };
    let planned = &flows.paths.flows[flow];
    // The last link ends at a host or an edge, where cells are reassembled.
    let polices = |hop: &Hop| {
        let node = topology.head(*hop);
        let at = police.at.as_ref();
        topology.nodes[node].kind == NodeKind::Switch
            && at.is_none_or(|name| topology.name(spec, node) == *name)
    };
    let first = planned.mesh.as_ref().filter(|_| police.at.is_none());
    if let Some(mesh) = first {
        let labels = mesh.labels.iter().filter(|label| label.level == 0);
        return labels.map(|label| label.hop).filter(polices).collect();
    }
    let in_cells = planned.path[planned.in_cells()].iter().copied();
    in_cells.filter(polices).take(1).collect()
}

/// Reports policers without a contract, or without a switch on the path.
pub fn check(
    spec: &ScenarioSpec,
    topology: &Topology,
    flows: Flows<'_>,
    links: &PlannedLinks,
    problems: &mut Problems,
) {
    for (index, (name, flow)) in flows.tables.iter().enumerate() {
        let Some(police) = &flow.police else {
            continue;
        };
        let at = Path::root().key("flow").key(name).key("police");
        if let Some((problem, hint)) = refusal(flow) {
            problems.add(Problem::new(&at, None, problem).hint(hint));
            continue;
        }
        contradiction(flow, police, &at, problems);
        let members = (0..flows.paths.flows.len())
            .filter(|number| flows.paths.flows[*number].member.spec() == index)
            .map(|number| policed_on(spec, topology, flows, number));
        let places: Vec<Vec<Hop>> = members.collect();
        if places.iter().any(Vec::is_empty) {
            nowhere(police, &at, problems);
        } else {
            idle(
                spec,
                topology,
                links,
                police,
                &places.concat(),
                &at,
                problems,
            );
        }
    }
}

/// Reports a peak and a sustained rate that contradict each other, one from the bearer and one from
/// the policer; contradictions within the bearer or the policer are reported elsewhere.
fn contradiction(flow: &FlowSpec, police: &PolicerSpec, at: &Path, problems: &mut Problems) {
    let agreed = flow.policed();
    let Some((peak, sustained)) = agreed.and_then(|one| Some((one.peak, one.sustained?.rate)))
    else {
        return;
    };
    if sustained <= peak {
        return;
    }
    let over = format!("`over.{}`", flow.over.kind());
    let (name, problem, hint) = match police.sustained {
        Some(_) => (
            "sustained",
            format!("`{sustained}` is more than the peak of {over}, `{peak}`"),
            format!("write at most `\"{peak}\"`, or a `peak` for the policer"),
        ),
        None => (
            "peak",
            format!("`{peak}` is less than the sustainable rate of {over}, `{sustained}`"),
            format!(
                "write at least `\"{sustained}\"`, or state `sustained` and `burst` for the policer"
            ),
        ),
    };
    problems.add(Problem::new(&at.key(name), None, problem).hint(hint));
}

/// Reports a policer with which every cell conforms.
fn idle(
    spec: &ScenarioSpec,
    topology: &Topology,
    links: &PlannedLinks,
    police: &PolicerSpec,
    from: &[Hop],
    at: &Path,
    problems: &mut Problems,
) {
    let fastest = from.iter().rev().max_by_key(|hop| links.rate(**hop));
    let Some((hop, peak)) = fastest.zip(police.peak) else {
        return;
    };
    let rate = links.rate(*hop);
    if peak > rate {
        let link = topology.link_name(spec, hop.link());
        let problem = format!("`{peak}` is more than the `{rate}` of link `{link}` before it");
        let hint = format!("write at most `\"{rate}\"`: no cell comes sooner");
        problems.add(Problem::new(&at.key("peak"), None, problem).hint(hint));
    }
}

fn nowhere(police: &PolicerSpec, at: &Path, problems: &mut Problems) {
    let (at, problem) = match &police.at {
        Some(switch) => (
            at.key("at"),
            format!("`{switch}` is not a switch that forwards cells of the flow"),
        ),
        None => (
            at.clone(),
            "no switch forwards cells of the flow".to_string(),
        ),
    };
    let hint = "a policer stands at the input of a switch on the path";
    problems.add(Problem::new(&at, None, problem).hint(hint));
}

/// Reason why a flow cannot be policed, and a hint.
fn refusal(flow: &FlowSpec) -> Option<(String, &'static str)> {
    let kind = flow.over.kind();
    if !flow.over.is_cells() {
        let problem = format!("`over.{kind}` has no cells to police");
        return Some((problem, "carry the flow in cells, for example `over.ubr`"));
    }
    if flow.over.is_abr() {
        let problem =
            "the allowed rate of ABR changes during the run, so there is no contract to police";
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
