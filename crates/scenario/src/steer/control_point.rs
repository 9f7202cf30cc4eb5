//! The places in a network at which controls act.

use kernel::{Network, Rate, Time};
use models::abr::RateCap;
use models::host::Host;
use models::node::AnyNode;
use models::output::admission::BufferGate;
use models::rates::LinkClock;
use models::traffic::Source;
use models::transport::WindowCap;
use models::wire::format::CellFormat;
use parameters::Problem;
use parameters::quantity::{Amount, Bytes, Fraction, Quantity, parse};

use super::controls::{ACR, Control, LINK_RATE, LOSS, RATE, THRESHOLD, WINDOW};
use crate::goal::ProblemAndHint;
use crate::lower::Plan;
use crate::lower::checks::rates;
use crate::scope::{Name, Place, Scope};

/// A value as the user gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'a> {
    /// A number in the unit of the control.
    Number(f64),
    /// A number with a unit.
    Text(&'a str),
}

/// A control of one scope of a network.
pub enum ControlPoint<'a> {
    /// Rate of a source, of a flow with this number in its plan.
    Rate(&'a mut dyn Source, &'a Plan, usize),
    /// Cap of a congestion window.
    Window(WindowCap<'a>),
    /// Cap of an allowed rate of cells of this format.
    Acr(RateCap<'a>, CellFormat),
    /// Threshold of a buffer, and the unit of the buffer.
    Threshold(&'a mut BufferGate, &'static str),
    /// Loss rate of a link.
    Loss(&'a mut f64),
    /// Rate of a link.
    LinkRate(&'a mut LinkClock),
}

/// Visits every control of a network, those of flows first.
pub fn each(
    plan: &Plan,
    network: &mut Network<AnyNode>,
    see: &mut impl FnMut(Scope, ControlPoint<'_>),
) {
    for node in &mut network.nodes {
        if let AnyNode::Host(host) = node {
            of_host(plan, host, see);
        }
    }
    for (number, node) in network.nodes.iter_mut().enumerate() {
        for (output, port) in node.ports_mut().into_iter().enumerate() {
            let unit = if port.unit().is_cells() { "cells" } else { "B" };
            // An output with a buffer for each class has no single threshold to control.
            if let [gate] = port.gates_mut()
                && gate.threshold().is_some()
            {
                let scope = Scope::Port(Place::of(plan, number, output));
                see(scope, ControlPoint::Threshold(gate, unit));
            }
        }
    }
    for (number, node) in network.nodes.iter_mut().enumerate() {
        for (output, end) in node.losses_mut().into_iter().enumerate() {
            if let Some(probability) = end.and_then(|end| end.probability()) {
                let scope = Scope::Link(Place::of(plan, number, output));
                see(scope, ControlPoint::Loss(probability));
            }
        }
        for (output, clock) in node.clocks_mut().into_iter().enumerate() {
            if let Some(clock) = clock.filter(|clock| clock.is_steered()) {
                let scope = Scope::Link(Place::of(plan, number, output));
                see(scope, ControlPoint::LinkRate(clock));
            }
        }
    }
}

fn of_host(plan: &Plan, host: &mut Host, see: &mut impl FnMut(Scope, ControlPoint<'_>)) {
    for sender in &mut host.senders {
        let (flow, via) = (sender.flow as usize, sender.via);
        let scope = || Scope::Flow(Name::of_flow(plan, flow));
        let source = sender.source_mut();
        if source.rate().is_some() {
            see(scope(), ControlPoint::Rate(source, plan, flow));
        }
        if let Some(cap) = sender.sender_mut().window_cap() {
            see(scope(), ControlPoint::Window(cap));
        }
        let paced = host.nics.paced_mut(via);
        if let Some(cap) = paced.and_then(|(paced, vc)| paced.rate_cap(vc)) {
            see(scope(), ControlPoint::Acr(cap, plan.cells()));
        }
    }
}

impl ControlPoint<'_> {
    /// The control.
    pub fn control(&self) -> &'static Control {
        match self {
            ControlPoint::Rate(..) => RATE,
            ControlPoint::Window(_) => WINDOW,
            ControlPoint::Acr(..) => ACR,
            ControlPoint::Threshold(..) => THRESHOLD,
            ControlPoint::Loss(_) => LOSS,
            ControlPoint::LinkRate(_) => LINK_RATE,
        }
    }

    /// Unit of the values.
    pub fn unit(&self) -> &'static str {
        match self {
            ControlPoint::Threshold(_, unit) => unit,
            other => other.control().unit,
        }
    }

    /// Present value.
    pub fn value(&mut self) -> f64 {
        match self {
            ControlPoint::Rate(source, ..) => source.rate().map_or(0.0, whole_rate),
            ControlPoint::Window(cap) => *cap.octets as f64,
            ControlPoint::Acr(cap, _) => *cap.cells_per_second,
            ControlPoint::Threshold(gate, _) => gate.threshold().map_or(0.0, |units| *units as f64),
            ControlPoint::Loss(probability) => **probability,
            ControlPoint::LinkRate(clock) => whole_rate(clock.shown()),
        }
    }

    /// Least and largest value.
    pub fn range(&self) -> [f64; 2] {
        match self {
            ControlPoint::Rate(source, plan, flow) => {
                let present = source.rate().map_or(1, Rate::bits_per_second);
                rates_of(plan, *flow, present)
            }
            ControlPoint::Window(cap) => [cap.least as f64, cap.most as f64],
            ControlPoint::Acr(cap, _) => [cap.least, cap.most],
            ControlPoint::Threshold(gate, _) => [0.0, gate.capacity() as f64],
            ControlPoint::Loss(_) => [0.0, 1.0],
            ControlPoint::LinkRate(clock) => {
                let fastest = whole_rate(clock.fastest());
                [SLOWEST.min(fastest), fastest]
            }
        }
    }

    /// Sets a value within the range at `now`.
    pub fn set(&mut self, now: Time, value: f64) {
        match self {
            ControlPoint::Rate(source, ..) => {
                source.set_rate(Rate::from_bits_per_second(value as u64));
            }
            ControlPoint::Window(cap) => *cap.octets = value as u64,
            ControlPoint::Acr(cap, _) => *cap.cells_per_second = value,
            ControlPoint::Threshold(gate, _) => {
                if let Some(units) = gate.threshold() {
                    *units = value as u64;
                }
            }
            ControlPoint::Loss(probability) => **probability = value,
            ControlPoint::LinkRate(clock) => {
                clock.set(now, Rate::from_bits_per_second(value as u64));
            }
        }
    }

    /// The value that is given, in the unit of the control.
    ///
    /// # Errors
    /// If the value is not valid for this control, or out of range.
    pub fn understand(&self, given: Given<'_>) -> Result<f64, ProblemAndHint> {
        let (value, said) = match given {
            Given::Number(number) => (number, number.to_string()),
            Given::Text(text) => (self.read(text)?, text.to_string()),
        };
        // Other rates are refused below, in the words of `check`.
        let [least, most] = match self {
            ControlPoint::Rate(..) => [1.0, FASTEST],
            other => other.range(),
        };
        let unit = self.unit();
        if !(least..=most).contains(&value) {
            let problem = format!("`{said}` is out of range");
            let hint = match unit {
                "1" => format!("write a number from {least} to {most}"),
                _ => format!("write a value from {least} to {most} {unit}"),
            };
            return Err((problem, hint));
        }
        if value.fract() != 0.0
            && matches!(
                self,
                ControlPoint::Rate(..)
                    | ControlPoint::Window(_)
                    | ControlPoint::Threshold(..)
                    | ControlPoint::LinkRate(_)
            )
        {
            let hint = format!("write for example `{}`", value.floor().max(least));
            return Err((format!("`{said}` is not a whole number of {unit}"), hint));
        }
        if let ControlPoint::Rate(_, plan, flow) = self
            && let Some(problem) = refusal(plan, *flow, value as u64)
        {
            return Err((problem.problem, problem.hint.unwrap_or_default()));
        }
        Ok(value)
    }

    /// The value of a number with a unit.
    fn read(&self, text: &str) -> Result<f64, ProblemAndHint> {
        match self {
            ControlPoint::Rate(..) | ControlPoint::LinkRate(_) => quantity(text).map(whole_rate),
            ControlPoint::Window(_) => quantity(text).map(|Bytes(octets)| octets as f64),
            ControlPoint::Acr(_, cells) => {
                quantity(text).map(|rate| whole_rate(rate) / cells.bits() as f64)
            }
            ControlPoint::Loss(_) => quantity(text).map(|Fraction(share)| share),
            ControlPoint::Threshold(gate, unit) => match (quantity(text)?, *unit) {
                (Amount::Share(share), _) => Ok((share * gate.capacity() as f64).floor()),
                (Amount::Cells(units), "cells") | (Amount::Bytes(units), "B") => Ok(units as f64),
                (_, unit) => Err((
                    format!("the buffer holds {unit}, and `{text}` is in another unit"),
                    format!("write for example `\"50 %\"`, or a number of {unit}"),
                )),
            },
        }
    }
}

/// Largest rate of a source in bit/s: an octet then takes several picoseconds, so time advances.
const FASTEST: f64 = 1e12;

/// The problem of a source with a rate in bit/s that a scenario may not have.
fn refusal(plan: &Plan, flow: usize, rate: u64) -> Option<Problem> {
    rates::refusal(
        &plan.spec,
        &plan.topology,
        plan.flows(),
        &plan.links,
        flow,
        Rate::from_bits_per_second(rate),
    )
}

/// Least and largest rate of the source of a flow that a scenario may have. The `present` rate lies
/// between them, and so do all rates that it may have.
fn rates_of(plan: &Plan, flow: usize, present: u64) -> [f64; 2] {
    [1, FASTEST as u64].map(|end| {
        let (mut inside, mut outside) = (present, end);
        if refusal(plan, flow, end).is_none() {
            return end as f64;
        }
        while inside.abs_diff(outside) > 1 {
            let middle = inside.midpoint(outside);
            if refusal(plan, flow, middle).is_none() {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        inside as f64
    })
}

/// Smallest rate of a link in bit/s: a packet keeps its rate to its end, and would take a day at 1
/// bit/s.
const SLOWEST: f64 = 1e3;

fn whole_rate(rate: Rate) -> f64 {
    rate.bits_per_second() as f64
}

fn quantity<Q: Quantity>(text: &str) -> Result<Q, ProblemAndHint> {
    parse(text).map_err(|bad| (bad.problem.clone(), bad.hint()))
}
