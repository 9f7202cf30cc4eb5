//! The packets that each input of a router holds, by priority, and the pauses and credits of its
//! links.
//!
//! A packet is charged to its input when the router stores it, and released when its transmission
//! ends, or when it is dropped: a switch frees the cells of its memory once it has read them.
//! The memory behind the outputs keeps room for all that the inputs may hold, so a packet of a
//! priority that is paused in time is never dropped: IEEE 802.1Qbb, 2011, Annex O; nor is a packet
//! that has credits. The other packets get the rest of the memory; that division is our own.

use kernel::Time;

use super::PacketOutput;
use crate::credit::CbfcReceiver;
use crate::pause::PauseReceiver;
use crate::wire::priority::{ByPriority, Priority};
use crate::wire::unit::{ControlFrame, PacketUnit};

/// The inputs of a router, and what their packets do at its outputs.
pub struct InputAccounts {
    all: Box<[InputAccount]>,
    outputs: Box<[PassingPackets]>,
    /// The buffers: one for all outputs, or one for each.
    buffers: Box<[Reserve]>,
}

/// An input of a router, before the run.
#[derive(Default)]
pub struct InputAccount {
    /// Octets of memory that packets of this input take, by priority.
    held: ByPriority<u64>,
    /// The pauses of the link, if the router may pause it.
    pub pause: Option<PauseReceiver>,
    /// The credits for packets of the link, if it has any.
    pub credit: Option<CreditedInput>,
}

/// The credits of the packets of an input.
pub struct CreditedInput {
    /// The receiving end of the link.
    pub receiver: CbfcReceiver,
    /// Octets of memory that are kept for each virtual channel.
    kept: u64,
    /// The virtual channel and the octets of a packet that has just arrived and is not stored yet.
    arriving: Option<(Priority, u32)>,
}

impl CreditedInput {
    /// An input that holds nothing, and for which `kept` octets of memory are kept in each virtual
    /// channel.
    pub fn new(receiver: CbfcReceiver, kept: u64) -> CreditedInput {
        CreditedInput {
            receiver,
            kept,
            arriving: None,
        }
    }
}

/// The packets of an output.
struct PassingPackets {
    /// Priority of each virtual channel.
    priorities: Box<[Priority]>,
    /// The packet that is being sent, and the end of its transmission.
    ending: Option<(Time, Charge)>,
}

/// The part of a buffer that is kept for packets that are paused instead of dropped.
#[derive(Clone, Copy, Default)]
struct Reserve {
    octets: u64,
    /// Octets of such packets that wait.
    used: u64,
}

/// The memory that a packet takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Number of the input by which the packet came.
    pub input: usize,
    /// Priority of the packet.
    pub priority: Priority,
    /// Octets of the memory.
    pub space: u64,
    /// Octets on the link.
    pub octets: u32,
}

impl InputAccount {
    /// An input whose link the router may pause, and which holds nothing.
    pub fn paused(pause: PauseReceiver) -> InputAccount {
        InputAccount {
            pause: Some(pause),
            ..InputAccount::default()
        }
    }

    /// An input whose link has credits for packets, and which holds nothing.
    pub fn credited(credit: CreditedInput) -> InputAccount {
        InputAccount {
            credit: Some(credit),
            ..InputAccount::default()
        }
    }

    /// True if packets of a priority are paused, or wait for credits, instead of being dropped.
    fn protects(&self, priority: Priority) -> bool {
        let (pause, credit) = (self.pause.as_ref(), self.credit.as_ref());
        pause.is_some_and(|pause| pause.protects(priority))
            || credit.is_some_and(|credit| credit.receiver.protects(priority))
    }

    /// Counts the memory that a packet takes.
    fn store(&mut self, charge: Charge) {
        let held = &mut self.held[charge.priority.index()];
        *held += charge.space;
        let held = *held;
        if let Some(pause) = &mut self.pause {
            pause.hold(charge.priority, held);
        }
        if let Some(credit) = &mut self.credit {
            credit.arriving = None;
            assert!(
                held <= credit.kept || !credit.receiver.protects(charge.priority),
                "an input never holds more than its credits allow"
            );
        }
    }

    /// Counts the memory that a packet frees.
    fn release(&mut self, charge: Charge) {
        let held = &mut self.held[charge.priority.index()];
        *held -= charge.space;
        let held = *held;
        if let Some(pause) = &mut self.pause {
            pause.hold(charge.priority, held);
        }
        if let Some(credit) = &mut self.credit {
            credit.receiver.free(charge.priority, charge.octets);
        }
    }
}

