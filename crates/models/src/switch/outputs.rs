//! The outputs of a switch: ports, the memory that they may share, the policers before them, and the
//! credits of their links.
//!
//! This file may be written for speed.

mod credited;

use kernel::{Duration, Time};

use super::CellOutput;
use super::credits::Credits;
use crate::metrics::Cause;
use crate::output::Offered;
use crate::output::service_times::ServiceTimes;
use crate::police::{self, Policers};
use crate::ties::Chance;
use crate::wire::cell::Cell;
use crate::wire::unit::Outlet;

/// The longest spacing at which the cells of a train are deferred, in cell times of the output.
const LONGEST_SPACING: u64 = 4;

/// What a switch does at one instant, in the order in which it does it, which is our own
/// (`docs/concepts/kernel-and-ties.md` tells it to users). [`ServiceTimes`] takes the lowest due
/// entry first, so the entries of the first three have this order too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Act {
    /// Ports choose their next cell, the port with the lowest number first.
    Depart,
    /// The timer of check cells expires.
    Check,
    /// Units that arrived at random ties are taken; the draw for the instant may put this act, and
    /// the next, before departures.
    TakeTied,
    /// The fabric moves cells to the outputs.
    Move,
    /// Units that arrive now are taken, in the order of the inputs; they may move at once.
    Receive,
}

impl Act {
    /// The first entry of the act among the service times of a switch with so many ports that act.
    const fn entry(self, ports: usize) -> usize {
        match self {
            Act::Depart => 0,
            later => ports + later as usize - 1,
        }
    }
}

/// The outputs of a switch.
pub struct Outputs {
    /// Ports by output.
    pub ports: Box<[CellOutput]>,
    /// Credits and check cells, if any link is controlled.
    pub credits: Option<Box<Credits>>,
    /// The policers at the inputs; none if no flow is policed.
    pub(super) policers: Option<Policers>,
    /// True if a cell that comes to an output is offered to it as it came, and without regard to other
    /// outputs: no flow is policed, no cell is lost before it is queued, no memory is shared, and ties
    /// are not random.
    independent: bool,
    /// True if the buffers of the ports are one memory.
    shared: bool,
    /// True if a link loses cells before they are queued.
    loses_offered: bool,
    /// Time at which each port next starts a cell on its own.
    services: ServiceTimes,
    /// Random draw that decides ties; none if ties are not random.
    chance: Option<Chance>,
    /// Index of the tied units in `services`, if ties are random.
    tied_index: usize,
    /// Present if stretches are possible, because the outputs are independent and every scheduler is
    /// `fifo`.
    plain: Option<Plain>,
}

/// The stretches that the outputs take.
#[derive(Clone, Copy, Debug)]
struct Plain {
    /// True if any output towards a host takes the cells of a stretch in one step.
    takes_stretches: bool,
    /// True if any output towards a switch commits the cells of a stretch as trains.
    sends_interleaved: bool,
}

impl Outputs {
    /// Outputs at the start; `shared` is true if the buffers of the ports are one memory.
    pub fn new(mut ports: Vec<CellOutput>, policers: Option<Policers>, shared: bool) -> Outputs {
        let loses_offered = ports.iter().any(|port| port.transmitter.loses_offered());
        let independent = !shared && !loses_offered && policers.is_none();
        let is_plain = independent && !ports.iter().any(CellOutput::acts);
        let acting = if is_plain { 0 } else { ports.len() };
        if !is_plain {
            ports.iter_mut().for_each(CellOutput::offer_cells_singly);
        }
        Outputs {
            plain: is_plain.then(|| Plain {
                takes_stretches: ports.iter().any(CellOutput::takes_stretches),
                sends_interleaved: false,
            }),
            ports: ports.into(),
            credits: None,
            policers,
            independent,
            shared,
            loses_offered,
            services: ServiceTimes::new(Act::Move.entry(acting)),
            chance: None,
            tied_index: Act::TakeTied.entry(acting),
        }
    }

    /// Declares that ties are random from the start on.
    pub fn leave_ties_to(&mut self, chance: Chance) {
        self.chance = Some(chance);
        self.independent = false;
        if self.plain.is_some() {
            self.offer_cells_singly();
            self.plain = None;
            // The first numbers belong to the ports, even if the ports never act.
            self.tied_index = Act::TakeTied.entry(self.ports.len());
            self.services = ServiceTimes::new(Act::Move.entry(self.ports.len()));
        }
    }

    /// Sets the instant at which the switch takes the tied units.
    pub fn take_at(&mut self, due: Time) {
        self.services.set(self.tied_index, due);
    }

