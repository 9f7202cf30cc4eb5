//! Jitter: time a host adds to each packet before sending it, in order.
//!
//! Deterministic networks of equal rates lock into phases in which one connection always finds the
//! buffer full (Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992).
//! A random time in the host breaks them.

use kernel::{Duration, Seed, Stream};

parameters::registry! {
    /// Random time that the sending host adds to each packet, keeping their order.
    pub enum JitterSpec builds Box<dyn Jitter>, for Path {
        uniform => Uniform,
        packet_time => PacketTime,
    }
}

/// The path of a flow, as known before the run.
#[derive(Clone, Debug)]
pub struct Path {
    /// Name of the flow.
    pub name: String,
    /// Seed of the run.
    pub seed: Seed,
    /// Time to send one full packet on the slowest link.
    pub packet_time: Duration,
}

impl Path {
    /// The stream from which jitter is drawn.
    pub fn stream(&self) -> Stream {
        self.seed.stream(&self.name, "jitter")
    }
}

/// Draws the time added to a packet.
pub trait Jitter {
    /// Time added to the next packet.
    fn next(&mut self) -> Duration;
}
