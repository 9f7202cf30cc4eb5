//! Packets that wait at an interface whose link may be paused, or has credits for packets.
//!
//! A packet joins the queue of its priority, and starts when the link is free. Of the priorities that
//! are not held back, the packet that was handed over first goes first, so that a link that holds none
//! back sends in the order of an interface without a gate. IEEE 802.1Qbb, 2011, clause 36: a packet
//! that has started is not interrupted. The messages about credits go before all waiting packets.

use std::collections::VecDeque;

use kernel::{Duration, Time};

use super::nic::Nic;
use crate::credit::{CbfcReceiver, CbfcSender};
use crate::output::PacketGate;
use crate::retry::RetryEnd;
use crate::wire::priority::{ByPriority, Priority};
use crate::wire::unit::{ControlFrame, Outlet, PacketUnit};

/// The packets of an interface to a link that may be paused, or has credits for packets.
pub struct GatedPackets {
    /// The gate that holds packets back; none if the link has credits in the other direction only.
    pub gate: Option<PacketGate>,
    /// The receiving end of the link, if it has credits for packets. A host takes in each packet at
    /// once, so its credits are free again when it arrives.
    pub receiver: Option<CbfcReceiver>,
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
    /// Start of the next message about credits; [`Time::NEVER`] if none is to come.
    message_at: Time,
    /// True if no new packet may start: link-level retry sends, or its replay buffer is full.
    is_held: bool,
    /// True if link-level retry lets no new frame start.
    is_blocked: bool,
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
    /// Length of the earlier times of this kind, since counting began.
    before: Duration,
}

impl VcBacklog {
    /// Time until `now` in which packets waited or were being sent, since counting began.
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

impl GatedPackets {
    /// No packets, at an interface whose virtual channels have these priorities.
    pub fn new(
        gate: Option<PacketGate>,
        receiver: Option<CbfcReceiver>,
        priorities: Box<[Priority]>,
    ) -> GatedPackets {
        let mut packets = GatedPackets {
            gate,
            receiver,
            vcs: vec![VcBacklog::default(); priorities.len()].into(),
            priorities,
            waiting: Default::default(),
            handed_over: 0,
            free_at: Time::ZERO,
            start_at: Time::NEVER,
            message_at: Time::NEVER,
            is_held: false,
            is_blocked: false,
        };
        packets.schedule(Time::ZERO);
        packets
    }

    /// The sending end of the credits for packets, if the link has any.
    pub fn credit(&self) -> Option<&CbfcSender> {
        self.gate.as_ref().and_then(PacketGate::credit)
    }

    /// Time at which a packet or a message may start, or at which a pause begins or ends.
    #[inline]
    pub fn next_wake(&self) -> Time {
        self.start_at.min(self.message_at).min(self.next_change())
    }

    fn next_change(&self) -> Time {
        let gate = self.gate.as_ref();
        gate.map_or(Time::NEVER, PacketGate::next_change)
    }

    /// A packet is handed over at `now`; it starts no earlier than [`GatedPackets::next_wake`].
    pub fn push(&mut self, now: Time, packet: PacketUnit) {
        let vc = packet.vc.index();
        self.vcs[vc].push(now);
        self.waiting[self.priorities[vc].index()].push_back((self.handed_over, packet));
        self.handed_over += 1;
        self.schedule(now);
    }

    /// Takes the message about credits that starts at `now`, and its octets, if one does; pauses that
    /// begin or end at `now` do so before. The caller reports the end of its transmission to
    /// [`GatedPackets::occupied`].
    pub fn message(&mut self, now: Time) -> Option<(ControlFrame, u32)> {
        if let Some(gate) = self.gate.as_mut().filter(|gate| gate.next_change() <= now) {
            gate.change(now);
            self.schedule(now);
        }
        if self.message_at > now {
            return None;
        }
        let update = self
            .receiver
            .as_mut()
            .and_then(|receiver| receiver.update(now));
        if let Some(frame) = update {
            return Some((frame, ControlFrame::CF_UPDATE));
        }
        let sender = self.gate.as_mut().and_then(PacketGate::credit_mut)?;
        Some((sender.update(now), ControlFrame::CC_UPDATE))
    }

    /// Takes the packet that starts at `now`, if one does; no message starts at `now`. The caller
    /// reports the end of its transmission to [`GatedPackets::sent`].
    pub fn start(&mut self, now: Time) -> Option<PacketUnit> {
        if self.start_at > now {
            return None;
        }
        let first = self.first().expect("a packet that may start");
        let (_, packet) = self.waiting[first.index()].pop_front()?;
        self.vcs[packet.vc.index()].waiting -= 1;
        if let Some(gate) = &mut self.gate {
            gate.start(first, packet.octets);
        }
        Some(packet)
    }

