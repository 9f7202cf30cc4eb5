//! The macros by which components state their parameters.

/// Plain data as it is written in a scenario: `value!({ tahoe = {}, shares = ["50 %", "20 %"] })`.
#[macro_export]
macro_rules! value {
    ({ $($name:ident = $value:tt),* $(,)? }) => {
        $crate::Value::Table($crate::Table::of::<&str>(::std::vec![
            $((::std::stringify!($name), $crate::value!($value))),*
        ]))
    };
    ([ $($value:tt),* $(,)? ]) => {
        $crate::Value::from(::std::vec![$($crate::value!($value)),*] as ::std::vec::Vec<$crate::Value>)
    };
    ($literal:literal) => {
        $crate::Value::from($literal)
    };
}

/// States the parameters of a component.
///
/// The doc comment of a field is its help; what follows `=` is its default, as a user would write it
/// (`= default` where the type has a default of its own); `#[range(low, high)]` bounds it, both ends
/// included. A field without default has to be written unless its type is an `Option`. A struct with
/// one unnamed field is a parameter that is written as that field.
///
/// ```
/// use parameters::{Amount, Parameter, Record, parameters, understand, value};
///
/// parameters! {
///     /// Early packet discard: refuse whole PDUs, not stray cells.
///     pub struct EarlyPacket {
///         /// Queue length from which PDUs that have not begun are refused.
///         pub threshold: Amount = "50 %",
///         /// Never refuse more PDUs than this in a row.
///         #[range(1, 1000)]
///         pub at_most: Option<u32>,
///     }
///
///     /// A level by itself.
///     pub struct Level(pub Amount);
/// }
///
/// assert_eq!(EarlyPacket::defaults().threshold, Amount::Share(0.5));
/// assert_eq!(understand(&value!("500 cells")), Ok(Level(Amount::Cells(500))));
/// ```
#[macro_export]
macro_rules! parameters {
    () => {};
    (
        $(#[doc = $help:expr])*
        pub struct $Record:ident {
            $(
                $(#[doc = $field_help:expr])*
                $(#[range($low:tt, $high:tt)])?
                pub $field:ident : $type:ty $(= $default:tt)?
            ),* $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[doc = $help])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Record {
            $($(#[doc = $field_help])* pub $field: $type,)*
        }

        impl $crate::Parameter for $Record {
            fn shape() -> $crate::Shape {
                $crate::Shape::Record($crate::shape::Fields {
                    name: ::std::stringify!($Record),
                    module: ::std::module_path!(),
                    help: <Self as $crate::Parameter>::help(),
                    fields: <Self as $crate::Record>::fields(),
                })
            }

            fn help() -> ::std::string::String {
                $crate::shape::help(&[$($help),*])
            }

            fn read(
                written: &$crate::Written,
                at: &$crate::Path,
                problems: &mut $crate::Problems,
            ) -> ::std::option::Option<Self> {
                let names: &[&'static str] = &[$(::std::stringify!($field)),*];
                #[allow(unused_mut, unused_variables)]
                let mut reader = $crate::record::Reader::new(written, at, names, problems)?;
                $(
                    let $field = reader.read::<$type>(
                        ::std::stringify!($field),
                        $crate::optional!($(|| $crate::default_value!($default, $type))?),
                    );
                    $(
                        let $field = reader.within::<$type>(
                            ::std::stringify!($field),
                            $field,
                            &$crate::value!($low),
                            &$crate::value!($high),
                        );
                    )?
                )*
                ::std::option::Option::Some($Record { $($field: $field?),* })
            }

            fn write(&self) -> $crate::Value {
                #[allow(unused_mut)]
                let mut table = $crate::Table::default();
                $($crate::record::write(&mut table, ::std::stringify!($field), &self.$field);)*
                table.into()
            }
        }

        impl $crate::Record for $Record {
            fn fields() -> ::std::vec::Vec<$crate::Field> {
                ::std::vec![$({
                    let default: ::std::option::Option<$crate::Value> =
                        $crate::optional!($($crate::default_value!($default, $type))?);
                    $crate::Field {
                        name: ::std::stringify!($field),
                        help: $crate::shape::help(&[$($field_help),*]),
                        required: default.is_none()
                            && <$type as $crate::Parameter>::absent().is_none(),
                        default,
                        range: $crate::optional!(
                            $(($crate::value!($low), $crate::value!($high)))?
                        ),
                        shape: <$type as $crate::Parameter>::shape(),
                    }
                }),*]
            }
        }

        $crate::parameters! { $($rest)* }
    };
    (
        $(#[doc = $help:expr])*
        pub struct $Wrapper:ident(pub $type:ty);
        $($rest:tt)*
    ) => {
        $(#[doc = $help])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Wrapper(pub $type);

        impl $crate::Parameter for $Wrapper {
            fn shape() -> $crate::Shape {
                <$type as $crate::Parameter>::shape()
            }

            fn help() -> ::std::string::String {
                $crate::shape::help(&[$($help),*])
            }

            fn read(
                written: &$crate::Written,
                at: &$crate::Path,
                problems: &mut $crate::Problems,
            ) -> ::std::option::Option<Self> {
                <$type as $crate::Parameter>::read(written, at, problems).map($Wrapper)
            }

            fn write(&self) -> $crate::Value {
                $crate::Parameter::write(&self.0)
            }
        }

        $crate::parameters! { $($rest)* }
    };
}

/// A family of components, one file a member.
///
/// Each line `early_packet => EarlyPacket` declares the module `early_packet` beside the caller and
/// the variant `EarlyPacket`, which holds the parameters `early_packet::EarlyPacket`. A scenario
/// chooses a member by a table with its name: `discard.early_packet = { threshold = "50 %" }`.
/// `builds Product, for Context` gives the family `build`, which calls that of the member; `default
/// member` gives it a `Default`, the member with all its defaults.
#[macro_export]
macro_rules! registry {
    (
        $(#[doc = $help:expr])*
        pub enum $Family:ident $(builds $product:ty, for $context:ty)? {
            $($kind:ident => $Member:ident),* $(,)?
        } $(default $default:ident)?
    ) => {
        $(pub mod $kind;)*

        $crate::family! {
            $(#[doc = $help])*
            pub enum $Family $(builds $product, for $context)? {
                $($kind => $Member($kind::$Member)),*
            } $(default $default)?
        }
    };
}

/// A family whose members are types in scope rather than files of their own.
///
/// ```
/// use parameters::{BufferSize, Parameter, family, parameters, understand, value};
///
/// parameters! {
///     /// Each output has a buffer of its own.
///     pub struct PerOutput(pub BufferSize);
///     /// All outputs share one buffer.
///     pub struct Shared(pub BufferSize);
/// }
///
/// family! {
///     /// How buffers are given to outputs.
///     pub enum BufferSpec {
///         per_output => PerOutput(PerOutput),
///         shared => Shared(Shared),
///     }
/// }
///
/// let buffer = understand::<BufferSpec>(&value!({ shared = "64 KiB" }));
/// assert_eq!(buffer, Ok(BufferSpec::Shared(Shared(BufferSize::Bytes(65536)))));
/// ```
#[macro_export]
macro_rules! family {
    (
        $(#[doc = $help:expr])*
        pub enum $Family:ident $(builds $product:ty, for $context:ty)? {
            $($kind:ident => $Variant:ident($($Member:tt)*)),* $(,)?
        } $(default $default:ident)?
    ) => {
        $(#[doc = $help])*
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        pub enum $Family {
            $(
                #[doc = ::std::concat!("`", ::std::stringify!($kind), "`")]
                $Variant($($Member)*),
            )*
        }

        impl $Family {
            /// The names by which the kinds are chosen.
            pub fn kinds() -> &'static [&'static str] {
                &[$(::std::stringify!($kind)),*]
            }

            /// The name of the kind that is chosen.
            pub fn kind(&self) -> &'static str {
                match self {
                    $($Family::$Variant(_) => ::std::stringify!($kind),)*
                }
            }

            $crate::build! { $Family [$($product, $context)?] [$($Variant)*] }
        }

        impl $crate::Parameter for $Family {
            fn shape() -> $crate::Shape {
                $crate::Shape::Family($crate::shape::Kinds {
                    name: ::std::stringify!($Family),
                    help: <Self as $crate::Parameter>::help(),
                    kinds: ::std::vec![$($crate::shape::Kind {
                        name: ::std::stringify!($kind),
                        help: <$($Member)* as $crate::Parameter>::help(),
                        shape: <$($Member)* as $crate::Parameter>::shape(),
                    }),*],
                    default: $crate::optional!($(::std::stringify!($default))?),
                })
            }

            fn help() -> ::std::string::String {
                $crate::shape::help(&[$($help),*])
            }

            fn read(
                written: &$crate::Written,
                at: &$crate::Path,
                problems: &mut $crate::Problems,
            ) -> ::std::option::Option<Self> {
                let chosen = $crate::family::choose(written, at, Self::kinds(), problems)?;
                let (written, at) = (chosen.written, &chosen.at);
                match Self::kinds()[chosen.kind] {
                    $(::std::stringify!($kind) => {
                        $crate::Parameter::read(written, at, problems).map($Family::$Variant)
                    })*
                    _ => ::std::unreachable!("only a known kind is chosen"),
                }
            }

            fn write(&self) -> $crate::Value {
                let value = match self {
                    $($Family::$Variant(member) => $crate::Parameter::write(member),)*
                };
                $crate::Table::of([(self.kind(), value)]).into()
            }
        }

        $(
            impl ::std::default::Default for $Family {
                fn default() -> Self {
                    $crate::understand(&$crate::value!({ $default = {} }))
                        .expect("the default kind needs no parameters")
                }
            }
        )?
    };
}

/// Plain words, each with its meaning: `order = "random"`.
///
/// ```
/// use parameters::{choices, understand, value};
///
/// choices! {
///     /// Order in which inputs are visited within a slot.
///     pub enum Order {
///         /// A fresh random order each slot.
///         random => Random,
///         /// Cyclically, from the input after the last served.
///         round_robin => RoundRobin,
///     } default random
/// }
///
/// assert_eq!(understand(&value!("round_robin")), Ok(Order::RoundRobin));
/// assert_eq!(Order::default().word(), "random");
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[doc = $help:expr])*
        pub enum $Choice:ident {
            $($(#[doc = $word_help:expr])* $word:ident => $Variant:ident),* $(,)?
        } $(default $default:ident)?
    ) => {
        $(#[doc = $help])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Choice {
            $($(#[doc = $word_help])* $Variant,)*
        }

        impl $Choice {
            /// All of them, in the order in which they are listed.
            pub const ALL: &[$Choice] = &[$($Choice::$Variant),*];

            /// The word users write.
            pub fn word(self) -> &'static str {
                match self {
                    $($Choice::$Variant => ::std::stringify!($word),)*
                }
            }
        }

        impl $crate::Parameter for $Choice {
            fn shape() -> $crate::Shape {
                $crate::Shape::Words($crate::shape::Words {
                    name: ::std::stringify!($Choice),
                    help: <Self as $crate::Parameter>::help(),
                    words: ::std::vec![$((
                        ::std::stringify!($word),
                        $crate::shape::help(&[$($word_help),*]),
                    )),*],
                })
            }

            fn help() -> ::std::string::String {
                $crate::shape::help(&[$($help),*])
            }

            fn read(
                written: &$crate::Written,
                at: &$crate::Path,
                problems: &mut $crate::Problems,
            ) -> ::std::option::Option<Self> {
                let words = [$(::std::stringify!($word)),*];
                $crate::family::word(written, at, &words, problems).map(|word| Self::ALL[word])
            }

            fn write(&self) -> $crate::Value {
                self.word().into()
            }
        }

        $(
            impl ::std::default::Default for $Choice {
                fn default() -> Self {
                    $crate::understand(&$crate::Value::from(::std::stringify!($default)))
                        .expect("the default is one of the words")
                }
            }
        )?
    };
}

/// `Some` of what is given, if anything is.
#[doc(hidden)]
#[macro_export]
macro_rules! optional {
    () => {
        ::std::option::Option::None
    };
    ($given:expr) => {
        ::std::option::Option::Some($given)
    };
}

/// The default of a field as a user would write it.
#[doc(hidden)]
#[macro_export]
macro_rules! default_value {
    (default, $type:ty) => {
        $crate::Parameter::write(&<$type as ::std::default::Default>::default())
    };
    ($value:tt, $type:ty) => {
        $crate::value!($value)
    };
}

/// The method of a family that makes what its kinds describe.
#[doc(hidden)]
#[macro_export]
macro_rules! build {
    ($Family:ident [] [$($Variant:ident)*]) => {};
    ($Family:ident [$product:ty, $context:ty] [$($Variant:ident)*]) => {
        /// Makes what is described.
        pub fn build(&self, context: &$context) -> $product {
            match self {
                $($Family::$Variant(member) => member.build(context),)*
            }
        }
    };
}
