//! The credits that a switch returns for the cells that left its buffers, and the check cells that
//! it sends to the switches after it: both ends of the credit update protocol (see
//! `credit/counts.rs`).

use kernel::Time;

use crate::link::credit::{CheckTimer, CreditBuffer, CreditReceiver};
use crate::output::service_times::ServiceTimes;
use crate::wire::cell::{Cell, Train};
use crate::wire::vc::{Route, Vc};

/// The receiving ends of the controlled links into a switch, and the check timers of the controlled
/// links out of it.
///
/// The input and the output of a node on the same link have the same number, so the credits for an
/// input leave through the output of its number.
pub struct Credits {
    /// The receiving end of each input, if its link is controlled.
    inputs: Vec<Option<Input>>,
    /// The input and the VC from which cells arrive, by output and VC. Both directions of a flow
    /// use the same path, so these are the routes of the opposite direction.
    origins: Vec<Vec<Route>>,
    /// Timers of the check cells, by output; none if the link of the output is not controlled.
    timers: Box<[Option<CheckTimer>]>,
    /// Time of the next check cell of each output.
    checks: ServiceTimes,
    /// Number of credits and check cells sent.
    pub made: u64,
    /// Number of credits and check cells received.
    pub arrived: u64,
}

/// The receiving end of one controlled link.
struct Input {
    receivers: Box<[CreditReceiver]>,
    /// Cells received over the link that are still in the switch.
    occupancy: u64,
    /// Largest number of cells for which the link may have credit, which bounds `occupancy`.
    capacity: u64,
}

impl Credits {
    /// The credits of a switch. `here` is the buffer behind each input, and `beyond` the buffer at
    /// the far end of each output, if these links are controlled; the routes are
    /// `routes[input][vc]`.
    pub fn new(
        here: &[Option<CreditBuffer>],
        beyond: &[Option<CreditBuffer>],
        routes: &[Vec<Route>],
    ) -> Credits {
        let inputs = here.iter().zip(routes).map(|(buffer, vcs)| {
            buffer.map(|buffer| Input {
                receivers: vec![CreditReceiver::new(buffer.cells, buffer.batch); vcs.len()].into(),
                occupancy: 0,
                capacity: buffer.of(vcs.len() as u64),
            })
        });
        let timers: Box<[Option<CheckTimer>]> = beyond
            .iter()
            .zip(routes)
            .map(|(buffer, vcs)| Some(CheckTimer::new((*buffer)?.check?, vcs.len())))
            .collect();
        let mut checks = ServiceTimes::new(timers.len());
        for (output, timers) in timers.iter().enumerate() {
            checks.set(output, timers.map_or(Time::NEVER, |timers| timers.next()));
        }
        Credits {
            inputs: inputs.collect(),
            origins: routes.to_vec(),
            timers,
            checks,
            made: 0,
            arrived: 0,
        }
    }

    /// Counts the cell of a train that arrives at `input`.
    ///
    /// # Panics
    /// If more cells arrive than the credit allowed, or if a train of several cells arrives over a
    /// controlled link, where each cell waits for credit by itself.
    pub fn arrive(&mut self, input: usize, train: &Train) {
        if let Some(input) = &mut self.inputs[input] {
            assert_eq!(train.cells, 1, "cells that need credit arrive one by one");
            input.receivers[train.vc.index()].arrive();
            input.occupancy += 1;
            assert!(
                input.occupancy <= input.capacity,
                "more cells arrived than the credit allowed"
            );
        }
    }

    /// A check cell arrives at `input`: the credit sender at the far end has sent `sent` cells of a
    /// VC. Returns the credit that answers the check cell.
    pub fn check(&mut self, input: usize, vc: Vc, sent: u32) -> Option<Cell> {
        let receivers = &mut self.inputs[input].as_mut()?.receivers;
        let forwarded = receivers[vc.index()].check(sent);
        self.made += 1;
        Some(Cell::credit(vc, forwarded))
    }

    /// Time at which the next check cell is due.
    pub fn next_check(&self) -> Time {
        self.checks.next()
    }

    /// The output and the VC whose check cell is due at `now`, which is [`Credits::next_check`].
    pub fn take_check(&mut self, now: Time) -> Option<(usize, Vc)> {
        let output = self.checks.due(now)?;
        let timers = self.timers[output].as_mut()?;
        let vc = Vc(u32::try_from(timers.take()).expect("VCs have numbers"));
        self.checks.set(output, timers.next());
        Some((output, vc))
    }

    /// Counts a cell that has left the buffer of a VC of `output`. Returns the credit that is now
    /// due, with the output that sends the credit; none if no credit is due.
    pub fn leave(&mut self, output: usize, vc: Vc) -> Option<(usize, Cell)> {
        let origin = self.origins[output][vc.index()];
        let input = origin.output as usize;
        let from = self.inputs[input].as_mut()?;
        from.occupancy -= 1;
        let forwarded = from.receivers[origin.vc.index()].forward()?;
        self.made += 1;
        Some((input, Cell::credit(origin.vc, forwarded)))
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;

    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;

    /// A switch with two inputs, of which only the first has a controlled link.
    fn credits() -> Credits {
        let buffer = CreditBuffer {
            cells: 4,
            batch: 2,
            pool: None,
            check: Some(Duration::from_us(5)),
        };
        let over = |output| vec![Route { output, vc: Vc(0) }];
        Credits::new(
            &[Some(buffer), None],
            &[None, Some(buffer)],
            &[over(1), over(0)],
        )
    }

    fn train(cells: u32) -> Train {
        let data = Data::new(1, ContentsId(0), false);
        Train::data(Vc(0), data, cells, Duration::ZERO)
    }

    #[test]
    fn a_credit_goes_back_by_the_output_beside_the_input() {
        let mut credits = credits();
        let returned = [1, 2, 3, 4].map(|_| {
            credits.arrive(0, &train(1));
            credits.leave(1, Vc(0))
        });
        let credit = |forwarded| Some((0, Cell::credit(Vc(0), forwarded)));
        assert_eq!(returned, [None, credit(2), None, credit(4)]);
        assert_eq!(credits.made, 2);
    }

    #[test]
    fn a_check_cell_is_answered_and_frees_the_credit_of_lost_cells() {
        let mut credits = credits();
        credits.arrive(0, &train(1));
        // One cell is still in the switch, so it does not count as forwarded.
        let answer = credits.check(0, Vc(0), 4);
        assert_eq!(answer, Some(Cell::credit(Vc(0), 3)));
        assert!(credits.check(1, Vc(0), 4).is_none());
        assert_eq!(credits.next_check(), Time::ZERO + Duration::from_us(5));
        let due = credits.next_check();
        assert_eq!(credits.take_check(due), Some((1, Vc(0))));
        assert_eq!(credits.next_check(), due + Duration::from_us(5));
    }

    #[test]
    fn trains_come_where_nobody_counts() {
        let mut credits = credits();
        credits.arrive(1, &train(3));
        assert!(credits.leave(0, Vc(0)).is_none());
    }

    #[test]
    #[should_panic(expected = "cells that need credit arrive one by one")]
    fn no_train_comes_over_a_controlled_link() {
        credits().arrive(0, &train(2));
    }
}
