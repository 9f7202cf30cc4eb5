//! Packets that wait at an interface until they start, since the link may be paused, has credits for
//! packets, or has link-level retry.
//!
//! They wait as at an output of a router: a packet joins the queue of its priority, and of the
//! priorities that are not held back, the packet that was handed over first goes first. IEEE 802.1Qbb,
//! 2011, clause 36: a packet that has started is not interrupted. A host takes in each packet at once,
//! so it pauses no link, and credits are free again when a packet arrives.

use kernel::{Duration, Rate, Time};

use super::nic::Nic;
use crate::credit::{CbfcReceiver, CbfcSender};
use crate::link::control;
use crate::output::memory::Memory;
use crate::output::scheduler::Scheduling;
use crate::output::transmitter::Transmitter;
use crate::output::{PacketGate, ScheduledQueue};
use crate::retry::{FrameBody, RetryEnd};
use crate::wire::class::Class;
use crate::wire::format::CellFormat;
use crate::wire::priority::Priority;
use crate::wire::unit::{ControlFrame, Outlet, PacketUnit, Unit};

/// The packets of an interface that wait until they start.
pub struct WaitingPackets {
    queue: ScheduledQueue<PacketUnit>,
    rate: Rate,
    /// The receiving end of the link, if it has credits for packets.
    pub receiver: Option<CbfcReceiver>,
    /// Time of the next act; [`Time::NEVER`] if none is to come.
    next_act: Time,
    /// By virtual channel, the time in which packets wait; none on a link with retry alone.
    vcs: Option<Box<[VcBacklog]>>,
    /// End of the transmission of the last packet or message that has started. On a link with retry
    /// alone, of the last packet that was handed over, as far as is known: a replay may delay it.
    left: Time,
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

    fn start(&mut self, end: Time) {
        self.waiting -= 1;
        self.sent = end;
    }

    fn begin(&mut self, now: Time) {
        self.before = Duration::ZERO;
        self.since = now;
    }
}

impl WaitingPackets {
    /// No packets, at an interface to a link of this rate whose virtual channels have these priorities.
    /// The link has a `gate`, or a `receiver` of credits, or neither but retry.
    pub fn new(
        gate: Option<PacketGate>,
        receiver: Option<CbfcReceiver>,
        priorities: &[Priority],
        rate: Rate,
        cells: CellFormat,
    ) -> WaitingPackets {
        let counts = gate.is_some() || receiver.is_some();
        let scheduling = match gate {
            Some(gate) => Scheduling::by_arrival(priorities, gate),
            None => Scheduling::one_by_one(),
        };
        let vcs = priorities.len();
        // A host has all the memory that it needs.
        let memory = Memory::new(None, cells).for_packets();
        let mut packets = WaitingPackets {
            // A packet that finds the link idle waits for the next act of the host all the same.
            queue: ScheduledQueue::new(scheduling, &vec![Class::Ubr; vcs], true, memory),
            rate,
            receiver,
            next_act: Time::NEVER,
            vcs: counts.then(|| vec![VcBacklog::default(); vcs].into()),
            left: Time::ZERO,
        };
        packets.reschedule(Time::ZERO, None);
        packets
    }

    /// The gate of the link, if it may be paused or packets need credits.
    pub fn gate(&self) -> Option<&PacketGate> {
        self.queue.packet_gate()
    }

    /// The sending end of the credits for packets, if the link has any.
    pub fn credit(&self) -> Option<&CbfcSender> {
        self.gate().and_then(PacketGate::credit)
    }

    /// Time of the next act; [`Time::NEVER`] if none is to come.
    #[inline]
    pub fn next_act(&self) -> Time {
        self.next_act
    }

    /// Time by which the packets that were handed over have left, as far as is known.
    pub fn left(&self) -> Time {
        self.left
    }

    /// True if the time in which packets wait is counted.
    pub fn counts_waits(&self) -> bool {
        self.vcs.is_some()
    }

    /// Number of packets that have not started.
    pub fn unstarted(&self) -> u64 {
        self.queue.unstarted()
    }

    /// Time until `now` in which packets of a virtual channel waited or were being sent, since
    /// counting began; none if it is not counted.
    pub fn waited(&self, now: Time, vc: usize) -> Option<Duration> {
        self.vcs.as_ref().map(|vcs| vcs[vc].until(now))
    }

