//! ATM switches: a fabric that brings cells to the outputs, and output ports.

pub mod buffer;
pub mod discard;
pub mod fabric;
mod inputs;
pub mod port;

use kernel::{Node, Time};
use parameters::parameters;

use crate::frame::Frames;
use crate::loss::LossyEnds;
use crate::unit::{Outlet, Unit};
use crate::vc::Route;
use buffer::BufferSpec;
use discard::DiscardSpec;
use fabric::{Fabric, FabricSpec, Gate};
use port::OutputPort;

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
    }
}

/// A switch.
pub struct Switch {
    fabric: Box<dyn Fabric>,
    /// Ports by output.
    pub ports: Vec<OutputPort>,
    /// What the links beyond them lose.
    pub losses: LossyEnds,
    /// Where each virtual channel of each input goes on.
    routes: Vec<Vec<Route>>,
}

impl Switch {
    /// A switch with `routes[input][vc]`.
    pub fn new(fabric: Box<dyn Fabric>, ports: Vec<OutputPort>, routes: Vec<Vec<Route>>) -> Switch {
        Switch {
            fabric,
            ports,
            losses: LossyEnds::new(),
            routes,
        }
    }

    /// Cells inside: in the fabric, or gathered on the way to a host.
    pub fn held(&self) -> u64 {
        self.fabric.held() + self.ports.iter().map(OutputPort::gathering).sum::<u64>()
    }
}

impl Node for Switch {
    type Unit = Unit;
    type Cargo = Frames;

    fn next_wake(&self) -> Time {
        self.fabric.next_wake()
    }

    fn wake(&mut self, _now: Time, out: &mut Outlet<'_>) {
        self.advance(out);
    }

    fn advance(&mut self, out: &mut Outlet<'_>) {
        self.fabric.advance(&mut Gate {
            ports: &mut self.ports,
            losses: &mut self.losses,
            out,
        });
    }

    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        let Unit::Cells(train) = unit else {
            unreachable!("lowering sends packets to routers only")
        };
        let route = self.routes[input][train.vc.index()];
        self.fabric.enter(
            now,
            input,
            train,
            route,
            &mut Gate {
                ports: &mut self.ports,
                losses: &mut self.losses,
                out,
            },
        );
    }
}
