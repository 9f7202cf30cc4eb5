//! Records of segments that some congestion controls need, and the detection of spurious losses.
//! They share one allocation, because most senders need none.

use super::paced::PacedSegments;
use super::samples::SendTimes;
use super::undo::Undo;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::congestion::CongestionControl;

/// Records of the segments of a sender, if it needs any.
pub(super) struct Records(Option<Box<Kept>>);

/// At least one of these is kept.
struct Kept {
    samples: Option<SendTimes>,
    paced: Option<PacedSegments>,
    undo: Option<Undo>,
}

impl Kept {
    fn is_empty(&self) -> bool {
        self.samples.is_none() && self.paced.is_none() && self.undo.is_none()
    }
}

impl Records {
    /// The records that a sender with this congestion control needs.
    pub(super) fn of(spec: &Tcp, control: &dyn CongestionControl) -> Records {
        let kept = Kept {
            samples: control.wants_samples().then(SendTimes::default),
            paced: PacedSegments::of(spec, control),
            undo: Undo::of(spec),
        };
        Records((!kept.is_empty()).then(|| Box::new(kept)))
    }

    /// True if any are kept.
    #[inline]
    pub(super) fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Send times of segments, if the congestion control needs samples of the round-trip time.
    #[inline]
    pub(super) fn samples(&mut self) -> Option<&mut SendTimes> {
        self.0.as_mut()?.samples.as_mut()
    }

    /// The congestion control needs no more samples of the round-trip time.
    #[cold]
    pub(super) fn forget_samples(&mut self) {
        if let Some(kept) = &mut self.0 {
            kept.samples = None;
            if kept.is_empty() {
                self.0 = None;
            }
        }
    }

    /// Pacing and records of delivery, if there are any.
    #[inline]
    pub(super) fn paced(&mut self) -> Option<&mut PacedSegments> {
        self.0.as_mut()?.paced.as_mut()
    }

    /// Pacing and records of delivery, as they are.
    #[inline]
    pub(super) fn pacing(&self) -> Option<&PacedSegments> {
        self.0.as_ref()?.paced.as_ref()
    }

    /// Detection of spurious losses, if there is any.
    #[inline]
    pub(super) fn undo(&mut self) -> Option<&mut Undo> {
        self.0.as_mut()?.undo.as_mut()
    }
}