    /// Restarts the counts at `now`.
    pub fn begin_counting(&mut self, now: Time) {
        if let Some(gate) = self.queue.packet_gate_mut() {
            gate.begin_counting(now);
        }
        if let Some(receiver) = &mut self.receiver {
            receiver.begin_counting();
        }
        let vcs = self.vcs.iter_mut().flatten();
        vcs.for_each(|vc| vc.begin(now));
    }

    /// A packet is handed over at `now`.
    fn push(&mut self, now: Time, packet: &PacketUnit) {
        match &mut self.vcs {
            Some(vcs) => vcs[packet.vc.index()].push(now),
            None => {
                let begins = self.left.max(self.queue.line().free_at()).max(now);
                self.left = begins + self.time(packet.octets);
            }
        }
        self.queue.accept(now, packet, self.rate);
        self.queue.on_wait(packet.vc);
    }

    /// Time to send as many octets.
    fn time(&self, octets: u32) -> Duration {
        self.rate.transmission(u64::from(octets) * 8)
    }

    /// Time at which the far end is next to be told something. Retry that lets no new frame start
    /// delays what was used of the credits: that message is numbered.
    fn due_at(&self, retry: Option<&RetryEnd>) -> Time {
        let used = self.credit().filter(|_| !is_blocked(retry));
        control::due_at(None, self.receiver.as_ref(), used)
    }

    /// The message that starts at `now`, and its octets, if one is due.
    fn message(&mut self, now: Time, retry: Option<&RetryEnd>) -> Option<(ControlFrame, u32)> {
        let gate = self.queue.packet_gate_mut();
        let used = gate.and_then(PacketGate::credit_mut);
        let used = used.filter(|_| !is_blocked(retry));
        control::frame(now, None, self.receiver.as_mut(), used)
    }

    /// Begins and ends the pauses that are due at `now`.
    fn change_pauses(&mut self, now: Time) {
        if self.next_change() <= now {
            self.queue.change_pauses(now);
        }
    }

    fn next_change(&self) -> Time {
        self.gate().map_or(Time::NEVER, PacketGate::next_change)
    }

    /// After an event at `now`, holds packets back as retry demands, and sets the time of the next act.
    fn reschedule(&mut self, now: Time, retry: Option<&RetryEnd>) {
        let line = self.queue.line();
        let mut next = self.next_change();
        if let Some(retry) = retry {
            self.queue.hold(now, retry.holds_packets(now, line));
            next = next.min(retry.next_turn(line));
        }
        let told_at = self.due_at(retry).max(line.free_at());
        let started_at = self.queue.next_service();
        self.next_act = next.min(told_at).min(started_at).max(now);
    }

    /// A frame that controls the link arrives at `now`.
    fn on_control(&mut self, now: Time, frame: ControlFrame) {
        match frame {
            ControlFrame::Pause(pause) => {
                let gate = self.queue.packet_gate_mut().and_then(PacketGate::pause_mut);
                let gate = gate.expect("only links that may be paused carry pause frames");
                gate.receive(now, pause);
            }
            ControlFrame::CfUpdate(update) => self.queue.on_cf_update(now, update),
            ControlFrame::CcUpdate(used) => {
                let receiver = self.receiver.as_mut();
                let receiver = receiver.expect("only links with credits carry their messages");
                receiver.on_update(&used);
            }
        }
    }

    /// A packet that needed credits arrives, and is taken in.
    fn take_in(&mut self, packet: &PacketUnit) {
        if let Some(receiver) = &mut self.receiver {
            let priority = receiver.priority(packet.vc.index());
            receiver.consume(priority, packet.octets);
            receiver.free(priority, packet.octets);
        }
    }

    /// Does one thing that is due at `now`: begins and ends pauses, then does what link-level retry has
    /// to do, or starts a message or a packet.
    fn act(&mut self, now: Time, transmitter: &mut Transmitter, out: &mut Outlet<'_>) -> Act {
        self.change_pauses(now);
        let tells = self.due_at(transmitter.retry()) <= now;
        if transmitter.act(now, tells, self.queue.line_mut(), out) {
            return Act::Done;
        }
        let line = self.queue.line();
        if line.free_at() > now {
            return Act::Nothing;
        }
        if let Some((frame, octets)) = self.message(now, transmitter.retry()) {
            let time = self.time(octets);
            self.queue.send_control(now, time);
            self.left = now + time;
            transmitter.control(now, self.left, frame, octets, out);
            return Act::Done;
        }
        if let Some(retry) = transmitter.retry() {
            self.queue.hold(now, retry.holds_packets(now, line));
        }
        if self.queue.next_service() > now {
            return Act::Nothing;
        }
        let packet = self.queue.serve(now, self.rate).unit;
        let end = self.queue.line().free_at();
        if let Some(vcs) = &mut self.vcs {
            vcs[packet.vc.index()].start(end);
            self.left = end;
        }
        Act::Starts(packet, end)
    }
}

