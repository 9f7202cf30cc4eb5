//! The format of cells: their octets on a link, and the number of cells that a packet is cut into.
//!
//! Every rule about the size of cells asks the format. The cells of ATM have 53 octets, of which 48
//! are payload: ITU-T Recommendation I.361. Our own choice: all cells of a network have one format.

use kernel::{Duration, Rate};
use parameters::{Bytes, parameters, presets};

use super::adaptation::{Adaptation, AdaptationSpec};

parameters! {
    /// The cells of a network, and the adaptation that cuts packets into them.
    #[presets(CellPreset)]
    pub struct CellFormatSpec {
        /// Cells of a well-known size; a parameter beside it replaces the value of the preset.
        pub preset: Option<CellPreset>,
        /// Payload of a cell.
        #[range("16 B", "4 KiB")]
        pub payload: Bytes = "48 B",
        /// Header of a cell.
        #[range("0 B", "256 B")]
        pub header: Bytes = "5 B",
        /// Adaptation, which adds octets to packets or to the cells that carry them.
        pub adaptation: AdaptationSpec = default,
    }
}

presets! {
    /// Cells of a well-known size. Those that are named by their octets are all payload: their
    /// header, if they have one, is for `header` to state.
    pub enum CellPreset {
        /// ATM with AAL5: ITU-T Recommendations I.361 and I.363.5.
        atm => Atm { payload = "48 B", header = "5 B", adaptation = { aal5 = {} } },
        /// ATM with AAL3/4: each cell has 4 octets of its payload for the segment, and each packet
        /// 8 octets more. ITU-T Recommendation I.363.3.
        atm_aal34 => AtmAal34 {
            payload = "48 B",
            header = "5 B",
            adaptation = { segments = { segment = "4 B", packet = "8 B" } },
        },
        /// Cells of 64 octets.
        octets_64 => Octets64 { payload = "64 B", header = "0 B", adaptation = { none = {} } },
        /// Cells of 96 octets.
        octets_96 => Octets96 { payload = "96 B", header = "0 B", adaptation = { none = {} } },
        /// Cells of 144 octets.
        octets_144 => Octets144 { payload = "144 B", header = "0 B", adaptation = { none = {} } },
        /// Cells of 192 octets.
        octets_192 => Octets192 { payload = "192 B", header = "0 B", adaptation = { none = {} } },
        /// Cells of 256 octets.
        octets_256 => Octets256 { payload = "256 B", header = "0 B", adaptation = { none = {} } },
    }
}

/// The format of all cells of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellFormat {
    /// Octets of a cell on a link.
    octets: u16,
    /// Octets of the payload.
    payload: u16,
    /// Octets of a packet that a cell carries.
    carried: u16,
    /// Octets that the adaptation adds to a packet.
    added: u16,
}

impl CellFormat {
    /// ATM with AAL5, whose trailer has 8 octets: ITU-T Recommendations I.361 and I.363.5.
    pub const ATM: CellFormat = CellFormat {
        octets: 53,
        payload: 48,
        carried: 48,
        added: 8,
    };

    /// Octets of a cell on a link.
    #[inline]
    pub const fn octets(self) -> u64 {
        self.octets as u64
    }

    /// Bits of a cell on a link.
    #[inline]
    pub const fn bits(self) -> u64 {
        self.octets() * 8
    }

    /// Octets of the payload of a cell.
    pub const fn payload(self) -> u64 {
        self.payload as u64
    }

    /// Transmission time of a cell.
    pub fn time(self, rate: Rate) -> Duration {
        rate.transmission(self.bits())
    }

    /// Number of cells for a PDU of `octets`; at least one.
    #[inline]
    pub fn cells(self, octets: u64) -> u32 {
        let octets = octets + u64::from(self.added);
        octets.div_ceil(u64::from(self.carried)).max(1) as u32
    }

    /// Octets of the longest PDU that takes `cells` cells; none if no PDU takes so few.
    pub fn longest(self, cells: u64) -> Option<u64> {
        (cells * u64::from(self.carried)).checked_sub(u64::from(self.added))
    }
}

impl CellFormatSpec {
    /// The format.
    pub fn format(&self) -> CellFormat {
        let Adaptation {
            segment, packet, ..
        } = self.adaptation.adaptation();
        let short = |octets: u64| u16::try_from(octets).expect("the ranges bound cells to 8 KiB");
        CellFormat {
            octets: short(self.payload.0 + self.header.0),
            payload: short(self.payload.0),
            carried: short(self.payload.0 - segment),
            added: short(packet),
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{Value, ValueTable, understand, value};

    use super::*;

    fn format(written: &Value) -> CellFormat {
        let spec: CellFormatSpec = understand(written).expect("a format");
        spec.format()
    }

    #[test]
    fn cell_counts_of_atm_are_those_of_the_studies() {
        // Packets of Romanow and Floyd; packets of Ajmone Marsan et al. (TCP and XTP); an
        // acknowledgment with and without LLC/SNAP.
        let sizes = [512, 1500, 4352, 9180, 4610, 1182, 1174, 40, 48];
        let counted = sizes.map(|octets| CellFormat::ATM.cells(octets));
        assert_eq!(counted, [11, 32, 91, 192, 97, 25, 25, 1, 2]);
    }

    #[test]
    fn cells_are_those_of_atm_unless_the_network_has_others() {
        assert_eq!(format(&value!({})), CellFormat::ATM);
        assert_eq!(format(&value!({ preset = "atm" })), CellFormat::ATM);
        assert_eq!(
            (CellFormat::ATM.bits(), CellFormat::ATM.payload()),
            (424, 48)
        );
    }

    #[test]
    fn packets_of_switches_with_cells_of_any_size_fill_them() {
        let cells = format(&value!({ preset = "octets_96" }));
        // A packet of 97 octets takes two cells of 96, and one of 96 takes one.
        assert_eq!(
            [1, 96, 97, 192, 193].map(|octets| cells.cells(octets)),
            [1, 1, 2, 2, 3]
        );
        let cells = format(&value!({ preset = "octets_256", header = "16 B" }));
        assert_eq!(
            (cells.octets(), cells.cells(256), cells.cells(257)),
            (272, 1, 2)
        );
    }

    #[test]
    fn segments_take_octets_of_every_cell() {
        // I.363.3: 44 octets of a cell are data, and the common part adds 8 octets to a packet.
        let cells = format(&value!({ preset = "atm_aal34" }));
        assert_eq!(cells.octets(), 53);
        assert_eq!(
            [36, 37, 80, 81].map(|octets| cells.cells(octets)),
            [1, 2, 2, 3]
        );
    }

    #[test]
    fn the_longest_pdu_of_some_cells_fills_them() {
        for preset in CellPreset::ALL {
            let cells = format(&ValueTable::of([("preset", preset.word().into())]).into());
            for count in [1, 2, 7, 1000] {
                let octets = cells
                    .longest(count)
                    .expect("a cell has space for a trailer");
                assert_eq!(u64::from(cells.cells(octets)), count, "{}", preset.word());
                assert_eq!(
                    u64::from(cells.cells(octets + 1)),
                    count + 1,
                    "{}",
                    preset.word()
                );
            }
        }
    }
}
