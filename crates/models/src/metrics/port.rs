//! Counts at an output port.
//!
//! This file may be written for speed. Its code runs for every cell.

mod reading;
mod trimming;

use kernel::{Duration, Time};

use super::backlog::{Backlog, Elapsed};
use super::cause::Cause;
use super::drops::{DroppedUnit, Drops, Harm};
use super::rare::Rare;
use super::total::Total;

/// Counts of an output port, in cells on a switch and in octets on a router.
#[derive(Clone, Debug, Default)]
pub struct PortMeter {
    vcs: Box<[VcCount]>,
    offered: u64,
    dropped: u64,
    packets: u64,
    packets_damaged: u32,
    /// Packets whose last cell was dropped.
    packets_dropped: u32,
    waited: Sum,
    max_queue: u64,
    /// Counters used by few ports.
    rare: Option<Box<Rare>>,
    /// Counts at the end of the warm-up; none if counting began at the start of the run.
    before: Option<Box<Before>>,
    /// Drops with their times, if they are recorded.
    pub drops: Option<Box<Drops>>,
}

/// A sum of picoseconds, aligned to 8 octets: an alignment of 16 octets would enlarge every port.
#[derive(Clone, Copy, Debug, Default)]
#[repr(Rust, packed(8))]
struct Sum(u128);

/// State at the end of the warm-up.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    at: Time,
    /// The queue of the port, and the transmission in progress.
    backlog: Backlog,
    /// Units accepted since the start of the run.
    accepted: Total,
    dropped: Total,
    rm_dropped: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct VcCount {
    dropped: u64,
    /// RM cells among the dropped units.
    rm_dropped: u32,
    /// True if the latest dropped unit fitted into the buffer.
    fitted: bool,
    /// Cause of the last drop.
    cause: Cause,
    /// True if part of the present PDU was dropped.
    damaged: bool,
    /// Cause of the first drop of the present PDU.
    first: Cause,
}

impl PortMeter {
    /// A meter before the first unit.
    pub fn new(vcs: usize) -> PortMeter {
        PortMeter {
            vcs: vec![VcCount::default(); vcs].into(),
            ..PortMeter::default()
        }
    }

    /// Restarts the counts at `now`, with `backlog` in the port.
    pub fn begin(&mut self, now: Time, backlog: Backlog) {
        let before = Before {
            at: now,
            backlog,
            accepted: self.accepted_ever(),
            dropped: self.dropped_ever(),
            rm_dropped: self.rm_dropped_ever(),
        };
        for vc in &mut self.vcs {
            vc.dropped = 0;
            vc.rm_dropped = 0;
        }
        self.rare.iter_mut().for_each(|rare| rare.begin());
        *self = PortMeter {
            vcs: std::mem::take(&mut self.vcs),
            before: (now > Time::ZERO).then(|| Box::new(before)),
            max_queue: backlog.queue,
            rare: self.rare.take(),
            drops: self.drops.take(),
            ..PortMeter::default()
        };
    }

    /// Counts an accepted unit of `vc`: its size, its waiting time, and the queue length right
    /// after its arrival.
    #[inline]
    pub fn accept(&mut self, vc: usize, size: u64, eom: bool, wait: Duration, queue: u64) {
        if eom {
            self.packets += 1;
            self.packets_damaged += u32::from(std::mem::take(&mut self.vcs[vc].damaged));
        }
        self.offered += size;
        self.waited.0 += u128::from(wait.ps()) * u128::from(size);
        self.max_queue = self.max_queue.max(queue);
    }

    /// Follows the last burst of drops after a packet was accepted; `queue` is what waits then, in units
    /// of the port.
    #[inline]
    pub fn follow_burst(&mut self, queue: impl FnOnce() -> u64) {
        if self
            .rare
            .as_ref()
            .is_some_and(|rare| rare.counts.bursts.is_open())
        {
            let left = self.queued() - queue() as i64;
            self.rare.get_or_insert_default().counts.bursts.left(left);
        }
    }

    /// Units that have joined the queue since counting began, less those that were dropped from it:
    /// control frames do not wait there.
    fn queued(&self) -> i64 {
        let control = self.rare.as_ref().and_then(|rare| rare.counts.link_control);
        let offered = self.offered - control.unwrap_or(0);
        offered.wrapping_sub(self.dropped) as i64
    }

