//! Laws of TCP that hold for all its parameters, over any network.
//!
//! The values are drawn from the shapes of the parameters, so a new congestion control is tested
//! without a change here. `make soak` runs many more cases, in a release build.

extern crate cellrelay_models as models;

mod any;
#[path = "../common/cases.rs"]
mod cases;
#[path = "../common/choices.rs"]
mod choices;
mod growth;
#[path = "../common/network.rs"]
mod network;
mod nonsense;
mod receiving;
mod sending;
mod stretch;
mod windows;

use cases::cases;
use kernel::Time;
use models::transport::StateValue;
use models::transport::tcp::Tcp;
use models::transport::tcp::acknowledge::AcknowledgeSpec;
use models::transport::tcp::acknowledge::every::Every;
use models::transport::tcp::spurious::{Response, Spurious};
use models::transport::tcp::timers::TimersSpec;
use models::transport::tcp::timers::rfc6298::Rfc6298;
use models::transport::tcp::timestamps::Timestamps;
use parameters::{Bytes, ParameterTable};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(400))]

    /// Every written octet arrives once and in order, and within a bounded time after the network
    /// has stopped losing segments.
    #[test]
    fn everything_arrives_exactly_once(tcp in any::tcp(), network in network::any_network()) {
        let ends = any::ends(&tcp);
        let sender = sending::Watched::new(&tcp, ends.sender);
        network::transfer(sender, receiving::Watched::new(ends.receiver), &network)?;
    }

    /// Over a path of constant delay every round-trip time measured by time stamps is twice this
    /// delay, whatever data is lost, repeated or retransmitted. No acknowledgment is lost, because
    /// the next one would echo the last segment before a hole, however long ago that segment
    /// arrived. The estimate of a sender that finds a timeout spurious is not raised.
    #[test]
    fn time_stamps_time_retransmissions_too(
        tcp in any::tcp(),
        network in network::with_delays(Just(network::DELAY), 0..1, Just(vec![network::DELAY])),
    ) {
        let stamped = if tcp.timestamps.is_on() {
            tcp
        } else {
            Tcp { timestamps: Timestamps::Rfc1323, packet: Bytes(any::MSS + 52), ..tcp }
        };
        let tcp = Tcp {
            acknowledge: AcknowledgeSpec::Every(Every::defaults()),
            timers: TimersSpec::Rfc6298(Rfc6298::defaults()),
            spurious: Spurious { response: Response::Full, ..stamped.spurious },
            ..stamped
        };
        let ends = any::ends(&tcp);
        let sender = sending::Watched::new(&tcp, ends.sender);
        let receiver = receiving::Watched::new(ends.receiver);
        let done = network::transfer(sender, receiver, &network)?;
        prop_assert_eq!(done.srtt(Time::ZERO), Some(StateValue::Time(network::DELAY * 2)));
    }

    /// No acknowledgment, even one of unsent data, makes a sender violate a law.
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

    /// After any events, the congestion window is between one segment and the receiver's window,
    /// and no loss has increased it.
    #[test]
    fn a_congestion_control_keeps_its_bounds(
        tcp in any::tcp(),
        events in windows::any_events(),
    ) {
        windows::check_windows(&tcp, &events)?;
    }
}
