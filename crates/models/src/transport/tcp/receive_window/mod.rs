//! Windows of receivers: a fixed size, or one that the receiver tunes to the rate of the flow.

mod tuning;

use std::cmp::Ordering;

use parameters::{Bytes, Parameter, Path, Problems, Shape, Value, Written};

pub use tuning::Tuning;

parameters::registry! {
    /// Window of a receiver that tunes it to the rate of the flow.
    pub enum TunedWindowSpec {
        autotuned => Autotuned,
    }
}

/// Window of a receiver.
#[derive(Clone, Debug, PartialEq)]
pub enum ReceiveWindow {
    /// It never changes, as long as the application reads at once.
    Fixed(Bytes),
    /// It grows.
    Tuned(TunedWindowSpec),
}

impl ReceiveWindow {
    /// The largest window, in octets.
    pub fn largest(&self) -> u64 {
        match self {
            ReceiveWindow::Fixed(octets) => octets.0,
            ReceiveWindow::Tuned(TunedWindowSpec::Autotuned(tuned)) => tuned.max.0,
        }
    }

    /// The window at the start, in octets, if it grows from there.
    pub fn first(&self) -> Option<u64> {
        match self {
            ReceiveWindow::Fixed(_) => None,
            ReceiveWindow::Tuned(TunedWindowSpec::Autotuned(tuned)) => Some(tuned.first.0),
        }
    }
}

/// Windows are in order by the most that they offer, which is what a range bounds, and then by what they
/// offer first: all of it, if they are fixed. Of two that agree in both, the tuned one is the greater.
impl PartialOrd for ReceiveWindow {
    fn partial_cmp(&self, other: &ReceiveWindow) -> Option<Ordering> {
        let place = |window: &ReceiveWindow| {
            let (largest, first) = (window.largest(), window.first());
            (largest, first.unwrap_or(largest), first.is_some())
        };
        Some(place(self).cmp(&place(other)))
    }
}

impl Parameter for ReceiveWindow {
    fn shape() -> Shape {
        Shape::Either(vec![Bytes::shape(), TunedWindowSpec::shape()])
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<ReceiveWindow> {
        if matches!(written.value, Value::Table(_)) {
            return TunedWindowSpec::read(written, at, problems).map(ReceiveWindow::Tuned);
        }
        Bytes::read(written, at, problems).map(ReceiveWindow::Fixed)
    }

    fn write(&self) -> Value {
        match self {
            ReceiveWindow::Fixed(octets) => octets.write(),
            ReceiveWindow::Tuned(tuned) => tuned.write(),
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;

    #[test]
    fn a_size_is_a_fixed_window_and_a_table_one_that_grows() {
        let fixed: ReceiveWindow = understand(&value!("64 KiB")).expect("a size");
        assert_eq!((fixed.largest(), fixed.first()), (65_536, None));
        let tuned: ReceiveWindow = understand(&value!({ autotuned = {} })).expect("a table");
        assert_eq!((tuned.largest(), tuned.first()), (5_400_000, Some(65_536)));
        assert_eq!(understand(&tuned.write()), Ok(tuned));
    }

    #[test]
    fn a_window_that_begins_beyond_its_largest_is_refused() {
        let small = value!({ autotuned = { max = "1 KiB" } });
        let problems = understand::<ReceiveWindow>(&small).expect_err("64 KiB do not fit");
        let said = problems.to_string();
        for part in [
            "autotuned.first: `64 KiB` exceeds `max`, which is `1 KiB`",
            "write at most `\"1 KiB\"`, or a larger `max`",
        ] {
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn windows_compare_equal_only_if_they_are_equal() {
        let tuned = |first: &str, max: &str| value!({ autotuned = { first = first, max = max } });
        let windows = [
            value!("1 KiB"),
            value!("2 KiB"),
            tuned("1 KiB", "1 KiB"),
            tuned("1 KiB", "2 KiB"),
            tuned("2 KiB", "2 KiB"),
        ];
        let windows = windows.map(|window| understand::<ReceiveWindow>(&window).expect("a window"));
        for one in &windows {
            for other in &windows {
                let order = one.partial_cmp(other).expect("an order");
                assert_eq!(order.is_eq(), one == other, "{one:?} and {other:?}");
                assert_eq!(order, other.partial_cmp(one).expect("an order").reverse());
            }
        }
    }
}