    /// Counts accepted cells that neither begin nor end a PDU: the sum of their waiting times, in
    /// picoseconds, and the longest queue right after one of their arrivals.
    pub fn accept_cells(&mut self, cells: u64, waited: u128, queue: u64) {
        self.offered += cells;
        self.waited.0 += waited;
        self.max_queue = self.max_queue.max(queue);
    }

    /// The longest queue so far.
    pub fn max_queue(&self) -> u64 {
        self.max_queue
    }

    /// Declares that cells wait for credit: from the start on, cells without credit stall the link.
    pub fn wait_for_credit(&mut self) {
        self.rare.get_or_insert_default().counts.stalled = Some(Duration::ZERO);
    }

    /// Declares that the port sends credits or check cells, which are counted from the start on.
    pub fn send_credits(&mut self) {
        self.rare.get_or_insert_default().counts.credits = Some(0);
    }

    /// A credit or a check cell is sent.
    pub fn credit(&mut self) {
        let rare = self.rare.as_mut();
        if let Some(sent) = rare.and_then(|rare| rare.counts.credits.as_mut()) {
            *sent += 1;
        }
    }

    /// Declares that the port sends control frames, which are counted from the start on.
    pub fn send_control(&mut self) {
        self.rare.get_or_insert_default().counts.link_control = Some(0);
    }

    /// A control frame of as many octets is sent, which counts as accepted too.
    pub fn control(&mut self, octets: u64) {
        self.offered += octets;
        let rare = self.rare.as_mut();
        if let Some(sent) = rare.and_then(|rare| rare.counts.link_control.as_mut()) {
            *sent += octets;
        }
    }

    /// Adds the waiting and idle times that were unknown when their units were accepted, as they
    /// are with a scheduler or with credit.
    #[inline]
    pub fn elapsed(&mut self, elapsed: Elapsed) {
        self.waited.0 += elapsed.waited;
        if elapsed.stalled > Duration::ZERO
            && let Some(rare) = &mut self.rare
            && let Some(stalled) = &mut rare.counts.stalled
        {
            *stalled += elapsed.stalled;
        }
    }

    /// Declares that the output marks units, which are counted from the start on.
    pub fn count_marks(&mut self) {
        self.rare.get_or_insert_default().counts.marked = Some(0);
    }

    /// Counts a mark on accepted units; `size` is their number.
    pub fn mark(&mut self, size: u64) {
        if let Some(marked) = self
            .rare
            .as_mut()
            .and_then(|rare| rare.counts.marked.as_mut())
        {
            *marked += size;
        }
    }