/// One act of an interface on whose link packets wait.
enum Act {
    /// Nothing was due.
    Nothing,
    /// Retry has acted, or a message has started.
    Done,
    /// A packet starts, whose transmission ends at this time.
    Starts(PacketUnit, Time),
}

/// True if retry lets no new frame start.
fn is_blocked(retry: Option<&RetryEnd>) -> bool {
    retry.is_some_and(|retry| retry.sender.is_blocked())
}

impl Nic {
    /// Takes a packet that waits until it starts. On a link with retry alone it starts within the call,
    /// if it may; on others in an act of its own, behind the timers of this instant.
    pub(super) fn push_waiting(&mut self, now: Time, packet: &PacketUnit, out: &mut Outlet<'_>) {
        let Some(waiting) = &mut self.waiting else {
            return;
        };
        waiting.push(now, packet);
        if waiting.counts_waits() {
            waiting.reschedule(now, self.transmitter.retry());
        } else {
            self.serve_waiting(now, out);
        }
    }

    /// A frame arrives that controls the link.
    pub fn on_control(&mut self, now: Time, frame: ControlFrame) {
        let waiting = self.waiting.as_mut();
        let waiting = waiting.expect("only links with a gate carry control frames");
        waiting.on_control(now, frame);
        waiting.reschedule(now, self.transmitter.retry());
    }

    /// A packet arrives that needed credits.
    pub fn take_credited(&mut self, now: Time, packet: &PacketUnit) {
        if let Some(waiting) = &mut self.waiting {
            waiting.take_in(packet);
            waiting.reschedule(now, self.transmitter.retry());
        }
    }

    /// Takes a frame or an ordered set from a link with retry; returns the packet that it delivers,
    /// if there is one.
    #[cold]
    #[inline(never)]
    pub fn take_from_retry(
        &mut self,
        now: Time,
        unit: Unit,
        out: &mut Outlet<'_>,
    ) -> Option<PacketUnit> {
        let body = self.transmitter.take(now, unit, out);
        let packet = match body {
            Some(FrameBody::Packet(packet)) => Some(packet),
            Some(FrameBody::CcUpdate(used)) => {
                self.on_control(now, ControlFrame::CcUpdate(used));
                None
            }
            None => None,
        };
        if let Some(packet) = &packet {
            self.take_credited(now, packet);
        }
        self.serve_waiting(now, out);
        packet
    }

