//! A switch that keeps the cells of an output in a list, and looks at one after another.

use super::case::{CELL, CHANNELS, Case, Departures};

/// What the naive switch sends: it takes all arrivals in order, each after what leaves before it.
pub fn expected(case: &Case) -> Departures {
    let mut arrivals = Vec::new();
    for (number, source) in case.sources.iter().enumerate() {
        for (first, cells) in source.arrivals() {
            // What continues a train goes before what begins one.
            let cells = (0..u64::from(cells)).map(|cell| (first + cell * CELL, cell == 0, number));
            arrivals.extend(cells);
        }
    }
    arrivals.sort_unstable();
    let mut outputs: Vec<Naive> = case.outputs.iter().map(|time| Naive::new(*time)).collect();
    for (now, _, number) in arrivals {
        let source = &case.sources[number];
        for output in &mut outputs {
            output.serve(now, case.round_robin);
        }
        let waiting = |output: &Naive| output.waiting.len() as u64;
        let occupied: u64 = if case.shared {
            outputs.iter().map(waiting).sum()
        } else {
            waiting(&outputs[source.output])
        };
        if occupied < case.capacity {
            outputs[source.output].take(now, source.vc, case.round_robin);
        }
    }
    for output in &mut outputs {
        output.serve(u64::MAX, case.round_robin);
    }
    outputs.into_iter().map(|output| output.left).collect()
}

/// An output that keeps its cells in order of arrival, and searches them for the one to send.
struct Naive {
    cell_time: u64,
    free_at: u64,
    /// Channel of each cell.
    waiting: Vec<u32>,
    /// Channel served last.
    last: u32,
    left: Vec<(u64, u32)>,
}

impl Naive {
    fn new(cell_time: u64) -> Naive {
        Naive {
            cell_time,
            free_at: 0,
            waiting: Vec::new(),
            last: CHANNELS - 1,
            left: Vec::new(),
        }
    }

    /// Sends what starts before or at `now`.
    fn serve(&mut self, now: u64, round_robin: bool) {
        while !self.waiting.is_empty() && self.free_at <= now {
            self.start(self.free_at, round_robin);
        }
    }

    /// Takes a cell, which starts at once if it finds the link free.
    fn take(&mut self, now: u64, vc: u32, round_robin: bool) {
        self.waiting.push(vc);
        if self.free_at <= now {
            self.start(now, round_robin);
        }
    }

    fn start(&mut self, start: u64, round_robin: bool) {
        let mut place = 0;
        if round_robin {
            // The channel that comes next after the last one, which itself comes last.
            let after = |vc: u32| (vc + CHANNELS - self.last - 1) % CHANNELS;
            for (other, vc) in self.waiting.iter().enumerate() {
                if after(*vc) < after(self.waiting[place]) {
                    place = other;
                }
            }
        }
        self.last = self.waiting.remove(place);
        self.free_at = start + self.cell_time;
        self.left.push((self.free_at, self.last));
    }
}
