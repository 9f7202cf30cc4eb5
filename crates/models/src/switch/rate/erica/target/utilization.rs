//! ERICA's target: a fixed share of the link, less the rate of higher classes.
//!
//! The unused share keeps queues short. Where the scheduler guarantees a rate to ABR VCs, the
//! target is at least the same share of that rate.
//!
//! Kalyanaraman, dissertation, Ohio State University, 1997, section 6.1.

use parameters::{Fraction, Parameter, Path, Problem, Problems, Shape, Value, Written};

use super::{Available, Target};

/// Lower bound of the share: with less, no VC would get more than its MCR.
const LEAST: Fraction = Fraction(0.01);

/// Share of the link, at least 1 %, minus the capacity that higher classes use.
#[derive(Clone, Debug, PartialEq)]
pub struct Utilization(pub Fraction);

impl Parameter for Utilization {
    fn shape() -> Shape {
        Fraction::shape()
    }

    fn help() -> String {
        "Share of the link, at least 1 %, minus the capacity that higher classes use.".into()
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Utilization> {
        let share = Fraction::read(written, at, problems)?;
        if share < LEAST {
            let problem = format!("{} is out of range", written.value.quoted());
            let hint = "`utilization` is from `1 %` to `100 %`";
            problems.add(Problem::new(at, written.place, problem).hint(hint));
            return None;
        }
        Some(Utilization(share))
    }

    fn write(&self) -> Value {
        self.0.write()
    }
}

impl Utilization {
    /// The target of one output.
    pub fn build(&self, (): &()) -> Box<dyn Target> {
        Box::new(State {
            utilization: self.0.0,
        })
    }
}

struct State {
    utilization: f64,
}

impl Target for State {
    fn capacity(&self, available: Available) -> f64 {
        let left = self.utilization * available.link - available.taken;
        left.max(self.utilization * available.guaranteed).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_classes_lower_the_target_down_to_the_guarantee() {
        let target = Utilization(Fraction(0.9)).build(&());
        let capacity = |taken, guaranteed| {
            let capacity = target.capacity(Available {
                link: 1000.0,
                taken,
                guaranteed,
                queue: 10_000,
            });
            capacity.round() as u64
        };
        assert_eq!(capacity(0.0, 0.0), 900);
        assert_eq!(capacity(600.0, 0.0), 300);
        assert_eq!(capacity(950.0, 0.0), 0);
        assert_eq!(capacity(800.0, 200.0), 180);
    }
}
