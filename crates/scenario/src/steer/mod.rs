//! Steering a run: changing controls at pauses. Our own rule: the outcome is a pure function of the
//! scenario, the seed, and the values that are set with their instants.
//!
//! [`CONTROLS`] declares each [`Control`] once. Setting a control changes only the future: cells
//! and packets that are already committed to a link keep their fate.

mod control_point;
mod controls;

use std::ops::Deref;

use kernel::Time;
use parameters::suggest;

use crate::goal::{ProblemAndHint, Scopes};
use crate::lower::Plan;
use crate::run::SteppedRun;
use crate::scope::{Name, Place, Scope};
pub use control_point::Given;
use control_point::{ControlPoint, each};
pub use controls::{CONTROLS, Control};

/// A control of a scope in a run, with its present value.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlReading {
    /// The flow, the output or the link.
    pub scope: Scope,
    /// The control.
    pub control: &'static Control,
    /// Present value, in `unit`.
    pub value: f64,
    /// Least and largest value.
    pub range: [f64; 2],
    /// Unit of the value; that of a threshold is the unit of its buffer.
    pub unit: &'static str,
}

/// All controls of a run with their present values, flows first.
pub fn settings<P: Deref<Target = Plan>>(steps: &mut SteppedRun<P>) -> Vec<ControlReading> {
    let mut settings = Vec::new();
    let (plan, network) = steps.parts();
    each(plan, network, &mut |scope, mut point| {
        settings.push(ControlReading {
            scope,
            control: point.control(),
            value: point.value(),
            range: point.range(),
            unit: point.unit(),
        });
    });
    settings
}

/// Sets a control of every scope that `scopes` names, such as all members of `flow bulk`. If one of
/// them refuses the value, none is changed.
///
/// # Errors
/// If there is no such control or scope, or the value is out of range.
pub fn set<P: Deref<Target = Plan>>(
    steps: &mut SteppedRun<P>,
    scopes: &str,
    control: &str,
    given: Given<'_>,
) -> Result<(), ProblemAndHint> {
    let control = named(control, scopes)?;
    let wanted = wanted(scopes, control)?;
    let now = steps.now();
    let (plan, network) = steps.parts();
    let mut values = Vec::new();
    let mut known = Vec::new();
    each(plan, network, &mut |scope, point| {
        if point.control() != control {
            return;
        }
        if covers(&wanted, &scope) {
            values.push(point.understand(given));
        }
        known.push(scope);
    });
    if values.is_empty() {
        return Err(absent(scopes, control, &known));
    }
    let values: Vec<f64> = values.into_iter().collect::<Result<_, _>>()?;
    let mut values = values.into_iter();
    each(plan, network, &mut |scope, mut point| {
        if point.control() == control
            && covers(&wanted, &scope)
            && let Some(value) = values.next()
        {
            change(&mut point, now, value);
        }
    });
    Ok(())
}

/// Sets a value, unless it is the present one: setting an unchanged value changes no result.
fn change(point: &mut ControlPoint<'_>, now: Time, value: f64) {
    if point.value().to_bits() != value.to_bits() {
        point.set(now, value);
    }
}

/// The control of this name that scopes of the kind in `scopes` have, or else the first of this name.
fn named(name: &str, scopes: &str) -> Result<&'static Control, ProblemAndHint> {
    let kind = Scopes::parse(scopes).ok().map(|scopes| scopes.kind);
    let of_name = || CONTROLS.iter().filter(|control| control.name == name);
    let of_kind = of_name().find(|control| Some(control.scope) == kind);
    of_kind.or_else(|| of_name().next()).ok_or_else(|| {
        let all = CONTROLS.iter().enumerate();
        let is_first =
            |place: usize, name: &str| CONTROLS[..place].iter().all(|other| other.name != name);
        let names = all.filter(|(place, control)| is_first(*place, control.name));
        let names = names.map(|(_, control)| control.name);
        let hint = match suggest::nearest(name, names.clone()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => suggest::expected(names),
        };
        (format!("there is no control `{name}`"), hint)
    })
}

/// The scopes that a text names, which must be of the kind that has the control.
fn wanted(text: &str, control: &Control) -> Result<Scopes, ProblemAndHint> {
    let wrong = || {
        let problem = format!("`{text}` has no control `{}`", control.name);
        let hint = format!("write a scope such as `{}`", control.example);
        (problem, hint)
    };
    let scopes = Scopes::parse(text).map_err(|_| wrong())?;
    let is_meant = scopes.kind == control.scope;
    is_meant.then_some(scopes).ok_or_else(wrong)
}

fn covers(wanted: &Scopes, scope: &Scope) -> bool {
    let has_name = match (&wanted.name, scope.name()) {
        (Some(group), Some(name)) => group.covers(&name),
        (wanted, _) => wanted.is_none(),
    };
    let has_place = match (&wanted.place, scope.place()) {
        (Some(group), Some(place)) => group.covers(place),
        (wanted, _) => wanted.is_none(),
    };
    has_name && has_place
}

/// The refusal of scopes without the control; `known` are the scopes that have it.
fn absent(scopes: &str, control: &Control, known: &[Scope]) -> ProblemAndHint {
    /// Number of scopes that a hint lists.
    const LISTED: usize = 5;
    let problem = format!("`{scopes}` has no control `{}`", control.name);
    let mut groups: Vec<String> = known.iter().map(|scope| group(scope).to_string()).collect();
    groups.dedup();
    let names = || groups.iter().map(String::as_str);
    let hint = match suggest::nearest(scopes, names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if groups.is_empty() => control.needs.to_string(),
        None if groups.len() <= LISTED => suggest::expected(names()),
        None => format!("{} and {} others have it", groups[0], groups.len() - 1),
    };
    (problem, hint)
}

/// The scope of all members of the groups of a scope.
fn group(scope: &Scope) -> Scope {
    let all = |name: &Name| Name::alone(&name.group);
    let place = |place: &Place| Place {
        node: all(&place.node),
        to: all(&place.to),
    };
    match scope {
        Scope::Flow(name) => Scope::Flow(all(name)),
        Scope::Port(at) => Scope::Port(place(at)),
        Scope::Link(at) => Scope::Link(place(at)),
        other => other.clone(),
    }
}
