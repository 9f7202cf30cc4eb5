//! Levels at which policies act: each must lie within its buffer.

use models::output::discard::Buffer;
use parameters::quantity::Quantity;
use parameters::{Amount, Bytes, Hint, Parameter, Path, Problem, Problems, Value};

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
        let problem = format!("{} exceeds the buffer of {}", shown(level), shown(whole));
        let most = Hint::value("write at most", in_full(whole));
        let hint = most
            .and(": the queue never reaches a level beyond the buffer")
            .to_string();
        problems.add(Problem::new(&at, None, problem).hint(hint));
    }
}

/// An amount in backticks.
fn shown(amount: Amount) -> String {
    in_full(amount).quoted()
}

/// An amount as a user writes it; bytes are in the largest unit in which their number is whole.
fn in_full(amount: Amount) -> Value {
    let Amount::Bytes(bytes) = amount else {
        return amount.write();
    };
    let units = Bytes::FORM.units();
    let whole = units.filter(|unit| bytes > 0 && bytes.is_multiple_of(unit.steps));
    match whole.max_by_key(|unit| unit.steps) {
        Some(unit) => format!("{} {}", bytes / unit.steps, unit.symbol).into(),
        None => amount.write(),
    }
}
