//! Members of a family that are written outside this repository: in another crate, or in Python.
//!
//! A program registers such members with an *open* family before it reads a scenario. A scenario
//! names them like any other member, and mistakes in their parameters are reported in the same way.
//! The mechanism is our own: decision 17 in `docs/decisions`.

use std::fmt::{self, Debug, Display, Formatter};
use std::marker::PhantomData;
use std::sync::{Arc, PoisonError, RwLock};

use crate::named::is_name;
use crate::parameter::Parameter;
use crate::path::Path;
use crate::problem::Problems;
use crate::quantity::Amount;
use crate::shape::MemberShape;
use crate::value::{Value, Written};

/// A family to which programs can add members; `registry!` and `family!` implement this trait.
pub trait OpenFamily: Sized + 'static {
    /// The context from which a member builds its component, such as the buffer of an output.
    type Context;
    /// The component that a member builds, such as the state of a discard policy.
    type Product;
    /// The properties that a member states before a run; `()` if the family needs none.
    type Answers: ?Sized;

    /// The names of the members that are compiled into the family.
    fn own_kinds() -> &'static [&'static str];

    /// The registry of members that other programs add.
    fn outsiders() -> &'static Outsiders<Self>;

    /// Registers a member called `name`, whose parameters are of type `T`.
    ///
    /// `source` distinguishes versions of the member: a stored run is found again only if its
    /// members have the same source. Pass the text of the file by its name, such as
    /// `include_str!("own_policy.rs")`, or a version that changes with the code.
    ///
    /// # Errors
    /// If the name is not a valid key, or another member has it.
    fn register<T: Member<Self>>(name: &str, source: &str) -> Result<(), NotRegistered> {
        let (name, source) = (leaked(name), source.to_string());
        Self::outsiders().add(Arc::new(Typed::<T> {
            name,
            source,
            parameters: PhantomData,
        }))
    }
}

/// A member: its parameters, with the component and the properties that follow from them.
pub trait Member<F: OpenFamily>: Parameter + Debug + Send + Sync + 'static {
    /// Builds the component of one run.
    fn build(&self, context: &F::Context) -> F::Product;

    /// The properties that the family reads before a run; a member usually returns `self`.
    fn answers(&self) -> &F::Answers;
}

/// A registered kind, whose parameters may be known only when the program runs.
pub trait OutsideKind<F: OpenFamily>: Send + Sync {
    /// The name that users write.
    fn name(&self) -> &'static str;

    /// A text that changes with the behaviour of the member, such as its source code.
    fn source(&self) -> &str;

    /// Meaning, and shape of the parameters.
    fn shape(&self) -> MemberShape;

    /// Reads the parameters at `at`, or reports every problem with them.
    fn read(&self, written: &Written, at: &Path, problems: &mut Problems) -> Option<Outside<F>>;
}

/// A registered member with values for its parameters.
pub trait OutsideMember<F: OpenFamily>: Debug + Send + Sync {
    /// The name of its kind.
    fn kind(&self) -> &'static str;
    /// Builds the component of one run.
    fn build(&self, context: &F::Context) -> F::Product;
    /// The properties that the family reads before a run.
    fn answers(&self) -> &F::Answers;
    /// The normalised form of the parameters.
    fn write(&self) -> Value;
    /// Adds each buffer level among the parameters with its path; `at` is the path of the member.
    fn levels(&self, _at: &Path, _levels: &mut Vec<(Path, Amount)>) {}
}

/// A registered member that a scenario has chosen.
pub struct Outside<F: OpenFamily>(pub Arc<dyn OutsideMember<F>>);

impl<F: OpenFamily> Clone for Outside<F> {
    fn clone(&self) -> Outside<F> {
        Outside(Arc::clone(&self.0))
    }
}

impl<F: OpenFamily> Debug for Outside<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<F: OpenFamily> PartialEq for Outside<F> {
    fn eq(&self, other: &Outside<F>) -> bool {
        self.0.kind() == other.0.kind() && self.0.write() == other.0.write()
    }
}

/// The members of one family that were registered.
pub struct Outsiders<F: OpenFamily>(RwLock<Vec<Arc<dyn OutsideKind<F>>>>);

