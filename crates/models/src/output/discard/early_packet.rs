//! Early packet discard (EPD): refuse whole PDUs, not stray cells.
//!
//! A switch that loses one cell of a PDU goes on carrying the rest for nothing. From `threshold` on
//! this policy refuses every cell of a PDU that has not begun, its end included, and still takes
//! the PDUs that have begun until the buffer is full. What happens then is `overflow`. The
//! threshold may be given as the `room` that must be left: where that is the size of a PDU, one that
//! begins alone does fit.
//!
//! Romanow and Floyd, "Dynamics of TCP Traffic over ATM Networks", IEEE JSAC 13(4), 1995, section 5.

use parameters::record::Conflict;
use parameters::{Amount, parameters};

use super::{Buffer, Discard, Occupancy, Verdict};
use crate::cell::Cell;
use crate::output::pdus::{Overflow, Pdus};

parameters! {
    /// Refuses whole PDUs once the queue has reached a threshold, or leaves too little room.
    #[check(check)]
    pub struct EarlyPacket {
        /// Queue length from which PDUs that have not begun are refused; half of the buffer, if
        /// neither this nor `room` is given.
        pub threshold: Option<Amount>,
        /// Room that must be left for a PDU to begin, instead of a threshold.
        pub room: Option<Amount>,
        /// What becomes of a PDU that has begun when its cells find the buffer full.
        pub overflow: Overflow = "partial_packet",
    }
}

impl EarlyPacket {
    /// The policy for one buffer.
    pub fn build(&self, buffer: &Buffer) -> Box<dyn Discard> {
        let threshold = match (self.threshold, self.room) {
            (Some(threshold), _) => buffer.units("threshold", threshold),
            (None, Some(room)) => (buffer.capacity + 1).saturating_sub(buffer.units("room", room)),
            (None, None) => buffer.units("threshold", Amount::Share(0.5)),
        };
        Box::new(State {
            threshold,
            pdus: Pdus::new(buffer.vcs, self.overflow),
        })
    }

    fn check(&self) -> Option<Conflict> {
        (self.threshold.is_some() && self.room.is_some()).then(|| Conflict {
            name: "room",
            problem: "`threshold` is given too".to_string(),
            hint:
                "give one of them: a PDU begins while less than `threshold` waits, or while `room` \
                   is left"
                    .to_string(),
        })
    }
}

struct State {
    threshold: u64,
    pdus: Pdus,
}

impl Discard for State {
    fn admit(&mut self, cell: &Cell, buffer: Occupancy) -> Verdict {
        let threshold = self.threshold;
        self.pdus
            .verdict(cell, &buffer, || buffer.queued < threshold)
    }
}

#[cfg(test)]
mod tests {
    use parameters::Record;

    use super::super::script::verdicts;
    use super::*;

    fn policy(overflow: Overflow) -> State {
        State {
            threshold: 5,
            pdus: Pdus::new(1, overflow),
        }
    }

    #[test]
    fn refuses_the_whole_of_a_pdu_that_begins_at_the_threshold() {
        assert_eq!(
            verdicts(&mut policy(Overflow::PartialPacket), "5 0 0. 4 5 6."),
            "---+++"
        );
    }

    #[test]
    fn lets_a_pdu_begin_while_there_is_room_for_it() {
        let spec = EarlyPacket {
            room: Some(Amount::Cells(4)),
            ..EarlyPacket::defaults()
        };
        let mut policy = spec.build(&Buffer::of_cells(10, 53, 1));
        assert_eq!(verdicts(&mut *policy, "6 7 8 9. 7 8."), "++++--");
    }

    #[test]
    fn half_of_the_buffer_is_the_threshold_if_none_is_given() {
        let mut policy = EarlyPacket::defaults().build(&Buffer::of_cells(10, 53, 1));
        assert_eq!(verdicts(&mut *policy, "4. 5."), "+-");
    }

    #[test]
    fn beyond_the_hard_limit_refuses_the_rest_but_not_the_end() {
        assert_eq!(
            verdicts(&mut policy(Overflow::PartialPacket), "4 10 9 9. 4."),
            "+--++"
        );
        assert_eq!(
            verdicts(&mut policy(Overflow::TailDrop), "4 10 9 9. 4."),
            "+-+++"
        );
    }

    #[test]
    fn a_pdu_of_one_cell_is_first_and_last_at_once() {
        assert_eq!(
            verdicts(&mut policy(Overflow::PartialPacket), "4. 5. 4."),
            "+-+"
        );
    }
}
