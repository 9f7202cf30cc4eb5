//! Snapshots of a run as the page gets them, and their form on the wire.

use kernel::Time;
use models::switch::matching_steps::StepKind;
use scenario::watch::{CreditStatus, Moving, PauseStatus, PduDrop, SlotReading, Snapshot};
use serde_json::json;

/// Limit of the priorities of links in a snapshot: of those that may be paused, and of those that need
/// credits.
const MOST_PRIORITIES: usize = 1000;

/// Size of a number, in octets.
const WORD: usize = 8;

/// Columns by name, all of the same length.
pub type NamedColumns = Vec<(&'static str, Vec<f64>)>;

/// Readings of the shown gauges since the last snapshot, units in flight, drops, the last slots of
/// switches, and the pauses and credits of links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Instants of the readings, in seconds.
    pub times: Vec<f64>,
    /// Values of the gauges, a row for each instant.
    pub rows: Vec<f64>,
    /// Number of gauges.
    pub gauges: usize,
    /// Units in flight: hop, flow, number of units, positions of the first and of the last along
    /// the link, which begins at 0 and ends at 1, 1 for units that return to the sender, and 1 for data.
    pub moving: NamedColumns,
    /// Drops: seconds of the first cell and of the last cell, hop, flow, PDU, 1 for a loss on the
    /// link (otherwise 0), number of cells, number of the cause in `Cause::ALL`, and the cells
    /// that the first cell found in the buffer (NaN if no policy was asked about it).
    pub drops: NamedColumns,
    /// The end in seconds of the last slot with a matching, by switch of
    /// [`slotted_switches`](scenario::watch::slotted_switches); NaN if there was none.
    pub slots: NamedColumns,
    /// Cells in each queue at that end, by switch, by input and by output.
    pub queued: NamedColumns,
    /// Steps of the matchings of that slot: number of the switch, of the matching, of the iteration,
    /// of the kind in [`StepKind::ALL`], of the input and of the output.
    pub steps: NamedColumns,
    /// Priorities that may be paused: hop, priority, octets that the far end holds, its xoff and xon,
    /// octets of headroom that are taken and that there are, 1 if the far end wants a pause, and 1 if the
    /// near end obeys one.
    pub pauses: NamedColumns,
    /// Virtual channels of links with credits for packets: hop, priority, cyclic counts of the credits
    /// consumed and freed, credits in use, and credits left.
    pub credits: NamedColumns,
}

impl Shown {
    /// The part of a snapshot that the page gets: the gauges with the numbers `columns`, of `all`.
    pub fn of(whole: &Snapshot, columns: &[usize], all: usize) -> Shown {
        let rows = whole.rows.chunks_exact(all.max(1));
        Shown {
            times: whole.times.iter().map(|time| time.seconds()).collect(),
            rows: rows
                .flat_map(|row| columns.iter().map(|number| row[*number]))
                .collect(),
            gauges: columns.len(),
            moving: moving(&whole.moving),
            drops: drops(&whole.drops),
            slots: vec![("end", whole.slots.iter().map(end).collect())],
            queued: vec![("cells", whole.slots.iter().flat_map(queued).collect())],
            steps: steps(&whole.slots),
            pauses: pauses(first(&whole.pauses, MOST_PRIORITIES)),
            credits: credits(first(&whole.credits, MOST_PRIORITIES)),
        }
    }

    /// A header in JSON, then the arrays that it lists, as little-endian 64-bit floats.
    ///
    /// The first four octets are the length of the header, which is padded with spaces so that the
    /// arrays are aligned. `epoch` is the number of the run.
    pub fn packed(&self, epoch: u64) -> Vec<u8> {
        let arrays: Vec<_> = self.arrays().collect();
        let listed = arrays.iter().map(|(table, column, numbers)| {
            json!({"table": table, "column": column, "length": numbers.len()})
        });
        let listed: Vec<_> = listed.collect();
        let header = json!({"epoch": epoch, "gauges": self.gauges, "arrays": listed}).to_string();
        let padded = (header.len() + 4).next_multiple_of(WORD) - 4;
        let numbers: usize = arrays.iter().map(|(_, _, numbers)| numbers.len()).sum();
        let mut packed = Vec::with_capacity(4 + padded + WORD * numbers);
        packed.extend((padded as u32).to_le_bytes());
        packed.extend(header.bytes());
        packed.resize(4 + padded, b' ');
        let numbers = arrays.iter().flat_map(|(_, _, numbers)| numbers.iter());
        packed.extend(numbers.flat_map(|number| number.to_le_bytes()));
        packed
    }

