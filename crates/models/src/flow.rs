//! Flows, as users write them.

use parameters::parameters;

use crate::carriage::CarriageSpec;
use crate::jitter::JitterSpec;
use crate::traffic::SourceSpec;
use crate::transport::TransportSpec;

parameters! {
    /// A flow of user data from one host to another; from a group, one flow for each member.
    pub struct FlowSpec {
        /// Host or group at which it begins.
        pub from: String,
        /// Host or group at which it ends; a group of the same size pairs its members.
        pub to: String,
        /// When there is data to send, and how much.
        pub source: SourceSpec = default,
        /// How the two ends make sure that it arrives.
        pub transport: TransportSpec,
        /// How packets are carried.
        pub over: CarriageSpec = default,
        /// Random time that the sending host adds to each packet, if any.
        pub jitter: Option<JitterSpec>,
    }
}
