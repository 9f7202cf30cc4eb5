//! The numbers of a run as a table in CSV, with the columns of `cellrelay export`.

use std::fmt::Write;

use kernel::Seed;
use scenario::report::Report;
use scenario::scenario::Point;

/// A row for each number of a run.
pub fn csv(point: &Point, seed: Seed, report: &Report) -> String {
    let all = |part: fn(&(String, String)) -> &String| {
        let fields = point.iter().map(|pair| field(part(pair)) + ",");
        fields.collect::<String>()
    };
    let (axes, values) = (all(|(axis, _)| axis), all(|(_, value)| value));
    let mut table = format!("{axes}replication,seed,scope,metric,value,unit\n");
    for scalar in &report.scalars {
        let (scope, metric) = (scalar.scope.to_string(), scalar.metric);
        let scope = field(&scope);
        let Seed { seed, replication } = seed;
        let row = writeln!(
            table,
            "{values}{replication},{seed},{scope},{},{},{}",
            metric.name,
            number(scalar.value),
            metric.unit,
        );
        row.expect("a string can be written to");
    }
    table
}

/// A number that reads back as the same number.
fn number(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    format!("{value:?}")
}

/// A field, in quotes if it needs them: RFC 4180, section 2.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_numbers_read_back() {
        assert_eq!(field("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(field("flow f"), "flow f");
        assert_eq!([0.1, 3.0, f64::NAN].map(number), ["0.1", "3.0", "nan"]);
    }
}
