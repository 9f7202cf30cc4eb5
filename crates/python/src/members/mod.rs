//! Members of families that are written as Python classes.
//!
//! `cellrelay.members` checks a class and registers it here. At each event of its component in a run
//! the class is called with the interpreter lock; everything else of the run goes without it.

mod congestion;
mod discard;
mod events;
mod failure;
mod fields;
mod source;
mod told;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use models::output::discard::DiscardSpec;
use models::traffic::SourceSpec;
use models::transport::tcp::congestion::CongestionSpec;
use parameters::outside::{Outside, OutsideKind, OutsideMember, leaked};
use parameters::shape::{Fields, MemberShape};
use parameters::{Amount, OpenFamily, Path, Problems, Shape, Value, ValueTable, Written};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub use discard::{PyBuffer, PyOffer};
pub use events::{PyAck, PyCongestionEvent, PyDelivery, PyEcho, PyLimits};
pub use failure::{RunThread, begin as begin_run, end as end_run, is_noted};
pub use fields::PyAmount;
use fields::{ClassField, Stated};
pub use source::PyApplication;

/// A family whose members may be Python classes.
trait PythonFamily: OpenFamily {
    /// The class attributes of a member.
    type Traits: fmt::Debug + Send + Sync;

    /// A member of the family in words, such as `discard policy`.
    const KIND: &str;

    /// Reads the class attributes.
    fn traits(class: &Bound<'_, PyAny>) -> PyResult<Self::Traits>;

    /// The properties that the family reads before the run.
    fn answers(traits: &Self::Traits) -> &Self::Answers;

    /// The component of one run, around an object of the class.
    fn component(
        object: Bound<'_, PyAny>,
        traits: &Self::Traits,
        context: &Self::Context,
    ) -> PyResult<Self::Product>;

    /// The component that replaces a failed one until the run ends at its next progress check.
    fn broken(context: &Self::Context) -> Self::Product;
}

/// A Python class in a family.
struct Class<F: PythonFamily> {
    name: &'static str,
    source: String,
    help: String,
    fields: Arc<[ClassField]>,
    python: Py<PyAny>,
    traits: Arc<F::Traits>,
}

/// A class with values for its fields.
struct Chosen<F: PythonFamily> {
    name: &'static str,
    values: Vec<(&'static str, Stated)>,
    class: Py<PyAny>,
    traits: Arc<F::Traits>,
    family: PhantomData<fn() -> F>,
}

impl<F: PythonFamily> fmt::Debug for Chosen<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, OutsideMember::<F>::write(self))
    }
}

impl<F: PythonFamily> OutsideKind<F> for Class<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn shape(&self) -> MemberShape {
        MemberShape {
            name: self.name,
            help: self.help.clone(),
            shape: Shape::Record(Fields {
                name: self.name,
                module: "python",
                help: self.help.clone(),
                fields: self.fields.iter().map(ClassField::shape).collect(),
            }),
            aliases: &[],
        }
    }

    fn read(&self, written: &Written, at: &Path, problems: &mut Problems) -> Option<Outside<F>> {
        let values = fields::read(&self.fields, written, at, problems)?;
        Some(Outside(Arc::new(Chosen::<F> {
            name: self.name,
            values,
            class: Python::attach(|py| self.python.clone_ref(py)),
            traits: Arc::clone(&self.traits),
            family: PhantomData,
        })))
    }
}

impl<F: PythonFamily> Chosen<F> {
    fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let given = PyDict::new(py);
        for (name, value) in &self.values {
            given.set_item(name, value)?;
        }
        self.class.bind(py).call((), Some(&given))
    }
}

impl<F: PythonFamily> OutsideMember<F> for Chosen<F> {
    fn kind(&self) -> &'static str {
        self.name
    }

    fn build(&self, context: &F::Context) -> F::Product {
        if failure::is_noted() {
            return F::broken(context);
        }
        let built = failure::inside(|py| {
            let class = self.class.bind(py);
            let told = |at, method, error| told::told(F::KIND, at, method, error);
            let object = self.object(py);
            let object = object
                .and_then(|object| is_of(class, object))
                .map_err(|error| told(class, "__init__", error))?;
            let component = F::component(object.clone(), &self.traits, context);
            component.map_err(|error| told(&object, "begin", error))
        });
        built.unwrap_or_else(|error| {
            failure::note(error);
            F::broken(context)
        })
    }

    fn answers(&self) -> &F::Answers {
        F::answers(&self.traits)
    }

    fn write(&self) -> Value {
        let values = self.values.iter();
        ValueTable::of(values.map(|(name, value)| (*name, value.write()))).into()
    }

    fn levels(&self, at: &Path, levels: &mut Vec<(Path, Amount)>) {
        for (name, value) in &self.values {
            if let Stated::Amount(amount) = value {
                levels.push((at.key(name), *amount));
            }
        }
    }
}

/// An object that a class made, if it is of the class.
fn is_of<'py>(class: &Bound<'py, PyAny>, object: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if object.is_instance(class)? {
        return Ok(object);
    }
    let problem = format!(
        "made `{}`, which is no object of the class",
        told::shown(&object)
    );
    Err(told::wrong(&problem, "leave `__new__` and metaclasses out"))
}

/// Registers a class in a family, in place of a class of the same name. Each field is its name, its
/// meaning, its kind, its default and its range.
pub fn register(family: &str, source: &str, class: &Bound<'_, PyAny>) -> PyResult<()> {
    match family {
        "discard" => add::<DiscardSpec>(source, class),
        "congestion" => add::<CongestionSpec>(source, class),
        "source" => add::<SourceSpec>(source, class),
        _ => Err(PyValueError::new_err(format!("no family `{family}`"))),
    }
}

fn add<F: PythonFamily>(source: &str, class: &Bound<'_, PyAny>) -> PyResult<()> {
    let name: String = class.getattr("__cellrelay_name__")?.extract()?;
    if F::own_kinds().contains(&name.as_str()) {
        let taken = format!("`{name}` is a member in the tree");
        return Err(PyValueError::new_err((taken, "choose another name")));
    }
    let fields = class.getattr("__cellrelay_fields__")?;
    let fields = fields.try_iter()?.map(|field| ClassField::of(&field?));
    let kind = Class::<F> {
        name: leaked(&name),
        source: source.to_string(),
        help: class.getattr("__cellrelay_help__")?.extract()?,
        fields: fields.collect::<PyResult<_>>()?,
        python: class.clone().unbind(),
        traits: Arc::new(F::traits(class)?),
    };
    F::outsiders().replace(Arc::new(kind));
    Ok(())
}

/// The method called `name` of an object, if it has one.
fn method(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Py<PyAny>>> {
    Ok(object.getattr_opt(name)?.map(Bound::unbind))
}

/// Calls `begin` with the context of the component, if the class has the method.
fn begin<'py>(object: &Bound<'py, PyAny>, context: impl IntoPyObjectExt<'py>) -> PyResult<()> {
    if let Some(begin) = object.getattr_opt("begin")? {
        begin.call1((context.into_bound_py_any(object.py())?,))?;
    }
    Ok(())
}

/// The attribute called `name` of a class, or a default.
fn attribute<T>(class: &Bound<'_, PyAny>, name: &str, default: T) -> PyResult<T>
where
    T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>,
{
    match class.getattr_opt(name)? {
        Some(value) => value.extract(),
        None => Ok(default),
    }
}
