//! Laws of the receiver-driven transport that hold for all its parameters, over any network.
//!
//! These are the laws of TCP in `../tcp`, as far as they apply. `make soak` runs many more cases, in a
//! release build.

extern crate cellrelay_models as models;

mod any;
#[path = "../common/cases.rs"]
mod cases;
#[path = "../common/network.rs"]
mod network;
mod nonsense;
mod receiving;
mod returning;
mod sending;

use cases::cases;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(400))]

    /// Every written octet arrives once, and within a bounded time after the network has stopped
    /// losing and trimming packets.
    #[test]
    fn everything_arrives_exactly_once(pull in any::pull(), network in network::any_network()) {
        let ends = any::ends(&pull);
        let sender = sending::Watched::new(&pull, ends.sender);
        let receiver = receiving::Watched::new(ends.receiver);
        network::transfer(sender, receiver, &network)?;
    }

    /// Every written octet arrives without a timer if packets come back, but none is lost.
    #[test]
    fn what_comes_back_arrives_without_a_timer(
        window in 1i64..40,
        packets in 1u64..120,
        fates in returning::fates(),
    ) {
        returning::transfer(&returning::patient(window), packets, &fates)?;
    }

    /// No answer, even to a packet that was never sent, makes a sender break a law.
    #[test]
    fn a_sender_withstands_any_answer(pull in any::pull(), events in nonsense::for_a_sender()) {
        nonsense::check_sender(&pull, &events)?;
    }

    /// No sequence of packets makes a receiver report data that has not arrived.
    #[test]
    fn a_receiver_withstands_any_packet(pull in any::pull(), events in nonsense::for_a_receiver()) {
        nonsense::check_receiver(&pull, &events)?;
    }
}
