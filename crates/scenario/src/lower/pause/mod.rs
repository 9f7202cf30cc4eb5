//! Links that may be paused: see `models::pause`.

pub(in crate::lower) mod checks;

use std::collections::BTreeSet;

use models::link::pause::PauseLevel;
use parameters::Path;

use crate::lower::Topology;
use crate::lower::computed::told;
use crate::lower::inputs::PlannedInputs;
use crate::lower::inputs::share::PausedInput;
use crate::spec::ScenarioSpec;

/// Values of the parameters of pauses that the scenario leaves out: thresholds in octets of
/// memory, and response times.
pub(in crate::lower) fn pause_parameters(
    spec: &ScenarioSpec,
    topology: &Topology,
    inputs: &PlannedInputs,
) -> Vec<(String, String)> {
    let links = spec.link.iter().enumerate();
    let of_links = links.filter_map(|(index, (name, link))| {
        let pause = link.pause.as_ref()?;
        let at = Path::root().key("link").key(name).key("pause");
        Some(told_of_pauses(
            topology,
            inputs,
            index,
            &at.key(pause.kind()),
        ))
    });
    of_links.flatten().collect()
}

/// The values of the parameters that a table of links leaves out; `at` is the path of its pauses.
fn told_of_pauses(
    topology: &Topology,
    inputs: &PlannedInputs,
    table: usize,
    at: &Path,
) -> Vec<(String, String)> {
    let mut found: [BTreeSet<u64>; 3] = Default::default();
    let mut dynamic: [BTreeSet<u64>; 2] = Default::default();
    let mut responses = BTreeSet::new();
    let mut given = [true; 4];
    for input in inputs.paused(topology, topology.hops_of_table(table)) {
        let PausedInput {
            demand, thresholds, ..
        } = input;
        if let PauseLevel::Static { xoff, xon } = thresholds.level {
            found[0].insert(xoff);
            found[1].insert(xon);
        } else {
            dynamic[0].insert(input.alone);
            dynamic[1].insert(input.shared);
        }
        found[2].insert(thresholds.headroom);
        responses.insert(demand.frames.response);
        let sizes = [demand.xoff, demand.xon, demand.headroom];
        given[..3].copy_from_slice(&sizes.map(|size| size.is_some()));
    }
    let of_sizes = found.iter().map(|values| Some(told(values)? + " octets"));
    let values = of_sizes.chain([told(&responses)]);
    let names = ["xoff", "xon", "headroom", "response"];
    let all = names.iter().zip(values).zip(given);
    let missing = all.filter(|(_, is_given)| !is_given);
    let missing = missing.filter_map(|((name, value), _)| Some((*name, value?)));
    let [alone, shared] = dynamic.each_ref().map(told);
    let of_shared = alone.zip(shared).map(|(alone, shared)| {
        let most = format!("up to {alone} octets, of {shared} that inputs share");
        ("dynamic", most)
    });
    let all = missing.chain(of_shared);
    all.map(|(name, value)| (at.key(name).to_string(), value))
        .collect()
}