impl InputAccounts {
    /// Accounts of inputs that hold nothing. `priorities` has those of the virtual channels of each output, and
    /// `reserves` the octets that each buffer keeps for packets that are paused instead of dropped.
    pub fn new(
        inputs: Vec<InputAccount>,
        priorities: Vec<Box<[Priority]>>,
        reserves: Vec<u64>,
    ) -> InputAccounts {
        let passages = priorities.into_iter().map(|priorities| PassingPackets {
            priorities,
            ending: None,
        });
        let reserves = reserves.into_iter();
        let buffers = reserves.map(|octets| Reserve { octets, used: 0 });
        InputAccounts {
            all: inputs.into(),
            outputs: passages.collect(),
            buffers: buffers.collect(),
        }
    }

    /// The inputs, by number.
    pub fn all(&self) -> &[InputAccount] {
        &self.all
    }

    /// The memory that a packet takes, which leaves by `output`.
    pub fn charge(&self, output: usize, port: &PacketOutput, packet: &PacketUnit) -> Charge {
        Charge {
            input: usize::from(packet.input),
            priority: self.outputs[output].priorities[packet.vc.index()],
            space: port.space(packet),
            octets: packet.octets,
        }
    }

    /// True if the input of a packet may hold it too.
    pub fn admits(&mut self, charge: Charge) -> bool {
        let input = &mut self.all[charge.input];
        let held = input.held[charge.priority.index()] + charge.space;
        let pause = input.pause.as_mut();
        pause.is_none_or(|pause| pause.admits(charge.priority, held))
    }

    /// Octets of the buffer of an output that a packet may not take: none for a packet that is paused
    /// instead of dropped.
    pub fn reserved(&self, output: usize, charge: Charge) -> u64 {
        if self.all[charge.input].protects(charge.priority) {
            return 0;
        }
        let Reserve { octets, used } = self.buffers[self.buffer(output)];
        octets.saturating_sub(used)
    }

    fn buffer(&self, output: usize) -> usize {
        output.min(self.buffers.len() - 1)
    }

    /// A packet is stored; it waits at `output` unless it starts at once.
    pub fn store(&mut self, output: usize, charge: Charge, waits: bool) {
        self.all[charge.input].store(charge);
        if waits {
            self.wait(output, charge, true);
        }
    }

    /// A packet begins or ends to wait at `output`.
    fn wait(&mut self, output: usize, charge: Charge, waits: bool) {
        if self.all[charge.input].protects(charge.priority) {
            let used = &mut self.buffers[output.min(self.buffers.len() - 1)].used;
            *used = if waits {
                *used + charge.space
            } else {
                *used - charge.space
            };
        }
    }

    /// A packet is sent until `end`, after it has waited if `waited`.
    pub fn start(&mut self, output: usize, charge: Charge, end: Time, waited: bool) {
        if waited {
            self.wait(output, charge, false);
        }
        let before = self.outputs[output].ending.replace((end, charge));
        assert!(before.is_none(), "a packet ends before the next starts");
    }

    /// A packet that waited is dropped. Returns its input, which may have to tell the far end.
    pub fn discard(&mut self, output: usize, charge: Charge) -> usize {
        self.wait(output, charge, false);
        self.release(charge)
    }

    /// The transmission of a packet ends at `now`, if one does. Returns the input of the packet,
    /// which may have to tell the far end.
    pub fn end(&mut self, output: usize, now: Time) -> Option<usize> {
        let ending = &mut self.outputs[output].ending;
        let (_, charge) = ending.take_if(|(end, _)| *end <= now)?;
        Some(self.release(charge))
    }

    fn release(&mut self, charge: Charge) -> usize {
        self.all[charge.input].release(charge);
        charge.input
    }

    /// A packet that needed credits arrives.
    pub fn arrive(&mut self, input: usize, packet: &PacketUnit) {
        if let Some(credit) = &mut self.all[input].credit {
            let priority = credit.receiver.priority(packet.vc.index());
            credit.receiver.consume(priority, packet.octets);
            credit.arriving = Some((priority, packet.octets));
        }
    }

    /// Frees the credits of the packet that has just arrived, if it was not stored; returns true if so.
    pub fn free_unstored(&mut self, input: usize) -> bool {
        let credit = self.all[input].credit.as_mut();
        let unstored = credit.and_then(|credit| {
            let (priority, octets) = credit.arriving.take()?;
            credit.receiver.free(priority, octets);
            Some(())
        });
        unstored.is_some()
    }

