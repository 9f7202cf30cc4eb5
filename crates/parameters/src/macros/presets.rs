//! Presets: named sets of values for several parameters of a record.

/// Named presets, for example for publications, each with the values that it sets.
///
/// A record with presets names them in `#[presets(Enum)]` and states a parameter `preset` of type
/// `Option<Enum>`. A parameter that is written beside `preset` keeps its value, and a parameter
/// that the preset does not set has its default.
///
/// ```
/// use cellrelay_parameters::{Amount, parameters, presets, understand, value};
///
/// parameters! {
///     /// Early packet discard.
///     #[presets(Published)]
///     pub struct EarlyPacket {
///         /// Parameters of a publication.
///         pub preset: Option<Published>,
///         /// Queue length from which PDUs that have not begun are refused.
///         pub threshold: Amount = "50 %",
///         /// Never refuse more PDUs than this in a row.
///         pub at_most: u32 = 1000,
///     }
/// }
///
/// presets! {
///     /// A publication.
///     pub enum Published {
///         /// The first.
///         first => First { threshold = "80 %", at_most = 10 },
///     }
/// }
///
/// let discard: EarlyPacket = understand(&value!({ preset = "first", at_most = 7 })).unwrap();
/// assert_eq!((discard.threshold, discard.at_most), (Amount::Share(0.8), 7));
/// ```
#[macro_export]
macro_rules! presets {
    (
        $(#[doc = $help:expr])*
        pub enum $Presets:ident {
            $(
                $(#[doc = $word_help:expr])*
                $word:ident => $Variant:ident { $($name:ident = $value:tt),* $(,)? }
            ),* $(,)?
        }
    ) => {
        $(#[doc = $help])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $Presets {
            $($(#[doc = $word_help])* $Variant,)*
        }

        impl $Presets {
            /// All presets, in the order in which they are listed.
            pub const ALL: &[$Presets] = &[$($Presets::$Variant),*];

            /// The word that users write.
            pub fn word(self) -> &'static str {
                match self {
                    $($Presets::$Variant => ::std::stringify!($word),)*
                }
            }
        }

        impl $crate::record::Presets for $Presets {
            fn filled(self) -> $crate::ValueTable {
                match self {
                    $($Presets::$Variant => $crate::ValueTable::of::<&str>(::std::vec![
                        $((::std::stringify!($name), $crate::value!($value))),*
                    ]),)*
                }
            }
        }

        impl $crate::Parameter for $Presets {
            fn shape() -> $crate::Shape {
                let helps = [$($crate::shape::help(&[$($word_help),*])),*];
                let words = Self::ALL.iter().zip(helps).map(|(preset, help)| {
                    (preset.word(), $crate::record::preset_help(&help, *preset))
                });
                $crate::Shape::Words($crate::shape::Words {
                    name: ::std::stringify!($Presets),
                    module: ::std::module_path!(),
                    help: <Self as $crate::Parameter>::help(),
                    words: words.collect(),
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
    };
}
