//! Laws of XTP that hold for all its parameters, over any network.
//!
//! These are the laws of TCP in `../tcp`, as far as they apply. `make soak` runs many more cases,
//! in a release build.

extern crate cellrelay_models as models;

mod any;
#[path = "../common/cases.rs"]
mod cases;
#[path = "../common/choices.rs"]
mod choices;
#[path = "../common/network.rs"]
mod network;
mod nonsense;
mod receiving;
mod sending;

use cases::cases;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(400))]

    /// Every written octet arrives once and in order, and within a bounded time after the network
    /// has stopped losing packets.
    #[test]
    fn everything_arrives_exactly_once(xtp in any::xtp(), network in network::any_network()) {
        let ends = any::ends(&xtp);
        let sender = sending::Watched::new(&xtp, ends.sender);
        let receiver = receiving::Watched::new(&xtp, ends.receiver);
        network::transfer(sender, receiver, &network)?;
    }

    /// No control packet, even an answer to an unsent request, makes a sender violate a law.
    #[test]
    fn a_sender_withstands_any_control_packet(
        xtp in any::xtp(),
        events in nonsense::for_a_sender(),
    ) {
        nonsense::check_sender(&xtp, &events)?;
    }

    /// No sequence of packets makes a receiver report data that has not arrived.
    #[test]
    fn a_receiver_withstands_any_packet(
        xtp in any::xtp(),
        events in nonsense::for_a_receiver(),
    ) {
        nonsense::check_receiver(&xtp, &events)?;
    }
}
