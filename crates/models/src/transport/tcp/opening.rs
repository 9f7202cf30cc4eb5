//! The opening of a connection, as far as it is simulated: a SYN and its answer.

/// State of the opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// No SYN has been sent.
    Closed,
    /// A SYN has been sent `times` times.
    Asked {
        /// Number of SYNs sent.
        times: u16,
    },
    /// The connection is open for data.
    Done,
}

impl Opening {
    /// The state at the start; without a handshake, the connection is open.
    pub fn new(handshake: bool) -> Opening {
        if handshake {
            Opening::Closed
        } else {
            Opening::Done
        }
    }

    /// Counts a SYN.
    pub fn ask(&mut self) {
        *self = match self {
            Opening::Asked { times } => Opening::Asked {
                times: times.saturating_add(1),
            },
            _ => Opening::Asked { times: 1 },
        };
    }

    /// True if more than one SYN was sent.
    pub fn repeated(self) -> bool {
        matches!(self, Opening::Asked { times } if times > 1)
    }
}
