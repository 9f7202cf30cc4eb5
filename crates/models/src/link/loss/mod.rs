//! Loss on links: units that never arrive, however much buffer is free.
//!
//! Loss happens at the transmitting end of a link. With [`LossAt::Transmission`] a lost unit has
//! waited in the queue and taken its transmission time, as on a real link. Our own addition, for
//! scripts that must know which packets arrive: with [`LossAt::Queue`] the unit is lost before any
//! discard policy sees it, and takes neither buffer nor time. Each loss names its own model.

mod end;
mod outage;

use kernel::{Rate, Seed, Stream, Time};
use parameters::choices;

pub use end::{FrameFate, LossyEnd};
pub use outage::Outages;

parameters::registry! {
    /// Losses on a link, apart from drops at buffers.
    pub enum LossSpec builds Option<Box<dyn LinkLoss>>, for Way, answers dyn LossKind {
        nth => Nth,
        nth_cell => NthCell,
        packet => PacketLoss,
        cell => CellLoss,
        gilbert_elliott => GilbertElliott,
        frame => FrameLoss,
        bit_errors => BitErrors,
    } open to Outside
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

choices! {
    /// Directions of a link, in which it loses, or its rate changes.
    pub enum LinkDirection {
        /// From the first node of `between` to the second, and not back.
        forward => Forward,
        /// From the second node of `between` to the first, and not forward.
        backward => Backward,
        /// In both directions, each by itself.
        both => Both,
    }
}

impl LinkDirection {
    /// True for a direction, `reverse` or not.
    pub fn includes(self, reverse: bool) -> bool {
        match self {
            LinkDirection::Forward => !reverse,
            LinkDirection::Backward => reverse,
            LinkDirection::Both => true,
        }
    }
}

/// One direction of a link, as known before the run.
#[derive(Clone, Debug)]
pub struct Way {
    /// Name of the link.
    pub link: String,
    /// True for the direction from the second node of the link to the first.
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

    /// The stream from which losses of ordered sets in this direction are drawn, apart from those of
    /// packets.
    pub fn stream_of_ordered_sets(&self) -> Stream {
        let purpose = if self.reverse {
            "loss of ordered sets back"
        } else {
            "loss of ordered sets"
        };
        self.seed.stream(&self.link, purpose)
    }
}

/// The loss in one direction of a link: a decision for each unit.
pub trait LinkLoss: Send {
    /// True if the next unit is lost.
    fn next(&mut self, sent: SentUnit) -> bool;

    /// The fragments of the unit that [`LinkLoss::next`] decided last; none if units are not carried
    /// in frames.
    fn fragments(&self) -> Option<Fragments> {
        None
    }

    /// True if an ordered set is lost. A loss that is decided by packets or by cells loses none.
    fn loses_ordered_set(&mut self, sent: SentUnit) -> bool {
        let _ = sent;
        false
    }

    /// True if a lost packet arrives with a wrong check sequence, so that a receiver with retry knows
    /// of it at once; false if nothing arrives.
    fn damages(&self) -> bool {
        false
    }

    /// The loss probability of each unit, if one number states it; a run may change it.
    fn probability(&mut self) -> Option<&mut f64> {
        None
    }
}

/// The unit whose loss is decided: a packet, a cell, or the first cell of a PDU that is lost whole.
#[derive(Clone, Copy, Debug)]
pub struct SentUnit {
    /// Start of the transmission of the unit, or the time of its offer if losses happen before the
    /// queue.
    pub start: Time,
    /// Length of the unit on the link.
    pub octets: u64,
}

/// The parts of a unit in frames of the link: a unit arrives only if all of them do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fragments {
    /// Number of frames that hold a part of the unit.
    pub offered: u64,
    /// Those of them that are lost.
    pub lost: u64,
}

/// The properties of a loss before the run, which each member states in its own file.
pub trait LossKind {
    /// Unit for which the loss is decided.
    fn unit(&self) -> LossUnit;

