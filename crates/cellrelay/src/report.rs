//! The report of a run: numbers and series, each with the scope that it describes.

use std::fmt;

use scenario::goal::Goal;
use scenario::report::{self, Recorded, Scalar, Warning};
use scenario::scope::Scope;

use crate::Error;

/// The results of a run, or of a run so far.
///
/// Each number has a scope and a metric: the goodput of a flow, the mean queue of an output. The
/// order is that of the scenario, and equal for equal scenarios.
///
/// ```
/// # const TEXT: &str = include_str!("../examples/two-senders.toml");
/// # fn main() -> Result<(), cellrelay::Error> {
/// # let scenario = cellrelay::Loader::new().set("duration", "1 s").text(TEXT)?;
/// let report = scenario.run(1);
/// for flow in scenario.flows() {
///     let goodput = report.value(&format!("flow {} goodput", flow.name))?;
///     assert!(goodput < 25.6e6, "in bit/s");
/// }
/// # Ok(())
/// # }
/// ```
///
/// Two reports are equal if all numbers and series are equal, bit for bit.
#[derive(Clone)]
pub struct Report(pub(crate) report::Report);

/// One number of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measured<'a> {
    /// The object that the number describes.
    pub scope: &'a Scope,
    /// Name of the metric, such as `goodput`.
    pub metric: &'static str,
    /// Value of the metric, in its unit.
    pub value: f64,
    /// SI unit, or `cells` and `packets`; `1` for ratios and counts.
    pub unit: &'static str,
    /// Meaning of the metric, in a sentence.
    pub meaning: &'static str,
}

/// One recorded series of a report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series<'a> {
    /// The object that the series describes.
    pub scope: &'a Scope,
    /// Name of the quantity, such as `queue` or `cwnd`.
    pub quantity: &'static str,
    recorded: &'a Recorded,
}

impl Series<'_> {
    /// Unit of the values: SI, or cells; `flow` if the values are numbers of flows, in the order of
    /// the scenario.
    pub fn unit(&self) -> &'static str {
        self.recorded.unit
    }

    /// Instants of the values, in seconds since the start of the run.
    pub fn times(&self) -> Vec<f64> {
        self.recorded.times()
    }

    /// The values, as many as there are instants.
    pub fn values(&self) -> Vec<f64> {
        self.recorded.values()
    }
}

/// The work of a run; it is no part of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// Cells, counted once for each link that they entered.
    pub cell_hops: u64,
    /// Packets or PDUs, counted once for each link that they entered.
    pub packet_hops: u64,
}

impl Report {
    /// A report of numbers alone.
    pub(crate) fn of_numbers(scalars: Vec<Scalar>) -> Report {
        Report(report::Report {
            scalars,
            batches: Vec::new(),
            distributions: Vec::new(),
            series: report::SeriesByScope::default(),
            warnings: Vec::new(),
            events: report::Events::default(),
        })
    }

    /// All numbers: those of the network, then of flows, of outputs, of classes at outputs that
    /// distinguish them, of lossy links, and of drops.
    pub fn numbers(&self) -> impl Iterator<Item = Measured<'_>> {
        self.0.scalars.iter().map(measured)
    }

    /// The numbers of one scope; none if the report does not know the scope.
    pub fn of(&self, scope: &Scope) -> impl Iterator<Item = Measured<'_>> {
        self.numbers().filter(move |number| number.scope == scope)
    }

    /// The scopes with numbers, in order.
    pub fn scopes(&self) -> impl Iterator<Item = &Scope> {
        let of_scopes = self.0.scalars.chunk_by(|one, next| one.scope == next.scope);
        of_scopes.map(|scalars| &*scalars[0].scope)
    }

    /// The value of a metric of a scope; none if the run has no such number, as for the mean delay
    /// of a flow that delivered nothing.
    pub fn get(&self, scope: &Scope, metric: &str) -> Option<f64> {
        let mut numbers = self.of(scope);
        let found = numbers.find(|number| number.metric == metric);
        found.map(|number| number.value)
    }

    /// The value of a metric as the command line names it, in the unit of the metric: `goodput` of
    /// the network, `flow bulk[3] goodput`, `port s1->receiver mean_queue`.
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such metric or no such scope, if the run has no such
    /// number, or if the name is that of a group.
    pub fn value(&self, name: &str) -> Result<f64, Error> {
        let goal = Goal::parse(name).map_err(Error::unknown)?;
        let is_meant =
            |scalar: &&Scalar| scalar.metric == goal.metric && goal.scopes.covers(&scalar.scope);
        let mut found = self.0.scalars.iter().filter(is_meant);
        let Some(first) = found.next() else {
            let hint = "`Report::numbers` gives all numbers".to_string();
            return Err(Error::unknown((format!("the run has no `{goal}`"), hint)));
        };
        if found.next().is_some() {
            let hint = format!("write for example `{} {}`", first.scope, first.metric.name);
            return Err(Error::unknown((format!("`{goal}` is of a group"), hint)));
        }
        Ok(first.value)
    }

    /// The values of each batch, in the order of [`Report::numbers`]; none if the scenario has no
    /// batches, and `NaN` for a batch without an observation.
    pub fn batches(&self) -> &[Vec<f64>] {
        &self.0.batches
    }

    /// The recorded series; none unless the scenario has a `record` table.
    pub fn series(&self) -> impl Iterator<Item = Series<'_>> {
        let scopes = self.0.series.0.iter();
        scopes.flat_map(|(scope, quantities)| {
            quantities.iter().map(move |(quantity, recorded)| Series {
                scope,
                quantity,
                recorded,
            })
        })
    }

    /// Reasons to distrust the results.
    pub fn warnings(&self) -> &[Warning] {
        &self.0.warnings
    }

    /// The work of the run.
    pub fn work(&self) -> Work {
        Work {
            cell_hops: self.0.events.cell_hops,
            packet_hops: self.0.events.packet_hops,
        }
    }

    /// A SHA-256 of all scopes, metrics and numbers, in hexadecimal: equal if and only if all of
    /// them are equal, bit for bit.
    pub fn digest(&self) -> String {
        self.0.digest()
    }
}

impl PartialEq for Report {
    fn eq(&self, other: &Report) -> bool {
        let bits = |report: &Report| -> Vec<u64> {
            let batches = report.0.batches.iter().flatten();
            batches.map(|value| value.to_bits()).collect()
        };
        // The work of a run depends on its steps.
        self.0.scalars == other.0.scalars
            && bits(self) == bits(other)
            && self.0.distributions == other.0.distributions
            && self.0.series == other.0.series
            && self.0.warnings == other.0.warnings
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Report");
        shown.field("digest", &self.digest());
        shown.field("numbers", &self.0.scalars.len());
        shown.finish_non_exhaustive()
    }
}

fn measured(scalar: &Scalar) -> Measured<'_> {
    Measured {
        scope: &scalar.scope,
        metric: scalar.metric.name,
        value: scalar.value,
        unit: scalar.metric.unit,
        meaning: scalar.metric.help,
    }
}
