//! The annotated fields of a Python class as parameters.

use kernel::{Duration, Rate};
use parameters::quantity::Quantity;
use parameters::record::RecordReader;
use parameters::{Amount, Bytes, Fraction, Hint, Parameter, Path, Problem, Problems};
use parameters::{Shape, Value, Written, understand};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A field of a class.
pub struct ClassField {
    name: &'static str,
    help: String,
    kind: Kind,
    default: Option<Stated>,
    /// The smallest and the largest number.
    range: Option<(f64, f64)>,
}

/// Kinds of fields. A class receives a time in seconds, a rate in bit/s, and a size in octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Integer,
    Boolean,
    Text,
    Seconds,
    BitsPerSecond,
    Octets,
    Share,
    Amount,
}

const KINDS: [(&str, Kind); 9] = [
    ("float", Kind::Number),
    ("int", Kind::Integer),
    ("bool", Kind::Boolean),
    ("str", Kind::Text),
    ("Seconds", Kind::Seconds),
    ("BitsPerSecond", Kind::BitsPerSecond),
    ("Octets", Kind::Octets),
    ("Share", Kind::Share),
    ("Amount", Kind::Amount),
];

/// A level in a buffer, which only the buffer can count in its units.
#[pyclass(frozen, name = "Amount", module = "cellrelay._core")]
pub struct PyAmount(pub Amount);

#[pymethods]
impl PyAmount {
    #[new]
    fn new(text: &str) -> PyResult<PyAmount> {
        let amount = understand(&Value::from(text)).map(PyAmount);
        amount.map_err(|problems| PyValueError::new_err(problems.to_string()))
    }

    fn __str__(&self) -> String {
        self.0.render()
    }

    fn __repr__(&self) -> String {
        format!("Amount(\"{}\")", self.0.render())
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Stated {
    Number(f64),
    Integer(u32),
    Boolean(bool),
    Text(String),
    Seconds(Duration),
    BitsPerSecond(Rate),
    Octets(Bytes),
    Share(Fraction),
    Amount(Amount),
}

impl Stated {
    pub fn write(&self) -> Value {
        match self {
            Stated::Number(number) => number.write(),
            Stated::Integer(number) => number.write(),
            Stated::Boolean(is_true) => is_true.write(),
            Stated::Text(text) => text.write(),
            Stated::Seconds(time) => time.write(),
            Stated::BitsPerSecond(rate) => rate.write(),
            Stated::Octets(octets) => octets.write(),
            Stated::Share(share) => share.write(),
            Stated::Amount(amount) => amount.write(),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Stated::Number(number) => Some(*number),
            Stated::Integer(number) => Some(f64::from(*number)),
            Stated::Boolean(_) | Stated::Text(_) | Stated::Amount(_) => None,
            Stated::Seconds(time) => Some(time.seconds()),
            Stated::BitsPerSecond(rate) => Some(rate.bits_per_second() as f64),
            Stated::Octets(octets) => Some(octets.0 as f64),
            Stated::Share(share) => Some(share.0),
        }
    }
}

impl<'py> IntoPyObject<'py> for &Stated {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Stated::Number(number) => number.into_pyobject(py)?.into_any(),
            Stated::Integer(number) => number.into_pyobject(py)?.into_any(),
            Stated::Boolean(is_true) => is_true.into_pyobject(py)?.to_owned().into_any(),
            Stated::Text(text) => text.into_pyobject(py)?.into_any(),
            Stated::Seconds(time) => time.seconds().into_pyobject(py)?.into_any(),
            Stated::BitsPerSecond(rate) => rate.bits_per_second().into_pyobject(py)?.into_any(),
            Stated::Octets(octets) => octets.0.into_pyobject(py)?.into_any(),
            Stated::Share(share) => share.0.into_pyobject(py)?.into_any(),
            Stated::Amount(amount) => Bound::new(py, PyAmount(*amount))?.into_any(),
        })
    }
}

impl Kind {
    fn shape(self) -> Shape {
        match self {
            Kind::Number => f64::shape(),
            Kind::Integer => u32::shape(),
            Kind::Boolean => bool::shape(),
            Kind::Text => String::shape(),
            Kind::Seconds => Duration::shape(),
            Kind::BitsPerSecond => Rate::shape(),
            Kind::Octets => Bytes::shape(),
            Kind::Share => Fraction::shape(),
            Kind::Amount => Amount::shape(),
        }
    }

    /// The value of a field as a user writes it; `number` is the value that the class receives.
    fn written(self, number: f64) -> Value {
        match self {
            Kind::Seconds => format!("{number} s").into(),
            Kind::BitsPerSecond => format!("{number} bit/s").into(),
            Kind::Octets => format!("{number} B").into(),
            Kind::Share => Fraction(number).write(),
            Kind::Integer => Value::Integer(number as i64),
            Kind::Number | Kind::Boolean | Kind::Text | Kind::Amount => number.write(),
        }
    }

    fn read(self, written: &Written, at: &Path, problems: &mut Problems) -> Option<Stated> {
        Some(match self {
            Kind::Number => Stated::Number(Parameter::read(written, at, problems)?),
            Kind::Integer => Stated::Integer(Parameter::read(written, at, problems)?),
            Kind::Boolean => Stated::Boolean(Parameter::read(written, at, problems)?),
            Kind::Text => Stated::Text(Parameter::read(written, at, problems)?),
            Kind::Seconds => Stated::Seconds(Parameter::read(written, at, problems)?),
            Kind::BitsPerSecond => Stated::BitsPerSecond(Parameter::read(written, at, problems)?),
            Kind::Octets => Stated::Octets(Parameter::read(written, at, problems)?),
            Kind::Share => Stated::Share(Parameter::read(written, at, problems)?),
            Kind::Amount => Stated::Amount(Parameter::read(written, at, problems)?),
        })
    }

