//! The outputs of a switch: ports, the memory that they may share, and the links beyond them.

use kernel::Time;

use super::port::OutputPort;
use crate::cell::Cell;
use crate::loss::LossyEnds;
use crate::unit::Outlet;

/// The outputs of a switch.
pub struct Outputs {
    /// Ports by output.
    pub ports: Vec<OutputPort>,
    /// What the links beyond them lose.
    pub losses: LossyEnds,
    /// The buffers of the ports are one memory.
    shared: bool,
    /// When each port next starts a cell by itself.
    services: Vec<Time>,
    /// The earliest of these.
    service: Time,
    /// Nothing is lost or shared, and no port acts by itself: then a cell concerns one port alone.
    is_plain: bool,
}

impl Outputs {
    /// Outputs at the start; `shared` tells that the buffers of the ports are one memory.
    pub fn new(ports: Vec<OutputPort>, losses: LossyEnds, shared: bool) -> Outputs {
        let is_plain = !shared && losses.is_empty() && !ports.iter().any(OutputPort::acts);
        let services = vec![Time::NEVER; ports.len()];
        Outputs {
            ports,
            losses,
            shared,
            services,
            service: Time::NEVER,
            is_plain,
        }
    }

    /// When a port next starts a cell by itself, [`Time::NEVER`] if those they have are committed.
    #[inline]
    pub fn next_service(&self) -> Time {
        self.service
    }

    /// Offers a cell to the port of an output, unless the link beyond loses it.
    #[inline]
    pub fn offer(&mut self, now: Time, output: usize, mut cell: Cell, out: &mut Outlet<'_>) {
        if self.is_plain {
            self.ports[output].offer(now, &mut cell, 0, out);
        } else {
            self.offer_among_others(now, output, &mut cell, out);
        }
    }

    #[inline(never)]
    fn offer_among_others(
        &mut self,
        now: Time,
        output: usize,
        cell: &mut Cell,
        out: &mut Outlet<'_>,
    ) {
        if let Some(Some(end)) = self.losses.get_mut(output)
            && end.loses_cell(now, cell)
        {
            cell.release(out.cargo);
            return;
        }
        let elsewhere = if self.shared {
            let ports = self.ports.iter_mut().enumerate();
            let others = ports.filter(|(other, _)| *other != output);
            others.map(|(_, port)| port.waiting(now)).sum()
        } else {
            0
        };
        let port = &mut self.ports[output];
        port.offer(now, cell, elsewhere, out);
        self.services[output] = port.next_service();
        self.service = self.service.min(self.services[output]);
    }

    /// Lets the ports act for which it is time.
    pub fn serve(&mut self, out: &mut Outlet<'_>) {
        let now = std::mem::replace(&mut self.service, Time::NEVER);
        for (output, service) in self.services.iter_mut().enumerate() {
            if *service == now {
                let port = &mut self.ports[output];
                port.serve(now, out);
                *service = port.next_service();
            }
            self.service = self.service.min(*service);
        }
    }

    /// Cells that are not committed to a link, or are gathered on the way to a host.
    pub fn held(&self) -> u64 {
        self.ports.iter().map(OutputPort::held).sum()
    }
}
