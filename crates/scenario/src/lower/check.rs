//! Whether each part can do what the flows through it need.

use models::switch::discard::Buffer;
use parameters::{Parameter, Path, Problem, Problems};

use super::topology::Kind;
use super::{Channel, Plan};

/// Largest PDU of AAL5: its length has 16 bits. ITU-T Recommendation I.363.5.
const LARGEST_PDU: u64 = 65_535;

/// Reports what cannot be, in the order of the scenario.
pub fn plan(plan: &Plan, problems: &mut Problems) {
    let root = Path::root();
    if plan.spec.flow.is_empty() {
        let hint = "add a `[flow.NAME]` table with `from`, `to` and `transport`";
        problems.add(Problem::new(&root.key("flow"), None, "there are no flows").hint(hint));
    }
    nodes(plan, problems);
    discards(plan, problems);
    packets(plan, problems);
}

fn nodes(plan: &Plan, problems: &mut Problems) {
    let mut degree = vec![0; plan.topology.nodes.len()];
    for end in plan.topology.links.iter().flat_map(|link| link.ends) {
        degree[end] += 1;
    }
    for (node, planned) in plan.topology.nodes.iter().enumerate() {
        let name = planned.name.split('[').next().unwrap_or_default();
        match planned.kind {
            Kind::Host if degree[node] != 1 => {
                let at = Path::root().key("host").key(name);
                let problem = format!("`{}` has {} links", planned.name, degree[node]);
                problems.add(Problem::new(&at, None, problem).hint("a host has exactly one link"));
            }
            Kind::Switch(_) | Kind::Router(_) => mixture(plan, node, problems),
            Kind::Host => {}
        }
    }
}

/// Reports the first flow through a node that it cannot carry beside the others.
fn mixture(plan: &Plan, node: usize, problems: &mut Problems) {
    let PlannedAs { cells, by } = match plan.topology.nodes[node].kind {
        Kind::Router(_) => PlannedAs {
            cells: false,
            by: None,
        },
        _ => PlannedAs {
            cells: plan.carries_cells(node),
            by: plan.leaving(node).next(),
        },
    };
    let other = plan
        .leaving(node)
        .find(|channel| plan.flow_spec(channel.flow).over.is_cells() != cells);
    let Some(other) = other else {
        return;
    };
    let name = |channel: &Channel| &plan.spec.flow.0[plan.flows[channel.flow].spec].0;
    let node = &plan.topology.nodes[node].name;
    let (problem, hint) = match by {
        None => (
            format!("`{node}` is a router and cannot carry cells"),
            "carry the flow `over.packet`, or make the node a switch".to_string(),
        ),
        Some(by) => (
            format!("`{node}` would carry cells and packets"),
            format!("carry it as flow `{}` is carried", name(by)),
        ),
    };
    let at = Path::root().key("flow").key(name(other)).key("over");
    problems.add(Problem::new(&at, None, problem).hint(hint));
}

/// Whether a node forwards cells, and which flow decides that.
struct PlannedAs<'a> {
    cells: bool,
    by: Option<&'a Channel>,
}

/// Asks each discard policy whether its parameters exceed its buffer.
fn discards(plan: &Plan, problems: &mut Problems) {
    let switches = plan.spec.switch.iter().map(|(name, spec)| {
        let at = Path::root().key("switch").key(name);
        (at, &spec.buffer, &spec.discard)
    });
    let routers = plan.spec.router.iter().map(|(name, spec)| {
        let at = Path::root().key("router").key(name);
        (at, &spec.buffer, &spec.discard)
    });
    for (at, size, policy) in switches.chain(routers) {
        if size.cells() == 0 {
            let at = at.key("buffer").key(size.kind());
            let problem = "the buffer is smaller than a cell of 53 octets";
            problems.add(Problem::new(&at, None, problem).hint("give it at least `\"1 cell\"`"));
            continue;
        }
        let buffer = Buffer::of_cells(size.cells(), 0);
        policy.build(&buffer);
        let at = at.key("discard").key(policy.kind());
        for (name, amount) in buffer.exceeding() {
            let amount = amount.write().quoted();
            let problem = format!("{amount} exceeds the buffer of `{} cells`", size.cells());
            let hint = "a policy that acts beyond the end of the buffer never acts";
            problems.add(Problem::new(&at.key(name), None, problem).hint(hint));
        }
    }
}

/// Reports packets that AAL5 cannot carry.
fn packets(plan: &Plan, problems: &mut Problems) {
    for (name, flow) in plan.spec.flow.iter() {
        let (octets, cells) = flow.over.wrap(flow.transport.full_packet());
        if cells > 0 && octets > LARGEST_PDU {
            let at = Path::root()
                .key("flow")
                .key(name)
                .key("transport")
                .key(flow.transport.kind());
            let problem = format!("a packet of `{octets} B` does not fit into an AAL5 PDU");
            let hint = format!("a PDU has at most `{LARGEST_PDU} B`, encapsulation included");
            problems.add(Problem::new(&at.key("packet"), None, problem).hint(hint));
        }
    }
}