    /// Does all that is due at `now` on a link on which packets wait until they start.
    #[cold]
    #[inline(never)]
    pub(super) fn serve_waiting(&mut self, now: Time, out: &mut Outlet<'_>) {
        loop {
            let Some(waiting) = &mut self.waiting else {
                return;
            };
            match waiting.act(now, &mut self.transmitter, out) {
                Act::Nothing => break waiting.reschedule(now, self.transmitter.retry()),
                Act::Done => {}
                Act::Starts(packet, end) => self.start_packet(now, end, &packet, out),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Network, Node, Runner, Stepwise, Wire};

    use super::*;
    use crate::output::PacketGateRule;
    use crate::pause::PauseGate;
    use crate::wire::contents::{Cargo, Contents};
    use crate::wire::priority::PrioritySet;
    use crate::wire::segment::Segment;
    use crate::wire::unit::PauseFrame;
    use crate::wire::vc::Vc;

    const AT: fn(u64) -> Time = |us| Time::from_ps(us * 1_000_000);

    /// What happens at the interface: the time in microseconds, and the event.
    type Script = Vec<(u64, Event)>;

    #[derive(Clone, Copy)]
    enum Event {
        /// A packet of 100 octets, which takes 10 us, is handed over on a VC.
        Send(u32),
        /// A pause frame of so many quanta, of 1 us each, arrives for the first priority.
        Pause(u16),
    }

    enum End {
        Near(Box<Nic>, Script),
        /// The number of each packet and the start of its transmission, in microseconds.
        Far(Vec<(u64, u16)>),
    }

    impl Node for End {
        type Unit = Unit;
        type Cargo = Cargo;

        fn next_wake(&self) -> Time {
            match self {
                End::Near(nic, script) => {
                    let next = script.first().map_or(Time::NEVER, |(us, _)| AT(*us));
                    next.min(nic.next_wake())
                }
                End::Far(_) => Time::NEVER,
            }
        }

        fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
            let End::Near(nic, script) = self else {
                return;
            };
            match script.first().copied() {
                Some((us, event)) if AT(us) == now => {
                    script.remove(0);
                    match event {
                        Event::Send(vc) => nic.send(now, Vc(vc), contents(), out),
                        Event::Pause(quanta) => {
                            nic.on_control(now, ControlFrame::Pause(pause(quanta)));
                        }
                    }
                }
                _ => nic.send_paced(out),
            }
        }

        fn receive(&mut self, now: Time, _input: usize, unit: Unit, out: &mut Outlet<'_>) {
            if let (End::Far(arrived), Unit::Packet(packet)) = (self, unit) {
                let number = out.cargo.take(packet.contents).number;
                arrived.push((now.ps() / 1_000_000 - 10, number));
            }
        }
    }

    fn contents() -> Contents {
        Contents {
            segment: Segment::default(),
            octets: 100,
            cells: 0,
            sent: Time::ZERO,
            number: 0,
            marked: false,
            pdu: 0,
        }
    }

    fn pause(quanta: u16) -> PauseFrame {
        let first: PrioritySet = Priority::new(1).into_iter().collect();
        let paused = if quanta > 0 {
            first
        } else {
            PrioritySet::default()
        };
        PauseFrame {
            enabled: first,
            paused,
            quanta,
        }
    }

    /// Runs a script at an interface with priority 1 on VC 0 and priority 4 on VC 1. Returns the start
    /// and the number of each packet, and the time until 200 us in which packets of each VC waited.
    fn run(script: Script) -> (Vec<(u64, u16)>, [u64; 2]) {
        let rate = Rate::from_bits_per_second(80_000_000);
        let priorities = [1, 4].map(|one| Priority::new(one).expect("a priority"));
        // A quantum of 512 bits takes 1 us at this rate.
        let quanta = Rate::from_bits_per_second(512_000_000);
        let rule = PacketGateRule::Pause(PauseGate::new(quanta, Duration::ZERO));
        let gate = Some(PacketGate::new(rule));
        let waiting = WaitingPackets::new(gate, None, &priorities, rate, CellFormat::ATM);
        let transmitter = Transmitter::new(0, None);
        let pacers = vec![None, None];
        let nic = Nic::new(rate, CellFormat::ATM, pacers, Some(waiting), transmitter);
        let wire = Wire {
            from: 0,
            to: 1,
            shortest: Duration::from_us(10),
            propagation: Duration::ZERO,
        };
        let nodes = vec![End::Near(Box::new(nic), script), End::Far(Vec::new())];
        let mut network = Network::new(nodes, Cargo::default(), &[wire]);
        Stepwise.run(&mut network, AT(200));
        let mut nodes = network.nodes.into_iter();
        let (Some(End::Near(mut nic, _)), Some(End::Far(starts))) = (nodes.next(), nodes.next())
        else {
            unreachable!("the network has two ends")
        };
        let waited = [0, 1].map(|vc| {
            let waited = nic.waited(AT(200), Vc(vc)).expect("waits are counted");
            waited.ps() / 1_000_000
        });
        assert_eq!(nic.unstarted(), 0);
        (starts, waited)
    }

    #[test]
    fn without_a_pause_packets_leave_in_the_order_in_which_they_came() {
        let script = [1, 0, 0, 1].map(|vc| (5, Event::Send(vc)));
        let (starts, _) = run(script.to_vec());
        assert_eq!(starts, [(5, 1), (15, 2), (25, 3), (35, 4)]);
    }

    #[test]
    fn a_pause_stops_its_priority_alone_and_the_packet_that_has_started_not() {
        let mut script = [0, 0, 1, 0].map(|vc| (0, Event::Send(vc))).to_vec();
        script.push((5, Event::Pause(100)));
        let (starts, waited) = run(script);
        assert_eq!(starts, [(0, 1), (10, 3), (105, 2), (115, 4)]);
        // The packet of the other VC waited until 10 us, and was sent until 20 us.
        assert_eq!(waited, [125, 20]);
    }

    #[test]
    fn zero_quanta_resume_at_once() {
        let script = vec![
            (0, Event::Pause(100)),
            (1, Event::Send(0)),
            (40, Event::Pause(0)),
        ];
        assert_eq!(run(script).0, [(40, 1)]);
    }
}
