//! What arrives at a switch, and what leaves it.

use std::collections::VecDeque;

/// Time of a cell on every input.
pub const CELL: u64 = 10;

/// More channels than any case has.
pub const CHANNELS: u32 = 4;

/// A switch, and what arrives at it.
#[derive(Clone, Debug)]
pub struct Case {
    pub sources: Vec<Source>,
    /// Cell time of each output.
    pub outputs: Vec<u64>,
    pub round_robin: bool,
    pub shared: bool,
    pub capacity: u64,
}

/// A source, whose cells all go to one channel of one output.
#[derive(Clone, Debug)]
pub struct Source {
    pub output: usize,
    pub vc: u32,
    /// Idle time before each train, and its cells.
    pub trains: Vec<(u64, u32)>,
}

impl Source {
    /// When each train arrives, and how many cells it has.
    pub fn arrivals(&self) -> VecDeque<(u64, u32)> {
        let mut next = CELL;
        let trains = self.trains.iter().map(|(gap, cells)| {
            let first = next + gap;
            next = first + u64::from(*cells) * CELL;
            (first, *cells)
        });
        trains.collect()
    }
}

/// When cells have left each output, and on which channel, in order.
pub type Departures = Vec<Vec<(u64, u32)>>;
