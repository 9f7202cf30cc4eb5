//! Laws of TCP that hold for all its parameters, over any network.
//!
//! The values are drawn from the shapes of the parameters, so a new congestion control is tested
//! without a change here. `make soak` runs many more cases, in a release build.

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

    /// Every written octet arrives once and in order, and in bounded time after the network has
    /// stopped losing.
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
        nonsense::check_sender(&tcp, &events)?;
    }

    /// No sequence of segments makes a receiver acknowledge data that has not arrived.
    #[test]
    fn a_receiver_withstands_any_segment(
        tcp in any::tcp(),
        events in nonsense::for_a_receiver(),
    ) {
        nonsense::check_receiver(&tcp, &events)?;
    }

    /// After any events, the congestion window is between a segment and the receiver's window, and
    /// no loss has opened it.
    #[test]
    fn a_congestion_control_keeps_its_bounds(
        tcp in any::tcp(),
        events in windows::any_events(),
    ) {
        windows::check_windows(&tcp, &events)?;
    }
}
