//! The history of a run, for viewers who join later.

use std::collections::VecDeque;

use crate::snapshot::{NamedColumns, Shown};

/// Limit of the readings kept, in octets; the oldest are removed first.
pub const MOST: usize = 8 << 20;

/// Limit of the drops kept.
const MOST_DROPS: usize = 500;

/// Instants of readings, and the values of the gauges.
type Readings = (Vec<f64>, Vec<f64>);

/// The latest readings and drops, and what else the last snapshot has.
#[derive(Clone, Debug, Default)]
pub struct History {
    readings: VecDeque<Readings>,
    gauges: usize,
    /// The last snapshot without readings and drops.
    last: Shown,
    drops: NamedColumns,
    numbers: usize,
}

impl History {
    /// True before the first snapshot.
    pub fn is_empty(&self) -> bool {
        self.readings.is_empty()
    }

    /// Adds a snapshot.
    pub fn add(&mut self, shown: &Shown) {
        self.gauges = shown.gauges;
        self.numbers += shown.times.len() + shown.rows.len();
        self.readings
            .push_back((shown.times.clone(), shown.rows.clone()));
        while self.numbers * size_of::<f64>() > MOST && self.readings.len() > 1 {
            let (times, rows) = self.readings.pop_front().expect("there are several");
            self.numbers -= times.len() + rows.len();
        }
        self.last = Shown {
            moving: shown.moving.clone(),
            slots: shown.slots.clone(),
            queued: shown.queued.clone(),
            steps: shown.steps.clone(),
            pauses: shown.pauses.clone(),
            credits: shown.credits.clone(),
            ..Shown::default()
        };
        if self.drops.is_empty() {
            self.drops = shown
                .drops
                .iter()
                .map(|(name, _)| (*name, Vec::new()))
                .collect();
        }
        for ((_, known), (_, new)) in self.drops.iter_mut().zip(&shown.drops) {
            known.extend(new);
            let superfluous = known.len().saturating_sub(MOST_DROPS);
            known.drain(..superfluous);
        }
    }

    /// The history as one snapshot.
    pub fn joined(&self) -> Shown {
        let of = |part: fn(&Readings) -> &Vec<f64>| {
            self.readings.iter().flat_map(part).copied().collect()
        };
        Shown {
            times: of(|(times, _)| times),
            rows: of(|(_, rows)| rows),
            gauges: self.gauges,
            drops: self.drops.clone(),
            ..self.last.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(time: f64, gauges: usize, drops: usize) -> Shown {
        Shown {
            times: vec![time],
            rows: vec![time; gauges],
            gauges,
            moving: vec![("hop", vec![time])],
            drops: vec![("at", vec![time; drops])],
            slots: vec![("end", vec![time])],
            ..Shown::default()
        }
    }

    #[test]
    fn keeps_the_latest() {
        let mut history = History::default();
        let gauges = MOST / size_of::<f64>() / 3;
        for time in 1..=5_u8 {
            history.add(&shown(time.into(), gauges, 200));
        }
        let joined = history.joined();
        assert_eq!(joined.times, [4.0, 5.0]);
        assert_eq!(joined.rows.len(), 2 * gauges);
        assert_eq!(joined.moving, [("hop", vec![5.0])]);
        assert_eq!(joined.slots, [("end", vec![5.0])]);
        let [(_, drops)] = &joined.drops[..] else {
            panic!("one column")
        };
        assert_eq!((drops.len(), drops[0], drops[499]), (MOST_DROPS, 3.0, 5.0));
    }
}
