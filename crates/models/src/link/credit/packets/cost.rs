//! Credits of packets: "SAI Proposal: Credit Based Flow Control (CBFC)", 2026, "Data Transmission".

use kernel::Duration;

use crate::link::credit::Loop;
use crate::link::credit::cbfc::CreditCost;
use crate::wire::between::ControlFrame;

/// The rule for the credits of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketCost {
    /// Octets that a credit stands for.
    pub credit_size: u32,
    /// Octets that each packet counts for beside its own.
    pub overhead: i32,
    /// The rule by which a packet costs credits: by its octets, or one a packet.
    pub by: CreditCost,
}

impl PacketCost {
    /// Credits of a packet with `octets` on the link.
    #[inline]
    pub fn of(self, octets: u32) -> u32 {
        match self.by {
            CreditCost::Octets => {
                let counted = octets.saturating_add_signed(self.overhead);
                counted.div_ceil(self.credit_size).max(1)
            }
            CreditCost::Packet => 1,
        }
    }

    /// Sizes from `smallest` to `largest` right before and right after which the credits of a packet
    /// change, and both ends.
    fn steps(self, [smallest, largest]: [u32; 2]) -> impl Iterator<Item = u32> {
        let full = (1..).map(move |credits| {
            let counted = i64::from(self.credit_size) * credits;
            counted - i64::from(self.overhead)
        });
        let full = full.take_while(move |size| *size <= i64::from(largest));
        let steps = full.flat_map(|size| [size, size + 1]);
        let steps = steps.filter_map(|size| u32::try_from(size).ok());
        let within = steps.filter(move |size| (smallest..=largest).contains(size));
        within.chain([smallest, largest])
    }

    /// Most octets of a memory that packets of these sizes take which have as many credits together.
    /// A packet takes `space` of its size, and takes more from each size of `further` on.
    pub fn most_space(
        self,
        credits: u64,
        sizes: [u32; 2],
        further: impl Iterator<Item = u32>,
        space: impl Fn(u32) -> u64,
    ) -> u64 {
        // Between two of these sizes, either the credits and the space of a packet are constant, or
        // only its space grows.
        let taken = self.steps(sizes).chain(further).map(|size| {
            let taken = u128::from(credits) * u128::from(space(size));
            taken / u128::from(self.of(size))
        });
        u64::try_from(taken.max().unwrap_or(0)).unwrap_or(u64::MAX)
    }

    /// Credits with which a virtual channel never waits for a link, if what it sends is sent on at once
    /// at the same rate.
    ///
    /// A packet is sent, passes the link, and is sent on. Its credits then wait until the `CF_Update`s
    /// of all virtual channels have been sent, for a packet and messages of the opposite direction,
    /// and pass the link. All of this time the link carries the packets that cost most for their
    /// octets.
    pub fn filling(self, link: &Loop, min_spacing: Duration) -> u64 {
        let [smallest, largest] = link.sizes.map(|octets| octets as u32);
        let time = |octets: u64| link.rate.transmission(8 * octets);
        let update = u64::from(ControlFrame::CC_UPDATE);
        let span = time(u64::from(largest)) * 2
            + min_spacing * link.priorities.len()
            + time(link.against)
            + time(update + link.sets)
            + time(u64::from(ControlFrame::CF_UPDATE))
            + link.propagation * 2;
        let bits = u128::from(span.ps()) * u128::from(link.rate.bits_per_second());
        let octets = bits.div_ceil(8_000_000_000_000);
        let credits = self.steps([smallest, largest]).map(|size| {
            let credits = octets * u128::from(self.of(size));
            credits.div_ceil(u128::from(size.max(1)))
        });
        let credits = u64::try_from(credits.max().unwrap_or(0)).unwrap_or(u64::MAX / 2);
        credits + u64::from(self.of(largest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(credit_size: u32, overhead: i32) -> PacketCost {
        PacketCost {
            credit_size,
            overhead,
            by: CreditCost::Octets,
        }
    }

    #[test]
    fn a_packet_costs_its_octets_and_the_overhead_in_whole_credits() {
        let costs = |rule: PacketCost| [1, 192, 193, 448, 449].map(|octets| rule.of(octets));
        assert_eq!(costs(cost(256, 64)), [1, 1, 2, 2, 3]);
        assert_eq!(
            [17, 144, 145].map(|octets| cost(128, -16).of(octets)),
            [1, 1, 2]
        );
        let by_packet = PacketCost {
            by: CreditCost::Packet,
            ..cost(256, 64)
        };
        assert_eq!(costs(by_packet), [1; 5]);
    }

    #[test]
    fn most_space_is_that_of_the_worst_size() {
        for (credit_size, overhead) in [(128, 0), (128, -16), (96, 20), (256, 127), (200, -3)] {
            for cell in [None, Some(96_u32), Some(256)] {
                let rule = cost(credit_size, overhead);
                let space = |octets: u32| match cell {
                    None => u64::from(octets),
                    Some(cell) => u64::from(octets.div_ceil(cell) * cell),
                };
                let sizes = [64, 1500];
                let further = (1..).map(|cells| cells * cell.unwrap_or(9999) + 1);
                let further = further.filter(|size| *size > 64);
                let further = further.take_while(|size| *size <= 1500);
                let found = rule.most_space(1000, sizes, further, space);
                let each = (64..=1500).map(|size| 1000 * space(size) / u64::from(rule.of(size)));
                assert_eq!(found, each.max().unwrap(), "{rule:?} {cell:?}");
            }
        }
    }
}