    /// The packet that started at `now` is sent until `end`.
    pub fn sent(&mut self, now: Time, packet: PacketUnit, end: Time) {
        self.vcs[packet.vc.index()].sent = end;
        self.occupied(now, end);
    }

    /// A packet or a message that started at `now` is sent until `end`.
    pub fn occupied(&mut self, now: Time, end: Time) {
        self.free_at = end;
        self.schedule(now);
    }

    /// Holds packets and messages back as link-level retry demands after an event at `now`.
    pub fn follow(&mut self, now: Time, retry: &RetryEnd) {
        self.free_at = retry.free_at();
        self.is_held = retry.holds_packets(now);
        self.is_blocked = retry.sender.is_blocked();
        self.schedule(now);
    }

    /// True if a message about credits is due at `now`.
    pub fn has_message(&self, now: Time) -> bool {
        self.message_at <= now
    }

    fn schedule(&mut self, now: Time) {
        let free_at = self.free_at.max(now);
        self.start_at = match self.first() {
            Some(_) if !self.is_held => free_at,
            _ => Time::NEVER,
        };
        let receiver = self.receiver.as_ref().map(CbfcReceiver::update_at);
        let sender = self.credit().filter(|_| !self.is_blocked);
        let sender = sender.map(CbfcSender::update_at);
        let due = receiver.into_iter().chain(sender).min();
        self.message_at = due.map_or(Time::NEVER, |due| due.max(free_at));
    }

    /// The priority whose packet goes first among those that are not held back.
    fn first(&self) -> Option<Priority> {
        let heads = Priority::all().filter_map(|priority| {
            let (number, packet) = self.waiting[priority.index()].front()?;
            let mut gate = self.gate.iter();
            let is_open = gate.all(|gate| gate.is_open(priority, packet.octets));
            is_open.then_some((*number, priority))
        });
        heads.min().map(|(_, priority)| priority)
    }

    /// A frame that controls the link arrives at `now`.
    pub fn on_control(&mut self, now: Time, frame: ControlFrame) {
        let gate = self.gate.as_mut();
        match frame {
            ControlFrame::Pause(pause) => {
                let gate = gate.and_then(PacketGate::pause_mut);
                let gate = gate.expect("only links that may be paused carry pause frames");
                gate.receive(now, pause);
            }
            ControlFrame::CfUpdate(update) => {
                let sender = gate.and_then(PacketGate::credit_mut);
                let sender = sender.expect("only links with credits carry their messages");
                sender.on_update(update);
                self.schedule(now);
            }
            ControlFrame::CcUpdate(consumed) => {
                let receiver = self.receiver.as_mut();
                let receiver = receiver.expect("only links with credits carry their messages");
                receiver.on_update(&consumed);
                self.schedule(now);
            }
        }
    }

    /// A packet that needed credits arrives at `now`, and is taken in.
    pub fn take_in(&mut self, now: Time, packet: &PacketUnit) {
        if let Some(receiver) = &mut self.receiver {
            let priority = receiver.priority(packet.vc.index());
            receiver.consume(priority, packet.octets);
            receiver.free(priority, packet.octets);
            self.schedule(now);
        }
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
        if let Some(gate) = &mut self.gate {
            gate.begin_counting(now);
        }
        if let Some(receiver) = &mut self.receiver {
            receiver.begin_counting();
        }
        self.vcs.iter_mut().for_each(|vc| vc.begin(now));
    }
}

impl Nic {
    /// Declares that the link may be paused or has credits for packets: packets wait until they start.
    pub fn have_gate(&mut self, packets: GatedPackets) {
        self.transmitter.watch();
        if packets.credit().is_some() {
            self.transmitter.send_credited();
        }
        self.gated = Some(Box::new(packets));
    }

    /// Time of the next event of a link on which packets wait until they start.
    #[cold]
    #[inline(never)]
    pub(super) fn next_stored(&self) -> Time {
        let retry = self.transmitter.retry();
        match (&self.gated, retry) {
            (Some(gated), None) => gated.next_wake(),
            (Some(gated), Some(retry)) => gated.next_wake().min(retry.next_turn()),
            (None, _) => self.next_retry(),
        }
    }

