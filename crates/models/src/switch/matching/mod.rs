//! Matchings: they decide which input of a switch sends a cell to which output in a slot, where the
//! inputs have virtual output queues.
//!
//! In one matching every input sends at most one cell, and every output receives at most one. An
//! input *requests* each output for which it has a cell; a matching chooses among the requests.
//! Anderson, Owicki, Saxe and Thacker, "High-Speed Switch Scheduling for Local-Area Networks", ACM
//! Transactions on Computer Systems 11(4), 1993, give the problem and the terms.

#[cfg(test)]
pub(crate) mod script;

use std::iter::successors;

use kernel::{Stream, Time};

use super::matching_steps::SlotSteps;
use super::virtual_queues::VirtualQueues;
use crate::output::choice::number_set::NumberSet;

parameters::registry! {
    /// Rule that matches inputs with outputs in each slot.
    pub enum MatchingSpec builds Box<dyn Matching>, for Crossbar {
        pim => Pim,
        islip => Islip,
        wavefront => Wavefront,
        maximum_weight => MaximumWeight,
        maximum_size => MaximumSize,
    } default islip
}

impl MatchingSpec {
    /// Largest number of iterations of a matching; none for a rule without iterations.
    pub fn iterations(&self) -> Option<u32> {
        match self {
            MatchingSpec::Pim(pim) => Some(pim.iterations),
            MatchingSpec::Islip(islip) => Some(islip.iterations),
            MatchingSpec::Wavefront(_)
            | MatchingSpec::MaximumWeight(_)
            | MatchingSpec::MaximumSize(_) => None,
        }
    }
}

/// The inputs and outputs that are matched, as known before the run. They are numbered among those
/// that VCs use.
#[derive(Clone, Debug)]
pub struct Crossbar {
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
    /// Random stream of the fabric.
    pub random: Stream,
}

/// Matches inputs with outputs.
pub trait Matching: Send {
    /// Adds to `matched` pairs of inputs and outputs that are free there, each with a cell to move.
    fn find(&mut self, now: Time, queues: &VirtualQueues, matched: &mut Matched);

    /// As [`Matching::find`], and tells `steps` of its iterations; a rule without iterations has
    /// nothing to tell.
    fn find_in_steps(
        &mut self,
        now: Time,
        queues: &VirtualQueues,
        matched: &mut Matched,
        _steps: &mut SlotSteps,
    ) {
        self.find(now, queues, matched);
    }
}

/// The pairs of one matching.
#[derive(Clone, Debug)]
pub struct Matched {
    output_of: Box<[Option<u32>]>,
    input_of: Box<[Option<u32>]>,
}

impl Matched {
    /// No pair yet.
    pub fn new(inputs: usize, outputs: usize) -> Matched {
        Matched {
            output_of: vec![None; inputs].into(),
            input_of: vec![None; outputs].into(),
        }
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.output_of.fill(None);
        self.input_of.fill(None);
    }

    /// Adds a pair.
    #[inline]
    pub fn join(&mut self, input: usize, output: usize) {
        debug_assert!(self.is_input_free(input) && self.is_output_free(output));
        self.output_of[input] = Some(output as u32);
        self.input_of[output] = Some(input as u32);
    }

    /// True if the input belongs to no pair.
    #[inline]
    pub fn is_input_free(&self, input: usize) -> bool {
        self.output_of[input].is_none()
    }

    /// True if the output belongs to no pair.
    #[inline]
    pub fn is_output_free(&self, output: usize) -> bool {
        self.input_of[output].is_none()
    }

    /// The input that is matched with an output.
    #[inline]
    pub fn input_of(&self, output: usize) -> Option<usize> {
        self.input_of[output].map(|input| input as usize)
    }
}

/// The first input, upward from `from` and then from zero, that has a cell for `output` and is free.
#[inline]
fn requesting_from(
    from: usize,
    output: usize,
    queues: &VirtualQueues,
    matched: &Matched,
) -> Option<usize> {
    let requesting = queues.inputs_of(output);
    let later = upward(requesting, from);
    let order = later.chain(upward(requesting, 0).take_while(|input| *input < from));
    let mut free = order.filter(|input| matched.is_input_free(*input));
    free.next()
}

/// The numbers of a set that are at least `from`.
fn upward(set: &NumberSet, from: usize) -> impl Iterator<Item = usize> {
    successors(set.first_from(from), |last| set.first_from(last + 1))
}
