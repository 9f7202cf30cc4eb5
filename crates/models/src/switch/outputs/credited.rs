//! Credits and check cells at the outputs of a switch.

use kernel::Time;

use super::{Act, Outputs};
use crate::wire::cell::{Cell, Payload, Train};
use crate::wire::unit::Outlet;
use crate::wire::vc::Vc;

impl Outputs {
    /// Counts a train that arrives at an input; returns true if it is a credit or a check cell,
    /// which goes no further than this switch.
    pub fn receive_credit(
        &mut self,
        now: Time,
        input: usize,
        train: &Train,
        out: &mut Outlet<'_>,
    ) -> bool {
        let Some(credits) = &mut self.credits else {
            return false;
        };
        match train.payload {
            Payload::Data(_) | Payload::Rm { .. } => {
                credits.arrive(input, train);
                return false;
            }
            // A credit concerns the output to the link on which it arrives.
            Payload::Credit { forwarded } => {
                credits.arrived += 1;
                self.ports[input].on_credit(now, train.vc, forwarded);
                self.reschedule(input);
            }
            Payload::Check { sent } => {
                credits.arrived += 1;
                if let Some(credit) = credits.check(input, train.vc, sent) {
                    self.send_to_neighbour(now, input, &credit, out);
                }
            }
        }
        true
    }

    /// Sends a credit or a check cell to a neighbour.
    fn send_to_neighbour(&mut self, now: Time, output: usize, cell: &Cell, out: &mut Outlet<'_>) {
        self.ports[output].send_first(now, cell, out);
        self.reschedule(output);
    }

    /// Sends a check cell for a VC of a link, unless credits have acknowledged all cells of the VC.
    #[cold]
    pub(super) fn check(&mut self, now: Time, out: &mut Outlet<'_>) {
        let credits = self.credits.as_mut().expect("a link is controlled");
        let due = credits.take_check(now).expect("a check is due");
        let next = credits.next_check();
        let (output, vc) = due;
        if let Some(sent) = self.ports[output].unsettled(vc) {
            credits.made += 1;
            self.send_to_neighbour(now, output, &Cell::check(vc, sent), out);
        }
        self.services.set(Act::Check.entry(self.ports.len()), next);
    }

    /// Counts a cell that has left the buffer of an output: a credit may be due on the link by
    /// which the cell came.
    pub(super) fn leave(&mut self, now: Time, output: usize, vc: Vc, out: &mut Outlet<'_>) {
        let credits = self.credits.as_mut();
        if let Some((output, credit)) = credits.and_then(|credits| credits.leave(output, vc)) {
            self.send_to_neighbour(now, output, &credit, out);
        }
    }
}
