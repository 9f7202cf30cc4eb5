//! Records of segments that some congestion controls need. They share one allocation, because most
//! senders need none.

use super::TcpSender;
use super::paced::Paced;
use super::samples::Samples;
use crate::transport::tcp::congestion::CongestionControl;

/// Records of the segments of a sender; at least one of them is kept.
pub(super) struct Records {
    /// Send times of segments, if the congestion control needs samples of the round-trip time.
    pub samples: Option<Samples>,
    /// Pacing and records of delivery, if it needs samples of the delivery rate.
    pub paced: Option<Paced>,
}

impl Records {
    /// The records that a congestion control needs; none if it needs none.
    pub fn of(control: &dyn CongestionControl) -> Option<Box<Records>> {
        let records = Records {
            samples: control.wants_samples().then(Samples::default),
            paced: control.wants_delivery().then(Paced::default),
        };
        let is_empty = records.samples.is_none() && records.paced.is_none();
        (!is_empty).then(|| Box::new(records))
    }
}

impl TcpSender {
    /// Send times of segments, if the congestion control needs samples.
    #[inline]
    pub(super) fn samples(&mut self) -> Option<&mut Samples> {
        self.records.as_mut()?.samples.as_mut()
    }

    /// The congestion control needs no more samples of the round-trip time.
    #[cold]
    pub(super) fn forget_samples(&mut self) {
        if let Some(records) = &mut self.records {
            records.samples = None;
            if records.paced.is_none() {
                self.records = None;
            }
        }
    }
}
