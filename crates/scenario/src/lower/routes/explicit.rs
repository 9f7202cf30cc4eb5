//! Explicit routes: a scenario lists every node between two hosts, in order.

use parameters::{Path, Problem, Problems, suggest};

use crate::lower::Hop;
use crate::lower::topology::{NodeKind, Topology};
use crate::spec::ScenarioSpec;

/// A route that is being followed.
struct Walk<'a> {
    spec: &'a ScenarioSpec,
    topology: &'a Topology,
    /// The host, and the nodes after it.
    passed: Vec<usize>,
    path: Vec<Hop>,
}

/// Reason why a route cannot continue, and a hint; none if a refused link may be the reason.
type Fault = Option<(String, String)>;

/// The path of a flow over the nodes of a route; reports the first node that it cannot reach.
pub fn path(
    spec: &ScenarioSpec,
    topology: &Topology,
    route: &[String],
    [from, to]: [usize; 2],
    at: &Path,
    problems: &mut Problems,
) -> Option<Box<[Hop]>> {
    let at = at.key("route");
    let mut walk = Walk {
        spec,
        topology,
        passed: vec![from],
        path: Vec::with_capacity(route.len() + 1),
    };
    for (index, name) in route.iter().enumerate() {
        let at = at.index(index);
        let group = topology.group(name, &at, problems)?;
        let mut members = group.members();
        let step = match (members.next(), members.next()) {
            (Some(node), None) => walk.through(node),
            _ => Err(Some((
                format!("`{name}` is a group of {}", group.count()),
                format!("name one of them, for example `{name}[0]`"),
            ))),
        };
        accept(step, &at, problems)?;
    }
    accept(walk.to(to), &at, problems)?;
    Some(walk.path.into())
}

/// Reports the fault of a step.
fn accept(step: Result<(), Fault>, at: &Path, problems: &mut Problems) -> Option<()> {
    if let Err(Some((problem, hint))) = &step {
        problems.add(Problem::new(at, None, problem).hint(hint));
    }
    step.ok()
}

impl Walk<'_> {
    /// Extends the route to a node that forwards.
    fn through(&mut self, node: usize) -> Result<(), Fault> {
        let name = || self.topology.name(self.spec, node);
        if self.topology.nodes[node].kind == NodeKind::Host {
            let problem = format!("`{}` is a host, and hosts do not forward", name());
            let hint = "a route names the nodes between its two hosts, and not the hosts";
            return Err(Some((problem, hint.into())));
        }
        if self.passed.contains(&node) {
            let problem = format!("the route returns to `{}`", name());
            return Err(Some((problem, "name each node at most once".into())));
        }
        self.to(node)
    }

    /// Extends the route over the link that joins a node to the last one.
    fn to(&mut self, node: usize) -> Result<(), Fault> {
        let last = self.passed[self.passed.len() - 1];
        let mut hops = self.topology.outputs(last).iter();
        let Some(hop) = hops.find(|hop| self.topology.head(**hop) == node) else {
            return Err(self.unjoined(last, node));
        };
        self.path.push(*hop);
        self.passed.push(node);
        Ok(())
    }

    fn unjoined(&self, last: usize, node: usize) -> Fault {
        if self.topology.lacks_links() {
            return None;
        }
        let name = |node| self.topology.name(self.spec, node);
        let problem = format!("no link joins `{}` to `{}`", name(last), name(node));
        let neighbours = self.topology.outputs(last).iter();
        let forwarding = neighbours.map(|hop| self.topology.head(*hop));
        let forwarding =
            forwarding.filter(|node| self.topology.nodes[*node].kind != NodeKind::Host);
        let names: Vec<String> = forwarding.take(8).map(name).collect();
        let hint = if names.is_empty() {
            "join them by a `[link.NAME]` table".to_string()
        } else {
            let listed = suggest::listed(names.iter().map(String::as_str));
            format!("links from `{}` lead to {listed}", name(last))
        };
        Some((problem, hint))
    }
}