    /// True if a port, a check cell or tied units are due before the fabric acts at `now`.
    #[inline]
    pub fn act_before(&self, now: Time) -> bool {
        now >= self.next_service() && (self.chance.is_none() || self.is_late(now))
    }

    /// The slow part of [`Outputs::act_before`], at or after the next service, if ties are random.
    #[inline(never)]
    fn is_late(&self, now: Time) -> bool {
        now > self.next_service() || !self.takes_tied(now)
    }

    /// True if tied units, and the cells that the fabric moves at `now`, are handled before the
    /// departures of the ports.
    pub fn takes_tied(&self, now: Time) -> bool {
        self.arrivals_first(now) || self.services.due(now) == Some(self.tied_index)
    }

    /// True if, at `now`, random ties put arrivals before departures.
    #[inline]
    pub fn arrivals_first(&self, now: Time) -> bool {
        self.chance.is_some_and(|chance| chance.arrivals_first(now))
    }

    /// Declares that credits control links from the start on.
    pub fn set_credits(&mut self, credits: Credits) {
        self.services
            .set(Act::Check.entry(self.ports.len()), credits.next_check());
        self.credits = Some(Box::new(credits));
        self.offer_cells_singly();
    }

    /// True if an output may take the cells of a stretch in one step, and commit them as trains.
    #[inline]
    pub fn sends_interleaved(&self, output: usize) -> bool {
        self.any_sends_interleaved() && self.ports[output].sends_interleaved()
    }

    /// True if any output commits the cells of a stretch as trains.
    #[inline]
    pub fn any_sends_interleaved(&self) -> bool {
        self.plain.is_some_and(|plain| plain.sends_interleaved)
    }

    /// Lets an output commit the cells of stretches as interleaved trains, since its link leads to a
    /// switch that takes them.
    pub fn send_interleaved(&mut self, output: usize) {
        let port = &mut self.ports[output];
        port.transmitter.sends_interleaved = true;
        if let Some(plain) = &mut self.plain {
            plain.sends_interleaved |= port.sends_interleaved();
        }
    }

    /// True if interleaved trains may arrive at this switch.
    pub fn takes_interleaved(&self) -> bool {
        self.plain.is_some() && !self.has_credits()
    }

    /// True if the fabric may defer the cells of a train with this spacing. A slow train brings
    /// fewer cells than there are events at which the fabric searches that train for cells to move.
    #[inline]
    pub fn defers_cells(&self, output: usize, spacing: Duration) -> bool {
        self.takes_stretches(output) && spacing <= self.ports[output].unit_time() * LONGEST_SPACING
    }

    /// From now on, takes no stretches, which gives the same results with more work.
    pub fn offer_cells_singly(&mut self) {
        if let Some(plain) = &mut self.plain {
            (plain.takes_stretches, plain.sends_interleaved) = (false, false);
        }
        self.ports
            .iter_mut()
            .for_each(CellOutput::offer_cells_singly);
    }

    /// Time at which a port next starts a cell on its own; [`Time::NEVER`] if all cells are
    /// committed.
    #[inline]
    pub fn next_service(&self) -> Time {
        self.services.next()
    }

    /// True if credits control any link of the switch.
    #[inline]
    pub fn has_credits(&self) -> bool {
        self.credits.is_some()
    }

    #[inline]
    fn reschedule(&mut self, output: usize) {
        let service = self.ports[output].next_service();
        self.services.set(output, service);
    }

    /// Offers a cell that came at `arrival` to an output port, unless a policer drops the cell or
    /// the link beyond loses it.
    #[inline]
    pub fn offer(
        &mut self,
        now: Time,
        arrival: Time,
        output: usize,
        mut cell: Cell,
        out: &mut Outlet<'_>,
    ) {
        if self.plain.is_some() {
            self.ports[output].offer_fifo(now, now, &mut cell, 0, out);
        } else {
            self.offer_to_port(now, arrival, output, &mut cell, out);
        }
    }

    /// Cells that wait at an output at `now`, without those that start then.
    pub fn waiting(&mut self, now: Time, output: usize) -> u64 {
        self.ports[output].waiting(now)
    }

    /// True if an output may take the cells of a stretch in one step.
    #[inline]
    pub fn takes_stretches(&self, output: usize) -> bool {
        self.plain.is_some_and(|plain| plain.takes_stretches)
            && self.ports[output].takes_stretches()
    }