    /// Drops `size` units that belong together: a cell, several cells of one PDU, or the octets of
    /// a packet.
    // Inlined, because each caller knows whether it drops packets or cells.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn drop_unit(&mut self, now: Time, unit: DroppedUnit, size: u64) {
        let DroppedUnit { vc, eom, .. } = unit;
        let count = &mut self.vcs[vc];
        if unit.pdu.is_none() {
            // A discard policy drops only parts of packets, so an RM cell is dropped only if it
            // does not fit.
            self.turn(vc, Cause::Overflow);
        } else if count.damaged && count.cause == Cause::Threshold {
            // After a drop at a threshold, the rest of the PDU is dropped for the same cause.
            count.damaged = !eom;
        } else {
            self.find_cause(vc);
            self.vcs[vc].damaged = !eom;
        }
        if eom {
            self.packets += 1;
            self.packets_damaged += 1;
        }
        self.offered += size;
        self.count_drop(now, unit, size);
    }

    /// Drops a packet or a cell of `size` for `cause` before it is offered to the queue. The caller
    /// tells [`PortMeter::damage`] about a PDU whose last cell is still to come, or
    /// [`PortMeter::damage_in_place`] about every cell.
    pub fn refuse(&mut self, now: Time, unit: DroppedUnit, size: u64, cause: Cause) {
        self.turn(unit.vc, cause);
        self.packets += u64::from(unit.eom);
        self.packets_damaged += u32::from(unit.eom);
        self.offered += size;
        self.count_drop(now, unit, size);
    }

    /// The last cell of a PDU is offered next, of which earlier cells were dropped for `cause` before
    /// they were offered.
    pub fn damage(&mut self, vc: usize, cause: Cause) {
        if self.vcs[vc].damaged {
            return;
        }
        self.turn(vc, cause);
        let count = &mut self.vcs[vc];
        (count.damaged, count.first) = (true, cause);
    }

    /// A cell of the present PDU of a VC was refused for `cause` in the place of its offer: no earlier
    /// cell of the VC waits to be offered. `eom` is true if it is the last cell of the PDU.
    pub fn damage_in_place(&mut self, vc: usize, eom: bool, cause: Cause) {
        if eom {
            self.vcs[vc].damaged = false;
        } else {
            self.damage(vc, cause);
        }
    }

    /// Counts `size` units that are dropped, before or after they were accepted.
    // A part of `drop_unit`, which runs for every cell that a full queue drops.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    fn count_drop(&mut self, now: Time, unit: DroppedUnit, size: u64) {
        let count = &mut self.vcs[unit.vc];
        count.dropped += size;
        count.rm_dropped += u32::from(unit.pdu.is_none());
        self.dropped += size;
        self.packets_dropped += u32::from(unit.eom);
        let cause = count.cause;
        if unit.is_packet {
            let accepted = self.queued();
            let rare = self.rare.get_or_insert_default();
            rare.counts.bursts.drop(size, accepted);
        }
        if let Some(drops) = &mut self.drops {
            drops.push(now, unit, cause);
        }
    }

    /// Determines the cause of the next drop on a VC.
    #[inline(never)]
    fn find_cause(&mut self, vc: usize) {
        let count = &mut self.vcs[vc];
        let cause = Cause::of(count.fitted, count.damaged.then_some(count.first));
        if !count.damaged {
            count.first = cause;
        }
        if count.cause != cause {
            self.turn(vc, cause);
        }
    }

    /// Sets the cause of further drops on a VC.
    #[cold]
    fn turn(&mut self, vc: usize, cause: Cause) {
        let vcs = self.vcs.len();
        let count = &mut self.vcs[vc];
        let rare = self.rare.get_or_insert_default();
        rare.causes.turn(count.cause, vc, count.dropped, vcs);
        count.cause = cause;
    }

    /// Records, before a drop on a VC, whether the unit fits into the buffer, and the occupancy
    /// that it found if a policy was asked about it.
    #[inline]
    pub fn note_fit(&mut self, vc: usize, fitted: bool, found: Option<u64>) {
        self.vcs[vc].fitted = fitted;
        if let Some(drops) = &mut self.drops {
            drops.found = found;
        }
    }

    /// True if part of the present PDU of a VC was dropped.
    pub fn is_damaged(&self, vc: usize) -> bool {
        self.vcs[vc].damaged
    }

    /// Counts an accepted cell that is pushed out as dropped.
    pub fn push_out(&mut self, now: Time, unit: DroppedUnit, harm: Harm) {
        self.turn(unit.vc, Cause::PushedOut);
        let count = &mut self.vcs[unit.vc];
        if harm == Harm::Present && !count.damaged {
            count.damaged = true;
            count.first = Cause::PushedOut;
        }
        self.packets_damaged += u32::from(harm == Harm::Ended);
        self.count_removal(now, unit, 1);
    }

    /// Drops `size` accepted units for `cause`, which is [`Cause::Threshold`] or
    /// [`Cause::PushedOut`].
    pub fn drop_accepted(
        &mut self,
        now: Time,
        unit: DroppedUnit,
        size: u64,
        harm: Harm,
        cause: Cause,
    ) {
        let vc = unit.vc;
        self.turn(vc, cause);
        let count = &mut self.vcs[vc];
        if harm == Harm::Present && !count.damaged {
            count.damaged = true;
            count.first = cause;
        }
        self.packets_damaged += u32::from(harm == Harm::Ended);
        self.count_removal(now, unit, size);
        // The PDU that arrives has causes of its own: after any cause but `Threshold` its next drop
        // looks for them.
        self.turn(vc, Cause::PushedOut);
    }

    fn count_removal(&mut self, now: Time, unit: DroppedUnit, size: u64) {
        self.rare.get_or_insert_default().counts.removed += size;
        self.count_drop(now, unit, size);
    }

    /// Counts at the time when counting began.
    fn before(&self) -> Before {
        self.before.as_deref().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    fn dropped(eom: bool) -> DroppedUnit {
        DroppedUnit {
            vc: 0,
            pdu: Some(1),
            eom,
            is_packet: true,
        }
    }

    #[test]
    fn counts_transmissions_begun_since_the_warm_up() {
        let mut meter = PortMeter::new(1);
        meter.accept(0, 1, false, Duration::ZERO, 0);
        // Two units wait at the end of the warm-up, for 1 and 2 us.
        let before = Backlog {
            waiting: 2,
            rest: 3_000_000,
            ..Backlog::default()
        };
        meter.begin(US(10), before);
        meter.accept(0, 1, true, Duration::from_us(3), 3);
        meter.drop_unit(US(11), dropped(false), 1);
        let reading = meter.read(US(20), Backlog::default());
        assert_eq!((reading.offered, reading.dropped, reading.begun), (2, 1, 3));
        assert!((reading.mean_queue - 0.6).abs() < 1e-12);
        assert_eq!(reading.max_queue, 3);
    }

    /// Pause frames and messages about credits pass the queue: however many leave, what waited at the last
    /// drop still waits.
    #[test]
    fn control_frames_end_no_burst_of_drops() {
        let mut meter = PortMeter::new(1);
        meter.send_control();
        meter.control(64);
        meter.accept(0, 1000, true, Duration::ZERO, 1000);
        meter.drop_unit(US(1), dropped(true), 1000);
        for _ in 0..20 {
            meter.control(64);
        }
        meter.accept(0, 500, true, Duration::ZERO, 1500);
        meter.follow_burst(|| 1500);
        meter.drop_unit(US(2), dropped(true), 500);
        let bursts = |meter: &PortMeter| meter.rare.as_ref().map(|rare| rare.counts.bursts.count);
        assert_eq!(bursts(&meter), Some(1));
        // All that waited has left.
        meter.accept(0, 500, true, Duration::ZERO, 500);
        meter.follow_burst(|| 500);
        meter.drop_unit(US(3), dropped(true), 500);
        assert_eq!(bursts(&meter), Some(2));
    }

    #[test]
    #[should_panic(expected = "drops by VC add up")]
    fn a_drop_without_a_vc_is_noticed() {
        let mut meter = PortMeter::new(1);
        meter.dropped += 1;
        meter.assert_drops_add_up();
    }

    #[test]
    fn a_packet_counts_as_damaged_once_however_many_cells_are_dropped() {
        let mut meter = PortMeter::new(1);
        for (is_dropped, eom) in [(true, false), (true, false), (false, true), (false, true)] {
            if is_dropped {
                meter.drop_unit(US(0), dropped(eom), 1);
            } else {
                meter.accept(0, 1, eom, Duration::ZERO, 0);
            }
        }
        meter.drop_unit(US(0), dropped(true), 1);
        let reading = meter.read(US(1), Backlog::default());
        assert_eq!((reading.packets, reading.packets_damaged), (3, 2));
    }

    /// Three packets: the first loses two cells, the second its last cell, and the third none.
    #[test]
    fn a_packet_counts_as_damaged_once_however_many_cells_are_dropped_in_place() {
        let mut meter = PortMeter::new(1);
        for (is_lost, eom) in [
            (true, false),
            (true, false),
            (false, true),
            (false, false),
            (true, true),
            (false, true),
        ] {
            if is_lost {
                meter.refuse(US(0), dropped(eom), 1, Cause::Knockout);
                meter.damage_in_place(0, eom, Cause::Knockout);
            } else {
                meter.accept(0, 1, eom, Duration::ZERO, 0);
            }
        }
        let reading = meter.read(US(1), Backlog::default());
        assert_eq!((reading.packets, reading.packets_damaged), (3, 2));
        assert_eq!((reading.offered, reading.dropped), (6, 3));
    }
}
