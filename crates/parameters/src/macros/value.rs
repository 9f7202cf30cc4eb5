//! Plain data in Rust.

/// Plain data as in a scenario: `value!({ tahoe = {}, shares = ["50 %", "20 %"] })`.
#[macro_export]
macro_rules! value {
    ({ $($name:ident = $value:tt),* $(,)? }) => {
        $crate::Value::Table($crate::ValueTable::of::<&str>(::std::vec![
            $((::std::stringify!($name), $crate::value!($value))),*
        ]))
    };
    ([ $($value:tt),* $(,)? ]) => {
        $crate::Value::from(::std::vec![$($crate::value!($value)),*] as ::std::vec::Vec<$crate::Value>)
    };
    ($literal:literal) => {
        $crate::Value::from($literal)
    };
    ($constant:ident) => {
        $crate::Value::from($constant)
    };
}
