//! Packet formats of XTP 4.0, as far as they determine sizes.
//!
//! Every packet begins with a header of 32 octets: key (8), command with options, version and type
//! (4), length of the data (4), checksum (2), sort (2), sync (4), seq (8). Data follows it, or a
//! control segment: rseq (8), alloc (8), echo (4). An error control packet then has the number of
//! spans (4), and the two edges of each (8 and 8).
//!
//! XTP Forum, "Xpress Transport Protocol Specification, Revision 4.0", report XTP 95-20, March 1995,
//! defines the formats; the layout here is that of Wireshark's dissector of XTP 4.0,
//! `epan/dissectors/packet-xtp.c`.

use crate::wire::segment::Segment;

/// Octets of the header.
pub const HEADER: u64 = 32;
/// Octets of the control segment of a CNTL or ECNTL packet.
pub const CONTROL: u64 = 20;
/// Octets of the number of spans, in an ECNTL packet.
pub const SPAN_COUNT: u64 = 4;
/// Octets of a span.
pub const SPAN: u64 = 16;

/// Octets of a packet, header included.
pub fn octets(packet: &Segment) -> u64 {
    let body = if packet.len > 0 {
        u64::from(packet.len)
    } else if packet.options().is_some_and(|options| options.missing) {
        CONTROL + SPAN_COUNT + SPAN * packet.sacks().len() as u64
    } else {
        CONTROL
    };
    HEADER + body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bearer::BearerSpec;
    use crate::wire::format::CellFormat;
    use crate::wire::segment::Options;

    fn cells(packet: &Segment) -> u32 {
        BearerSpec::default()
            .wrap(octets(packet), CellFormat::ATM)
            .1
    }

    #[test]
    fn packets_make_as_many_cells_as_in_the_study() {
        // Ajmone Marsan et al., section 3: control packets take two cells, or more with spans.
        let control = Segment::acknowledgment(1);
        assert_eq!(cells(&control), 2);
        let mut control = control.with_options(Options {
            missing: true,
            ..Options::default()
        });
        let with_spans: Vec<u32> = (0..3)
            .map(|_| {
                control.push_sack(2, 3);
                cells(&control)
            })
            .collect();
        assert_eq!(with_spans, [2, 2, 3]);
        let data = [9140, 4570, 1142].map(|len| cells(&Segment::data(0, len)));
        assert_eq!(data, [192, 97, 25]);
    }
}