    /// Table, column and numbers of each array.
    fn arrays(&self) -> impl Iterator<Item = (&'static str, &'static str, &[f64])> {
        let readings = [("times", &self.times), ("rows", &self.rows)];
        let readings = readings.map(|(column, numbers)| ("readings", column, numbers.as_slice()));
        let tables = [
            ("moving", &self.moving),
            ("drops", &self.drops),
            ("slots", &self.slots),
            ("queued", &self.queued),
            ("steps", &self.steps),
            ("pauses", &self.pauses),
            ("credits", &self.credits),
        ];
        let columns = tables.into_iter().flat_map(|(table, columns)| {
            let columns = columns.iter();
            columns.map(move |(column, numbers)| (table, *column, numbers.as_slice()))
        });
        readings.into_iter().chain(columns)
    }
}

fn moving(units: &[Moving]) -> NamedColumns {
    let of = |value: fn(&Moving) -> f64| units.iter().map(value).collect();
    vec![
        ("hop", of(|unit| unit.hop.into())),
        ("flow", of(|unit| unit.flow.into())),
        ("units", of(|unit| unit.units.into())),
        ("head", of(|unit| unit.head)),
        ("tail", of(|unit| unit.tail)),
        ("back", of(|unit| u8::from(unit.back).into())),
        ("data", of(|unit| u8::from(unit.data).into())),
    ]
}

fn drops(drops: &[PduDrop]) -> NamedColumns {
    let of = |value: fn(&PduDrop) -> f64| drops.iter().map(value).collect();
    vec![
        ("at", of(|drop| drop.at.seconds())),
        ("until", of(|drop| drop.until.seconds())),
        ("hop", of(|drop| drop.hop.into())),
        ("flow", of(|drop| drop.flow.into())),
        ("pdu", of(|drop| drop.pdu.into())),
        ("on_link", of(|drop| u8::from(drop.on_link).into())),
        ("cells", of(|drop| drop.cells.into())),
        ("cause", of(|drop| f64::from(drop.cause as u8))),
        ("found", of(|drop| drop.found.unwrap_or(f64::NAN))),
    ]
}

fn end(slot: &SlotReading) -> f64 {
    slot.end.map_or(f64::NAN, Time::seconds)
}

fn queued(slot: &SlotReading) -> impl Iterator<Item = f64> {
    slot.queued.iter().map(|cells| *cells as f64)
}

fn steps(slots: &[SlotReading]) -> NamedColumns {
    let mut columns = ["switch", "matching", "iteration", "kind", "input", "output"]
        .map(|name| (name, Vec::new()));
    for (switch, slot) in (0_u32..).zip(slots) {
        for step in &slot.steps {
            let numbers = [
                switch,
                step.matching,
                step.iteration,
                kind(step.kind),
                step.input,
                step.output,
            ];
            for ((_, column), number) in columns.iter_mut().zip(numbers) {
                column.push(f64::from(number));
            }
        }
    }
    columns.into()
}

/// The first rows of a table, at most `most`.
fn first<T>(rows: &[T], most: usize) -> &[T] {
    &rows[..rows.len().min(most)]
}

fn pauses(pauses: &[PauseStatus]) -> NamedColumns {
    let of = |value: fn(&PauseStatus) -> f64| pauses.iter().map(value).collect();
    vec![
        ("hop", of(|one| f64::from(one.hop))),
        ("priority", of(|one| one.priority as f64)),
        ("held", of(|one| one.far.held as f64)),
        ("xoff", of(|one| one.far.xoff as f64)),
        ("xon", of(|one| one.far.xon as f64)),
        ("beyond", of(|one| one.far.beyond as f64)),
        ("headroom", of(|one| one.far.headroom as f64)),
        ("wanted", of(|one| f64::from(u8::from(one.far.is_paused)))),
        ("obeyed", of(|one| f64::from(u8::from(one.is_stopped)))),
    ]
}

