//! Scenarios that a program builds.

use parameters::{Path, Problem, Problems, ValueTable, Written};
use scenario::document::Sources;
use scenario::document::assign;
use scenario::scenario::Surroundings;
use scenario::{ScenarioError, ScenarioSpec};

use crate::{Error, Scenario, Value};

/// A scenario under construction: values at paths, as in a scenario file.
///
/// Parameters, units and defaults are those of a scenario file. An error names the path of the
/// wrong value instead of a line.
///
/// ```
/// # fn main() -> Result<(), cellrelay::Error> {
/// use cellrelay::{Builder, value};
///
/// let mut builder = Builder::new();
/// builder
///     .set("duration", "1 s")
///     .set("switch.s1.buffer.per_output", "300 cells")
///     .set("host.receiver", value!({}))
///     .set("link.slow", value!({ between = ["s1", "receiver"], rate = "10 Mbit/s" }));
/// for number in 0..3 {
///     let host = format!("sender{number}");
///     builder
///         .set(format!("host.{host}"), value!({}))
///         .set(format!("link.{host}.between"), vec![host.as_str(), "s1"])
///         .set(format!("link.{host}.rate"), "100 Mbit/s")
///         .set(format!("flow.{host}.from"), host.as_str())
///         .set(format!("flow.{host}.to"), "receiver")
///         .set(format!("flow.{host}.source.greedy"), value!({}))
///         .set(format!("flow.{host}.transport.tcp"), value!({}));
/// }
/// let scenario = builder.build()?;
/// assert_eq!(scenario.flows().len(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    entries: Vec<(String, Value)>,
}

impl Builder {
    /// A scenario without any value.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Sets the value at a path such as `flow.bulk.transport.tcp.window`, or replaces it.
    ///
    /// A quantity is a text with its unit, such as `"300 cells"`. A value for one kind of a family
    /// replaces every other kind: after `flow.bulk.over.packet`, `flow.bulk.over.ubr` is gone.
    /// [`Builder::build`] reports wrong paths and values.
    pub fn set(&mut self, path: impl Into<String>, value: impl Into<Value>) -> &mut Builder {
        self.entries.push((path.into(), value.into()));
        self
    }

    /// Reads and plans the scenario. The builder can then be changed to build another variant.
    ///
    /// # Errors
    /// [`Error::Scenario`] with all mistakes, at any point of the sweep.
    pub fn build(&self) -> Result<Scenario, Error> {
        let mut problems = Problems::default();
        let mut root = Written::from(parameters::Value::from(ValueTable::default()));
        for (path, value) in &self.entries {
            if let Err(problem) = put(&mut root, path, &value.0) {
                problems.add(problem);
            }
        }
        if !problems.is_empty() {
            return Err(ScenarioError::new(problems, &Sources::default()).into());
        }
        let read = scenario::Scenario::read_value(root.value, &Surroundings::default())?;
        Ok(Scenario::new(read))
    }
}

fn put(root: &mut Written, path: &str, value: &parameters::Value) -> Result<(), Problem> {
    let wrong = |at: &Path, problem| {
        Problem::new(at, None, problem).hint("write a path such as `host.a.count`")
    };
    let path = Path::parse(path).map_err(|problem| wrong(&Path::root(), problem))?;
    let shape = ScenarioSpec::known_shape();
    assign(root, shape, &path, &value.clone().into()).map_err(|problem| wrong(&path, problem))
}
