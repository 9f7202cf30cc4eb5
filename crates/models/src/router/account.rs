//! The memory that one input of a router takes, by priority: see [`inputs`](super::inputs).

use crate::link::credit::CbfcReceiver;
use crate::link::pause::{Holding, PauseReceiver, SharedMemory};
use crate::wire::priority::{ByPriority, Priority};

/// The account of one input of a router.
#[derive(Default)]
pub struct InputAccount {
    /// Octets of memory that packets of this input take, by priority.
    pub(super) held: ByPriority<u64>,
    /// The pauses of the link, if the router may pause it.
    pub pause: Option<PauseReceiver>,
    /// The credits for packets of the link, if it has any.
    pub credit: Option<CreditedInput>,
}

/// The credits of the packets of an input.
pub struct CreditedInput {
    /// The receiving end of the link.
    pub receiver: CbfcReceiver,
    /// The memory that is kept for its packets.
    room: CreditRoom,
    /// The virtual channel and the octets of a packet that has just arrived and is not stored yet.
    pub(super) arriving: Option<(Priority, u32)>,
}

/// The memory that is kept for the packets of an input that have credits, in octets.
#[derive(Clone, Copy, Debug)]
pub struct CreditRoom {
    /// Most that each virtual channel holds.
    pub each: ByPriority<u64>,
    /// Most that all virtual channels hold together.
    pub together: u64,
}

impl CreditedInput {
    /// An input that holds nothing, and for whose packets this memory is kept.
    pub fn new(receiver: CbfcReceiver, room: CreditRoom) -> CreditedInput {
        CreditedInput {
            receiver,
            room,
            arriving: None,
        }
    }
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

impl Charge {
    /// The holding of its priority, which takes `held` octets once the packet has come or gone.
    pub(super) fn holding(self, held: u64) -> Holding {
        Holding {
            priority: self.priority,
            held,
            space: self.space,
        }
    }
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

    /// The receiving end of the credits for packets of the link, if it has any.
    pub fn receiver(&self) -> Option<&CbfcReceiver> {
        self.credit.as_ref().map(|credit| &credit.receiver)
    }

    /// The same, mutable.
    pub fn receiver_mut(&mut self) -> Option<&mut CbfcReceiver> {
        self.credit.as_mut().map(|credit| &mut credit.receiver)
    }

    /// True if packets of a priority are paused, or wait for credits, instead of being dropped.
    pub(super) fn protects(&self, priority: Priority) -> bool {
        let (pause, credit) = (self.pause.as_ref(), self.credit.as_ref());
        pause.is_some_and(|pause| pause.protects(priority))
            || credit.is_some_and(|credit| credit.receiver.protects(priority))
    }

    /// Counts the memory that a packet takes.
    pub(super) fn store(&mut self, charge: Charge, memory: &mut SharedMemory) {
        let held = &mut self.held[charge.priority.index()];
        *held += charge.space;
        let held = *held;
        if let Some(pause) = &mut self.pause {
            pause.store(charge.holding(held), memory);
        }
        if let Some(credit) = &mut self.credit {
            credit.arriving = None;
            let receiver = &credit.receiver;
            let credited = Priority::all().filter(|vc| receiver.protects(*vc));
            let together: u64 = credited.map(|vc| self.held[vc.index()]).sum();
            let each = credit.room.each[charge.priority.index()];
            assert!(
                held <= each || !receiver.protects(charge.priority),
                "a virtual channel never holds more than its credits allow"
            );
            assert!(
                together <= credit.room.together,
                "an input never holds more than its credits allow"
            );
        }
    }

    /// Counts the memory that a packet frees.
    pub(super) fn release(&mut self, charge: Charge, memory: &mut SharedMemory) {
        let held = &mut self.held[charge.priority.index()];
        *held -= charge.space;
        let held = *held;
        if let Some(pause) = &mut self.pause {
            pause.release(charge.holding(held), memory);
        }
        if let Some(credit) = &mut self.credit {
            credit.receiver.free(charge.priority, charge.octets);
        }
    }
}
