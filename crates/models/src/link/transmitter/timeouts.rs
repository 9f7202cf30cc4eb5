//! Reassembly timers: the far end of a link discards a PDU that has not ended in time.
//!
//! A receiver may limit the time in which all cells of a PDU must arrive. It then discards the rest
//! of a PDU whose last cell was lost before the next PDU comes, which would otherwise be joined to
//! it: K. Tesink, "Definitions of Managed Objects for ATM Management", RFC 2515, 1999, section 9, object
//! `aal5VccSarTimeOuts`.
//!
//! Our own technique: no event is made for a timeout. The next cell of the VC finds it, and the
//! discarded cells arrive as a train that ends no PDU, at the instant of the next end of a PDU and
//! before it, since nothing reads the cells between two ends of PDUs before the second.

use kernel::{Duration, Time};

use super::Transmitter;
use super::stretch::gather;
use crate::wire::cell::{Data, Train};
use crate::wire::unit::{Outlet, Unit};
use crate::wire::vc::Vc;

/// The reassembly timer of one VC.
#[derive(Clone, Copy, Debug)]
struct Timer {
    /// Time after its first cell in which a PDU must end; [`Duration::MAX`] without a limit.
    timeout: Duration,
    /// Arrival of the first cell of the PDU that is not complete, less the delay of the link.
    started: Time,
    /// Discarded cells that have not been sent.
    discarded: u32,
}

/// The reassembly timers of all VCs of a link.
pub(super) struct Timeouts(Box<[Timer]>);

impl Transmitter {
    /// The same transmitter, towards a node that discards a PDU which does not end in time: by VC,
    /// the time after the first cell.
    pub fn timing_out(mut self, timeouts: impl Iterator<Item = Option<Duration>>) -> Transmitter {
        let timers = timeouts.map(|timeout| Timer {
            timeout: timeout.unwrap_or(Duration::MAX),
            started: Time::ZERO,
            discarded: 0,
        });
        self.watch.get_or_insert_default().timeouts = Some(Timeouts(timers.collect()));
        self.is_watched = true;
        self
    }

    /// True if PDUs on this link must end in time.
    pub(super) fn times_out(&self) -> bool {
        self.watch
            .as_ref()
            .is_some_and(|watch| watch.timeouts.is_some())
    }

    /// Commits a train cell by cell, since the timer may expire between two of them.
    #[cold]
    pub(super) fn commit_timed(
        &mut self,
        start: Time,
        train: Train,
        cell_time: Duration,
        out: &mut Outlet<'_>,
    ) {
        for index in 0..train.cells {
            let cell = train.cell(index, train.vc);
            let end = start + train.spacing * u64::from(index) + cell_time;
            if let Some(data) = cell.part() {
                self.time_out(end, cell.vc, data, out);
            }
            let vcs = self
                .gathered
                .as_mut()
                .expect("timers are of gathered cells");
            if let Some(whole) = gather(&mut vcs[cell.vc.index()], &cell, out.cargo) {
                out.send(self.output as usize, end, Unit::Cells(whole));
            }
        }
    }

    /// Discarded cells that have not been sent.
    pub(super) fn discarded(&self) -> u64 {
        let watch = self.watch.as_ref();
        let timers = watch.and_then(|watch| watch.timeouts.as_ref());
        let all = timers.iter().flat_map(|Timeouts(timers)| timers.iter());
        all.map(|timer| u64::from(timer.discarded)).sum()
    }

    /// Discards the cells that wait for the end of their PDU, if the timer of `vc` has expired
    /// before the transmission of the next cell, with `data`, ends at `end`. Sends the discarded
    /// cells if this cell ends a PDU.
    #[cold]
    pub(super) fn time_out(&mut self, end: Time, vc: Vc, data: &Data, out: &mut Outlet<'_>) {
        let timers = self.watch.as_mut().and_then(|one| one.timeouts.as_mut());
        let (Some(Timeouts(timers)), Some(gathered)) = (timers, &mut self.gathered) else {
            return;
        };
        let (timer, reassembly) = (&mut timers[vc.index()], &mut gathered[vc.index()]);
        let waiting = reassembly.pending();
        if waiting == 0 || end.since(timer.started) >= timer.timeout {
            timer.started = end;
            timer.discarded += waiting;
            reassembly.discard();
        }
        if data.eom && timer.discarded > 0 {
            let part = Data {
                eom: false,
                ..*data
            };
            let train = Train {
                uniform: false,
                ..Train::data(vc, part, timer.discarded, Duration::ZERO)
            };
            timer.discarded = 0;
            out.send(self.output as usize, end, Unit::Cells(train));
        }
    }
}
