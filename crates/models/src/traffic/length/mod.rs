//! Lengths of messages.
//!
//! A length counts octets of user data or cells on a link; a length in cells stands for the user
//! data that fills the cells. Our own choice: both units are permitted, because models of queues
//! state messages in cells and measurements state them in octets.

use parameters::MessageLength;

use super::{Application, OnLink, PacketSizes};
use crate::wire::format::CellFormat;

parameters::registry! {
    /// Length of messages, in user data or in the cells that carry them.
    pub enum LengthSpec builds Box<dyn Lengths>, for Application, answers dyn LengthKind {
        constant => ConstantLength,
        geometric => Geometric,
        listed => Listed,
        exponential => ExponentialLength,
        pareto => Pareto,
        lognormal => Lognormal,
        weibull => Weibull,
        empirical => Empirical,
    }
}

/// A sequence of lengths, in octets or in cells.
pub trait Lengths: Send {
    /// The next length, at least one.
    fn next(&mut self) -> u64;
}

/// The properties of lengths before the run, which each member states in its own file.
pub trait LengthKind {
    /// Some of the lengths, among them the shortest; all are in the same unit.
    fn examples(&self) -> &[MessageLength];

    /// True if the examples are all lengths, and equally frequent.
    fn examples_are_all(&self) -> bool;

    /// The mean length, in octets or in cells.
    fn mean(&self) -> f64;
}

impl LengthSpec {
    /// True if lengths are in cells, false if they are octets of user data.
    pub fn is_in_cells(&self) -> bool {
        self.examples().iter().any(|one| is_in_cells(*one))
    }

    /// A length in cells for which a packet would have no space for user data; none if there is no
    /// such length.
    pub fn without_room(&self, packets: &PacketSizes) -> Option<u64> {
        let cells = self.examples().iter().filter_map(|one| match one {
            MessageLength::Cells(cells) => Some(*cells),
            MessageLength::Bytes(_) => None,
        });
        cells
            .into_iter()
            .find(|cells| packets.filling(*cells).is_none())
    }

    /// Mean number of bits of a message on a link where messages share packets, or where the
    /// packets of each message are not known: the part of the message in a long stream of data.
    pub fn mean_bits_on(&self, link: &OnLink) -> f64 {
        self.mean_bits(&link.packets)
            .filter(|_| link.keeps_messages)
            .unwrap_or_else(|| self.mean() * link.bits_of_octet())
    }

    /// Mean number of bits of a message on a link; none for random lengths in octets, whose packets
    /// and cells vary.
    pub fn mean_bits(&self, packets: &PacketSizes) -> Option<f64> {
        if self.is_in_cells() {
            // Lowering refuses lengths in cells where packets stay whole.
            let format = packets.cells.unwrap_or(CellFormat::ATM);
            return Some(self.mean() * format.bits() as f64);
        }
        if !self.examples_are_all() {
            return None;
        }
        let lengths = self.examples();
        let bits = lengths.iter().map(|length| packets.bits(count(*length)));
        Some(bits.sum::<u128>() as f64 / lengths.len() as f64)
    }

    /// Messages of these lengths.
    pub fn messages(&self, application: &Application) -> Messages {
        Messages {
            lengths: self.build(application),
            cells: self.is_in_cells().then_some(application.packets),
        }
    }
}

/// A sequence of messages.
pub struct Messages {
    lengths: Box<dyn Lengths>,
    /// Conversion from cells to octets, if lengths are in cells.
    cells: Option<PacketSizes>,
}

impl Messages {
    /// User octets of the next message.
    pub fn draw(&mut self) -> u64 {
        let length = self.lengths.next();
        match &self.cells {
            None => length,
            Some(packets) => packets.filling(length).unwrap_or(1),
        }
    }
}

/// The shortest length of distributions of any number of octets.
const ONE_OCTET: &[MessageLength] = &[MessageLength::Bytes(1)];

/// Largest length drawn in octets: that of any size in a scenario.
const MOST: f64 = (1_u64 << 50) as f64;

/// A length as a whole number of octets, at least one.
fn whole(octets: f64) -> u64 {
    libm::round(octets.clamp(1.0, MOST)) as u64
}

/// The number of octets or cells.
fn count(length: MessageLength) -> u64 {
    match length {
        MessageLength::Cells(count) | MessageLength::Bytes(count) => count,
    }
}

fn is_in_cells(length: MessageLength) -> bool {
    matches!(length, MessageLength::Cells(_))
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    use crate::traffic::tests::application;

    fn spec(value: &parameters::Value) -> LengthSpec {
        understand(value).expect("lengths")
    }

    /// Asserts that lengths have this mean and this median, within five standard errors.
    pub fn check(value: &parameters::Value, mean: f64, [median]: [f64; 1]) {
        let spec = spec(value);
        assert!((spec.mean() / mean - 1.0).abs() < 1e-9, "{}", spec.mean());
        let mut lengths = spec.build(&application(1000));
        let count = 200_000;
        let drawn: Vec<f64> = (0..count).map(|_| lengths.next() as f64).collect();
        let squares: f64 = drawn.iter().map(|one| (one - mean).powi(2)).sum();
        let error = 5.0 * (squares / f64::from(count)).sqrt() / f64::from(count).sqrt();
        let found = drawn.iter().sum::<f64>() / f64::from(count);
        assert!((found - mean).abs() < error, "{found} instead of {mean}");
        // Half of the lengths are below the median, with a standard deviation of half the root.
        let below = drawn.iter().filter(|one| **one < median).count() as f64;
        let error = 2.5 * f64::from(count).sqrt();
        assert!(
            (below - f64::from(count) / 2.0).abs() < error,
            "{below} below {median}"
        );
    }

    #[test]
    fn the_mean_size_on_a_link_counts_cells_or_packets() {
        // 972 user octets and 28 octets of headers fill 21 cells, and 1 user octet takes 1 cell.
        let packets = PacketSizes {
            payload: 972,
            headers: 28,
            added: 28,
            least: 0,
            cells: Some(CellFormat::ATM),
        };
        let bits = |value| spec(&value).mean_bits(&packets);
        assert_eq!(bits(value!({ constant = "20 cells" })), Some(20.0 * 424.0));
        assert_eq!(bits(value!({ constant = "972 B" })), Some(21.0 * 424.0));
        assert_eq!(
            bits(value!({ listed = ["973 B", "1 B"] })),
            Some(11.5 * 424.0)
        );
        let geometric = value!({ geometric = { mean = "20 cells", max = "200 cells" } });
        assert_eq!(bits(geometric), Some(20.0 * 424.0));
        assert_eq!(bits(value!({ geometric = { mean = "20 B" } })), None);
    }
}
