//! Lengths of a measured distribution, from a table of its cumulative probabilities.
//!
//! A table is a text: a line for each point, with a length in octets and the probability of a length
//! up to it. Between two points the distribution is linear: Law, "Simulation Modeling and Analysis",
//! 5th edition, 2015, section 6.2.4. The presets are figures of two papers, at the points of the
//! traffic generator of Bai et al., "Information-Agnostic Flow Scheduling for Commodity Data
//! Centers" (PIAS), NSDI 2015. Lengths are rounded to whole octets, at least one.

use std::fmt::Write as _;
use std::sync::Arc;

use kernel::Stream;
use parameters::{
    BadLine, Conflict, MessageLength, Parameter, Path, Problems, Shape, Value, Written, parameters,
    presets,
};

use super::{Application, LengthKind, Lengths, MOST, ONE_OCTET, whole};
use crate::traffic::{FileLines, TextFile, Wrong, read_lines, rows};

/// Hint for a line that cannot be read.
const LINE: &str =
    "write a length in octets and the probability of a length up to it, for example `10000 0.15`";

parameters! {
    /// Measured distribution, from a table of its cumulative probabilities.
    #[check(conflict)]
    #[presets(Workload)]
    pub struct Empirical {
        /// A published distribution.
        pub preset: Option<Workload>,
        /// Path of a file with a line for each point: a length in octets and its cumulative
        /// probability; relative to the folder of the scenario and inside it.
        pub file: Option<TextFile<Cumulative>>,
        /// Text of the table; if given, the file is not read.
        pub text: Option<Cumulative>,
    }
}

presets! {
    /// A published distribution of the sizes of flows.
    pub enum Workload {
        /// Flows of a cluster for web search, 1.7 MB in the mean: Alizadeh et al., "Data Center TCP
        /// (DCTCP)", SIGCOMM 2010, section 2.2, Figure 4.
        web_search => WebSearch {
            text = "0 0\n10000 0.15\n20000 0.2\n30000 0.3\n50000 0.4\n80000 0.53\n200000 0.6\n1000000 0.7\n2000000 0.8\n5000000 0.9\n10000000 0.97\n30000000 1\n",
        },
        /// Flows of a cluster for data mining, 12.7 MB in the mean, of which half are of up to 1.1
        /// kB: Greenberg et al., "VL2: A Scalable and Flexible Data Center Network", SIGCOMM 2009,
        /// section 3.2, Figure 2.
        data_mining => DataMining {
            text = "0 0\n180 0.1\n216 0.2\n560 0.3\n900 0.4\n1100 0.5\n1870 0.6\n3160 0.7\n10000 0.8\n400000 0.9\n3160000 0.95\n100000000 0.98\n1000000000 1\n",
        },
    }
}

impl Empirical {
    /// The lengths of one flow.
    pub fn build(&self, application: &Application) -> Box<dyn Lengths> {
        Box::new(State {
            points: self.points().into(),
            random: application.stream("length"),
        })
    }

    fn points(&self) -> &[Point] {
        self.text.as_ref().map_or(&[], |table| &table.0)
    }

    fn conflict(&self) -> Option<Conflict> {
        (self.file.is_none() && self.text.is_none()).then(|| Conflict {
            name: "file",
            problem: "the distribution is missing".into(),
            hint: "write for example `preset = \"web_search\"`, or `file = \"sizes.txt\"`".into(),
        })
    }
}

impl LengthKind for Empirical {
    fn examples(&self) -> &[MessageLength] {
        ONE_OCTET
    }

    fn examples_are_all(&self) -> bool {
        false
    }

    fn mean(&self) -> f64 {
        let pieces = self.points().windows(2);
        let parts = pieces.map(|ends| {
            let (low, high) = (ends[0], ends[1]);
            (high.probability - low.probability) * f64::midpoint(low.octets, high.octets)
        });
        parts.sum()
    }
}

/// A point of a distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    octets: f64,
    /// Probability of a length up to this one.
    probability: f64,
}

/// A distribution by its points, the first with the probability 0 and the last with 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Cumulative(Arc<[Point]>);

