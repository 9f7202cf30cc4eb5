//! A meeting of threads, at which each waits for all others.
//!
//! A window of a run takes microseconds, and a thread that sleeps wakes up too late for the next
//! one; so threads spin. On a busy machine the other thread may have no processor, so a thread that
//! has spun for a while sleeps: to spin longer than it takes to wake up is never twice as bad as the
//! better of both (Karlin, Manasse, McGeoch and Owicki, "Competitive Randomized Algorithms for
//! Nonuniform Problems", Algorithmica 11, 1994). The barrier counts rounds, as that of Mellor-Crummey
//! and Scott, "Algorithms for Scalable Synchronization on Shared-Memory Multiprocessors", ACM
//! Transactions on Computer Systems 9(1), 1991, section 3.1, reverses its sense.

use std::hint::spin_loop;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Looks at the round before a thread sleeps, where each may have a processor: some 50 us.
const LOOKS: u32 = 2_000;

/// Threads that wait for each other, again and again.
pub(crate) struct Meeting {
    threads: u32,
    /// Looks at the round before a thread sleeps.
    looks: u32,
    waiting: AtomicU32,
    round: AtomicU32,
    is_off: AtomicBool,
    /// Threads that sleep, or are about to.
    sleepers: AtomicU32,
    lock: Mutex<()>,
    bell: Condvar,
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
            sleepers: AtomicU32::new(0),
            lock: Mutex::default(),
            bell: Condvar::new(),
        }
    }

    /// Waits until all threads wait; false if one of them has panicked.
    ///
    /// What each thread did before, all see afterwards.
    pub fn wait(&self) -> bool {
        let round = self.round.load(Ordering::Acquire);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.waiting.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            self.wake();
            return true;
        }
        for _ in 0..self.looks {
            if !self.goes_on(round) {
                return !self.is_off.load(Ordering::SeqCst);
            }
            spin_loop();
        }
        self.sleep(round);
        !self.is_off.load(Ordering::SeqCst)
    }

    /// True until the next round has begun.
    #[inline]
    fn goes_on(&self, round: u32) -> bool {
        self.round.load(Ordering::SeqCst) == round && !self.is_off.load(Ordering::SeqCst)
    }

    /// Sleeps until the next round has begun.
    fn sleep(&self, round: u32) {
        // Whoever begins the next round sees this, or this thread sees the round.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = self.bell.wait_while(guard, |()| self.goes_on(round));
        drop(guard);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Wakes all that sleep.
    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // A thread with the lock has not gone to sleep yet, and would not hear the bell.
            drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
            self.bell.notify_all();
        }
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
            self.0.is_off.store(true, Ordering::SeqCst);
            self.0.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets three threads meet a hundred times, after so many looks.
    fn meet(looks: u32) {
        let meeting = Meeting {
            looks,
            ..Meeting::new(3)
        };
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
    fn nobody_goes_on_before_all_have_come() {
        meet(0);
        meet(1);
        meet(LOOKS);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panics() {
        for looks in [0, LOOKS] {
            let meeting = Meeting {
                looks,
                ..Meeting::new(2)
            };
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
}
