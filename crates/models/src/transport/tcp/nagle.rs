//! Nagle's algorithm: a small segment may wait for more data, so that tiny packets do not fill the
//! network.
//!
//! Nagle, "Congestion Control in IP/TCP Internetworks", RFC 896, 1984; RFC 9293, section 3.7.4.
//! Minshall, Saito, Mogul and Verghese, "Application Performance Pitfalls and TCP's Nagle
//! Algorithm", ACM SIGMETRICS Performance Evaluation Review 27(4), 2000, modify it, and Linux has the
//! modification (`tcp_nagle_check`, `tcp_minshall_check`).

use parameters::{Parameter, Path, Problems, Shape, Value, Written, choices};

choices! {
    /// Rule by which a segment that is not full waits for more data.
    pub enum NagleRule {
        /// It never waits.
        off => Off,
        /// It waits while any data is outstanding: RFC 896. `true` means this rule, and `false` means
        /// `off`.
        rfc896 => Rfc896,
        /// It waits while a segment that was not full is outstanding, so the end of a long message
        /// leaves at once: Linux.
        minshall => Minshall,
    }
}

// `choices!` derives no default.
#[allow(clippy::derivable_impls)]
impl Default for NagleRule {
    fn default() -> NagleRule {
        NagleRule::Off
    }
}

/// Rule by which a segment that is not full waits; a boolean is short for the first two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nagle(pub NagleRule);

impl Parameter for Nagle {
    fn shape() -> Shape {
        Shape::Either(vec![NagleRule::shape(), Shape::Boolean])
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Nagle> {
        match written.value {
            Value::Boolean(false) => Some(Nagle(NagleRule::Off)),
            Value::Boolean(true) => Some(Nagle(NagleRule::Rfc896)),
            _ => NagleRule::read(written, at, problems).map(Nagle),
        }
    }

    fn write(&self) -> Value {
        self.0.write()
    }
}

impl NagleRule {
    /// True if a new segment that is not full waits, with the octets from `una` to `nxt`
    /// outstanding, where the last segment that was not full ended at `small`. As in the header of
    /// TCP, that is the lower half of its number, which may stand for a segment long acknowledged
    /// once in 4 GiB.
    pub fn waits(self, small: u32, una: u64, nxt: u64) -> bool {
        match self {
            NagleRule::Off => false,
            NagleRule::Rfc896 => nxt > una,
            NagleRule::Minshall => {
                let beyond = u64::from(small.wrapping_sub(una as u32));
                0 < beyond && beyond <= nxt - una
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    #[test]
    fn booleans_are_short_for_the_rules_of_1984() {
        for (written, word) in [
            (value!(true), "rfc896"),
            (value!(false), "off"),
            (value!("minshall"), "minshall"),
        ] {
            let nagle: Nagle = understand(&written).expect("a rule");
            assert_eq!(nagle.write(), Value::from(word));
        }
        assert!(understand::<Nagle>(&value!(1)).is_err());
    }
}
