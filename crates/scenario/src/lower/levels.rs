//! Levels of policies in their buffers.

use models::output::discard::Buffer;
use parameters::{Parameter, Path, Problem, Problems};

/// Reports the levels of a policy, written at `at`, that lie beyond the end of its buffer.
pub fn check(policy: &impl Parameter, at: &Path, buffer: &Buffer, problems: &mut Problems) {
    let mut levels = Vec::new();
    policy.levels(at, &mut levels);
    let capacity = buffer.capacity;
    for (at, level) in levels {
        if buffer.units(level) <= capacity {
            continue;
        }
        let level = level.write().quoted();
        let problem = format!("{level} exceeds the buffer of `{capacity} cells`");
        let hint = "write a level within the buffer: beyond it the policy never acts";
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