    /// The receiving end of the link at an input, if it has credits for packets.
    pub fn receiver_mut(&mut self, input: usize) -> Option<&mut CbfcReceiver> {
        let credit = self.all[input].credit.as_mut();
        credit.map(|credit| &mut credit.receiver)
    }

    /// True if the far end of the link at an input must be told of its pauses, or of credits, at `now`.
    pub fn has_frame(&self, input: usize, now: Time) -> bool {
        let pause = self.all[input].pause.as_ref();
        pause.is_some_and(PauseReceiver::wants_frame) || self.update_at(input) <= now
    }

    /// The frame that tells the far end of the link at an input of its pauses, or of credits, with its
    /// octets, if one starts at `now`.
    pub fn frame(&mut self, input: usize, now: Time) -> Option<(ControlFrame, u32)> {
        let InputAccount { pause, credit, .. } = &mut self.all[input];
        if let Some(pause) = pause.as_mut().filter(|pause| pause.wants_frame()) {
            return Some((pause.frame(now), pause.frame_octets()));
        }
        let update = credit.as_mut()?.receiver.update(now)?;
        Some((update, ControlFrame::CF_UPDATE))
    }

    /// Time at which the far end of the link at an input must be told of credits; [`Time::NEVER`] if it
    /// need not.
    pub fn update_at(&self, input: usize) -> Time {
        let credit = self.all[input].credit.as_ref();
        credit.map_or(Time::NEVER, |credit| credit.receiver.update_at())
    }

    /// Refreshes the pauses of the link at an input, if they are due at `now`.
    pub fn refresh(&mut self, input: usize, now: Time) {
        let pause = self.all[input].pause.as_mut();
        if let Some(pause) = pause.filter(|pause| pause.refresh_at() <= now) {
            pause.refresh();
        }
    }

    /// Time at which a transmission ends at an output, or at which the pauses of the link beside it
    /// are refreshed; [`Time::NEVER`] if neither is to come.
    pub fn next(&self, output: usize) -> Time {
        let ending = self.outputs[output].ending.as_ref();
        let pause = self.all[output].pause.as_ref();
        let end = ending.map_or(Time::NEVER, |(end, _)| *end);
        end.min(pause.map_or(Time::NEVER, PauseReceiver::refresh_at))
    }

    /// Restarts the counts.
    pub fn begin_counting(&mut self) {
        for InputAccount { pause, credit, .. } in &mut self.all {
            if let Some(pause) = pause {
                pause.begin_counting();
            }
            if let Some(credit) = credit {
                credit.receiver.begin_counting();
            }
        }
    }

    /// Asserts that each input holds exactly its packets that wait, and those that are being sent.
    ///
    /// # Panics
    /// If the counts do not add up.
    pub fn assert_conservation(&self, ports: &[PacketOutput]) {
        let mut held = vec![[0; Priority::COUNT]; self.all.len()];
        let mut credits = vec![[0; Priority::COUNT]; self.all.len()];
        let mut used = vec![0; self.buffers.len()];
        let cost = |charge: Charge| {
            let credit = self.all[charge.input].credit.as_ref();
            let cost = credit.and_then(|one| one.receiver.cost(charge.priority, charge.octets));
            cost.unwrap_or(0)
        };
        for (output, port) in ports.iter().enumerate() {
            let waiting = port.queued_packets();
            for charge in waiting.map(|packet| self.charge(output, port, packet)) {
                held[charge.input][charge.priority.index()] += charge.space;
                credits[charge.input][charge.priority.index()] += cost(charge);
                if self.all[charge.input].protects(charge.priority) {
                    used[self.buffer(output)] += charge.space;
                }
            }
            if let Some((_, charge)) = self.outputs[output].ending {
                held[charge.input][charge.priority.index()] += charge.space;
                credits[charge.input][charge.priority.index()] += cost(charge);
            }
        }
        let counted: Vec<ByPriority<u64>> = self.all.iter().map(|input| input.held).collect();
        assert_eq!(counted, held, "inputs hold what waits and is being sent");
        for (input, credits) in self.all.iter().zip(credits) {
            if let Some(credit) = &input.credit {
                let counted = Priority::all().map(|vc| credit.receiver.held(vc));
                assert!(
                    counted.eq(credits),
                    "credits consumed and not freed are those of the packets that an input holds"
                );
            }
        }
        let counted: Vec<u64> = self.buffers.iter().map(|reserve| reserve.used).collect();
        assert_eq!(
            counted, used,
            "paused packets use what waits of the reserve"
        );
    }
}
