//! Values of parameters.

use kernel::Duration;

/// A value of a [`Builder`](crate::Builder): plain data, as in TOML.
///
/// A quantity is a text with its unit, such as `"10 Mbit/s"`. The macro [`value!`](crate::value)
/// writes tables and lists.
#[derive(Clone, Debug, PartialEq)]
pub struct Value(pub(crate) parameters::Value);

impl Value {
    /// A table; the last of equal names counts.
    pub fn table<'a>(entries: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        let entries = entries.into_iter().map(|(name, value)| (name, value.0));
        Value(parameters::ValueTable::of(entries).into())
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Value {
        let items: Vec<parameters::Value> = items.into_iter().map(|item| item.0).collect();
        Value(items.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value(text.into())
    }
}

impl From<bool> for Value {
    fn from(boolean: bool) -> Value {
        Value(boolean.into())
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value(i64::from(number).into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value(i64::from(number).into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value(number.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value(number.into())
    }
}

impl From<Duration> for Value {
    fn from(duration: Duration) -> Value {
        Value(duration.to_string().into())
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Value {
        Value::list(items.into_iter().map(Into::into))
    }
}

/// A [`Value`], as TOML writes it on one line; an expression that is no plain name stands in
/// parentheses.
///
/// ```
/// use cellrelay::{Value, value};
///
/// let rate = "10 Mbit/s";
/// let link = value!({ between = ["a", "b"], rate = rate, delay = (format!("{} ms", 2 + 3)) });
/// assert_eq!(
///     link,
///     Value::table([
///         ("between", vec!["a", "b"].into()),
///         ("rate", "10 Mbit/s".into()),
///         ("delay", "5 ms".into()),
///     ])
/// );
/// ```
#[macro_export]
macro_rules! value {
    ({ $($name:ident = $value:tt),* $(,)? }) => {
        $crate::Value::table([$((::std::stringify!($name), $crate::value!($value))),*])
    };
    ([ $($value:tt),* $(,)? ]) => {
        $crate::Value::list([$($crate::value!($value)),*])
    };
    (($value:expr)) => {
        $crate::Value::from($value)
    };
    ($value:expr) => {
        $crate::Value::from($value)
    };
}
