//! What waits at an output of a switch.

mod chosen;
mod in_order;
mod lists;

pub use chosen::Chosen;
pub use in_order::InOrder;
pub use lists::{Lists, Spot, Taken};
