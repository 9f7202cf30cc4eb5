//! Counting at an output port.

use kernel::{Duration, Time};

use super::allocation::AllocationReading;
use super::series::{Dropped, Drops};

/// What an output port counts, in cells on a switch and in octets on a router.
#[derive(Clone, Debug, Default)]
pub struct PortMeter {
    vcs: Box<[VcCount]>,
    offered: u64,
    refused: u64,
    frames: u64,
    frames_damaged: u64,
    /// Frames whose last cell was refused.
    frames_refused: u64,
    waited: Sum,
    max_queue: u64,
    /// Units that were marked, if any may be.
    pub marked: Option<u64>,
    /// What credits do, if links are controlled by them.
    credit: Option<Box<CreditCount>>,
    /// What had happened when counting began, unless it began at the start.
    before: Option<Box<Before>>,
    /// What was refused and when, if that is recorded.
    pub drops: Option<Box<Drops>>,
}

/// A sum of picoseconds that 64 bits may not hold, but aligned like them: aligned to 16 octets, it
/// would make every port longer.
#[derive(Clone, Copy, Debug, Default)]
#[repr(Rust, packed(8))]
struct Sum(u128);

/// What is in a port at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Units that wait.
    pub waiting: u64,
    /// How long all of them will go on waiting, unit by unit, in picoseconds.
    pub rest: u128,
    /// How long the transmission under way will go on.
    pub serving: Duration,
}

/// What has passed at a port since it was last asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Elapsed {
    /// How long cells waited, all together, in picoseconds.
    pub waited: u128,
    /// How long the link was idle because all of them wanted credit.
    pub stalled: Duration,
}

/// What becomes of the frame of a cell that was accepted and is then lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harm {
    /// None: it was counted as damaged before, or the cell is of no frame.
    None,
    /// It has not come to its end, and is damaged when it does.
    Present,
    /// It was counted as whole when it ended, and is damaged all the same.
    Ended,
}

/// A count since the start of a run, warm-up included, for the conservation laws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Total {
    /// Cells, or octets.
    pub units: u64,
    /// Frames, each with its last cell.
    pub frames: u64,
}

/// The end of the warm-up.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    at: Time,
    /// What was there.
    backlog: Backlog,
    /// Since the start of the run.
    accepted: Total,
    refused: Total,
    rm_refused: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct CreditCount {
    /// Credits sent.
    sent: u64,
    /// How long the link was idle because all that waited wanted credit, if it is controlled.
    stalled: Option<Duration>,
}

