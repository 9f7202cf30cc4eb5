//! The reading of the counts at an output port.

use kernel::Time;

use super::{Before, PortMeter, VcCount};
use crate::metrics::backlog::Backlog;
use crate::metrics::capacity::PortReading;
use crate::metrics::cause::Cause;
use crate::metrics::cause_counts::CauseCounts;
use crate::metrics::total::Total;

impl PortMeter {
    /// Units of a VC dropped since counting began, by cause.
    pub fn causes(&self, vc: usize) -> impl Iterator<Item = (Cause, u64)> {
        let VcCount { dropped, cause, .. } = self.vcs[vc];
        let rare = self.rare.as_ref();
        let counts = rare.map_or(CauseCounts::NONE, |rare| &rare.causes);
        counts.of(vc, dropped, cause)
    }

    /// Units dropped since the start of the run.
    pub fn dropped_ever(&self) -> Total {
        let before = self.before().dropped;
        Total {
            units: before.units + self.dropped,
            packets: before.packets + u64::from(self.packets_dropped),
        }
    }

    /// Units offered since the start of the run.
    pub fn offered_ever(&self) -> u64 {
        self.accepted_ever().units + self.dropped_ever().units
    }

    /// Asserts that the drops since counting began add up over VCs, and those of each VC over
    /// causes.
    pub fn assert_drops_add_up(&self) {
        let by_vc: u64 = self.vcs.iter().map(|vc| vc.dropped).sum();
        assert_eq!(by_vc, self.dropped, "drops by VC add up to all drops");
        for (vc, count) in self.vcs.iter().enumerate() {
            let by_cause: u64 = self.causes(vc).map(|(_, drops)| drops).sum();
            assert_eq!(by_cause, count.dropped, "drops by cause add up on VC {vc}");
        }
    }

    /// RM cells dropped since the start of the run.
    pub fn rm_dropped_ever(&self) -> u64 {
        self.before().rm_dropped + self.rm_dropped().sum::<u64>()
    }

    /// RM cells dropped on each VC since counting began.
    pub fn rm_dropped(&self) -> impl Iterator<Item = u64> + '_ {
        self.vcs.iter().map(|vc| u64::from(vc.rm_dropped))
    }

    /// Units accepted since the start of the run.
    pub fn accepted_ever(&self) -> Total {
        let before = self.before().accepted;
        Total {
            units: before.units + self.offered - self.dropped,
            packets: before.packets + self.packets - u64::from(self.packets_dropped),
        }
    }

    /// The counts until `now`. `after` is the backlog of the port at `now`: the waiting units, and
    /// the transmission in progress.
    pub fn read(&self, now: Time, after: Backlog) -> PortReading {
        let Before { at, backlog, .. } = self.before();
        let waited = (self.waited.0 + backlog.rest).saturating_sub(after.rest);
        PortReading {
            span: now.since(at),
            offered: self.offered,
            dropped: self.dropped,
            packets: self.packets,
            packets_damaged: self.packets_damaged.into(),
            // Units that were accepted before counting began may be dropped since.
            begun: self.offered + backlog.waiting - self.dropped - after.waiting,
            serving_before: backlog.serving,
            serving_after: after.serving,
            // Little's law (Little, "A Proof for the Queuing Formula L = λW", Operations Research
            // 9(3), 1961): the time average of the queue is the sum of the waiting times divided by
            // the measured time.
            mean_queue: waited as f64 / now.since(at).ps().max(1) as f64,
            max_queue: self.max_queue,
            rare: self
                .rare
                .as_ref()
                .map(|rare| rare.counts)
                .unwrap_or_default(),
            dropped_by_vc: self.vcs.iter().map(|vc| vc.dropped).collect(),
            allocation: None,
            crossing: None,
            retried: None,
            capacity: None,
        }
    }
}
