//! An output port at which a cell may take the place of one of low priority that waits.

use kernel::Time;

use super::chosen::At;
use crate::cell::Cell;
use crate::metrics::Dropped;
use crate::output::admission::{Admission, Waiting};
use crate::output::queue::Chosen;
use crate::unit::Outlet;

/// Whether a cell joins the one queue of a port, if need be in place of another.
pub(super) fn admits_pushing_out(
    admission: &mut Admission,
    queue: &mut Chosen,
    at: At,
    cell: &mut Cell,
    out: &mut Outlet<'_>,
) -> bool {
    let At { now, seen } = at;
    if let Some(tagged) = admission.tagged() {
        tagged.offer(cell);
    }
    if !cell.clp && admission.is_full(queue.waiting(seen)) {
        push_out(admission, queue, now, out);
    }
    let waiting = Waiting {
        at: now,
        here: queue.waiting(seen),
        elsewhere: 0,
    };
    let admitted = admission.admits(cell, 1, waiting);
    let is_whole = admitted && !admission.meter.is_damaged(cell.vc.index());
    if let Some(tagged) = admission.tagged() {
        tagged.decide(cell, is_whole);
    }
    admitted
}

/// Takes the last cell of low priority out of the queue, if any waits.
fn push_out(admission: &mut Admission, queue: &mut Chosen, now: Time, out: &mut Outlet<'_>) {
    let Some(tagged) = admission.tagged() else {
        return;
    };
    // What is due has started before anything is offered, so that all that waits may go.
    let Some(spot) = tagged.take_last() else {
        return;
    };
    let elapsed = queue.elapsed(now);
    let cell = queue.withdraw(spot);
    let harm = tagged.harm(&cell);
    let dropped = Dropped {
        vc: cell.vc.index(),
        pdu: (!cell.is_rm()).then_some(cell.pdu),
        eom: cell.eom,
    };
    admission.meter.elapsed(elapsed);
    admission.meter.push_out(now, dropped, harm);
    cell.release(out.cargo);
}
