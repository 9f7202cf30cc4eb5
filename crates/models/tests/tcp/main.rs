//! Laws of TCP that hold for every choice of its parameters, whatever the network does.
//!
//! The parameters are drawn from what the components tell of themselves, so that a congestion
//! control that is added is tested here without further ado. In a release build, as `make soak`
//! makes, there are many more cases.

mod any;
mod network;
mod nonsense;
mod receiving;
mod sending;
mod stretch;
mod windows;

use proptest::prelude::*;

/// How often a law is tried: as often as `PROPTEST_CASES` says, if it says anything.
///
/// Failures are not kept in a file of seeds: a seed means something else as soon as there is one more
/// choice. Make the smallest case a script instead.
fn cases(quick: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let many = if cfg!(debug_assertions) { 1 } else { 50 };
    ProptestConfig {
        cases: if std::env::var_os("PROPTEST_CASES").is_some() {
            default.cases
        } else {
            quick * many
        },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// What the application writes arrives, each octet once and in order, and in bounded time once
    /// the network has stopped losing.
    #[test]
    fn everything_arrives_exactly_once(tcp in any::tcp(), network in network::any_network()) {
        network::transfer(&tcp, &network)?;
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
