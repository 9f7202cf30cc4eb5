//! What leaves a paced channel, and what becomes of it where that changes.

use kernel::Time;

use super::ahead::Ahead;
use super::run::Run;
use crate::abr::RmCell;
use crate::cell::Train;
use crate::vc::Vc;

/// What leaves a paced channel.
#[derive(Clone, Copy, Debug)]
pub enum Leaving {
    /// Data cells of a packet.
    Data {
        /// The cells.
        train: Train,
        /// When the first of them starts.
        start: Time,
        /// It is the first of the packet.
        is_first: bool,
    },
    /// An RM cell on a virtual channel.
    Rm(Vc, RmCell),
}

/// What an RM cell makes a channel do at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answer {
    /// An RM cell goes back.
    pub back: Option<RmCell>,
    /// What does not leave then, though it was committed behind others.
    pub withdrawn: Option<Ahead>,
    /// What becomes of cells that are committed and have not started, if that changes.
    pub change: Option<Change>,
}

/// What becomes of cells that are committed and have not started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// So many do not leave; the last that does started at this instant.
    Recalled(u32, Time),
    /// So many leave at other times.
    Respaced(Run),
}