    /// A frame arrives that controls the link.
    pub fn on_control(&mut self, now: Time, frame: ControlFrame) {
        let gated = self.gated.as_mut();
        let gated = gated.expect("only links with a gate carry control frames");
        gated.on_control(now, frame);
    }

    /// A packet arrives that needed credits.
    pub fn take_credited(&mut self, now: Time, packet: &PacketUnit) {
        if let Some(gated) = &mut self.gated {
            gated.take_in(now, packet);
        }
    }

    /// Starts the packet or the message that is due on a link with a gate, or does what is due on a
    /// link with retry.
    #[cold]
    pub(super) fn send_stored(&mut self, out: &mut Outlet<'_>) {
        if self.gated.is_none() {
            return self.wake_retry(out);
        }
        self.serve_gated(self.next_stored(), out);
    }

    /// Does all that is due at `now` on a link with a gate.
    pub(super) fn serve_gated(&mut self, now: Time, out: &mut Outlet<'_>) {
        loop {
            let acts = self.act_gated(now, out);
            if let (Some(gated), Some(retry)) = (&mut self.gated, self.transmitter.retry()) {
                gated.follow(now, retry);
            }
            if !acts {
                return;
            }
        }
    }

    /// Does one thing that is due at `now` on a link with a gate: what link-level retry has to do, or
    /// the start of a message or a packet; returns false if nothing is due.
    fn act_gated(&mut self, now: Time, out: &mut Outlet<'_>) -> bool {
        let Some(gated) = &mut self.gated else {
            return false;
        };
        if self.transmitter.act(now, gated.has_message(now), out) {
            return true;
        }
        if let Some((frame, octets)) = gated.message(now) {
            self.free_at = now + self.rate.transmission(u64::from(octets) * 8);
            gated.occupied(now, self.free_at);
            self.transmitter
                .control(now, self.free_at, frame, octets, out);
            return true;
        }
        let Some(packet) = gated.start(now) else {
            return false;
        };
        self.free_at = now + self.rate.transmission(u64::from(packet.octets) * 8);
        gated.sent(now, packet, self.free_at);
        self.start_packet(now, self.free_at, &packet, out);
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::wire::ecn::CongestionField;
    use kernel::Rate;

    use super::*;
    use crate::pause::PauseGate;
    use crate::wire::contents::ContentsId;
    use crate::wire::priority::PrioritySet;
    use crate::wire::unit::PauseFrame;
    use crate::wire::vc::Vc;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    /// Packets of priority 1 on VC 0 and of priority 4 on VC 1; each takes 10 us.
    fn packets() -> GatedPackets {
        let rate = Rate::from_bits_per_second(512_000_000);
        let priorities = [1, 4].map(|one| Priority::new(one).expect("a priority"));
        let gate = PacketGate::Pause(PauseGate::new(rate, Duration::ZERO));
        GatedPackets::new(Some(gate), None, priorities.into())
    }

    fn packet(vc: u32, number: u32) -> PacketUnit {
        PacketUnit {
            vc: Vc(vc),
            contents: ContentsId(number),
            octets: 100,
            congestion: CongestionField::Clear,
            trimmed: false,
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

    /// A pause frame arrives.
    fn receive(packets: &mut GatedPackets, us: u64, quanta: u16) {
        packets.on_control(AT(us), ControlFrame::Pause(pause(quanta)));
    }

    /// The starts of all packets until nothing is to come: the time and the number of each.
    fn run(packets: &mut GatedPackets) -> Vec<(u64, u32)> {
        let mut starts = Vec::new();
        while packets.next_wake() < Time::NEVER {
            let now = packets.next_wake();
            assert_eq!(packets.message(now), None);
            if let Some(packet) = packets.start(now) {
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
        let first = packets.start(AT(0)).expect("a packet starts at once");
        packets.sent(AT(0), first, AT(10));
        receive(&mut packets, 5, 100);
        assert_eq!(run(&mut packets), [(10, 2), (105, 1), (115, 3)]);
        assert_eq!(packets.waited(AT(200), 0), Duration::from_us(125));
        // The packet of the other VC waited until 10 us, and was sent until 20 us.
        assert_eq!(packets.waited(AT(200), 1), Duration::from_us(20));
    }

    #[test]
    fn zero_quanta_resume_at_once() {
        let mut packets = packets();
        receive(&mut packets, 0, 100);
        packets.push(AT(1), packet(0, 7));
        receive(&mut packets, 40, 0);
        assert_eq!(run(&mut packets), [(40, 7)]);
    }
}
