//! Readings of all gauges at the pauses of a run that its caller advances. Our own rule: a reading
//! changes no result and removes nothing from recorded series.

use std::ops::Deref;

use super::drops::{DropLog, count_beside};
use super::gauges::View;
use crate::lower::Plan;
use crate::run::SteppedRun;

/// Reads the gauges of a run.
#[derive(Clone, Debug)]
pub struct Observer {
    dropped: DropLog,
}

impl Observer {
    /// The observer of a run that has not begun.
    pub fn new<P: Deref<Target = Plan>>(steps: &mut SteppedRun<P>) -> Observer {
        let (plan, network) = steps.parts();
        count_beside(plan, network);
        Observer {
            dropped: DropLog::new(plan),
        }
    }

    /// Values of all gauges at the pause, in the order of [`super::gauges`].
    pub fn read<P: Deref<Target = Plan>>(&mut self, steps: &mut SteppedRun<P>) -> Vec<f64> {
        let now = steps.now();
        let (plan, network) = steps.parts();
        self.dropped.tally(plan, network);
        let mut row = Vec::new();
        let mut view = View {
            plan,
            network,
            now,
            dropped: &self.dropped,
        };
        view.read(&mut row);
        row
    }
}
