//! The share of marked data, which scalable congestion controls estimate and answer: RFC 8257,
//! section 3.3.

use super::congestion::Echo;

/// The estimated share of marked octets.
#[derive(Clone, Copy, Debug)]
pub struct MarkedShare {
    /// Weight of the latest round: `g`.
    gain: f64,
    /// `DCTCP.Alpha`, initially one.
    alpha: f64,
    /// Octets of this round that were acknowledged, and marked octets among them.
    acknowledged: u64,
    marked: u64,
}

impl MarkedShare {
    /// The estimate before the first acknowledgment.
    pub fn new(gain: f64) -> MarkedShare {
        MarkedShare {
            gain,
            alpha: 1.0,
            acknowledged: 0,
            marked: 0,
        }
    }

    /// Counts the octets of an acknowledgment: steps 2 and 3.
    pub fn count(&mut self, echo: &Echo) {
        self.acknowledged += echo.octets;
        self.marked += if echo.marked { echo.octets } else { 0 };
    }

    /// Ends a round of acknowledgments: steps 5 to 8.
    pub fn end_round(&mut self) {
        let share = self.marked as f64 / self.acknowledged as f64;
        self.alpha += self.gain * (share - self.alpha);
        (self.acknowledged, self.marked) = (0, 0);
    }

    /// `window` less half the share of marks: step 9, `cwnd = cwnd * (1 - DCTCP.Alpha / 2)`.
    pub fn cut(&self, window: u64) -> u64 {
        (window as f64 * (1.0 - self.alpha / 2.0)) as u64
    }
}
