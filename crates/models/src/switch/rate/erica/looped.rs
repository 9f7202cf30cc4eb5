//! A control loop of sources, one output and its rate allocator, for tests of the rates in the
//! steady state.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use kernel::{Duration, Time};

use crate::abr::RmCell;
use crate::output::discard::Buffer;
use crate::output::scheduler::SchedulerSpec;
use crate::switch::rate::{Allocator, Queues, Supply, UnitPassage};
use crate::wire::vc::Vc;

/// Rate of a link of 155.52 Mbit/s less the overhead of SONET, in cells per second.
const LINK: f64 = 149.76e6 / 424.0;

/// A source that sends at its allowed rate, up to a limit of its own.
#[derive(Clone, Copy)]
pub struct LoopedSource {
    /// Allowed cell rate, in cells per second.
    pub acr: f64,
    /// Minimum cell rate, in cells per second.
    pub mcr: f64,
    /// Largest rate of its data, in cells per second.
    pub limit: f64,
    /// Times of its start and its end, in seconds.
    pub active: [f64; 2],
    sent: u64,
}

impl LoopedSource {
    /// A source with an initial rate of `mbits` Mbit/s.
    pub fn at(mbits: f64) -> LoopedSource {
        LoopedSource {
            acr: mbits * 1e6 / 424.0,
            mcr: 0.0,
            limit: LINK,
            active: [0.0, f64::INFINITY],
            sent: 0,
        }
    }

    /// The source with a minimum cell rate of `mbits` Mbit/s.
    pub fn mcr(self, mbits: f64) -> LoopedSource {
        let mcr = mbits * 1e6 / 424.0;
        LoopedSource { mcr, ..self }
    }

    /// The source with at most `mbits` Mbit/s of data.
    pub fn limited(self, mbits: f64) -> LoopedSource {
        let limit = mbits * 1e6 / 424.0;
        LoopedSource { limit, ..self }
    }
}

/// An event of the loop.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A source sends a cell.
    Cell(u32),
    /// The oldest RM cell in flight of a source returns to the output and to the source.
    Return(u32),
}

/// Sources at one output. Cells reach the output at once; RM cells return to it, and to the source,
/// after a delay.
pub struct Looped {
    allocator: Box<dyn Allocator>,
    sources: Vec<LoopedSource>,
    delay: Duration,
    events: BinaryHeap<Reverse<(Time, Event)>>,
    travelling: Vec<VecDeque<RmCell>>,
    free_at: Time,
}

impl Looped {
    /// A loop in which feedback takes `delay`.
    pub fn new(spec: &super::Erica, sources: &[LoopedSource], delay: Duration) -> Looped {
        let supply = Supply {
            buffer: Buffer::of_cells(100_000, 53, sources.len()),
            link: LINK,
            scheduler: SchedulerSpec::default(),
        };
        let starts = sources.iter().zip(0u32..).map(|(source, number)| {
            let start = Time::ZERO + Duration::from_seconds_f64(source.active[0]);
            Reverse((start, Event::Cell(number)))
        });
        Looped {
            allocator: spec.build(&supply),
            sources: sources.to_vec(),
            delay,
            events: starts.collect(),
            travelling: vec![VecDeque::new(); sources.len()],
            free_at: Time::ZERO,
        }
    }

    /// Runs until `until` seconds, and returns the allowed rate of each source at that time, in
    /// Mbit/s.
    pub fn run(&mut self, until: f64) -> Vec<f64> {
        let until = Time::ZERO + Duration::from_seconds_f64(until);
        while let Some(Reverse((now, event))) = self.events.pop() {
            if now >= until {
                self.events.push(Reverse((now, event)));
                break;
            }
            while self.allocator.due() <= now {
                let queue = self.queue(self.allocator.due());
                self.allocator.act(Queues::of(queue), Time::ZERO);
            }
            match event {
                Event::Cell(source) => self.send(now, source),
                Event::Return(source) => self.return_rm(now, source),
            }
        }
        let sources = self.sources.iter();
        sources.map(|source| source.acr * 424.0 / 1e6).collect()
    }

    /// Cells that wait.
    fn queue(&self, now: Time) -> u64 {
        (self.free_at.since(now).seconds() * LINK) as u64
    }

    fn send(&mut self, now: Time, number: u32) {
        let queue = self.queue(now);
        let vc = Vc(number);
        let source = &mut self.sources[number as usize];
        if now.seconds() >= source.active[1] {
            return;
        }
        let queues = Queues::of(queue);
        let at = UnitPassage { now, vc, queues };
        if source.sent.is_multiple_of(32) {
            let mut rm = RmCell {
                ccr: source.acr,
                mcr: source.mcr,
                er: LINK,
                ..RmCell::default()
            };
            self.allocator.on_forward(at, &mut rm);
            self.travelling[vc.index()].push_back(rm);
            let event = Event::Return(number);
            self.events.push(Reverse((now + self.delay, event)));
        } else {
            self.allocator.on_cell(at);
        }
        source.sent += 1;
        self.free_at = self.free_at.max(now) + Duration::from_seconds_f64(1.0 / LINK);
        let gap = Duration::from_seconds_f64(1.0 / source.acr.min(source.limit));
        self.events.push(Reverse((now + gap, Event::Cell(number))));
    }

    fn return_rm(&mut self, now: Time, number: u32) {
        let vc = Vc(number);
        let rm = self.travelling[vc.index()].pop_front();
        let mut rm = rm.expect("an RM cell travels");
        let queues = Queues::of(self.queue(now));
        self.allocator
            .on_backward(UnitPassage { now, vc, queues }, &mut rm);
        let source = &mut self.sources[number as usize];
        source.acr = rm.er.max(source.mcr).max(1.0);
    }
}
