//! Families: a table chooses one of several components.

/// A family of components, one file a member.
///
/// Each line `early_packet => EarlyPacket` declares the module `early_packet` beside the caller and
/// the variant `EarlyPacket`, which holds the parameters `early_packet::EarlyPacket`. A scenario
/// chooses a member by a table with its name: `discard.early_packet = { threshold = "50 %" }`.
/// `builds Product, for Context` gives the family a method `build`, which calls the member's
/// `build`; `default member` implements `Default`: that member with its default parameters. With
/// `answers dyn Trait` the family has the methods of the trait; every member implements the trait
/// in its own file, and a member without an implementation does not compile. `open to Variant` adds
/// a variant for members that other programs register: see [`OpenFamily`](crate::outside::OpenFamily).
#[macro_export]
macro_rules! registry {
    (
        $(#[doc = $help:expr])*
        pub enum $Family:ident $(builds $product:ty, for $context:ty)? $(, answers $answers:ty)? {
            $($kind:ident => $Member:ident),* $(,)?
        } $(default $default:ident)? $(open to $Outside:ident)?
    ) => {
        $(pub mod $kind;)*

        $crate::family! {
            $(#[doc = $help])*
            pub enum $Family $(builds $product, for $context)? $(, answers $answers)? {
                $($kind => $Member($kind::$Member)),*
            } $(default $default)? $(open to $Outside)?
        }
    };
}

/// Declares a family whose members are types in scope rather than files of their own.
///
/// ```
/// use cellrelay_parameters::{BufferSize, Parameter, family, parameters, understand, value};
///
/// parameters! {
///     /// Each output has a buffer of its own.
///     pub struct PerOutput(pub BufferSize);
///     /// All outputs share one buffer.
///     pub struct Shared(pub BufferSize);
/// }
///
/// family! {
///     /// Division of buffer memory among outputs.
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
        pub enum $Family:ident $(builds $product:ty, for $context:ty)? $(, answers $answers:ty)? {
            $($kind:ident => $Variant:ident($($Member:tt)*)),* $(,)?
        } $(default $default:ident)? $(open to $Outside:ident)?
    ) => {
        $(#[doc = $help])*
        #[derive(Clone, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        pub enum $Family {
            $(
                #[doc = ::std::concat!("`", ::std::stringify!($kind), "`")]
                $Variant($($Member)*),
            )*
            $(
                /// A member from outside the tree.
                $Outside($crate::outside::Outside<$Family>),
            )?
        }

        impl $Family {
            /// The names of the kinds in the tree.
            pub fn kinds() -> &'static [&'static str] {
                &[$(::std::stringify!($kind)),*]
            }

            /// The name of the chosen kind.
            pub fn kind(&self) -> &'static str {
                match self {
                    $($Family::$Variant(_) => ::std::stringify!($kind),)*
                    $($Family::$Outside(member) => member.0.kind(),)?
                }
            }

            $crate::build! { $Family [$($product, $context)?] [$($Variant)*] [$($Outside)?] }
        }

        $crate::answers! { $Family [$($answers)?] [$($Variant)*] [$($Outside)?] }
        $crate::open! { $Family [$($product, $context)?] [$($answers)?] [$($Outside)?] }

        impl $crate::Parameter for $Family {
            fn shape() -> $crate::Shape {
                #[allow(unused_mut)]
                let mut kinds = ::std::vec![$($crate::shape::MemberShape {
                    name: ::std::stringify!($kind),
                    help: <$($Member)* as $crate::Parameter>::help(),
                    shape: <$($Member)* as $crate::Parameter>::shape(),
                    aliases: <$($Member)* as $crate::Parameter>::aliases(),
                }),*];
                $(kinds.extend($crate::outsiders!($Family $Outside).shapes());)?
                $crate::Shape::Family($crate::shape::FamilyShape {
                    name: ::std::stringify!($Family),
                    module: ::std::module_path!(),
                    help: <Self as $crate::Parameter>::help(),
                    kinds,
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
                #[allow(unused_mut, unused_assignments)]
                let mut kinds = ::std::borrow::Cow::Borrowed(Self::kinds());
                $(kinds = $crate::outsiders!($Family $Outside).names().into();)?
                let family = $crate::parameter::ReadFunctions::of::<Self>();
                let chosen = $crate::family::choose(family, written, at, &kinds, problems)?;
                let (written, at) = (chosen.written, &chosen.at);
                match kinds[chosen.kind] {
                    $(::std::stringify!($kind) => {
                        $crate::Parameter::read(written, at, problems).map($Family::$Variant)
                    })*
                    #[allow(unreachable_patterns)]
                    $(name => {
                        let outsiders = $crate::outsiders!($Family $Outside);
                        let read = outsiders.read(name, written, at, problems);
                        read.map($Family::$Outside)
                    })?
                    #[allow(unreachable_patterns)]
                    _ => ::std::unreachable!("only a known kind is chosen"),
                }
            }

            fn write(&self) -> $crate::Value {
                let value = match self {
                    $($Family::$Variant(member) => $crate::Parameter::write(member),)*
                    $($Family::$Outside(member) => member.0.write(),)?
                };
                $crate::ValueTable::of([(self.kind(), value)]).into()
            }

            fn levels(
                &self,
                at: &$crate::Path,
                levels: &mut ::std::vec::Vec<($crate::Path, $crate::Amount)>,
            ) {
                let at = at.key(self.kind());
                match self {
                    $($Family::$Variant(member) => $crate::Parameter::levels(member, &at, levels),)*
                    $($Family::$Outside(member) => member.0.levels(&at, levels),)?
                }
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

/// Adds to a family the method `build`, which builds the component of the chosen member.
#[doc(hidden)]
#[macro_export]
macro_rules! build {
    ($Family:ident [] [$($Variant:ident)*] []) => {};
    ($Family:ident [$product:ty, $context:ty] [$($Variant:ident)*] [$($Outside:ident)?]) => {
        /// Builds the chosen component.
        pub fn build(&self, context: &$context) -> $product {
            match self {
                $($Family::$Variant(member) => member.build(context),)*
                $($Family::$Outside(member) => member.0.build(context),)?
            }
        }
    };
}

/// Gives a family the methods of a trait that each of its members implements.
#[doc(hidden)]
#[macro_export]
macro_rules! answers {
    ($Family:ident [] [$($Variant:ident)*] [$($Outside:ident)?]) => {};
    ($Family:ident [$answers:ty] [$($Variant:ident)*] [$($Outside:ident)?]) => {
        impl ::std::ops::Deref for $Family {
            type Target = $answers;

            fn deref(&self) -> &Self::Target {
                match self {
                    $($Family::$Variant(member) => member,)*
                    $($Family::$Outside(member) => member.0.answers(),)?
                }
            }
        }
    };
}

/// Opens a family to members from outside: see [`OpenFamily`](crate::outside::OpenFamily).
#[doc(hidden)]
#[macro_export]
macro_rules! open {
    ($Family:ident [$($built:ty),*] [$($answers:ty)?] []) => {};
    ($Family:ident [$product:ty, $context:ty] [] [$Outside:ident]) => {
        $crate::open! { $Family [$product, $context] [()] [$Outside] }
    };
    ($Family:ident [$product:ty, $context:ty] [$answers:ty] [$Outside:ident]) => {
        impl $crate::outside::OpenFamily for $Family {
            type Context = $context;
            type Product = $product;
            type Answers = $answers;

            fn own_kinds() -> &'static [&'static str] {
                $Family::kinds()
            }

            fn outsiders() -> &'static $crate::outside::Outsiders<Self> {
                static OUTSIDERS: $crate::outside::Outsiders<$Family> =
                    $crate::outside::Outsiders::new();
                &OUTSIDERS
            }
        }
    };
}

/// The registry of members that other programs add to an open family.
#[doc(hidden)]
#[macro_export]
macro_rules! outsiders {
    ($Family:ident $Outside:ident) => {
        <$Family as $crate::outside::OpenFamily>::outsiders()
    };
}
