//! Choices: one of several words.

/// Plain words, each with its meaning: `order = "random"`.
///
/// ```
/// use cellrelay_parameters::{choices, understand, value};
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
            /// All choices, in the order in which they are listed.
            pub const ALL: &[$Choice] = &[$($Choice::$Variant),*];

            /// The word that users write.
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
                    module: ::std::module_path!(),
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
