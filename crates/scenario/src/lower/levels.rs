//! Levels at which policies act: each must lie within its buffer.

use models::output::discard::Buffer;
use parameters::{Amount, Parameter, Path, Problem, Problems};

/// Reports the levels of a policy, written at `at`, that lie beyond the end of its buffer.
pub fn check(policy: &impl Parameter, at: &Path, buffer: &Buffer, problems: &mut Problems) {
    let mut levels = Vec::new();
    policy.levels(at, &mut levels);
    let capacity = buffer.capacity;
    for (at, level) in levels {
        if buffer.units(level) <= capacity {
            continue;
        }
        // Converted to the unit of the level, so that users can compare the two numbers.
        let whole = match level {
            Amount::Bytes(_) => Amount::Bytes(capacity * buffer.octets_per_cell),
            Amount::Cells(_) | Amount::Share(_) => Amount::Cells(capacity),
        };
        let [level, whole] = [level, whole].map(|amount| amount.write().quoted());
        let problem = format!("{level} exceeds the buffer of {whole}");
        let hint = "write a level within the buffer: the queue never reaches one beyond it";
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}
