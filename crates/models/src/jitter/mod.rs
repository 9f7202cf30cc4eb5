//! Jitter: random time that a host takes for each packet, between the queue of its flow and the
//! link.
//!
//! Deterministic networks of equal rates lock into phases in which one connection always finds the
//! buffer full (Floyd and Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways", 1992).
//! A random time in the host breaks these phases: in the paper it is the processing time of a
//! packet at its source, and adds to the time between two packets. Our own rule: acknowledgments
//! are not delayed, because the data that they acknowledge is already out of phase.

use kernel::{Duration, Seed, Stream};

parameters::registry! {
    /// Random processing time of the sending host for each packet. It begins when the packet is
    /// handed over and the packet before it has left, and it ends when the packet leaves.
    pub enum JitterSpec builds Box<dyn Jitter>, for FlowPath {
        uniform => Uniform,
        packet_time => PacketTime,
    } open to Outside
}

/// The path of a flow, as known before the run.
#[derive(Clone, Debug)]
pub struct FlowPath {
    /// Name of the flow.
    pub name: String,
    /// Seed of the run.
    pub seed: Seed,
    /// Time to send one full packet on the slowest link.
    pub packet_time: Duration,
}

impl FlowPath {
    /// The random stream of the jitter.
    pub fn stream(&self) -> Stream {
        self.seed.stream(&self.name, "jitter")
    }
}

/// Draws the processing time of packets.
pub trait Jitter: Send {
    /// Processing time of the next packet.
    fn next(&mut self) -> Duration;
}
