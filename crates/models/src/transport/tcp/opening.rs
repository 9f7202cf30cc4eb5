//! The opening of a connection, as far as it is simulated: one question and one answer.

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Nothing was sent yet.
    Closed,
    /// A SYN was sent, so many times.
    Asked {
        /// How often.
        times: u16,
    },
    /// Data may flow.
    Done,
}

impl Opening {
    /// That of a connection with a handshake, or of one that has existed before.
    pub fn new(handshake: bool) -> Opening {
        if handshake {
            Opening::Closed
        } else {
            Opening::Done
        }
    }

    /// A SYN is sent.
    pub fn ask(&mut self) {
        *self = match self {
            Opening::Asked { times } => Opening::Asked {
                times: times.saturating_add(1),
            },
            _ => Opening::Asked { times: 1 },
        };
    }

    /// Whether more than one was.
    pub fn repeated(self) -> bool {
        matches!(self, Opening::Asked { times } if times > 1)
    }
}
