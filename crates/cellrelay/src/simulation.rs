//! A run that its caller advances.

use std::fmt;
use std::sync::Arc;

use kernel::{Duration, Time};
use parameters::suggest;
use scenario::lower::Plan;
use scenario::report::Measurements;
use scenario::run::SteppedRun;
use scenario::scope::{Place, Scope};
use scenario::steer::{self, Given};
use scenario::watch::{Gauge, Observer, gauges};

use crate::packets::{Packets, Tap, TapPoint};
use crate::{Error, Report, Scenario, Seed};

/// A run that its caller advances from instant to instant, and may read at each of them.
///
/// The caller's pauses and readings change no number of the run: its report is that of
/// [`Scenario::run`], bit for bit.
///
/// ```
/// # const TEXT: &str = include_str!("../examples/two-senders.toml");
/// # fn main() -> Result<(), cellrelay::Error> {
/// # let scenario = cellrelay::Loader::new().set("duration", "1 s").text(TEXT)?;
/// use cellrelay::Duration;
///
/// let mut simulation = scenario.simulate(1);
/// while !simulation.has_ended() {
///     simulation.run_for(Duration::from_ms(250));
///     let queue = simulation.so_far()?.value("port s1->receiver mean_queue")?;
///     println!("{}: {queue:.1} cells", simulation.now());
/// }
/// assert_eq!(simulation.finish(), scenario.run(1));
/// # Ok(())
/// # }
/// ```
pub struct Simulation {
    steps: SteppedRun<Arc<Plan>>,
    observer: Observer,
    /// The list of gauges, made at the first reading.
    gauges: Option<Vec<Gauge>>,
    taps: Vec<TapPoint>,
}

/// The value of a quantity at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reading<'a> {
    /// The output, the flow, or the VC of a flow at an output.
    pub scope: &'a Scope,
    /// Name of the quantity, such as `queue`.
    pub quantity: &'static str,
    /// Value of the quantity, in its unit.
    pub value: f64,
    /// SI unit, or `cells` and `packets`; `1` for counts.
    pub unit: &'static str,
    /// Meaning of the quantity, in words.
    pub meaning: &'static str,
}

impl Simulation {
    pub(crate) fn new(scenario: &Scenario, seed: Seed) -> Simulation {
        let mut steps = SteppedRun::new(Arc::clone(scenario.read.plan()), seed.0);
        Simulation {
            observer: Observer::new(&mut steps),
            steps,
            gauges: None,
            taps: Vec::new(),
        }
    }

    /// The instant that the run has reached: every event before it has happened, and none after it.
    pub fn now(&self) -> Time {
        self.steps.now()
    }

    /// The end of the run.
    pub fn end(&self) -> Time {
        self.steps.end()
    }

    /// True if the run has reached its end.
    pub fn has_ended(&self) -> bool {
        self.now() == self.end()
    }

    /// Advances to `until`, or to the end of the run if that is earlier, and returns the instant
    /// reached; an instant in the past changes nothing.
    pub fn run_until(&mut self, until: Time) -> Time {
        if until > self.now() {
            self.steps.run_until(until);
        }
        self.now()
    }

    /// Advances by `duration`, or to the end of the run if that is earlier, and returns the instant
    /// reached.
    pub fn run_for(&mut self, duration: Duration) -> Time {
        let left = self.end().since(self.now());
        self.run_until(self.now() + duration.min(left))
    }

    /// The numbers that a report would have if the run ended now: of the warm-up if it has not
    /// ended, of the current batch in a run with batches, and otherwise of the time since the
    /// warm-up. There are no series and no warnings.
    ///
    /// # Errors
    /// [`Error::Unknown`] if no time has passed since the counts began.
    pub fn so_far(&mut self) -> Result<Report, Error> {
        let measured = self.steps.measure().ok_or_else(|| {
            let problem = format!("nothing has been measured at `{}`", self.now());
            Error::unknown((problem, "advance the run first".to_string()))
        })?;
        let Measurements { scalars, .. } = measured;
        Ok(Report::of_numbers(scalars))
    }

