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
use super::account::{Charge, InputAccount};
use crate::link::pause::{PauseReading, PauseReceiver, SharedMemory};
use crate::wire::priority::{ByPriority, Priority};
use crate::wire::unit::PacketUnit;

/// The inputs of a router, and what their packets do at its outputs.
pub struct InputAccounts {
    all: Box<[InputAccount]>,
    outputs: Box<[PassingPackets]>,
    /// The buffers: one for all outputs, or one for each.
    buffers: Box<[Reserve]>,
    /// The memory that inputs with dynamic thresholds share; of no octets if there are none.
    shared: SharedMemory,
    /// Other inputs that the last departure has resumed, and whose far ends are not told yet.
    resumed: Vec<usize>,
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

impl InputAccounts {
    /// Accounts of inputs that hold nothing. `priorities` has those of the virtual channels of each
    /// output, `reserves` the octets that each buffer keeps for packets that are paused instead of
    /// dropped, and `shared` the octets of which inputs take by dynamic thresholds.
    pub fn new(
        inputs: Vec<InputAccount>,
        priorities: Vec<Box<[Priority]>>,
        reserves: Vec<u64>,
        shared: u64,
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
            shared: SharedMemory {
                octets: shared,
                used: 0,
            },
            resumed: Vec::new(),
        }
    }

    /// The inputs, by number.
    pub fn all(&self) -> &[InputAccount] {
        &self.all
    }

    /// The memory of a packet that leaves by `output`.
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
        pause.is_none_or(|pause| pause.admits(charge.holding(held), self.shared))
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
        self.all[charge.input].store(charge, &mut self.shared);
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
        self.all[charge.input].release(charge, &mut self.shared);
        if self.shared.octets > 0 {
            self.resume_others(charge.input);
        }
        charge.input
    }

    /// Resumes the inputs, beside `input`, whose thresholds the free memory has raised.
    fn resume_others(&mut self, input: usize) {
        for (other, account) in self.all.iter_mut().enumerate() {
            let Some(pause) = &mut account.pause else {
                continue;
            };
            let paused = pause.paused_by_free_memory();
            for priority in paused.iter() {
                pause.reconsider(priority, account.held[priority.index()], self.shared);
            }
            if other != input && paused != pause.paused_by_free_memory() {
                self.resumed.push(other);
            }
        }
    }

    /// An input that a packet of another has resumed, and whose far end must be told, if there is one
    /// that was not asked for yet.
    pub fn take_resumed(&mut self) -> Option<usize> {
        self.resumed.pop()
    }

    /// True if a priority of an input is paused, the far end has been told so, and it remains paused
    /// although packets leave until each input and priority holds what is `left`.
    pub fn remains_paused(
        &self,
        input: usize,
        priority: Priority,
        left: &[ByPriority<u64>],
    ) -> bool {
        let mut memory = self.shared;
        let accounts = self.all.iter().zip(left);
        let after = accounts.map(|(account, left)| {
            let pause = account.pause.as_ref()?;
            Some(pause.after(&account.held, left, &mut memory))
        });
        let after: Vec<Option<PauseReceiver>> = after.collect();
        let held = left[input][priority.index()];
        let pause = after[input].as_ref();
        pause.is_some_and(|pause| pause.remains_paused(priority, held, memory))
    }

    /// The state of a priority of the link at an input; none if it is never paused.
    pub fn pause_reading(&self, input: usize, priority: Priority) -> Option<PauseReading> {
        let InputAccount { held, pause, .. } = &self.all[input];
        let pause = pause.as_ref()?;
        pause.reading(priority, held[priority.index()], self.shared)
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

    /// The account of an input, mutable.
    pub fn account_mut(&mut self, input: usize) -> &mut InputAccount {
        &mut self.all[input]
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
        let accounts = self.all.iter();
        let shared = accounts.filter_map(|one| Some(one.pause.as_ref()?.shared(&one.held)));
        assert_eq!(
            shared.sum::<u64>(),
            self.shared.used,
            "the shared memory has what inputs hold beyond theirs"
        );
        let counted: Vec<u64> = self.buffers.iter().map(|reserve| reserve.used).collect();
        assert_eq!(
            counted, used,
            "paused packets use what waits of the reserve"
        );
    }
}
