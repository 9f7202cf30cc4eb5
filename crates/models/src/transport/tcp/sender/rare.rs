//! State that few senders have, in one place: a network may have many senders, and each is small.

use super::flow_control::FlowControl;
use super::patience::Patience;
use crate::transport::tcp::Tcp;

/// State that few senders have.
#[derive(Clone, Debug, Default)]
pub(super) struct Rare {
    /// State of flow control, if the receiver's window has changed or a write said what follows it.
    pub(super) flow_control: Option<FlowControl>,
    /// The patience of a sender that gives up, if it ever does.
    pub(super) patience: Option<Patience>,
}

impl Rare {
    /// The state of a sender before its first segment.
    pub(super) fn of(spec: &Tcp) -> Option<Box<Rare>> {
        let rare = Rare {
            patience: Patience::of(spec),
            flow_control: FlowControl::of(spec),
        };
        let is_needed = rare.patience.is_some() || rare.flow_control.is_some();
        is_needed.then(|| Box::new(rare))
    }
}
