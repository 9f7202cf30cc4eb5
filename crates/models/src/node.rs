//! The nodes of a network.

use kernel::Time;

use crate::frame::Frames;
use crate::host::Host;
use crate::router::Router;
use crate::switch::Switch;
use crate::unit::{Outlet, Unit};

/// A node of any kind.
pub enum Node {
    /// Where flows begin and end.
    Host(Host),
    /// Forwards cells.
    Switch(Switch),
    /// Forwards packets.
    Router(Router),
}

macro_rules! either {
    ($node:expr, $inner:ident => $call:expr) => {
        match $node {
            Node::Host($inner) => $call,
            Node::Switch($inner) => $call,
            Node::Router($inner) => $call,
        }
    };
}

impl kernel::Node for Node {
    type Unit = Unit;
    type Cargo = Frames;

    #[inline]
    fn next_wake(&self) -> Time {
        either!(self, node => node.next_wake())
    }

    fn wake(&mut self, now: Time, out: &mut Outlet<'_>) {
        either!(self, node => node.wake(now, out));
    }

    #[inline]
    fn advance(&mut self, out: &mut Outlet<'_>) {
        either!(self, node => node.advance(out));
    }

    #[inline]
    fn receive(&mut self, now: Time, input: usize, unit: Unit, out: &mut Outlet<'_>) {
        either!(self, node => node.receive(now, input, unit, out));
    }
}
