//! Flows that wait for other flows at their host: the flows that each awaits, and checks of them.

use parameters::{Path, Problem, Problems, suggest};

use crate::lower::{Flows, Topology};
use crate::scope::Name;
use crate::spec::ScenarioSpec;

/// Reports flows that await none, or none that exists, and transports that may lose what is awaited.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (number, flow) in flows.paths.firsts() {
        let (table, written) = &flows.tables.0[flow.member.spec()];
        let Some(names) = written.source.awaits() else {
            continue;
        };
        let at = Path::root().key("flow").key(table);
        let at = at.key("source").key(written.source.kind()).key("awaits");
        let before = problems.len();
        for (index, name) in names.iter().enumerate() {
            unknown(flows, name, &at.index(index), problems);
        }
        let members = number..flows.paths.flows.len();
        let mut members =
            members.take_while(|one| flows.paths.flows[*one].member.spec() == flow.member.spec());
        // A flow that was refused may be one that ends there.
        let is_missing = |name: &String| flows.paths.lacks(flows.tables, Name::group_in(name));
        if problems.len() == before
            && !names.iter().any(is_missing)
            && let Some(member) = members.find(|one| flows.awaited(topology, *one).is_empty())
        {
            let host = topology.name(spec, flows.paths.hosts(topology, member)[0]);
            let problem = format!("no flow in `awaits` ends at `{host}`, the sender of this flow");
            let hint = "write the flows that end at the host of this flow";
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// Reports a name that no flow has, and a flow that is awaited over a transport that loses data.
fn unknown(flows: Flows<'_>, name: &str, at: &Path, problems: &mut Problems) {
    let Some((_, spec)) = flows
        .tables
        .iter()
        .find(|(table, _)| *table == Name::group_in(name))
    else {
        let names = || flows.tables.names();
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
