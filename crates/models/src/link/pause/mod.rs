//! Pauses: a router that holds too much of what a link brings stops the far end of the link.
//!
//! The router counts what each input holds, by priority. Above a threshold, xoff, it sends a pause
//! frame to the far end, which starts no further packet of that priority; at or below another, xon,
//! it resumes it. What arrives until the far end has stopped is held in the headroom beyond xoff.
//!
//! The two ends of such a link are a [`PauseReceiver`], which receives packets and pauses, and a
//! [`PauseGate`], which sends packets and obeys. Each member of the family names its own sources.

mod dynamic;
mod gate;
mod meter;
mod reading;
mod receiver;

pub use dynamic::{
    DynamicDemand, DynamicInput, DynamicLevel, DynamicThresholdSpec, ResumeLevel, SharedMemory,
};
pub use gate::PauseGate;
pub use meter::{PauseGateMeter, PauseReceiverMeter};
pub use reading::PauseReading;
pub use receiver::PauseReceiver;

use kernel::{Duration, Rate};
use parameters::BufferSize;

use crate::wire::priority::{Priority, PrioritySet};

parameters::registry! {
    /// Pauses of a link, by which a router keeps its buffer from overflowing.
    pub enum PauseSpec builds PauseDemand, for PausedLink {
        pfc => Pfc,
    }
}

/// A link in one direction, as known before the run.
#[derive(Clone, Copy, Debug)]
pub struct PausedLink {
    /// Rate of the link.
    pub rate: Rate,
    /// Propagation delay of the link, one way.
    pub propagation: Duration,
    /// Octets of the largest packet in this direction.
    pub largest: u64,
    /// Octets of the smallest packet in this direction.
    pub smallest: u64,
    /// Octets of the largest packet in the opposite direction, behind which a pause frame may wait.
    pub against: u64,
    /// Octets of the replay buffer of the link; none without retry.
    pub replay: Option<u64>,
}

/// Pauses of a link in one direction, before their thresholds are counted in the memory of the
/// receiving node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseDemand {
    /// The priorities that may be paused.
    pub priorities: PrioritySet,
    /// The threshold above which a priority of an input is paused, if it is given.
    pub xoff: Option<BufferSize>,
    /// The threshold that follows the free memory, if it does.
    pub dynamic: Option<DynamicDemand>,
    /// The threshold from which on it is resumed, if it is given.
    pub xon: Option<BufferSize>,
    /// Headroom of a priority of an input, beyond xoff, if it is given.
    pub headroom: Option<BufferSize>,
    /// Octets on the link that may arrive after a packet has crossed xoff.
    pub in_flight: u64,
    /// The frames of these pauses.
    pub frames: PauseFrames,
}

/// Pause frames of a link, and the reaction of the end that obeys them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseFrames {
    /// Octets of a pause frame on the link.
    pub octets: u32,
    /// Length of a pause, in quanta of 512 bit times.
    pub quanta: u16,
    /// Length of a pause.
    pub lasts: Duration,
    /// Time from the arrival of a pause frame until the far end obeys it.
    pub response: Duration,
}

impl PauseFrames {
    /// Time from one frame to the next while a priority is paused. Our own choice: half of a pause,
    /// so that the next frame comes in time although a packet may be ahead of it.
    pub fn refresh(&self) -> Duration {
        self.lasts / 2
    }
}

/// The thresholds of an input, in octets of the memory of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PauseThresholds {
    /// The far end of the link is paused above this.
    pub level: PauseLevel,
    /// Most that may be held beyond the level.
    pub headroom: u64,
}

/// The level above which the far end of a link is paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseLevel {
    /// The same levels at all times.
    Static {
        /// The far end is paused above this.
        xoff: u64,
        /// The far end is resumed at or below this.
        xon: u64,
    },
    /// Levels that follow the memory that is free.
    Dynamic(DynamicLevel),
}

/// The memory that a priority of an input takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The priority.
    pub priority: Priority,
    /// Octets of memory that it holds after a packet has come or gone.
    pub held: u64,
    /// Octets of memory of the packet.
    pub space: u64,
}
