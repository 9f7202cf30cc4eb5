//! The credit sender: the end of a controlled link that sends cells only with credit.
//!
//! Kung, Blackwell and Chapman, "Credit-Based Flow Control for ATM Networks", SIGCOMM 1994. Our own
//! rule: the credit sender divides the pool, because it has the counts of forwarded cells and needs
//! no further messages.

use kernel::{Duration, Time};

use super::{CreditBuffer, Pool, VcCredit};
use crate::metrics::Series;

/// The credit of all virtual channels of a link, at the credit sender.
#[derive(Clone, Debug)]
pub struct CreditSender {
    vcs: Box<[VcCredit]>,
    /// The division of the pool, if the VCs share one.
    division: Option<Box<Division>>,
    /// Cells that may be sent at once, per VC, over time, if recorded.
    series: Option<Box<[Series]>>,
}

/// The credit of one VC at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreditReading {
    /// Cells that may be sent at once.
    pub left: u32,
    /// Part of the pool that is allocated to the VC, in cells; none without a pool.
    pub part: Option<u32>,
}

/// A pool that is divided among VCs in proportion to their forwarded cells.
#[derive(Clone, Debug)]
struct Division {
    pool: Pool,
    /// Cells that every VC keeps: N2.
    least: u32,
    /// Cells forwarded since the last division, per VC and in total.
    forwarded: Box<[u32]>,
    all: u32,
}

impl CreditSender {
    /// Credits of `vcs` VCs before the first cell.
    pub fn new(buffer: CreditBuffer, vcs: usize) -> CreditSender {
        let count = u32::try_from(vcs).expect("VCs have numbers").max(1);
        let each = buffer
            .pool
            .map_or(buffer.cells, |pool| (pool.cells / count).min(buffer.cells));
        CreditSender {
            vcs: vec![VcCredit::new(each); vcs].into(),
            division: buffer.pool.map(|pool| {
                Box::new(Division {
                    pool,
                    least: buffer.batch,
                    forwarded: vec![0; vcs].into(),
                    all: 0,
                })
            }),
            series: None,
        }
    }

    /// Records every `every`, from the start on, the number of cells that each VC may send at
    /// once.
    pub fn record(&mut self, every: Duration) {
        self.series = Some(vec![Series::new(every); self.vcs.len()].into());
    }

    /// Takes the samples due until `now`, if recording; the caller does this before any credit
    /// changes.
    #[inline]
    pub fn sample(&mut self, now: Time) {
        let series = self.series.iter_mut().flatten();
        for (series, credit) in series.zip(&self.vcs) {
            series.hold(now, f64::from(credit.left()));
        }
    }

    /// Returns the samples of each VC up to and including `now`, if recorded.
    pub fn take_recorded(&mut self, now: Time) -> Vec<Series> {
        self.sample(now);
        self.series.take().map(Vec::from).unwrap_or_default()
    }

    /// True if the VC may send a cell.
    #[inline]
    pub fn is_open(&self, vc: usize) -> bool {
        self.vcs[vc].is_open()
    }

    /// Uses the credit for a cell; true if the VC may send another.
    #[inline]
    pub fn spend(&mut self, vc: usize) -> bool {
        let credit = &mut self.vcs[vc];
        credit.spend();
        credit.is_open()
    }

    /// A credit arrives: `forwarded` counts the cells of the VC that the credit receiver has
    /// forwarded. Calls `opened` for each VC that could not send before and now can.
    pub fn on_credit(&mut self, vc: usize, forwarded: u32, mut opened: impl FnMut(usize)) {
        let credit = &mut self.vcs[vc];
        let was_open = credit.is_open();
        let news = credit.on_credit(forwarded);
        if !was_open && credit.is_open() {
            opened(vc);
        }
        if let Some(division) = &mut self.division {
            division.forwarded[vc] += news;
            division.all += news;
            if division.all >= division.pool.every {
                division.divide(&mut self.vcs, opened);
            }
        }
    }

    /// The credit of a VC now.
    pub fn allowance(&self, vc: usize) -> CreditReading {
        let credit = &self.vcs[vc];
        CreditReading {
            left: credit.left(),
            part: self.division.as_ref().map(|_| credit.room()),
        }
    }

    /// The count of cells sent on a VC, for a check cell; none if the credit receiver has
    /// acknowledged all of them.
    pub fn unsettled(&self, vc: usize) -> Option<u32> {
        let credit = &self.vcs[vc];
        (credit.outstanding() > 0).then_some(credit.sent())
    }
}

