//! Early packet discard (EPD): drop whole PDUs, not single cells.
//!
//! A switch that drops one cell of a PDU carries the other cells in vain. Once the queue has
//! reached `threshold`, this policy drops every cell of a PDU that begins, its last cell included.
//! It accepts the cells of PDUs that began before, until the buffer is full; `overflow` states what
//! happens to a PDU with a cell that finds the buffer full. The threshold may be given as the
//! `headroom` that must be free: with a headroom of one PDU, one more PDU fits when it begins.
//!
//! Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995, section
//! 5.

use parameters::record::Conflict;
use parameters::{Amount, parameters};

use super::{Buffer, Decision, Discard, DiscardKind, Occupancy, Promise};
use crate::output::decision::pdus::{Overflow, Pdus, WholePdus};
use crate::wire::cell::Cell;
use crate::wire::vc::Vc;

parameters! {
    /// Early packet discard (EPD): drops whole PDUs once the queue has reached a threshold, or
    /// leaves too little headroom.
    #[alias("epd")]
    #[check(check)]
    pub struct EarlyPacket {
        /// Queue length from which new PDUs are dropped.
        #[implied(DEFAULT_THRESHOLD, "neither `threshold` nor `headroom` is given")]
        pub threshold: Option<Amount>,
        /// Free buffer space that a new PDU needs to be accepted, instead of a threshold.
        pub headroom: Option<Amount>,
        #[as_in(WholePdus)]
        pub overflow: Overflow,
    }
}

/// Threshold of a policy with neither `threshold` nor `headroom`.
const DEFAULT_THRESHOLD: Amount = Amount::Share(0.5);

impl EarlyPacket {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let (_, threshold) = self.level(buffer);
        Box::new(State {
            threshold,
            pdus: Pdus::new(buffer.vcs, self.overflow),
        })
    }

    /// The queue length from which new PDUs are dropped, and the parameter that states it.
    fn level(&self, buffer: &Buffer) -> (&'static str, u64) {
        match (self.threshold, self.headroom) {
            (Some(threshold), _) => ("threshold", buffer.units(threshold)),
            (None, Some(headroom)) => {
                let headroom = buffer.units(headroom);
                ("headroom", (buffer.capacity + 1).saturating_sub(headroom))
            }
            (None, None) => ("threshold", buffer.units(DEFAULT_THRESHOLD)),
        }
    }

    fn check(&self) -> Option<Conflict> {
        (self.threshold.is_some() && self.headroom.is_some()).then(|| Conflict {
            name: "headroom",
            problem: "`threshold` is given too".to_string(),
            hint: "leave out `headroom` or `threshold`: a new PDU is accepted while the queue is \
                   below `threshold`, or while `headroom` is free"
                .to_string(),
        })
    }
}

impl DiscardKind for EarlyPacket {
    fn needs_shared_queue(&self) -> bool {
        false
    }

    fn drop_levels(&self, buffer: &Buffer) -> Vec<(&'static str, u64)> {
        vec![self.level(buffer)]
    }

    fn drops_whole_packets(&self) -> bool {
        true
    }

    fn doubt(&self, buffers: &[Buffer]) -> Option<Conflict> {
        let threshold = self.threshold?;
        let reaches = |level: fn(&Buffer) -> u64| {
            let mut buffers = buffers.iter();
            buffers.any(|buffer| buffer.units(threshold) == level(buffer))
        };
        let (problem, hint) = if reaches(|_| 0) {
            (
                "no packet ever passes: the threshold drops packets even when the buffer is empty",
                "write the queue length from which new packets are dropped, for example half of \
                 the buffer",
            )
        } else if reaches(|buffer| buffer.capacity) {
            (
                "the policy acts only when the buffer is full",
                "write a threshold below the size of the buffer, or leave the policy out",
            )
        } else {
            return None;
        };
        Some(Conflict {
            name: "threshold",
            problem: problem.to_string(),
            hint: hint.to_string(),
        })
    }

    fn parameter_of_cells(&self) -> Option<&'static str> {
        (self.overflow == Overflow::TailDrop).then_some("overflow")
    }
}

struct State {
    threshold: u64,
    pdus: Pdus,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Decision {
        let threshold = self.threshold;
        self.pdus
            .decision(cell, &buffer, || buffer.queued < threshold)
    }

    fn promises(&self) -> bool {
        true
    }

    fn promise(&self, vc: Vc) -> Promise {
        self.pdus.promise(vc)
    }

    fn threshold(&mut self) -> Option<&mut u64> {
        Some(&mut self.threshold)
    }
}

#[cfg(test)]
mod tests {
    use parameters::{Parameter, ParameterTable};

    use super::super::script::decisions;
    use super::*;

    #[test]
    fn the_help_states_the_default_threshold() {
        let fields = EarlyPacket::fields();
        let threshold = fields.iter().find(|field| field.name == "threshold");
        let default = DEFAULT_THRESHOLD.write().quoted();
        assert!(threshold.is_some_and(|field| field.help.contains(&default)));
    }

    fn policy(overflow: Overflow) -> State {
        State {
            threshold: 5,
            pdus: Pdus::new(1, overflow),
        }
    }

    #[test]
    fn drops_the_whole_of_a_pdu_that_begins_at_the_threshold() {
        assert_eq!(
            decisions(&mut policy(Overflow::PartialPacket), "5 0 0. 4 5 6."),
            "---+++"
        );
    }

    #[test]
    fn lets_a_pdu_begin_while_there_is_room_for_it() {
        let spec = EarlyPacket {
            headroom: Some(Amount::Cells(4)),
            ..EarlyPacket::defaults()
        };
        let mut policy = spec.build(&Buffer::of_cells(10, 53, 1));
        assert_eq!(decisions(&mut *policy, "6 7 8 9. 7 8."), "++++--");
    }

    #[test]
    fn half_of_the_buffer_is_the_threshold_if_none_is_given() {
        let mut policy = EarlyPacket::defaults().build(&Buffer::of_cells(10, 53, 1));
        assert_eq!(decisions(&mut *policy, "4. 5."), "+-");
    }

    #[test]
    fn a_full_buffer_drops_the_rest_of_a_pdu_but_not_its_end() {
        assert_eq!(
            decisions(&mut policy(Overflow::PartialPacket), "4 10 9 9. 4."),
            "+--++"
        );
        assert_eq!(
            decisions(&mut policy(Overflow::TailDrop), "4 10 9 9. 4."),
            "+-+++"
        );
    }

    #[test]
    fn a_pdu_of_one_cell_is_first_and_last_at_once() {
        assert_eq!(
            decisions(&mut policy(Overflow::PartialPacket), "4. 5. 4."),
            "+-+"
        );
    }
}
