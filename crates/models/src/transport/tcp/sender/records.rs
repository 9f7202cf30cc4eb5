//! Records of segments that some congestion controls need, and the detection of spurious losses.
//! They share one allocation, because most senders need none.

use kernel::Time;

use super::TcpSender;
use super::paced::Paced;
use super::samples::SendTimes;
use super::undo::Undo;
use crate::transport::tcp::Tcp;
use crate::transport::tcp::congestion::CongestionControl;

/// Records of the segments of a sender; at least one of them is kept.
pub(super) struct Records {
    /// Send times of segments, if the congestion control needs samples of the round-trip time.
    pub samples: Option<SendTimes>,
    /// Pacing and records of delivery, if it needs samples of the delivery rate.
    pub paced: Option<Paced>,
    /// Detection of spurious losses, if there is any.
    pub undo: Option<Undo>,
}

impl Records {
    /// The records that a sender with this congestion control needs; none if it needs none.
    pub fn of(spec: &Tcp, control: &dyn CongestionControl) -> Option<Box<Records>> {
        let records = Records {
            samples: control.wants_samples().then(SendTimes::default),
            paced: Paced::of(spec, control),
            undo: Undo::of(spec),
        };
        (!records.is_empty()).then(|| Box::new(records))
    }

    fn is_empty(&self) -> bool {
        self.samples.is_none() && self.paced.is_none() && self.undo.is_none()
    }
}

impl TcpSender {
    /// Send times of segments, if the congestion control needs samples.
    #[inline]
    pub(super) fn samples(&mut self) -> Option<&mut SendTimes> {
        self.records.as_mut()?.samples.as_mut()
    }

    /// Records that `[start, end)` is sent, before it counts as sent.
    #[cold]
    pub(super) fn note_sent(&mut self, now: Time, start: u64, end: u64) {
        if self.is_paced() {
            self.note_paced(now, start, end);
        }
        if end <= self.data.max {
            self.note_resent(now, start, end);
        } else if let Some(samples) = self.samples() {
            samples.sent(now, end);
        }
    }

    /// The congestion control needs no more samples of the round-trip time.
    #[cold]
    pub(super) fn forget_samples(&mut self) {
        if let Some(records) = &mut self.records {
            records.samples = None;
            if records.is_empty() {
                self.records = None;
            }
        }
    }
}
