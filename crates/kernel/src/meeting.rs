//! A meeting of threads, at which each waits for all others.
//!
//! A window of a run takes microseconds, and a thread that sleeps wakes up too late for the next
//! one; so threads spin. On a busy machine the other thread may have no processor, so a thread that
//! has spun for a while sleeps, and does so at once at its next meetings: whether spinning pays is
//! guessed from what happened last (Karlin, Li, Manasse and Owicki, "Empirical Studies of Competitive
//! Spinning for a Shared-Memory Multiprocessor", SOSP 1991). The barrier counts rounds, as that of
//! Mellor-Crummey and Scott, "Algorithms for Scalable Synchronization on Shared-Memory
//! Multiprocessors", ACM Transactions on Computer Systems 9(1), 1991, section 3.1, reverses its sense.

use std::hint::spin_loop;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// Looks at the round before a thread sleeps, where each may have a processor: some 50 us.
const LOOKS: u32 = 2_000;

/// Meetings at which a thread sleeps at once, after one at which it spun in vain.
const TIRED: u32 = 64;

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

    /// True until the next round has begun.
    #[inline]
    fn goes_on(&self, round: u32) -> bool {
        self.round.load(Ordering::SeqCst) == round && !self.is_off.load(Ordering::SeqCst)
    }

    /// Sleeps until the next round has begun.
    fn sleep(&self, round: u32) {
        // The thread that begins the next round sees this store, or this thread sees that round.
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
        Participant {
            meeting: self,
            tired: 0,
        }
    }
}

/// A thread of a meeting.
pub(crate) struct Participant<'a> {
    meeting: &'a Meeting,
    /// Meetings to come at which it sleeps at once.
    tired: u32,
}

impl Participant<'_> {
    /// Waits until all threads wait; false if one of them has panicked.
    ///
    /// After the meeting every thread sees the writes of all threads before the meeting.
    pub fn wait(&mut self) -> bool {
        let meeting = self.meeting;
        let round = meeting.round.load(Ordering::Acquire);
        if meeting.waiting.fetch_add(1, Ordering::AcqRel) + 1 == meeting.threads {
            meeting.waiting.store(0, Ordering::Relaxed);
            meeting.round.store(round.wrapping_add(1), Ordering::SeqCst);
            meeting.wake();
            return true;
        }
        if !self.spin(round) {
            meeting.sleep(round);
        }
        !meeting.is_off.load(Ordering::SeqCst)
    }

    /// Looks at the round for a while; true if the next one has begun.
    fn spin(&mut self, round: u32) -> bool {
        if self.tired > 0 {
            self.tired -= 1;
            return false;
        }
        for _ in 0..self.meeting.looks {
            if !self.meeting.goes_on(round) {
                return true;
            }
            spin_loop();
        }
        self.tired = TIRED;
        false
    }
}

impl Drop for Participant<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.meeting.is_off.store(true, Ordering::SeqCst);
            self.meeting.wake();
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
                    let mut participant = meeting.join();
                    for round in 1..=100 {
                        came.fetch_add(1, Ordering::Relaxed);
                        assert!(participant.wait());
                        assert!(came.load(Ordering::Relaxed) >= 3 * round);
                        assert!(participant.wait());
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
                assert!(!meeting.join().wait());
                assert!(panics.join().is_err());
            });
        }
    }
}