impl<F: OpenFamily> Outsiders<F> {
    /// No members.
    #[allow(
        clippy::new_without_default,
        reason = "it must be constant, for a static"
    )]
    pub const fn new() -> Outsiders<F> {
        Outsiders(RwLock::new(Vec::new()))
    }

    /// Adds a member.
    ///
    /// # Errors
    /// If the name is not a valid key, or another member has it.
    pub fn add(&self, kind: Arc<dyn OutsideKind<F>>) -> Result<(), NotRegistered> {
        let name = kind.name();
        if !is_name(name) {
            return Err(NotRegistered::NoName(name));
        }
        let is_known = self.find(name).is_some() || F::own_kinds().contains(&name);
        if is_known {
            return Err(NotRegistered::Taken(name));
        }
        self.replace(kind);
        Ok(())
    }

    /// Adds a member, or replaces the registered member of the same name: a notebook defines the
    /// same class again and again.
    ///
    /// # Panics
    /// If the family itself has a member of that name.
    pub fn replace(&self, kind: Arc<dyn OutsideKind<F>>) {
        let name = kind.name();
        assert!(
            !F::own_kinds().contains(&name),
            "`{name}` is a member in the tree"
        );
        note_source(name, kind.source());
        let mut kinds = self.0.write().unwrap_or_else(PoisonError::into_inner);
        kinds.retain(|known| known.name() != name);
        kinds.push(kind);
    }

    /// The names of all members, those in the tree first.
    pub fn names(&self) -> Vec<&'static str> {
        let own = F::own_kinds().iter().copied();
        own.chain(self.all().iter().map(|kind| kind.name()))
            .collect()
    }

    /// Shapes of the parameters of all registered members.
    pub fn shapes(&self) -> Vec<MemberShape> {
        self.all().iter().map(|kind| kind.shape()).collect()
    }

    /// Reads the parameters of the member called `name`.
    ///
    /// # Panics
    /// If no registered member has the name.
    pub fn read(
        &self,
        name: &str,
        written: &Written,
        at: &Path,
        problems: &mut Problems,
    ) -> Option<Outside<F>> {
        let kind = self.find(name).expect("only a known kind is chosen");
        kind.read(written, at, problems)
    }

    fn find(&self, name: &str) -> Option<Arc<dyn OutsideKind<F>>> {
        self.all().into_iter().find(|kind| kind.name() == name)
    }

    fn all(&self) -> Vec<Arc<dyn OutsideKind<F>>> {
        let kinds = self.0.read().unwrap_or_else(PoisonError::into_inner);
        kinds.clone()
    }
}

/// A member that cannot be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRegistered {
    /// Its name cannot be written as a key.
    NoName(&'static str),
    /// Another member of the family has the name.
    Taken(&'static str),
}

impl Display for NotRegistered {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NotRegistered::NoName(name) => {
                write!(
                    f,
                    "`{name}` cannot be a key: use letters, digits, `-` and `_`"
                )
            }
            NotRegistered::Taken(name) => {
                write!(
                    f,
                    "the family has a member `{name}` already: choose another name"
                )
            }
        }
    }
}

impl std::error::Error for NotRegistered {}

/// Names of the registered members of all families, with their sources.
static SOURCES: RwLock<Vec<(&str, String)>> = RwLock::new(Vec::new());

fn note_source(name: &'static str, source: &str) {
    let mut sources = SOURCES.write().unwrap_or_else(PoisonError::into_inner);
    sources.retain(|(known, _)| *known != name);
    sources.push((name, source.to_string()));
}

/// The source of the registered member called `name`.
pub fn source_of(name: &str) -> Option<String> {
    let sources = SOURCES.read().unwrap_or_else(PoisonError::into_inner);
    let mut known = sources.iter().filter(|(known, _)| *known == name);
    known.next().map(|(_, source)| source.clone())
}

/// A name that lives as long as the program: members are few, and registered once.
pub fn leaked(name: &str) -> &'static str {
    Box::leak(name.to_string().into_boxed_str())
}

/// A kind whose parameters are of type `T`.
struct Typed<T> {
    name: &'static str,
    source: String,
    parameters: PhantomData<fn() -> T>,
}

impl<F: OpenFamily, T: Member<F>> OutsideKind<F> for Typed<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn shape(&self) -> MemberShape {
        MemberShape {
            name: self.name,
            help: T::help(),
            shape: T::shape(),
            aliases: T::aliases(),
        }
    }

    fn read(&self, written: &Written, at: &Path, problems: &mut Problems) -> Option<Outside<F>> {
        let member = T::read(written, at, problems)?;
        let name = self.name;
        Some(Outside(Arc::new(Chosen { name, member })))
    }
}

/// A member of type `T` with its name.
#[derive(Debug)]
struct Chosen<T> {
    name: &'static str,
    member: T,
}

impl<F: OpenFamily, T: Member<F>> OutsideMember<F> for Chosen<T> {
    fn kind(&self) -> &'static str {
        self.name
    }

    fn build(&self, context: &F::Context) -> F::Product {
        self.member.build(context)
    }

    fn answers(&self) -> &F::Answers {
        self.member.answers()
    }

    fn write(&self) -> Value {
        self.member.write()
    }

    fn levels(&self, at: &Path, levels: &mut Vec<(Path, Amount)>) {
        self.member.levels(at, levels);
    }
}
