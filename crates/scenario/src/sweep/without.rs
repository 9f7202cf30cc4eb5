//! `without`: combinations of a sweep that are left out.

use parameters::{Path, Problem, Problems, Value, ValueTable, Written, suggest};

use super::{Axis, label};

/// The key of this table among the axes, which is not the name of an axis.
pub const NAME: &str = "without";

/// Points with certain values on certain axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// Names of axes, each with the labels of some of its points.
    pub values: Vec<(String, Vec<String>)>,
}

impl Combination {
    /// True if the point of all axes with these labels matches the combination.
    pub fn holds(&self, axes: &[Axis], labels: &[&str]) -> bool {
        self.values.iter().all(|(name, meant)| {
            let place = axes.iter().position(|axis| axis.name == *name);
            place.is_some_and(|place| meant.iter().any(|label| label == labels[place]))
        })
    }

    /// Removes values that no longer exist; false if an axis of the combination has none left.
    pub fn keep_known(&mut self, axes: &[Axis]) -> bool {
        self.values.iter_mut().all(|(name, meant)| {
            let of_axis = axes.iter().find(|axis| axis.name == *name);
            of_axis.is_some_and(|axis| {
                meant.retain(|label| axis.points.iter().any(|at| at.label == *label));
                !meant.is_empty()
            })
        })
    }

    /// The combination, as written.
    pub fn write(&self) -> Value {
        let of_axis = |(name, labels): &(String, Vec<String>)| {
            let labels: Vec<Value> = labels.iter().map(|l| Value::from(l.as_str())).collect();
            (name.clone(), Value::from(labels))
        };
        ValueTable::of(self.values.iter().map(of_axis)).into()
    }
}

/// The combinations of a list of tables.
pub fn read(
    written: &Written,
    axes: &[Axis],
    at: &Path,
    problems: &mut Problems,
) -> Option<Vec<Combination>> {
    let Value::List(list) = &written.value else {
        return refuse(written, at, problems);
    };
    let read: Vec<Option<Combination>> = list
        .iter()
        .enumerate()
        .map(|(index, one)| combination(one, axes, &at.index(index), problems))
        .collect();
    read.into_iter().collect()
}

fn refuse<T>(written: &Written, at: &Path, problems: &mut Problems) -> Option<T> {
    let problem = format!("{} is not a table of axes", written.value.quoted());
    let hint = "write the values of some axes: `without = [{ AXIS = \"VALUE\", OTHER = [...] }]`";
    problems.add(Problem::new(at, written.place, problem).hint(hint));
    None
}

fn combination(
    written: &Written,
    axes: &[Axis],
    at: &Path,
    problems: &mut Problems,
) -> Option<Combination> {
    let table = match &written.value {
        Value::Table(table) if !table.is_empty() => table,
        _ => return refuse(written, at, problems),
    };
    let mut values = Vec::new();
    for entry in table {
        let names = || axes.iter().map(|axis| axis.name.as_str());
        let at = at.key(&entry.name);
        let Some(meant) = axes.iter().find(|axis| axis.name == entry.name) else {
            let problem = format!("`{}` is not an axis of this sweep", entry.name);
            let hint = suggest::hint(&entry.name, names().collect::<Vec<_>>());
            let place = entry.place.or(entry.written.place);
            problems.add(Problem::new(&at, place, problem).hint(hint));
            return None;
        };
        let one = std::slice::from_ref(&entry.written);
        let written = match &entry.written.value {
            Value::List(list) => list.as_slice(),
            _ => one,
        };
        values.push((entry.name.clone(), labels(written, meant, &at, problems)?));
    }
    Some(Combination { values })
}

/// The labels of the points of an axis with these values.
fn labels(
    meant: &[Written],
    axis: &Axis,
    at: &Path,
    problems: &mut Problems,
) -> Option<Vec<String>> {
    let known = || axis.points.iter().map(|point| point.label.as_str());
    let mut labels = Vec::with_capacity(meant.len());
    for written in meant {
        let label = label(&written.value);
        if !known().any(|known| known == label) {
            let problem = format!("`{label}` is not a value of this axis");
            let hint = suggest::hint(&label, known().collect::<Vec<_>>());
            problems.add(Problem::new(at, written.place, problem).hint(hint));
            return None;
        }
        labels.push(label);
    }
    Some(labels)
}

#[cfg(test)]
mod tests {
    use parameters::Parameter;

    use crate::sweep::Sweep;
    use crate::sweep::tests::{SWEEP, pin, read};

    #[test]
    fn combinations_may_be_left_out() {
        let without = r#"without = [
            { packet = ["512", "1500"], "switch.s1.buffer.per_output" = "256 cells" },
            { packet = "9180", "switch.s1.buffer.per_output" = "1000 cells" },
        ]"#;
        let mut sweep = read(&format!("{without}\n{SWEEP}")).unwrap();
        let labels = |sweep: &Sweep| -> Vec<String> {
            let points = (0..sweep.len()).map(|index| sweep.at(index));
            points
                .map(|at| format!("{}, {}", at[0].label, at[1].label))
                .collect()
        };
        assert_eq!(
            labels(&sweep),
            ["256 cells, 9180", "1000 cells, 512", "1000 cells, 1500"]
        );
        let again = read(&crate::document::render::render(
            sweep.write().table().unwrap(),
        ))
        .unwrap();
        assert_eq!(labels(&again), labels(&sweep));
        pin(&mut sweep, "switch.s1.buffer.per_output");
        assert_eq!(sweep.len(), 3);
    }

    #[test]
    fn what_cannot_be_left_out_is_refused() {
        for (without, problem) in [
            (
                "{ packet = 1 }",
                "sweep.without: `{ packet = 1 }` is not a table of axes",
            ),
            (
                "[{ packet = ['512', '1500', '9180'] }]",
                "sweep.without: `without` leaves out every point",
            ),
            ("[{}]", "sweep.without[0]: `{}` is not a table of axes"),
            (
                "[{ pakcet = '512' }]",
                "sweep.without[0].pakcet: `pakcet` is not an axis",
            ),
            (
                "[{ packet = ['512', '53'] }]",
                "sweep.without[0].packet: `53` is not a value",
            ),
        ] {
            let told = read(&format!("without = {without}\n{SWEEP}")).unwrap_err();
            assert!(told.starts_with(problem), "{without}: {told}");
            assert!(told.contains("hint: "), "{told}");
        }
    }
}
