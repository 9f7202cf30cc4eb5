//! What it costs two threads to wait for each other.

use std::hint::spin_loop;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

const THREADS: u32 = 2;

/// Meetings that are timed together, and how often: other processes spoil some of them.
const MEETINGS: u32 = 1000;
const ROUNDS: usize = 300;

/// Prints, for each way to wait, nanoseconds a meeting: of the best round, and of the median round.
pub fn print() {
    let spinning = Spinning::default();
    let sleeping = Barrier::new(THREADS as usize);
    report("spinning", &|| spinning.wait());
    report("sleeping", &|| {
        sleeping.wait();
    });
}

fn report(name: &str, wait: &(impl Fn() + Sync)) {
    let mut rounds = std::thread::scope(|scope| {
        for _ in 1..THREADS {
            scope.spawn(|| (0..ROUNDS).for_each(|_| _ = round(wait)));
        }
        (0..ROUNDS).map(|_| round(wait)).collect::<Vec<f64>>()
    });
    rounds.sort_by(f64::total_cmp);
    println!("{name} {:.0} {:.0}", rounds[0], rounds[ROUNDS / 2]);
}

/// Nanoseconds a meeting.
fn round(wait: &impl Fn()) -> f64 {
    let began = Instant::now();
    (0..MEETINGS).for_each(|_| wait());
    began.elapsed().as_nanos() as f64 / f64::from(MEETINGS)
}

/// A barrier whose threads never give up their processors.
#[derive(Default)]
struct Spinning {
    waiting: AtomicU32,
    meetings: AtomicU32,
}

impl Spinning {
    fn wait(&self) {
        let meeting = self.meetings.load(Ordering::Acquire);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == THREADS {
            self.waiting.store(0, Ordering::Relaxed);
            self.meetings.store(meeting + 1, Ordering::Release);
        } else {
            while self.meetings.load(Ordering::Acquire) == meeting {
                spin_loop();
            }
        }
    }
}
