//! Traffic sources: when an application hands data to its transport, and how much.

use kernel::{Seed, Stream, Time};

parameters::registry! {
    /// When an application has data to send, and how much.
    pub enum SourceSpec builds Box<dyn Source>, for Application {
        greedy => Greedy,
        telnet => Telnet,
    } default greedy
}

/// An application, as known before the run.
#[derive(Clone, Debug)]
pub struct Application {
    /// Name of the flow: owner of its random streams.
    pub name: String,
    /// Seed of the run.
    pub seed: Seed,
}

impl Application {
    /// The stream for one purpose.
    pub fn stream(&self, purpose: &str) -> Stream {
        self.seed.stream(&self.name, purpose)
    }
}

/// Data handed to the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// When.
    pub at: Time,
    /// How many octets.
    pub octets: u64,
}

impl Write {
    /// The one that does not come.
    pub const NEVER: Write = Write {
        at: Time::NEVER,
        octets: 0,
    };
}

/// More than any run can send.
pub const ENDLESS: u64 = u64::MAX / 4;

/// A traffic source.
pub trait Source {
    /// The write after the last one, if there is one.
    fn next(&mut self) -> Option<Write>;
}

impl SourceSpec {
    /// Whether the source always has something to send, so that its flow takes what it can get.
    pub fn is_greedy(&self) -> bool {
        matches!(self, SourceSpec::Greedy(_))
    }
}
