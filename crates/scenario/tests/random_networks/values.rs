//! Random values of any parameter, drawn from the shape that its component states.
//!
//! New components and new parameters need no change here.

use parameters::quantity::{Dimension, Form, QuantityUnit};
use parameters::shape::{FamilyShape, Fields};
use parameters::{Field, Shape, Value, ValueTable};

use crate::dice::Dice;

/// Probability, in per cent, that an optional parameter is written.
const WRITTEN: u64 = 30;

/// A random value of `shape`; `None` if none can be drawn.
pub fn any(shape: &Shape, dice: &mut Dice) -> Option<Value> {
    match shape {
        Shape::Boolean => Some(dice.chance(50).into()),
        Shape::Integer { minimum, maximum } => Some(integer(*minimum, *maximum, None, dice).into()),
        Shape::Number => Some((dice.spread(1, 1000) as f64 / 100.0).into()),
        Shape::Quantity(form) => Some(quantity(form, None, dice).into()),
        Shape::Words(words) => Some(dice.pick(&words.words).0.into()),
        Shape::List(item) => list(item, dice),
        Shape::Record(fields) => Some(record(fields, dice).into()),
        Shape::Family(kinds) => family(kinds, dice),
        Shape::Either(shapes) => {
            let shape = dice.pick(shapes);
            any(shape, dice)
        }
        Shape::Text | Shape::File(_) | Shape::Named(_) | Shape::Map(_) | Shape::Any => None,
    }
}

/// A table with all required parameters and some optional ones.
pub fn record(fields: &Fields, dice: &mut Dice) -> ValueTable {
    let mut table = ValueTable::default();
    for field in &fields.fields {
        if field.required || dice.chance(WRITTEN) {
            let value = parameter(field, dice);
            if let Some(value) = value {
                table.set(field.name, None, value.into());
            }
        }
    }
    table
}

fn parameter(field: &Field, dice: &mut Dice) -> Option<Value> {
    match &field.shape {
        Shape::Integer { minimum, maximum } => {
            let (least, most) = match &field.range {
                Some((Value::Integer(least), Value::Integer(most))) => (*least, *most),
                _ => (*minimum, *maximum),
            };
            Some(integer(least, most, field.default.as_ref(), dice).into())
        }
        Shape::Number => Some(number(field, dice).into()),
        Shape::Quantity(form) => Some(quantity(form, Some(field), dice).into()),
        // The only text that is not a name: the lines of a trace.
        Shape::Text if field.name == "text" => Some(trace(dice).into()),
        shape => any(shape, dice),
    }
}

/// A whole number, most often a small one.
fn integer(least: i64, most: i64, default: Option<&Value>, dice: &mut Dice) -> i64 {
    let small = dice.spread(1, 40) as i64;
    let drawn = match default {
        Some(Value::Integer(default)) if dice.chance(30) => *default,
        _ if dice.chance(20) => least,
        _ => small,
    };
    drawn.clamp(least, most)
}

fn number(field: &Field, dice: &mut Dice) -> f64 {
    let factor = dice.spread(10, 1000) as f64 / 100.0;
    let near = match &field.default {
        Some(Value::Float(default)) if *default > 0.0 => *default,
        _ => 1.0,
    };
    match &field.range {
        Some((Value::Float(least), Value::Float(most))) => (near * factor).clamp(*least, *most),
        _ => near * factor,
    }
}

/// A family's table, with a kind that is drawn.
fn family(kinds: &FamilyShape, dice: &mut Dice) -> Option<Value> {
    let kind = dice.pick(&kinds.kinds);
    let value = any(&kind.shape, dice)?;
    Some(ValueTable::of([(kind.name, value)]).into())
}

