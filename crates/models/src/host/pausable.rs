//! Packets that wait at an interface whose link may be paused.
//!
//! A packet joins the queue of its priority, and starts when the link is free. Of the priorities that
//! are not paused, the packet that was handed over first goes first, so that a link that is never
//! paused sends in the order of an interface without pauses. IEEE 802.1Qbb, 2011, clause 36: a packet
//! that has started is not interrupted.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::nic::Nic;
use crate::pause::PauseGate;
use crate::wire::priority::{ByPriority, Priority, PrioritySet};
use crate::wire::unit::{ControlFrame, Outlet, PacketUnit};

/// The packets of an interface to a link that may be paused.
pub struct PausablePackets {
    /// The paused priorities.
    pub gate: PauseGate,
    /// Priority of each virtual channel.
    priorities: Box<[Priority]>,
    /// Waiting packets by priority, each with its number in the order of all.
    waiting: ByPriority<VecDeque<(u64, PacketUnit)>>,
    /// Number of packets that have been handed over.
    handed_over: u64,
    /// End of the transmission of the last packet that started.
    free_at: Time,
    /// Start of the next packet; [`Time::NEVER`] if none may start.
    start_at: Time,
    vcs: Box<[VcBacklog]>,
}

/// The time in which packets of a virtual channel wait or are being sent.
#[derive(Clone, Copy, Default)]
struct VcBacklog {
    /// Number of waiting packets.
    waiting: u32,
    /// End of the transmission of the last packet that started.
    sent: Time,
    /// Time since which packets have waited or have been sent without a break.
    since: Time,
    /// Such time before.
    before: Duration,
}

impl VcBacklog {
    /// Such time until `now`, since counting began.
    fn until(&self, now: Time) -> Duration {
        let end = if self.waiting > 0 {
            now
        } else {
            self.sent.min(now)
        };
        self.before + end.since(self.since)
    }

    fn push(&mut self, now: Time) {
        if self.waiting == 0 && self.sent <= now {
            self.before = self.until(now);
            self.since = now;
        }
        self.waiting += 1;
    }

    fn begin(&mut self, now: Time) {
        self.before = Duration::ZERO;
        self.since = now;
    }
}

impl PausablePackets {
    /// No packets, at an interface whose virtual channels have these priorities.
    pub fn new(gate: PauseGate, priorities: Box<[Priority]>) -> PausablePackets {
        PausablePackets {
            gate,
            vcs: vec![VcBacklog::default(); priorities.len()].into(),
            priorities,
            waiting: Default::default(),
            handed_over: 0,
            free_at: Time::ZERO,
            start_at: Time::NEVER,
        }
    }

    /// Time at which a packet may start, or at which a pause begins or ends.
    #[inline]
    pub fn next_wake(&self) -> Time {
        self.start_at.min(self.gate.next_change())
    }

    /// A packet is handed over at `now`; it starts no earlier than [`PausablePackets::next_wake`].
    pub fn push(&mut self, now: Time, packet: PacketUnit) {
        let vc = packet.vc.index();
        self.vcs[vc].push(now);
        self.waiting[self.priorities[vc].index()].push_back((self.handed_over, packet));
        self.handed_over += 1;
        self.schedule(now);
    }

    /// Takes the packet that starts at `now`, if one does; pauses that begin or end at `now` do so
    /// before. The caller reports the end of its transmission to [`PausablePackets::sent`].
    pub fn wake(&mut self, now: Time) -> Option<PacketUnit> {
        if self.gate.next_change() <= now {
            self.gate.change(now);
            self.schedule(now);
        }
        if self.start_at > now {
            return None;
        }
        let first = self.first().expect("a packet that may start");
        let (_, packet) = self.waiting[first.index()].pop_front()?;
        self.vcs[packet.vc.index()].waiting -= 1;
        Some(packet)
    }

    /// The packet that started at `now` on `vc` is sent until `end`.
    pub fn sent(&mut self, now: Time, packet: PacketUnit, end: Time) {
        self.vcs[packet.vc.index()].sent = end;
        self.free_at = end;
        self.schedule(now);
    }

    fn schedule(&mut self, now: Time) {
        self.start_at = match self.first() {
            Some(_) => self.free_at.max(now),
            None => Time::NEVER,
        };
    }

    /// The priority whose packet goes first among those that are not paused.
    fn first(&self) -> Option<Priority> {
        let open = PrioritySet::ALL.differing(self.gate.paused());
        let heads = open.iter().filter_map(|priority| {
            let (number, _) = self.waiting[priority.index()].front()?;
            Some((*number, priority))
        });
        heads.min().map(|(_, priority)| priority)
    }

    /// End of the transmission of the last packet that started.
    pub fn free_at(&self) -> Time {
        self.free_at
    }

    /// Number of packets that have not started.
    pub fn unstarted(&self) -> u64 {
        self.waiting.iter().map(|queue| queue.len() as u64).sum()
    }

