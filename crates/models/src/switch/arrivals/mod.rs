//! The cells that have been announced to the inputs of a switch and have not arrived.
//!
//! A train stands for cells that arrive at a known spacing, and a host commits trains ahead of
//! time, one behind the other. The host may recall the cells that have not arrived, or respace
//! them. A fabric handles no amendments: it is told when the next cell of each input arrives. Our
//! own design: see `docs/decisions/0014-data-cells-are-committed-ahead.md`.
//!
//! This file may be written for speed.

mod amend;
mod train;

use std::collections::VecDeque;

use kernel::Time;

use crate::wire::cell::{Cell, Train, TrainOrder};
use crate::wire::vc::Route;
use train::ArrivingTrain;

/// The next cell of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextCell {
    /// Time at which the cell arrives, or arrived.
    pub arrival: Time,
    /// Output of the cell.
    pub output: u32,
}

/// The cells that have not reached an output: those of each input in order of arrival, and
/// interleaved trains.
///
/// Each input has one train whose cells arrive next; its *train index* is the number of the input.
/// Several interleaved trains of one input may be on their way at the same time, so each has a
/// train index of its own, beyond the numbers of the inputs.
pub struct ArrivingCells {
    /// The train that holds the next cell of each input.
    first: Box<[Option<ArrivingTrain>]>,
    /// The trains behind the first train of each input.
    behind: Box<Behind>,
}

/// The trains behind the first of each input.
#[derive(Default)]
struct Behind {
    /// The trains by input, up to the last input that ever had any.
    trains: Vec<VecDeque<ArrivingTrain>>,
    /// An empty vector for trains that are moved, kept so that no move allocates.
    rest: Vec<ArrivingTrain>,
    /// The interleaved trains, each with its input. Train index `inputs + i` is entry `i`.
    interleaved: Vec<Option<(u32, ArrivingTrain)>>,
}

impl Behind {
    /// The trains behind the first of an input.
    #[inline]
    fn of(&mut self, input: usize) -> &mut VecDeque<ArrivingTrain> {
        if self.trains.len() <= input {
            self.trains.resize(input + 1, VecDeque::new());
        }
        &mut self.trains[input]
    }
}

impl ArrivingCells {
    /// The arrivals of a switch whose inputs have no announced cells.
    pub fn new(inputs: usize) -> ArrivingCells {
        ArrivingCells {
            first: vec![None; inputs].into(),
            behind: Box::default(),
        }
    }

    /// The next cell of an input, if a cell is announced.
    pub fn next(&self, input: usize) -> Option<NextCell> {
        self.first[input].as_ref().map(ArrivingTrain::next)
    }

    /// Adds a train whose first cell arrives at `arrival`, behind all cells of its input. Returns
    /// the next cell of the input if it belongs to this train.
    #[inline]
    pub fn extend(
        &mut self,
        input: usize,
        arrival: Time,
        train: &Train,
        route: Route,
    ) -> Option<NextCell> {
        self.append(input, ArrivingTrain::new(arrival, train, route))
    }

    /// Adds a train that is announced at `now`, together with the cell before it: the first cell of
    /// the train arrives a spacing after the last cell of the input.
    #[inline]
    pub fn append_announced(
        &mut self,
        now: Time,
        input: usize,
        train: &Train,
        route: Route,
    ) -> Option<NextCell> {
        let Some(first) = &self.first[input] else {
            return self.extend(input, now + train.spacing, train, route);
        };
        let behind = self.behind.of(input);
        let last = behind.back().unwrap_or(first).last_arrival();
        behind.push_back(ArrivingTrain::new(last + train.spacing, train, route));
        None
    }

    /// Adds an interleaved train of an input; returns its train index.
    pub fn add_interleaved(
        &mut self,
        input: usize,
        arrival: Time,
        train: &Train,
        route: Route,
    ) -> usize {
        debug_assert!(train.order == TrainOrder::Interleaved);
        let interleaved = &mut self.behind.interleaved;
        let free = interleaved.iter().position(Option::is_none);
        let index = free.unwrap_or(interleaved.len());
        if index == interleaved.len() {
            interleaved.push(None);
        }
        interleaved[index] = Some((input as u32, ArrivingTrain::new(arrival, train, route)));
        self.first.len() + index
    }

    /// Input of the interleaved train with this train index.
    ///
    /// # Panics
    /// If there is no such train.
    pub fn input_of(&self, index: usize) -> usize {
        let train = &self.behind.interleaved[index - self.first.len()];
        train.as_ref().expect("the train is interleaved").0 as usize
    }

    /// Removes the next cell of the interleaved train with this train index.
    #[inline(never)]
    fn pop_interleaved(&mut self, index: usize) -> (NextCell, Cell, Option<NextCell>) {
        let entry = &mut self.behind.interleaved[index - self.first.len()];
        let (_, train) = entry.as_mut().expect("a cell is announced");
        let (taken, cell) = (train.next(), train.cell);
        if train.cells == 1 {
            *entry = None;
            return (taken, cell, None);
        }
        train.cells -= 1;
        train.arrival += train.spacing;
        (taken, cell, Some(train.next()))
    }

    #[inline]
    fn append(&mut self, input: usize, arriving: ArrivingTrain) -> Option<NextCell> {
        if self.first[input].is_none() {
            self.first[input] = Some(arriving);
            return Some(arriving.next());
        }
        self.behind.of(input).push_back(arriving);
        None
    }