impl Division {
    /// Divides the pool anew, as `adaptive.rs` states. A VC whose part shrinks returns its
    /// unused cells at once; a VC whose part grows takes free cells.
    #[cold]
    fn divide(&mut self, vcs: &mut [VcCredit], mut opened: impl FnMut(usize)) {
        let floor = u64::from(self.least) * vcs.len() as u64;
        let rest = u64::from(self.pool.cells).saturating_sub(floor);
        let (least, all) = (self.least, u64::from(self.all));
        let target = |forwarded: u32| {
            let part = u128::from(rest) * u128::from(forwarded) / u128::from(all);
            least + u32::try_from(part).expect("a part of the pool")
        };
        let (mut taken, mut wanted) = (0, 0);
        for (credit, forwarded) in vcs.iter_mut().zip(&self.forwarded) {
            let target = target(*forwarded);
            credit.aim(target);
            taken += u64::from(credit.room());
            wanted += u64::from(target.saturating_sub(credit.room()));
        }
        let free = u64::from(self.pool.cells) - taken;
        for (vc, credit) in vcs.iter_mut().enumerate() {
            let more = u64::from(target(self.forwarded[vc]).saturating_sub(credit.room()));
            if more > 0 {
                let more = if wanted > free {
                    more * free / wanted
                } else {
                    more
                };
                let was_open = credit.is_open();
                credit.grow(u32::try_from(more).expect("a part of the pool"));
                if !was_open && credit.is_open() {
                    opened(vc);
                }
            }
        }
        self.forwarded.fill(0);
        self.all = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pool(cells: u32, every: u32, batch: u32) -> CreditBuffer {
        CreditBuffer {
            cells,
            batch,
            pool: Some(Pool { cells, every }),
            check: None,
        }
    }

    fn buffers(sender: &CreditSender) -> Vec<u32> {
        sender.vcs.iter().map(VcCredit::room).collect()
    }

    #[test]
    fn room_follows_forwarded_cells_and_every_vc_keeps_n2() {
        let mut sender = CreditSender::new(pool(100, 20, 5), 4);
        assert_eq!(buffers(&sender), [25; 4]);
        for _ in 0..15 {
            sender.spend(0);
        }
        for _ in 0..5 {
            sender.spend(1);
        }
        sender.on_credit(0, 15, |_| panic!("nobody was waiting"));
        sender.on_credit(1, 5, |_| panic!("nobody was waiting"));
        // Each VC keeps five cells. Of the other 80 cells of the pool, one VC gets three quarters
        // and another one quarter.
        assert_eq!(buffers(&sender), [65, 25, 5, 5]);
        let all_left = CreditReading {
            left: 65,
            part: Some(65),
        };
        assert_eq!(sender.allowance(0), all_left);
        sender.spend(0);
        assert_eq!(
            sender.allowance(0),
            CreditReading {
                left: 64,
                ..all_left
            }
        );
    }

    #[test]
    fn buffer_in_use_is_given_back_as_it_drains() {
        let mut sender = CreditSender::new(pool(60, 10, 5), 2);
        // VC 0 fills its 30 cells, and none of them is forwarded.
        while sender.spend(0) {}
        for _ in 0..10 {
            sender.spend(1);
        }
        sender.on_credit(1, 10, |_| ());
        assert_eq!(buffers(&sender), [30, 30]);
        // Five cells are forwarded and become free for the other VC; VC 0 was closed, and
        // stays closed.
        for _ in 0..10 {
            sender.spend(1);
        }
        sender.on_credit(0, 5, |_| ());
        sender.on_credit(1, 20, |_| ());
        assert_eq!(buffers(&sender), [25, 35]);
    }

    #[test]
    fn a_vc_that_waited_for_room_is_reported() {
        let mut sender = CreditSender::new(pool(40, 10, 5), 2);
        for _ in 0..20 {
            sender.spend(0);
        }
        assert!(!sender.is_open(0));
        let mut told = Vec::new();
        sender.on_credit(0, 10, |vc| told.push(vc));
        assert_eq!(told, [0]);
        assert_eq!(buffers(&sender), [35, 5]);
    }

    proptest! {
        /// In any sequence of sending and forwarding, the VCs never have more cells than the pool,
        /// and every VC can send again after its cells have been forwarded.
        #[test]
        fn the_pool_is_never_overdrawn_and_every_vc_keeps_n2(
            vcs in 1usize..8,
            batch in 1u32..6,
            extra in 0u32..50,
            every in 1u32..40,
            acts in prop::collection::vec((0usize..8, any::<bool>()), 1..400),
        ) {
            let cells = batch * vcs as u32 + extra;
            let mut sender = CreditSender::new(pool(cells, every, batch), vcs);
            let mut forwarded = vec![0u32; vcs];
            for (vc, sends) in acts {
                let vc = vc % vcs;
                if sends && sender.is_open(vc) {
                    sender.spend(vc);
                } else if sender.vcs[vc].sent() != forwarded[vc] {
                    let was_open: Vec<bool> = (0..vcs).map(|one| sender.is_open(one)).collect();
                    let mut opened = vec![false; vcs];
                    forwarded[vc] += 1;
                    sender.on_credit(vc, forwarded[vc], |one| opened[one] = true);
                    for one in 0..vcs {
                        // A VC that could send still can, and a VC that newly can is reported.
                        prop_assert_eq!(sender.is_open(one), was_open[one] || opened[one]);
                    }
                }
                let promised: u32 = buffers(&sender).iter().sum();
                prop_assert!(promised <= cells, "{} of {}", promised, cells);
                prop_assert!(buffers(&sender).iter().all(|buffer| *buffer >= batch));
            }
        }
    }
}
