//! Records: tables of parameters with fixed names.

/// States the parameters of a component.
///
/// The doc comment of a field is its help; the text after `=` is its default, as a user would write
/// it (`= default` uses the default of the field's type); `#[range(low, high)]` bounds it, both
/// ends included; an end may be a constant. A field without a default is required unless its type is
/// an `Option`. `#[example(value)]` gives the value of a required field in examples of the record,
/// where the usual one would contradict another field.
/// `#[as_in(Source)]` takes the help, the range and the default of the field with this name in
/// another record, unless the field states its own help or default.
/// `#[implied(VALUE, "condition")]` states, for the help and the reference, the value that the
/// component uses if the condition holds and an `Option` is not given. A struct with one unnamed
/// field is written in a scenario as that field. `#[check(method)]` names a method
/// `fn method(&self) -> Option<Conflict>` that checks several fields together and returns the
/// [`Conflict`](crate::record::Conflict) that it finds; it is called once all fields are valid;
/// `#[presets(Enum)]` names the presets of the record, see [`presets!`]. `#[alias("word")]`, at a
/// field or at the struct of a member of a family, is another name of it: a scenario that uses the
/// word is refused with a hint. A second text in the attribute is that hint, where the two differ in
/// more than their name.
///
/// ```
/// use cellrelay_parameters::{
///     Amount, Conflict, Parameter, ParameterTable, parameters, understand, value,
/// };
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
///     /// Selective drop.
///     pub struct SelectiveDrop {
///         #[as_in(EarlyPacket)]
///         pub threshold: Amount,
///         #[as_in(EarlyPacket)]
///         pub at_most: Option<u32>,
///     }
///
///     /// A level by itself.
///     pub struct Level(pub Amount);
///
///     /// Two queue lengths.
///     #[check(in_order)]
///     pub struct Between {
///         /// The smaller one.
///         pub least: u32 = 5,
///         /// The larger one.
///         pub most: u32 = 15,
///     }
/// }
///
/// impl Between {
///     fn in_order(&self) -> Option<Conflict> {
///         (self.least > self.most).then(|| Conflict {
///             name: "least",
///             problem: "it is larger than `most`".to_string(),
///             hint: "exchange the two".to_string(),
///         })
///     }
/// }
///
/// assert_eq!(EarlyPacket::defaults().threshold, Amount::Share(0.5));
/// assert_eq!(SelectiveDrop::fields(), EarlyPacket::fields());
/// assert!(understand::<SelectiveDrop>(&value!({ at_most = 0 })).is_err());
/// assert_eq!(understand(&value!("500 cells")), Ok(Level(Amount::Cells(500))));
/// assert!(understand::<Between>(&value!({ least = 20 })).is_err());
/// ```
#[macro_export]
macro_rules! parameters {
    () => {};
    (
        $(#[doc = $help:expr])*
        $(#[alias($word:literal $(, $alias_hint:literal)?)])*
        $(#[check($check:ident)])?
        $(#[presets($Presets:ident)])?
        pub struct $Record:ident {
            $(
                $(#[doc = $field_help:expr])*
                $(#[alias($field_word:literal $(, $field_hint:literal)?)])*
                $(#[as_in($Source:ty)])?
                $(#[implied($implied:expr, $condition:literal)])?
                $(#[range($low:tt, $high:tt)])?
                $(#[example($example:tt)])?
                pub $field:ident : $type:ty $(= $default:tt)?
            ),* $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[doc = $help])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Record {
            $(
                $(#[doc = $field_help])*
                $(#[doc = ::std::concat!("As in [`", ::std::stringify!($Source), "`].")])?
                pub $field: $type,
            )*
        }

        impl $crate::Parameter for $Record {
            fn shape() -> $crate::Shape {
                $crate::Shape::Record($crate::shape::Fields {
                    name: ::std::stringify!($Record),
                    module: ::std::module_path!(),
                    help: <Self as $crate::Parameter>::help(),
                    fields: <Self as $crate::ParameterTable>::fields(),
                })
            }

            fn help() -> ::std::string::String {
                $crate::shape::help(&[$($help),*])
            }

            fn aliases() -> &'static [$crate::Alias] {
                $crate::aliases!($($word $($alias_hint)?;)*)
            }

            fn read(
                written: &$crate::Written,
                at: &$crate::Path,
                problems: &mut $crate::Problems,
            ) -> ::std::option::Option<Self> {
                let names: &[&'static str] = &[$(::std::stringify!($field)),*];
                #[allow(unused_mut, unused_variables)]
                let mut reader =
                    $crate::record::RecordReader::of::<Self>(written, at, names, problems)?;
                $(reader.fill::<$Presets>();)?
                $(
                    let stated =
                        <Self as $crate::ParameterTable>::stated(::std::stringify!($field));
                    let $field = reader.read::<$type>(&stated);
                    $(let $field = reader.within_as_in::<$type, $Source>(stated.name, $field);)?
                    $(let $field = reader.within::<$type>(
                        stated.name,
                        $field,
                        || ($crate::value!($low), $crate::value!($high)),
                    );)?
                )*
                let record = $Record { $($field: $field?),* };
                $(reader.agree($Record::$check(&record))?;)?
                ::std::option::Option::Some(record)
            }

            fn write(&self) -> $crate::Value {
                #[allow(unused_mut)]
                let mut table = $crate::ValueTable::default();
                $($crate::record::write(&mut table, ::std::stringify!($field), &self.$field);)*
                table.into()
            }

            #[allow(unused_variables)]
            fn levels(
                &self,
                at: &$crate::Path,
                levels: &mut ::std::vec::Vec<($crate::Path, $crate::Amount)>,
            ) {
                $(
                    let here = at.key(::std::stringify!($field));
                    $crate::Parameter::levels(&self.$field, &here, levels);
                )*
            }
        }

        impl $crate::ParameterTable for $Record {
            fn fields() -> ::std::vec::Vec<$crate::Field> {
                ::std::vec![$({
                    let default: ::std::option::Option<$crate::Value> =
                        $crate::optional!($($crate::default_value!($default, $type))?);
                    let implied: ::std::option::Option<$crate::Value> =
                        $crate::optional!($($crate::Parameter::write(&$implied))?);
                    let condition = $crate::optional!($($condition)?);
                    let help = $crate::shape::help(&[$($field_help),*]);
                    let field = $crate::Field {
                        name: ::std::stringify!($field),
                        help: $crate::shape::with_implied(help, implied.as_ref(), condition),
                        implied,
                        required: default.is_none()
                            && <$type as $crate::Parameter>::absent().is_none(),
                        default,
                        range: $crate::optional!(
                            $(($crate::value!($low), $crate::value!($high)))?
                        ),
                        shape: <$type as $crate::Parameter>::shape(),
                        example: $crate::optional!($($crate::value!($example))?),
                        aliases: $crate::aliases!($($field_word $($field_hint)?;)*),
                    };
                    $(let field = $crate::record::as_in::<$Source>(field);)?
                    field
                }),*]
            }

            fn words() -> ::std::vec::Vec<$crate::parameter::NameAndAliases> {
                ::std::vec![$({
                    let aliases: &'static [$crate::Alias] =
                        $crate::aliases!($($field_word $($field_hint)?;)*);
                    $(let aliases = $crate::record::words_as_in::<$Source>(
                        ::std::stringify!($field),
                        aliases,
                    );)?
                    (::std::stringify!($field), aliases)
                }),*]
            }

            fn stated(name: &'static str) -> $crate::parameter::StatedField {
                $(
                    if name == ::std::stringify!($field) {
                        return $crate::parameter::StatedField {
                            name,
                            default: $crate::optional!(
                                $(|| $crate::default_value!($default, $type))?
                            ),
                            range: $crate::optional!(
                                $(|| ($crate::value!($low), $crate::value!($high)))?
                            ),
                            source: $crate::optional!(
                                $(<$Source as $crate::ParameterTable>::stated)?
                            ),
                        };
                    }
                )*
                ::std::panic!("a record without `{name}` cannot state it for another")
            }

            #[allow(unused_variables)]
            fn admits(name: &str, value: &$crate::Value) -> bool {
                $($(
                    if name == ::std::stringify!($field) {
                        return <$Source as $crate::ParameterTable>::admits(name, value);
                    }
                )?)*
                $($(
                    if name == ::std::stringify!($field) {
                        let (low, high) = ($crate::value!($low), $crate::value!($high));
                        return $crate::record::is_within::<$type>(value, &low, &high);
                    }
                )?)*
                true
            }
        }

        $crate::parameters! { $($rest)* }
    };
    (
        $(#[doc = $help:expr])*
        $(#[alias($word:literal $(, $alias_hint:literal)?)])*
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

            fn aliases() -> &'static [$crate::Alias] {
                $crate::aliases!($($word $($alias_hint)?;)*)
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

            fn levels(
                &self,
                at: &$crate::Path,
                levels: &mut ::std::vec::Vec<($crate::Path, $crate::Amount)>,
            ) {
                $crate::Parameter::levels(&self.0, at, levels);
            }
        }

        $crate::parameters! { $($rest)* }
    };
}

/// Aliases, each a word and perhaps a note.
#[doc(hidden)]
#[macro_export]
macro_rules! aliases {
    ($($word:literal $($hint:literal)?;)*) => {
        &[$($crate::Alias {
            word: $word,
            hint: ::std::concat!($($hint)?),
        }),*]
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
