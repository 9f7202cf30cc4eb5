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
            ReceiveWindow::Tuned(TunedWindowSpec::Autotuned(tuned)) => {
                Some(tuned.first.0.min(tuned.max.0))
            }
        }
    }
}

/// Windows are in order by the most that they offer, which is what a range bounds.
impl PartialOrd for ReceiveWindow {
    fn partial_cmp(&self, other: &ReceiveWindow) -> Option<Ordering> {
        Some(self.largest().cmp(&other.largest()))
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
        let small = value!({ autotuned = { max = "1 KiB" } });
        let small: ReceiveWindow = understand(&small).expect("a table");
        assert_eq!((small.largest(), small.first()), (1024, Some(1024)));
    }
}
