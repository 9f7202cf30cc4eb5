//! Loss on links: units that never arrive, whatever the buffers do.
//!
//! Loss happens at the transmitting end of a link, in its transmitter. A lost unit has been sent and
//! has taken its time, as on a real link; or, if [`LossAt`] says so, it is lost before the queue and
//! before any discard policy sees it, and takes no room and no time.

mod end;

use kernel::{Rate, Seed, Stream, Time};
use parameters::choices;

pub use end::LossyEnd;

parameters::registry! {
    /// Losses on a link, apart from drops at buffers.
    pub enum LossSpec builds Option<Box<dyn LinkLoss>>, for Way {
        nth => Nth,
        nth_cell => NthCell,
        packet => PacketLoss,
        cell => CellLoss,
        gilbert_elliott => GilbertElliott,
        frame => FrameLoss,
    }
}

choices! {
    /// Unit for which a loss is decided.
    pub enum LossUnit {
        /// Each packet, with all cells of its PDU.
        packet => Packet,
        /// Each cell by itself.
        cell => Cell,
    }
}

choices! {
    /// Place at which a link loses cells or packets.
    pub enum LossAt {
        /// On the link: a lost unit has waited in the queue and taken its transmission time.
        transmission => Transmission,
        /// Before the queue: a lost unit takes neither buffer nor time on the link, as in scripts
        /// that name the packets to drop.
        queue => Queue,
    }
}

/// One direction of a link, as known before the run.
#[derive(Clone, Debug)]
pub struct Way {
    /// Name of the link.
    pub link: String,
    /// From the second node of the link to the first.
    pub reverse: bool,
    /// Rate of the link.
    pub rate: Rate,
    /// Seed of the run.
    pub seed: Seed,
}

impl Way {
    /// The stream from which losses in this direction are drawn.
    pub fn stream(&self) -> Stream {
        let purpose = if self.reverse { "loss back" } else { "loss" };
        self.seed.stream(&self.link, purpose)
    }
}

/// Decides what a link loses, unit by unit.
pub trait LinkLoss {
    /// Whether the next unit is lost.
    fn next(&mut self, sent: Sent) -> bool;
}

/// A packet or a cell on its way onto a link. Of the cells of a PDU that is lost whole, the first.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// When its transmission starts; where it is lost before the queue, when it is offered.
    pub start: Time,
    /// Its length on the link.
    pub octets: u64,
}

impl LossSpec {
    /// What is counted, or drawn for.
    pub fn unit(&self) -> LossUnit {
        match self {
            LossSpec::Nth(_) | LossSpec::PacketLoss(_) => LossUnit::Packet,
            LossSpec::NthCell(_) | LossSpec::CellLoss(_) | LossSpec::FrameLoss(_) => LossUnit::Cell,
            LossSpec::GilbertElliott(bursts) => bursts.unit,
        }
    }

    /// Whether it makes no sense of packets that travel whole. Frames lose what they hold of either.
    pub fn needs_cells(&self) -> bool {
        self.unit() == LossUnit::Cell && !self.needs_instants()
    }

    /// Whether it asks when units are sent.
    pub fn needs_instants(&self) -> bool {
        matches!(self, LossSpec::FrameLoss(_))
    }

    /// The numbers of the units that are lost, if they are listed.
    pub fn listed(&self) -> Option<&[u64]> {
        match self {
            LossSpec::Nth(nth) => Some(&nth.0),
            LossSpec::NthCell(nth) => Some(&nth.0),
            _ => None,
        }
    }
}

/// Loses the units with certain numbers, which rise.
struct Listed {
    numbers: Vec<u64>,
    /// How many of them have been met.
    met: usize,
    /// Units so far.
    units: u64,
}

impl Listed {
    /// The loss of the units `numbers` in the direction in which they are counted.
    fn build(numbers: &[u64], way: &Way) -> Option<Box<dyn LinkLoss>> {
        let listed = Listed {
            numbers: numbers.to_vec(),
            met: 0,
            units: 0,
        };
        (!way.reverse).then(|| Box::new(listed) as Box<dyn LinkLoss>)
    }
}

impl LinkLoss for Listed {
    fn next(&mut self, _sent: Sent) -> bool {
        let lost = self.numbers.get(self.met) == Some(&self.units);
        self.units += 1;
        self.met += usize::from(lost);
        lost
    }
}

/// Loses each unit with the same probability, whatever became of the others.
struct Independent {
    probability: f64,
    random: Stream,
}

impl Independent {
    /// Loss with `probability`, drawn apart for each direction.
    fn build(probability: f64, way: &Way) -> Box<dyn LinkLoss> {
        Box::new(Independent {
            probability,
            random: way.stream(),
        })
    }
}

impl LinkLoss for Independent {
    fn next(&mut self, _sent: Sent) -> bool {
        self.random.unit() < self.probability
    }
}

/// Scripts for the tests of the losses.
#[cfg(test)]
pub(crate) mod script {
    use kernel::{Rate, Seed, Time};
    use parameters::{Value, understand};

    use super::{LossSpec, Sent, Way};

    /// A cell, sent at whatever instant.
    pub const CELL: Sent = Sent {
        start: Time::ZERO,
        octets: 53,
    };

    /// One direction of a link.
    pub fn way(reverse: bool) -> Way {
        let seed = Seed {
            seed: 1,
            replication: 0,
        };
        Way {
            link: "l".to_string(),
            reverse,
            rate: Rate::from_bits_per_second(100_000_000),
            seed,
        }
    }

    /// What becomes of so many units: `-` for each that is lost and `+` for the others.
    pub fn fates(loss: &Value, units: usize) -> String {
        let spec: LossSpec = understand(loss).expect("a loss");
        let mut loss = spec.build(&way(false)).expect("a loss");
        (0..units)
            .map(|_| if loss.next(CELL) { '-' } else { '+' })
            .collect()
    }
}
