//! The selection of gauges in a network with more than the page can show.

use std::collections::BTreeMap;

use scenario::lower::{NodeKind, Plan};
use scenario::watch::Gauge;

/// Limit of the gauges shown of one run.
pub const MOST_GAUGES: usize = 600;

/// The numbers of the gauges to show: all, or those of selected ports and flows.
///
/// Ports at which flows meet come first, up to half of the limit, then flows in the order of the
/// scenario, then other ports. A port or flow is shown with all its gauges or not at all.
pub fn shown(plan: &Plan, gauges: &[Gauge]) -> Vec<usize> {
    if gauges.len() <= MOST_GAUGES {
        return (0..gauges.len()).collect();
    }
    let (mut ports, mut flows) = (Groups::default(), Groups::default());
    for (number, gauge) in gauges.iter().enumerate() {
        // The credit of a flow at a port is a gauge of the flow.
        match (gauge.flow, gauge.hop) {
            (Some(flow), _) => flows.add(flow, number),
            (None, Some(hop)) => ports.add(hop, number),
            (None, None) => {}
        }
    }
    let meets = Meeting::of(plan);
    let (first, others): (Vec<_>, Vec<_>) =
        ports.0.into_iter().partition(|(hop, _)| meets.at(*hop));
    let mut shown = Vec::new();
    take(&mut shown, first, MOST_GAUGES / 2);
    take(&mut shown, flows.0, MOST_GAUGES);
    take(&mut shown, others, MOST_GAUGES);
    shown.sort_unstable();
    shown
}

/// Numbers of gauges by their port or flow, in the order in which these were met.
#[derive(Default)]
struct Groups(Vec<(u32, Vec<usize>)>, BTreeMap<u32, usize>);

impl Groups {
    fn add(&mut self, of: u32, number: usize) {
        let Groups(groups, places) = self;
        let place = *places.entry(of).or_insert_with(|| {
            groups.push((of, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(number);
    }
}

/// Adds the first groups, as long as there are at most `most` numbers.
fn take(taken: &mut Vec<usize>, groups: Vec<(u32, Vec<usize>)>, most: usize) {
    for (_, numbers) in groups {
        if taken.len() + numbers.len() > most {
            break;
        }
        taken.extend(numbers);
    }
}

/// The places at which flows meet.
struct Meeting<'a> {
    plan: &'a Plan,
    /// Number of flows that end at each node.
    ending: BTreeMap<usize, usize>,
}

impl Meeting<'_> {
    fn of(plan: &Plan) -> Meeting<'_> {
        let mut ending = BTreeMap::new();
        for flow in 0..plan.paths.flows.len() {
            *ending.entry(plan.hosts(flow)[1]).or_default() += 1;
        }
        Meeting { plan, ending }
    }

    /// True for a port of a switch, router or edge that leads to another one, or to a host with
    /// several flows.
    fn at(&self, hop: u32) -> bool {
        let topology = &self.plan.topology;
        let [mut start, mut end] = topology.links[(hop >> 1) as usize].ends();
        if hop & 1 == 1 {
            (start, end) = (end, start);
        }
        let is_host = |node: usize| topology.nodes[node].kind == NodeKind::Host;
        let several = self.ending.get(&end).is_some_and(|flows| *flows > 1);
        !is_host(start) && (!is_host(end) || several)
    }
}