    /// The state of the network at this instant: `queue`, `sent` and `dropped` of each output;
    /// `cwnd`, `acknowledged` and other quantities of each flow, which depend on its transport; and
    /// the credit of VCs. Counts begin at the start of the run. The order never changes.
    pub fn observe(&mut self) -> Vec<Reading<'_>> {
        let values = self.observer.read(&mut self.steps);
        let gauges = self.gauges.get_or_insert_with(|| gauges(self.steps.plan()));
        let read = gauges.iter().zip(values);
        read.map(|(gauge, value)| Reading {
            scope: &gauge.scope,
            quantity: gauge.quantity.name,
            value,
            unit: gauge.quantity.unit,
            meaning: gauge.quantity.caption,
        })
        .collect()
    }

    /// The value of one quantity of [`Simulation::observe`] at this instant, such as the `queue` of
    /// an output, in its unit.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the network has no such scope, or the scope no such quantity.
    pub fn read(&mut self, scope: &Scope, quantity: &str) -> Result<f64, Error> {
        let all = self.observe();
        let of_scope = all.iter().filter(|one| one.scope == scope);
        if let Some(found) = of_scope.clone().find(|one| one.quantity == quantity) {
            return Ok(found.value);
        }
        let known: Vec<&str> = of_scope.map(|one| one.quantity).collect();
        let hint = match &known[..] {
            [] => "`Simulation::observe` gives all quantities".to_string(),
            known => suggest::expected(known.iter().copied()),
        };
        Err(Error::unknown((
            format!("`{scope}` has no `{quantity}` to read"),
            hint,
        )))
    }

    /// Sets a control of a flow, an output or a link from this instant on: `rate`, `window`, `acr`,
    /// `threshold` or `loss`, as the Python package does. The name of a group stands for all its
    /// members.
    ///
    /// The value is a text with its unit. A run whose controls were set is no longer that of
    /// [`Scenario::run`]; the same values at the same instants give the same numbers again.
    ///
    /// ```
    /// # const TEXT: &str = include_str!("../examples/two-senders.toml");
    /// # fn main() -> Result<(), cellrelay::Error> {
    /// # let scenario = cellrelay::Loader::new().set("duration", "1 s").text(TEXT)?;
    /// let mut simulation = scenario.simulate(1);
    /// simulation.run_for(cellrelay::Duration::from_ms(100));
    /// simulation.set("flow file", "window", "8 KiB")?;
    /// assert!(simulation.set("flow fil", "window", "8 KiB").is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] if there is no such scope or control, or if the value is out of range; the
    /// run is unchanged then.
    pub fn set(&mut self, scopes: &str, control: &str, value: &str) -> Result<(), Error> {
        let given = Given::Text(value);
        steer::set(&mut self.steps, scopes, control, given).map_err(Error::unknown)
    }

    /// Begins to note the packets that leave an output from now on; the network is unchanged. A
    /// second call for the same output returns the same tap.
    ///
    /// # Errors
    /// [`Error::Unknown`] if the network has no such output.
    pub fn tap(&mut self, output: &Place) -> Result<Tap, Error> {
        let known = self.taps.iter().position(|tap| tap.output() == output);
        if let Some(number) = known {
            return Ok(Tap(number));
        }
        let plan = Arc::clone(self.steps.plan());
        let point = TapPoint::install(&plan, self.steps.network_mut(), output)?;
        self.taps.push(point);
        Ok(Tap(self.taps.len() - 1))
    }

    /// The packets that have left the output of a tap since the last call, in order of time. They
    /// stay in memory until this call takes them.
    ///
    /// # Panics
    /// If the tap is that of another simulation with more taps.
    pub fn packets(&mut self, tap: Tap) -> Packets {
        let (now, plan) = (self.now(), Arc::clone(self.steps.plan()));
        self.taps[tap.0].take(&plan, self.steps.network_mut(), now)
    }

    /// Runs to the end, and reports.
    ///
    /// # Panics
    /// If a model breaks a conservation law, which is a defect of the simulator.
    pub fn finish(self) -> Report {
        Report(self.steps.finish())
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Simulation");
        shown.field("now", &self.now()).field("end", &self.end());
        shown.finish_non_exhaustive()
    }
}