impl CreditCount {
    fn reset(self) -> CreditCount {
        CreditCount {
            sent: 0,
            stalled: self.stalled.map(|_| Duration::ZERO),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct VcCount {
    refused: u64,
    /// RM cells among those.
    rm_refused: u32,
    /// Part of the present PDU was refused.
    damaged: bool,
}

impl PortMeter {
    /// Nothing counted yet.
    pub fn new(vcs: usize) -> PortMeter {
        PortMeter {
            vcs: vec![VcCount::default(); vcs].into(),
            ..PortMeter::default()
        }
    }

    /// Starts again at `now`, when `backlog` is there.
    pub fn begin(&mut self, now: Time, backlog: Backlog) {
        let before = Before {
            at: now,
            backlog,
            accepted: self.accepted_ever(),
            refused: self.refused_ever(),
            rm_refused: self.rm_refused_ever(),
        };
        for vc in &mut self.vcs {
            vc.refused = 0;
            vc.rm_refused = 0;
        }
        *self = PortMeter {
            vcs: std::mem::take(&mut self.vcs),
            before: (now > Time::ZERO).then(|| Box::new(before)),
            max_queue: backlog.waiting,
            marked: self.marked.map(|_| 0),
            credit: self.credit.take().map(|count| Box::new(count.reset())),
            drops: self.drops.take(),
            ..PortMeter::default()
        };
    }

    /// `size` units on `vc` join the queue, will wait for `wait`, and make it `queue` long.
    #[inline]
    pub fn accept(&mut self, vc: usize, size: u64, eom: bool, wait: Duration, queue: u64) {
        if eom {
            self.frames += 1;
            self.frames_damaged += u64::from(std::mem::take(&mut self.vcs[vc].damaged));
        }
        self.offered += size;
        self.waited.0 += u128::from(wait.ps()) * u128::from(size);
        self.max_queue = self.max_queue.max(queue);
    }

    /// From the start on, what wants credit stalls the link.
    pub fn wait_for_credit(&mut self) {
        self.credit.get_or_insert_default().stalled = Some(Duration::ZERO);
    }

    /// A credit is sent.
    pub fn credit(&mut self) {
        self.credit.get_or_insert_default().sent += 1;
    }

    /// What has passed, beyond what was known of units when they were accepted.
    #[inline]
    pub fn elapsed(&mut self, elapsed: Elapsed) {
        self.waited.0 += elapsed.waited;
        if elapsed.stalled > Duration::ZERO
            && let Some(CreditCount {
                stalled: Some(stalled),
                ..
            }) = self.credit.as_deref_mut()
        {
            *stalled += elapsed.stalled;
        }
    }

    /// `size` units that are accepted are marked.
    pub fn mark(&mut self, size: u64) {
        if let Some(marked) = &mut self.marked {
            *marked += size;
        }
    }

    /// `size` units that go together are refused.
    pub fn refuse(&mut self, now: Time, unit: Dropped, size: u64) {
        let Dropped { vc, eom, .. } = unit;
        self.vcs[vc].refused += size;
        if unit.pdu.is_none() {
            self.vcs[vc].rm_refused += 1;
        } else {
            self.vcs[vc].damaged = !eom;
        }
        if eom {
            self.frames += 1;
            self.frames_damaged += 1;
        }
        self.offered += size;
        self.refused += size;
        self.frames_refused += u64::from(eom);
        if let Some(drops) = &mut self.drops {
            drops.push(now, unit);
        }
    }

    /// Whether part of the present PDU of a VC was refused.
    pub fn is_damaged(&self, vc: usize) -> bool {
        self.vcs[vc].damaged
    }

    /// A unit that was accepted is lost: it counts as refused.
    pub fn push_out(&mut self, now: Time, unit: Dropped, harm: Harm) {
        let Dropped { vc, pdu, eom } = unit;
        self.vcs[vc].refused += 1;
        self.vcs[vc].rm_refused += u32::from(pdu.is_none());
        self.vcs[vc].damaged |= harm == Harm::Present;
        self.refused += 1;
        self.frames_damaged += u64::from(harm == Harm::Ended);
        self.frames_refused += u64::from(eom);
        if let Some(drops) = &mut self.drops {
            drops.push(now, unit);
        }
    }

    /// What had happened when counting began.
    fn before(&self) -> Before {
        self.before.as_deref().copied().unwrap_or_default()
    }

    /// What was refused since the start of the run.
    pub fn refused_ever(&self) -> Total {
        let before = self.before().refused;
        Total {
            units: before.units + self.refused,
            frames: before.frames + self.frames_refused,
        }
    }

    /// RM cells that were refused since the start of the run.
    pub fn rm_refused_ever(&self) -> u64 {
        self.before().rm_refused + self.rm_refused().sum::<u64>()
    }

    /// RM cells refused on each VC since counting began.
    pub fn rm_refused(&self) -> impl Iterator<Item = u64> + '_ {
        self.vcs.iter().map(|vc| u64::from(vc.rm_refused))
    }

    /// What was accepted since the start of the run.
    pub fn accepted_ever(&self) -> Total {
        let before = self.before().accepted;
        Total {
            units: before.units + self.offered - self.refused,
            frames: before.frames + self.frames - self.frames_refused,
        }
    }

    /// What was counted until `now`, when `after` is there.
    pub fn read(&self, now: Time, after: Backlog) -> PortReading {
        let Before { at, backlog, .. } = self.before();
        let waited = (self.waited.0 + backlog.rest).saturating_sub(after.rest);
        let accepted = self.offered - self.refused;
        PortReading {
            span: now.since(at),
            offered: self.offered,
            refused: self.refused,
            frames: self.frames,
            frames_damaged: self.frames_damaged,
            begun: accepted + backlog.waiting - after.waiting,
            serving_before: backlog.serving,
            serving_after: after.serving,
            // Little's law: the time-average queue is the time waited by all over the time passed.
            mean_queue: waited as f64 / now.since(at).ps().max(1) as f64,
            max_queue: self.max_queue,
            marked: self.marked,
            credits: self.credit.as_ref().map_or(0, |count| count.sent),
            stalled: self.credit.as_ref().and_then(|count| count.stalled),
            refused_by_vc: self.vcs.iter().map(|vc| vc.refused).collect(),
            allocation: None,
        }
    }
}

/// What a port has counted.
#[derive(Clone, Debug)]
pub struct PortReading {
    /// Time counted over.
    pub span: Duration,
    /// Units offered to the buffer.
    pub offered: u64,
    /// Units refused.
    pub refused: u64,
    /// PDUs or packets offered.
    pub frames: u64,
    /// Those of which any part was refused.
    pub frames_damaged: u64,
    /// Units whose transmission began.
    pub begun: u64,
    /// How long the transmission under way at the beginning went on.
    pub serving_before: Duration,
    /// How long the transmission under way at the end will go on.
    pub serving_after: Duration,
    /// Mean number of units waiting.
    pub mean_queue: f64,
    /// Largest number of units waiting.
    pub max_queue: u64,
    /// Units that were marked, if any may be.
    pub marked: Option<u64>,
    /// Credits sent.
    pub credits: u64,
    /// How long the link was idle because all that waited wanted credit, if it is controlled.
    pub stalled: Option<Duration>,
    /// Units refused on each VC.
    pub refused_by_vc: Vec<u64>,
    /// What an allocator of rates came to, if there is one that measures.
    pub allocation: Option<AllocationReading>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    fn dropped(eom: bool) -> Dropped {
        Dropped {
            vc: 0,
            pdu: Some(1),
            eom,
        }
    }

    #[test]
    fn counts_what_began_to_be_sent_since_the_warm_up() {
        let mut meter = PortMeter::new(1);
        meter.accept(0, 1, false, Duration::ZERO, 0);
        // Two wait at the end of the warm-up, for 1 and 2 us.
        let before = Backlog {
            waiting: 2,
            rest: 3_000_000,
            ..Backlog::default()
        };
        meter.begin(US(10), before);
        meter.accept(0, 1, true, Duration::from_us(3), 3);
        meter.refuse(US(11), dropped(false), 1);
        let reading = meter.read(US(20), Backlog::default());
        assert_eq!((reading.offered, reading.refused, reading.begun), (2, 1, 3));
        assert!((reading.mean_queue - 0.6).abs() < 1e-12);
        assert_eq!(reading.max_queue, 3);
    }

    #[test]
    fn a_frame_is_damaged_once_however_much_of_it_is_refused() {
        let mut meter = PortMeter::new(1);
        for (refused, eom) in [(true, false), (true, false), (false, true), (false, true)] {
            if refused {
                meter.refuse(US(0), dropped(eom), 1);
            } else {
                meter.accept(0, 1, eom, Duration::ZERO, 0);
            }
        }
        meter.refuse(US(0), dropped(true), 1);
        let reading = meter.read(US(1), Backlog::default());
        assert_eq!((reading.frames, reading.frames_damaged), (3, 2));
    }
}