    /// Time until `now` in which packets of a virtual channel waited or were being sent, since
    /// counting began.
    pub fn waited(&self, now: Time, vc: usize) -> Duration {
        self.vcs[vc].until(now)
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        self.gate.meter.begin(now);
        self.vcs.iter_mut().for_each(|vc| vc.begin(now));
    }
}

impl Nic {
    /// Declares that the link may be paused: packets wait until they start.
    pub fn be_pausable(&mut self, packets: PausablePackets) {
        self.transmitter.watch();
        self.pausable = Some(Box::new(packets));
    }

    /// Time of the next event of a link on which packets wait until they start.
    #[cold]
    #[inline(never)]
    pub(super) fn next_stored(&self) -> Time {
        match &self.pausable {
            Some(pausable) => pausable.next_wake(),
            None => self.next_retry(),
        }
    }

    /// A frame arrives that controls the link.
    pub fn on_control(&mut self, now: Time, frame: ControlFrame) {
        let ControlFrame::Pause(pause) = frame;
        let pausable = self.pausable.as_mut();
        let pausable = pausable.expect("only links that may be paused carry pause frames");
        pausable.gate.receive(now, pause);
    }

    /// Starts the packet that is due on a link that may be paused, or does what is due on a link with
    /// retry.
    #[cold]
    pub(super) fn send_stored(&mut self, out: &mut Outlet<'_>) {
        let Some(pausable) = &mut self.pausable else {
            return self.wake_retry(out);
        };
        let now = pausable.next_wake();
        let Some(packet) = pausable.wake(now) else {
            return;
        };
        self.free_at = now + self.rate.transmission(u64::from(packet.octets) * 8);
        pausable.sent(now, packet, self.free_at);
        self.start_packet(now, self.free_at, &packet, out);
    }
}

#[cfg(test)]
mod tests {
    use kernel::Rate;

    use super::*;
    use crate::wire::contents::ContentsId;
    use crate::wire::unit::PauseFrame;
    use crate::wire::vc::Vc;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    /// Packets of priority 1 on VC 0 and of priority 4 on VC 1; each takes 10 us.
    fn packets() -> PausablePackets {
        let rate = Rate::from_bits_per_second(512_000_000);
        let priorities = [1, 4].map(|one| Priority::new(one).expect("a priority"));
        PausablePackets::new(PauseGate::new(rate, Duration::ZERO), priorities.into())
    }

    fn packet(vc: u32, number: u32) -> PacketUnit {
        PacketUnit {
            vc: Vc(vc),
            contents: ContentsId(number),
            octets: 100,
            marked: false,
            not_ect: false,
            input: 0,
        }
    }

    fn pause(quanta: u16) -> PauseFrame {
        let first: PrioritySet = Priority::new(1).into_iter().collect();
        PauseFrame {
            enabled: first,
            paused: if quanta > 0 {
                first
            } else {
                PrioritySet::default()
            },
            quanta,
        }
    }

    /// The starts of all packets until nothing is to come: the time and the number of each.
    fn run(packets: &mut PausablePackets) -> Vec<(u64, u32)> {
        let mut starts = Vec::new();
        while packets.next_wake() < Time::NEVER {
            let now = packets.next_wake();
            if let Some(packet) = packets.wake(now) {
                packets.sent(now, packet, now + Duration::from_us(10));
                starts.push((now.ps() / 1_000_000, packet.contents.0));
            }
        }
        starts
    }

    #[test]
    fn without_a_pause_packets_leave_in_the_order_in_which_they_came() {
        let mut packets = packets();
        for (number, vc) in (0..).zip([1, 0, 0, 1]) {
            packets.push(AT(5), packet(vc, number));
        }
        assert_eq!(packets.unstarted(), 4);
        assert_eq!(run(&mut packets), [(5, 0), (15, 1), (25, 2), (35, 3)]);
    }

    #[test]
    fn a_pause_stops_its_priority_alone_and_the_packet_that_has_started_not() {
        let mut packets = packets();
        for (number, vc) in (0..).zip([0, 0, 1, 0]) {
            packets.push(AT(0), packet(vc, number));
        }
        let first = packets.wake(AT(0)).expect("a packet starts at once");
        packets.sent(AT(0), first, AT(10));
        packets.gate.receive(AT(5), pause(100));
        assert_eq!(run(&mut packets), [(10, 2), (105, 1), (115, 3)]);
        assert_eq!(packets.waited(AT(200), 0), Duration::from_us(125));
        // The packet of the other VC waited until 10 us, and was sent until 20 us.
        assert_eq!(packets.waited(AT(200), 1), Duration::from_us(20));
    }

    #[test]
    fn zero_quanta_resume_at_once() {
        let mut packets = packets();
        packets.gate.receive(AT(0), pause(100));
        packets.push(AT(1), packet(0, 7));
        packets.gate.receive(AT(40), pause(0));
        assert_eq!(run(&mut packets), [(40, 7)]);
    }
}
