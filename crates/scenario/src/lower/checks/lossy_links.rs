//! Checks of the losses of links. The checks are our own: a loss must apply to what the link carries.

use kernel::Seed;
use models::link::LinkSpec;
use models::link::loss::{LossSpec, Way};
use parameters::{Parameter, Path, Problem, Problems};

use super::hints;
use crate::lower::{Flows, Topology};
use crate::spec::ScenarioSpec;

/// Reports losses of cells on links that carry whole packets, numbers out of order, and directions
/// without losses.
pub fn check(spec: &ScenarioSpec, topology: &Topology, flows: Flows<'_>, problems: &mut Problems) {
    for (index, (name, link)) in spec.link.iter().enumerate() {
        let at = Path::root().key("link").key(name);
        direction(name, link, &at.key("loss_direction"), problems);
        let Some(loss) = &link.loss else {
            continue;
        };
        let at = at.key("loss").key(loss.kind());
        numbers(loss, &at, problems);
        let whole = whole_packets(topology, flows, index).filter(|_| loss.needs_cells());
        if let Some(flow) = whole {
            let problem = format!("`{name}` carries whole packets of flow `{flow}`");
            let others = hints::kinds(|one: &LossSpec| !one.needs_cells());
            let hint = format!("choose {others}, or carry the flow `over.ubr`");
            problems.add(Problem::new(&at, None, problem).hint(hint));
        }
    }
}

/// Reports a direction of losses in which nothing is lost.
fn direction(name: &str, link: &LinkSpec, at: &Path, problems: &mut Problems) {
    let Some(direction) = link.loss_direction else {
        return;
    };
    let hint = "leave `loss_direction` out";
    let Some(loss) = &link.loss else {
        let problem = "`loss` is not given, so nothing is lost in either direction";
        problems.add(Problem::new(at, None, problem).hint(hint));
        return;
    };
    let way = |reverse| Way {
        link: name.to_string(),
        reverse,
        rate: link.rate,
        seed: Seed {
            seed: 0,
            replication: 0,
        },
    };
    // A member from outside may lose in one direction only.
    let is_lossy = |reverse| loss.build(&way(reverse)).is_some();
    let applies = |reverse| loss.applies(Some(direction), reverse);
    if [false, true]
        .into_iter()
        .any(|one| applies(one) && !is_lossy(one))
    {
        let problem = format!("`loss.{}` loses nothing in this direction", loss.kind());
        problems.add(Problem::new(at, None, problem).hint(hint));
    }
}

/// Reports numbers of lost units that are not in ascending order.
fn numbers(loss: &LossSpec, at: &Path, problems: &mut Problems) {
    let Some(numbers) = loss.listed() else {
        return;
    };
    if numbers.is_empty() {
        let hint = "write numbers from 0 on, for example `[14, 28]`, or leave `loss` out";
        problems.add(Problem::new(at, None, "the list is empty").hint(hint));
    }
    let falls = numbers.windows(2).position(|pair| pair[0] >= pair[1]);
    if let Some(before) = falls {
        let problem = format!(
            "`{}` comes after `{}`",
            numbers[before + 1],
            numbers[before]
        );
        let (mut sorted, kind) = (numbers.to_vec(), loss.kind());
        sorted.sort_unstable();
        sorted.dedup();
        let sorted = sorted.write();
        let hint =
            format!("write them in rising order, each once: for example `{kind} = {sorted}`");
        problems.add(Problem::new(&at.index(before + 1), None, problem).hint(hint));
    }
}

/// The first flow that crosses one of the links of a table as whole packets.
fn whole_packets<'a>(topology: &Topology, flows: Flows<'a>, table: usize) -> Option<&'a str> {
    let mut vcs = topology
        .hops_of_table(table)
        .flat_map(|hop| flows.paths.vcs(hop));
    let whole = vcs.find(|planned| !planned.in_cells)?;
    Some(flows.table(whole.flow))
}
