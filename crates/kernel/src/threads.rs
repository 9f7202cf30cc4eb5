//! One run on several threads.
//!
//! A unit from another part arrives no sooner than the shortest lookahead of the links between
//! parts. So each part runs alone for a *window* of that length, which begins with the next event
//! of all; then the threads meet and exchange the units that they have sent to each other
//! (Fujimoto, "Parallel Discrete Event Simulation", CACM 33(10), 1990, on synchronous windows).
//! Each node handles the same events in the same order as with any other runner.

use std::iter;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::meeting::Meeting;
use crate::network::Network;
use crate::parts::{Division, Handed, Movable, Part, divide, unite};
use crate::run::{LONGEST_VISIT, Order};
use crate::time::{Duration, Time};

/// Runs the parts of a network, each on a thread of its own.
#[derive(Clone, Debug)]
pub struct Threads {
    /// Number of times that a node was run, for benchmarks.
    pub visits: u64,
    division: Division,
}

impl Threads {
    /// Runs networks in the parts of this division.
    pub fn new(division: Division) -> Threads {
        Threads {
            visits: 0,
            division,
        }
    }

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.division.parts()
    }

    /// Runs to `end`, or until nodes have been run about `visits` times; returns the time reached.
    ///
    /// Pauses change no result. Only the same division may continue the run.
    ///
    /// # Panics
    /// If a node panics, with its message, or if the system has no thread left.
    pub fn run_some<N: Movable>(
        &mut self,
        network: &mut Network<N>,
        end: Time,
        visits: u64,
    ) -> Time {
        let parts = divide(network, &self.division);
        let session = Session::new(&parts, end, visits);
        let done = thread::scope(|scope| {
            let _participant = session.meeting.join();
            let mut parts = parts.into_iter().enumerate();
            let (_, first) = parts.next().expect("at least one part");
            let others: Vec<_> = parts
                .map(|(number, part)| {
                    let session = &session;
                    scope.spawn(move || session.run(number, part))
                })
                .collect();
            let first = session.run(0, first);
            // All threads have to be asked, since one of them may have panicked.
            let others = others
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why)));
            let done: Vec<Option<Done<N>>> = iter::once(first).chain(others).collect();
            done.into_iter().collect::<Option<Vec<Done<N>>>>()
        });
        let done = done.expect("a thread stops early only if another has panicked");
        let reached = done[0].reached;
        self.visits += done.iter().map(|done| done.visits).sum::<u64>();
        let parts = done.into_iter().map(|done| done.part).collect();
        unite(network, parts, &self.division);
        reached
    }
}

/// A part that has been run.
struct Done<N: Movable> {
    part: Part<N>,
    reached: Time,
    visits: u64,
}

/// The data that the threads share from one pause to the next.
///
/// Reports and letters of a window stay until the meeting after the next, so there are two of each,
/// in turn.
struct Session<N: Movable> {
    meeting: Meeting,
    reports: Vec<[Report; 2]>,
    /// By the part that sends and the part that receives.
    letters: Vec<Vec<[Letters<N>; 2]>>,
    /// Length of a window.
    lookahead: Duration,
    end: Time,
    visits: u64,
}

/// Units from one part to another. Only one thread at a time uses them, so the lock is never
/// contended.
type Letters<N> = Mutex<Vec<Handed<N>>>;

/// The report of a thread about its part, before a meeting. Each report has cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct Report {
    /// Picoseconds of the next event in the part, or that the part has caused in others.
    next: AtomicU64,
    /// Number of times that a node was run.
    visits: AtomicU64,
}

impl<N: Movable> Session<N> {
    fn new(parts: &[Part<N>], end: Time, visits: u64) -> Session<N> {
        let lookahead = parts.iter().map(Part::lookahead).min();
        let lookahead = lookahead.map_or(LONGEST_VISIT, |least| least.min(LONGEST_VISIT));
        assert!(
            lookahead > Duration::ZERO,
            "a link without lookahead cannot join two parts"
        );
        let letters = parts.iter().map(|_| {
            let letters = parts.iter().map(|_| [(); 2].map(|()| Mutex::default()));
            letters.collect()
        });
        Session {
            meeting: Meeting::new(parts.len()),
            reports: parts.iter().map(|_| Default::default()).collect(),
            letters: letters.collect(),
            lookahead,
            end,
            visits,
        }
    }

    /// Runs a part, window after window; none if another thread has panicked.
    fn run(&self, number: usize, mut part: Part<N>) -> Option<Done<N>> {
        let mut participant = self.meeting.join();
        let mut order = Order::new(&mut part.network);
        let mut visits = 0;
        let mut turn = 0;
        loop {
            let sent = self.send(number, turn, &mut part);
            let report = &self.reports[number][turn];
            let next = order.first().min(sent);
            report.next.store(next.ps(), Ordering::Relaxed);
            report.visits.store(visits, Ordering::Relaxed);
            if !participant.wait() {
                return None;
            }
            self.receive(number, turn, &mut part, &mut order);
            let (start, total) = self.reported(turn);
            if start >= self.end || total >= self.visits {
                let reached = start.min(self.end);
                part.network.settle(reached);
                return Some(Done {
                    part,
                    reached,
                    visits,
                });
            }
            let until = (start + self.lookahead).min(self.end);
            visits += order.advance(&mut part.network, until, self.end, u64::MAX);
            turn = 1 - turn;
        }
    }

    /// Sends the units in the outboxes; returns the first arrival.
    fn send(&self, number: usize, turn: usize, part: &mut Part<N>) -> Time {
        let mut first = Time::NEVER;
        for (to, letters) in self.letters[number].iter().enumerate() {
            if part.leads_to(to) {
                let mut letters = letters[turn].lock().expect("no thread has panicked");
                first = first.min(part.hand_over(to, &mut letters));
            }
        }
        first
    }

    /// Receives the units that the other parts have sent.
    fn receive(&self, number: usize, turn: usize, part: &mut Part<N>, order: &mut Order) {
        part.network.wiring.rescheduled.clear();
        for from in &self.letters {
            let mut letters = from[number][turn].lock().expect("no thread has panicked");
            letters.drain(..).for_each(|handed| part.accept(handed));
        }
        for node in &part.network.wiring.rescheduled {
            order.note(&part.network, *node);
        }
    }

    /// The next event of all parts, and the visits so far.
    fn reported(&self, turn: usize) -> (Time, u64) {
        let reports = self.reports.iter().map(|reports| &reports[turn]);
        let next = reports.clone().map(|one| one.next.load(Ordering::Relaxed));
        let visits = reports.map(|one| one.visits.load(Ordering::Relaxed));
        let next = next.min().unwrap_or(u64::MAX);
        (Time::from_ps(next), visits.sum())
    }
}
