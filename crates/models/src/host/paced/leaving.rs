//! Cells that leave a paced channel, and changes to them.

use kernel::Time;

use super::ahead::Ahead;
use super::run::Run;
use crate::abr::RmCell;
use crate::cell::Train;
use crate::vc::Vc;

/// Cells that leave a paced channel together.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// Data cells of a packet.
    Data {
        /// The cells.
        train: Train,
        /// Start of the first of them.
        start: Time,
        /// True if the first of them begins the packet.
        is_first: bool,
    },
    /// An RM cell on a virtual channel.
    Rm(Vc, RmCell),
}

/// Immediate effect of an RM cell on a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// An RM cell that goes back.
    pub back: Option<RmCell>,
    /// Cells committed ahead that now do not leave.
    pub withdrawn: Option<Ahead>,
    /// Change of the committed cells that have not started, if any.
    pub change: Option<Change>,
}

/// Change of the committed cells that have not started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// The given number do not leave; the last cell that leaves started at this instant.
    Recalled(u32, Time),
    /// The cells leave at other times.
    Respaced(Run),
}
