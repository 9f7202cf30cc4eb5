//! Explicit routes: a scenario lists every node between two hosts, in order. `NODE/LINK` names the link
//! that leads to a node too, and `HOST/LINK` at the end the link to the receiving host; otherwise the
//! link that is written first is taken.

use parameters::{Path, Problem, Problems, suggest};

use crate::lower::{Hop, NodeKind, Topology};
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
    for (index, text) in route.iter().enumerate() {
        let at = at.index(index);
        let (name, link) = parted(text);
        let group = topology.group(name, &at, problems)?;
        let is_last = index + 1 == route.len() && link.is_some();
        if is_last && group.members().any(|node| node == to) {
            accept(walk.to(to, link), &at, problems)?;
            return Some(walk.path.into());
        }
        let mut members = group.members();
        let step = match (members.next(), members.next()) {
            (Some(node), None) => walk.through(node, link),
            _ => Err(Some((
                format!("`{name}` is a group of {}", group.count()),
                format!("name one of them, for example `{name}[0]`"),
            ))),
        };
        accept(step, &at, problems)?;
    }
    accept(walk.to(to, None), &at, problems)?;
    Some(walk.path.into())
}

/// The node of a step, and its link if it is named.
fn parted(text: &str) -> (&str, Option<&str>) {
    match text.split_once('/') {
        Some((node, link)) => (node, Some(link)),
        None => (text, None),
    }
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
    fn through(&mut self, node: usize, link: Option<&str>) -> Result<(), Fault> {
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
        self.to(node, link)
    }

    /// Extends the route over the first link that joins a node to the last one, or over the named one.
    fn to(&mut self, node: usize, link: Option<&str>) -> Result<(), Fault> {
        let last = self.passed[self.passed.len() - 1];
        let hops = self.topology.outputs(last).iter();
        let joining = hops.filter(|hop| self.topology.head(**hop) == node);
        let mut meant = joining.clone().filter(|hop| self.is_called(**hop, link));
        let Some(hop) = meant.next() else {
            return Err(match link {
                Some(link) if joining.clone().next().is_some() => {
                    Some(self.misnamed(joining, [last, node], link))
                }
                _ => self.unjoined(last, node),
            });
        };
        self.path.push(*hop);
        self.passed.push(node);
        Ok(())
    }

    /// True if the link of a hop is called so, itself or its group, or if no name is given.
    fn is_called(&self, hop: Hop, name: Option<&str>) -> bool {
        let links = &self.spec.link;
        let member = self.topology.links[hop.link()].member;
        name.is_none_or(|name| links.0[member.spec()].0 == name || member.name(links) == name)
    }

    /// The problem of a link that does not join two nodes, and a hint; `joining` are those that do.
    fn misnamed<'b>(
        &self,
        joining: impl Iterator<Item = &'b Hop>,
        [last, node]: [usize; 2],
        link: &str,
    ) -> (String, String) {
        let [from, to] = [last, node].map(|node| self.topology.name(self.spec, node));
        let problem = format!("the link `{link}` does not join `{from}` to `{to}`");
        let links = &self.spec.link;
        let name = |hop: &Hop| self.topology.links[hop.link()].member.name(links);
        let names: Vec<String> = joining.take(8).map(name).collect();
        let listed = suggest::listed(names.iter().map(String::as_str));
        (problem, format!("expected one of {listed}"))
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
