//! Levels at which policies act: each must lie within its buffer.

use models::output::discard::Buffer;
use parameters::quantity::Quantity;
use parameters::{Amount, Bytes, Parameter, Path, Problem, Problems};

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
        let [level, whole] = [level, whole].map(shown);
        let problem = format!("{level} exceeds the buffer of {whole}");
        let hint = "write a level within the buffer: the queue never reaches one beyond it";
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

/// An amount in backticks; bytes are in the largest unit in which their number is whole.
fn shown(amount: Amount) -> String {
    let Amount::Bytes(bytes) = amount else {
        return amount.write().quoted();
    };
    let units = Bytes::FORM.units();
    let whole = units.filter(|unit| bytes > 0 && bytes.is_multiple_of(unit.steps));
    match whole.max_by_key(|unit| unit.steps) {
        Some(unit) => format!("`{} {}`", bytes / unit.steps, unit.symbol),
        None => amount.write().quoted(),
    }
}
