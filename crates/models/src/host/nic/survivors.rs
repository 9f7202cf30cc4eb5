//! Commits trains to a link that loses cells, without the lost ones.

use kernel::Time;

use super::Nic;
use crate::cell::Train;
use crate::unit::Outlet;

impl Nic {
    /// Commits the cells of a train that the link does not lose, as trains without gaps; returns
    /// their number.
    ///
    /// A cell lost at transmission leaves a gap; a cell lost before the queue leaves none.
    #[inline(never)]
    pub(super) fn commit_survivors(
        &mut self,
        now: Time,
        start: Time,
        train: &Train,
        out: &mut Outlet<'_>,
    ) -> u32 {
        let none = Train {
            cells: 0,
            eom: false,
            ..*train
        };
        let (mut survivors, mut places) = (0, 0);
        let (mut run, mut run_start) = (none, start);
        for index in 0..train.cells {
            let end = self.losses.first_mut().and_then(Option::as_mut);
            let end = end.expect("the link loses");
            let at = start + train.spacing * places;
            let cell = train.cell(index, train.vc);
            let lost = end.loses_cell(if end.when_sent { at } else { now }, &cell);
            let takes_time = !lost || end.when_sent;
            places += u64::from(takes_time);
            if lost {
                cell.release(out.cargo);
            } else {
                if run.cells == 0 {
                    run_start = at;
                }
                run.cells += 1;
                run.eom = cell.eom;
                survivors += 1;
            }
            let has_ended = index + 1 == train.cells || lost && takes_time;
            if has_ended && run.cells > 0 {
                self.commit_all(now, run_start, run, out);
                run = none;
            }
        }
        if places > 0 {
            self.free_at = start + train.spacing * (places - 1) + self.cell_time;
        }
        survivors
    }
}