    /// Passes a cell to the policer of its VC, which may tag it; returns true if the policer drops
    /// it.
    #[inline(never)]
    fn police(&mut self, arrival: Time, output: usize, cell: &mut Cell) -> bool {
        let policers = self.policers.as_mut();
        let policer = policers.and_then(|policers| police::of_vc(policers, output, cell.vc));
        policer.is_some_and(|policer| !policer.passes(arrival, cell))
    }

    #[inline(never)]
    fn offer_to_port(
        &mut self,
        now: Time,
        arrival: Time,
        output: usize,
        cell: &mut Cell,
        out: &mut Outlet<'_>,
    ) {
        let (mut queue_at, mut elsewhere) = (now, 0);
        if !self.independent {
            if self.drops_before_queue(now, arrival, output, cell, out) {
                return self.leave(now, output, cell.vc, out);
            }
            (queue_at, elsewhere) = self.among_others(now, output);
        }
        let port = &mut self.ports[output];
        if port.offer(now, queue_at, cell, elsewhere, None, out) == Offered::Waits {
            self.reschedule(output);
        } else if self.has_credits() {
            self.leave(now, output, cell.vc, out);
        }
    }

    /// True if a policer drops a cell, which it may tag, or if the link beyond the output loses it
    /// before it is queued; its contents are then released.
    #[inline(never)]
    fn drops_before_queue(
        &mut self,
        now: Time,
        arrival: Time,
        output: usize,
        cell: &mut Cell,
        out: &mut Outlet<'_>,
    ) -> bool {
        if self.policers.is_some() && self.police(arrival, output, cell) {
            cell.release(out.cargo);
            return true;
        }
        let transmitter = &mut self.ports[output].transmitter;
        self.loses_offered && transmitter.loses_offered_cell(now, cell, out)
    }

    /// The instant at which a policy sees the queue of an output to which a cell comes at `now`, and the
    /// cells of other outputs in the same memory.
    #[inline(never)]
    fn among_others(&mut self, now: Time, output: usize) -> (Time, u64) {
        let arrivals_first = self.arrivals_first(now);
        let queue_at = |port: &mut CellOutput| {
            if arrivals_first {
                port.before_departures(now)
            } else {
                now
            }
        };
        let mut elsewhere = 0;
        if self.shared {
            let ports = self.ports.iter_mut().enumerate();
            for (_, port) in ports.filter(|(other, _)| *other != output) {
                let queue_at = queue_at(port);
                elsewhere += port.waiting(queue_at);
            }
        }
        (queue_at(&mut self.ports[output]), elsewhere)
    }

    /// Drops a cell that would otherwise be offered to an output.
    pub fn refuse(
        &mut self,
        now: Time,
        output: usize,
        cell: &Cell,
        cause: Cause,
        out: &mut Outlet<'_>,
    ) {
        self.ports[output].refuse(now, cell, cause, out);
        if self.has_credits() {
            self.leave(now, output, cell.vc, out);
        }
    }

    /// Starts cells at the ports that are due. The start of a cell makes no other port due at once.
    pub fn serve(&mut self, out: &mut Outlet<'_>) {
        let now = self.next_service();
        while let Some(output) = self.services.due(now) {
            let Some(port) = self.ports.get_mut(output) else {
                if output == self.tied_index {
                    return;
                }
                self.check(now, out);
                continue;
            };
            let left = port.serve(now, out).left();
            self.services.set_first(output, port.next_service());
            if self.has_credits()
                && let Some(vc) = left
            {
                self.leave(now, output, vc, out);
            }
        }
    }

    /// Cells that are not committed to a link, and cells gathered for a host.
    pub fn uncommitted(&self) -> u64 {
        self.ports.iter().map(CellOutput::uncommitted).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_the_acts_of_a_switch_have_the_order_of_the_acts() {
        let of_outputs = [Act::Depart, Act::Check, Act::TakeTied, Act::Move];
        assert!(of_outputs.is_sorted());
        for ports in [0, 1, 7] {
            let entries = of_outputs.map(|act| act.entry(ports));
            assert!(entries.is_sorted(), "{ports} ports: {entries:?}");
            let last_port = ports.saturating_sub(1);
            assert!(ports == 0 || last_port < Act::Check.entry(ports));
            assert_eq!(Act::Check.entry(ports) + 1, Act::TakeTied.entry(ports));
        }
        let mut services = ServiceTimes::new(Act::Move.entry(2));
        for act in [Act::TakeTied, Act::Check, Act::Depart] {
            services.set(act.entry(2), Time::from_ps(5));
            assert_eq!(services.due(Time::from_ps(5)), Some(act.entry(2)));
        }
    }
}