    /// True if the loss depends on the instants at which units are sent or on their lengths, as frame
    /// loss and bit errors do; it then applies to packets and to cells.
    fn needs_instants(&self) -> bool;

    /// The numbers of the lost units; none if the member does not list them.
    fn listed(&self) -> Option<&[u64]>;
}

impl LossSpec {
    /// True if the loss applies to cells only.
    pub fn needs_cells(&self) -> bool {
        self.unit() == LossUnit::Cell && !self.needs_instants()
    }

    /// True if the link loses in a direction, `reverse` or not. Unless `given` says otherwise, losses
    /// that are listed happen forward, and all others in both directions.
    pub fn applies(&self, given: Option<LinkDirection>, reverse: bool) -> bool {
        let direction = given.unwrap_or(match self.listed() {
            Some(_) => LinkDirection::Forward,
            None => LinkDirection::Both,
        });
        direction.includes(reverse)
    }
}

/// Loses the units whose numbers are listed, in ascending order.
struct Listed {
    numbers: Vec<u64>,
    /// Number of listed units that have been lost so far.
    met: usize,
    /// Number of units that have been sent.
    units: u64,
}

impl Listed {
    /// The loss of the listed units in one direction.
    fn build(numbers: &[u64]) -> Box<dyn LinkLoss> {
        Box::new(Listed {
            numbers: numbers.to_vec(),
            met: 0,
            units: 0,
        })
    }
}

impl LinkLoss for Listed {
    fn next(&mut self, _sent: SentUnit) -> bool {
        let lost = self.numbers.get(self.met) == Some(&self.units);
        self.units += 1;
        self.met += usize::from(lost);
        lost
    }
}

/// Loses nothing: the loss of a link that only has outages.
pub struct Never;

impl LinkLoss for Never {
    fn next(&mut self, _sent: SentUnit) -> bool {
        false
    }
}

/// Loses each unit with the same probability, independently of the others.
struct Independent {
    probability: f64,
    random: Stream,
}

impl Independent {
    /// Loss with `probability`, drawn separately for each direction.
    fn build(probability: f64, way: &Way) -> Box<dyn LinkLoss> {
        Box::new(Independent {
            probability,
            random: way.stream(),
        })
    }
}

impl LinkLoss for Independent {
    fn next(&mut self, _sent: SentUnit) -> bool {
        self.random.unit() < self.probability
    }

    fn probability(&mut self) -> Option<&mut f64> {
        Some(&mut self.probability)
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    #[test]
    fn listed_units_are_lost_forward_and_others_both_ways_unless_a_direction_is_given() {
        let directions = |loss, given| {
            let spec: LossSpec = understand(&loss).expect("a loss");
            [false, true].map(|reverse| spec.applies(given, reverse))
        };
        let given = [
            None,
            Some(LinkDirection::Forward),
            Some(LinkDirection::Backward),
            Some(LinkDirection::Both),
        ];
        let listed = given.map(|given| directions(value!({ nth = [0] }), given));
        assert_eq!(
            listed,
            [[true, false], [true, false], [false, true], [true; 2]]
        );
        let random = given.map(|given| directions(value!({ packet = "1 %" }), given));
        assert_eq!(random, [[true; 2], [true, false], [false, true], [true; 2]]);
    }
}

/// Scripts for the tests of the losses.
#[cfg(test)]
pub(crate) mod script {
    use kernel::{Rate, Seed, Time};
    use parameters::{Value, understand};

    use super::{LossSpec, SentUnit, Way};

    /// A cell at an arbitrary instant.
    pub const CELL: SentUnit = SentUnit {
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

    /// Fates of `units` units: `-` for a lost unit, `+` for any other.
    pub fn fates(loss: &Value, units: usize) -> String {
        let spec: LossSpec = understand(loss).expect("a loss");
        let mut loss = spec.build(&way(false)).expect("a loss");
        (0..units)
            .map(|_| if loss.next(CELL) { '-' } else { '+' })
            .collect()
    }
}
