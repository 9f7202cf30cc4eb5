//! A meeting of threads, at which each waits for all others.
//!
//! A window of a run takes microseconds, and a thread that sleeps wakes up too late for the next
//! one; so threads spin. On a busy machine the other thread may have no processor, and a thread
//! that has spun for a while offers its own. The barrier counts rounds as that of Mellor-Crummey
//! and Scott, "Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors", ACM
//! Transactions on Computer Systems 9(1), 1991, section 3.1, reverses its sense.

use std::hint::spin_loop;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

/// Looks at the round before a thread offers its processor, where each may have one: some 50 us.
const LOOKS: u32 = 2_000;

/// Threads that wait for each other, again and again.
pub(crate) struct Meeting {
    threads: u32,
    /// Looks at the round before a thread offers its processor.
    looks: u32,
    waiting: AtomicU32,
    round: AtomicU32,
    is_off: AtomicBool,
}

impl Meeting {
    /// A meeting of so many threads.
    pub fn new(threads: usize) -> Meeting {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Meeting {
            threads: threads as u32,
            looks: if threads <= processors { LOOKS } else { 0 },
            waiting: AtomicU32::new(0),
            round: AtomicU32::new(0),
            is_off: AtomicBool::new(false),
        }
    }

    /// Waits until all threads wait; false if one of them has panicked.
    ///
    /// What each thread did before, all see afterwards.
    pub fn wait(&self) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.waiting.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return true;
        }
        let mut looks = 0;
        while self.round.load(Ordering::Acquire) == round {
            if self.is_off.load(Ordering::Relaxed) {
                return false;
            }
            if looks < self.looks {
                looks += 1;
                spin_loop();
            } else {
                thread::yield_now();
            }
        }
        true
    }

    /// A thread that takes part: no other waits for it if it panics.
    pub fn join(&self) -> Participant<'_> {
        Participant(self)
    }
}

/// A thread of a meeting.
pub(crate) struct Participant<'a>(&'a Meeting);

impl Drop for Participant<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.is_off.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_goes_on_before_all_have_come() {
        let meeting = Meeting::new(3);
        let came = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=100 {
                        came.fetch_add(1, Ordering::Relaxed);
                        assert!(meeting.wait());
                        assert!(came.load(Ordering::Relaxed) >= 3 * round);
                        assert!(meeting.wait());
                    }
                });
            }
        });
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panics() {
        let meeting = Meeting::new(2);
        thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let _participant = meeting.join();
                panic!("a test");
            });
            assert!(!meeting.wait());
            assert!(panics.join().is_err());
        });
    }
}
