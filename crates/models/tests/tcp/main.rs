//! Laws of TCP that hold for every choice of its parameters, whatever the network does.
//!
//! The parameters are drawn from what the components tell of themselves, so that a congestion
//! control that is added is tested here without further ado. In a release build, as `make soak`
//! makes, there are many more cases.

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
mod stretch;
mod windows;

use cases::cases;
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(400))]

    /// What the application writes arrives, each octet once and in order, and in bounded time once
    /// the network has stopped losing.
    #[test]
    fn everything_arrives_exactly_once(tcp in any::tcp(), network in network::any_network()) {
        let ends = any::ends(&tcp);
        let sender = sending::Watched::new(&tcp, ends.sender);
        network::transfer(sender, receiving::Watched::new(ends.receiver), &network)?;
    }

    /// No acknowledgment, however foolish, makes a sender break its laws.
    #[test]
    fn a_sender_withstands_any_acknowledgment(
        tcp in any::tcp(),
        events in nonsense::for_a_sender(),
    ) {
        nonsense::befalls_sender(&tcp, &events)?;
    }

    /// No row of segments makes a receiver acknowledge what it has not got.
    #[test]
    fn a_receiver_withstands_any_segment(
        tcp in any::tcp(),
        events in nonsense::for_a_receiver(),
    ) {
        nonsense::befalls_receiver(&tcp, &events)?;
    }

    /// Whatever happens, a congestion control by itself keeps a window between a segment and that of
    /// the receiver, and never answers a loss by opening it.
    #[test]
    fn a_congestion_control_keeps_its_bounds(
        tcp in any::tcp(),
        events in windows::any_events(),
    ) {
        windows::stay_lawful(&tcp, &events)?;
    }
}
