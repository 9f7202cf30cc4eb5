//! Laws of XTP that hold for every choice of its parameters, whatever the network does.
//!
//! They are those of TCP, in `../tcp`, as far as they apply; in a release build, as `make soak` makes,
//! there are many more cases.

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

    /// What the application writes arrives, each octet once and in order, and in bounded time once
    /// the network has stopped losing.
    #[test]
    fn everything_arrives_exactly_once(xtp in any::xtp(), network in network::any_network()) {
        let ends = any::ends(&xtp);
        let sender = sending::Watched::new(&xtp, ends.sender);
        let receiver = receiving::Watched::new(&xtp, ends.receiver);
        network::transfer(sender, receiver, &network)?;
    }

    /// No control packet, however foolish, makes a sender break its laws.
    #[test]
    fn a_sender_withstands_any_control_packet(
        xtp in any::xtp(),
        events in nonsense::for_a_sender(),
    ) {
        nonsense::befalls_sender(&xtp, &events)?;
    }

    /// No row of packets makes a receiver tell of what it has not got.
    #[test]
    fn a_receiver_withstands_any_packet(
        xtp in any::xtp(),
        events in nonsense::for_a_receiver(),
    ) {
        nonsense::befalls_receiver(&xtp, &events)?;
    }
}
