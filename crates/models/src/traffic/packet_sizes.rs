//! The size of user data on a link.
//!
//! Cells are counted as in ITU-T Recommendation I.363.5. Our own definition: a length in cells
//! stands for the most user data that these cells carry, so that a message may be stated by its
//! cells.

use crate::wire::format::CellFormat;

/// Segmentation of user data into packets, and of packets into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketSizes {
    /// User octets of a full packet.
    pub payload: u64,
    /// Octets of the headers of the transport in each packet.
    pub headers: u64,
    /// Octets that the transport and the bearer add to each packet.
    pub added: u64,
    /// Octets of the shortest packet on a link that carries packets whole, whatever it holds.
    pub least: u64,
    /// Format of the cells into which packets are segmented; none if they stay whole.
    pub cells: Option<CellFormat>,
}

impl PacketSizes {
    /// Bits of `octets` of user data on a link.
    pub fn bits(&self, octets: u64) -> u128 {
        let full = u128::from(octets / self.payload) * self.bits_of_packet(self.payload);
        match octets % self.payload {
            0 => full,
            rest => full + self.bits_of_packet(rest),
        }
    }

    /// User octets that fill exactly `cells` cells; none if a packet has no space for user data, or
    /// if packets stay whole.
    pub fn filling(&self, cells: u64) -> Option<u64> {
        let format = self.cells?;
        let of_full = u64::from(format.cells(self.payload + self.added));
        let (full, rest) = (cells / of_full, cells % of_full);
        let in_rest = match rest {
            0 => 0,
            rest => format.longest(rest)?.checked_sub(self.added + 1)? + 1,
        };
        Some(full * self.payload + in_rest)
    }

    fn bits_of_packet(&self, octets: u64) -> u128 {
        let octets = octets + self.added;
        match self.cells {
            Some(format) => u128::from(format.cells(octets)) * u128::from(format.bits()),
            None => u128::from(octets.max(self.least)) * 8,
        }
    }
}

/// The size of a flow's data on a link, from which a source computes its load.
#[derive(Clone, Copy, Debug)]
pub struct OnLink {
    /// Packets of the flow on that link.
    pub packets: PacketSizes,
    /// Packets of the flow at the sending host.
    pub at_host: PacketSizes,
    /// True if each message begins a new packet.
    pub keeps_messages: bool,
}

impl OnLink {
    /// Bits on the link for each octet of user data in a long stream.
    pub fn bits_of_octet(&self) -> f64 {
        self.packets.bits(self.packets.payload) as f64 / self.packets.payload as f64
    }

    /// Mean number of bits on the link for a message.
    pub fn bits(&self, octets: u64) -> f64 {
        if self.keeps_messages {
            self.packets.bits(octets) as f64
        } else {
            octets as f64 * self.bits_of_octet()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_filled_packet_by_packet() {
        // Full packets of 21 cells, in which 28 octets are headers.
        let packets = PacketSizes {
            payload: 972,
            headers: 28,
            added: 28,
            least: 0,
            cells: Some(CellFormat::ATM),
        };
        for cells in [1, 2, 20, 21, 22, 42, 45] {
            let octets = packets.filling(cells).expect("room");
            assert_eq!(packets.bits(octets), u128::from(cells) * 424);
            assert!(cells % 21 == 0 || packets.bits(octets + 1) == u128::from(cells + 1) * 424);
        }
        assert_eq!(packets.filling(1), Some(12));
        let crowded = PacketSizes {
            added: 40,
            ..packets
        };
        assert_eq!(crowded.filling(1), None);
        assert_eq!(crowded.filling(23), None);
        assert_eq!(crowded.filling(2), Some(48));
    }
}
