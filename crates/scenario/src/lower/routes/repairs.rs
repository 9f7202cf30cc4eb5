//! Changes of routes: the links that routes avoid after their outages have become known.
//!
//! Our own rule: all nodes change their routes at one instant, a stated time after a link has failed or
//! returned, so that no packet meets a loop of old and new routes. How a routing protocol comes to know is
//! not modelled.

use std::collections::BTreeSet;

use kernel::Time;
use models::link::Outage;
use parameters::{Path, Problem, Problems};

use crate::lower::Topology;
use crate::spec::ScenarioSpec;

/// Largest number of changes of routes; lowering reports a scenario with more.
const MOST: usize = 1000;

/// The times at which routes change, in order.
pub fn changes(spec: &ScenarioSpec) -> Box<[Time]> {
    let outages = spec
        .link
        .iter()
        .flat_map(|(_, link)| link.outages.iter().flatten());
    let changes: BTreeSet<Time> = outages.flat_map(Outage::avoided).collect();
    let end = Time::ZERO + spec.duration;
    changes.into_iter().filter(|change| *change < end).collect()
}

/// The links that routes avoid, before the first change of routes and after each of them.
pub fn avoided(spec: &ScenarioSpec, topology: &Topology) -> Vec<BTreeSet<usize>> {
    let changes = changes(spec);
    if changes.is_empty() || changes.len() > MOST {
        return vec![BTreeSet::new()];
    }
    let after = changes.iter().map(|time| {
        let links = topology.links.iter().enumerate();
        let avoided = links.filter(|(_, link)| {
            let outages = &spec.link.0[link.member.spec()].1.outages;
            let mut spans = outages.iter().flatten().map(Outage::avoided);
            spans.any(|[start, end]| (start..end).contains(time))
        });
        avoided.map(|(link, _)| link).collect()
    });
    std::iter::once(BTreeSet::new()).chain(after).collect()
}

/// Reports outages that change routes too often.
pub fn check(spec: &ScenarioSpec, problems: &mut Problems) {
    let changes = changes(spec).len();
    let with_outages = spec.link.iter().find(|(_, link)| link.outages.is_some());
    if let Some((name, _)) = with_outages.filter(|_| changes > MOST) {
        let at = Path::root().key("link").key(name).key("outages");
        let problem = format!("routes would change `{changes}` times");
        let hint = format!("outages may change routes at most `{MOST}` times in a run");
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

#[cfg(test)]
mod tests {
    use crate::Scenario;
    use crate::samples::LINE;

    #[test]
    fn routes_change_a_limited_number_of_times() {
        let told = |outages: u64| {
            let outages: Vec<String> = (0..outages)
                .map(|number| format!("{{ at = \"{} us\", lasts = \"1 us\" }}", 2 * number + 1))
                .collect();
            let outages = format!("outages = [{}]\n[flow.f]", outages.join(", "));
            let read = Scenario::read(&LINE.replace("[flow.f]", &outages), "x", &[]);
            read.err().map(|error| error.to_string())
        };
        assert_eq!(told(500), None);
        let told = told(501).expect("a problem");
        assert!(told.contains("routes would change `1002` times"), "{told}");
    }
}