fn credits(credits: &[CreditStatus]) -> NamedColumns {
    let of = |value: fn(&CreditStatus) -> f64| credits.iter().map(value).collect();
    vec![
        ("hop", of(|one| f64::from(one.hop))),
        ("priority", of(|one| one.priority as f64)),
        ("consumed", of(|one| f64::from(one.consumed))),
        ("freed", of(|one| f64::from(one.freed))),
        ("used", of(|one| f64::from(one.used))),
        ("left", of(|one| f64::from(one.left))),
    ]
}

/// The number of a kind of step.
fn kind(kind: StepKind) -> u32 {
    let number = StepKind::ALL.iter().position(|known| *known == kind);
    number.expect("the list has every kind") as u32
}

#[cfg(test)]
mod tests {
    use models::switch::matching_steps::SlotStep;

    use super::*;

    #[test]
    fn steps_name_their_switch() {
        let step = |kind, input| SlotStep {
            matching: 0,
            iteration: 1,
            kind,
            input,
            output: 2,
        };
        let of = |steps| SlotReading {
            end: Some(Time::from_ps(2_000_000)),
            queued: vec![3, 4],
            steps,
        };
        let slots = vec![
            SlotReading::default(),
            of(vec![step(StepKind::Grant, 5), step(StepKind::Pair, 6)]),
        ];
        let whole = Snapshot {
            slots,
            ..Snapshot::default()
        };
        let shown = Shown::of(&whole, &[], 0);
        let ends = &shown.slots[0].1;
        assert!(ends[0].is_nan() && ends[1].to_bits() == 2e-6_f64.to_bits());
        assert_eq!(shown.queued, [("cells", vec![3.0, 4.0])]);
        let kinds = [3.0, 4.0].to_vec();
        let expected = [
            ("switch", vec![1.0; 2]),
            ("matching", vec![0.0; 2]),
            ("iteration", vec![1.0; 2]),
            ("kind", kinds),
            ("input", vec![5.0, 6.0]),
            ("output", vec![2.0; 2]),
        ];
        assert_eq!(shown.steps, expected);
    }

    #[test]
    fn priorities_beyond_the_limit_are_left_out() {
        let status = |priority| CreditStatus {
            hop: 4,
            priority,
            consumed: 90,
            freed: 60,
            used: 30,
            left: 10,
        };
        let whole = Snapshot {
            credits: (0..=MOST_PRIORITIES).map(status).collect(),
            ..Snapshot::default()
        };
        let shown = Shown::of(&whole, &[], 0);
        let of_second = shown.credits.iter().map(|(column, values)| {
            assert_eq!(values.len(), MOST_PRIORITIES);
            (*column, values[1] as u32)
        });
        let expected = [
            ("hop", 4),
            ("priority", 1),
            ("consumed", 90),
            ("freed", 60),
            ("used", 30),
            ("left", 10),
        ];
        assert!(of_second.eq(expected));
        assert!(shown.pauses.iter().all(|(_, column)| column.is_empty()));
    }

    #[test]
    fn the_numbers_of_a_packed_snapshot_are_aligned() {
        for gauges in [1, 10, 100] {
            let shown = Shown {
                times: vec![0.5],
                rows: vec![2.0; gauges],
                gauges,
                ..Shown::default()
            };
            let packed = shown.packed(7);
            let length = u32::from_le_bytes(packed[..4].try_into().expect("four octets"));
            let start = 4 + length as usize;
            assert_eq!(start % WORD, 0);
            assert_eq!(packed.len(), start + WORD * (1 + gauges));
            assert_eq!(packed[start..start + WORD], 0.5_f64.to_le_bytes());
        }
    }
}
