//! Times that may differ from one draw to the next.
//!
//! The choice of three distributions is our own: the reproduced studies state no others.

use kernel::{Duration, Stream};

use crate::family::{self, Chosen};
use crate::parameter::{Parameter, ReadFunctions, StatedField};
use crate::path::Path;
use crate::problem::{Problem, Problems};
use crate::record::RecordReader;
use crate::shape::{FamilyShape, Field, Fields, MemberShape, Shape};
use crate::value::{Value, Written};
use crate::{ValueTable, value};

/// A time, fixed or drawn anew at each use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RandomTime {
    /// A constant time.
    Constant(Duration),
    /// Uniform between two times, both included.
    Uniform(Duration, Duration),
    /// Exponential with this mean.
    Exponential {
        /// Mean of the times.
        mean: Duration,
    },
}

impl RandomTime {
    /// The next time.
    pub fn draw(&self, random: &mut Stream) -> Duration {
        match *self {
            RandomTime::Constant(time) => time,
            RandomTime::Uniform(low, high) => random.uniform(low, high),
            RandomTime::Exponential { mean } => random.exponential(mean),
        }
    }

    /// The mean of the times.
    pub fn mean(&self) -> Duration {
        match *self {
            RandomTime::Constant(time) => time,
            RandomTime::Uniform(low, high) => (low + high) / 2,
            RandomTime::Exponential { mean } => mean,
        }
    }
}

const KINDS: &[&str] = &["uniform", "exponential"];

impl Parameter for RandomTime {
    fn shape() -> Shape {
        let kinds = FamilyShape {
            name: "RandomTime",
            module: module_path!(),
            help: "A random time, drawn anew at each use.".to_string(),
            kinds: vec![
                MemberShape {
                    name: "uniform",
                    help: "Uniform between two times, both included.".to_string(),
                    shape: Shape::List(Box::new(Duration::shape())),
                    aliases: &[],
                },
                MemberShape {
                    name: "exponential",
                    help: "Exponential with a given mean.".to_string(),
                    shape: Shape::Record(Fields {
                        name: "Exponential",
                        module: module_path!(),
                        help: "An exponential random time.".to_string(),
                        fields: vec![Field {
                            name: "mean",
                            help: "Mean of the times.".to_string(),
                            default: None,
                            implied: None,
                            range: None,
                            required: true,
                            shape: Duration::shape(),
                            example: None,
                            aliases: &[],
                        }],
                    }),
                    aliases: &[],
                },
            ],
            default: None,
        };
        Shape::Either(vec![Duration::shape(), Shape::Family(kinds)])
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<RandomTime> {
        if !matches!(written.value, Value::Table(_)) {
            return Duration::read(written, at, problems).map(RandomTime::Constant);
        }
        let chosen = family::choose(ReadFunctions::of::<Self>(), written, at, KINDS, problems)?;
        if KINDS[chosen.kind] == "uniform" {
            return read_uniform(&chosen, problems);
        }
        let mut reader = RecordReader::new(chosen.written, &chosen.at, &["mean"], problems)?;
        let mean = reader.read(&StatedField::required("mean"))?;
        Some(RandomTime::Exponential { mean })
    }

    fn write(&self) -> Value {
        match self {
            RandomTime::Constant(time) => time.write(),
            RandomTime::Uniform(low, high) => {
                let bounds = Value::from(vec![low.write(), high.write()]);
                ValueTable::of([("uniform", bounds)]).into()
            }
            RandomTime::Exponential { mean } => {
                let parameters = ValueTable::of([("mean", mean.write())]);
                ValueTable::of([("exponential", parameters.into())]).into()
            }
        }
    }
}

/// Two times, the smaller first.
fn read_uniform(chosen: &Chosen<'_>, problems: &mut Problems) -> Option<RandomTime> {
    let bounds = Vec::<Duration>::read(chosen.written, &chosen.at, problems)?;
    match bounds[..] {
        [low, high] if low <= high => Some(RandomTime::Uniform(low, high)),
        _ => {
            let found = chosen.written.value.quoted();
            let problem = format!("expected the smallest and the largest time, found {found}");
            let hint = format!("write for example `{}`", value!(["0 s", "0.1 s"]));
            problems.add(Problem::new(&chosen.at, chosen.written.place, problem).hint(hint));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::understand;

    #[test]
    fn random_times_are_constant_uniform_or_exponential() {
        let read = |value: Value| understand::<RandomTime>(&value);
        let ms = |ms: u64| Duration::from_ps(ms * 1_000_000_000);
        assert_eq!(read(value!("0.1 s")), Ok(RandomTime::Constant(ms(100))));
        assert_eq!(
            read(value!({ uniform = ["0 s", "0.1 s"] })),
            Ok(RandomTime::Uniform(ms(0), ms(100)))
        );
        let exponential = value!({ exponential = { mean = "10 ms" } });
        assert_eq!(
            read(exponential.clone()),
            Ok(RandomTime::Exponential { mean: ms(10) })
        );
        assert_eq!(read(exponential.clone()).unwrap().write(), exponential);
        for wrong in [
            value!(3),
            value!({}),
            value!({ uniform = ["1 s"] }),
            value!({ uniform = ["1 s", "0 s"] }),
            value!({ uniform = "1 s" }),
            value!({ exponential = "1 s" }),
            value!({ exponential = { mean = "1 s", shape = 2 } }),
            value!({ normal = {} }),
        ] {
            let problems = read(wrong).unwrap_err();
            assert!(
                problems.iter().all(|problem| problem.hint.is_some()),
                "{problems}"
            );
        }
    }
}
