//! What one input of a router holds, by priority: see [`inputs`](super::inputs).

use crate::credit::CbfcReceiver;
use crate::pause::{Holding, PauseReceiver, SharedMemory};
use crate::wire::priority::{ByPriority, Priority};

/// An input of a router, before the run.
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
    /// Octets of memory that are kept for each virtual channel.
    kept: u64,
    /// The virtual channel and the octets of a packet that has just arrived and is not stored yet.
    pub(super) arriving: Option<(Priority, u32)>,
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
    /// What its priority holds, if that is `held` octets with or without the packet.
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
            assert!(
                held <= credit.kept || !credit.receiver.protects(charge.priority),
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
