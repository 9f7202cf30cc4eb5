//! State that few senders have, in one place: a network may have many senders, and each is small.

use super::flow_control::FlowControl;
use super::mark_response::MarkResponse;
use super::patience::Patience;
use crate::transport::tcp::Tcp;

/// State that few senders have, if this one has any.
pub(super) struct Rare(Option<Box<Parts>>);

#[derive(Default)]
struct Parts {
    flow_control: Option<FlowControl>,
    patience: Option<Patience>,
    marks: Option<MarkResponse>,
}

impl Rare {
    /// The state of a sender before its first segment.
    pub(super) fn of(spec: &Tcp) -> Rare {
        let parts = Parts {
            flow_control: FlowControl::of(spec),
            patience: Patience::of(spec),
            marks: MarkResponse::of(spec),
        };
        let is_needed =
            parts.flow_control.is_some() || parts.patience.is_some() || parts.marks.is_some();
        Rare(is_needed.then(|| Box::new(parts)))
    }

    /// State of flow control, if the receiver's window has changed or a write said what follows it.
    #[inline]
    pub(super) fn flow_control(&self) -> Option<&FlowControl> {
        self.0.as_ref()?.flow_control.as_ref()
    }

    /// State of flow control, from now on; the receiver offers `window` octets.
    pub(super) fn control_flow(&mut self, window: u64) -> &mut FlowControl {
        let parts = self.0.get_or_insert_default();
        let flow = &mut parts.flow_control;
        flow.get_or_insert_with(|| FlowControl::new(window))
    }

    /// The patience of a sender that gives up, if it ever does.
    #[inline]
    pub(super) fn patience(&mut self) -> Option<&mut Patience> {
        self.0.as_mut()?.patience.as_mut()
    }

    /// The response to marks, if the receiver echoes any.
    #[inline]
    pub(super) fn marks(&self) -> Option<&MarkResponse> {
        self.0.as_ref()?.marks.as_ref()
    }

    /// The response to marks, to be changed.
    #[inline]
    pub(super) fn marks_mut(&mut self) -> Option<&mut MarkResponse> {
        self.0.as_mut()?.marks.as_mut()
    }
}
