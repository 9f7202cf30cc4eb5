//! What waits at an output of a switch.

mod in_order;
mod per_vc;

pub use in_order::InOrder;
pub use per_vc::PerVc;
