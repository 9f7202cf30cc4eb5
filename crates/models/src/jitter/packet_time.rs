//! Uniform jitter up to the time of one packet at the bottleneck: the amount that Floyd and
//! Jacobson use against phases, "On Traffic Phase Effects in Packet-Switched Gateways",
//! Internetworking: Research and Experience 3(3), 1992. Our own addition: other amounts, because
//! jitter takes capacity from a flow.

use kernel::{Duration, Stream};
use parameters::parameters;

use super::{FlowPath, Jitter};

parameters! {
    /// Uniform from zero to a number of packet times of the slowest link on the path.
    pub struct PacketTime {
        /// Largest jitter, in packet times.
        #[range(0.0, 1000.0)]
        pub at_most: f64 = 1.0,
    }
}

impl PacketTime {
    /// The jitter of one flow.
    pub fn build(&self, path: &FlowPath) -> Box<dyn Jitter> {
        let most = Duration::from_seconds_f64(path.packet_time.seconds() * self.at_most);
        Box::new(UpTo {
            most,
            random: path.stream(),
        })
    }
}

struct UpTo {
    most: Duration,
    random: Stream,
}

impl Jitter for UpTo {
    fn next(&mut self) -> Duration {
        self.random.uniform(Duration::ZERO, self.most)
    }
}
