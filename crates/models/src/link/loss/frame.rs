//! Loss of frames of the link, each with all packets or cells in it.
//!
//! Where packets or cells travel in frames of the physical layer, the frame as a whole is received
//! or lost. If a baseband frame of DVB-S2 (ETSI EN 302 307-1, clause 5.1) cannot be decoded, all
//! packets with a part in it are lost; the same holds for a codeword of PTM (IEEE 802.3, clause
//! 61.3.3). Frames follow one another without gaps, from the start of the run on, even if no packet
//! or cell is there to fill them. Our own rule: frames are lost independently, because the physical
//! layer is not modelled. The number of frames up to a loss is drawn at once: Devroye, "Non-Uniform
//! Random Variate Generation", 1986, section X.2.

use std::collections::VecDeque;

use kernel::{Duration, Rate, Stream, Time};
use parameters::{Bytes, Fraction, parameters};

use super::{Fragments, LinkLoss, LossKind, LossUnit, SentUnit, Way};

parameters! {
    /// Frames of one length are lost independently, with every packet or cell that has a part in
    /// them.
    pub struct FrameLoss {
        /// Length of a frame on the link in octets, header included: 4026 is a baseband frame of
        /// DVB-S2 with QPSK 1/2 and normal frames, 65 a codeword of PTM.
        #[range("1 B", "1 MiB")]
        pub size: Bytes = "4026 B",
        /// Probability with which each frame is lost.
        pub probability: Fraction,
    }
}

impl FrameLoss {
    /// The loss in one direction.
    pub fn build(&self, way: &Way) -> Option<Box<dyn LinkLoss>> {
        let mut state = State {
            rate: way.rate,
            frame: way.rate.transmission(8 * self.size.0),
            half_bit: way.rate.transmission(2) / 4,
            probability: self.probability.0,
            random: way.stream(),
            lost: VecDeque::new(),
            next: None,
            fragments: Fragments::default(),
        };
        state.next = state.lost_from(0);
        Some(Box::new(state))
    }
}

impl LossKind for FrameLoss {
    fn unit(&self) -> LossUnit {
        LossUnit::Cell
    }

    fn needs_instants(&self) -> bool {
        true
    }

    fn listed(&self) -> Option<&[u64]> {
        None
    }
}

struct State {
    rate: Rate,
    /// Transmission time of a frame.
    frame: Duration,
    /// Overlap in time from which on a unit counts as part of a frame: half a bit.
    half_bit: Duration,
    probability: f64,
    random: Stream,
    /// Numbers of the lost frames that may hold a part of the present unit or of the next one.
    lost: VecDeque<u64>,
    /// Number of the lost frame after these.
    next: Option<u64>,
    /// Parts of the present unit.
    fragments: Fragments,
}

impl State {
    /// The number of the first lost frame from `first` on. Frames are lost independently, so the
    /// number of frames received before a lost frame is geometric.
    fn lost_from(&mut self, first: u64) -> Option<u64> {
        if self.probability == 0.0 {
            return None;
        }
        let received = self.random.exponential_unit() / -libm::log1p(-self.probability);
        // At 100 % the logarithm is infinite, and no frame is received.
        first.checked_add(received as u64)
    }
}

impl LinkLoss for State {
    fn next(&mut self, sent: SentUnit) -> bool {
        // Instants are rounded to picoseconds, so an overlap shorter than half a bit is a rounding
        // error.
        let length = self.rate.transmission(8 * sent.octets);
        let number = |instant: Time| instant.ps() / self.frame.ps();
        let (first, last) = (
            number(sent.start + self.half_bit),
            number(sent.start + length.saturating_sub(self.half_bit)),
        );
        while let Some(lost) = self.next.filter(|lost| *lost <= last) {
            self.lost.push_back(lost);
            self.next = self.lost_from(lost + 1);
        }
        // The next unit may begin in the frame in which this one ends.
        while self.lost.front().is_some_and(|lost| *lost < first) {
            self.lost.pop_front();
        }
        self.fragments = Fragments {
            offered: last - first + 1,
            lost: self.lost.iter().filter(|lost| **lost <= last).count() as u64,
        };
        self.fragments.lost > 0
    }

    fn fragments(&self) -> Option<Fragments> {
        Some(self.fragments)
    }
}

#[cfg(test)]
mod tests {
    use super::super::script::way;
    use super::*;

    /// The fates of `units` units of `octets` that follow one another without gaps, in frames of
    /// 1000 octets: true if the unit is lost.
    fn fates(probability: f64, octets: u64, units: u64) -> Vec<bool> {
        let frames = FrameLoss {
            size: Bytes(1000),
            probability: Fraction(probability),
        };
        let way = way(false);
        let mut loss = frames.build(&way).expect("a loss");
        let length = way.rate.transmission(8 * octets);
        (0..units)
            .map(|unit| {
                let start = Time::ZERO + length * unit;
                loss.next(SentUnit { start, octets })
            })
            .collect()
    }

    #[test]
    fn all_units_of_a_frame_share_its_fate() {
        let fates = fates(0.2, 100, 10_000);
        assert!(
            fates
                .chunks(10)
                .all(|frame| frame.iter().all(|lost| *lost == frame[0]))
        );
        let lost = fates.chunks(10).filter(|frame| frame[0]).count();
        // Four standard deviations of a binomial count: sqrt(1000 x 0.2 x 0.8) is 12.6.
        assert!(lost.abs_diff(200) < 51, "{lost} of 1000 frames");
    }

    #[test]
    fn a_unit_is_lost_with_any_of_its_frames() {
        let units = 30_000;
        let lost = fates(0.1, 2500, units);
        let lost = lost.iter().filter(|lost| **lost).count() as f64;
        // Every second unit begins where a frame begins and overlaps three frames; the units
        // between end where a frame ends.
        let expected = units as f64 * (1.0 - 0.9_f64.powi(3));
        assert!(
            (lost - expected).abs() < 4.0 * expected.sqrt(),
            "{lost}, not {expected}"
        );
    }

    #[test]
    fn a_unit_is_lost_if_and_only_if_one_of_its_fragments_is() {
        let frames = FrameLoss {
            size: Bytes(1000),
            probability: Fraction(0.3),
        };
        let way = way(false);
        let mut loss = frames.build(&way).expect("a loss");
        let mut total = Fragments::default();
        for unit in 0..1000 {
            let start = Time::ZERO + way.rate.transmission(8 * 2500) * unit;
            let is_lost = loss.next(SentUnit {
                start,
                octets: 2500,
            });
            let fragments = loss.fragments().expect("a packet has parts in frames");
            assert_eq!(is_lost, fragments.lost > 0);
            assert!(fragments.lost <= fragments.offered);
            total.offered += fragments.offered;
            total.lost += fragments.lost;
        }
        // Of two units, one fills two frames and a half, and the other ends the third.
        assert_eq!(total.offered, 3 * 1000);
        // A frame in the middle of two units counts for each; four standard deviations of 2500
        // frames.
        let share = total.lost as f64 / total.offered as f64;
        assert!((share - 0.3).abs() < 0.04, "{share}");
    }

    #[test]
    fn nothing_is_lost_or_everything_at_the_ends_of_the_range() {
        assert!(fates(0.0, 100, 100).iter().all(|lost| !lost));
        assert!(fates(1.0, 100, 100).iter().all(|lost| *lost));
    }
}
