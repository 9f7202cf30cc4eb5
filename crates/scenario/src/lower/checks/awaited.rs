//! Flows that wait for other flows at their host: the flows that each awaits, and checks of them.

use parameters::{Path, Problem, Problems, suggest};

use crate::lower::Plan;
use crate::scope::Name;

impl Plan {
    /// The flows that a flow awaits, by number: those of its list that end at its host.
    pub(in crate::lower) fn awaited(&self, flow: usize) -> Vec<usize> {
        let Some(names) = self.flow_spec(flow).source.awaits() else {
            return Vec::new();
        };
        let names: Vec<Name> = names.iter().filter_map(|name| Name::parse(name)).collect();
        let host = self.hosts(flow)[0];
        let flows = 0..self.flows.len();
        let of_names = flows.filter(|other| {
            self.hosts(*other)[1] == host && {
                let flow = Name::of_flow(self, *other);
                names.iter().any(|name| name.covers(&flow))
            }
        });
        of_names.collect()
    }
}

/// Reports flows that await none, or none that exists, and transports that may lose what is awaited.
pub fn check(plan: &Plan, problems: &mut Problems) {
    for (number, flow) in plan.firsts() {
        let (table, spec) = &plan.spec.flow.0[flow.member.spec()];
        let Some(names) = spec.source.awaits() else {
            continue;
        };
        let at = Path::root().key("flow").key(table);
        let at = at.key("source").key(spec.source.kind()).key("awaits");
        let before = problems.len();
        for (index, name) in names.iter().enumerate() {
            unknown(plan, name, &at.index(index), problems);
        }
        let members = number..plan.flows.len();
        let mut members =
            members.take_while(|one| plan.flows[*one].member.spec() == flow.member.spec());
        // A flow that was refused may be one that ends there.
        let is_missing = |name: &String| plan.lacks_flows_of(Name::group_in(name));
        if problems.len() == before
            && !names.iter().any(is_missing)
            && let Some(member) = members.find(|one| plan.awaited(*one).is_empty())
        {
            let host = plan.node_name(plan.hosts(member)[0]);
            let problem = format!("no flow in `awaits` ends at `{host}`, the sender of this flow");
            let hint = "write the flows that end at the host of this flow";
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// Reports a name that no flow has, and a flow that is awaited over a transport that loses data.
fn unknown(plan: &Plan, name: &str, at: &Path, problems: &mut Problems) {
    let Some((_, spec)) = plan
        .spec
        .flow
        .iter()
        .find(|(table, _)| *table == Name::group_in(name))
    else {
        let names = || plan.spec.flow.names();
        let hint = match suggest::nearest(name, names()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => suggest::expected(names()),
        };
        let problem = format!("there is no flow `{name}`");
        problems.add(Problem::new(at, None, problem).hint(hint));
        return;
    };
    if !spec.transport.facts().has_flow_control {
        let kind = spec.transport.kind();
        let problem = format!("`{kind}` does not send again what `{name}` loses");
        let hint = "send the awaited flow by `transport.tcp`";
        problems.add(Problem::new(at, None, problem).hint(hint));
    }
}
