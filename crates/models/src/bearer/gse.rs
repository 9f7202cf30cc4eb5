//! GSE: packets in the baseband frames of a satellite link (DVB-S2).
//!
//! Frames have one length and follow one another, and each packet begins where the packet before it
//! ended, so a packet at the end of a frame is cut in two fragments. ETSI TS 102 606-1, "Generic
//! Stream Encapsulation (GSE); Part 1: Protocol", clause 4.2, and ETSI EN 302 307-1, clause 5.1.
//!
//! Our own simplification: every packet bears the mean cost of fragmentation on a busy link, in
//! proportion to its length, because the size of a packet here cannot depend on the packets before
//! it.

use parameters::{Bytes, parameters};

use super::{AbrParameters, Bearer, Form, Stack, StatedRate, Wrapping};
use super::{Encapsulation, OverGse};
use crate::gcra::Descriptor;
use crate::wire::class::Class;

/// Octets of the header of a baseband frame.
const FRAME_HEADER: u16 = 10;

/// Octets that fragmentation adds to a packet: in the first fragment the packet's number and total
/// length, in the last fragment a header with that number and a checksum.
const CUT: u16 = 3 + 3 + 4;

parameters! {
    /// Packets in the baseband frames of DVB-S2, cut where a frame ends (GSE).
    pub struct Gse {
        /// Encapsulation, or the octets that it adds to each packet: 10 with a label of 6.
        #[range("4 B", "1 KiB")]
        pub encapsulation: Encapsulation<OverGse> = "10 B",
        /// Octets of a frame after its header: 4016 with QPSK 1/2 and normal frames.
        #[range("64 B", "8 KiB")]
        pub frame: Bytes = "4016 B",
    }
}

impl Bearer for Gse {
    fn wrapping(&self) -> Wrapping {
        let frame = u16::try_from(self.frame.0).expect("the range bounds frames to 8 KiB");
        let stretched = Form::Stretched([frame + FRAME_HEADER, frame - CUT]);
        Wrapping::new(self.encapsulation.octets(), stretched)
    }

    fn named_headers(&self) -> Option<(&'static str, &'static Stack)> {
        Some(("encapsulation", self.encapsulation.stack()?))
    }

    fn class(&self) -> Class {
        Class::Ubr
    }

    fn descriptor(&self) -> Option<Descriptor> {
        None
    }

    fn rate_control(&self) -> Option<&AbrParameters> {
        None
    }

    fn rates(&self) -> Vec<StatedRate> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use parameters::ParameterTable;

    use super::*;

    /// Octets of the header of every fragment, with the number of its packet.
    const PIECE: u64 = 3;

    /// Octets of all frames that packets of `octets` fill, fragment by fragment; each packet has
    /// `added` octets of its own.
    fn piece_by_piece(octets: u64, added: u64, packets: u64, frame: u64) -> u64 {
        let (mut frames, mut left) = (1, frame);
        for _ in 0..packets {
            if octets + added > left && left <= added + PIECE {
                // The rest of the frame has space for a header at most, so it is padding.
                (frames, left) = (frames + 1, frame);
            }
            if octets + added <= left {
                left -= octets + added;
                continue;
            }
            let mut rest = octets - (left - added - PIECE);
            (frames, left) = (frames + 1, frame);
            // The last fragment has a checksum.
            while rest + PIECE + 4 > left {
                rest -= rest.min(left - PIECE);
                (frames, left) = (frames + 1, frame);
            }
            left -= rest + PIECE + 4;
        }
        frames * (frame + u64::from(FRAME_HEADER)) - left
    }

    #[test]
    fn the_mean_is_that_of_packets_cut_where_frames_end() {
        for frame in [1992, 4016] {
            let gse = Gse {
                frame: Bytes(frame),
                ..Gse::defaults()
            };
            for octets in [40, 64, 128, 200, 256, 512, 576, 1000, 1500] {
                let added = gse.encapsulation.octets().0;
                let exact = piece_by_piece(octets, added, 100_000, frame) as f64 / 100_000.0;
                // Each packet is rounded up to whole octets, and a packet that happens to end with
                // its frame is not cut; both make a small difference.
                let more = gse.wrapping().on_wire(octets) as f64 - exact;
                assert!((-0.2..1.3).contains(&more), "{octets} of {frame}: {more}");
            }
        }
    }

    #[test]
    fn shorter_frames_cost_more() {
        let short = Gse {
            frame: Bytes(374),
            ..Gse::defaults()
        };
        assert_eq!(Gse::defaults().wrapping().on_wire(1500), 1518);
        assert_eq!(short.wrapping().on_wire(1500), 1593);
    }
}