    /// Removes the next cell of the train with this train index. Returns its arrival and output,
    /// the cell with its VC on the output, and the cell behind it, if one is announced.
    ///
    /// # Panics
    /// If no cell is announced.
    // Inlined: this runs for every cell that is not part of a stretch.
    #[allow(clippy::inline_always)]
    #[inline(always)]
    pub fn take(&mut self, index: usize) -> (NextCell, Cell, Option<NextCell>) {
        let Some(first) = self.first.get_mut(index) else {
            return self.pop_interleaved(index);
        };
        let arriving = first.as_mut().expect("a cell is announced");
        let taken = arriving.next();
        if arriving.cells > 1 {
            arriving.cells -= 1;
            arriving.arrival += arriving.spacing;
            return (taken, arriving.cell, Some(arriving.next()));
        }
        let last = arriving.last;
        let behind = self.behind.trains.get_mut(index);
        *first = behind.and_then(VecDeque::pop_front);
        (taken, last, first.as_ref().map(ArrivingTrain::next))
    }

    /// The train with this train index.
    ///
    /// # Panics
    /// If no cell of the train is to arrive.
    #[inline]
    pub fn train(&self, index: usize) -> &ArrivingTrain {
        let train = if let Some(train) = self.first.get(index) {
            train.as_ref()
        } else {
            let interleaved = &self.behind.interleaved[index - self.first.len()];
            interleaved.as_ref().map(|(_, train)| train)
        };
        train.expect("a cell is announced")
    }

    /// Removes the next `cells` cells of a train; returns the arrival of the cell behind them, if
    /// there is one. The last cell of a train that is not interleaved must stay, since it may end a
    /// PDU.
    ///
    /// # Panics
    /// If no cell of the train is to arrive.
    #[inline]
    pub fn skip(&mut self, index: usize, cells: u32) -> Option<Time> {
        let inputs = self.first.len();
        let train = if index < inputs {
            self.first[index].as_mut()
        } else {
            let interleaved = &mut self.behind.interleaved[index - inputs];
            if matches!(interleaved, Some((_, train)) if train.cells == cells) {
                *interleaved = None;
                return None;
            }
            interleaved.as_mut().map(|(_, train)| train)
        };
        let train = train.expect("a cell is announced");
        debug_assert!(cells < train.cells, "the last cell of a train is taken");
        train.cells -= cells;
        train.arrival += train.spacing * u64::from(cells);
        Some(train.arrival)
    }

    /// Number of cells that have not reached an output.
    pub fn cells(&self) -> u64 {
        let trains = self
            .first
            .iter()
            .flatten()
            .chain(self.behind.trains.iter().flatten())
            .chain(
                self.behind
                    .interleaved
                    .iter()
                    .flatten()
                    .map(|(_, train)| train),
            );
        trains.map(|arriving| u64::from(arriving.cells)).sum()
    }
}

#[cfg(test)]
mod tests {
    use kernel::Duration;
    use proptest::prelude::*;

    use super::*;
    use crate::wire::cell::Data;
    use crate::wire::contents::ContentsId;
    use crate::wire::unit::Amendment;
    use crate::wire::vc::Vc;

    const ROUTE: Route = Route {
        output: 3,
        vc: Vc(7),
    };

    /// The arrivals of the cells that are still to come, each with true if it ends a PDU.
    fn rest(arrivals: &mut ArrivingCells) -> Vec<(u64, bool)> {
        let mut rest = Vec::new();
        while arrivals.next(0).is_some() {
            let (next, cell, _) = arrivals.take(0);
            rest.push((next.arrival.ps(), cell.ends_pdu()));
        }
        rest
    }

    proptest! {
        /// Trains of PDUs, announced one behind the other, and one amendment at `now`.
        #[test]
        fn cells_arrive_as_in_a_list_of_single_cells(
            trains in prop::collection::vec((1u32..6, any::<bool>()), 1..6),
            spacing in 1u64..9,
            now in 0u64..200,
            again in prop::option::of((0u64..5, 1u64..9)),
        ) {
            let mut arrivals = ArrivingCells::new(1);
            let mut naive = Vec::new();
            for (pdu, (cells, eom)) in (0..).zip(trains) {
                let data = Data::new(pdu, ContentsId(pdu), eom);
                let train = Train::data(Vc(0), data, cells, Duration::from_ps(spacing));
                let is_next = arrivals.append_announced(Time::ZERO, 0, &train, ROUTE).is_some();
                prop_assert_eq!(is_next, naive.is_empty());
                for cell in 1..=cells {
                    naive.push(((naive.len() as u64 + 1) * spacing, eom && cell == cells));
                }
            }
            prop_assert_eq!(arrivals.cells(), naive.len() as u64);
            let kept = naive.iter().filter(|(at, _)| *at <= now).count();
            let later = (naive.len() - kept) as u32;
            let amendment = match again {
                None => {
                    naive.truncate(kept);
                    Amendment::Recall(later)
                }
                Some((after, spacing)) => {
                    for (at, (arrival, _)) in (0..).zip(&mut naive[kept..]) {
                        *arrival = now + after + at * spacing;
                    }
                    Amendment::Respace {
                        after: Duration::from_ps(after),
                        spacing: Duration::from_ps(spacing),
                    }
                }
            };
            arrivals.amend(Time::from_ps(now), 0, amendment);
            prop_assert_eq!(rest(&mut arrivals), naive);
            prop_assert_eq!(arrivals.cells(), 0);
        }
    }
}
