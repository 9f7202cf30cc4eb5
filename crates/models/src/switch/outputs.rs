//! The outputs of a switch: ports, the memory that they may share, and the links beyond them.

use kernel::Time;

use super::credits::Credits;
use super::port::OutputPort;
use super::services::Services;
use crate::cell::{Cell, Kind, Train};
use crate::loss::LossyEnds;
use crate::police::{self, Policers};
use crate::unit::Outlet;
use crate::vc::Vc;

/// The outputs of a switch.
pub struct Outputs {
    /// Ports by output.
    pub ports: Vec<OutputPort>,
    /// What the links beyond them lose.
    pub losses: LossyEnds,
    /// What is owed for cells that come by controlled links, if any do.
    pub credits: Option<Box<Credits>>,
    /// What stands at the inputs, if cells are policed there.
    pub policers: Option<Policers>,
    /// The buffers of the ports are one memory.
    shared: bool,
    /// When each port next starts a cell by itself.
    services: Services,
    /// Nothing is policed, lost or shared, and no port acts by itself: then a cell concerns one port alone.
    is_plain: bool,
}

impl Outputs {
    /// Outputs at the start; `shared` tells that the buffers of the ports are one memory.
    pub fn new(
        ports: Vec<OutputPort>,
        losses: LossyEnds,
        policers: Option<Policers>,
        shared: bool,
    ) -> Outputs {
        let is_plain = !shared
            && losses.is_empty()
            && policers.is_none()
            && !ports.iter().any(OutputPort::acts);
        let acting = if is_plain { 0 } else { ports.len() };
        Outputs {
            ports,
            losses,
            credits: None,
            policers,
            shared,
            services: Services::new(acting),
            is_plain,
        }
    }

    /// When a port next starts a cell by itself, [`Time::NEVER`] if those they have are committed.
    #[inline]
    pub fn next_service(&self) -> Time {
        self.services.next()
    }

    /// Whether any link of the switch is controlled by credits.
    #[inline]
    pub fn is_controlled(&self) -> bool {
        self.credits.is_some()
    }

    /// Takes note of what arrives at an input; whether it is a credit, which goes no further.
    pub fn receive_credit(&mut self, now: Time, input: usize, train: &Train) -> bool {
        let Some(credits) = &mut self.credits else {
            return false;
        };
        if train.kind != Kind::Credit {
            credits.arrive(input, train);
            return false;
        }
        credits.arrived += 1;
        // It came by the input beside the output that it is about.
        self.ports[input].learn(now, train.vc, train.pdu);
        self.reschedule(input);
        true
    }

    /// A cell has left the buffer of an output: the sender of the link by which it came may have to
    /// be told.
    fn leave(&mut self, now: Time, output: usize, vc: Vc, out: &mut Outlet<'_>) {
        let credits = self.credits.as_mut();
        if let Some((output, credit)) = credits.and_then(|credits| credits.leave(output, vc)) {
            self.ports[output].urge(now, &credit, out);
            self.reschedule(output);
        }
    }

    #[inline]
    fn reschedule(&mut self, output: usize) {
        let service = self.ports[output].next_service();
        self.services.set(output, service);
    }

    /// Offers a cell that came at `arrival` to the port of an output, unless a policer drops it or the
    /// link beyond loses it.
    #[inline]
    pub fn offer(
        &mut self,
        now: Time,
        arrival: Time,
        output: usize,
        mut cell: Cell,
        out: &mut Outlet<'_>,
    ) {
        if self.is_plain {
            self.ports[output].offer(now, &mut cell, 0, out);
        } else {
            self.offer_among_others(now, arrival, output, &mut cell, out);
        }
    }

    /// Whether a policer drops a cell, or else tags it if it must.
    #[inline(never)]
    fn is_policed(&mut self, arrival: Time, output: usize, cell: &mut Cell) -> bool {
        let policers = self.policers.as_mut();
        let policer = policers.and_then(|policers| police::of_channel(policers, output, cell.vc));
        policer.is_some_and(|policer| !policer.passes(arrival, cell))
    }

    #[inline(never)]
    fn offer_among_others(
        &mut self,
        now: Time,
        arrival: Time,
        output: usize,
        cell: &mut Cell,
        out: &mut Outlet<'_>,
    ) {
        if self.policers.is_some() && self.is_policed(arrival, output, cell) {
            cell.release(out.cargo);
            return self.leave(now, output, cell.vc, out);
        }
        if let Some(Some(end)) = self.losses.get_mut(output)
            && end.loses_cell(now, cell)
        {
            cell.release(out.cargo);
            return self.leave(now, output, cell.vc, out);
        }
        let elsewhere = if self.shared {
            let ports = self.ports.iter_mut().enumerate();
            let others = ports.filter(|(other, _)| *other != output);
            others.map(|(_, port)| port.waiting(now)).sum()
        } else {
            0
        };
        if self.ports[output].offer(now, cell, elsewhere, out) {
            self.reschedule(output);
        } else if self.is_controlled() {
            self.leave(now, output, cell.vc, out);
        }
    }

    /// Lets the ports act for which it is time; what they do makes no other port due at once.
    pub fn serve(&mut self, out: &mut Outlet<'_>) {
        let now = self.next_service();
        while let Some(output) = self.services.due(now) {
            let port = &mut self.ports[output];
            let left = port.serve(now, out);
            self.services.set_first(output, port.next_service());
            if self.is_controlled()
                && let Some(vc) = left
            {
                self.leave(now, output, vc, out);
            }
        }
    }

    /// Cells that are not committed to a link, or are gathered on the way to a host.
    pub fn held(&self) -> u64 {
        self.ports.iter().map(OutputPort::held).sum()
    }
}