impl FileLines for Cumulative {
    fn parse(text: &str) -> Result<Cumulative, Vec<BadLine>> {
        let mut points = rows(text, LINE, |columns, rows| point(columns, rows.last()))?;
        let last = points.last().map_or(0.0, |point| point.probability);
        if last < 1.0 {
            return Err(vec![BadLine {
                line: text.trim_end().split('\n').count(),
                start: text.trim_end().rfind('\n').map_or(0, |end| end + 1),
                problem: format!("the last probability is `{last}`, not `1`"),
                hint: "write the largest length on the last line, with the probability 1".into(),
            }]);
        }
        // A first point with a probability stands for lengths that are all equal to it.
        if points[0].probability > 0.0 {
            let first = points[0];
            points.insert(
                0,
                Point {
                    probability: 0.0,
                    ..first
                },
            );
        }
        Ok(Cumulative(points.into()))
    }
}

/// The point of a line. Neither its length nor its probability may be less than those of `before`.
fn point([octets, probability]: [&str; 2], before: Option<&Point>) -> Result<Point, Wrong> {
    let quoted = |text: &str| Value::from(text).quoted();
    let number = |text: &str, most: f64| {
        let number = text.parse::<f64>().ok();
        number.filter(|number| (0.0..=most).contains(number))
    };
    let length = number(octets, MOST).ok_or_else(|| {
        let problem = format!("{} is not a length in octets", quoted(octets));
        (problem, LINE.to_string())
    })?;
    let share = number(probability, 1.0).ok_or_else(|| {
        let problem = format!("{} is not a probability from 0 to 1", quoted(probability));
        (problem, LINE.to_string())
    })?;
    let point = Point {
        octets: length,
        probability: share,
    };
    if before.is_some_and(|one| one.octets > length || one.probability > share) {
        let problem = "a length or a probability is less than on the line above".to_string();
        return Err((problem, "sort the lines by length".into()));
    }
    Ok(point)
}

impl Parameter for Cumulative {
    fn shape() -> Shape {
        Shape::Text
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Cumulative> {
        read_lines(written, at, problems, "10000 1")
    }

    fn write(&self) -> Value {
        let mut text = String::new();
        for point in self.0.iter() {
            writeln!(text, "{} {}", point.octets, point.probability)
                .expect("a string can be written to");
        }
        Value::Text(text)
    }
}

struct State {
    points: Arc<[Point]>,
    random: Stream,
}

impl Lengths for State {
    fn next(&mut self) -> u64 {
        let drawn = self.random.unit();
        let after = self
            .points
            .partition_point(|point| point.probability <= drawn);
        // The first probability is 0 and the last is 1, which is never drawn.
        let [low, high] = [after - 1, after].map(|place| self.points[place]);
        let share = (drawn - low.probability) / (high.probability - low.probability);
        whole(low.octets + share * (high.octets - low.octets))
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::traffic::length::tests::check;

    #[test]
    fn the_mean_and_the_median_are_those_of_the_table() {
        let web = value!({ empirical = { preset = "web_search" } });
        check(&web, 1_711_250.0, [50_000.0 + 30_000.0 * 10.0 / 13.0]);
        let steps = value!({ empirical = { text = "100 0.25\n100 0.4\n200 0.6\n200 1" } });
        check(&steps, 0.4 * 100.0 + 0.2 * 150.0 + 0.4 * 200.0, [150.0]);
    }

    #[test]
    fn the_normalised_form_reads_back_as_an_equal_table() {
        let table = Cumulative::parse("0, 0\n1e3; 0.5 # kilobyte\n5000.5 1").expect("a table");
        assert_eq!(table.write(), Value::from("0 0\n1000 0.5\n5000.5 1\n"));
        assert_eq!(understand::<Cumulative>(&table.write()), Ok(table));
    }

    #[test]
    fn every_malformed_line_is_reported_with_its_place() {
        let told = |text: &str| {
            let bad = Cumulative::parse(text).unwrap_err();
            let bad = bad.iter();
            bad.map(|bad| format!("{} {} {}", bad.line, bad.start, bad.problem))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            told("0 0\n  size 1\n7 2\n5 0.5\n4 0.6\n9 1"),
            [
                "2 6 `size` is not a length in octets",
                "3 13 `2` is not a probability from 0 to 1",
                "5 23 a length or a probability is less than on the line above",
            ]
        );
        assert_eq!(
            told("0 0\n9 0.5\n"),
            ["2 4 the last probability is `0.5`, not `1`"]
        );
        assert_eq!(told(""), ["1 0 the last probability is `0`, not `1`"]);
    }
}