/// Values in ascending order, as lists of numbers such as lost cells require.
fn list(item: &Shape, dice: &mut Dice) -> Option<Value> {
    let values: Vec<Value> = match item {
        Shape::Quantity(form) => {
            let unit = units(form, dice);
            let mut steps = [(); 2].map(|()| typical(unit.dimension, dice));
            steps.sort_unstable();
            steps
                .map(|steps| written(form, unit.dimension, steps).into())
                .into()
        }
        Shape::Integer { .. } => {
            let mut numbers = [(); 3].map(|()| dice.spread(1, 300) as i64);
            numbers.sort_unstable();
            let mut numbers = Vec::from(numbers);
            numbers.dedup();
            numbers.into_iter().map(Value::from).collect()
        }
        Shape::Record(fields) => vec![record(fields, dice).into()],
        _ => return None,
    };
    Some(values.into())
}

/// A quantity near its default, or of a size that affects a short run.
fn quantity(form: &Form, field: Option<&Field>, dice: &mut Dice) -> String {
    let default = field.and_then(|field| steps(field.default.as_ref()?, form));
    let (dimension, drawn) = match default {
        Some((dimension, default)) if dimension != Dimension::Time && dice.chance(60) => {
            let drawn = dice.spread(default / 8, default.saturating_mul(8));
            (dimension, drawn)
        }
        _ => {
            let dimension = units(form, dice).dimension;
            (dimension, typical(dimension, dice))
        }
    };
    let range = field.and_then(|field| field.range.as_ref());
    let bounds = range.and_then(|(least, most)| Some((steps(least, form)?, steps(most, form)?)));
    let drawn = match bounds {
        Some(((one, least), (other, most))) if one == dimension && other == dimension => {
            drawn.clamp(least, most)
        }
        _ => drawn,
    };
    written(form, dimension, drawn)
}

/// A random unit of a quantity, which fixes its dimension.
fn units(form: &Form, dice: &mut Dice) -> &'static QuantityUnit {
    dice.pick(form.units)
        .first()
        .expect("a dimension has units")
}

/// A quantity, in steps of its dimension, that affects a run of some milliseconds; half of them
/// are round numbers.
fn typical(dimension: Dimension, dice: &mut Dice) -> u64 {
    let drawn = match dimension {
        Dimension::Time => dice.spread(1_000, 5_000_000) * 1_000,
        Dimension::Rate => dice.spread(5_000_000, 1_000_000_000),
        Dimension::Cells => dice.spread(1, 1_000),
        Dimension::Bytes => dice.spread(1, 20_000),
        Dimension::Share | Dimension::Packets => dice.spread(1, 100),
    };
    if dice.chance(50) {
        return drawn;
    }
    let digit = 10_u64.pow(drawn.ilog10().saturating_sub(1));
    drawn / digit * digit
}

/// The value of a quantity in steps of its dimension.
fn steps(value: &Value, form: &Form) -> Option<(Dimension, u64)> {
    let (number, symbol) = value.text()?.split_once(' ')?;
    let unit = form.units().find(|unit| unit.symbol == symbol)?;
    let number: f64 = number.parse().ok()?;
    Some((unit.dimension, (number * unit.steps as f64) as u64))
}

/// `steps` of a dimension, written in the largest unit that needs no fraction; a time is not
/// written as a distance.
fn written(form: &Form, dimension: Dimension, steps: u64) -> String {
    let units = form.units().filter(|unit| unit.dimension == dimension);
    let units = units.filter(|unit| !["m", "km"].contains(&unit.symbol));
    let whole = units.filter(|unit| steps.is_multiple_of(unit.steps));
    let unit = whole.max_by_key(|unit| (unit.steps, !unit.is_alias));
    let unit = unit.expect("a step is a unit");
    format!("{} {}", steps / unit.steps, unit.symbol)
}

/// A trace of a few messages.
fn trace(dice: &mut Dice) -> String {
    let mut at = 0;
    let lines = (0..dice.between(1, 5)).map(|_| {
        at += dice.spread(1, 3_000);
        format!("{} {}\n", at as f64 / 1e6, dice.spread(1, 20_000))
    });
    lines.collect()
}
