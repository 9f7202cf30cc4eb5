//! ATM switches: a fabric that brings cells to the outputs, and output ports.

pub mod buffer;
pub mod discard;
pub mod fabric;
pub mod mark;
mod numbers;
pub mod port;
mod queue;
pub mod scheduler;

use kernel::{Node, Time};
use parameters::parameters;

use crate::frame::Frames;
use crate::loss::LossyEnds;
use crate::unit::{Outlet, Unit};
use crate::vc::Route;
use buffer::BufferSpec;
use discard::DiscardSpec;
use fabric::{Fabric, FabricSpec, Gate};
use mark::MarkSpec;
use port::OutputPort;
use scheduler::SchedulerSpec;

parameters! {
    /// A switch; where flows are carried as whole packets it acts as a router with the same buffer
    /// and discard policy, and its fabric does not matter.
    pub struct SwitchSpec {
        /// How cells cross the switch.
        pub fabric: FabricSpec = default,
        /// How buffer memory is shared.
        pub buffer: BufferSpec,
        /// Which cells a buffer refuses.
        pub discard: DiscardSpec = default,
        /// In what order an output sends the cells that wait.
        pub scheduler: SchedulerSpec = default,
        /// Which cells an output marks, if any.
        pub mark: Option<MarkSpec>,
    }
}

/// A switch.
pub struct Switch {
    fabric: Box<dyn Fabric>,
    /// Ports by output.
    pub ports: Vec<OutputPort>,
    /// What the links beyond them lose.
    pub losses: LossyEnds,
    /// The ports share one memory.
    shared: bool,
    /// When a port next starts a cell by itself.
    service: Time,
    /// Where each virtual channel of each input goes on.
    routes: Vec<Vec<Route>>,
}

impl Switch {
    /// A switch with `routes[input][vc]`; `shared` tells that the buffers of the ports are one.
    pub fn new(
        fabric: Box<dyn Fabric>,
        ports: Vec<OutputPort>,
        shared: bool,
        routes: Vec<Vec<Route>>,
    ) -> Switch {
        Switch {
            fabric,
            ports,
            losses: LossyEnds::new(),
            shared,
            service: Time::NEVER,
            routes,
        }
    }

    /// Cells inside: in the fabric, or held at an output.
    pub fn held(&self) -> u64 {
        self.fabric.held() + self.ports.iter().map(OutputPort::held).sum::<u64>()
    }

    /// Lets the fabric act.
    #[inline]
    fn through_gate(
        &mut self,
        out: &mut Outlet<'_>,
        act: impl FnOnce(&mut dyn Fabric, &mut Gate<'_, '_>),
    ) {
        let mut gate = Gate {
            ports: &mut self.ports,
            losses: &mut self.losses,
            shared: self.shared,
            service: self.service,
            out,
        };
        act(&mut *self.fabric, &mut gate);
        self.service = gate.service;
    }

    /// Lets the ports act for which it is time.
    fn serve(&mut self, out: &mut Outlet<'_>) {
        let now = std::mem::replace(&mut self.service, Time::NEVER);
        for port in &mut self.ports {
            if port.next_service() == now {
                port.serve(now, out);
            }
            self.service = self.service.min(port.next_service());
        }
    }
}

impl Node for Switch {
    type Unit = Unit;
    type Cargo = Frames;

    fn next_wake(&self) -> Time {
        self.fabric.next_wake().min(self.service)
    }

    fn wake(&mut self, _now: Time, out: &mut Outlet<'_>) {
        self.advance(out);
    }

    /// At one instant ports act before the fabric does, so that a cell leaves before another comes.
    fn advance(&mut self, out: &mut Outlet<'_>) {
        loop {
            self.through_gate(out, |fabric, gate| fabric.advance(gate));
            if self.service > out.through() {
                return;
            }
            self.serve(out);
        }
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        let Unit::Cells(train) = unit else {
            unreachable!("lowering sends packets to routers only")
        };
        let route = self.routes[input][train.vc.index()];
        self.through_gate(out, |fabric, gate| {
            fabric.enter(now, input, train, route, gate);
        });
    }
}
