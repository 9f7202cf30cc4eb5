//! Messages about credits on links with retry, where they are frames.
//!
//! UEC Management Working Group, proposals for SAI 1.18: each frame has a number ("Link Layer Retry
//! (LLR)", 2025, "LLR Transmission and Acknowledgement Flow"), and a `CC_Update` is an Ethernet packet
//! ("Credit Based Flow Control (CBFC)", 2026, "CBFC Operation"). So a `CC_Update` is a frame: it keeps
//! its place among the packets, and counts none as lost that a replay still brings. A `CF_Update` is a
//! control ordered set, and has no number.

use crate::wire::cyclic_count::CyclicCount;
use crate::wire::priority::ByPriority;

/// A `CC_Update` on a link with retry, with the number that the link gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdateFrame {
    /// The credits that the sending end had consumed when it sent the frame first.
    pub consumed: ByPriority<CyclicCount>,
    /// Number of the frame: six octets, so that the frame is no larger than other units on links.
    number: [u8; 6],
}

impl UpdateFrame {
    /// The frame of this number.
    pub fn new(consumed: ByPriority<CyclicCount>, number: u64) -> UpdateFrame {
        let [0, 0, number @ ..] = number.to_be_bytes() else {
            unreachable!("a link carries fewer than 2^48 frames")
        };
        UpdateFrame { consumed, number }
    }

    /// Number of the frame in its direction of the link, counted from one.
    pub fn number(&self) -> u64 {
        let mut octets = [0; 8];
        octets[2..].copy_from_slice(&self.number);
        u64::from_be_bytes(octets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_six_octets() {
        for number in [1, 0x0102_0304_0506, (1 << 48) - 1] {
            let frame = UpdateFrame::new(ByPriority::default(), number);
            assert_eq!(frame.number(), number);
        }
    }
}
