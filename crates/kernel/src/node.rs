//! What a node author writes: an ordinary little simulator.

use crate::link::Link;
use crate::time::Time;

/// Something that acts by itself and takes what arrives.
///
/// The order of what happens at one instant is part of the contract:
/// 1. a node acts on its own before it takes what arrives at that instant;
/// 2. what arrives together is taken in the order of the inputs;
/// 3. contention between inputs is the business of the node (a switch fabric, say), never an
///    accident of the kernel.
pub trait Node {
    /// What links carry.
    type Unit;
    /// What units refer to and are too small to hold, such as the contents of packets. It is handed
    /// to whichever node acts; a node touches only what a unit it holds refers to.
    type Cargo;

    /// When the node next acts on its own, [`Time::NEVER`] if it waits for arrivals only.
    fn next_wake(&self) -> Time;

    /// Acts on its own at `now`, which is [`Node::next_wake`].
    fn wake(&mut self, now: Time, out: &mut Outlet<'_, Self::Unit, Self::Cargo>);

    /// Takes a unit that arrives at `now`.
    fn receive(
        &mut self,
        now: Time,
        input: usize,
        unit: Self::Unit,
        out: &mut Outlet<'_, Self::Unit, Self::Cargo>,
    );

    /// Does all that the node does on its own up to and including `through`.
    ///
    /// Nothing arrives in between, so a node may replace this with a tighter loop of its own.
    fn advance(&mut self, through: Time, out: &mut Outlet<'_, Self::Unit, Self::Cargo>) {
        while self.next_wake() <= through {
            self.wake(self.next_wake(), out);
        }
    }
}

/// The outputs of the node that acts.
pub struct Outlet<'a, U, C> {
    /// What the units on their way refer to.
    pub cargo: &'a mut C,
    pub(crate) links: &'a mut [Link<U>],
    /// Link of each output.
    pub(crate) outputs: &'a [usize],
    /// Earliest thing each node has to do.
    pub(crate) agenda: &'a mut [Time],
    /// No unit may arrive before this instant: the runner has already passed it elsewhere.
    pub(crate) horizon: Time,
}

impl<U, C> Outlet<'_, U, C> {
    /// Commits `unit` to an output; its transmission ends at `sent`, it arrives one propagation later.
    ///
    /// For a train, `sent` is the end of transmission of its first cell.
    pub fn send(&mut self, output: usize, sent: Time, unit: U) {
        let link = &mut self.links[self.outputs[output]];
        let arrival = sent + link.propagation;
        assert!(
            arrival >= self.horizon,
            "a unit was committed later than its transmission began"
        );
        link.commit(arrival, unit);
        let next = &mut self.agenda[link.to];
        *next = arrival.min(*next);
    }
}
