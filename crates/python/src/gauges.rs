//! The gauges of a watched run, and the buffers that they show, as Python sees them.

use scenario::lower::Plan;
use scenario::watch;

use crate::scope::{self, ScopeParts};

/// Scope, hop, number of the flow, quantity and unit of a gauge.
pub type GaugeParts = (
    ScopeParts,
    Option<u32>,
    Option<u32>,
    &'static str,
    &'static str,
);

/// A buffer: number of its output, unit, capacity, true if outputs share it, and queue lengths at which
/// policies begin to act.
pub type BufferParts = (
    u32,
    &'static str,
    f64,
    bool,
    Vec<(&'static str, String, f64)>,
);

/// The gauges, in the order of their values.
pub fn parts(plan: &Plan) -> Vec<GaugeParts> {
    let gauges = watch::gauges(plan).into_iter();
    gauges
        .map(|gauge| {
            let quantity = gauge.quantity;
            (
                scope::parts(&gauge.scope),
                gauge.hop,
                gauge.flow,
                quantity.name,
                quantity.unit,
            )
        })
        .collect()
}

/// The buffers of the outputs with a single buffer.
pub fn buffers(plan: &Plan) -> Vec<BufferParts> {
    let found = watch::buffer_levels(plan).into_iter();
    found
        .map(|buffer| {
            let levels = buffer.levels.into_iter();
            let levels = levels.map(|level| (level.policy, level.parameter, level.length));
            let levels = levels.collect();
            (
                buffer.hop,
                buffer.unit,
                buffer.capacity,
                buffer.shared,
                levels,
            )
        })
        .collect()
}