    /// The value of a default in Python.
    fn stated(self, value: &Bound<'_, PyAny>) -> PyResult<Stated> {
        Ok(match self {
            Kind::Number => Stated::Number(value.extract()?),
            Kind::Integer => Stated::Integer(value.extract()?),
            Kind::Boolean => Stated::Boolean(value.extract()?),
            Kind::Text => Stated::Text(value.extract()?),
            Kind::Seconds => Stated::Seconds(Duration::from_seconds_f64(value.extract()?)),
            Kind::BitsPerSecond => {
                let bits: u64 = value.extract()?;
                if bits == 0 {
                    return Err(PyValueError::new_err("a rate is positive"));
                }
                Stated::BitsPerSecond(Rate::from_bits_per_second(bits))
            }
            Kind::Octets => Stated::Octets(Bytes(value.extract()?)),
            Kind::Share => Stated::Share(Fraction(value.extract()?)),
            Kind::Amount => Stated::Amount(value.cast::<PyAmount>()?.get().0),
        })
    }
}

impl ClassField {
    /// The field that Python describes by name, meaning, kind, default and range.
    pub fn of(described: &Bound<'_, PyAny>) -> PyResult<ClassField> {
        type Described<'py> = (
            String,
            String,
            String,
            Option<Bound<'py, PyAny>>,
            Option<(f64, f64)>,
        );
        let (name, help, kind, default, range): Described<'_> = described.extract()?;
        let known = KINDS.iter().find(|(word, _)| *word == kind);
        let Some((_, kind)) = known else {
            return Err(PyTypeError::new_err(format!(
                "no parameter is of type `{kind}`"
            )));
        };
        let default = default.map(|value| kind.stated(&value)).transpose()?;
        Ok(ClassField {
            name: parameters::outside::leaked(&name),
            help,
            kind: *kind,
            default,
            range,
        })
    }

    /// The description of the parameter.
    pub fn shape(&self) -> parameters::Field {
        parameters::Field {
            name: self.name,
            help: self.help.clone(),
            implied: None,
            default: self.default.as_ref().map(Stated::write),
            range: self
                .range
                .map(|(low, high)| (self.kind.written(low), self.kind.written(high))),
            required: self.default.is_none(),
            shape: self.kind.shape(),
            example: None,
            aliases: &[],
        }
    }

    fn read(&self, written: &Written, at: &Path, problems: &mut Problems) -> Option<Stated> {
        let from = problems.len();
        let Some(value) = self.kind.read(written, at, problems) else {
            let default = self.default.as_ref().map(Stated::write);
            let range = self.bounds();
            let accepts = |value: &Value| self.accepts(value);
            problems.settle(from, at, &accepts, default.as_ref(), range.as_ref());
            return None;
        };
        if self.is_within(&value) {
            return Some(value);
        }
        let problem = format!("{} is out of range", written.value.quoted());
        let hints = self.bounds().into_iter().collect();
        problems.add(Problem::new(at, written.place, problem).hints(hints));
        None
    }

    fn accepts(&self, value: &Value) -> bool {
        let unheard = &mut Problems::default();
        let read = self
            .kind
            .read(&value.clone().into(), &Path::root(), unheard);
        read.is_some_and(|value| self.is_within(&value))
    }

    fn is_within(&self, value: &Stated) -> bool {
        let is_in = |(low, high): (f64, f64)| {
            let number = value.number();
            number.is_none_or(|number| low <= number && number <= high)
        };
        self.range.is_none_or(is_in)
    }

    /// The hint that names the range, if there is one.
    fn bounds(&self) -> Option<Hint> {
        let (low, high) = self.range?;
        let bounds = [low, high].map(|number| self.kind.written(number));
        let [low, high] = bounds.each_ref().map(Value::quoted);
        let text = format!("`{}` is from {low} to {high}", self.name);
        Some(Hint::naming(&text, bounds))
    }
}

/// The values of all fields, or every problem with them.
pub fn read(
    fields: &[ClassField],
    written: &Written,
    at: &Path,
    problems: &mut Problems,
) -> Option<Vec<(&'static str, Stated)>> {
    let names: Vec<&'static str> = fields.iter().map(|field| field.name).collect();
    RecordReader::new(written, at, &names, problems)?;
    let table = written.value.table();
    let values: Vec<Option<(&'static str, Stated)>> = fields
        .iter()
        .map(|field| {
            let at = at.key(field.name);
            let given = table.and_then(|table| table.get(field.name));
            let value = match (given, &field.default) {
                (Some(given), _) => field.read(given, &at, problems),
                (None, Some(default)) => Some(default.clone()),
                (None, None) => {
                    let example = field.kind.shape().example();
                    let hint = format!("write for example `{} = {example}`", field.name);
                    let problem = format!("`{}` is missing", field.name);
                    problems.add(Problem::new(&at, written.place, problem).hint(hint));
                    None
                }
            };
            value.map(|value| (field.name, value))
        })
        .collect();
    values.into_iter().collect()
}
