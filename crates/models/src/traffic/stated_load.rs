//! The values of parameters that state loads, and what to write for a smaller load.

use kernel::{Duration, Rate};
use parameters::{Hint, Parameter, RandomTime, RateOrZero};

/// The value of a parameter that states the load of a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatedLoad {
    /// A rate, to which the load is proportional.
    Rate(RateOrZero),
    /// A time between messages, or for all of them: the load is inversely proportional to its mean.
    Time(RandomTime),
}

impl StatedLoad {
    /// The hint for the value with which the load is `share` of the present one, which is between 0
    /// and 1; none if no value is so large or so small.
    pub fn lowered_to(&self, share: f64) -> Option<Hint> {
        match *self {
            StatedLoad::Rate(rate) => {
                let bits = (rate.0 as f64 * share).floor() as u64;
                let rate = (bits > 0).then(|| Rate::from_bits_per_second(bits))?;
                Some(Hint::value("write at most", rate.write()))
            }
            StatedLoad::Time(time) => {
                let longer = |time: Duration| {
                    let ps = (time.ps() as f64 / share).ceil();
                    (ps < u64::MAX as f64).then(|| Duration::from_ps(ps as u64))
                };
                Some(match time {
                    RandomTime::Constant(time) => {
                        Hint::value("write at least", longer(time)?.write())
                    }
                    RandomTime::Uniform(low, high) => {
                        Hint::example(RandomTime::Uniform(longer(low)?, longer(high)?).write())
                    }
                    RandomTime::Exponential { mean } => {
                        let mean = longer(mean)?;
                        Hint::example(RandomTime::Exponential { mean }.write())
                    }
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lowered(stated: StatedLoad) -> String {
        stated.lowered_to(0.3).expect("a value").to_string()
    }

    #[test]
    fn rates_fall_and_times_grow() {
        let ms = |ms| Duration::from_ms(ms);
        let rate = StatedLoad::Rate(RateOrZero(1_000_000));
        assert_eq!(lowered(rate), "write at most `\"300 kbit/s\"`");
        let constant = StatedLoad::Time(RandomTime::Constant(ms(3)));
        assert_eq!(lowered(constant), "write at least `\"10 ms\"`");
        let uniform = StatedLoad::Time(RandomTime::Uniform(ms(0), ms(6)));
        assert_eq!(
            lowered(uniform),
            "write for example `{ uniform = [\"0 s\", \"20 ms\"] }`"
        );
        let exponential = StatedLoad::Time(RandomTime::Exponential { mean: ms(3) });
        assert_eq!(
            lowered(exponential),
            "write for example `{ exponential = { mean = \"10 ms\" } }`"
        );
    }

    #[test]
    fn no_value_is_below_the_smallest() {
        assert_eq!(StatedLoad::Rate(RateOrZero(1)).lowered_to(0.3), None);
    }
}
