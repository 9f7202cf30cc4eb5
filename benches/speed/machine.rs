//! The machine: its processor time, its memory, and its speed at the moment.

use std::collections::VecDeque;
use std::hint::black_box;

use models::cell::{Cell, Data};
use models::contents::ContentsId;
use models::vc::Vc;
use nix::sys::resource::{UsageWho, getrusage};

/// Seconds of processor time that this process has used.
pub fn processor_seconds() -> f64 {
    seconds(UsageWho::RUSAGE_SELF)
}

/// Seconds of processor time that processes it started, and that have ended, have used.
pub fn children_seconds() -> f64 {
    seconds(UsageWho::RUSAGE_CHILDREN)
}

fn seconds(who: UsageWho) -> f64 {
    let usage = getrusage(who).expect("a process can be asked of itself");
    let time = usage.user_time();
    time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6
}

/// Nanoseconds to push one cell into a ring buffer that holds a thousand and to pop another.
///
/// Only what comes out in the end is kept from the optimiser: to hide each cell from it would time
/// how long the processor waits to read back what it has just written, several times a ring.
pub fn ring_ns() -> f64 {
    const ROUNDS: u32 = 4_000_000;
    let cell = |pdu: u32| {
        let data = Data::new(pdu, ContentsId(2), pdu.is_multiple_of(192));
        Cell::data(Vc(1), data)
    };
    let cells: Vec<Cell> = (0..1024).map(cell).collect();
    let mut ring: VecDeque<Cell> = (0..1000).map(cell).collect();
    let began = processor_seconds();
    for round in 0..ROUNDS {
        ring.push_back(cells[round as usize % cells.len()]);
        black_box(&ring.pop_front());
    }
    (processor_seconds() - began) * 1e9 / f64::from(ROUNDS)
}
