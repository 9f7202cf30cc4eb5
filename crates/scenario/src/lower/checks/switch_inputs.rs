//! Checks of the limited inputs of switches: their buffers, and the discard policies that guard them.

use parameters::{Path, Problem, Problems};

use super::{hints, holds_a_cell, levels};
use crate::spec::ScenarioSpec;

/// Reports input buffers smaller than a cell, policies that need more than an input has, and levels
/// beyond the buffer.
pub fn check(spec: &ScenarioSpec, problems: &mut Problems) {
    for (name, switch) in spec.switch.iter() {
        let Some(input) = switch.fabric.input() else {
            continue;
        };
        let fabric = Path::root().key("switch").key(name).key("fabric");
        let at = fabric.key(switch.fabric.kind()).key("input");
        let buffer = input.buffer_for(0, spec.cells());
        let size_at = at.key("buffer").key(input.buffer.kind());
        if !holds_a_cell(&size_at, &buffer, problems) {
            continue;
        }
        let policy = &input.discard;
        levels::check(policy, &at.key("discard"), &buffer, problems);
        if policy.needs_shared_queue() || policy.pushes_out() || policy.marks() {
            let problem = "an input drops cells as they arrive, and by their VC alone";
            let at = at.key("discard").key(policy.kind());
            problems.add(Problem::new(&at, None, problem).hint(hints::discard_of_one_vc()));
        }
    }
}
