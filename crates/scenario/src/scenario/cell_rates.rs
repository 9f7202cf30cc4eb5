//! Rates in `cells/s`, which count ATM cells: a network with cells of another size refuses them.
//!
//! Our own rule: a unit has one size, 53 octets for a cell as in TM 4.0, whatever else a scenario
//! says, so a rate is the same in every file.

use kernel::Rate;
use models::wire::format::CellFormat;
use parameters::quantity::Quantity;
use parameters::{Parameter, Path, Problem, Problems, Value, Written, quantity};

use crate::spec::ScenarioSpec;

/// Reads a scenario, and reports its rates in `cells/s` if its cells are not those of ATM.
pub fn read(root: &Written, problems: &mut Problems) -> Option<ScenarioSpec> {
    let spec = ScenarioSpec::read(root, &Path::root(), problems);
    if let Some(spec) = &spec {
        check(root, spec, problems);
    }
    spec
}

/// Reports the rates in `cells/s` of a scenario whose cells are not those of ATM.
fn check(root: &Written, spec: &ScenarioSpec, problems: &mut Problems) {
    let cells = spec.cells();
    if cells.octets() != CellFormat::ATM.octets() {
        each(root, &Path::root(), &mut |rate, at, written| {
            let bits = u128::from(rate.bits_per_second()) * u128::from(cells.bits());
            let bits = bits / u128::from(CellFormat::ATM.bits());
            let exact = Rate::from_bits_per_second(u64::try_from(bits).unwrap_or(u64::MAX));
            let problem = format!(
                "{} counts cells of {} octets, and those of this network have {}",
                written.value.quoted(),
                CellFormat::ATM.octets(),
                cells.octets()
            );
            let hint = format!("write `\"{}\"`", exact.render());
            problems.add(Problem::new(at, written.place, problem).hint(hint));
        });
    }
}

/// Calls `see` with each rate in `cells/s` within `written`, which is at `at`.
fn each(written: &Written, at: &Path, see: &mut impl FnMut(Rate, &Path, &Written)) {
    match &written.value {
        Value::Table(table) => {
            for entry in table {
                each(&entry.written, &at.key(&entry.name), see);
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                each(item, &at.index(index), see);
            }
        }
        Value::Text(text) => {
            if let Some(rate) = quantity::in_cells(text) {
                see(rate, at, written);
            }
        }
        _ => {}
    }
}
